/* SPDX-License-Identifier: Apache-2.0 */
#include "method/value_flow.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "language/phrase.h"
#include "notation/decimal_comma.h"
#include "method/number_token.h"
#include "method/unread/unread_calculation.h"

#include <rederive/answer.h>

#define NEAR 60 /* bytes from a number to its operator */

struct value_flow {
    rdv_arena *arena;
    rdv_map found;         /* keys of the numbers that are found */
    bool unasked;          /* there is no question */
    uint64_t question_has; /* which units it mentions, see `units` */
    uint64_t step_has;     /* those of the step that is being followed */
    rdv_str last;          /* the latest result, as people say it */
    rdv_str last_side;     /* the side that it is, with what stands beside it */
    rdv_str shown, shown_side; /* both as they are written; the others have decimal points */
    bool commas;               /* the chain has decimal commas */
    bool failed;               /* out of memory */
};

/* ---- numbers of units ------------------------------------------------------------------------ */

/* The numbers that belong to a unit, or to a word, without standing in a question. */
static const struct {
    const char *key;
    const char *words[6];
} units[] = {
    {"1E0", {""}},
    {"2E0", {"half", "halve", "twice", "double", "pair", "couple"}},
    {"3E0", {"yard", "triple"}},
    {"4E0", {"quarter", "month", "gallon"}},
    {"5E0", {"weekday", "nickel", "work week"}},
    {"7E0", {"week", "daily"}},
    {"1E1", {"decade", "dime"}},
    {"5E-1", {"half", "halve"}},
    {"25E-2", {"quarter"}},
    {"12E0", {"dozen", "month", "year", "foot", "feet", "inch"}},
    {"16E0", {"pound", "ounce"}},
    {"24E0", {"hour", "day"}},
    {"25E0", {"quarter"}},
    {"3E1", {"month"}},
    {"52E0", {"year"}},
    {"6E1", {"minute", "hour"}},
    {"1E2", {"%", "percent", "percentage", "cent", "centimeter"}},
    {"365E0", {"year"}},
    {"1E3", {"kilo*", "kg", "km", "gram", "liter", "ton"}},
    {"2E3", {"ton"}},
    {"528E1", {"mile"}},
};

#define N_UNITS (sizeof units / sizeof *units)

/* Does the word of a unit end so, behind what the table has: "weeks", "inches", "yearly"? */
static bool ends_unit(rdv_str text, size_t end)
{
    static const char *const endings[] = {"", "s", "es", "d", "ly", "-"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        rdv_str ending = rdv_str_of(endings[i]), rest = rdv_slice(text, end, text.len);
        if (rdv_istarts(rest, ending) &&
            (rest.len == ending.len || !rdv_is_alnum(rest.p[ending.len])))
            return true;
    }
    return false;
}

/* Does the text have the word, as a word of its own? "kilo*" is any word that begins so. */
static bool mentions(rdv_str text, rdv_str word)
{
    bool any = rdv_ends(word, RDV_STR("*"));
    word.len -= any;
    if (!word.len || !rdv_is_alnum(word.p[0]))
        return rdv_find(text, word, 0) != RDV_NOT_FOUND;
    for (size_t at = 0; (at = rdv_ifind(text, word, at)) != RDV_NOT_FOUND; at++)
        if ((at == 0 || !rdv_is_alpha(text.p[at - 1])) && (any || ends_unit(text, at + word.len)))
            return true;
    return false;
}

static uint64_t units_in(rdv_str text)
{
    uint64_t has = 0;
    for (size_t i = 0; i < N_UNITS; i++)
        for (size_t k = 0; k < 6 && units[i].words[k] && !(has >> i & 1); k++)
            has |= (uint64_t)mentions(text, rdv_str_of(units[i].words[k])) << i;
    return has;
}

static bool of_a_unit(const value_flow *f, const char *key)
{
    uint64_t has = f->question_has | f->step_has;
    for (size_t i = 0; i < N_UNITS; i++)
        if (has >> i & 1 && strcmp(units[i].key, key) == 0)
            return true;
    return false;
}

/* ---- what is found --------------------------------------------------------------------------- */

enum { ANYWHERE = 0, AS_A_FACTOR = 1 }; /* where a number that is found may stand */

static void add_key(value_flow *f, const char *key, size_t where)
{
    size_t was = rdv_map_get(&f->found, rdv_str_of(key));
    if (was != RDV_MAP_MISSING && was <= where)
        return;
    rdv_str copy = rdv_str_copy(f->arena, rdv_str_of(key));
    f->failed |= !copy.p || rdv_map_put(&f->found, copy, where) != RDV_OK;
}

static void add_number(value_flow *f, const number_token *number)
{
    char shifted[48];
    add_key(f, number->key, number->factor ? AS_A_FACTOR : ANYWHERE);
    if (!number->hundredths)
        return;
    number_token_shifted(number, -2, shifted); /* 0.2 for 20% */
    add_key(f, shifted, ANYWHERE);
}

static void add_numbers(value_flow *f, rdv_str text)
{
    number_token number;
    for (size_t at = 0; number_token_next(text, &at, &number) && !f->failed;)
        add_number(f, &number);
}

/* Does an operator that multiplies or divides begin at `at`? */
static bool factor_sign_at(rdv_str s, size_t at)
{
    static const char *const signs[] = {"*",       "/",         "\xc3\x97", "\xc3\xb7", "\xc2\xb7",
                                        "\\times", "\\cdot",    "\\div",    "\\frac",   " x ",
                                        " times ", " divided ", "%",        " of "};
    rdv_str rest = rdv_slice(s, at, s.len);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (rdv_starts(rest, rdv_str_of(signs[i])))
            return true;
    return false;
}

/* Is the number multiplied or divided: is there such an operator up to the next number, or from the
 * one before? */
static bool is_factor(rdv_str side, const number_token *number)
{
    size_t end = number->end + NEAR, begin = number->begin > NEAR ? number->begin - NEAR : 0;
    for (size_t i = number->end; i < side.len && i < end; i++) {
        if (rdv_is_digit(side.p[i]) || strchr("+-", side.p[i]))
            break;
        if (factor_sign_at(side, i))
            return true;
    }
    for (size_t i = number->begin; i > begin; i--) {
        if (rdv_is_digit(side.p[i - 1]) || strchr("+-", side.p[i - 1]))
            break;
        if (factor_sign_at(side, i - 1))
            return true;
    }
    return false;
}

/* calculated: the text is a side of a calculation; else its numbers are only stated. */
static bool is_found(const value_flow *f, rdv_str text, const number_token *number, bool calculated)
{
    char shifted[48];
    bool factor = calculated && is_factor(text, number);
    size_t where = rdv_map_get(&f->found, rdv_str_of(number->key));
    if (where == ANYWHERE || (where == AS_A_FACTOR && (factor || number->words)))
        return true;
    if (of_a_unit(f, number->key) &&
        (number->percent ? strcmp(number->key, "1E2") == 0
                         : factor || !calculated || strcmp(number->key, "1E0") == 0))
        return true;
    if (!number->hundredths)
        return false;
    number_token_shifted(number, -2, shifted); /* 20% for 0.2 */
    return rdv_map_get(&f->found, rdv_str_of(shifted)) == ANYWHERE;
}

static size_t count_numbers(rdv_str text)
{
    number_token number;
    size_t n = 0;
    for (size_t at = 0; n < 2 && number_token_next(text, &at, &number);)
        n++;
    return n;
}

value_flow *value_flow_new(rdv_arena *arena, rdv_str question, rdv_decimal decimal)
{
    value_flow *f = RDV_NEW(arena, value_flow);
    if (!f)
        return NULL;
    f->arena = arena;
    f->commas = decimal == RDV_DECIMAL_COMMA;
    if (f->commas && decimal_comma_fold(question, arena, &question) < 0)
        return NULL;
    rdv_map_init(&f->found, arena);
    f->unasked = question.len == 0;
    f->question_has = units_in(question);
    add_numbers(f, question);
    return f->failed ? NULL : f;
}

/* ---- one step -------------------------------------------------------------------------------- */

/* The first number of the text that is not found; p == NULL: all are. */
static rdv_str not_found_in(const value_flow *f, rdv_str text, bool calculated)
{
    number_token number;
    for (size_t at = 0; number_token_next(text, &at, &number);)
        if (!is_found(f, text, &number, calculated))
            return rdv_slice(text, number.begin, number.end);
    return (rdv_str){0};
}

/* The side without the calculator mark before its number, and without an aside in brackets behind
 * it: "<<36-8=28>>28 pens (8 less)". */
static rdv_str side_alone(rdv_str side)
{
    number_token number;
    size_t mark = rdv_find(side, RDV_STR(">>"), 0), at = 0;
    rdv_str behind = mark == RDV_NOT_FOUND ? side : rdv_slice(side, mark + 2, side.len);
    if (!number_token_next(behind, &at, &number)) {
        size_t sign = rdv_find_char(side, '=', 0); /* the mark alone */
        return sign < mark && mark != RDV_NOT_FOUND ? rdv_slice(side, sign + 1, mark) : side;
    }
    size_t aside = rdv_find(behind, RDV_STR(" ("), number.end);
    return rdv_trim(rdv_slice(behind, 0, aside));
}

/* A side that has one number is that number; one of more ("1 1/2", "3 * 12") is what it says as a
 * whole. */
static void keep_result(value_flow *f, rdv_str text)
{
    number_token number, last = {0};
    for (size_t at = 0; number_token_next(text, &at, &number);)
        last = number;
    if (!last.end)
        return;
    add_number(f, &last);
    text = side_alone(text);
    f->last = f->last_side = text;
    size_t at = 0;
    if (count_numbers(text) != 1 || !number_token_next(text, &at, &number))
        return;
    size_t begin = number.begin, sign = begin;
    while (sign > 0 && strchr(" $\\", text.p[sign - 1]))
        sign--;
    if (sign > 0 && text.p[sign - 1] == '-')
        begin = sign - 1;
    else if (sign > 2 && memcmp(text.p + sign - 3, "\xe2\x88\x92", 3) == 0)
        begin = sign - 3;
    f->last = rdv_slice(text, begin, number.end);
}

static bool has_mark(rdv_str side)
{
    return rdv_find(side, RDV_STR("<<"), 0) != RDV_NOT_FOUND;
}

/* Does the calculation say what a number consists of: "48 = 12 * 4"? Its result is on the left. */
static bool splits_a_number(const rdv_calc *c)
{
    return count_numbers(c->lhs) == 1 && count_numbers(c->rhs) > 1 && !has_mark(c->rhs);
}

/* The first number that the calculation starts from and that is not found. A left side that is the
 * right side of the calculation before it ("= 3 * 16 = 48") was derived there. */
static rdv_str follow_calc(value_flow *f, const rdv_calc *c, const rdv_calc *before)
{
    bool derived =
        before && c->lhs.p >= before->rhs.p && c->lhs.p < before->rhs.p + before->rhs.len;
    bool splits = !derived && splits_a_number(c);
    rdv_str missing = derived ? (rdv_str){0} : not_found_in(f, splits ? c->rhs : c->lhs, true);
    keep_result(f, splits ? c->lhs : c->rhs);
    return missing;
}

static bool is_given_up(const rdv_calc *c)
{
    return c->kind == RDV_CALC_SELF_CORRECTED || c->kind == RDV_CALC_UNUSED;
}

static rdv_str follow_calcs(value_flow *f, calc_list *calcs)
{
    rdv_str missing = {0};
    for (size_t i = 0; i < calcs->n; i++) {
        const rdv_calc *before = i ? calc_list_see(calcs, i - 1) : NULL;
        if (is_given_up(calc_list_see(calcs, i)))
            continue; /* nothing is found by it */
        rdv_str first = follow_calc(f, calc_list_see(calcs, i), before);
        if (!missing.p)
            missing = first;
    }
    for (size_t i = 0; i < calcs->n && !missing.p; i++) {
        const rdv_calc *calc = calc_list_see(calcs, i);
        if (!is_given_up(calc) && !has_mark(calc->rhs)) /* what it was worked out in:
                                                           "= 12 + 4 = 16" */
            add_numbers(f, calc->rhs);
    }
    return missing;
}

/* The end of "Step 3:" or "3." at the beginning of a line; `at`: there is none. */
static size_t list_mark_end(rdv_str step, size_t at)
{
    size_t i = at;
    while (i < step.len && strchr(" \t#*-", step.p[i]))
        i++;
    if (rdv_istarts(rdv_slice(step, i, step.len), RDV_STR("Step ")))
        i += 5;
    size_t digits = i;
    i = rdv_skip_digits(step, i);
    bool mark = i > digits && i < step.len && strchr(".:)", step.p[i]) &&
                (i + 1 == step.len || rdv_is_space(step.p[i + 1]) || step.p[i + 1] == '*');
    bool alone = digits == at && mark && /* "96." that nothing follows is a sentence's end */
                 rdv_trim(rdv_slice(step, i + 1, step.len)).len == 0;
    return mark && !alone ? i + 1 : at;
}

/* Does the sign of equality at `at` only name a number: "ans = 13"? Left of it, up to a mark, stand
 * words alone, and right of it one number, which is looked up like any other. */
static bool names_a_number(rdv_str text, size_t at)
{
    rdv_str left = rdv_slice(text, 0, at), right = rdv_slice(text, at + 1, text.len);
    number_token number, other;
    size_t from = left.len, behind = 0, before = 0;
    while (from > 0 && !strchr(".,;:\n", left.p[from - 1]))
        from--;
    left = rdv_trim(rdv_slice(left, from, left.len));
    if (!left.len || !rdv_is_alpha(left.p[left.len - 1]) ||
        number_token_next(left, &before, &other) || !number_token_next(right, &behind, &number) ||
        number.words)
        return false;
    for (size_t i = 0; i < left.len; i++)
        if (!rdv_is_alpha(left.p[i]) && !rdv_is_space(left.p[i]))
            return false;
    for (size_t i = 0; i < number.begin; i++)
        if (!strchr(" $", right.p[i]))
            return false;
    rdv_str rest = rdv_slice(right, number.end, rdv_find_char(right, '\n', 0));
    rest = rdv_trim(rest);
    return rest.len == 0 || rdv_str_eq(rest, RDV_STR("."));
}

/* A sign of equality that no calculation has read. */
static bool has_equality(rdv_str text)
{
    static const char *const signs[] = {"\xe2\x89\x88", "\\approx", " equals "};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (rdv_find(text, rdv_str_of(signs[i]), 0) != RDV_NOT_FOUND)
            return true;
    for (size_t at = 0; (at = rdv_find_char(text, '=', at)) != RDV_NOT_FOUND; at++)
        if (!names_a_number(text, at))
            return true;
    return false;
}

static bool is_in_number(char c)
{
    return rdv_is_digit(c) || c == '.' || c == ',';
}

/* The end of the clause that goes on at `at`. */
static size_t clause_end(rdv_str text, size_t at)
{
    while (at < text.len && text.p[at] != '\n' && text.p[at] != ';' &&
           !(strchr(".,?!", text.p[at]) && (at + 1 == text.len || rdv_is_space(text.p[at + 1]))))
        at++;
    return at;
}

/* A clause that states a relation between numbers, which no calculation has read: a number, and
 * later a verb of equality with a number right behind it: "a 20% share of 12 is 8". p == NULL:
 * there is none. */
static rdv_str relation_in(rdv_str text)
{
    static phrase_list verbs = {"@gives-a-result"};
    size_t begin = 0, numbers = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool ends = strchr(".,;:?!\n", text.p[i]) &&
                    (i + 1 == text.len || rdv_is_space(text.p[i + 1]) || text.p[i] == '\n');
        if (ends) {
            begin = i + 1;
            numbers = 0;
        }
        if (rdv_is_digit(text.p[i]) && (i == 0 || !is_in_number(text.p[i - 1])))
            numbers++;
        size_t verb = numbers && text.p[i] == ' ' ? phrase_at(text, i + 1, &verbs) : 0;
        size_t end = i + 1 + verb;
        if (!verb || rdv_char_at(text, end) != ' ')
            continue;
        end += 1 + (rdv_char_at(text, end + 1) == '$');
        if (rdv_is_digit(rdv_char_at(text, end)))
            return rdv_trim(rdv_slice(text, begin, clause_end(text, end)));
    }
    return (rdv_str){0};
}

static bool begins_line(rdv_str step, size_t at)
{
    return at == 0 || step.p[at - 1] == '\n';
}

/* The first fault of the step from `at` to `end`, between calculations: a sign of equality, or a
 * number that is not found. */
static void follow_words(const value_flow *f, rdv_str step, size_t at, size_t end, value_fault *out)
{
    rdv_str text = rdv_slice(step, at, end);
    if (has_equality(text)) {
        *out = (value_fault){.is = VALUE_UNREAD, .text = rdv_trim(text)};
        return;
    }
    rdv_str relation = relation_in(text);
    if (relation.p) {
        *out = (value_fault){.is = VALUE_UNREAD, .text = relation};
        return;
    }
    while (at < end && !out->is) {
        /* Not in all of the step, whose rest would be searched again for each calculation. */
        size_t line = rdv_find_char(rdv_slice(step, 0, end), '\n', at);
        line = line < end ? line : end; /* RDV_NOT_FOUND is the largest number */
        size_t from = begins_line(step, at) ? list_mark_end(step, at) : at;
        rdv_str missing = not_found_in(f, rdv_slice(step, from, line), false);
        if (missing.p)
            *out = (value_fault){.is = VALUE_NOT_FOUND, .text = missing};
        at = line + 1;
    }
}

static void follow_all_words(const value_flow *f, rdv_str step, calc_list *calcs, value_fault *out)
{
    size_t at = 0;
    for (size_t i = 0; i <= calcs->n && !out->is; i++) {
        const rdv_calc *calc = i < calcs->n ? calc_list_see(calcs, i) : NULL;
        size_t begin = calc ? calc->begin : step.len;
        if (begin > at)
            follow_words(f, step, at, begin, out);
        if (calc && calc->end > at)
            at = calc->end;
    }
}

/* `told`: the calculations as a fault tells them, at the same indices. */
static int follow_step(value_flow *flow, rdv_str step, calc_list *calcs, calc_list *told,
                       value_fault *out, rdv_error *err)
{
    unread_calculation *unread;
    size_t n_unread;
    rdv_str missing;
    *out = (value_fault){0};
    if (unread_calculations(step, calcs, flow->arena, &unread, &n_unread) < 0)
        return rdv_no_memory(err);
    flow->step_has = units_in(step);
    missing = follow_calcs(flow, calcs);
    const rdv_calc *calc = calc_list_first(told, RDV_CALC_WRONG, RDV_CALC_UNDECIDED);
    if (calc)
        *out = (value_fault){.is = calc->kind == RDV_CALC_WRONG ? VALUE_WRONG : VALUE_UNDECIDED,
                             .calc = *calc};
    else if (n_unread)
        *out =
            (value_fault){.is = VALUE_UNREAD, .text = rdv_slice(step, unread->begin, unread->end)};
    else if (missing.p)
        *out = (value_fault){.is = VALUE_NOT_FOUND, .text = missing};
    else
        follow_all_words(flow, step, calcs, out);
    return flow->failed ? rdv_no_memory(err) : RDV_OK;
}

/* The part of `step` that the part `text` of the folded one stands for; or, where that stands in an
 * earlier step, itself. */
static rdv_str unfold(rdv_str text, rdv_str folded, rdv_str step)
{
    if (!rdv_lies_in(text, folded))
        return text;
    size_t begin = (size_t)(text.p - folded.p);
    return rdv_slice(step, begin, decimal_comma_end(step, folded, begin + text.len));
}

static rdv_str fold_side(value_flow *f, rdv_str side, rdv_str step, rdv_str folded)
{
    if (rdv_lies_in(side, step)) {
        size_t begin = (size_t)(side.p - step.p);
        return rdv_slice(folded, begin, begin + side.len);
    }
    f->failed |= decimal_comma_fold(side, f->arena, &side) < 0;
    return side;
}

/* The same with decimal commas: the step and the sides of its calculations are followed folded. */
static int follow_folded(value_flow *f, rdv_str step, calc_list *calcs, value_fault *out,
                         rdv_error *err)
{
    rdv_str folded;
    calc_list own = {0};
    if (decimal_comma_fold(step, f->arena, &folded) < 0)
        return rdv_no_memory(err);
    for (size_t i = 0; i < calcs->n; i++) {
        rdv_calc calc = *calc_list_see(calcs, i);
        calc.lhs = fold_side(f, calc.lhs, step, folded);
        calc.rhs = fold_side(f, calc.rhs, step, folded);
        if (calc_list_put(&own, f->arena, &calc) < 0)
            return rdv_no_memory(err);
    }
    if (calc_list_keep(&own) < 0)
        return rdv_no_memory(err);
    rdv_str last = f->last, side = f->last_side;
    f->last = f->last_side = (rdv_str){0};
    int code = follow_step(f, folded, &own, calcs, out, err);
    if (f->last.p) {
        f->shown = unfold(f->last, folded, step);
        f->shown_side = unfold(f->last_side, folded, step);
    } else {
        f->last = last;
        f->last_side = side;
    }
    out->text = unfold(out->text, folded, step);
    return code;
}

int value_flow_step(value_flow *flow, rdv_str step, calc_list *calcs, value_fault *out,
                    rdv_error *err)
{
    int code = flow->commas ? follow_folded(flow, step, calcs, out, err)
                            : follow_step(flow, step, calcs, calcs, out, err);
    if (!flow->commas) {
        flow->shown = flow->last;
        flow->shown_side = flow->last_side;
    }
    out->unasked = flow->unasked;
    return code;
}

bool wrong_calculation_is_turned(const rdv_calc *c)
{
    return rdv_str_eq(c->lhs, c->value) && c->claim.p && !rdv_str_eq(c->rhs, c->claim);
}

rdv_str wrong_calculation_says(const rdv_calc *c, rdv_arena *arena)
{
    bool known = wrong_calculation_is_turned(c);
    rdv_str side = known ? c->rhs : c->lhs, is = known ? c->claim : c->value;
    rdv_str line = rdv_str_printf(arena, "%.*s is %.*s, not %.*s", RDV_FMT(side), RDV_FMT(is),
                                  RDV_FMT(known ? c->value : c->claim));
    return line.p && c->note.len
               ? rdv_str_printf(arena, "%.*s (%.*s)", RDV_FMT(line), RDV_FMT(c->note))
               : line;
}

static rdv_str number_not_found_says(const value_fault *fault, rdv_str before, rdv_arena *arena)
{
    rdv_str number = fault->text;
    const char *is = fault->unasked ? "was not found, and there is no question"
                     : before.p     ? "is not in the question, and was not found"
                                    : "is not in the question";
    return rdv_str_printf(arena, "%.*s %s%s%.*s", RDV_FMT(number), is,
                          before.p ? "; the latest result before is " : "", RDV_FMT(before));
}

rdv_str value_fault_says(const value_fault *fault, rdv_str before, rdv_arena *arena)
{
    const rdv_calc *c = &fault->calc;
    rdv_str text = fault->text;
    switch (fault->is) {
    case VALUE_WRONG:
        return wrong_calculation_says(c, arena);
    case VALUE_UNDECIDED:
        return rdv_str_printf(arena, "undecided: %.*s = %.*s: %.*s%s%.*s%s", RDV_FMT(c->lhs),
                              RDV_FMT(c->rhs), RDV_FMT(c->note), c->rule.p ? " [" : "",
                              RDV_FMT(c->rule), c->rule.p ? "]" : "");
    case VALUE_UNREAD:
        return rdv_str_printf(arena, "not read: %.*s", RDV_FMT(text));
    default:
        return number_not_found_says(fault, before, arena);
    }
}

rdv_str value_flow_last(const value_flow *flow)
{
    return flow->shown;
}

rdv_str value_flow_last_side(const value_flow *flow)
{
    return flow->shown_side;
}

/* RDV_NONE: the result could not be read. */
static int compare(rdv_str answer, rdv_str result, rdv_arena *arena, rdv_comparison *out,
                   rdv_error *err)
{
    rdv_question question = {.gold = result};
    rdv_answer_form form = rdv_answer_form_of(&question);
    *out = (rdv_comparison){.is = RDV_CANNOT_TELL, .why = ""};
    return rdv_answer_compare(answer, result, &form, NULL, arena, out, err);
}

int value_flow_is_last(const value_flow *flow, rdv_str text, bool *is, rdv_error *err)
{
    rdv_comparison found;
    *is = false;
    if (!flow->last.p)
        return RDV_OK;
    if (flow->commas && decimal_comma_fold(text, flow->arena, &text) < 0)
        return rdv_no_memory(err);
    int code = compare(text, flow->last_side, flow->arena, &found, err);
    bool beside = flow->last.len < flow->last_side.len; /* words that may not have been read */
    if (code >= 0 && found.is != RDV_SAME && beside && strcmp(found.why, "unit") != 0)
        code = compare(text, flow->last, flow->arena, &found, err);
    *is = code == RDV_OK && found.is == RDV_SAME;
    return code < 0 ? code : RDV_OK;
}
