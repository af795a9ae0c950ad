/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How much one host is asked at a time and a minute. Knows no clock: `now` is in milliseconds from
 * any origin, and never goes back.
 *
 * The window of calls in flight begins small and grows by one with each reply, so that the first
 * name look-up and the first connections are not made a thousand times at once, and that what a
 * slow server can do is seen before much waits there: a call's time-out counts its time in the
 * server's queue. When it is too much (429, or a time-out), the window is halved, once for all
 * calls that were out then, and grows by one a window from there: additive increase, multiplicative
 * decrease. A host that says how many it works on at a time gets a few more, so that none of its
 * places is empty while a reply travels. */
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
/* The host works on so many calls at a time. */
void limit_slots(limit *l, size_t slots);
/* Calls that may be in flight. */
size_t limit_window(const limit *l);
/* Milliseconds until a call may start, 0: now; LIMIT_NEVER: not before another one ends. */
uint64_t limit_wait(limit *l, uint64_t now);
/* A call starts. Returns what it is taken to need in tokens: its prompt's bytes/4, and a reply of
 * ordinary length. */
double limit_start(limit *l, size_t prompt_bytes, uint64_t now);
/* It ended, without a reply. `expected`: as limit_start() gave. */
void limit_end(limit *l, double expected);
/* It ended with a reply of so many tokens, prompt included. `late`: it took so long that with more
 * calls at a time they could time out, so the window does not grow. */
void limit_answered(limit *l, double expected, uint64_t prompt_tokens, uint64_t completion_tokens,
                    bool late);
/* A call that started at `started` was too much (refused, or timed out); the host wants to be left
 * alone for `hold` milliseconds (0: not said). To be called beside limit_end(). */
void limit_throttled(limit *l, uint64_t started, uint64_t hold, uint64_t now);
