/* SPDX-License-Identifier: Apache-2.0 */
#include "run/limit.h"

#include <math.h>

#define FIRST_WINDOW 4
#define MINUTE 60000.0 /* ms */
/* The most that may be taken at once, as a share of a minute's allowance: large enough that a
 * timer's millisecond does not matter, small enough that no minute noticeably exceeds the limit. */
#define BURST (1.0 / 600)
#define FIRST_COMPLETION 256 /* tokens of a reply, until one has arrived */
#define MEAN_OF 64           /* number of replies in the running mean */

static void bucket_init(limit_bucket *b, double a_minute, double at_least, uint64_t now)
{
    *b = (limit_bucket){.rate = a_minute / MINUTE, .at = now};
    b->capacity = fmax(a_minute * BURST, at_least);
    b->level = b->capacity;
}

/* Milliseconds until the bucket holds `need`. */
static uint64_t bucket_wait(limit_bucket *b, double need, uint64_t now)
{
    if (b->rate <= 0)
        return 0;
    b->level = fmin(b->capacity, b->level + (double)(now - b->at) * b->rate);
    b->at = now;
    return b->level >= need ? 0 : (uint64_t)ceil((need - b->level) / b->rate);
}

void limit_init(limit *l, size_t jobs, double rpm, double tpm, uint64_t now)
{
    *l = (limit){.jobs = jobs, .growing_fast = true, .completion = FIRST_COMPLETION};
    l->window = jobs < FIRST_WINDOW ? (double)jobs : FIRST_WINDOW;
    bucket_init(&l->calls, rpm, 1, now);
    bucket_init(&l->tokens, tpm, 1, now);
}

void limit_open(limit *l)
{
    l->window = (double)l->jobs;
}

void limit_restart(limit *l)
{
    l->window = fmin(l->window, l->jobs < FIRST_WINDOW ? (double)l->jobs : FIRST_WINDOW);
    l->growing_fast = true;
}

void limit_slots(limit *l, size_t slots)
{
    size_t most = slots + slots / 2 + 1;
    if (most < l->jobs)
        l->jobs = most;
    double wide = l->growing_fast ? fmax(l->window, (double)most) : l->window;
    l->window = fmax(1, fmin((double)l->jobs, wide));
}

size_t limit_window(const limit *l)
{
    return (size_t)l->window;
}

uint64_t limit_wait(limit *l, uint64_t now)
{
    if (l->in_flight >= limit_window(l))
        return LIMIT_NEVER;
    uint64_t wait = l->hold_until > now ? l->hold_until - now : 0;
    uint64_t calls = bucket_wait(&l->calls, 1, now);
    /* A call may start before its tokens are available, because they are only estimated; the next
     * call waits for them. */
    uint64_t tokens = bucket_wait(&l->tokens, 0, now);
    wait = calls > wait ? calls : wait;
    return tokens > wait ? tokens : wait;
}

double limit_start(limit *l, size_t prompt_bytes, size_t choices, uint64_t now)
{
    double expected = (double)prompt_bytes / 4 + (double)choices * l->completion;
    l->in_flight++;
    l->calls.level -= 1;
    l->tokens.level -= expected;
    return expected;
}

void limit_end(limit *l, double expected)
{
    l->in_flight--;
    l->tokens.level += expected;
}

void limit_answered(limit *l, double expected, uint64_t prompt_tokens, uint64_t completion_tokens,
                    size_t choices, bool late)
{
    limit_end(l, expected);
    l->tokens.level -= (double)(prompt_tokens + completion_tokens);
    l->completion += ((double)completion_tokens / (double)choices - l->completion) / MEAN_OF;
    if (late)
        return;
    l->window += l->growing_fast ? 1 : 1 / l->window;
    if (l->window > (double)l->jobs)
        l->window = (double)l->jobs;
}

void limit_throttled(limit *l, uint64_t started, uint64_t hold, uint64_t now)
{
    if (now + hold > l->hold_until)
        l->hold_until = now + hold;
    l->growing_fast = false;
    if (started < l->cut_at) /* the window has been halved since */
        return;
    l->window = fmax(1, floor(l->window / 2));
    l->cut_at = now + 1; /* includes calls that started in this millisecond */
}
