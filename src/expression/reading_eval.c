/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/reading_eval.h"

#include "base/str.h"
#include "expression/reading.h"

#define MAX_READINGS 16 /* combinations tried */

void reading_eval_init(reading_eval *t, const knowledge *k, const expression *lhs,
                       const expression *rhs, bool about)
{
    t->k = k;
    t->lhs = lhs;
    t->rhs = rhs;
    t->about = about;
    t->said_about = t->must_convert = t->limit = t->apart = false;
    fmpq_init(t->l);
    fmpq_init(t->r);
    fmpq_init(t->in_unit);
    t->literal = EVAL_OK;
    t->best = t->saved = t->alone = t->converted = CLOSE_NOT;
    t->usual = t->reading = t->saving = READ_LITERALLY;
}

void reading_eval_clear(reading_eval *t)
{
    fmpq_clear(t->l);
    fmpq_clear(t->r);
    fmpq_clear(t->in_unit);
}

evaluation reading_eval_evaluation(const knowledge *k, unsigned readings)
{
    return (evaluation){.t = k->t,
                        .reading = readings,
                        .budget = k->budget,
                        .bindings = k->bindings,
                        .n_bindings = k->n_bindings};
}

static bool holds_hundred(const tokens *t, const node *n)
{
    if (!n)
        return false;
    if (n->is == N_NUMBER)
        return rdv_str_eq(tok_text(t, n->end - 1), RDV_STR("100"));
    return holds_hundred(t, n->a) || holds_hundred(t, n->b);
}

bool reading_eval_holds_percent(const node *n)
{
    return n && (n->is == N_PERCENT || reading_eval_holds_percent(n->a) ||
                 reading_eval_holds_percent(n->b));
}

/* "20% * 50%": as numbers, such a product would be a hundred times as much. */
static bool multiplies_percents(const node *n)
{
    bool product = n && (n->is == N_MULTIPLY || n->is == N_DIVIDE);
    return n &&
           ((product && reading_eval_holds_percent(n->a) && reading_eval_holds_percent(n->b)) ||
            multiplies_percents(n->a) || multiplies_percents(n->b));
}

/* Which of the readings a left side may have. Words after "of" explain a result, not what is
 * calculated; and a percentage that is multiplied is a fraction, unless the result is a percentage
 * too or a hundred takes part ("3 / 21 * 100% = 14.28", "20% / 100 = 0.2"). */
static unsigned readings_of_left(const reading_eval *t, unsigned readings)
{
    unsigned all = ~(unsigned)READ_OF_AS_PROSE;
    if (!(readings & READ_PERCENT_AS_NUMBER))
        return readings & all;
    bool fraction = t->lhs->product && !(t->rhs->readings & READ_PERCENT_AS_NUMBER) &&
                    !holds_hundred(t->k->t, t->lhs->root);
    if (fraction || (t->lhs->product && multiplies_percents(t->lhs->root)))
        all &= ~(unsigned)READ_PERCENT_AS_NUMBER;
    return readings & all;
}

bool reading_eval_may_unround(const reading_eval *t)
{
    const token *at = t->k->t->at; /* the sides alone: a step may have thousands of equalities */
    rdv_str sides = rdv_slice(t->k->t->text, at[t->lhs->begin].begin, at[t->rhs->end - 1].end);
    return t->k->n_rounds || rdv_find(sides, RDV_STR("3.14"), 0) != RDV_NOT_FOUND;
}

eval_is reading_eval_term_value(const knowledge *k, const expression *e, fmpq_t out)
{
    evaluation ev = reading_eval_evaluation(k, READ_LITERALLY);
    return real_eval(&ev, e->root, out);
}

eval_is reading_eval_values(const reading_eval *t, unsigned readings, bool unround, fmpq_t l,
                            fmpq_t r, bool *used, bool *inexact)
{
    unsigned apart = t->apart ? READ_SCIENTIFIC | READ_PLAINLY_SCIENTIFIC : 0;
    evaluation ev = reading_eval_evaluation(t->k, readings & ~apart);
    eval_is is = real_eval(&ev, t->rhs->root, r);
    if (is != EVAL_OK)
        return is;
    if (unround) {
        ev.rounds = t->k->rounds;
        ev.n_rounds = t->k->n_rounds;
    }
    ev.reading = readings_of_left(t, readings);
    is = real_eval(&ev, t->lhs->root, l);
    *used = ev.used_rounds;
    *inexact = ev.inexact;
    return is;
}

/* Values in bases become values in the unit that is shown, so that they are rounded in it. */
static void to_shown_unit(reading_eval *t, unsigned readings, fmpq_t l, fmpq_t r)
{
    const measure *rounded = compare_unit(t->k->t, t->lhs, t->rhs, readings);
    const measure *m = quantity_shown_in(t->rhs, readings);
    bool product = !m && t->rhs->product && !t->rhs->mixed_units && !fmpq_is_zero(r);
    if (!m && t->rhs->n_different)
        m = t->rhs->units[0];
    if (!m)
        m = quantity_shown_in(t->lhs, readings);
    if (!m)
        return;
    fmpq_t factor;
    fmpq_init(factor);
    measure_size(m, factor);
    if (fmpq_is_zero(t->in_unit)) { /* the first reading in which they fit */
        fmpq_div(t->in_unit, l, product ? r : factor);
        if (product) /* a product counts in all its units together */
            fmpq_mul(t->in_unit, t->in_unit, t->r);
    }
    measure_size(rounded ? rounded : m, factor);
    fmpq_div(l, l, factor);
    fmpq_div(r, r, factor);
    fmpq_clear(factor);
}

static tolerance tolerance_of(const reading_eval *t, unsigned readings)
{
    return t->about || t->said_about                 ? TOLERANCE_ABOUT
           : (readings & READ_UNITS) && t->q.crosses ? TOLERANCE_CONVERTED
                                                     : TOLERANCE_NONE;
}

closeness reading_eval_read(reading_eval *t, unsigned readings, bool unround)
{
    fmpq_t own_l, own_r;
    fmpq_init(own_l);
    fmpq_init(own_r);
    bool literally = readings == t->usual && !unround && !t->apart;
    bool used = false, inexact = false;
    fmpq *l = literally ? t->l : own_l, *r = literally ? t->r : own_r;
    closeness c = CLOSE_NOT;
    eval_is is = reading_eval_values(t, readings, unround, l, r, &used, &inexact);
    if (literally)
        t->literal = is;
    t->limit |= is == EVAL_LIMIT;
    if (is == EVAL_OK && (!unround || used)) {
        if (readings & READ_UNITS)
            to_shown_unit(t, readings, l, r);
        c = inexact && compare_to_50_digits(l, r)
                ? CLOSE_EQUAL
                : compare_values(t->k->t, t->lhs, t->rhs, l, r, readings,
                                 tolerance_of(t, readings));
        if (c == CLOSE_EQUAL && (readings & (READ_PI_AS_3_14 | READ_PI_AS_22_7)))
            c = CLOSE_ROUNDED;
        closeness *of_kind = readings & READ_UNITS ? &t->converted : &t->alone;
        *of_kind = c < *of_kind ? c : *of_kind;
        if (t->must_convert && !(readings & READ_UNITS))
            c = CLOSE_NOT;
    }
    fmpq_clear(own_l);
    fmpq_clear(own_r);
    return c;
}

/* Do the units, read as `readings` say, fit? Without READ_UNITS they are not looked at. */
static bool units_fit(const reading_eval *t, unsigned readings)
{
    if (!(readings & READ_UNITS))
        return !(readings & (READ_DOLLARS | READ_OTHER_UNITS));
    unsigned variant = (readings & READ_DOLLARS ? 1 : 0) | (readings & READ_OTHER_UNITS ? 2 : 0);
    return t->q.fits >> variant & 1;
}

/* A number, "1 3/4 feet" or "\frac{7}{4} feet". */
static bool is_amount(const expression *e)
{
    const node *n = e->root;
    if (expression_is_plain(e))
        return true;
    n = n->is == N_UNIT ? n->a : n;
    n = n->is == N_MIXED ? n->b : n;
    return e->n_operators == 1 && n->is == N_DIVIDE && n->a->is == N_NUMBER && n->b->is == N_NUMBER;
}

bool reading_eval_states_conversion(const reading_eval *t)
{
    return expression_is_plain(t->lhs) && is_amount(t->rhs) && t->q.fits && t->q.complete &&
           t->q.converts;
}

/* How near the sides are under `always` and the subset of `some` that brings them nearest; *under:
 * both together. At most MAX_READINGS subsets are tried. */
static closeness nearest_of(reading_eval *t, unsigned always, unsigned some, unsigned *under)
{
    closeness best = CLOSE_NOT;
    size_t tried = 0;
    *under = always;
    for (unsigned r = 0;; r = (r - some) & some) { /* the subsets of `some` in order */
        if (units_fit(t, r | always)) {
            closeness c = reading_eval_read(t, r | always, false);
            tried++;
            if (c < best) {
                best = c;
                *under = r | always;
            }
        }
        if (r == some || best == CLOSE_EQUAL || tried == MAX_READINGS || t->limit)
            return best;
    }
}

/* What both sides offer, but for what cannot be meant. */
static unsigned offered_by(const reading_eval *t)
{
    unsigned offered = t->lhs->readings | t->rhs->readings;
    if (reading_eval_states_conversion(t)) /* "18 inches = 1\frac{1}{2} feet" multiplies nothing */
        offered &= ~(unsigned)READ_MIXED_AS_PRODUCT;
    if (!t->q.fits)
        offered &= ~(unsigned)(READ_UNITS | READ_DOLLARS | READ_OTHER_UNITS);
    return offered;
}

/* Whether numbers that agree also agree in their units. */
static void read_units_of_agreement(reading_eval *t)
{
    for (unsigned v = 0; v < QUANTITY_VARIANTS && t->best == CLOSE_EQUAL && !t->limit; v++)
        if (t->q.complete && (t->q.fits >> v & 1) && t->converted > CLOSE_ROUNDED)
            reading_eval_read(t, t->usual | quantity_readings(v), false);
}

/* "15/60 = 0.25%": a quotient that nothing makes hundredths is not its number in percent. */
static bool is_share_without_hundred(const reading_eval *t)
{
    return t->lhs->root->is == N_DIVIDE && (t->rhs->readings & READ_PERCENT_AS_NUMBER) &&
           !holds_hundred(t->k->t, t->lhs->root);
}

void reading_eval_read_all(reading_eval *t)
{
    quantity_look(t->k->t, t->lhs, t->rhs, &t->q);
    t->must_convert = t->q.fits && (t->q.sums_differ || reading_eval_states_conversion(t));
    unsigned offered = offered_by(t), both = readings_that_are(offered, READING_BOTH),
             unusual = readings_that_are(offered, READING_UNUSUAL), derived;
    t->usual = readings_that_are(offered, READING_INSTEAD);
    if ((offered & READ_PERCENT_OF_LEFT) || /* "60 + 20%": no 20 is added */
        is_share_without_hundred(t))
        unusual |= offered & READ_PERCENT_AS_NUMBER;
    derived = offered & ~(t->usual | both | unusual);
    t->best = CLOSE_EQUAL;
    for (unsigned b = 0;; b = (b - both) & both) {
        unsigned under;
        closeness c = nearest_of(t, t->usual | b, derived, &under);
        if (b == 0 || c > t->best) {
            t->best = c;
            t->reading = under;
        }
        if (b == both || t->limit)
            break;
    }
    if (t->best > CLOSE_ROUNDED && !t->limit && (t->usual | both | unusual))
        t->saved = nearest_of(t, 0, offered, &t->saving);
    unsigned scientific = READ_SCIENTIFIC | READ_PLAINLY_SCIENTIFIC;
    if (t->best > CLOSE_ROUNDED && t->saved > CLOSE_ROUNDED && !t->limit &&
        (t->lhs->readings & scientific) && (t->rhs->readings & scientific)) {
        t->apart = true;
        t->saved = nearest_of(t, offered & scientific, offered & ~scientific, &t->saving);
        t->apart = false;
    }
    t->q.converts |= t->q.fits && t->literal == EVAL_OK && !fmpq_equal(t->in_unit, t->l);
    read_units_of_agreement(t);
}

bool reading_eval_has_readings(const expression *lhs, const expression *rhs)
{
    unsigned offered = lhs->readings | rhs->readings;
    return readings_that_are(offered, READING_INSTEAD) || readings_that_are(offered, READING_BOTH);
}

bool reading_eval_is_real(const fmpq_t x)
{
    return fmpz_bits(fmpq_denref(x)) > 150;
}
