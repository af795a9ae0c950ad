/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/rounding.h"

#include "base/str.h"
#include "language/assertion.h"

#define LONG_DIGITS 6 /* of a number whose last ones nobody works out by hand */
#define MAX_DIGITS 40 /* of a result that may be rounded by hand */

const char *rounding_as_said(const reading_eval *t)
{
    const tokens *toks = t->k->t;
    size_t begin = toks->at[t->lhs->begin].begin, end = toks->at[t->rhs->end - 1].end;
    int side = compare_neighbour(toks, t->lhs, t->rhs, t->l, t->r);
    if (!side || !assertion_is_rounded(toks->rules, toks->text, begin, end, side > 0))
        return NULL;
    return side > 0 ? "rounded up, as the text says" : "rounded down, as the text says";
}

bool rounding_is_otherwise(const reading_eval *t)
{
    const tokens *toks = t->k->t;
    int side = t->literal == EVAL_OK ? compare_neighbour(toks, t->lhs, t->rhs, t->l, t->r) : 0;
    return side && assertion_is_rounded(toks->rules, toks->text, toks->at[t->lhs->begin].begin,
                                        toks->at[t->rhs->end - 1].end, side < 0);
}

/* Can the sides be equal when their decimals were rounded, under the readings? */
static bool loosely_equal_as(const reading_eval *t, unsigned readings)
{
    evaluation ev = reading_eval_evaluation(t->k, readings);
    bool result = expression_is_plain(t->rhs) && !t->lhs->ellipsis && !t->rhs->ellipsis;
    if (result) /* its own rounding was looked at */
        ev.given = &t->k->question;
    bool can = false, used, inexact;
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    if (reading_eval_values(t, readings, false, l, r, &used, &inexact) == EVAL_OK)
        can = (!result && real_eval_loosely(&ev, t->rhs->root, l, &can) == EVAL_OK && can) ||
              (real_eval_loosely(&ev, t->lhs->root, r, &can) == EVAL_OK && can);
    fmpq_clear(l);
    fmpq_clear(r);
    return can;
}

bool rounding_has_decimal(const tokens *t, const node *n)
{
    return n && ((n->is == N_NUMBER &&
                  rdv_find_char(tok_text(t, n->end - 1), '.', 0) != RDV_NOT_FOUND) ||
                 rounding_has_decimal(t, n->a) || rounding_has_decimal(t, n->b));
}

/* "12345 + 1 = 1.2345 x 10^4": where the left side has no decimals, the last digit that is shown
 * before a power has to be the nearest, or the one that is left when the rest is cut off. */
static bool misses_last_digit(const reading_eval *t)
{
    const node *n = t->rhs->root;
    bool scientific = n->is == N_MULTIPLY && n->a->is == N_NUMBER && n->b->is == N_POWER &&
                      n->b->a->is == N_NUMBER;
    if (!scientific || rounding_has_decimal(t->k->t, t->lhs->root))
        return false;
    fmpq_t place, number, apart;
    long decimals = 0;
    fmpq_init(place);
    fmpq_init(number);
    fmpq_init(apart);
    bool misses = literal_value(t->k->t, n->a->end - 1, number, &decimals) && decimals >= 0 &&
                  !fmpq_is_zero(number);
    if (misses) { /* what one at the last place stands for */
        fmpq_div(place, t->r, number);
        fmpq_set_ui(number, 10, 1);
        fmpq_pow_si(number, number, decimals);
        fmpq_div(place, place, number);
        fmpq_abs(place, place);
        fmpq_sub(apart, t->l, t->r);
        fmpq_abs(apart, apart);
        bool cut = fmpz_cmpabs(fmpq_numref(t->r), fmpq_numref(t->l)) <= 0;
        fmpq_mul_2exp(number, apart, 1);
        misses = fmpq_cmp(number, place) > 0 && !(cut && fmpq_cmp(apart, place) < 0);
    }
    fmpq_clear(place);
    fmpq_clear(number);
    fmpq_clear(apart);
    return misses;
}

/* How many digits a number shows from its first that is not zero, without zeros at the end. */
static size_t significant_digits(rdv_str number)
{
    size_t n = 0, zeros = 0;
    for (size_t i = 0; i < number.len && number.p[i] != 'e' && number.p[i] != 'E'; i++) {
        bool zero = number.p[i] == '0';
        zeros = zero ? zeros + 1 : 0;
        n += rdv_is_digit(number.p[i]) && (n || !zero);
    }
    return n > zeros ? n - zeros : 0;
}

/* The digits of a number, perhaps with a power of ten and a unit: "8.914" of "8.914 x 10^30 kg"; p
 * == NULL: it is none. */
static rdv_str shown_number(const tokens *t, const node *n)
{
    while (n->is == N_NEGATE || n->is == N_UNIT ||
           (n->is == N_MULTIPLY && (n->b->is == N_UNIT ? n->b->a : n->b)->is == N_POWER))
        n = n->a;
    return n->is == N_NUMBER ? tok_text(t, n->end - 1) : (rdv_str){0};
}

/* "2.69 x 10^5 eV = 268.7 keV": a number, and the same with further digits. */
static bool shows_more_digits(const reading_eval *t)
{
    rdv_str l = shown_number(t->k->t, t->lhs->root), r = shown_number(t->k->t, t->rhs->root);
    return l.p && r.p && significant_digits(l) < significant_digits(r);
}

/* "80.92^2 = 6547.2464": is the result shown to as many decimals, three or more, as the exact value
 * has, and are the last two of them right? Then it was worked out in full, and nothing rounded. */
static bool is_worked_out_in_full(const reading_eval *t)
{
    const node *n = t->rhs->root->is == N_UNIT ? t->rhs->root->a : t->rhs->root;
    fmpq_t x, ten;
    long decimals = 0;
    fmpq_init(x);
    fmpq_init(ten);
    bool in_full = n->is == N_NUMBER && !expression_is_plain(t->lhs) &&
                   literal_value(t->k->t, n->end - 1, x, &decimals) && decimals >= 3;
    if (in_full) {
        fmpq_set_ui(ten, 10, 1);
        fmpq_pow_si(ten, ten, decimals);
        fmpq_mul(x, t->l, ten);
        in_full = fmpz_is_one(fmpq_denref(x)) && !fmpz_divisible_si(fmpq_numref(x), 10);
        fmpq_sub(x, t->l, t->r);
        fmpq_mul(x, x, ten);
        in_full = in_full && fmpz_is_one(fmpq_denref(x)) && fmpz_divisible_si(fmpq_numref(x), 100);
    }
    fmpq_clear(x);
    fmpq_clear(ten);
    return in_full;
}

bool rounding_may_explain(const reading_eval *t)
{
    bool goes_on = t->lhs->ellipsis || t->rhs->ellipsis || shows_more_digits(t);
    if (!goes_on && (expression_is_plain(t->lhs) ||
                     (expression_is_plain(t->rhs) && !compare_to_one_percent(t->l, t->r))))
        return false;
    if (misses_last_digit(t) || is_worked_out_in_full(t))
        return false;
    if (!t->must_convert && loosely_equal_as(t, t->reading))
        return true;
    for (unsigned v = 0; v < QUANTITY_VARIANTS; v++)
        if ((t->q.fits >> v & 1) && loosely_equal_as(t, quantity_readings(v)))
            return true;
    return false;
}

/* "1 / \sqrt{0.010898} = 1 / 0.1044": is the right side, a calculation, the left one with numbers
 * that were rounded? Those that stand on the left too were not. */
static bool rounds_as(const reading_eval *t, unsigned readings)
{
    const token *at = t->k->t->at;
    rdv_str left = rdv_slice(t->k->t->text, at[t->lhs->begin].begin, at[t->lhs->end - 1].end);
    evaluation ev = reading_eval_evaluation(t->k, readings);
    bool can = false, used, inexact;
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    ev.given = &left;
    ev.exactly = true;
    can = reading_eval_values(t, readings, false, l, r, &used, &inexact) == EVAL_OK &&
          compare_to_one_percent(l, r) &&
          real_eval_loosely(&ev, t->rhs->root, l, &can) == EVAL_OK && can;
    fmpq_clear(l);
    fmpq_clear(r);
    return can;
}

bool rounding_of_numbers(const reading_eval *t)
{
    if (expression_is_plain(t->lhs) || expression_is_plain(t->rhs))
        return false;
    bool rounds = !t->must_convert && rounds_as(t, t->reading);
    for (unsigned v = 0; v < QUANTITY_VARIANTS && !rounds; v++)
        rounds = (t->q.fits >> v & 1) && rounds_as(t, quantity_readings(v));
    return rounds;
}

bool rounding_of_side_before(const reading_eval *t, const equality *chain, size_t i)
{
    bool can = false;
    if (i == 0)
        return false;
    const expression *before = &chain->term[i - 1];
    evaluation ev = reading_eval_evaluation(t->k, READ_LITERALLY);
    fmpq_t value;
    fmpq_init(value);
    bool rounds = reading_eval_term_value(t->k, before, value) == EVAL_OK &&
                  compare_values(t->k->t, before, t->rhs, value, t->r, READ_LITERALLY,
                                 TOLERANCE_NONE) <= CLOSE_ROUNDED &&
                  real_eval_loosely(&ev, t->lhs->root, value, &can) == EVAL_OK && can;
    fmpq_clear(value);
    return rounds;
}

bool rounding_leaves_out_digits(const reading_eval *t)
{
    const tokens *toks = t->k->t;
    const node *n = t->rhs->root;
    while (n->is == N_NEGATE || (n->is == N_UNIT && !n->sign))
        n = n->a;
    rdv_str shown = n->is == N_NUMBER ? tok_text(toks, n->end - 1) : (rdv_str){0};
    if (t->k->wordless || !rdv_ends(shown, RDV_STR("0")) ||
        rdv_find_char(shown, '.', 0) != RDV_NOT_FOUND ||
        (significant_digits(shown) < 2 && !compare_to_one_percent(t->l, t->r)) ||
        toks->at[t->rhs->begin].kind == TOK_CURRENCY || !rounding_has_decimal(toks, t->lhs->root))
        return false;
    size_t zeros = 0;
    while (shown.p[shown.len - 1 - zeros] == '0')
        zeros++;
    fmpq_t difference, half;
    fmpq_init(difference);
    fmpq_init(half);
    fmpz_set_ui(fmpq_numref(half), 10);
    fmpz_pow_ui(fmpq_numref(half), fmpq_numref(half), zeros);
    fmpq_div_2exp(half, half, 1);
    fmpq_sub(difference, t->l, t->r);
    fmpq_abs(difference, difference);
    bool rounded = fmpq_cmp(difference, half) <= 0;
    fmpq_clear(difference);
    fmpq_clear(half);
    return rounded;
}

bool rounding_is_inexact(const reading_eval *t)
{
    return !fmpz_is_one(fmpq_denref(t->l)) || rounding_has_decimal(t->k->t, t->lhs->root);
}

bool rounding_misses_last_digits(const reading_eval *t)
{
    if (!t->k->by_hand || fmpq_is_zero(t->r))
        return false;
    rdv_str shown = shown_number(t->k->t, t->rhs->root);
    char digits[MAX_DIGITS];
    size_t n_digits = 0, i = 0;
    bool point = false;
    for (; i < shown.len && n_digits + 1 < sizeof digits && shown.p[i] != 'e' && shown.p[i] != 'E';
         i++) {
        point |= shown.p[i] == '.';
        if (rdv_is_digit(shown.p[i]))
            digits[n_digits++] = shown.p[i];
    }
    digits[n_digits] = 0;
    if (significant_digits(shown) < 3 || !point)
        return false;
    fmpq_t place, l, apart;
    fmpq_init(place);
    fmpq_init(l);
    fmpq_init(apart);
    fmpz_set_str(fmpq_numref(apart), digits, 10);
    fmpq_div(place, t->r, apart); /* what one at the last place stands for */
    fmpq_abs(place, place);
    fmpq_div(l, t->l, place);
    bool misses = !fmpz_is_one(fmpq_denref(l)); /* it has further digits */
    fmpq_sub(apart, t->l, t->r);
    fmpq_abs(apart, apart);
    fmpq_mul_ui(place, place, 5);
    misses = misses && (fmpq_cmp(apart, place) <= 0 || significant_digits(shown) >= LONG_DIGITS);
    fmpq_mul_ui(apart, apart, 1000);
    fmpq_abs(l, t->l);
    misses = misses && fmpq_cmp(apart, l) <= 0;
    fmpq_clear(place);
    fmpq_clear(l);
    fmpq_clear(apart);
    return misses;
}
