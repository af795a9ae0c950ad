/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/outcome.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "grade/clean.h"

#include <stdarg.h>
#include <stdio.h>

#define SHOWN_MAX 80 /* bytes of a value in a reason */

rdv_same outcome_same(comparer *c, const char *why)
{
    /* What "same" may rest on, from the least: a later one includes the earlier ones. */
    static const char *const order[] = {"identical", "exact", "algebra", "set",      "relation",
                                        "comma",     "unit",  "shown",   "tolerance"};
    int place = rdv_named(rdv_str_of(why), order, sizeof order / sizeof *order);
    unsigned rank = place < 0 ? 1 : (unsigned)place;
    if (rank >= c->rank) {
        c->rank = rank;
        c->why = why;
    }
    return RDV_SAME;
}

rdv_same outcome_not(comparer *c, rdv_same is, const char *why, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    c->why = why;
    c->reason = rdv_str_copy(c->reader.arena, rdv_str_of(line));
    if (!c->reason.p)
        c->fault = rdv_no_memory(c->reader.err);
    return is;
}

/* A value as it was written, lists item by item. */
static void show(rdv_buf *b, const answer_value *v, unsigned depth)
{
    bool list = v->is == VALUE_LIST && depth < VALUE_DEPTH_MAX;
    if (!list) {
        clean_squeeze_shown(v->text.len ? v->text : v->key, b);
        return;
    }
    rdv_buf_add_char(b, '{');
    for (size_t i = 0; i < v->n && b->len <= SHOWN_MAX; i++) {
        if (i > 0)
            rdv_buf_add_char(b, ',');
        show(b, v->items[i], depth + 1);
    }
    rdv_buf_add_char(b, '}');
}

rdv_str outcome_value_shown(comparer *c, const answer_value *v)
{
    rdv_buf b;
    rdv_buf_init(&b, c->reader.arena, 0);
    show(&b, v, 0);
    rdv_str s = rdv_buf_str(&b);
    if (!rdv_buf_ok(&b))
        c->fault = rdv_no_memory(c->reader.err);
    size_t end = SHOWN_MAX;
    while (s.len > SHOWN_MAX && end > 0 && ((unsigned char)s.p[end] & 0xc0) == 0x80)
        end--; /* never within a character */
    return s.len > SHOWN_MAX ? rdv_slice(s, 0, end) : s;
}

rdv_same outcome_pair(comparer *c, rdv_same is, const char *why, const answer_value *a,
                      const char *relation, const answer_value *g)
{
    rdv_str as = outcome_value_shown(c, a), gs = outcome_value_shown(c, g);
    return outcome_not(c, is, why, "%.*s %s %.*s", RDV_FMT(as), relation, RDV_FMT(gs));
}

rdv_same outcome_at_place(comparer *c, rdv_same is, const char *place, size_t number)
{
    if (is == RDV_SAME || !c->reason.p)
        return is;
    c->reason = rdv_str_printf(c->reader.arena, "%s %zu: %.*s", place, number, RDV_FMT(c->reason));
    if (!c->reason.p)
        c->fault = rdv_no_memory(c->reader.err);
    return is;
}

rdv_same outcome_other_form(comparer *c, const answer_value *a, const answer_value *g)
{
    return outcome_pair(c, RDV_DIFFERENT, "form", a, "is not of the form of", g);
}
