/* SPDX-License-Identifier: Apache-2.0 */
#include "task/make.h"

#include "base/arena.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>

bool trace_goes_wrong(trace *t)
{
    t->asked = true;
    bool wrong = t->n == t->wrong_at;
    t->went_wrong |= wrong;
    return wrong;
}

void trace_printf(trace *t, const char *fmt, ...)
{
    char text[512]; /* pieces of a step are short: words, names, numbers */
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (len < 0 || (size_t)len >= sizeof text)
        t->failed = true;
    else
        rdv_buf_add(&t->line, (rdv_str){text, (size_t)len});
}

static bool push_step(trace *t, rdv_str step)
{
    size_t cap = t->cap;
    if (!RDV_PUSH_ROOM(t->arena, t->fallible, t->n, cap) ||
        !RDV_PUSH_ROOM(t->arena, t->steps, t->n, t->cap))
        return false;
    t->fallible[t->n] = t->asked;
    t->steps[t->n++] = step;
    return true;
}

void trace_end_step(trace *t)
{
    rdv_str step =
        rdv_buf_ok(&t->line) ? rdv_str_copy(t->arena, rdv_buf_str(&t->line)) : (rdv_str){0};
    if (!step.p || !push_step(t, step))
        t->failed = true;
    rdv_buf_clear(&t->line);
    t->asked = false;
}
