/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/decide.h"

#include "base/str.h"
#include "claims/adjacency.h"
#include "claims/equation.h"
#include "claims/letter_product.h"
#include "decide/angle.h"
#include "decide/complex.h"
#include "decide/rewriting.h"
#include "decide/rounding.h"
#include "decide/withhold.h"
#include "explain/explanation.h"
#include "expression/clause.h"
#include "expression/compare.h"
#include "expression/format_value.h"
#include "expression/identity.h"
#include "expression/print.h"
#include "expression/reading.h"
#include "expression/reading_eval.h"
#include "expression/small_eval.h"
#include "language/assertion.h"
#include "language/number_words.h"
#include "language/own_sign.h"
#include "language/rule.h"

void decision_withhold(decision *d, const rule *by)
{
    d->is_calculation = true;
    d->kind = RDV_CALC_UNDECIDED;
    d->note = rdv_str_of(rule_effect_reason(by->effect));
    d->rule = by->id;
}

static int say(decision *d, rdv_calc_kind is, const char *note)
{
    d->is_calculation = true;
    d->kind = is;
    d->rule = (rdv_str){0};
    d->note = note ? rdv_str_of(note) : (rdv_str){0};
    return RDV_OK;
}

static rdv_str print_side(const fmpq_t x, rdv_arena *arena)
{
    return reading_eval_is_real(x) ? print_real(x, arena) : print_value(x, arena);
}

/* Undecided: right in a reading that is not the usual one, or in one of two that are. */
static int say_saved(const reading_eval *t, decision *d)
{
    const char *how = reading_note(t->saving & ~t->usual);
    how = how ? how : reading_otherwise((t->usual | t->reading) & ~t->saving);
    say(d, RDV_CALC_UNDECIDED, "right only in another reading");
    if (how)
        d->note = rdv_str_printf(t->k->arena, "right only with %s", how);
    return d->note.p ? RDV_OK : RDV_E_NOMEM;
}

/* "A rise of 10 °C = 18 °F": the numbers are as degrees of the two scales are. */
static bool is_difference_of_degrees(const reading_eval *t)
{
    fmpq_t degrees;
    fmpq_init(degrees);
    bool is = quantity_degrees(t->lhs, t->rhs, t->l, degrees) &&
              compare_values(t->k->t, t->lhs, t->rhs, degrees, t->r, READ_LITERALLY,
                             TOLERANCE_NONE) <= CLOSE_ROUNDED;
    fmpq_clear(degrees);
    return is;
}

/* "25 °C = 77 °F" */
static int decide_temperature(reading_eval *t, bool clean, decision *d)
{
    fmpq_t l;
    fmpq_init(l);
    int result = RDV_NONE;
    if (clean && expression_is_plain(t->lhs) && expression_is_plain(t->rhs) &&
        t->literal == EVAL_OK && quantity_temperature(t->lhs, t->rhs, t->l, l)) {
        closeness c = compare_values(t->k->t, t->lhs, t->rhs, l, t->r, READ_LITERALLY,
                                     t->about ? TOLERANCE_ABOUT : TOLERANCE_NONE);
        bool difference = c > CLOSE_ROUNDED && is_difference_of_degrees(t);
        result = say(d,
                     c == CLOSE_EQUAL                ? RDV_CALC_RIGHT
                     : c == CLOSE_ROUNDED            ? RDV_CALC_ROUNDED
                     : c == CLOSE_NOT && !difference ? RDV_CALC_WRONG
                                                     : RDV_CALC_UNDECIDED,
                     difference         ? "a temperature, or a difference of temperatures"
                     : c == CLOSE_FAR   ? "rounded by more than one percent"
                     : c == CLOSE_ROUGH ? "a rough conversion"
                                        : "a temperature converted");
        d->value = format_value(t->k->t, t->rhs, t->r, l, false, t->k->arena);
        d->claim = format_claim(t->k->t, t->rhs, t->r, false, t->k->arena);
        result = d->value.p && d->claim.p ? result : RDV_E_NOMEM;
    }
    fmpq_clear(l);
    return result;
}

/* "3/8 = 0.375 = 38.5%": is a decimal written as a percentage? */
static bool is_decimal_as_percentage(const reading_eval *t)
{
    const node *l = t->lhs->root, *r = t->rhs->root;
    return l->is == N_NUMBER && r->is == N_PERCENT && r->a->is == N_NUMBER &&
           rdv_find_char(tok_text(t->k->t, l->end - 1), '.', 0) != RDV_NOT_FOUND;
}

/* Is it a calculation at all, or does it name, convert or compare? */
static bool nothing_to_say(const reading_eval *t, const equality *chain, size_t i, bool clean)
{
    const expression *l = t->lhs, *r = t->rhs;
    bool worded = l->n_units || l->n_words || (l->readings & READ_PERCENT_AS_NUMBER);
    /* "students on day 1 = 185 - 100" */
    bool named = chain->after_word && !clause_begins_equality(t->k->t, l->begin);
    if (!expression_is_plain(l) || (t->k->marked && clean))
        return false;
    if (reading_eval_states_conversion(t))
        return !clean;
    if (i == 0 && !chain->clean_left)
        return true;             /* only the end of something that was not read */
    if (!expression_is_plain(r)) /* "18 inches = 18/12" */
        return i == 0 && t->best > CLOSE_ROUNDED && (worded || named);
    /* "60 minutes = 1 hour", "5 = 5"; but "8 = 9" inside a chain is a slip. */
    return t->best != CLOSE_NOT || (chain->n < 3 && !chain->continued) || !clean || worded ||
           r->n_units || r->n_words || t->about ||
           ((r->readings & READ_PERCENT_AS_NUMBER) && !is_decimal_as_percentage(t));
}

/* "12 = 15" at the beginning of a clause, where 12 is no number of something, as in "score 12 =
 * 15". A contradiction may be meant, so it is no error. */
static bool are_different_numbers(const reading_eval *t, const equality *chain, bool clean)
{
    const expression *l = t->lhs, *r = t->rhs;
    const tokens *toks = t->k->t;
    return clean && clause_begins(toks, l->begin) && chain->n == 2 && t->best == CLOSE_NOT &&
           !t->k->marked && l->root->is == N_NUMBER && r->root->is == N_NUMBER &&
           l->end == l->begin + 1 && !l->n_units && !l->n_words && !r->n_units && !r->n_words &&
           !t->about && toks->at[l->end].kind == TOK_EQUAL;
}

/* Is |x| nearer to |y| than |z| is, by ratio? None is zero. */
static bool nearer_by_ratio(const fmpq_t x, const fmpq_t y, const fmpq_t z)
{
    fmpq_t a, b, one;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_init(one);
    fmpq_one(one);
    fmpq_div(a, x, y);
    fmpq_div(b, z, y);
    fmpq_abs(a, a);
    fmpq_abs(b, b);
    if (fmpq_cmp(a, one) < 0)
        fmpq_inv(a, a);
    if (fmpq_cmp(b, one) < 0)
        fmpq_inv(b, b);
    bool nearer = fmpq_cmp(a, b) < 0;
    fmpq_clear(a);
    fmpq_clear(b);
    fmpq_clear(one);
    return nearer;
}

/* Of the left side's value with and without its units: that which is nearer to what is claimed. */
static const fmpq_t *nearer_value(const reading_eval *t)
{
    if (!t->q.fits || !t->q.converts)
        return &t->l;
    if (t->q.complete || t->must_convert)
        return &t->in_unit;
    bool zero = fmpq_is_zero(t->l) || fmpq_is_zero(t->r) || fmpq_is_zero(t->in_unit);
    return !zero && nearer_by_ratio(t->in_unit, t->r, t->l) ? &t->in_unit : &t->l;
}

/* Is it measured, and no number of pairs or points? */
static bool is_measured(const int *power)
{
    return !power[BASE_ONE] && !power[BASE_UNIT];
}

/* The dimensions do not fit: undecided, with the reason. RDV_NONE: they may fit after all. */
static int say_misfit(const reading_eval *t, const dimension_pair *pair, bool added, decision *d)
{
    const char *x = dimension_kind(pair->a), *y = dimension_kind(pair->b);
    bool same = x && y && strcmp(x, y) == 0; /* two scales */
    if (same && strcmp(x, "a temperature") == 0)
        return say(d, RDV_CALC_UNDECIDED, "temperatures of different scales");
    if (!added && (!x || !y) && !(is_measured(pair->a) && is_measured(pair->b)))
        return RDV_NONE;
    say(d, RDV_CALC_UNDECIDED, "units of different kinds");
    if (!x || !y)
        return RDV_OK;
    d->note = added ? rdv_str_printf(t->k->arena, "%s and %s are added", x, y)
                    : rdv_str_printf(t->k->arena, "%s is not %s", x, y);
    return d->note.p ? RDV_OK : RDV_E_NOMEM;
}

/* "3 kg = 3 m": two amounts of different dimensions, and nothing beside them. RDV_NONE: another. */
static int decide_amounts_misfit(const reading_eval *t, bool clean, decision *d)
{
    const expression *l = t->lhs, *r = t->rhs;
    bool amounts = expression_is_plain(l) && expression_is_plain(r) &&
                   quantity_shown_in(l, READ_UNITS) && quantity_shown_in(r, READ_UNITS);
    if (!amounts || !clean || !t->q.sides.is || t->k->marked)
        return RDV_NONE;
    int months = t->q.sides.a[BASE_MONTH] + t->q.sides.b[BASE_MONTH];
    int seconds = t->q.sides.a[BASE_SECOND] + t->q.sides.b[BASE_SECOND];
    if (months == 1 && seconds == 1)
        return say(d, RDV_CALC_UNDECIDED, "units that are counted in more than one way");
    return say_misfit(t, &t->q.sides, false, d);
}

/* "3 pairs * $16.50": may the other factor be meant of each pair? */
static bool multiplies_pairs(const reading_eval *t)
{
    const expression *l = t->lhs;
    bool pairs = false;
    for (size_t i = 0; i < l->n_different; i++)
        pairs |= l->units[i]->power[BASE_ONE] && (l->units[i]->is & UNIT_LOOSE);
    return pairs && (l->root->is == N_MULTIPLY || l->root->is == N_DIVIDE);
}

/* Units that do not fit are not decided, whatever the numbers say; those of products only where the
 * numbers agree. RDV_NONE: they fit, or nothing is known of them. */
static int decide_misfit(const reading_eval *t, decision *d)
{
    const quantities *q = &t->q;
    bool pairs = multiplies_pairs(t);
    if (q->fits && pairs && t->alone > CLOSE_ROUNDED && t->converted <= CLOSE_ROUNDED)
        return say(d, RDV_CALC_UNDECIDED, "of each pair, or of each of the two");
    if (q->fits && q->complete && t->alone <= CLOSE_ROUNDED && t->converted > CLOSE_ROUNDED &&
        !t->must_convert && !pairs)
        return say(d, RDV_CALC_UNDECIDED, "the numbers agree, but not in these units");
    if (q->added.is || q->sides.is)
        return say_misfit(t, q->added.is ? &q->added : &q->sides, q->added.is, d);
    bool products = q->added_products.is || q->product_sides.is;
    if (!products || t->best > CLOSE_ROUNDED || t->k->marked)
        return RDV_NONE;
    return say_misfit(t, q->added_products.is ? &q->added_products : &q->product_sides,
                      q->added_products.is, d);
}

static bool is_kind(const node *n, const char *kind)
{
    const char *is = n->unit && !n->sign && !n->unit->open ? dimension_kind(n->unit->power) : NULL;
    return is && strcmp(is, kind) == 0;
}

/* Is every number of the sum a length, by its own unit? */
static bool adds_lengths(const node *n)
{
    return n->is == N_ADD ? adds_lengths(n->a) && adds_lengths(n->b) : is_kind(n, "a length");
}

/* "4 m + 4 m + 6 m + 6 m = 20 m^2": a sum of lengths is a length, whatever it is taken for. */
static bool takes_sum_for_area(const reading_eval *t)
{
    size_t begin = t->k->t->at[t->lhs->begin].begin, end = t->k->t->at[t->rhs->end - 1].end;
    return t->lhs->root->is == N_ADD && adds_lengths(t->lhs->root) &&
           is_kind(t->rhs->root, "an area") && t->alone <= CLOSE_ROUNDED &&
           !assertion_not(t->k->t->rules, t->k->t->text, begin, end);
}

/* Wrong, although the numbers may agree. */
static int say_wrong_unit(const reading_eval *t, decision *d)
{
    rdv_str number = print_side(t->l, t->k->arena);
    say(d, RDV_CALC_WRONG, "a length is not an area");
    d->value = number.p ? rdv_str_printf(t->k->arena, "%.*s, a length", RDV_FMT(number)) : number;
    /* A copy: the text may be one without folded signs, which does not stay. */
    d->claim = rdv_str_copy(t->k->arena, expression_text(t->k->t, t->rhs));
    return d->value.p && d->claim.p ? RDV_OK : RDV_E_NOMEM;
}

/* The left side's value with each divisor that a power of ten follows as one number, where that is
 * nearer to what is claimed; else as nearer_value(). */
static void take_nearest_value(const reading_eval *t, fmpq_t out)
{
    fmpq_t l, r;
    bool used, inexact;
    fmpq_set(out, *nearer_value(t));
    if (!(t->lhs->readings & READ_SCIENTIFIC))
        return;
    fmpq_init(l);
    fmpq_init(r);
    if (reading_eval_values(t, t->usual | READ_SCIENTIFIC, false, l, r, &used, &inexact) ==
            EVAL_OK &&
        !fmpq_is_zero(l) && !fmpq_is_zero(out) && !fmpq_is_zero(r) && nearer_by_ratio(l, r, out))
        fmpq_set(out, l);
    fmpq_clear(l);
    fmpq_clear(r);
}

/* The right side's value; without what may be an aside where that is nearer to the left one's. */
static void take_claim(const reading_eval *t, const fmpq_t left, fmpq_t out)
{
    unsigned asides = t->rhs->readings & (READ_ASIDE | READ_AMOUNT_ASIDE);
    fmpq_t l, r;
    bool used, inexact;
    fmpq_set(out, t->r);
    if (!asides)
        return;
    fmpq_init(l);
    fmpq_init(r);
    if (reading_eval_values(t, t->usual | asides, false, l, r, &used, &inexact) == EVAL_OK &&
        !fmpq_is_zero(r) && !fmpq_is_zero(out) && !fmpq_is_zero(left) &&
        nearer_by_ratio(r, left, out))
        fmpq_set(out, r);
    fmpq_clear(l);
    fmpq_clear(r);
}

/* Wrong, with both values as a person would write them. */
static int say_wrong(const reading_eval *t, decision *d)
{
    fmpq_t value, claim;
    fmpq_init(value);
    fmpq_init(claim);
    take_nearest_value(t, value);
    take_claim(t, value, claim);
    say(d, RDV_CALC_WRONG, NULL);
    d->value =
        format_value(t->k->t, t->rhs, claim, value, reading_eval_is_real(value), t->k->arena);
    d->claim = format_claim(t->k->t, t->rhs, claim, reading_eval_is_real(claim), t->k->arena);
    fmpq_clear(value);
    fmpq_clear(claim);
    return d->value.p && d->claim.p ? RDV_OK : RDV_E_NOMEM;
}

/* Both values, as they are, where they are known. */
static int show_sides(const reading_eval *t, decision *d)
{
    if (t->literal != EVAL_OK)
        return RDV_OK;
    d->value = print_side(*nearer_value(t), t->k->arena);
    d->claim = print_side(t->r, t->k->arena);
    return d->value.p && d->claim.p ? RDV_OK : RDV_E_NOMEM;
}

/* Right after all: as its number, or one that went in, was rounded. RDV_NONE: it was not. */
static int decide_rounding(reading_eval *t, const equality *chain, size_t i, bool clean,
                           decision *d)
{
    if (t->best == CLOSE_ROUNDED && t->literal == EVAL_OK && clean)
        return say(d, RDV_CALC_ROUNDED, reading_note(t->reading));
    const char *as_said = t->literal == EVAL_OK ? rounding_as_said(t) : NULL;
    if (as_said)
        return say(d, RDV_CALC_ROUNDED, as_said);
    if (t->literal != EVAL_OK || !clean)
        return RDV_NONE;
    if ((reading_eval_may_unround(t) && reading_eval_read(t, t->usual, true) <= CLOSE_ROUNDED) ||
        rounding_of_side_before(t, chain, i))
        return say(d, RDV_CALC_ROUNDED, "with the value before it was rounded");
    if (!rounding_may_explain(t))
        return RDV_NONE;
    bool said = (t->about && !expression_is_plain(t->rhs)) || t->lhs->ellipsis ||
                t->rhs->ellipsis || rounding_of_numbers(t);
    return say(d, said ? RDV_CALC_ROUNDED : RDV_CALC_UNDECIDED,
               said ? "within the rounding of its decimals"
                    : "right only if its decimals were rounded");
}

/* The sides are not equal as they are read: why they may be after all, or that this cannot be told.
 * RDV_NONE: nothing excuses it. */
static int decide_difference(reading_eval *t, const equality *chain, size_t i, bool clean,
                             decision *d)
{
    int r = decide_rounding(t, chain, i, clean, d);
    if (r != RDV_NONE)
        return r;
    if (t->literal == EVAL_OK && clean) {
        if (t->saved <= CLOSE_ROUNDED)
            return say_saved(t, d);
        if (withhold_runs_on(t, chain, i)) /* "2 + 3 = 5/7" alone may be meant as it stands */
            return say(d, RDV_CALC_UNDECIDED,
                       i + 2 < chain->n ? "right only as a running calculation"
                                        : "perhaps a running calculation, without its result");
        if (withhold_percent(t, chain, i))
            return say(d, RDV_CALC_UNDECIDED, "right only as a percentage");
    }
    d->rounds = clean && t->literal == EVAL_OK && t->best == CLOSE_FAR;
    if (!explanations_built_in())
        return RDV_E_NOMEM;
    rdv_str by = {0};
    const char *unsure = withhold_contradiction(t, chain, i, clean, &by);
    if (!unsure)
        return RDV_NONE;
    say(d, RDV_CALC_UNDECIDED, unsure);
    d->rule = by;
    return RDV_OK;
}

/* A temperature or an angle in another scale. RDV_NONE: it is another equality. */
static int decide_scales(reading_eval *t, const equality *chain, bool clean, decision *d)
{
    const token *at = t->k->t->at;
    size_t end = at[chain->term[chain->n - 1].end - 1].end;
    int r = decide_temperature(t, clean, d);
    r = r == RDV_NONE ? angle_decide(t, clean, d) : r;
    if (r != RDV_OK || d->kind != RDV_CALC_WRONG)
        return r;
    const rule *by =
        assertion_not(t->k->t->rules, t->k->t->text, at[chain->term[0].begin].begin, end);
    if (by)
        decision_withhold(d, by);
    return r;
}

/* "About 47 + 121 = 169" */
static bool follows_about(const reading_eval *t)
{
    return t->lhs->begin && (t->k->t->at[t->lhs->begin - 1].word & WORD_ABOUT);
}

static int decide_numbers(reading_eval *t, const equality *chain, size_t i, decision *d)
{
    const tokens *toks = t->k->t;
    bool clean = (i > 0 || chain->clean_left) && (i + 2 < chain->n || chain->clean_right);
    t->about |= follows_about(t);
    reading_eval_read_all(t);
    /* Looked for only where it matters: most equalities are simply right. */
    if (t->best > CLOSE_ROUNDED && t->literal == EVAL_OK && !t->about &&
        !rounding_is_otherwise(t) &&
        assertion_is_approximate(toks->rules, toks->text, toks->at[t->lhs->begin].begin,
                                 toks->at[t->rhs->end - 1].end)) {
        t->said_about = true;
        reading_eval_read_all(t);
    }
    int scales = decide_scales(t, chain, clean, d);
    if (scales != RDV_NONE)
        return scales;
    if (t->literal == EVAL_LETTERS)
        return RDV_OK;
    int amounts = decide_amounts_misfit(t, clean, d);
    if (amounts != RDV_NONE)
        return amounts;
    if (are_different_numbers(t, chain, clean))
        return say(d, RDV_CALC_UNDECIDED, DIFFERENT_NUMBERS);
    if (nothing_to_say(t, chain, i, clean))
        return RDV_OK;
    if (t->literal == EVAL_OK && clean && takes_sum_for_area(t))
        return say_wrong_unit(t, d);
    int misfit = t->literal == EVAL_OK ? decide_misfit(t, d) : RDV_NONE;
    if (misfit != RDV_NONE)
        return misfit;
    const char *no_support = t->best <= CLOSE_ROUNDED && !t->k->marked ? withhold_support(t) : NULL;
    if (no_support)
        return say(d, RDV_CALC_UNDECIDED, no_support);
    if (t->best == CLOSE_EQUAL)
        return say(d, RDV_CALC_RIGHT, reading_note(t->reading));
    bool conversion = reading_eval_states_conversion(t) && t->best > CLOSE_ROUNDED;
    const char *unsure = conversion ? withhold_conversion(t, chain) : NULL;
    int r = unsure ? say(d, RDV_CALC_UNDECIDED, unsure) : decide_difference(t, chain, i, clean, d);
    return r == RDV_NONE ? say_wrong(t, d) : r == RDV_OK ? show_sides(t, d) : r;
}

/* "A - B = 10 - (-1)": the values that the letters were given before are put in. Such an equality
 * has an operator on the right for each on the left. */
static int decide_substitution(const knowledge *k, const expression *lhs, const expression *rhs,
                               decision *d)
{
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    int result = RDV_OK;
    if (lhs->n_letters > 1 && lhs->n_operators == rhs->n_operators &&
        reading_eval_term_value(k, lhs, l) == EVAL_OK &&
        reading_eval_term_value(k, rhs, r) == EVAL_OK) {
        bool equal = fmpq_equal(l, r);
        if (!equal && rhs->n_units) { /* the letter may be given in another unit */
            fmpq_clear(l);
            fmpq_clear(r);
            return RDV_OK;
        }
        say(d, equal ? RDV_CALC_RIGHT : RDV_CALC_WRONG,
            "with the values given to the letters before");
        d->value = print_side(l, k->arena);
        d->claim = print_side(r, k->arena);
        result = d->value.p && d->claim.p ? RDV_OK : RDV_E_NOMEM;
    }
    fmpq_clear(l);
    fmpq_clear(r);
    return result;
}

/* Right, with the condition under which it is: no divisor is zero. */
static int say_identity(const knowledge *k, const expression *lhs, const expression *rhs,
                        decision *d)
{
    rdv_str where;
    int r = identity_condition(k, lhs, rhs, &where);
    say(d, RDV_CALC_RIGHT, "the same for all values of the letters");
    if (r == RDV_OK && where.p)
        d->note = rdv_str_printf(k->arena, "the same where %.*s", RDV_FMT(where));
    return r == RDV_OK && d->note.p ? RDV_OK : RDV_E_NOMEM;
}

/* "3 m * 100 cm = 300 m": is a letter behind a number a unit, and is a factor one of it? Then the
 * letter may be no variable, and the result is in another unit. */
static bool letter_is_converted(const knowledge *k, const expression *e)
{
    bool is = false;
    for (size_t at = e->begin + 1; at < e->end && e->n_units && !is; at++) {
        unit_meaning m;
        if (tok_text(k->t, at).len != 1 || k->t->at[at - 1].kind != TOK_NUMBER ||
            !unit_find(tok_text(k->t, at), &m))
            continue;
        measure its = {0};
        is = measure_add(&its, m.unit, m.ten, 0, 1) && withhold_has_factor_of_one(k, e->root, &its);
    }
    return is;
}

/* "3x + 4x = 8x": no value of the letters makes it right, so it is no equation to be solved. Its
 * sides are one term apart. */
static bool is_never(const knowledge *k, const equality *chain, const equality *link, size_t i)
{
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    const tokens *t = k->t;
    size_t begin = t->at[lhs->begin].begin, end = t->at[rhs->end - 1].end;
    if (!equation_is_plain(t, link))
        return false;
    bool worked_out = i > 0 && identity_holds(k, &chain->term[i - 1], lhs);
    return identity_never_holds(k, lhs, rhs, worked_out) && rewriting_is_of_numbers(k) &&
           !assertion_not_of_equation(t->rules, t->text, begin, end) &&
           !context_hints_of(k->hints, t->text)->modulo &&
           !own_sign_in(k->question, rdv_slice(t->text, begin, end));
}

/* Where letters take part, equality is no claim unless it holds for all their values, or puts in
 * the values they were given. */
static int decide_letters(const knowledge *k, const equality *chain, size_t i, decision *d)
{
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    bool exact[2] = {false, false};
    equality link = {.term = &chain->term[i],
                     .approximate = exact,
                     .n = 2,
                     .clean_left = i > 0 || chain->clean_left,
                     .clean_right = i + 2 < chain->n || chain->clean_right};
    if (chain->approximate[i + 1])
        return RDV_OK;
    int r = complex_decide(k, &link, d);
    if (r != RDV_NONE)
        return r;
    if (!lhs->n_letters || expression_is_plain(lhs) || expression_is_plain(rhs))
        return RDV_OK; /* a definition or an equation */
    if (!rhs->n_letters)
        return decide_substitution(k, lhs, rhs, d);
    long apart = identity_apart(k, lhs, rhs);
    if (apart == 0) {
        if (letter_is_converted(k, lhs)) {
            say(d, RDV_CALC_UNDECIDED, "a letter may be a unit");
            return RDV_OK;
        }
        return rewriting_is_in_group(k) ? RDV_OK : say_identity(k, lhs, rhs, d);
    }
    r = apart == 1 && is_never(k, chain, &link, i) ? rewriting_is_wrong(k, lhs, rhs, d)
                                                   : rewriting_decide(k, chain, i, &link, d);
    if (r == RDV_NONE)
        d->is_calculation = false;
    return r == RDV_NONE ? RDV_OK : r;
}

/* "300 + 200 = 500 thousand": the result is a thousand times as much. Dozens are a unit. */
static bool is_scaled(const knowledge *k, const equality *chain, size_t i)
{
    unsigned power;
    size_t next = chain->term[i + 1].end;
    rdv_str word = tok_text(k->t, next);
    bool scale = tok_kind_at(k->t, next) == TOK_WORD && (k->t->at[next].word & WORD_BINDS_BEFORE) &&
                 (scale_word(word, &power) || rdv_str_ieq(word, RDV_STR("bn")));
    for (size_t j = chain->term[i].begin; j < chain->term[i + 1].begin && scale; j++)
        scale = !rdv_str_ieq(tok_text(k->t, j), word); /* "0.5 * 8 billion = 4 billion" */
    return scale;
}

/* "2(3 * 4 = 12)", "3 * 4 = 12 × days": only a part of what is claimed. */
static bool is_joined(const knowledge *k, const equality *chain, size_t i)
{
    return (i == 0 && adjacency_joined_before(k->t, chain->term[0].begin)) ||
           (i + 2 == chain->n && (adjacency_joined_after(k->t, chain->term[i + 1].end) ||
                                  letter_product_after(k->t, &chain->term[i + 1], true)));
}

/* What is right as it was read supports nothing if it is not the whole of what is claimed. */
static void withhold_beside(const knowledge *k, const equality *chain, size_t i, decision *d)
{
    bool right = d->is_calculation && (d->kind == RDV_CALC_RIGHT || d->kind == RDV_CALC_ROUNDED);
    if (!right || k->marked)
        return;
    if (is_scaled(k, chain, i))
        say(d, RDV_CALC_UNDECIDED, "a scale word stands behind one side alone");
    else if (is_joined(k, chain, i) || letter_product_on_one_side(k->t, chain, i))
        say(d, RDV_CALC_UNDECIDED, "what stands beside it could not be read");
}

/* Is a calculation, read literally, equal to the other side, where no units can contradict that? So
 * are most, and of these nothing else has to be known. */
static bool is_simply_right(const knowledge *k, const expression *lhs, const expression *rhs)
{
    bool units = ((lhs->readings | rhs->readings) & READ_UNITS) || lhs->n_units || rhs->n_units;
    return !units && !expression_is_plain(lhs) && !reading_eval_has_readings(lhs, rhs) &&
           !withhold_follows_function(k->t, lhs) && !withhold_rest_of_decimal(k->t, lhs, rhs) &&
           small_eval_agree(k->t, rhs->root, lhs->root, k->budget);
}

/* "A = B) = C": does a bracket close behind the side that was never opened, and the formula go on?
 */
static bool closes_nothing(const tokens *t, size_t end)
{
    return tok_kind_at(t, end) == TOK_CLOSE && t->at[end].pair == TOK_NO_PAIR &&
           tok_kind_at(t, end + 1) == TOK_EQUAL;
}

/* "64 = 25 - 70 cos(angle C)", "(1/beta)^2 = 0.36": is a side not whole? */
static bool holds_symbol(const knowledge *k, const equality *chain, size_t i)
{
    const expression *l = &chain->term[i], *r = &chain->term[i + 1];
    return adjacency_symbol_in(k->t, l->begin, l->end) ||
           adjacency_symbol_in(k->t, r->begin, r->end) ||
           (i == 0 && adjacency_symbol_before(k->t, l->begin)) ||
           adjacency_symbol_after(k->t, r->end) || closes_nothing(k->t, r->end);
}

static int decide_as_written(const knowledge *k, const equality *chain, size_t i, decision *out)
{
    *out = (decision){0};
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    int r = RDV_OK;
    if (lhs->n_letters || rhs->n_letters) {
        r = decide_letters(k, chain, i, out);
        withhold_beside(k, chain, i, out);
        return r;
    }
    if (is_simply_right(k, lhs, rhs)) {
        say(out, RDV_CALC_RIGHT, NULL);
    } else {
        reading_eval t;
        reading_eval_init(&t, k, lhs, rhs, chain->approximate[i + 1]);
        r = decide_numbers(&t, chain, i, out);
        reading_eval_clear(&t);
    }
    withhold_beside(k, chain, i, out);
    if (r == RDV_OK && out->is_calculation && out->kind != RDV_CALC_UNDECIDED && !k->marked &&
        holds_symbol(k, chain, i))
        r = say(out, RDV_CALC_UNDECIDED, "what stands beside it could not be read");
    return r;
}

/* "Third term: - 5 + 8": such a dash is no bullet. */
static bool is_behind_colon(const tokens *t, size_t dash)
{
    return dash > 0 && t->at[dash - 1].kind == TOK_PUNCT && t->text.p[t->at[dash - 1].begin] == ':';
}

/* "- 5 + 8 = 3" behind a dash that may be a minus: wrong only if it is wrong with the minus too,
 * and behind a colon, where the minus is likely, right only if it is right with it. */
int decide_equality(const knowledge *k, const equality *chain, size_t i, decision *out)
{
    int r = decide_as_written(k, chain, i, out);
    if (r != RDV_OK || i > 0 || !chain->negative || !out->is_calculation ||
        out->kind == RDV_CALC_UNDECIDED)
        return r;
    bool wrong = out->kind == RDV_CALC_WRONG,
         minus = is_behind_colon(k->t, chain->term[0].begin - 1);
    if (!wrong && !minus)
        return r;
    decision with_minus;
    expression sides[2] = {*chain->negative, chain->term[1]};
    equality other = *chain;
    other.term = sides;
    other.n = 2;
    other.clean_right = chain->n > 2 || chain->clean_right;
    r = decide_as_written(k, &other, 0, &with_minus);
    if (r != RDV_OK)
        return r;
    bool wrong_too = with_minus.is_calculation && with_minus.kind == RDV_CALC_WRONG;
    with_minus.dash = true;
    if (minus && wrong && with_minus.is_calculation)
        *out = with_minus;
    else if (wrong != wrong_too)
        r = say(out, RDV_CALC_UNDECIDED, "a dash that may be a minus");
    return r;
}
