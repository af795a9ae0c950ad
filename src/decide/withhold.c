/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/withhold.h"

#include "base/str.h"
#include "claims/adjacency.h"
#include "claims/letter_product.h"
#include "claims/unread_words.h"
#include "decide/decomposition.h"
#include "decide/rounding.h"
#include "explain/mismatch.h"
#include "expression/clause.h"
#include "expression/print.h"
#include "expression/reading_eval.h"
#include "language/assertion.h"
#include "language/phrase.h"
#include "notation/call_name.h"
#include "notation/literal.h"

/* ---- what excuses a difference --------------------------------------------------------------- */

/* Does `where` hold the same literal as `n`, or the same operator? */
static bool holds(const tokens *t, const node *where, const node *n)
{
    if (!where)
        return false;
    if (where->is == n->is &&
        (n->is != N_NUMBER || rdv_str_eq(tok_text(t, where->end - 1), tok_text(t, n->end - 1))))
        return true;
    return holds(t, where->a, n) || holds(t, where->b, n);
}

/* All literals of the tree except `leftmost`, and all that combines them, stand in `other` too. */
static bool repeats(const tokens *t, const node *n, const node *leftmost, const node *other)
{
    if (!n || n == leftmost)
        return true;
    if ((n->is == N_NUMBER || n->b) && !holds(t, other, n))
        return false;
    return repeats(t, n->a, leftmost, other) && repeats(t, n->b, leftmost, other);
}

static const node *leftmost(const node *n)
{
    while (n->a && !n->grouped)
        n = n->a;
    return n;
}

/* Is it the number with that value, to the digits that it shows? */
static bool is_number(const tokens *t, const node *n, const fmpq_t value)
{
    if (n->is != N_NUMBER || n->grouped)
        return false;
    fmpq_t number, place;
    long decimals;
    fmpq_init(number);
    fmpq_init(place);
    bool same = literal_value(t, n->end - 1, number, &decimals);
    if (same && !fmpq_equal(number, value)) {
        fmpq_sub(number, number, value);
        fmpq_abs(number, number);
        fmpq_set_ui(place, 10, 1);
        fmpq_pow_si(place, place, decimals);
        fmpq_mul(number, number, place);
        fmpq_set_ui(place, 1, 2);
        same = decimals > 0 && fmpq_cmp(number, place) <= 0;
    }
    fmpq_clear(number);
    fmpq_clear(place);
    return same;
}

bool withhold_runs_on(const reading_eval *t, const equality *chain, size_t i)
{
    const tokens *toks = t->k->t;
    const node *first = leftmost(t->rhs->root);
    if (expression_is_plain(t->lhs) || expression_is_plain(t->rhs) ||
        /* "6 / 3 x 10^2 = 2 x 10^-2" */
        (t->lhs->readings & (READ_SCIENTIFIC | READ_PLAINLY_SCIENTIFIC)) ||
        !is_number(toks, first, t->l))
        return false;
    return !repeats(toks, t->rhs->root, first, t->lhs->root) ||
           (t->k->thought && i + 2 < chain->n &&
            is_number(toks, leftmost(chain->term[i + 2].root), t->r));
}

/* Is the right side so many times the left one? */
static bool right_is_times(const reading_eval *t, ulong factor)
{
    return compare_differ_by_factor(t->k->t, t->lhs, t->rhs, t->l, t->r, factor, 1);
}

static bool left_is_times(const reading_eval *t, ulong factor)
{
    return compare_differ_by_factor(t->k->t, t->lhs, t->rhs, t->l, t->r, 1, factor);
}

static bool differ_by(const reading_eval *t, ulong factor)
{
    return right_is_times(t, factor) || left_is_times(t, factor);
}

/* Does a sign of money stand before the side? */
static bool has_sign_of_money(const reading_eval *t, const expression *e)
{
    rdv_str before = rdv_slice(t->k->t->text, 0, t->k->t->at[e->begin].begin);
    return t->k->t->at[e->begin].kind == TOK_CURRENCY || (e->root->is == N_UNIT && e->root->sign) ||
           rdv_ends(rdv_trim_end(before), RDV_STR("$"));
}

static bool is_year(const tokens *t, const node *n)
{
    rdv_str s = tok_text(t, n->end - 1);
    bool near = rdv_starts(s, RDV_STR("1")) || rdv_starts(s, RDV_STR("20"));
    return s.len == 4 && near && rdv_find_char(s, '.', 0) == RDV_NOT_FOUND && !n->grouped;
}

/* "Pages 3-5 = 3 pages", "20,000 - 40,000 = 6 years", "1990-1995 = 6 years", "Ages 5 - 12 = $3": a
 * hyphen between a smaller and a larger number, after a word, or without blanks; the other side
 * counts something. In "1914-1918 = 4 years" and "2-3 eggs = 1 cup" nothing falls below zero. */
static bool may_be_a_range(const reading_eval *t, const equality *chain, size_t i)
{
    const tokens *toks = t->k->t;
    const node *n = t->lhs->root;
    if (i > 0 || n->is != N_SUBTRACT || n->grouped || n->a->is != N_NUMBER ||
        n->b->is != N_NUMBER || fmpq_sgn(t->l) >= 0)
        return false;
    bool opposite = fmpq_sgn(t->r) < 0 || fmpz_cmpabs(fmpq_numref(t->l), fmpq_numref(t->r)) == 0;
    bool counts = t->rhs->n_units || t->rhs->n_words || has_sign_of_money(t, t->rhs);
    bool counts_otherwise = !opposite && !t->lhs->n_units && !t->lhs->n_words && counts;
    bool apart = toks->at[n->b->begin].space_before;
    if (!apart && fmpq_sgn(t->r) > 0 &&
        ((is_year(toks, n->a) && is_year(toks, n->b)) || (t->lhs->n_words && t->rhs->n_units)))
        return true;
    return chain->after_word ? !apart || counts_otherwise : !apart && counts_otherwise;
}

/* "Version 1.9 + 0.1 = 1.10", "Chapter 2 + 3 = 40 pages": the first number is a name. */
static bool begins_with_a_name(const reading_eval *t, const equality *chain, size_t i)
{
    static phrase_list named = {"@named-by-a-number"};
    if (i > 0 || !chain->after_word || expression_is_plain(t->lhs))
        return false;
    return phrase_is(tok_text(t->k->t, t->lhs->begin - 1), &named);
}

static bool counts_in_thousands(const reading_eval *t)
{
    unsigned power = context_hints_of(t->k->hints, t->k->t->text)->power_of_ten;
    ulong factor = 1;
    for (unsigned i = 0; i < power; i++)
        factor *= 10;
    return power && differ_by(t, factor);
}

bool withhold_percent(const reading_eval *t, const equality *chain, size_t i)
{
    bool percent = false;
    for (size_t k = i + 1; k < chain->n; k++)
        percent |= (chain->term[k].readings & READ_PERCENT_AS_NUMBER) != 0;
    return percent &&
           (left_is_times(t, 100) || (!expression_is_plain(t->rhs) && right_is_times(t, 100)));
}

/* "75 * 2 = $1.50": the numbers on the left may be cents. */
static bool counts_in_cents(const reading_eval *t)
{
    return has_sign_of_money(t, t->rhs) && !t->lhs->n_units && left_is_times(t, 100);
}

/* "2 * 4000 = 8 kJ/mol": is the left side in the units without their prefixes, and written without
 * them? */
static bool leaves_prefix_out(const reading_eval *t)
{
    bool leaves = false;
    if (t->lhs->n_units || t->lhs->n_words || expression_is_plain(t->lhs) || !t->rhs->n_different)
        return false;
    const measure *m = t->rhs->units[0];
    for (size_t i = 0; i < m->n && !leaves; i++)
        leaves = m->factor[i].ten && m->factor[i].ten % 3 == 0;
    return leaves && differ_by(t, 1000);
}

/* "20% * 30% = 600%", "50% / 20% = 2.5%": a percentage is no number beside a percentage. */
static bool mixes_percents(const reading_eval *t)
{
    const node *n = t->lhs->root;
    if (!n->b || !(t->reading & READ_PERCENT_AS_NUMBER) || !reading_eval_holds_percent(n->a) ||
        !reading_eval_holds_percent(n->b))
        return false;
    return n->is == N_MULTIPLY || (n->is == N_DIVIDE && reading_eval_holds_percent(t->rhs->root));
}

#define MAX_LOOK 1600 /* bytes of a text that are looked at for words */
#define REST 60       /* bytes behind a quotient that may name its rest */
#define MAX_POWER 9   /* of ten, by which a conversion may be wrong */
#define MAX_FACTORS 6 /* whose products are tried */

/* What a product is multiplied by that has no unit. */
typedef struct bare_factors {
    fmpq_t at[MAX_FACTORS];
    size_t n;
} bare_factors;

/* Add those of the tree; `over`: it stands below a line. */
static void add_bare_factors(const reading_eval *t, const node *n, bool over, bare_factors *out)
{
    if (n->is == N_MULTIPLY || n->is == N_DIVIDE) {
        add_bare_factors(t, n->a, over, out);
        add_bare_factors(t, n->b, over != (n->is == N_DIVIDE), out);
        return;
    }
    bool bare = n->is != N_UNIT && n->is != N_ADD && n->is != N_SUBTRACT;
    if (!bare || out->n == MAX_FACTORS)
        return;
    evaluation ev = reading_eval_evaluation(t->k, READ_LITERALLY);
    fmpq_init(out->at[out->n]);
    fmpq *x = out->at[out->n++];
    if (eval_exact(&ev, n, x) != EVAL_OK || fmpq_is_zero(x))
        fmpq_one(x);
    if (over)
        fmpq_inv(x, x);
}

/* Is the side multiplied by x: is it one of the factors without a unit, or the product of some? */
static bool multiplies_by(const reading_eval *t, const expression *e, const fmpq_t x)
{
    bare_factors factors = {.n = 0};
    fmpq_t product;
    bool is = false;
    add_bare_factors(t, e->root, false, &factors);
    fmpq_init(product);
    for (unsigned some = 1; some < 1u << factors.n && !is; some++) {
        fmpq_one(product);
        for (size_t i = 0; i < factors.n; i++)
            if (some >> i & 1)
                fmpq_mul(product, product, factors.at[i]);
        is = fmpq_equal(product, x);
    }
    while (factors.n > 0)
        fmpq_clear(factors.at[--factors.n]);
    fmpq_clear(product);
    return is;
}

/* The unit of a sign of money in the tree, or NULL. */
static const measure *unit_of_sign(const node *n)
{
    if (!n || (n->is == N_UNIT && n->sign))
        return n ? n->unit : NULL;
    const measure *first = unit_of_sign(n->a);
    return first ? first : unit_of_sign(n->b);
}

/* The one unit of the side. NULL: it has none, or several. */
static const measure *unit_of_side(const expression *e)
{
    return e->n_different == 1 ? e->units[0] : e->n_different ? NULL : unit_of_sign(e->root);
}

/* "3 kg * 4 = 12 g": the numbers agree, and the side is not multiplied by what the units differ by,
 * as it is in "1000 cm / 100 = 10 m". */
static bool agrees_in_numbers_only(reading_eval *t)
{
    const quantities *q = &t->q;
    if (!q->fits || q->complete || !unit_of_side(t->lhs) || !unit_of_side(t->rhs))
        return false;
    for (unsigned v = 0; v < QUANTITY_VARIANTS; v++)
        if (q->fits >> v & 1)
            reading_eval_read(t, quantity_readings(v), false);
    if (t->alone > CLOSE_ROUNDED || t->converted <= CLOSE_ROUNDED || fmpq_is_zero(t->l) ||
        fmpq_is_zero(t->in_unit))
        return false;
    fmpq_t ratio;
    fmpq_init(ratio);
    fmpq_div(ratio, t->in_unit, t->l);
    bool converted = multiplies_by(t, t->lhs, ratio);
    fmpq_clear(ratio);
    return !converted;
}

/* "3 + 50 cents = 53 dollars", "11 pens * 63 cents = $693": other numbers have no unit that is
 * known, and the result has another unit than what goes in. */
static bool results_in_another_unit(const reading_eval *t)
{
    const measure *l = unit_of_side(t->lhs), *r = unit_of_side(t->rhs);
    if (t->q.fits || !l || !r || !(measure_is_smaller(l, r) || measure_is_smaller(r, l)))
        return false;
    fmpq_t ratio, size;
    fmpq_init(ratio);
    fmpq_init(size);
    measure_size(l, ratio);
    measure_size(r, size);
    fmpq_div(ratio, ratio, size);
    bool converted = multiplies_by(t, t->lhs, ratio) ||
                     withhold_has_factor_of_one(t->k, t->lhs->root, l); /* 8 dimes * $0.10 */
    fmpq_clear(ratio);
    fmpq_clear(size);
    return !converted;
}

/* "3 hours * 60 min = 180 seconds": several units of one dimension go in, and the result has
 * another one of it. "8 hours * 5 days = 40 hours" leaves "a day" out. */
static bool results_in_third_unit(const reading_eval *t)
{
    const measure *r = unit_of_side(t->rhs);
    if (!r || t->lhs->n_different < 2 || t->q.fits)
        return false;
    for (size_t i = 0; i < t->lhs->n_different; i++) {
        const measure *l = t->lhs->units[i];
        if (!measure_same_dimension(l->power, r->power) || measure_same_size(l, r))
            return false;
    }
    return true;
}

bool withhold_has_factor_of_one(const knowledge *k, const node *n, const measure *of)
{
    if (n->is == N_MULTIPLY)
        return withhold_has_factor_of_one(k, n->a, of) || withhold_has_factor_of_one(k, n->b, of);
    if (n->is != N_UNIT || n->a->is != N_NUMBER ||
        !measure_same_dimension(n->unit->power, of->power) || measure_same_size(n->unit, of))
        return false;
    evaluation ev = {.t = k->t, .budget = k->budget};
    fmpq_t amount, size, one;
    fmpq_init(amount);
    fmpq_init(size);
    fmpq_init(one);
    measure_size(n->unit, size);
    measure_size(of, one);
    bool read = eval_exact(&ev, n->a, amount) == EVAL_OK;
    fmpq_mul(amount, amount, size);
    bool is = read && fmpq_equal(amount, one);
    fmpq_clear(amount);
    fmpq_clear(size);
    fmpq_clear(one);
    return is;
}

/* "3 hours * 60 minutes = 180 hours" */
static bool keeps_converted_unit(const reading_eval *t)
{
    const measure *r = unit_of_side(t->rhs);
    return r && t->lhs->n_different > 1 && !t->q.fits &&
           withhold_has_factor_of_one(t->k, t->lhs->root, r);
}

static bool adds(const node *n)
{
    return n &&
           ((n->is == N_ADD && !n->implicit) || n->is == N_SUBTRACT || adds(n->a) || adds(n->b));
}

/* "60 km/h" and "30 min": is what the rate is per another unit of what the other one measures? */
static bool is_per_another_unit(const measure *rate, const measure *of)
{
    const measure_factor *f = of->factor, *per = NULL;
    for (size_t i = 0; i < rate->n; i++)
        per = rate->factor[i].power == -1 ? &rate->factor[i] : per;
    if (of->n != 1 || f->power != 1 || !per)
        return false;
    bool same = false;
    for (size_t b = 0; b < MEASURE_BASES; b++) {
        if (of->power[b] && !(of->power[b] == 1 && rate->power[b] == -1))
            return false;
        same |= of->power[b] != 0;
    }
    return same && (per->num != f->num || per->den != f->den || per->ten != f->ten);
}

/* Quarters, dimes and cents are things that are counted, too. */
static bool is_coin(const measure *m)
{
    bool money = m->power[BASE_CENT] || m->power[BASE_EURO] || m->power[BASE_PENNY];
    return money && m->n == 1 && m->factor[0].num < 100 * m->factor[0].den && m->factor[0].ten < 2;
}

/* "3 hours + 20 minutes = 23", "60 km/h * 30 min = 1800": the right side names no unit, and on the
 * left side two units of one dimension were not converted. "8 hours * 5 days = 40" leaves "a day"
 * out. */
static bool leaves_units_unconverted(const reading_eval *t)
{
    const expression *e = t->lhs;
    if (e->n_different < 2 || t->rhs->n_different || unit_of_side(t->rhs))
        return false;
    bool sum = adds(e->root);
    for (size_t i = 0; i < e->n_different; i++)
        for (size_t k = 0; k < e->n_different; k++) {
            const measure *a = e->units[i], *b = e->units[k];
            bool unlike = sum && !(is_coin(a) && is_coin(b)) &&
                          measure_same_dimension(a->power, b->power) && !measure_same_size(a, b);
            if (i != k && (unlike || (!sum && e->n_different == 2 && is_per_another_unit(a, b))))
                return true;
        }
    return false;
}

/* "half of 2 + 3", "the square root of 4 + 3": is a part or a function of what begins at token `at`
 * named before it? */
static bool is_taken_of(const tokens *t, size_t at)
{
    static phrase_list parts = {"@taken-of"};
    return at > 1 && rdv_str_ieq(tok_text(t, at - 1), RDV_STR("of")) &&
           !adjacency_names_mean(t, at - 1) &&
           ((t->at[at - 2].word & WORD_FRACTION) || phrase_is(tok_text(t, at - 2), &parts));
}

bool withhold_follows_function(const tokens *t, const expression *left)
{
    static const char *const names[] = {"\\sec",  "\\csc",  "\\cot",    "\\arcsin", "\\arccos",
                                        "\\sinh", "\\cosh", "\\arctan", "\\tanh",   "\\coth",
                                        "\\exp",  "\\det",  "\\arg",    "\\Re",     "\\Im"};
    /* Words of prose that are more than a name: "ln 5 + 2", "minus 2 + 3", "twice 2 + 3". */
    static phrase_list words = {"@before-an-argument"};
    size_t begin = left->begin;
    if (find_is_added_product(t, left))
        return false;
    if (begin > 1 && t->at[begin - 1].kind == TOK_CLOSE && t->at[begin - 1].pair != TOK_NO_PAIR &&
        t->at[begin - 1].pair > 1 && t->at[t->at[begin - 1].pair - 1].kind == TOK_POWER)
        begin = t->at[begin - 1].pair - 1;
    if (begin == 0 || t->at[begin - 1].kind == TOK_FUNCTION ||
        t->at[begin - 1].kind == TOK_PLUSMINUS)
        return begin > 0;
    rdv_str before = tok_text(t, begin - 1);
    if (t->at[begin - 1].kind == TOK_WORD && ((t->at[begin - 1].word & WORD_MULTIPLE) ||
                                              phrase_is(before, &words) || is_taken_of(t, begin)))
        return true;
    return rdv_starts(before, RDV_STR("\\")) &&
           rdv_is_one_of(before, names, sizeof names / sizeof *names);
}

/* "17 / 5 = 3 with 2 left over": a whole number for a quotient that is none, and the words behind
 * it name a rest, or may: "301 / 3 = 100……2", "= 100 箱，余2个". claims/statement.h says whether
 * that is right. */
static bool names_a_rest(const reading_eval *t)
{
    static phrase_list words = {"@leaves-a-rest"}, named = {"remainder*"};
    const tokens *toks = t->k->t;
    size_t end = toks->at[t->rhs->end - 1].end;
    rdv_str behind = rdv_slice(toks->text, end, end + REST);
    return t->best == CLOSE_ROUNDED && t->lhs->root->is == N_DIVIDE &&
           fmpz_is_one(fmpq_denref(t->r)) &&
           (phrase_in(context_sentence_after(toks->text, end, REST), &words) ||
            phrase_in(behind, &named) || unread_words_in(behind) ||
            rdv_starts(rdv_trim(behind), RDV_STR("..")) ||
            rdv_find(behind, RDV_STR("\xe2\x80\xa6"), 0) != RDV_NOT_FOUND);
}

bool withhold_rest_of_decimal(const tokens *t, const expression *lhs, const expression *rhs)
{
    static phrase_list joins = {"@joins-a-rest"}, rests = {"@names-a-rest"};
    if (lhs->root->is != N_DIVIDE || !rounding_has_decimal(t, rhs->root))
        return false;
    rdv_str behind = context_sentence_after(t->text, t->at[rhs->end - 1].end, REST);
    size_t i = 0, end = 0;
    while (i < behind.len && (behind.p[i] == ' ' || behind.p[i] == ','))
        i++;
    while (end < behind.len && !rdv_is_digit(behind.p[end])) /* not "with no remainder" */
        end++;
    return end < behind.len && phrase_at(behind, i, &joins) && phrase_in(behind, &rests);
}

/* "5 ft 2 in = 5.2 ft": the parts are written as a decimal, which is near the value by chance. */
static bool writes_parts_as_decimal(const reading_eval *t)
{
    const tokens *toks = t->k->t;
    uint32_t first = t->lhs->begin, second = first + 2;
    second += tok_is_word(toks, second, "and");
    if (t->best != CLOSE_ROUNDED || second >= t->lhs->end ||
        tok_kind_at(toks, first) != TOK_NUMBER || tok_kind_at(toks, second) != TOK_NUMBER)
        return false;
    rdv_str whole = tok_text(toks, first), part = tok_text(toks, second),
            shown = tok_text(toks, t->rhs->begin);
    return shown.len == whole.len + 1 + part.len && rdv_starts(shown, whole) &&
           rdv_ends(shown, part) && shown.p[whole.len] == '.';
}

/* "1/3 is exactly 0.33" */
static bool says_exactly(const reading_eval *t)
{
    static phrase_list words = {"exactly;precisely;genau"};
    const tokens *toks = t->k->t;
    size_t begin = toks->at[t->lhs->begin].begin, end = toks->at[t->rhs->end - 1].end;
    return t->best == CLOSE_ROUNDED &&
           (phrase_in(rdv_slice(toks->text, begin, end), &words) ||
            phrase_at(toks->text, end + (end < toks->text.len && toks->text.p[end] == ' '),
                      &words));
}

static bool holds_logarithm(const reading_eval *t)
{
    return (t->lhs->readings | t->rhs->readings) & READ_LOG_OF_TEN;
}

/* "With natural logarithms, log 100 = 2": do the words name another base? */
static bool names_a_base(const reading_eval *t)
{
    static phrase_list words = {"@names-a-base"};
    return holds_logarithm(t) && (phrase_in(rdv_slice(t->k->t->text, 0, MAX_LOOK), &words) ||
                                  phrase_in(rdv_slice(t->k->question, 0, MAX_LOOK), &words));
}

const char *withhold_support(reading_eval *t)
{
    if (names_a_base(t))
        return "a logarithm whose base is not written";
    if (writes_parts_as_decimal(t))
        return "the parts written as a decimal, or rounded";
    if (says_exactly(t))
        return "rounded, where the text says exactly";
    if (names_a_rest(t) || withhold_rest_of_decimal(t->k->t, t->lhs, t->rhs))
        return "a quotient of which a rest is left";
    if (withhold_follows_function(t->k->t, t->lhs))
        return "what stands beside it could not be read";
    if (mixes_percents(t))
        return "a percentage read as its number";
    if (agrees_in_numbers_only(t) || results_in_another_unit(t) || results_in_third_unit(t) ||
        keeps_converted_unit(t) || leaves_units_unconverted(t))
        return "the numbers agree, but not in these units";
    if (t->best == CLOSE_ROUNDED && !t->about && !t->said_about && !t->q.crosses &&
        fmpz_is_one(fmpq_denref(t->r)) && reading_eval_states_conversion(t))
        return "a conversion that leaves a rest out";
    return NULL;
}

/* "1 cm = 10 km" on a map: lengths that differ by so much are at some scale. */
static bool may_be_a_scale(const reading_eval *t)
{
    static phrase_list words = {"@scale-drawing"};
    fmpq_t low, high;
    fmpq_init(low);
    fmpq_init(high);
    const measure *m = quantity_shown_in(t->rhs, READ_UNITS);
    bool length = m && m->power[BASE_METRE] > 0 && m->power[BASE_METRE] < 3 &&
                  !m->power[BASE_SECOND] && !m->power[BASE_GRAM];
    fmpq_mul_ui(low, t->r, 12);
    fmpq_mul_ui(high, t->in_unit, 12);
    bool far = fmpq_cmp(low, t->in_unit) <= 0 || fmpq_cmp(high, t->r) <= 0 ||
               phrase_in(rdv_slice(t->k->question, 0, MAX_LOOK), &words) ||
               phrase_in(rdv_slice(t->k->t->text, 0, MAX_LOOK), &words);
    fmpq_clear(low);
    fmpq_clear(high);
    return length && far;
}

/* "5 feet 6 inches = 5.5 feet": does the unit of another number stand right before the chain? */
static bool follows_unit(const tokens *t, const equality *chain)
{
    unit_meaning m;
    size_t i = chain->term[0].begin;
    while (i &&
           (t->at[i - 1].kind == TOK_COMMA ||
            (t->at[i - 1].kind == TOK_WORD && rdv_str_ieq(tok_text(t, i - 1), RDV_STR("and")))))
        i--;
    return i && t->at[i - 1].kind == TOK_WORD && unit_find(tok_text(t, i - 1), &m);
}

/* Does the letter stand in the text as a word of its own, behind no number? */
static bool stands_as_letter(rdv_str text, char letter)
{
    for (size_t i = 0; i < text.len && i < MAX_LOOK; i++) {
        bool alone = text.p[i] == letter && (i == 0 || !rdv_is_alnum(text.p[i - 1])) &&
                     (i + 1 == text.len || !rdv_is_alnum(text.p[i + 1]));
        size_t before = i;
        while (alone && before > 0 && text.p[before - 1] == ' ')
            before--;
        if (alone && !(before > 0 && rdv_is_digit(text.p[before - 1])))
            return true;
    }
    return false;
}

/* Are the numbers the same but for a power of ten, "5 L = 500 mL"? */
static bool differ_by_power_of_ten(const reading_eval *t)
{
    bool is = false;
    ulong power = 1;
    for (int i = 0; i <= MAX_POWER && !is; i++, power *= 10)
        is = differ_by(t, power);
    return is;
}

/* "5 L = 500 mL": is the letter a metric unit, with a blank before it, the other unit the same one
 * behind a prefix, and the power of ten the only mistake? A letter that stands alone elsewhere is a
 * variable. */
static bool names_its_unit(const reading_eval *t, rdv_str letter)
{
    const tokens *toks = t->k->t;
    rdv_str other = tok_text(toks, t->rhs->end - 1);
    return toks->at[t->lhs->end - 1].space_before && other.len == 2 && other.p[1] == letter.p[0] &&
           differ_by_power_of_ten(t) && !stands_as_letter(toks->text, letter.p[0]) &&
           !stands_as_letter(t->k->question, letter.p[0]);
}

/* "3 s = 60 minutes": seconds, or an equation in s? Nobody writes "1 s" in algebra. */
static bool may_be_equation(const reading_eval *t)
{
    const tokens *toks = t->k->t;
    const expression *lhs = t->lhs;
    const token *last = &toks->at[lhs->end - 1];
    if (lhs->end < lhs->begin + 2 || last->kind != TOK_WORD || last->upright)
        return false;
    rdv_str letter = tok_text(toks, lhs->end - 1);
    return letter.len == 1 && toks->at[lhs->end - 2].kind == TOK_NUMBER &&
           !rdv_str_eq(tok_text(toks, lhs->end - 2), RDV_STR("1")) && !names_its_unit(t, letter);
}

/* Is it a time whose unit has a most: a day of 24 hours, a week of 7 days, a year of 12 months? */
static bool has_a_most(const measure *m)
{
    return m && m->n == 1 && (m->power[BASE_SECOND] == 1 || m->power[BASE_MONTH] == 1);
}

/* "2 days = 50 hours": a day of work has fewer than 24 hours, and none has more, unless the text
 * says what day has 25. "2 weeks = 15 days" may count the first day and the last. */
static bool exceeds_the_most(const reading_eval *t)
{
    const measure *large = quantity_shown_in(t->lhs, READ_UNITS),
                  *small = quantity_shown_in(t->rhs, READ_UNITS);
    if (!reading_eval_states_conversion(t) || !has_a_most(large) || !has_a_most(small) ||
        !measure_is_smaller(small, large) || fmpq_sgn(t->l) <= 0)
        return false;
    rdv_str before = rdv_slice(t->k->t->text, 0, t->k->t->at[t->lhs->begin].begin);
    fmpq_t x;
    fmpq_init(x);
    fmpq_sub(x, t->r, t->in_unit);
    bool exceeds = small->is & UNIT_LOOSE ? fmpq_cmp_ui(x, 1) > 0 : fmpq_sgn(x) > 0;
    fmpq_div(x, t->r, t->l);
    rdv_str each = exceeds ? print_value(x, t->k->arena) : (rdv_str){0};
    fmpq_clear(x);
    return each.p && !literal_stands_in(t->k->question, each) && !literal_stands_in(before, each);
}

/* May a unit be meant that is counted in another way, a day of eight hours? */
static bool may_count_otherwise(const reading_eval *t)
{
    return t->q.loose && !exceeds_the_most(t);
}

const char *withhold_conversion(const reading_eval *t, const equality *chain)
{
    if (follows_unit(t->k->t, chain))
        return "what stands before it may belong to it";
    if (!t->rhs->mixed_units && may_be_equation(t))
        return "a letter that may be no unit";
    if (may_count_otherwise(t))
        return "units that are counted in more than one way";
    if (t->about || t->best != CLOSE_NOT)
        return "a rough conversion";
    return may_be_a_scale(t) ? "lengths that may be at a scale" : NULL;
}

static const node *without_unit(const node *n)
{
    while (n->is == N_UNIT || n->is == N_PERCENT)
        n = n->a;
    return n;
}

/* A number, a multiple of pi, or a fraction of two numbers. */
static bool is_bare(const expression *e)
{
    const node *n = without_unit(e->root);
    bool pi = n->is == N_MULTIPLY && n->implicit && n->a->is == N_NUMBER && n->b->is == N_PI;
    return expression_is_plain(e) || pi ||
           (n->is == N_DIVIDE && n->a->is == N_NUMBER && without_unit(n->b)->is == N_NUMBER);
}

/* Does the side stand right after an equals sign? */
static bool follows_sign(const tokens *t, const expression *e)
{
    return e->begin > 0 && t->at[e->begin - 1].kind == TOK_EQUAL;
}

/* Do two words or more end the side? */
static bool ends_in_words(const tokens *t, const expression *e)
{
    return e->end >= e->begin + 3 && t->at[e->end - 1].kind == TOK_WORD &&
           t->at[e->end - 2].kind == TOK_WORD;
}

/* "= 60 + 17 = 77 kmph speed upstream = 60 - 17", "= 64 pi radius of circle = 8": where sentences
 * are not divided, the words after a number begin the next one. "in 14/3 = 2520 * 3 / 14": the
 * number belongs to the words. */
static bool names_another_value(const reading_eval *t, const equality *chain, size_t i)
{
    bool quotients = t->lhs->root->is == N_DIVIDE && t->rhs->root->is == N_DIVIDE;
    if (!is_bare(t->lhs) || reading_eval_states_conversion(t) || (quotients && is_bare(t->rhs)))
        return false; /* "which is 60/35 = 45/35" */
    if (expression_is_plain(t->rhs))
        return follows_sign(t->k->t, t->lhs) && ends_in_words(t->k->t, t->lhs);
    return t->k->t->at[t->lhs->end - 1].kind == TOK_WORD ||
           (i == 0 && chain->after_word && !clause_begins_equality(t->k->t, t->lhs->begin));
}

/* "12 + 3 = 1/3 of the money": a part of what has no number there. The left side is more than a
 * part, so it is not one too. */
static bool is_part_of_words(const reading_eval *t)
{
    const tokens *toks = t->k->t;
    size_t end = t->rhs->end;
    bool of = toks->at[end].kind == TOK_WORD && rdv_str_ieq(tok_text(toks, end), RDV_STR("of"));
    bool part = fmpq_sgn(t->r) > 0 && fmpq_cmp_ui(t->r, 1) < 0;
    return of && fmpq_cmp_ui(t->l, 1) > 0 && !reading_eval_holds_percent(t->lhs->root) &&
           (part || reading_eval_holds_percent(t->rhs->root));
}

/* "to the power (1 + 0.1) = 2^1.1", and in a list "+ 3 = 12 + 3": the side goes on from what stands
 * before it. */
static bool goes_on(const tokens *t, const expression *e)
{
    static const char *const words[] = {"power", "exponent"};
    return tok_kind_at(t, e->begin) == TOK_PLUS ||
           (e->begin > 0 && tok_is_one_of(t, e->begin - 1, words, 2));
}

/* Is the last unit of the side a letter behind a sign, "0.35 ohm * L", or a power of one? */
static bool ends_in_letter(const tokens *t, const expression *e)
{
    size_t end = e->end;
    if (end > e->begin + 2 && t->at[end - 2].kind == TOK_POWER)
        end -= 2;
    const token *last = &t->at[end - 1];
    return end > e->begin + 1 && last->kind == TOK_WORD && !last->upright &&
           tok_text(t, end - 1).len == 1 && t->at[end - 2].kind == TOK_TIMES;
}

/* "1/50 = 1/NP - 1/25": is the only unit of a sum, a known symbol or capital letters, the divisor
 * of a number, and the other side without one? "12/box + 3" counts boxes. */
static bool divides_by_letters(const tokens *t, const expression *e, const expression *other)
{
    bool sum = e->n_units + e->n_words == 1 && !other->n_units && !other->n_words &&
               (e->root->is == N_ADD || e->root->is == N_SUBTRACT);
    for (size_t i = e->begin; sum && i + 2 < e->end; i++) {
        rdv_str w = tok_text(t, i + 2);
        if (t->at[i].kind == TOK_NUMBER && t->at[i + 1].kind == TOK_DIVIDE &&
            t->at[i + 2].kind == TOK_WORD && !t->at[i + 2].upright && w.len > 1 && w.len <= 3 &&
            (e->n_units || (w.p[0] >= 'A' && w.p[0] <= 'Z')))
            return true;
    }
    return false;
}

/* "14 / 4 = 4 buses are needed": the next whole number above, and the words say that so many are
 * wanted. */
static bool is_needed(const reading_eval *t)
{
    static phrase_list wanted = {"@wanted"};
    const tokens *toks = t->k->t;
    if (!fmpz_is_one(fmpq_denref(t->r)) || compare_neighbour(toks, t->lhs, t->rhs, t->l, t->r) <= 0)
        return false;
    rdv_str text = rdv_slice(toks->text, 0, MAX_LOOK);
    return phrase_in(text, &wanted) || unread_words_in(text);
}

/* Is the value of a side of the chain that of an earlier one, perhaps rounded? */
static bool agree(const reading_eval *t, const expression *before, const expression *behind)
{
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    bool same = reading_eval_term_value(t->k, before, l) == EVAL_OK &&
                reading_eval_term_value(t->k, behind, r) == EVAL_OK &&
                compare_values(t->k->t, before, behind, l, r, READ_LITERALLY, TOLERANCE_NONE) <=
                    CLOSE_ROUNDED;
    fmpq_clear(l);
    fmpq_clear(r);
    return same;
}

/* "30 + 30 = 1 час": a word that is not read behind the result, which is off by what may be the
 * ratio of two units. */
static bool may_convert_unread(const reading_eval *t)
{
    static const ulong ratios[] = {7, 10, 12, 24, 30, 60, 100, 365, 1000, 3600, 10000};
    const tokens *toks = t->k->t;
    size_t i = t->rhs->end;
    i += toks->at[i].kind == TOK_OPEN;
    bool may = false;
    for (size_t k = 0; k < sizeof ratios / sizeof *ratios && unread_words_letter(toks, i); k++)
        may = may || differ_by(t, ratios[k]);
    return may;
}

/* "floor(8/5) + 1 = 8/5 + 1 = 1 + 1" in reasoning: the side before this link and the one behind it
 * agree, and the one between them was written down carelessly. */
static bool goes_back(const reading_eval *t, const equality *chain, size_t i)
{
    return t->k->thought && ((i + 2 < chain->n && agree(t, &chain->term[i], &chain->term[i + 2])) ||
                             (i > 0 && agree(t, &chain->term[i - 1], &chain->term[i + 1])));
}

/* The first argument in the tree of a function that gives a whole number; NULL: there is none. */
static node *rounded_part(const node *n)
{
    if (!n || n->is == N_FLOOR || n->is == N_CEIL ||
        (n->is == N_CALL && (n->value == CALL_FLOOR || n->value == CALL_CEIL)))
        return n ? n->a : NULL;
    node *left = rounded_part(n->a);
    return left ? left : rounded_part(n->b);
}

/* "floor(11/2) + 1 = 5.5" and, behind 2.5, "= 6 * (2.5/6) = 0.4167" in reasoning: the value of a
 * part, on the way to the whole. */
static bool gives_part(const reading_eval *t, const equality *chain, size_t i)
{
    const node *n = t->lhs->root;
    node *rounded = rounded_part(n);
    bool again = i > 0 && n->is == N_MULTIPLY && n->b->grouped &&
                 agree(t, &chain->term[i - 1], &chain->term[i]);
    expression part = *t->lhs;
    part.root = rounded ? rounded : n->b;
    bool is_whole = fmpz_is_one(fmpq_denref(t->r));
    return t->k->thought && ((rounded && !is_whole) || again) && agree(t, &part, t->rhs);
}

/* "\\pi = -10,000 + 400(0)": a profit. */
static bool names_pi(const reading_eval *t)
{
    const expression *l = t->lhs;
    return l->end == l->begin + 1 && t->k->t->at[l->begin].kind == TOK_PI &&
           !compare_to_one_percent(t->l, t->r);
}

/* The one word of a side that counts something; p == NULL: it has none, or several. */
static rdv_str thing_counted(const tokens *t, const expression *e)
{
    rdv_str thing = {0};
    for (size_t i = e->begin; i < e->end; i++) {
        rdv_str word = t->at[i].kind == TOK_WORD ? tok_text(t, i) : (rdv_str){0};
        if (thing.p && word.p && !rdv_str_eq(thing, word))
            return (rdv_str){0};
        thing = word.p ? word : thing;
    }
    return thing;
}

/* "5 yaps / 3 = 5 * (4 daps / 7) / 3", "10^6 maxwells = 10^6 * 10^-8 Wb": a calculation in one
 * thing, and one in another, or in a unit, that nobody knows how to convert. */
static bool converts_things(const reading_eval *t)
{
    const expression *l = t->lhs, *r = t->rhs;
    bool in_unit = r->n_units > 0;
    if (l->n_units || !l->n_words || in_unit == (r->n_words > 0) || expression_is_plain(l) ||
        expression_is_plain(r))
        return false;
    rdv_str a = thing_counted(t->k->t, l), b = thing_counted(t->k->t, r);
    return a.p && b.p && !rdv_starts(a, b) && !rdv_starts(b, a); /* "box", "boxes" */
}

/* "1.8 × 10^34 kg ≈ 9 × 10^3 solar masses", "≈ 1.8 × 10^34 / 1.99 × 10^30": one amount, and what
 * has no unit that is known. */
static bool converts_amount(const reading_eval *t)
{
    return expression_is_scientific(t->k->t, t->lhs) && !expression_is_plain(t->rhs) &&
           (t->lhs->n_units > 0) != (t->rhs->n_units > 0);
}

/* "gcd(1,100,143)" may be of 1,100 and 143. */
static bool may_divide_thousands(const tokens *t, const expression *e)
{
    for (size_t i = e->begin; i + 3 < e->end; i++)
        if (t->at[i].kind == TOK_NUMBER && t->at[i + 1].kind == TOK_COMMA &&
            t->at[i + 2].kind == TOK_NUMBER && t->at[i + 3].kind == TOK_COMMA &&
            tok_text(t, i).len <= 3 && tok_text(t, i + 2).len == 3 && !t->at[i + 1].space_before &&
            !t->at[i + 2].space_before && !t->at[i + 3].space_before)
            return true;
    return false;
}

const char *withhold_contradiction(const reading_eval *t, const equality *chain, size_t i,
                                   bool clean, rdv_str *by)
{
    bool joined = chain->after_word && tok_is_word(t->k->t, chain->term[0].begin - 1, "and");
    if (i == 0 && (t->q.converts || (joined && t->lhs->n_units)) && follows_unit(t->k->t, chain))
        return "what stands before it may belong to it";
    if (t->literal == EVAL_UNDEFINED)
        return "not defined: a division by zero or such";
    if (t->literal != EVAL_OK)
        return "over the limits of exact evaluation, or an angle's unit is not written";
    if (holds_logarithm(t))
        return "a logarithm whose base is not written";
    if (!clean)
        return "what stands beside it could not be read";
    if (i == 0 && goes_on(t->k->t, t->lhs))
        return "what stands before it may belong to it";
    if (is_part_of_words(t))
        return "a part of what is not stated as a number";
    mismatch m = {t->k, chain, i, t->lhs, t->rhs, t->l, t->r, t->q.fits && t->q.complete};
    if (t->best == CLOSE_FAR)
        return "rounded by more than one percent";
    if (may_divide_thousands(t->k->t, t->lhs) || may_divide_thousands(t->k->t, t->rhs))
        return "commas that may divide thousands";
    if (names_pi(t))
        return "a sign that may be a name";
    if (converts_things(t) || converts_amount(t))
        return "things that may be converted";
    if (is_needed(t))
        return "a count that may be rounded up";
    if (may_convert_unread(t))
        return "units that may need converting";
    if (goes_back(t, chain, i))
        return "a side between two that agree";
    if (gives_part(t, chain, i))
        return "the value of a part";
    if (t->q.product_sides.is &&
        (ends_in_letter(t->k->t, t->lhs) || ends_in_letter(t->k->t, t->rhs)))
        return "a letter that may be no unit";
    if (divides_by_letters(t->k->t, t->lhs, t->rhs) ||
        divides_by_letters(t->k->t, t->rhs, t->lhs) || letter_product_in(t->k->t, chain, i))
        return "letters that may be no unit";
    if (rounding_misses_last_digits(t))
        return "a last digit that may be rounded on the way";
    if (t->best == CLOSE_ROUGH && (t->about || (t->said_about && rounding_is_inexact(t))))
        return "a rough approximation";
    if (t->q.converts && may_count_otherwise(t))
        return "units that are counted in more than one way";
    if (t->q.fits && t->q.converts && t->lhs->root->is == N_UNIT && t->rhs->root->is == N_UNIT &&
        may_be_a_scale(t))
        return "lengths that may be at a scale";
    if (t->best == CLOSE_ROUGH && t->q.crosses)
        return "a rough conversion";
    if (!t->q.complete && quantity_may_be_converted(t->k->t, t->lhs, t->rhs, t->l, t->r, t->q.fits))
        return "units that may need converting";
    if (quantity_leaves_unit_out(t->k->t, t->k->budget, t->lhs, t->rhs, t->r))
        return "a unit that may be left out of the sum";
    if (leaves_prefix_out(t))
        return "units that may need converting";
    if (counts_in_cents(t))
        return "cents that may be counted as dollars";
    if (rounding_leaves_out_digits(t))
        return "a whole number that may be rounded to its significant digits";
    if (counts_in_thousands(t))
        return "thousands or millions that may be left out";
    if (i > 0 && (t->lhs->readings & READ_ASIDE)) /* "(12 + 8) = 20 (12 - 8) = 4" */
        return "a bracket that may be an aside";
    if (may_be_a_range(t, chain, i))
        return "a hyphen that may stand for a range";
    if (begins_with_a_name(t, chain, i))
        return "a number that may be a name";
    if (names_another_value(t, chain, i))
        return "the words may name another value";
    const char *why = mismatch_explained(&m, by);
    return why || t->k->marked ? why : decomposition_explains(t, chain, i);
}
