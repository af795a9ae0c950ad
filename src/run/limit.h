/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Limits of one host: calls in flight, and calls and tokens per minute. There is no clock here:
 * `now` is in milliseconds from any origin, and never decreases.
 *
 *
 * The window of calls in flight begins small and grows by one with each reply, so that the first
 * name look-up and the first connections are not made a thousand times at once, and so that the
 * capacity of a slow server is seen before many calls wait there: a call's time-out includes its
 * time in the server's queue. On overload (429, or a time-out), the window is halved, once for all
 * calls then in flight, and grows by one per window from there: additive increase, multiplicative
 * decrease. A host that reports how many calls it works on at a time gets a few more, so that no
 * slot is idle while a reply travels. */
#include <rederive/base.h>

typedef struct limit_bucket {
    double rate;     /* per millisecond; 0: no limit */
    double capacity; /* the most that may be taken at once */
    double level;    /* below 0: taken in advance */
    uint64_t at;
} limit_bucket;

typedef struct limit {
    size_t jobs; /* upper end of the window */
    double window;
    bool growing_fast; /* until the first 429 */
    size_t in_flight;
    uint64_t cut_at;     /* when the window was last halved */
    uint64_t hold_until; /* no call before this time, at the host's request */
    limit_bucket calls, tokens;
    double completion; /* running mean of a reply's tokens */
} limit;

#define LIMIT_NEVER UINT64_MAX

/* rpm, tpm: 0 for no limit. */
void limit_init(limit *l, size_t jobs, double rpm, double tpm, uint64_t now);
/* Allow all calls at once from the beginning, for a host inside this program. */
void limit_open(limit *l);
/* Let the window begin small again, for a host that comes back. */
void limit_restart(limit *l);
/* Set the number of calls that the host works on at a time: the window is as wide at once, but not
 * wider than an overload before has taught. */
void limit_slots(limit *l, size_t slots);
/* The number of calls that may be in flight. */
size_t limit_window(const limit *l);
/* Milliseconds until a call may start, 0: now; LIMIT_NEVER: not before another call ends. */
uint64_t limit_wait(limit *l, uint64_t now);
/* A call for so many choices starts. Returns its expected tokens: the prompt's bytes/4 plus replies
 * of ordinary length. */
double limit_start(limit *l, size_t prompt_bytes, size_t choices, uint64_t now);
/* A call ended without a reply. `expected`: the value from limit_start(). */
void limit_end(limit *l, double expected);
/* A call ended with a reply of this many tokens, all choices together. `late`: it took so long that
 * with more calls at a time they could time out, so the window does not grow. */
void limit_answered(limit *l, double expected, uint64_t prompt_tokens, uint64_t completion_tokens,
                    size_t choices, bool late);
/* A call that started at `started` overloaded the host (refused, or timed out), which requests a
 * pause of `hold` milliseconds (0: not given). Call limit_end() as well. */
void limit_throttled(limit *l, uint64_t started, uint64_t hold, uint64_t now);
