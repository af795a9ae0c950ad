/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Time a piece of work many times and say what was typical: the median, which one slow run does not
 * move, and the median absolute deviation from it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_MAX_RUNS 1000

typedef struct bench_times {
    double seconds[BENCH_MAX_RUNS]; /* of processor time, one a run */
    size_t n;
    double median, deviation; /* set by bench_summarise() */
} bench_times;

/* Seconds of processor time that this process has used. */
double bench_now(void);
/* Call work(payload) once without counting it, then `runs` times (1 .. BENCH_MAX_RUNS). False, at
 * once, when a call returned false. */
bool bench_run(bench_times *times, size_t runs, bool (*work)(void *payload), void *payload);
/* Set the median and the deviation. Sorts the times. */
void bench_summarise(bench_times *times);
