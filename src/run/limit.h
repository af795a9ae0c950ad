/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How much one host is asked at a time and a minute. Knows no clock: `now` is in milliseconds from
 * any origin, and never goes back.
 *
 * The window of calls in flight begins small and grows by one with each reply, so that the first
 * name look-up and the first connections are not made a thousand times at once. When the host says
 * that it is too much (429), the window is halved, once for all calls that were out then, and grows
 * by one a window from there: additive increase, multiplicative decrease. */
#include <rederive/base.h>

typedef struct limit_bucket {
    double rate;     /* a millisecond; 0: no limit */
    double capacity; /* what may be taken at once */
    double level;    /* below 0: what was taken ahead */
    uint64_t at;
} limit_bucket;

typedef struct limit {
    size_t jobs; /* the window's upper end */
    double window;
    bool growing_fast; /* until the first 429 */
    size_t in_flight;
    uint64_t cut_at;     /* when the window was last halved */
    uint64_t hold_until; /* the host asked not to be asked before */
    limit_bucket calls, tokens;
    double completion; /* running mean of tokens that a reply had */
} limit;

#define LIMIT_NEVER UINT64_MAX

/* rpm, tpm: 0 for no limit. */
void limit_init(limit *l, size_t jobs, double rpm, double tpm, uint64_t now);
/* All calls at once from the beginning, for a host that is this program. */
void limit_open(limit *l);
/* Calls that may be in flight. */
size_t limit_window(const limit *l);
/* Milliseconds until a call may start, 0: now; LIMIT_NEVER: not before another one ends. */
uint64_t limit_wait(limit *l, uint64_t now);
/* A call starts. Returns what it is taken to need in tokens: its prompt's bytes/4, and a reply of
 * ordinary length. */
double limit_start(limit *l, size_t prompt_bytes, uint64_t now);
/* It ended, without a reply. `expected`: as limit_start() gave. */
void limit_end(limit *l, double expected);
/* It ended with a reply of so many tokens, prompt included. */
void limit_answered(limit *l, double expected, uint64_t prompt_tokens, uint64_t completion_tokens);
/* A call that started at `started` was refused for being too much; the host wants to be left alone
 * for `hold` milliseconds (0: not said). To be called beside limit_end(). */
void limit_throttled(limit *l, uint64_t started, uint64_t hold, uint64_t now);
