/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/conversion_check.h"

#include "base/str.h"
#include "claims/conversion.h"
#include "claims/conversion_amount.h"
#include "expression/compare.h"
#include "expression/print.h"
#include "language/assertion.h"
#include "language/word_class.h"

#define LEAST_RATIO 5 /* of a number that converts */

/* "5 minutes = 5/50 = 1/10 hours": a conversion that is worked out between its ends. */
int conversion_check_ends(rdv_calculator *c, calc_list *out, const knowledge *k, size_t offset,
                          const equality *chain)
{
    const expression *first = &chain->term[0], *last = &chain->term[chain->n - 1];
    if (chain->n < 3 || !expression_is_plain(first) || first->n_units != 1 || last->n_units != 1)
        return RDV_OK;
    for (size_t i = 1; i + 1 < chain->n; i++)
        if (chain->term[i].n_units || chain->term[i].n_words || chain->term[i].n_letters)
            return RDV_OK;
    expression ends[2] = {*first, *last};
    bool approximate[2] = {false, false};
    decision d;
    for (size_t i = 1; i < chain->n; i++)
        approximate[1] |= chain->approximate[i];
    equality whole = {.term = ends,
                      .approximate = approximate,
                      .n = 2,
                      .clean_left = chain->clean_left,
                      .clean_right = chain->clean_right,
                      .after_word = chain->after_word};
    int r = decide_equality(k, &whole, 0, &d);
    bool wrong = r == RDV_OK && d.is_calculation && d.kind == RDV_CALC_WRONG;
    return wrong ? results_add(out, c->arena, k->t, offset, &whole, 0, &d, false) : r;
}

/* Was the number found before, or is that not known? Then so many minutes per hour may be a rate.
 */
static bool was_found(const rdv_calculator *c, rdv_str before, rdv_str number)
{
    bool known =
        !c->question.len || c->n_steps > CALCULATOR_STEPS_MAX || literal_stands_in(before, number);
    for (size_t i = 0; i < c->n_steps && i < CALCULATOR_STEPS_MAX && !known; i++)
        known = literal_stands_in(c->steps[i], number);
    return known;
}

/* What a text says of the number of a factor. */
typedef enum rate_is {
    RATE_NOT,     /* it does not hold it, or counts another unit with it: "50 miles" */
    RATE_PERHAPS, /* it counts what may be other things: "50 pages" */
    RATE_IS       /* the number stands there with its unit, or alone */
} rate_is;

static rate_is rate_in(const tokens *t, const conversion *found, rdv_str text)
{
    rdv_str number = tok_text(t, found->number);
    rate_is is = conversion_is_given(t, found, text) ? RATE_IS : RATE_NOT;
    for (size_t i = 0; is < RATE_IS && (i = literal_find(text, number, i)) != RDV_NOT_FOUND; i++) {
        unit_meaning m;
        rdv_str behind = conversion_word(text, i + number.len);
        bool alone = !behind.len || (word_class(behind) & WORD_CONNECTIVE);
        if (alone || !unit_find_in_prose(behind, &m))
            is = alone ? RATE_IS : RATE_PERHAPS;
    }
    return is;
}

/* The most that the text before the factor and the steps before say of its number. */
static rate_is rate_before(const rdv_calculator *c, const tokens *t, const conversion *found)
{
    bool all = c->question.len && c->n_steps <= CALCULATOR_STEPS_MAX;
    rate_is least = all ? RATE_NOT : RATE_PERHAPS;
    rate_is is = rate_in(t, found, rdv_slice(t->text, 0, t->at[found->begin].begin));
    for (size_t i = 0; i < c->n_steps && i < CALCULATOR_STEPS_MAX && is < RATE_IS; i++) {
        rate_is here = rate_in(t, found, c->steps[i]);
        is = here > is ? here : is;
    }
    return is > least ? is : least;
}

/* How near the number stated is to how many it is; that with its unit into *value. */
static int compare_conversion(rdv_calculator *c, const tokens *t, const conversion *found,
                              closeness *is, rdv_str *value)
{
    fmpq_t ratio, said, most;
    long decimals;
    fmpq_init(ratio);
    fmpq_init(said);
    fmpq_init(most);
    conversion_ratio(t, found, ratio);
    *value = print_value(ratio, c->arena);
    if (value->p)
        *value = rdv_str_printf(c->arena, "%.*s %.*s", RDV_FMT(*value),
                                RDV_FMT(tok_text(t, found->number + 1)));
    *is = CLOSE_ROUGH;
    if (literal_value(t, found->number, said, &decimals)) {
        bool whole = fmpz_is_one(fmpq_denref(ratio)); /* else it is rounded, as 1.6 km a mile */
        fmpq_set_ui(most, whole ? 0 : 1, 20);
        fmpq_mul(most, most, ratio);
        fmpq_sub(said, said, ratio);
        fmpq_abs(said, said);
        *is = fmpq_is_zero(said) ? CLOSE_EQUAL : fmpq_cmp(said, most) > 0 ? CLOSE_NOT : CLOSE_ROUGH;
    }
    fmpq_clear(ratio);
    fmpq_clear(said);
    fmpq_clear(most);
    return value->p ? RDV_OK : RDV_E_NOMEM;
}

/* What a unit is of another, as stated or used at `found`. */
static int decide_conversion(rdv_calculator *c, const tokens *t, size_t offset,
                             const conversion *found, calc_list *out)
{
    size_t begin = t->at[found->begin].begin, end = t->at[found->end - 1].end;
    closeness is;
    rdv_str value;
    int r = compare_conversion(c, t, found, &is, &value);
    bool off = is == CLOSE_NOT && !conversion_is_given(t, found, c->question) &&
               !assertion_not(t->rules, t->text, begin, end);
    rate_is rate = off && found->factor ? rate_before(c, t, found) : RATE_NOT;
    bool right = is == CLOSE_EQUAL && !found->factor, wrong = off && rate == RATE_NOT,
         unsure = off && rate == RATE_PERHAPS;
    if (r < 0 || (!right && !wrong && !unsure))
        return r;
    rdv_str shown = rdv_slice(t->text, t->at[found->number].begin, t->at[found->number + 1].end);
    rdv_str of = rdv_slice(t->text, t->at[found->count ? found->count : found->large].begin,
                           t->at[found->large].end);
    rdv_calc calc = {
        .begin = offset + begin,
        .end = offset + end,
        .lhs = of,
        .rhs = shown,
        .kind = right    ? RDV_CALC_RIGHT
                : unsure ? RDV_CALC_UNDECIDED
                         : RDV_CALC_WRONG,
        .value = right ? (rdv_str){0} : value,
        .claim = right ? (rdv_str){0} : shown,
        .note = unsure ? RDV_STR("a rate, or how many of one unit make another")
                       : RDV_STR("how many of one unit make another"),
    };
    return calc_list_put(out, c->arena, &calc);
}

/* The unit of the amount that is converted: where it stands there, or in the text before it, the
 * steps before and the question; p == NULL: none is known, or it stands in the other unit too. */
static rdv_str unit_of_amount(const rdv_calculator *c, const tokens *t,
                              const conversion_amount *found)
{
    bool same = false;
    rdv_str before = rdv_slice(t->text, 0, t->at[found->begin].begin), of = found->amount_unit;
    for (size_t i = 0; i < c->n_steps + 2 && !found->amount_unit.p; i++) {
        rdv_str in = i == 0 ? before : i == 1 ? c->question : c->steps[i - 2];
        rdv_str here = conversion_amount_unit_in(t, found, in, &same);
        of = here.p ? here : of;
    }
    return same ? (rdv_str){0} : of;
}

/* The value of the token at `i`, a number that is not zero: zero of one unit is zero of another, by
 * whatever it is multiplied. */
static bool number_at(const tokens *t, size_t i, fmpq_t out)
{
    long decimals;
    return literal_value(t, i, out, &decimals) && !fmpq_is_zero(out);
}

/* The value of tokens from `begin` to `end`, a number or a fraction, that is not zero. */
static bool value_of(const tokens *t, size_t begin, size_t end, fmpq_t out)
{
    if (!number_at(t, begin, out))
        return false;
    if (end == begin + 1)
        return true;
    fmpq_t under;
    fmpq_init(under);
    bool ok = number_at(t, end - 1, under);
    if (ok)
        fmpq_div(out, out, under);
    fmpq_clear(under);
    return ok;
}

/* Is `number` what someone may take for the ratio: within a factor of two of it, but another? A
 * small one may count something. */
static bool is_mistaken_for(const fmpq_t number, const fmpq_t ratio)
{
    fmpq_t share;
    if (fmpq_cmp_ui(number, LEAST_RATIO) < 0)
        return false;
    fmpq_init(share);
    fmpq_div(share, number, ratio);
    bool is = fmpq_cmp_ui(share, 2) < 0 && !fmpq_is_one(share);
    fmpq_inv(share, share);
    is = is && fmpq_cmp_ui(share, 2) < 0;
    fmpq_clear(share);
    return is;
}

static rdv_str with_unit(rdv_calculator *c, const fmpq_t x, rdv_str of)
{
    rdv_str number = print_value(x, c->arena);
    return number.p ? rdv_str_printf(c->arena, "%.*s %.*s", RDV_FMT(number), RDV_FMT(of)) : number;
}

static int add_amount(rdv_calculator *c, const tokens *t, size_t offset,
                      const conversion_amount *found, rdv_str value, rdv_str claim, calc_list *out)
{
    size_t begin = t->at[found->begin].begin, end = t->at[found->end - 1].end;
    size_t middle = t->at[found->number].end;
    if (!value.p || !claim.p)
        return RDV_E_NOMEM;
    return calc_list_put(out, c->arena,
                         &(rdv_calc){.begin = offset + begin,
                                     .end = offset + end,
                                     .lhs = rdv_slice(t->text, begin, middle),
                                     .rhs = tok_text(t, found->to),
                                     .kind = RDV_CALC_WRONG,
                                     .value = value,
                                     .claim = claim,
                                     .note = RDV_STR("the amount converted that stands before")});
}

/* Wrong where the amount has a unit that its number does not convert, and the number is not known
 * from elsewhere. */
static int decide_amount(rdv_calculator *c, const tokens *t, size_t offset,
                         const conversion_amount *found, calc_list *out)
{
    size_t begin = t->at[found->begin].begin, end = t->at[found->end - 1].end;
    rdv_str number = tok_text(t, found->number), to = tok_text(t, found->to);
    if (literal_stands_in(c->question, number) ||
        was_found(c, rdv_slice(t->text, 0, begin), number))
        return RDV_OK;
    rdv_str of = unit_of_amount(c, t, found);
    if (!of.p || assertion_not(t->rules, t->text, begin, end))
        return RDV_OK;
    fmpq_t ratio, by, amount, said;
    fmpq_init(ratio);
    fmpq_init(by);
    fmpq_init(amount);
    fmpq_init(said);
    int r = RDV_OK;
    if (conversion_amount_ratio(t, found, of, ratio) && number_at(t, found->number, by) &&
        value_of(t, found->begin, found->amount_end, amount)) {
        fmpq_t times;
        fmpq_init(times);
        found->divided ? fmpq_inv(times, ratio) : fmpq_set(times, ratio);
        bool mistaken = is_mistaken_for(by, times);
        fmpq_clear(times);
        if (found->divided)
            fmpq_inv(by, by);
        if (mistaken) {
            fmpq_mul(said, amount, by);
            fmpq_mul(amount, amount, ratio);
            r = add_amount(c, t, offset, found, with_unit(c, amount, to), with_unit(c, said, to),
                           out);
        }
    }
    fmpq_clear(ratio);
    fmpq_clear(by);
    fmpq_clear(amount);
    fmpq_clear(said);
    return r;
}

int conversion_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out)
{
    conversion found;
    conversion_amount amount;
    int r = RDV_OK;
    for (size_t i = 0; r == RDV_OK && conversion_find(t, i, &found); i = found.end)
        r = decide_conversion(c, t, offset, &found, out);
    for (size_t i = 0; r == RDV_OK && conversion_amount_find(t, i, &amount); i = amount.end)
        r = decide_amount(c, t, offset, &amount, out);
    return r;
}
