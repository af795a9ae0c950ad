/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Fewer changes, or changes within less time, say too little of the rate. */
#define LEAST_CHANGES 4
#define LEAST_SECONDS 3.0

static const struct progress_sample *sample_at(const struct progress *p, size_t i)
{
    size_t first = p->n < PROGRESS_SAMPLES ? 0 : p->next;
    return &p->samples[(first + i) % PROGRESS_SAMPLES];
}

void progress_note(struct progress *p, double seconds, double done)
{
    const struct progress_sample *last = p->n ? sample_at(p, p->n - 1) : NULL;
    if (last && (done <= last->done || seconds < last->seconds + 1))
        return;
    p->samples[p->next] = (struct progress_sample){seconds, done};
    p->next = (p->next + 1) % PROGRESS_SAMPLES;
    p->n += p->n < PROGRESS_SAMPLES;
}

double progress_left(const struct progress *p, double seconds, double rest)
{
    if (p->n < LEAST_CHANGES)
        return NAN;
    const struct progress_sample *first = sample_at(p, 0), *last = sample_at(p, p->n - 1);
    /* Up to now, so that a stall makes the rest take longer. */
    double took = seconds - first->seconds, did = last->done - first->done;
    return took >= LEAST_SECONDS && did > 0 ? rest * took / did : NAN;
}

/* ---- the line -------------------------------------------------------------------------------- */

void progress_add(struct progress_line *line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(line->text + line->len, sizeof line->text - line->len, fmt, ap);
    va_end(ap);
    line->len += n < 0 ? 0 : (size_t)n;
    if (line->len >= sizeof line->text)
        line->len = sizeof line->text - 1;
}

void progress_add_time(struct progress_line *line, double seconds)
{
    uint64_t s = seconds > 0 ? (uint64_t)fmin(seconds, 1e9) : 0;
    if (s >= 3600)
        progress_add(line, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60, s % 60);
    else
        progress_add(line, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
}
