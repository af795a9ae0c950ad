/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/pair.h"

#include "answer/degrees.h"
#include "answer/measure.h"
#include "answer/number.h"
#include "answer/statement.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/text/chemical.h"
#include "grade/formal.h"
#include "grade/rewording.h"
#include "grade/split.h"
#include "grade/turn.h"
#include "language/ordinal.h"

/* The byte behind the bounds of the only sum of a text, "\\sum_{k=0}^{n-1}", whose terms are a
 * product up to its end; 0: it is no such text. */
static size_t sum_body(rdv_str s)
{
    rdv_str sum = RDV_STR("\\sum");
    size_t at = rdv_find(s, sum, 0), i = at == RDV_NOT_FOUND ? s.len : at + sum.len, depth = 0;
    if (at == RDV_NOT_FOUND || rdv_find(s, sum, i) != RDV_NOT_FOUND)
        return 0;
    for (; i < s.len && (depth || strchr("_^{", s.p[i]) || s.p[i] == ' '); i++)
        depth += (s.p[i] == '{') - (s.p[i] == '}');
    for (size_t k = i; k < s.len; k++) {
        depth += (s.p[k] == '{' || s.p[k] == '(') - (s.p[k] == '}' || s.p[k] == ')');
        if (depth == 0 && strchr("+-=<>,;", s.p[k]))
            return 0;
    }
    return i < s.len && depth == 0 ? i : 0;
}

int pair_compare_sums(const pair *p, rdv_comparison *out)
{
    rdv_str answer = split_inside(p->answer), gold = split_inside(p->gold);
    size_t a = sum_body(answer), g = sum_body(gold);
    bool same = a && g && rdv_str_eq(rdv_slice(answer, 0, a), rdv_slice(gold, 0, g));
    return same ? pair_compare_as(p, rdv_slice(answer, a, answer.len), rdv_slice(gold, g, gold.len),
                                  out)
                : RDV_OK;
}

int pair_compare_two_units(pair *p, rdv_comparison *out)
{
    rdv_str parts[2], gold = p->gold;
    rdv_comparison one;
    if (!statement_two_units(p->answer, &parts[0], &parts[1]))
        return RDV_OK;
    p->answer = parts[0];
    p->gold = parts[1];
    int rc = pair_compare_maths(p, &one);
    bool agree = rc == RDV_OK && one.is == RDV_SAME;
    p->gold = gold;
    for (size_t i = 0; rc == RDV_OK && agree && i < 2 && out->is != RDV_SAME; i++) {
        p->answer = parts[i];
        rc = pair_compare_maths(p, &one);
        if (rc == RDV_OK && one.is == RDV_SAME)
            *out = one;
    }
    return rc < 0 ? rc : RDV_OK;
}

int pair_compare_chemical(const pair *p, rdv_comparison *out)
{
    rdv_buf answer, gold;
    if (out->is == RDV_SAME && p->kind != RDV_KIND_TEXT)
        return RDV_OK;
    rdv_buf_init(&answer, p->arena, 0);
    rdv_buf_init(&gold, p->arena, 0);
    if (!chemical_formula(p->gold, &gold) || !chemical_formula(p->answer, &answer))
        return RDV_OK;
    if (!rdv_buf_ok(&answer) || !rdv_buf_ok(&gold))
        return rdv_no_memory(p->err);
    rdv_str a = rdv_buf_str(&answer), g = rdv_buf_str(&gold);
    bool same = rdv_str_eq(a, g);
    if (same && out->is != RDV_SAME)
        *out = (rdv_comparison){.is = RDV_SAME, .why = "text", .answer_as = a, .gold_as = g};
    if (!same && out->is == RDV_SAME) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = rdv_str_printf(p->arena, "%.*s and %.*s are two chemical formulas",
                                     RDV_FMT(a), RDV_FMT(g));
        return out->reason.p ? RDV_OK : rdv_no_memory(p->err);
    }
    return RDV_OK;
}

int pair_compare_ungrouped(const pair *p, rdv_comparison *out)
{
    bool full;
    rdv_str number = answer_ungrouped(p->answer, p->arena, &full);
    rdv_str gold = full ? (rdv_str){0} : answer_ungrouped(split_inside(p->gold), p->arena, &full);
    if (full)
        return rdv_no_memory(p->err);
    if (!number.p && !gold.p)
        return RDV_OK;
    return pair_compare_as(p, number.p ? number : p->answer, gold.p ? gold : p->gold, out);
}

int pair_compare_shortened(const pair *p, rdv_comparison *out)
{
    rdv_str answer, gold;
    int rc = answer_lengthened(split_inside(p->answer), p->arena, &answer, p->err);
    if (rc == RDV_OK)
        rc = answer_lengthened(split_inside(p->gold), p->arena, &gold, p->err);
    if (rc != RDV_OK || (answer.p != NULL) == (gold.p != NULL))
        return rc;
    return pair_compare_as(p, answer.p ? answer : p->answer, gold.p ? gold : p->gold, out);
}

void pair_weigh_braces(const pair *p, rdv_comparison *out)
{
    rdv_str answer = split_inside(p->answer), gold = split_inside(p->gold);
    bool set = rdv_starts(answer, RDV_STR("{")) || rdv_starts(gold, RDV_STR("{"));
    bool ends = rdv_starts(answer, RDV_STR("[")) || rdv_starts(gold, RDV_STR("["));
    if (!set || !ends)
        return;
    out->is = RDV_CANNOT_TELL;
    out->why = "assumption";
    out->reason = RDV_STR("whether one of both is an interval is not said");
}

int pair_compare_reworded(const pair *texts, rdv_str *given, rdv_str *given_gold,
                          rdv_comparison *out)
{
    pair p = *texts;
    rdv_comparison one;
    rdv_str answer = split_inside(texts->answer), gold = split_inside(texts->gold);
    bool words, gold_words;
    p.answer = rewording_as(answer, gold, p.arena, &words);
    p.gold = rewording_as(gold, answer, p.arena, &gold_words);
    if ((!p.answer.p && answer.p) || (!p.gold.p && gold.p))
        return rdv_no_memory(p.err);
    if (p.answer.p == answer.p && p.gold.p == gold.p)
        return RDV_OK;
    int rc = pair_compare_maths(&p, &one);
    if (rc != RDV_OK || one.is == RDV_CANNOT_TELL || strcmp(one.why, "unread") == 0)
        return rc < 0 ? rc : RDV_OK;
    *out = one;
    if (one.is == RDV_SAME && !words && !gold_words && strcmp(one.why, "exact") == 0)
        out->why = "unit"; /* its words have been compared */
    *given = p.answer;
    *given_gold = p.gold;
    return RDV_OK;
}

/* Is it a number, a blank and letters that are a unit: "750 g"? */
static bool is_spaced_quantity(rdv_str s)
{
    rdv_str number, letters;
    return measure_split(split_inside(s), &number, &letters) && letters.p[0] == ' ' &&
           rdv_skip_digits(number, 0) == number.len;
}

/* The formula "1.6\\cdot10^{-19}" of "$e = 1.6\\cdot10^{-19}$ C", whose letters behind it are a
 * unit; empty: it is no such text. */
static rdv_str before_unit(rdv_str s)
{
    size_t begin = s.len;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    rdv_str formula = rdv_slice(s, 0, begin);
    while (formula.len && strchr("$ ,~\\", formula.p[formula.len - 1]))
        formula.len--;
    bool behind =
        formula.len < begin && s.len > begin && measure_read(rdv_slice(s, begin, s.len)).n;
    return behind && rdv_find(formula, RDV_STR("10^"), 0) != RDV_NOT_FOUND
               ? rdv_trim(rdv_slice(formula, rdv_starts(formula, RDV_STR("$")), formula.len))
               : (rdv_str){0};
}

int pair_compare_spaced(const pair *texts, rdv_comparison *out)
{
    rdv_str formula = before_unit(rdv_trim(texts->answer));
    rdv_comparison one = *out;
    if (formula.len && out->is == RDV_DIFFERENT) {
        int code = pair_compare_as(texts, formula, texts->gold, &one);
        if (code == RDV_OK && one.is == RDV_SAME) {
            *out = one;
            out->is = RDV_CANNOT_TELL;
            out->why = "assumption";
            out->reason = RDV_STR("whether its letter is a unit is not said");
        }
        return code;
    }
    pair p = *texts;
    rdv_str answer = split_inside(p.answer), gold = split_inside(p.gold);
    bool bare = rdv_skip_digits(answer, 0) == answer.len,
         gold_bare = rdv_skip_digits(gold, 0) == gold.len;
    bool is = (bare && is_spaced_quantity(gold)) || (gold_bare && is_spaced_quantity(answer));
    p.kind = RDV_KIND_NUMBER;
    is = is && texts->kind == RDV_KIND_LATEX && out->is == RDV_DIFFERENT;
    int rc = is ? pair_compare_maths(&p, out) : RDV_NONE;
    bool asked = turn_asked_unit(p.how.question).len > 0;
    if (rc == RDV_OK && out->is == RDV_SAME && !asked) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = RDV_STR("whether its letter is a unit is not said");
    }
    return rc < 0 ? rc : RDV_OK;
}

/* Does the question ask for a place in an order: "which term", "what place"? */
static bool asks_for_place(rdv_str question)
{
    return rdv_ifind(question, RDV_STR("which"), 0) != RDV_NOT_FOUND ||
           rdv_ifind(question, RDV_STR("what place"), 0) != RDV_NOT_FOUND ||
           rdv_ifind(question, RDV_STR("what position"), 0) != RDV_NOT_FOUND;
}

/* The whole number that a text is, with or without a name; 0: none. */
static unsigned whole_of(rdv_str s)
{
    size_t equals = rdv_find_char(s, '=', 0), begin = equals == RDV_NOT_FOUND ? 0 : equals + 1;
    s = split_inside(rdv_slice(s, begin, s.len));
    unsigned value = 0;
    for (size_t i = 0; i < s.len; i++)
        if (!rdv_is_digit(s.p[i]) || i > 6)
            return 0;
        else
            value = value * 10 + (unsigned)(s.p[i] - '0');
    return value;
}

bool pair_compare_ordinals(const pair *p, rdv_comparison *out)
{
    unsigned a = 0, g = 0;
    bool alone, gold_alone;
    bool in_answer = ordinal_of(p->answer, &a, &alone),
         in_gold = ordinal_of(p->gold, &g, &gold_alone);
    bool place = asks_for_place(p->how.question);
    if (!in_answer && in_gold && place)
        a = whole_of(p->answer);
    if (!in_gold && in_answer && place)
        g = whole_of(p->gold);
    bool part = rdv_istarts(p->answer, RDV_STR("one ")) ||
                (rdv_istarts(p->answer, RDV_STR("a")) &&
                 rdv_find(p->answer, RDV_STR(" of "), 0) != RDV_NOT_FOUND);
    if (in_gold && gold_alone && place && part) { /* "one fifth", "a fifth of them" */
        *out = (rdv_comparison){.is = RDV_CANNOT_TELL,
                                .why = "assumption",
                                .reason = RDV_STR("a place is asked for, and the answer is a part"),
                                .answer_as = rdv_trim(p->answer),
                                .gold_as = rdv_trim(p->gold)};
        return true;
    }
    if (!(in_answer || in_gold) || !a || !g)
        return false;
    if (in_gold && !gold_alone && !place)
        return false; /* "the third Monday" */
    *out = (rdv_comparison){.is = a == g ? RDV_SAME : RDV_DIFFERENT,
                            .why = "exact",
                            .reason = a == g ? (rdv_str){0} : RDV_STR("their places differ"),
                            .answer_as = rdv_trim(p->answer),
                            .gold_as = rdv_trim(p->gold)};
    return true;
}

/* The scale of a temperature or angle behind byte `i`; SCALES: none. heat: "C" and "F" are scales,
 * where "5 C" may else be a charge. */
enum { DEGREES, RADIANS, CELSIUS, FAHRENHEIT, KELVIN, SCALES };
static unsigned scale_behind(rdv_str s, size_t i, bool heat)
{
    static const char *const names[SCALES][3] = {{"", "", ""},
                                                 {"radians", "radian", "rad"},
                                                 {"celsius", "C", "\\text{C}"},
                                                 {"fahrenheit", "F", "\\text{F}"},
                                                 {"kelvin", "kelvins", "K"}};
    rdv_str all = rdv_trim(rdv_slice(s, i, s.len)), rest = degrees_skip(all);
    rest = rdv_ends(rest, RDV_STR(".")) ? rdv_slice(rest, 0, rest.len - 1) : rest;
    bool sign = degrees_len(all, true) > 0;
    for (unsigned k = sign ? DEGREES : RADIANS; k < SCALES; k++)
        for (size_t j = 0; j < 3; j++)
            if (j && k > RADIANS
                    ? (sign || heat || k == KELVIN) && rdv_str_eq(rest, rdv_str_of(names[k][j]))
                    : rdv_str_ieq(rest, rdv_str_of(names[k][j])))
                return k;
    return SCALES;
}

void pair_weigh_scales(const pair *p, rdv_comparison *out)
{
    rdv_str text[2] = {split_inside(p->answer), split_inside(p->gold)};
    unsigned scale[2] = {SCALES, SCALES};
    long value[2] = {0};
    for (size_t n = 0; n < 3; n++) { /* the first once more, where the second is a temperature */
        size_t k = n % 2, sign = rdv_starts(text[k], RDV_STR("-"));
        size_t end = rdv_skip_digits(text[k], sign);
        bool heat = scale[1 - k] >= CELSIUS && scale[1 - k] < SCALES;
        scale[k] = end > sign && end < 8 ? scale_behind(text[k], end, heat) : SCALES;
        value[k] = 0;
        for (size_t i = sign; i < end && scale[k] < SCALES; i++)
            value[k] = value[k] * 10 + (text[k].p[i] - '0');
        value[k] = sign ? -value[k] : value[k];
    }
    bool kin =
        (scale[0] < CELSIUS) == (scale[1] < CELSIUS) && scale[0] < SCALES && scale[1] < SCALES;
    bool angles = scale[0] < CELSIUS; /* nought of one scale of heat is no nought of another */
    if ((out->is == RDV_SAME && angles) || !kin || scale[0] == scale[1])
        return;
    bool heat = scale[0] + scale[1] == CELSIUS + FAHRENHEIT;
    size_t c = scale[0] == CELSIUS ? 0 : 1;
    bool same = heat && 9 * value[c] + 160 == 5 * value[1 - c];
    bool nought = scale[0] < CELSIUS && value[0] == 0 && value[1] == 0;
    if (!heat && (nought || value[0] != value[1]))
        return;
    out->is = same ? RDV_SAME : RDV_DIFFERENT;
    out->why = "unit";
    out->reason = same ? (rdv_str){0} : RDV_STR("their scales differ");
}
