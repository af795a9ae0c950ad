/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/compare_number.h"

#include "algebra/difference.h"
#include "algebra/key.h"
#include "algebra/same.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "grade/outcome.h"

/* ---- proof, and the nearness that is allowed ------------------------------------------------- */

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

/* Is the answer a decimal of three digits or more, and gold an exact value, no decimal, of which it
 * is the rounding: 0.1667 for 1/6? */
static bool is_rounded(comparer *c, const answer_value *a, const answer_value *g)
{
    size_t places = decimal_places(a->text), digits = 0;
    bool exact = rdv_has_letter(g->key) || rdv_find_char(g->key, '/', 0) != RDV_NOT_FOUND,
         near = false;
    for (size_t i = 0; i < a->text.len; i++)
        digits += rdv_is_digit(a->text.p[i]) && (digits || a->text.p[i] != '0');
    if (!exact || places < 2 || places > 100 || digits < 3)
        return false;
    rdv_str half = rdv_str_printf(c->reader.arena, "0.%0*d5", (int)places, 0);
    int rc = half.p ? within(c, a->text, g->text, half, &near) : rdv_no_memory(c->reader.err);
    c->fault = rc < 0 ? rc : c->fault;
    return rc == RDV_OK && near;
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
        return outcome_same(c, "shown");
    if (rc >= 0 && c->how.tolerance.p)
        rc = is_tolerated(c, a, g, &near);
    if (rc < 0)
        c->fault = rc;
    return rc == RDV_OK && near ? outcome_same(c, "tolerance") : proved;
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
        rdv_str shown = outcome_value_shown(c, g->unread && !a->unread ? g : a);
        return outcome_not(c, RDV_CANNOT_TELL, "unread", "%.*s is not read as mathematics",
                           RDV_FMT(shown));
    }
    if (s.is == MATH_SAME && s.assumption && strncmp(s.assumption, "log ", 4) == 0) {
        rdv_str as = outcome_value_shown(c, a), gs = outcome_value_shown(c, g);
        return outcome_not(c, RDV_CANNOT_TELL, "assumption", "%.*s is %.*s only if %s", RDV_FMT(as),
                           RDV_FMT(gs), s.assumption);
    }
    if (s.is == MATH_SAME && s.narrower) {
        rdv_str as = outcome_value_shown(c, a), gs = outcome_value_shown(c, g);
        return outcome_not(c, RDV_CANNOT_TELL, "assumption",
                           "%.*s is %.*s only where letters are positive", RDV_FMT(as),
                           RDV_FMT(gs));
    }
    if (s.is == MATH_SAME)
        return outcome_same(c, strcmp(s.why, "identical") == 0 ? "exact" : s.why);
    if (s.is == MATH_DIFFERENT)
        return outcome_pair(c, RDV_DIFFERENT, s.why, a, "is not", g);
    rdv_str as = outcome_value_shown(c, a), gs = outcome_value_shown(c, g);
    return outcome_not(c, RDV_CANNOT_TELL, s.why, "%.*s and %.*s: %s", RDV_FMT(as), RDV_FMT(gs),
                       s.reason);
}

/* ---- other bases ----------------------------------------------------------------------------- */

/* The base of "52_8", with its mark; p == NULL: it is no number in another base. */
static rdv_str base_of(const answer_value *v)
{
    size_t mark = v->unread ? RDV_NOT_FOUND : rdv_find_char(v->key, '_', 0);
    bool hex = mark != RDV_NOT_FOUND && mark > 1 && rdv_ends(v->key, RDV_STR("_16"));
    bool based = mark != RDV_NOT_FOUND && (hex || rdv_is_digit(v->key.p[0]));
    for (size_t i = 0; based && i < v->key.len; i++)
        based = i == mark || rdv_is_alnum(v->key.p[i]);
    return based ? rdv_slice(v->key, mark, v->key.len) : (rdv_str){0};
}

/* The value of digits in a base up to 36 as a decimal number, in the arena; p == NULL: it is not
 * known, or has more than 64 bits. */
static rdv_str decimal_of(comparer *c, const answer_value *v, rdv_str base)
{
    unsigned long long n = 0, b = 0;
    if (!base.p)
        return v->key;
    for (size_t i = 1; i < base.len; i++)
        if (!rdv_is_digit(base.p[i])) /* "32_{quinary}" */
            return (rdv_str){0};
        else
            b = b < 100 ? b * 10 + (unsigned)(base.p[i] - '0') : b;
    for (const char *p = v->key.p; p < base.p; p++) {
        unsigned d = rdv_is_digit(*p)   ? (unsigned)(*p - '0')
                     : rdv_is_alpha(*p) ? (unsigned)(rdv_lower(*p) - 'a') + 10
                                        : 99;
        if (d >= b || b > 36 || n > UINT64_MAX / 64)
            return (rdv_str){0};
        n = n * b + d;
    }
    rdv_str out = rdv_str_printf(c->reader.arena, "%llu", n);
    if (!out.p)
        c->fault = rdv_no_memory(c->reader.err);
    return out;
}

/* Does the question ask for that base, "_2": "base 2", "binary"? */
static bool asks_for_base(rdv_str question, rdv_str base)
{
    static const struct {
        const char *base, *name;
    } names[] = {{"_2", "binary"}, {"_8", "octal"}, {"_16", "hexadecimal"}, {"_16", "hex"}};
    rdv_str digits = rdv_slice(base, 1, base.len);
    size_t at = rdv_ifind(question, RDV_STR("base "), 0);
    bool asked = at != RDV_NOT_FOUND &&
                 rdv_starts(rdv_slice(question, at + 5, question.len), digits) &&
                 !rdv_is_digit(rdv_char_at(question, at + 5 + digits.len));
    for (size_t k = 0; k < sizeof names / sizeof *names && !asked; k++)
        asked = rdv_str_eq(base, rdv_str_of(names[k].base)) &&
                rdv_ifind(question, rdv_str_of(names[k].name), 0) != RDV_NOT_FOUND;
    return asked;
}

/* Which base is asked for is not said, unless by the question: "1101_2" has the value of 13, and
 * "2510" may be in base 8.
 */
static rdv_same in_bases_of(comparer *c, const answer_value *a, rdv_str base, const answer_value *g,
                            rdv_str gold_base)
{
    rdv_str av = decimal_of(c, a, base), gv = decimal_of(c, g, gold_base);
    bool left_out = rdv_str_eq(rdv_slice(a->key, 0, a->key.len - base.len),
                               rdv_slice(g->key, 0, g->key.len - gold_base.len)) &&
                    !(base.p && gold_base.p);
    if (!base.p && gold_base.p && asks_for_base(c->how.question, gold_base))
        return left_out ? outcome_same(c, "exact")
                        : outcome_pair(c, RDV_DIFFERENT, "exact", a, "is not", g);
    if (base.p && !gold_base.p && left_out && asks_for_base(c->how.question, base))
        return outcome_same(c, "exact");
    bool number = av.len && gv.len;
    for (size_t i = 0; i < av.len; i++)
        number = number && rdv_is_digit(av.p[i]);
    for (size_t i = 0; i < gv.len; i++)
        number = number && rdv_is_digit(gv.p[i]);
    if (number && !left_out && !rdv_str_eq(av, gv))
        return outcome_pair(c, RDV_DIFFERENT, "exact", a, "is not", g);
    return outcome_pair(c, RDV_CANNOT_TELL, "assumption", a, "is in another base than", g);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static bool is_infinite(const answer_value *v)
{
    return rdv_str_eq(v->key, RDV_STR("oo")) || rdv_str_eq(v->key, RDV_STR("-oo"));
}

/* Have both a unit, of which only one is in the table: "1024 bytes", "1 KiB"? */
static bool one_measure(const answer_value *a, const answer_value *g)
{
    rdv_str own = rdv_trim(a->unit), other = rdv_trim(g->unit);
    bool words = rdv_find_char(own, ' ', 0) != RDV_NOT_FOUND ||
                 rdv_find_char(other, ' ', 0) != RDV_NOT_FOUND;
    return own.len && other.len && !words && !rdv_str_ieq(own, other) &&
           !measure_read(own).n != !measure_read(other).n;
}

rdv_same compare_expressions(comparer *c, const answer_value *a, const answer_value *g)
{
    if (rdv_str_eq(a->key, g->key))
        return outcome_same(c, "exact");
    rdv_str base = base_of(a), gold_base = base_of(g);
    if (base.p && rdv_str_eq(base, gold_base))
        return outcome_pair(c, RDV_DIFFERENT, "exact", a, "is not", g);
    if (base.p || gold_base.p)
        return in_bases_of(c, a, base, g, gold_base);
    if ((is_infinite(a) && !g->unread) || (is_infinite(g) && !a->unread))
        return outcome_pair(c, RDV_DIFFERENT, "exact", a, "is not", g);
    unsigned rank = c->rank;
    const char *why = c->why;
    rdv_same proved = by_proof(c, a, g);
    if (proved == RDV_DIFFERENT && one_measure(a, g))
        return outcome_pair(c, RDV_CANNOT_TELL, "assumption", a, "has another unit than", g);
    if (proved == RDV_SAME || c->fault || a->unread || g->unread)
        return proved;
    if (!c->how.tolerance.p && !c->how.decimals_as_shown)
        return proved == RDV_DIFFERENT && is_rounded(c, a, g)
                   ? outcome_pair(c, RDV_CANNOT_TELL, "assumption", a, "is only a rounding of", g)
                   : proved;
    const char *not_why = c->why;
    c->why = why;
    c->rank = rank;
    rdv_same near = allow_near(c, a, g, proved);
    if (near != RDV_SAME)
        c->why = not_why;
    return near;
}

/* ---- numbers with units ---------------------------------------------------------------------- */

/* The number in the bases of its unit. RDV_NONE: it is no number that is known. */
static int in_bases(value_reader *r, const answer_value *v, const measure *m, answer_value *out)
{
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    *out = (answer_value){.is = VALUE_EXPRESSION};
    rdv_buf_printf(&b, "(%.*s)", RDV_FMT(v->text));
    for (size_t i = 0; i < m->n; i++) {
        const measure_factor *f = m->factor + i;
        rdv_buf_printf(&b, "*(%llu/%llu*10^{%d})^{%d}", (unsigned long long)f->num,
                       (unsigned long long)f->den, f->ten, f->power);
    }
    out->text = rdv_buf_str(&b);
    if (!out->text.p)
        return rdv_no_memory(r->err);
    return math_key(out->text, r->how.work, r->arena, &out->key, r->err);
}

static rdv_same not_same(comparer *c, rdv_same is, const char *why, const answer_value *a,
                         const answer_value *g)
{
    rdv_str as = outcome_value_shown(c, a), gs = outcome_value_shown(c, g);
    return outcome_not(c, is, why, "%.*s %.*s is not %.*s %.*s", RDV_FMT(as),
                       RDV_FMT(rdv_trim(a->unit)), RDV_FMT(gs), RDV_FMT(rdv_trim(g->unit)));
}

bool compare_units_differ(const answer_value *a, const answer_value *g, measure *am, measure *gm)
{
    if (a->is != VALUE_EXPRESSION || g->is != VALUE_EXPRESSION || !a->unit.len || !g->unit.len)
        return false;
    *am = measure_read(a->unit);
    *gm = measure_read(g->unit);
    return am->n && gm->n && measure_compare(am, gm) != MEASURES_SAME;
}

/* Is one of two values at least a tenth more than the other, so that no rounding explains it? */
static bool are_far_apart(comparer *c, const answer_value *a, const answer_value *g)
{
    value_reader *r = &c->reader;
    const answer_value *const pairs[2][2] = {{a, g}, {g, a}};
    for (size_t k = 0; k < 2 && !c->fault; k++) {
        int sign;
        rdv_str more = rdv_str_printf(r->arena, "(%.*s)*11/10", RDV_FMT(pairs[k][1]->text));
        int rc = more.p ? math_order(pairs[k][0]->text, more, r->how.work, r->arena, &sign, r->err)
                        : rdv_no_memory(r->err);
        c->fault = rc < 0 ? rc : c->fault;
        if (rc == RDV_OK && sign > 0)
            return true;
    }
    return false;
}

/* Is it a duration, of `base` alone? */
static bool is_duration(const measure *m, measure_base base)
{
    for (size_t i = 0; i < MEASURE_BASES; i++)
        if (m->power[i] != (i == base))
            return false;
    return !m->open;
}

/* A month has 28 to 31 days: is a number of months more, or less, than so many seconds? */
static bool are_other_durations(comparer *c, const answer_value *months,
                                const answer_value *seconds)
{
    static const struct {
        unsigned days;
        int sign; /* of the months less the seconds */
    } bounds[] = {{28, 1}, {31, -1}};
    value_reader *r = &c->reader;
    for (size_t k = 0; k < 2 && !c->fault; k++) {
        int sign;
        rdv_str most =
            rdv_str_printf(r->arena, "(%.*s)*86400*%u", RDV_FMT(months->text), bounds[k].days);
        int rc = most.p ? math_order(most, seconds->text, r->how.work, r->arena, &sign, r->err)
                        : rdv_no_memory(r->err);
        c->fault = rc < 0 ? rc : c->fault;
        if (rc == RDV_OK && sign == bounds[k].sign)
            return true;
    }
    return false;
}

rdv_same compare_quantities(comparer *c, const answer_value *a, measure am, const answer_value *g,
                            measure gm)
{
    answer_value ab, gb;
    measures are = measure_compare(&am, &gm);
    bool months = is_duration(&am, BASE_MONTH);
    bool calendar = months ? is_duration(&gm, BASE_SECOND)
                           : is_duration(&am, BASE_SECOND) && is_duration(&gm, BASE_MONTH);
    if (are == MEASURES_UNKNOWN && calendar && in_bases(&c->reader, a, &am, &ab) == RDV_OK &&
        in_bases(&c->reader, g, &gm, &gb) == RDV_OK &&
        are_other_durations(c, months ? &ab : &gb, months ? &gb : &ab))
        return not_same(c, RDV_DIFFERENT, "unit", a, g);
    if (are != MEASURES_CONVERT)
        return are == MEASURES_UNKNOWN ? not_same(c, RDV_CANNOT_TELL, "assumption", a, g)
                                       : not_same(c, RDV_DIFFERENT, "unit", a, g);
    int rc = in_bases(&c->reader, a, &am, &ab);
    if (rc == RDV_OK)
        rc = in_bases(&c->reader, g, &gm, &gb);
    if (rc != RDV_OK) {
        c->fault = rc < 0 ? rc : 0;
        return not_same(c, RDV_CANNOT_TELL, "unread", a, g);
    }
    rdv_same is = compare_expressions(c, &ab, &gb);
    if (is == RDV_SAME)
        return outcome_same(c, "unit");
    if (is == RDV_DIFFERENT && (am.rounded || gm.rounded) && !are_far_apart(c, &ab, &gb))
        is = RDV_CANNOT_TELL;
    return not_same(c, is, is == RDV_DIFFERENT ? "unit" : "assumption", a, g);
}

/* ---- the notation of another country --------------------------------------------------------- */

bool compare_decimal_comma(comparer *c, const answer_value *list, answer_value *out)
{
    if (list->n != 2 || list->open || list->either)
        return false;
    rdv_str a = list->items[0]->text, b = list->items[1]->text;
    for (size_t i = 0; i < a.len; i++)
        if (!rdv_is_digit(a.p[i]) && !(i == 0 && a.p[i] == '-'))
            return false;
    for (size_t i = 0; i < b.len; i++)
        if (!rdv_is_digit(b.p[i]))
            return false;
    if (!a.p || a.p + a.len >= b.p || a.p[a.len] != ',')
        return false;
    for (; b.p > a.p + a.len + 1; b.p--, b.len++) /* "07" is 7 by itself */
        if (b.p[-1] != '0')
            return false; /* they are parts of one text, with nothing but a comma between them */
    value_reader *r = &c->reader;
    *out = (answer_value){.is = VALUE_EXPRESSION, .unit = list->items[1]->unit};
    out->text = rdv_str_printf(r->arena, "%.*s.%.*s", RDV_FMT(a), RDV_FMT(b));
    int rc = out->text.p ? math_key(out->text, r->how.work, r->arena, &out->key, r->err)
                         : rdv_no_memory(r->err);
    c->fault = rc < 0 ? rc : c->fault;
    return rc == RDV_OK;
}
