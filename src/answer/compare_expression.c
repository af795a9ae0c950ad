/* SPDX-License-Identifier: Apache-2.0 */
/* Two expressions: by keys, by proof, then by the nearness that the caller allows. */
#include "answer/compare_value.h"

#include "base/arena.h"
#include "base/str.h"
#include "algebra/difference.h"
#include "algebra/same.h"

/* A plain decimal's places after its point; 0: it is none. */
static size_t decimal_places(rdv_str s)
{
    size_t point = 0;
    for (size_t i = 0; i < s.len; i++) {
        bool sign = i == 0 && (s.p[i] == '-' || s.p[i] == '+');
        if (s.p[i] == '.')
            point = i + 1;
        else if (!sign && !rdv_is_digit(s.p[i]))
            return 0;
    }
    return point ? s.len - point : 0;
}

/* |a - b| <= t, into *near; all are expressions. RDV_NONE: it cannot be told. */
static int within(comparer *c, rdv_str a, rdv_str b, rdv_str t, bool *near)
{
    value_reader *r = &c->reader;
    rdv_str up = rdv_str_printf(r->arena, "(%.*s)-(%.*s)", RDV_FMT(a), RDV_FMT(b));
    rdv_str down = rdv_str_printf(r->arena, "(%.*s)-(%.*s)", RDV_FMT(b), RDV_FMT(a));
    int over, under;
    if (!up.p || !down.p)
        return rdv_no_memory(r->err);
    int rc = math_order(up, t, r->how.work, r->arena, &over, r->err);
    if (rc == RDV_OK)
        rc = math_order(down, t, r->how.work, r->arena, &under, r->err);
    if (rc == RDV_OK)
        *near = over <= 0 && under <= 0;
    return rc;
}

/* Within the tolerance, or within the tolerance times |gold|. */
static int is_tolerated(comparer *c, const answer_value *a, const answer_value *g, bool *near)
{
    value_reader *r = &c->reader;
    rdv_str t = c->how.tolerance;
    int sign, rc = within(c, a->text, g->text, t, near);
    if (rc != RDV_OK || *near)
        return rc;
    rc = math_order(g->text, RDV_STR("0"), r->how.work, r->arena, &sign, r->err);
    if (rc != RDV_OK)
        return rc;
    rdv_str relative = rdv_str_printf(r->arena, "%s(%.*s)*(%.*s)", sign < 0 ? "-" : "", RDV_FMT(t),
                                      RDV_FMT(g->text));
    return relative.p ? within(c, a->text, g->text, relative, near) : rdv_no_memory(r->err);
}

/* Does the answer round to gold's decimals? */
static int is_shown(comparer *c, const answer_value *a, const answer_value *g, bool *near)
{
    size_t places = decimal_places(g->text);
    if (places == 0 || places > 100)
        return RDV_NONE;
    rdv_str half = rdv_str_printf(c->reader.arena, "0.%0*d5", (int)places, 0);
    return half.p ? within(c, a->text, g->text, half, near) : rdv_no_memory(c->reader.err);
}

/* The nearness that the caller allows; `proved` is what holds without it. */
static rdv_same allow_near(comparer *c, const answer_value *a, const answer_value *g,
                           rdv_same proved)
{
    bool near = false;
    int rc = RDV_NONE;
    if (c->how.decimals_as_shown)
        rc = is_shown(c, a, g, &near);
    if (rc == RDV_OK && near)
        return value_compare_same(c, "shown");
    if (rc >= 0 && c->how.tolerance.p)
        rc = is_tolerated(c, a, g, &near);
    if (rc < 0)
        c->fault = rc;
    return rc == RDV_OK && near ? value_compare_same(c, "tolerance") : proved;
}

static rdv_same by_proof(comparer *c, const answer_value *a, const answer_value *g)
{
    math_sameness s;
    int rc = math_same(a->text, g->text, c->reader.how.work, &s, c->reader.err);
    if (rc < 0) {
        c->fault = rc;
        return RDV_CANNOT_TELL;
    }
    if (rc == RDV_NONE) {
        rdv_str shown = value_shown(c, g->unread && !a->unread ? g : a);
        return value_compare_not(c, RDV_CANNOT_TELL, "unread", "%.*s is not read as mathematics",
                                 RDV_FMT(shown));
    }
    if (s.is == MATH_SAME && s.assumption && strncmp(s.assumption, "log ", 4) == 0) {
        rdv_str as = value_shown(c, a), gs = value_shown(c, g);
        return value_compare_not(c, RDV_CANNOT_TELL, "assumption", "%.*s is %.*s only if %s",
                                 RDV_FMT(as), RDV_FMT(gs), s.assumption);
    }
    if (s.is == MATH_SAME && s.narrower) {
        rdv_str as = value_shown(c, a), gs = value_shown(c, g);
        return value_compare_not(c, RDV_CANNOT_TELL, "assumption",
                                 "%.*s is %.*s only where letters are positive", RDV_FMT(as),
                                 RDV_FMT(gs));
    }
    if (s.is == MATH_SAME)
        return value_compare_same(c, strcmp(s.why, "identical") == 0 ? "exact" : s.why);
    if (s.is == MATH_DIFFERENT)
        return value_compare_pair(c, RDV_DIFFERENT, s.why, a, "is not", g);
    rdv_str as = value_shown(c, a), gs = value_shown(c, g);
    return value_compare_not(c, RDV_CANNOT_TELL, s.why, "%.*s and %.*s: %s", RDV_FMT(as),
                             RDV_FMT(gs), s.reason);
}

static bool is_infinite(const answer_value *v)
{
    return rdv_str_eq(v->key, RDV_STR("oo")) || rdv_str_eq(v->key, RDV_STR("-oo"));
}

/* The base of "52_8", with its mark; p == NULL: it is no number in another base. */
static rdv_str base_of(const answer_value *v)
{
    size_t mark = v->unread ? RDV_NOT_FOUND : rdv_find_char(v->key, '_', 0);
    bool based = mark != RDV_NOT_FOUND && rdv_is_digit(v->key.p[0]);
    for (size_t i = 0; based && i < v->key.len; i++)
        based = i == mark || rdv_is_alnum(v->key.p[i]);
    return based ? rdv_slice(v->key, mark, v->key.len) : (rdv_str){0};
}

rdv_same value_compare_expressions(comparer *c, const answer_value *a, const answer_value *g)
{
    if (rdv_str_eq(a->key, g->key))
        return value_compare_same(c, "exact");
    rdv_str base = base_of(a), gold_base = base_of(g);
    if (base.p && rdv_str_eq(base, gold_base))
        return value_compare_pair(c, RDV_DIFFERENT, "exact", a, "is not", g);
    if (base.p || gold_base.p) /* which base is asked for, gold says */
        return value_compare_pair(c, RDV_DIFFERENT, "form", a, "is not in the base of", g);
    if ((is_infinite(a) && !g->unread) || (is_infinite(g) && !a->unread))
        return value_compare_pair(c, RDV_DIFFERENT, "exact", a, "is not", g);
    unsigned rank = c->rank;
    const char *why = c->why;
    rdv_same proved = by_proof(c, a, g);
    if (proved == RDV_SAME || c->fault || a->unread || g->unread ||
        (!c->how.tolerance.p && !c->how.decimals_as_shown))
        return proved;
    const char *not_why = c->why;
    c->why = why;
    c->rank = rank;
    rdv_same near = allow_near(c, a, g, proved);
    if (near != RDV_SAME)
        c->why = not_why;
    return near;
}
