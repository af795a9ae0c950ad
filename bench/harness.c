/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool bench_run(bench_times *times, size_t runs, bool (*work)(void *payload), void *payload)
{
    times->n = 0;
    if (!work(payload))
        return false;
    for (size_t i = 0; i < runs && i < BENCH_MAX_RUNS; i++) {
        double start = bench_now();
        if (!work(payload))
            return false;
        times->seconds[times->n++] = bench_now() - start;
    }
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_size);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

void bench_summarise(bench_times *times)
{
    if (times->n == 0)
        return;
    double distance[BENCH_MAX_RUNS];
    times->median = median_of(times->seconds, times->n);
    for (size_t i = 0; i < times->n; i++)
        distance[i] = fabs(times->seconds[i] - times->median);
    times->deviation = median_of(distance, times->n);
}
