/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/pair.h"

#include "answer/measure.h"
#include "base/arena.h"
#include "base/str.h"
#include "notation/decimal_comma.h"
#include "grade/split.h"

/* "1,5 km": the one comma, at *comma, stands between digits, and they are no group of thousands,
 * unless commas are sure to stand before decimals. */
static bool has_decimals(rdv_str s, bool decimals, size_t *comma)
{
    s = rdv_ends(s, RDV_STR(".")) ? rdv_slice(s, 0, s.len - 1) : s;
    *comma = rdv_find_char(s, ',', 0);
    size_t begin = *comma;
    if (*comma == RDV_NOT_FOUND || rdv_find_char(s, ',', *comma + 1) != RDV_NOT_FOUND)
        return false;
    while (begin > 0 && rdv_is_digit(s.p[begin - 1]))
        begin--;
    size_t end = rdv_skip_digits(s, *comma + 1);
    bool digits = begin < *comma && end > *comma + 1;
    bool grouped = end - *comma == 4 && s.p[begin] != '0' && *comma - begin < 4;
    for (size_t i = 0; digits && i < s.len; i++) /* no object, no name, no other number */
        digits = s.p[i] && !strchr("=([{;.:/", s.p[i]) &&
                 (!rdv_is_digit(s.p[i]) || (begin <= i && i < end));
    return digits && (decimals || !grouped);
}

/* The same with a point, in the arena. Empty: it is no such text. */
static rdv_str with_point(rdv_str s, bool decimals, rdv_arena *arena)
{
    size_t comma, end = s.len - rdv_ends(s, RDV_STR("."));
    return has_decimals(s, decimals, &comma)
               ? rdv_str_printf(arena, "%.*s.%.*s", RDV_FMT(rdv_slice(s, 0, comma)),
                                RDV_FMT(rdv_slice(s, comma + 1, end)))
               : (rdv_str){0};
}

/* Is the question or the answer in a language in which a comma stands before decimals? */
static bool writes_decimal_commas(const pair *p)
{
    return decimal_comma_tongue(p->how.question, &p->answer, 1);
}

/* "12.450" without its point, in the arena: three digits stand behind the only one, so it may part
 * thousands. Empty: it is no such text. */
static rdv_str without_point(rdv_str s, rdv_arena *arena)
{
    size_t point = rdv_find_char(s, '.', 0), begin = point, end;
    if (point == RDV_NOT_FOUND || !rdv_is_digit(rdv_char_at(s, point + 1)))
        return (rdv_str){0};
    while (begin > 0 && rdv_is_digit(s.p[begin - 1]))
        begin--;
    end = rdv_skip_digits(s, point + 1);
    bool groups = end - point == 4 && point > begin && point - begin < 4 && s.p[begin] != '0';
    for (size_t i = 0; groups && i < s.len; i++) /* no other number */
        groups = !(rdv_is_digit(s.p[i]) && (i < begin || i >= end));
    return groups ? rdv_str_printf(arena, "%.*s%.*s", RDV_FMT(rdv_slice(s, 0, point)),
                                   RDV_FMT(rdv_slice(s, point + 1, s.len)))
                  : (rdv_str){0};
}

/* A point that may part thousands: "12.450" for 12450 where the question or the answer is in a
 * language that writes so, else it cannot be told. */
static int compare_pointed(const pair *p, rdv_comparison *out)
{
    pair grouped = *p;
    rdv_comparison one;
    grouped.answer = without_point(p->answer, p->arena);
    grouped.gold = without_point(p->gold, p->arena);
    if (!grouped.answer.len == !grouped.gold.len)
        return RDV_OK; /* neither, or both in the same way */
    grouped.answer = grouped.answer.len ? grouped.answer : p->answer;
    grouped.gold = grouped.gold.len ? grouped.gold : p->gold;
    int rc = pair_compare_shares(&grouped, &one);
    if (rc != RDV_OK || one.is != RDV_SAME)
        return rc < 0 ? rc : RDV_OK;
    bool known = writes_decimal_commas(p);
    *out = one;
    out->is = known ? RDV_SAME : RDV_CANNOT_TELL;
    out->why = known ? "comma" : "assumption";
    out->reason = known ? (rdv_str){0} : RDV_STR("whether its point parts thousands is not said");
    return RDV_OK;
}

/* Is the text digits with a comma, and a unit behind them: "12,5 m"? */
static bool has_unit(rdv_str s)
{
    rdv_str number, letters;
    return measure_split(split_inside(s), &number, &letters);
}

/* Gold with a comma: "12,5 m" is 12.5 m where a unit stands behind it, or the question or answer is
 * in a language that writes so; else it may be two numbers. */
static int compare_comma_of_gold(const pair *p, rdv_comparison *out)
{
    pair pointed = *p;
    rdv_comparison one;
    pointed.gold = with_point(p->gold, false, p->arena);
    if (!pointed.gold.len)
        return RDV_OK;
    bool measured = has_unit(pointed.gold);
    bool in_language = writes_decimal_commas(p);
    size_t whole = rdv_find_char(p->gold, ',', 0);
    bool nought = whole == 1 &&
                  p->gold.p[0] == '0' && /* "0,111": no thousands, and hardly a list */
                  rdv_skip_digits(p->gold, 2) == p->gold.len && p->gold.len > 4;
    bool known = measured || in_language || nought;
    rdv_str answer = with_point(p->answer, known, p->arena);
    size_t comma = rdv_find_char(p->gold, ',', 0), end = rdv_skip_digits(p->gold, comma + 1);
    if (in_language && end - comma != 4) /* "1.250 km" is no 1,25 km, but 3.125 may be 3,125 */
        answer = answer.len ? answer : without_point(p->answer, p->arena);
    pointed.answer = answer.len ? answer : p->answer;
    pointed.kind = measured ? RDV_KIND_NUMBER : p->kind; /* "m" is no letter of algebra */
    int rc = pair_compare_shares(&pointed, &one);
    if (rc != RDV_OK || (one.is != RDV_SAME && !known))
        return rc < 0 ? rc : RDV_OK;
    if (known && (one.is == RDV_SAME || out->is == RDV_DIFFERENT)) {
        *out = one;
        out->why = one.is == RDV_SAME ? "comma" : one.why;
    } else if (!known) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = RDV_STR("whether gold's comma stands before decimals is not said");
    }
    return RDV_OK;
}

/* The digits before and behind the only comma of a text; with more or fewer numbers: false. */
static bool two_numbers(rdv_str s, rdv_str *first, rdv_str *second)
{
    size_t n = 0;
    for (size_t i = 0, end; i<s.len; i = end> i ? end : i + 1) {
        end = rdv_skip_digits(s, i);
        if (end > i)
            *(n++ ? second : first) = rdv_slice(s, i, end);
    }
    return n == 2;
}

/* Are two lists the same only in another order, where gold's comma may stand before decimals:
 * "19,99" and "99,19"? Lists or not cannot be told then, and as decimals they differ. */
static void weigh_order(const pair *p, rdv_comparison *out)
{
    rdv_str a, b, c, d;
    size_t comma;
    bool decimal = out->is == RDV_SAME && has_decimals(p->gold, false, &comma) &&
                   two_numbers(p->gold, &a, &b) && two_numbers(p->answer, &c, &d);
    if (!decimal || rdv_str_eq(a, b) || !rdv_str_eq(a, d) || !rdv_str_eq(b, c))
        return;
    bool known =
        has_decimals(p->answer, false, &comma) && (has_unit(p->gold) || writes_decimal_commas(p));
    out->is = known ? RDV_DIFFERENT : RDV_CANNOT_TELL;
    out->why = known ? "exact" : "assumption";
    out->reason =
        RDV_STR("a comma of both may stand before decimals, and parts other numbers then");
}

int pair_compare_maths(const pair *p, rdv_comparison *out)
{
    rdv_comparison decimal;
    int rc = pair_compare_shares(p, out);
    if (rc == RDV_OK)
        weigh_order(p, out);
    bool told = rc != RDV_OK || out->is == RDV_SAME || !out->answer_as.p;
    if (!told) {
        rc = compare_pointed(p, out);
        told = rc != RDV_OK || out->is == RDV_SAME;
    }
    if (!told && rdv_find_char(p->gold, ',', 0) != RDV_NOT_FOUND)
        return compare_comma_of_gold(p, out);
    if (told)
        return rc;
    pair pointed = *p;
    bool known = writes_decimal_commas(p);
    pointed.answer = with_point(p->answer, true, p->arena);
    size_t comma;
    bool grouped = !has_decimals(p->answer, false, &comma); /* "3,750" */
    if (!pointed.answer.p && has_decimals(p->answer, true, &comma))
        return rdv_no_memory(p->err);
    if (!pointed.answer.len || (grouped && !known && p->how.question.len))
        return RDV_OK;
    rc = pair_compare_shares(&pointed, &decimal);
    if (rc == RDV_OK && decimal.is == RDV_SAME) {
        *out = decimal;
        bool exact = strcmp(out->why, "exact") == 0 || strcmp(out->why, "identical") == 0;
        out->why = exact ? "comma" : out->why;
    }
    if (rc == RDV_OK && decimal.is == RDV_SAME && grouped && !known) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = RDV_STR("whether its comma parts thousands is not said");
    }
    return rc < 0 ? rc : RDV_OK;
}

int pair_compare_as(const pair *texts, rdv_str answer, rdv_str gold, rdv_comparison *out)
{
    pair p = *texts;
    rdv_comparison one;
    p.answer = answer;
    p.gold = gold;
    int rc = pair_compare_maths(&p, &one);
    if (rc == RDV_OK && one.is == RDV_SAME)
        *out = one;
    return rc < 0 ? rc : RDV_OK;
}
