/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/pair.h"

#include "answer/announcement.h"
#include "answer/measure.h"
#include "answer/number.h"
#include "answer/span.h"
#include "base/str.h"
#include "grade/split.h"

/* Does the side of an equation before byte `equals` have two letters, or a sign of sets or
 * integrals: is it more than a number, and than one unknown? */
static bool is_compound(rdv_str s, size_t equals)
{
    static const char *const operators[] = {"\\int", "\\sum", "\\prod", "\\lim"};
    size_t begin = equals, letters = 0;
    char first = 0;
    while (begin > 0 && !strchr(",;=", s.p[begin - 1]))
        begin--;
    for (size_t i = begin; i < equals; i++) {
        size_t end = rdv_skip_letters(s, i);
        bool one = end == i + 1 && !(i > 0 && s.p[i - 1] == '\\') && s.p[i] != first;
        letters += one;
        first = one ? s.p[i] : first;
        letters += rdv_starts(rdv_slice(s, i, equals), RDV_STR("\xe2\x88")) ? 2 : 0;
        for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
            letters += rdv_starts(rdv_slice(s, i, equals), rdv_str_of(operators[k])) ? 2 : 0;
        i = end > i ? end - 1 : i;
    }
    return letters > 1;
}

/* Does the question ask for the formula: "What is x + y?" Blanks do not count. */
static bool asks_for(rdv_str question, rdv_str formula)
{
    formula = split_inside(formula);
    for (size_t begin = 0; begin < question.len && formula.len > 1 && formula.len < 200; begin++) {
        size_t i = begin, k = 0;
        while (k < formula.len && i < question.len) {
            if (question.p[i] == formula.p[k]) {
                i++;
                k++;
            } else if (formula.p[k] == ' ') {
                k++;
            } else if (question.p[i] == ' ' && i > begin) {
                i++;
            } else {
                break;
            }
        }
        size_t behind = rdv_skip_any(question, i, " $");
        bool whole = (begin == 0 || !rdv_is_alnum(question.p[begin - 1])) &&
                     !rdv_is_alnum(rdv_char_at(question, i)) &&
                     !strchr("=+-*/^", rdv_char_at(question, behind) ? question.p[behind] : '.');
        if (k == formula.len && whole)
            return true;
    }
    return false;
}

/* Does the left side of an equation name what is computed, a union, an integral, an angle? */
static bool names_computation(rdv_str s)
{
    static const char *const signs[] = {"\\cup", "\\cap",        "\xe2\x88\xaa", "\xe2\x88\xa9",
                                        "\\int", "\xe2\x88\xab", "\\angle",      "\xe2\x88\xa0",
                                        "\\lim", "^{-1}(",       "\\frac{d"};
    size_t equals = rdv_find_char(s, '=', 0);
    rdv_str left = rdv_slice(s, 0, equals);
    return equals != RDV_NOT_FOUND && rdv_holds_any(left, signs, sizeof signs / sizeof *signs);
}

/* "So 12 - 7 = 5 seats." without the words before and behind it; false: it has none. */
static bool bare_equation(rdv_str s, rdv_str *out)
{
    size_t begin = 0, end, words = 0;
    for (; rdv_is_alpha(rdv_char_at(s, begin)); words++) {
        size_t stop = rdv_skip_letters(s, begin);
        if (!announcement_row_at(s, begin, 1u << EFFECT_PLAIN, &end) || stop < begin + 2)
            return false;
        begin = rdv_skip_any(s, stop, " ,$");
    }
    for (end = s.len; end > begin && !rdv_is_digit(s.p[end - 1]); end--)
        if (!rdv_is_alpha(s.p[end - 1]) && !strchr(" .$", s.p[end - 1] ? s.p[end - 1] : '='))
            return false;
    words += end < s.len && rdv_has_letter(rdv_slice(s, end, s.len));
    *out = rdv_slice(s, begin, end);
    return words && rdv_find_char(*out, '=', 0) != RDV_NOT_FOUND && !rdv_has_letter(*out);
}

int pair_weigh_equation(const pair *texts, rdv_comparison *out)
{
    pair p = *texts;
    rdv_comparison one, sides = {.is = RDV_CANNOT_TELL};
    size_t equals = rdv_find_last(p.answer, RDV_STR("=")), of_gold = rdv_find_char(p.gold, '=', 0);
    bool form = out->is == RDV_DIFFERENT && strcmp(out->why, "form") == 0;
    bool is_y = rdv_starts(split_inside(p.answer), RDV_STR("y")) &&
                rdv_find_char(p.answer, '=', 0) == equals;
    rdv_str left;
    if (out->is == RDV_DIFFERENT && names_computation(p.gold) && (equals == RDV_NOT_FOUND || is_y))
        return pair_compare_as(texts,
                               is_y ? rdv_slice(p.answer, equals + 1, p.answer.len) : p.answer,
                               rdv_slice(p.gold, of_gold + 1, p.gold.len), out);
    if (!form || equals == RDV_NOT_FOUND || of_gold != RDV_NOT_FOUND)
        return RDV_OK;
    if (bare_equation(p.answer, &left))
        return pair_compare_as(texts, left, p.gold, out);
    bool compound = is_compound(p.answer, equals);
    left = split_inside(rdv_slice(p.answer, 0, equals));
    p.answer = rdv_trim(rdv_slice(p.answer, equals + 1, p.answer.len));
    int rc = p.answer.len ? pair_compare_maths(&p, &one) : RDV_NONE;
    if (rc != RDV_OK || one.is != RDV_SAME)
        return rc < 0 ? rc : RDV_OK;
    p.answer = left;
    if (rdv_has_letter(left) && rdv_find_char(left, '=', 0) == RDV_NOT_FOUND)
        rc = pair_compare_maths(&p, &sides);
    if (rc < 0)
        return rc;
    bool object = rdv_has_letter(p.gold) || rdv_find_char(p.gold, '{', 0) != RDV_NOT_FOUND;
    bool angle = rdv_find(left, RDV_STR("angle"), 0) != RDV_NOT_FOUND ||
                 rdv_find(left, RDV_STR("\xe2\x88\xa0"), 0) != RDV_NOT_FOUND;
    bool gives = sides.is == RDV_SAME || asks_for(p.how.question, left) ||
                 (names_computation(texts->answer) && (object || angle));
    if (!gives && !compound)
        return RDV_OK;
    *out = one;
    if (!gives) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = RDV_STR("whether the equation gives its right side is not said");
    }
    return RDV_OK;
}

static const char *const nearness[] = {"\\approx", "\xe2\x89\x88"};

/* The byte behind the sign of equality or nearness at byte `i`, or `i`. */
static size_t equality_end(rdv_str s, size_t i)
{
    if (s.p[i] == '=')
        return i + 1;
    for (size_t k = 0; k < sizeof nearness / sizeof *nearness; k++)
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(nearness[k])))
            return i + strlen(nearness[k]);
    return i;
}

/* The next sign of equality or nearness from byte `from` on that no bracket holds, and its length;
 * s.len: there is none. */
static size_t next_equality(rdv_str s, size_t from, size_t *len)
{
    size_t depth = 0;
    for (size_t i = from; i < s.len; i++) {
        depth += s.p[i] == '{' || s.p[i] == '(';
        depth -= depth && (s.p[i] == '}' || s.p[i] == ')');
        *len = depth ? 0 : equality_end(s, i) - i;
        if (*len)
            return i;
    }
    return s.len;
}

/* Is it a number, or one with its unit? */
static bool is_amount(rdv_str s)
{
    rdv_str number, letters;
    return rdv_has_digit(s) &&
           (!rdv_has_letter_or_beyond(s) || measure_split(s, &number, &letters));
}

/* Is it a number by its signs, as \\sqrt{2} and 25\\pi are: has it no letter but of commands? */
static bool is_constant(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == '\\')
            i = rdv_skip_letters(s, i + 1) - 1;
        else if (rdv_is_alpha(s.p[i]) || strchr("=,<>", s.p[i] ? s.p[i] : '='))
            return false;
    return s.len > 0;
}

/* The last side of a chain of a name, at least one formula and a number; false: it is none, as
 * "x = 2 or x = 3" is. */
static bool chain_value(rdv_str s, rdv_str *value)
{
    size_t len = 0, at = next_equality(s, 0, &len), sides = 0;
    static const char *const joins[] = {",", ";", "$", " and ", " or "};
    rdv_str name = rdv_trim(rdv_slice(s, 0, at));
    bool is = name.len && name.len < 30 && rdv_has_letter_or_beyond(rdv_slice(name, 0, 2)) &&
              rdv_find_char(name, ' ', 0) == RDV_NOT_FOUND &&
              rdv_find_char(name, '+', 0) == RDV_NOT_FOUND &&
              !rdv_holds_any(s, joins, sizeof joins / sizeof *joins);
    *value = (rdv_str){0};
    while (is && at < s.len) {
        size_t begin = at + len;
        rdv_str before = *value;
        at = next_equality(s, begin, &len);
        *value = rdv_trim(rdv_slice(s, begin, at));
        value->len -= rdv_ends(*value, RDV_STR("."));
        bool formula = rdv_has_letter_or_beyond(before);
        for (size_t i = 1; i < before.len && !formula; i++)
            formula = strchr("+*/^-", before.p[i]) != NULL;
        is = value->len && (sides == 0 || formula); /* no "x = 5 = 3" */
        sides++;
    }
    rdv_str number = {0}, more, letters;
    at = 0;
    bool begins = answer_next_number(*value, &at, &number) && number.p == value->p;
    bool power = measure_split(*value, &more, &letters); /* "6.0 \\times 10^4 J" */
    return is && sides > 1 && begins && (power || !answer_next_number(*value, &at, &more));
}

int pair_compare_chain(const pair *texts, rdv_str *given, rdv_comparison *out)
{
    rdv_str value;
    rdv_comparison one;
    pair p = *texts;
    rdv_str gold = split_inside(p.gold);
    if (!(is_amount(gold) || is_constant(gold)) || !chain_value(split_inside(p.answer), &value))
        return RDV_OK;
    p.answer = value;
    int rc = pair_compare_maths(&p, &one);
    if (rc != RDV_OK)
        return rc < 0 ? rc : RDV_OK;
    if (one.is == RDV_DIFFERENT && !is_amount(value)) { /* "26.8 C" */
        one.is = RDV_CANNOT_TELL;
        one.why = "assumption";
        one.reason = RDV_STR("whether its letter is a unit is not said");
    }
    *out = one;
    *given = value;
    return RDV_OK;
}

/* "5/8 (0.625)", "44.8 L (2 \\times 22.4 L)": the value, and what begins with a number in the
 * brackets that end an answer; false: it has none. */
static bool with_aside(rdv_str s, rdv_str *main, rdv_str *value, rdv_str *aside)
{
    size_t open = rdv_find_last(s, RDV_STR(" (")), len;
    if (open == RDV_NOT_FOUND || !rdv_ends(s, RDV_STR(")")))
        return false;
    *main = *value = rdv_slice(s, 0, open);
    *aside = rdv_slice(s, open + 2, s.len - 1);
    for (size_t at = 0; (at = next_equality(*main, at, &len)) < main->len; at += len)
        *value = rdv_trim(rdv_slice(*main, at + len, main->len));
    rdv_str number;
    size_t end = 0;
    return value->len && answer_next_number(*aside, &end, &number) && number.p == aside->p;
}

int pair_compare_restated(const pair *texts, rdv_comparison *out)
{
    rdv_str main, value, aside;
    rdv_comparison near, one, other;
    pair p = *texts;
    if (!with_aside(answer_trim_marks(texts->answer), &main, &value, &aside))
        return RDV_OK;
    p.answer = aside;
    p.gold = answer_trim_marks(value);
    int rc = pair_compare_maths(&p, &near);
    size_t end = rdv_skip_any(aside, rdv_skip_digits(aside, 0), ".0123456789%");
    if (rc != RDV_OK || near.is == RDV_DIFFERENT || strcmp(near.why, "unread") == 0 ||
        (end < aside.len && near.is != RDV_SAME))
        return rc < 0 ? rc : RDV_OK; /* "25 (5)" may be a product */
    p.gold = texts->gold;
    rc = pair_compare_maths(&p, &other);
    p.answer = main;
    if (rc == RDV_OK)
        rc = pair_compare_maths(&p, &one);
    if (rc == RDV_OK)
        *out = one.is != RDV_SAME && other.is == RDV_SAME ? other : one;
    return rc < 0 ? rc : RDV_OK;
}

int pair_weigh_rounding(const pair *texts, rdv_comparison *out)
{
    pair p = *texts;
    rdv_str value = {0}, number;
    rdv_comparison near;
    for (size_t k = 0; k < sizeof nearness / sizeof *nearness; k++) {
        size_t at = rdv_find_last(p.answer, rdv_str_of(nearness[k]));
        if (at != RDV_NOT_FOUND)
            value = rdv_trim(rdv_slice(p.answer, at + strlen(nearness[k]), p.answer.len));
    }
    size_t from = 0;
    if (!answer_next_number(value, &from, &number) || number.p != value.p ||
        !is_constant(split_inside(p.gold)) || p.how.tolerance.p)
        return RDV_OK;
    p.answer = value;
    p.how.tolerance = RDV_STR("0.1");
    int rc = pair_compare_maths(&p, &near);
    static const char *const proofs[] = {"exact", "bounds", "unit"};
    if (rc == RDV_OK && near.is == RDV_DIFFERENT &&
        rdv_is_one_of(rdv_str_of(near.why), proofs, sizeof proofs / sizeof *proofs)) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = RDV_STR("what it is said to be near is far from it");
    }
    return rc < 0 ? rc : RDV_OK;
}
