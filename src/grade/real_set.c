/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/real_set.h"

#include "algebra/difference.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/clean.h"
#include "grade/name.h"

#define DEPTH_MAX 8

static const real_bound lowest = {.infinite = -1}, highest = {.infinite = 1};

/* ---- bounds ---------------------------------------------------------------------------------- */

static int order(value_reader *r, const real_bound *a, const real_bound *b, int *sign)
{
    if (a->infinite || b->infinite) {
        *sign = (a->infinite > b->infinite) - (a->infinite < b->infinite);
        return RDV_OK;
    }
    if (rdv_str_eq(a->at, b->at)) {
        *sign = 0;
        return RDV_OK;
    }
    return math_order(a->at, b->at, r->how.work, r->arena, sign, r->err);
}

/* Does `a` begin before `b`: -1, 0, 1. A closed bound begins before an open one. */
static int order_lows(value_reader *r, const real_bound *a, const real_bound *b, int *sign)
{
    int rc = order(r, a, b, sign);
    if (rc == RDV_OK && *sign == 0)
        *sign = (int)b->closed - (int)a->closed;
    return rc;
}

static int order_highs(value_reader *r, const real_bound *a, const real_bound *b, int *sign)
{
    int rc = order(r, a, b, sign);
    if (rc == RDV_OK && *sign == 0)
        *sign = (int)a->closed - (int)b->closed;
    return rc;
}

/* Is there a number from `low` to `high`? */
static int holds_any(value_reader *r, const real_bound *low, const real_bound *high, bool *any)
{
    int sign, rc = order(r, low, high, &sign);
    if (rc == RDV_OK)
        *any = sign < 0 || (sign == 0 && low->closed && high->closed);
    return rc;
}

/* ---- operations ------------------------------------------------------------------------------ */

static int append(real_set *s, real_bound low, real_bound high)
{
    if (s->n == REAL_SET_MAX)
        return RDV_NONE;
    s->at[s->n++] = (real_interval){low, high};
    return RDV_OK;
}

/* Add an interval; those that it touches become one with it. */
static int add(value_reader *r, real_set *s, real_interval one)
{
    real_set out = {.letter = s->letter};
    bool placed = false;
    int rc = RDV_OK;
    for (size_t i = 0; i < s->n && rc == RDV_OK; i++) {
        const real_interval *old = &s->at[i];
        int before = 0, after = 0; /* is old wholly before or after `one`, with a gap? */
        rc = order(r, &old->high, &one.low, &before);
        if (rc == RDV_OK)
            rc = order(r, &one.high, &old->low, &after);
        if (rc != RDV_OK)
            return rc;
        bool gap_before = before < 0 || (before == 0 && !old->high.closed && !one.low.closed);
        bool gap_after = after < 0 || (after == 0 && !one.high.closed && !old->low.closed);
        if (gap_before) {
            rc = append(&out, old->low, old->high);
        } else if (gap_after) {
            if (!placed)
                rc = append(&out, one.low, one.high);
            placed = true;
            if (rc == RDV_OK)
                rc = append(&out, old->low, old->high);
        } else {
            int low, high;
            rc = order_lows(r, &old->low, &one.low, &low);
            if (rc == RDV_OK)
                rc = order_highs(r, &old->high, &one.high, &high);
            if (rc == RDV_OK && low < 0)
                one.low = old->low;
            if (rc == RDV_OK && high > 0)
                one.high = old->high;
        }
    }
    if (rc == RDV_OK && !placed)
        rc = append(&out, one.low, one.high);
    if (rc == RDV_OK)
        *s = out;
    return rc;
}

static int unite(value_reader *r, real_set *a, const real_set *b)
{
    int rc = RDV_OK;
    for (size_t i = 0; i < b->n && rc == RDV_OK; i++)
        rc = add(r, a, b->at[i]);
    return rc;
}

static int intersect(value_reader *r, real_set *a, const real_set *b)
{
    real_set out = {.letter = a->letter};
    int rc = RDV_OK;
    for (size_t i = 0; i < a->n && rc == RDV_OK; i++)
        for (size_t k = 0; k < b->n && rc == RDV_OK; k++) {
            int low, high;
            bool any;
            rc = order_lows(r, &a->at[i].low, &b->at[k].low, &low);
            if (rc == RDV_OK)
                rc = order_highs(r, &a->at[i].high, &b->at[k].high, &high);
            if (rc != RDV_OK)
                break;
            real_bound from = low < 0 ? b->at[k].low : a->at[i].low;
            real_bound to = high < 0 ? a->at[i].high : b->at[k].high;
            rc = holds_any(r, &from, &to, &any);
            if (rc == RDV_OK && any)
                rc = append(&out, from, to);
        }
    if (rc == RDV_OK)
        *a = out;
    return rc;
}

/* All numbers that are not in it. */
static int complement(real_set *s)
{
    real_set out = {.letter = s->letter};
    real_bound from = lowest;
    int rc = RDV_OK;
    for (size_t i = 0; i < s->n && rc == RDV_OK; i++) {
        real_bound low = s->at[i].low, high = s->at[i].high;
        low.closed = !low.closed;
        high.closed = !high.closed;
        if (!low.infinite)
            rc = append(&out, from, low);
        from = high;
    }
    if (rc == RDV_OK && !(from.infinite > 0))
        rc = append(&out, from, highest);
    *s = out;
    return rc;
}

/* ---- from values ----------------------------------------------------------------------------- */

static int set_of(value_reader *r, const answer_value *v, unsigned depth, real_set *out);

/* A number, or an infinite end of an interval. */
static int bound_of(value_reader *r, const answer_value *v, bool closed, real_bound *out)
{
    bool high = rdv_str_eq(v->key, RDV_STR("oo")), low = rdv_str_eq(v->key, RDV_STR("-oo"));
    int sign;
    *out = (real_bound){.infinite = high - low, .at = v->text, .closed = closed};
    if (out->infinite) {
        out->closed = false;
        return RDV_OK;
    }
    if (v->is != VALUE_EXPRESSION || v->unread)
        return RDV_NONE;
    return math_order(v->text, RDV_STR("0"), r->how.work, r->arena, &sign, r->err);
}

static int interval_of(value_reader *r, const answer_value *v, real_set *out)
{
    real_bound low, high;
    bool any;
    if (v->n != 2 || (v->close != ')' && v->close != ']'))
        return RDV_NONE;
    int rc = bound_of(r, v->items[0], v->open == '[', &low);
    if (rc == RDV_OK)
        rc = bound_of(r, v->items[1], v->close == ']', &high);
    if (rc == RDV_OK)
        rc = holds_any(r, &low, &high, &any);
    if (rc != RDV_OK || !any)
        return rc ? rc : RDV_NONE;
    return append(out, low, high);
}

static int point_of(value_reader *r, const answer_value *v, real_set *out)
{
    real_bound at;
    int rc = bound_of(r, v, true, &at);
    return rc ? rc : at.infinite ? RDV_NONE : append(out, at, at);
}

static int list_of(value_reader *r, const answer_value *v, unsigned depth, real_set *out)
{
    int rc = v->n <= REAL_SET_MAX ? RDV_OK : RDV_NONE;
    for (size_t i = 0; i < v->n && rc == RDV_OK; i++) {
        real_set one;
        rc = set_of(r, v->items[i], depth, &one);
        bool also = v->items[i]->is == VALUE_RELATION && !v->either; /* "x > 1, x < 3" */
        if (rc != RDV_OK)
            return rc;
        if (i == 0)
            *out = one;
        else
            rc = also ? intersect(r, out, &one) : unite(r, out, &one);
        if (rc == RDV_OK && i > 0 && !rdv_str_eq(one.letter, out->letter))
            rc = RDV_NONE;
    }
    return rc;
}

static int union_of(value_reader *r, const answer_value *v, unsigned depth, real_set *out)
{
    int rc = set_of(r, v->items[0], depth, out);
    for (size_t i = 1; i < v->n && rc == RDV_OK; i++) {
        real_set one;
        rc = set_of(r, v->items[i], depth, &one);
        if (rc == RDV_OK && v->signs[i - 1] == RDV_WITHOUT)
            rc = complement(&one);
        if (rc == RDV_OK)
            rc = v->signs[i - 1] == RDV_UNION ? unite(r, out, &one) : intersect(r, out, &one);
    }
    return rc;
}

/* ---- from inequalities ----------------------------------------------------------------------- */

/* The solutions of "letter SIGN at" into `out`, which is empty. */
static int half_line(char sign, rdv_str at, real_set *out)
{
    bool closed = sign == RDV_AT_MOST || sign == RDV_AT_LEAST;
    real_bound bound = {.at = at, .closed = closed};
    switch (sign) {
    case '<':
    case RDV_AT_MOST:
        return append(out, lowest, bound);
    case '>':
    case RDV_AT_LEAST:
        return append(out, bound, highest);
    case '=':
        bound.closed = true;
        return append(out, bound, bound);
    case RDV_UNEQUAL:
        (void)append(out, lowest, bound); /* `out` is empty */
        return append(out, bound, highest);
    default:
        return RDV_NONE;
    }
}

/* "NAME SIGN number", "|NAME| SIGN number". */
static int simple_bound(value_reader *r, rdv_str name, char sign, rdv_str at, real_set *out)
{
    bool absolute = name.len > 2 && name.p[0] == '|' && name.p[name.len - 1] == '|';
    int above;
    if (absolute)
        name = rdv_slice(name, 1, name.len - 1);
    static const char *const constants[] = {"e", "i", "\\pi", "pi"};
    if (!name_is_plain(name) || rdv_named(rdv_trim(name), constants, 4) >= 0)
        return RDV_NONE;
    int rc = math_order(at, RDV_STR("0"), r->how.work, r->arena, &above, r->err);
    if (rc != RDV_OK)
        return rc;
    out->letter = name;
    rc = half_line(sign, at, out);
    if (rc != RDV_OK || !absolute)
        return rc;
    if (above < 0 || sign == '=' || sign == RDV_UNEQUAL)
        return RDV_NONE;
    real_set mirrored = {.letter = name};
    rdv_str negative = rdv_str_printf(r->arena, "-(%.*s)", RDV_FMT(at));
    if (!negative.p)
        return rdv_no_memory(r->err);
    rc = half_line(value_turned(sign), negative, &mirrored);
    if (rc != RDV_OK)
        return rc;
    bool inside = sign == '<' || sign == RDV_AT_MOST;
    return inside ? intersect(r, out, &mirrored) : unite(r, out, &mirrored);
}

static int pair_of(value_reader *r, rdv_str a, char sign, rdv_str b, real_set *out)
{
    math_zero zero = {0};
    *out = (real_set){0};
    int rc = simple_bound(r, a, sign, b, out);
    if (rc == RDV_NONE)
        rc = simple_bound(r, b, value_turned(sign), a, out);
    if (rc != RDV_NONE)
        return rc;
    rc = math_zero_of(a, b, r->how.work, r->arena, &zero, r->err);
    if (rc != RDV_OK || !zero.letter.p)
        return rc ? rc : RDV_NONE;
    out->letter = zero.letter;
    return half_line(zero.negative ? value_turned(sign) : sign, zero.root, out);
}

/* All pairs of sides hold, for one letter. */
static int relation_set(value_reader *r, const answer_value *v, real_set *out)
{
    int rc = RDV_OK;
    for (size_t i = 0; i + 1 < v->n && rc == RDV_OK; i++) {
        real_set one;
        rc = pair_of(r, v->items[i]->text, v->signs[i], v->items[i + 1]->text, &one);
        if (rc == RDV_OK && i == 0)
            *out = one;
        else if (rc == RDV_OK)
            rc = rdv_str_eq(one.letter, out->letter) ? intersect(r, out, &one) : RDV_NONE;
    }
    return rc;
}

static int set_of(value_reader *r, const answer_value *v, unsigned depth, real_set *out)
{
    *out = (real_set){0};
    if (depth > DEPTH_MAX)
        return RDV_NONE;
    switch (v->is) {
    case VALUE_EMPTY:
        return rdv_str_eq(v->key, RDV_STR("{}")) ? RDV_OK : RDV_NONE;
    case VALUE_TUPLE:
        return interval_of(r, v, out);
    case VALUE_EXPRESSION:
        return point_of(r, v, out);
    case VALUE_LIST:
        return list_of(r, v, depth + 1, out);
    case VALUE_UNION:
        return union_of(r, v, depth + 1, out);
    case VALUE_RELATION:
        return relation_set(r, v, out);
    case VALUE_NAMED:
        return set_of(r, v->items[0], depth + 1, out);
    default:
        return RDV_NONE;
    }
}

int real_set_of(value_reader *r, const answer_value *v, real_set *out)
{
    int rc = set_of(r, v, 0, out);
    if (rc == RDV_OK && !out->letter.p)
        out->letter = v->letter;
    return rc;
}

int real_set_compare(value_reader *r, const real_set *a, const real_set *b, bool *same)
{
    bool all = true;
    if (a->letter.p && b->letter.p && !rdv_str_eq(a->letter, b->letter))
        return RDV_NONE;
    if (a->n != b->n) {
        *same = false;
        return RDV_OK;
    }
    for (size_t i = 0; i < a->n; i++) {
        int low, high;
        int rc = order_lows(r, &a->at[i].low, &b->at[i].low, &low);
        if (rc == RDV_OK)
            rc = order_highs(r, &a->at[i].high, &b->at[i].high, &high);
        if (rc != RDV_OK)
            return rc;
        all = all && low == 0 && high == 0;
    }
    *same = all;
    return RDV_OK;
}
