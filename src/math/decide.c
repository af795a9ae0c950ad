/* SPDX-License-Identifier: Apache-2.0 */
#include "math/decide.h"

#include "base/str.h"
#include "math/claimed.h"
#include "math/compare.h"
#include "math/for_all.h"
#include "math/mismatch.h"
#include "math/print.h"
#include "math/quantity.h"
#include "math/shown.h"

#define MAX_READINGS 16 /* combinations tried */

static evaluation evaluation_of(const knowledge *k, unsigned readings)
{
    return (evaluation){.t = k->t,
                        .reading = readings,
                        .budget = k->budget,
                        .bindings = k->bindings,
                        .n_bindings = k->n_bindings};
}

eval_is decide_term_value(const knowledge *k, const expression *e, fmpq_t out)
{
    evaluation ev = evaluation_of(k, READ_LITERALLY);
    return real_eval(&ev, e->root, out);
}

static int say(decision *d, rdv_calc_kind is, const char *note)
{
    d->is_calculation = true;
    d->kind = is;
    d->note = note ? rdv_str_of(note) : (rdv_str){0};
    return RDV_OK;
}

/* A ball's midpoint, not a fraction. */
static bool is_real(const fmpq_t x)
{
    return fmpz_bits(fmpq_denref(x)) > 150;
}

static rdv_str print_side(const fmpq_t x, rdv_arena *arena)
{
    return is_real(x) ? print_real(x, arena) : print_value(x, arena);
}

/* ---- readings -------------------------------------------------------------------------------- */

/* One equality while it is being decided. */
typedef struct trial {
    const knowledge *k;
    const expression *lhs, *rhs;
    bool about;      /* because of the sign */
    bool said_about; /* because of the words before it */
    quantities q;
    bool must_convert; /* its numbers alone have no meaning, because they count different units */
    fmpq_t l, r;       /* values read literally, where `literal` is EVAL_OK */
    fmpq_t in_unit;    /* the left side's value in the right side's unit, where they fit */
    eval_is literal;
    closeness alone, converted; /* the best without units, and with them */
    closeness best;             /* over the readings tried */
    unsigned reading;           /* under which it was so */
    bool other_way, limit;
} trial;

static bool holds_hundred(const tokens *t, const node *n)
{
    if (!n)
        return false;
    if (n->is == N_NUMBER)
        return rdv_str_eq(tok_text(t, n->end - 1), RDV_STR("100"));
    return holds_hundred(t, n->a) || holds_hundred(t, n->b);
}

static bool holds_percent(const node *n)
{
    return n && (n->is == N_PERCENT || holds_percent(n->a) || holds_percent(n->b));
}

/* "20% * 50%": as numbers, such a product would be a hundred times as much. */
static bool multiplies_percents(const node *n)
{
    bool product = n && (n->is == N_MULTIPLY || n->is == N_DIVIDE);
    return n && ((product && holds_percent(n->a) && holds_percent(n->b)) ||
                 multiplies_percents(n->a) || multiplies_percents(n->b));
}

/* Which readings a left side may have. Words after "of" explain a result, not what is calculated;
 * and a percentage that is multiplied is a fraction, unless the result is a percentage too or a
 * hundred takes part ("3 / 21 * 100% = 14.28", "20% / 100 = 0.2"). */
static unsigned readings_of_left(const trial *t)
{
    unsigned all = ~(unsigned)READ_OF_AS_PROSE;
    bool fraction = t->lhs->product && !(t->rhs->readings & READ_PERCENT_AS_NUMBER) &&
                    !holds_hundred(t->k->t, t->lhs->root);
    if (fraction || (t->lhs->product && multiplies_percents(t->lhs->root)))
        all &= ~(unsigned)READ_PERCENT_AS_NUMBER;
    return all;
}

static eval_is values(const trial *t, unsigned readings, bool unround, fmpq_t l, fmpq_t r,
                      bool *used, bool *inexact)
{
    evaluation ev = evaluation_of(t->k, readings);
    eval_is is = real_eval(&ev, t->rhs->root, r);
    if (is != EVAL_OK)
        return is;
    if (unround) {
        ev.rounds = t->k->rounds;
        ev.n_rounds = t->k->n_rounds;
    }
    ev.reading = readings & readings_of_left(t);
    is = real_eval(&ev, t->lhs->root, l);
    *used = ev.used_rounds;
    *inexact = ev.inexact;
    return is;
}

/* Values in bases become values in the unit that is shown, so that they are rounded in it. */
static void to_shown_unit(trial *t, unsigned readings, fmpq_t l, fmpq_t r)
{
    const measure *m = quantity_shown_in(t->rhs, readings);
    if (!m && t->rhs->n_different)
        m = t->rhs->units[0];
    if (!m)
        m = quantity_shown_in(t->lhs, readings);
    if (!m)
        return;
    fmpq_t factor;
    fmpq_init(factor);
    quantity_factor(m, factor);
    fmpq_div(l, l, factor);
    fmpq_div(r, r, factor);
    if (fmpq_is_zero(t->in_unit)) /* the first reading in which they fit */
        fmpq_set(t->in_unit, l);
    fmpq_clear(factor);
}

static void try_reading(trial *t, unsigned readings, bool unround)
{
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    bool used = false, inexact = false;
    eval_is is = values(t, readings, unround, l, r, &used, &inexact);
    if (readings == READ_LITERALLY && !unround) {
        t->literal = is;
        fmpq_set(t->l, l);
        fmpq_set(t->r, r);
    }
    t->limit |= is == EVAL_LIMIT;
    if (is == EVAL_OK && (!unround || used)) {
        bool about = t->about || t->said_about || ((readings & READ_UNITS) && t->q.crosses);
        if (readings & READ_UNITS)
            to_shown_unit(t, readings, l, r);
        closeness c = inexact && compare_to_50_digits(l, r)
                          ? CLOSE_EQUAL
                          : compare_values(t->k->t, t->lhs, t->rhs, l, r, readings, about);
        if (c == CLOSE_EQUAL && (readings & (READ_PI_AS_3_14 | READ_PI_AS_22_7)))
            c = CLOSE_ROUNDED;
        t->other_way |= c == CLOSE_OTHER_WAY;
        closeness *of_kind = readings & READ_UNITS ? &t->converted : &t->alone;
        *of_kind = c < *of_kind ? c : *of_kind;
        if (c < t->best && (!t->must_convert || (readings & READ_UNITS))) {
            t->best = c;
            t->reading = readings;
        }
    }
    fmpq_clear(l);
    fmpq_clear(r);
}

/* Do the units, read as `readings` say, fit? Without READ_UNITS they are not looked at. */
static bool units_fit(const trial *t, unsigned readings)
{
    if (!(readings & READ_UNITS))
        return !(readings & (READ_DOLLARS | READ_OTHER_UNITS));
    unsigned variant = (readings & READ_DOLLARS ? 1 : 0) | (readings & READ_OTHER_UNITS ? 2 : 0);
    return t->q.fits >> variant & 1;
}

/* "60 minutes = 1 hour": two numbers, and nothing but their units says something. */
static bool states_conversion(const trial *t)
{
    return expression_is_plain(t->lhs) && expression_is_plain(t->rhs) && t->q.fits &&
           t->q.complete && t->q.converts;
}

/* Every combination of the readings that the two sides offer, the literal one first. */
static void try_readings(trial *t)
{
    unsigned offered = t->lhs->readings | t->rhs->readings, tried = 0;
    quantity_look(t->k->t, t->lhs, t->rhs, &t->q);
    t->must_convert = t->q.fits && (t->q.sums_differ || states_conversion(t));
    if (!t->q.fits)
        offered &= ~(unsigned)(READ_UNITS | READ_DOLLARS | READ_OTHER_UNITS);
    for (unsigned r = 0;; r = (r - offered) & offered) { /* the subsets of `offered` in order */
        bool fits = units_fit(t, r);
        if (fits)
            try_reading(t, r, false);
        tried += fits;
        if (r == offered || t->best == CLOSE_EQUAL || tried == MAX_READINGS || t->limit)
            break;
    }
    t->q.converts |= t->q.fits && t->literal == EVAL_OK && !fmpq_equal(t->in_unit, t->l);
    /* Whether numbers that agree also agree in their units. */
    for (unsigned v = 0; v < QUANTITY_VARIANTS && t->best == CLOSE_EQUAL && !t->limit; v++)
        if (t->q.complete && (t->q.fits >> v & 1) && t->converted > CLOSE_ROUNDED)
            try_reading(t, quantity_readings(v), false);
}

/* ---- what else excuses a difference ---------------------------------------------------------- */

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

/* "3 + 4 = 7 * 2 = 14", "48 / 2 = 24 + 48 = 72": the right side goes on from the left side's value
 * with something new. */
static bool runs_on(const trial *t)
{
    const tokens *toks = t->k->t;
    const node *n = t->rhs->root;
    if (expression_is_plain(t->lhs) || expression_is_plain(t->rhs))
        return false;
    while (n->a && !n->grouped)
        n = n->a;
    if (n->is != N_NUMBER || n->grouped || repeats(toks, t->rhs->root, n, t->lhs->root))
        return false;
    fmpq_t first;
    long decimals;
    fmpq_init(first);
    bool runs =
        literal_value(toks, n->end - 1, first, &decimals) == EVAL_OK && fmpq_equal(first, t->l);
    fmpq_clear(first);
    return runs;
}

/* "100 / 3 = 33.4, rounded up": the note, or NULL. */
static const char *rounded_as_said(const trial *t)
{
    const tokens *toks = t->k->t;
    size_t begin = toks->at[t->lhs->begin].begin, end = toks->at[t->rhs->end - 1].end;
    for (int up = 0; up < 2; up++)
        if (compare_is_other_neighbour(toks, t->lhs, t->rhs, t->l, t->r, up) &&
            context_rounds(toks->text, begin, end, up))
            return up ? "rounded up, as the text says" : "rounded down, as the text says";
    return NULL;
}

/* Can the sides be equal when their decimals were rounded, under the readings? */
static bool loosely_equal_as(const trial *t, unsigned readings)
{
    evaluation ev = evaluation_of(t->k, readings);
    bool can = false, used, inexact;
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    if (values(t, readings, false, l, r, &used, &inexact) == EVAL_OK)
        can = (real_eval_loosely(&ev, t->rhs->root, l, &can) == EVAL_OK && can) ||
              (real_eval_loosely(&ev, t->lhs->root, r, &can) == EVAL_OK && can);
    fmpq_clear(l);
    fmpq_clear(r);
    return can;
}

/* Both sides calculate, one of them with decimals that may have been rounded; or one of them holds
 * a number that goes on. */
static bool loosely_equal(const trial *t)
{
    bool cut = t->lhs->ellipsis || t->rhs->ellipsis;
    if (!cut && (expression_is_plain(t->lhs) || expression_is_plain(t->rhs)))
        return false;
    if (loosely_equal_as(t, t->reading))
        return true;
    for (unsigned v = 0; v < QUANTITY_VARIANTS; v++)
        if ((t->q.fits >> v & 1) && loosely_equal_as(t, quantity_readings(v)))
            return true;
    return false;
}

/* Is the right side so many times the left one? */
static bool right_is_times(const trial *t, ulong factor)
{
    return compare_differ_by_factor(t->k->t, t->lhs, t->rhs, t->l, t->r, factor, 1);
}

static bool left_is_times(const trial *t, ulong factor)
{
    return compare_differ_by_factor(t->k->t, t->lhs, t->rhs, t->l, t->r, 1, factor);
}

static bool differ_by(const trial *t, ulong factor)
{
    return right_is_times(t, factor) || left_is_times(t, factor);
}

/* "Pages 3-5 = 3 pages": a hyphen between a smaller and a larger number, after a word. */
static bool may_be_a_range(const trial *t, const equality *chain, size_t i)
{
    const node *n = t->lhs->root;
    return i == 0 && chain->after_word && n->is == N_SUBTRACT && !n->grouped &&
           n->a->is == N_NUMBER && n->b->is == N_NUMBER && fmpq_sgn(t->l) < 0 &&
           !t->k->t->at[n->b->begin].space_before;
}

static bool counts_in_thousands(const trial *t)
{
    unsigned power = context_hints_of(t->k->hints, t->k->t->text)->power_of_ten;
    ulong factor = 1;
    for (unsigned i = 0; i < power; i++)
        factor *= 10;
    return power && differ_by(t, factor);
}

/* The sign of percent stands on the right or later in the chain: 2/4 = 2/4 * 100 = 50%. A number
 * with the sign may be a hundredth of the left side, never a hundred times as much. */
static bool reads_as_percent(const trial *t, const equality *chain, size_t i)
{
    bool percent = false;
    for (size_t k = i + 1; k < chain->n; k++)
        percent |= (chain->term[k].readings & READ_PERCENT_AS_NUMBER) != 0;
    return percent &&
           (left_is_times(t, 100) || (!expression_is_plain(t->rhs) && right_is_times(t, 100)));
}

/* "75 * 2 = $1.50": the numbers on the left may be cents. */
static bool counts_in_cents(const trial *t)
{
    const node *n = t->rhs->root;
    bool sign = t->k->t->at[t->rhs->begin].kind == TOK_CURRENCY || (n->is == N_UNIT && n->sign);
    return sign && !t->lhs->n_units && left_is_times(t, 100);
}

static bool holds_decimal(const tokens *t, const node *n)
{
    return n && ((n->is == N_NUMBER &&
                  rdv_find_char(tok_text(t, n->end - 1), '.', 0) != RDV_NOT_FOUND) ||
                 holds_decimal(t, n->a) || holds_decimal(t, n->b));
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

/* "8.314 * 298 = 2480": what is measured has significant digits, and zeros may stand for others.
 * Two of them at least must be shown. */
static bool leaves_out_digits(const trial *t)
{
    const tokens *toks = t->k->t;
    const node *n = t->rhs->root;
    while (n->is == N_NEGATE || (n->is == N_UNIT && !n->sign))
        n = n->a;
    rdv_str shown = n->is == N_NUMBER ? tok_text(toks, n->end - 1) : (rdv_str){0};
    if (t->k->wordless || !rdv_ends(shown, RDV_STR("0")) ||
        rdv_find_char(shown, '.', 0) != RDV_NOT_FOUND || significant_digits(shown) < 2 ||
        toks->at[t->rhs->begin].kind == TOK_CURRENCY || !holds_decimal(toks, t->lhs->root))
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

/* ---- the decision ---------------------------------------------------------------------------- */

static const char *reading_note(unsigned readings)
{
    static const struct {
        unsigned bit;
        const char *note;
    } notes[] = {
        {READ_UNITS, "units converted"},
        {READ_PERCENT_OF_LEFT, "the percentage read as of the number before it"},
        {READ_PERCENT_OF_FRACTION, "the percent sign read as of the fraction"},
        {READ_PERCENT_AS_NUMBER, "the percentage read as its number"},
        {READ_IMPLICIT_FIRST, "a product without a sign read as one divisor"},
        {READ_LEFT_TO_RIGHT, "the divisions read from left to right"},
        {READ_NEGATIVE_BASE, "the power read as of the negative number"},
        {READ_MIXED_AS_PRODUCT, "the fraction read as a factor"},
        {READ_ASIDE, "the bracket read as an aside"},
        {READ_PI_AS_3_14, "pi read as a decimal"},
        {READ_PI_AS_22_7, "pi read as 22/7"},
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (readings & notes[i].bit)
            return notes[i].note;
    return NULL;
}

/* "1 cm = 10 km" on a map: lengths that differ by so much are at some scale. */
static bool may_be_a_scale(const trial *t)
{
    static const char *const words[] = {"scale",     "map",     "model",
                                        "represent", "drawing", "blueprint"};
    fmpq_t low, high;
    fmpq_init(low);
    fmpq_init(high);
    const measure *m = quantity_shown_in(t->rhs, READ_UNITS);
    bool length = m && m->power[BASE_METRE] && !m->power[BASE_SECOND] && !m->power[BASE_GRAM];
    fmpq_mul_ui(low, t->r, 12);
    fmpq_mul_ui(high, t->in_unit, 12);
    bool far = fmpq_cmp(low, t->in_unit) <= 0 || fmpq_cmp(high, t->r) <= 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        far |=
            rdv_ifind(rdv_slice(t->k->question, 0, 1600), rdv_str_of(words[i]), 0) !=
                RDV_NOT_FOUND ||
            rdv_ifind(rdv_slice(t->k->t->text, 0, 1600), rdv_str_of(words[i]), 0) != RDV_NOT_FOUND;
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

/* May a stated conversion be called wrong? */
static bool is_sure_conversion(const trial *t, const equality *chain)
{
    return !t->q.loose && t->best == CLOSE_NOT && !follows_unit(t->k->t, chain) &&
           !may_be_a_scale(t);
}

/* "A rise of 10 °C = 18 °F": the numbers are as degrees of the two scales are. */
static bool is_difference_of_degrees(const trial *t)
{
    fmpq_t degrees;
    fmpq_init(degrees);
    bool is = quantity_degrees(t->lhs, t->rhs, t->l, degrees) &&
              compare_values(t->k->t, t->lhs, t->rhs, degrees, t->r, READ_LITERALLY, t->about) <=
                  CLOSE_ROUNDED;
    fmpq_clear(degrees);
    return is;
}

/* "25 °C = 77 °F" */
static int decide_temperature(trial *t, bool clean, decision *d)
{
    fmpq_t l;
    fmpq_init(l);
    int result = RDV_NONE;
    if (clean && expression_is_plain(t->lhs) && expression_is_plain(t->rhs) &&
        t->literal == EVAL_OK && quantity_temperature(t->lhs, t->rhs, t->l, l)) {
        closeness c = compare_values(t->k->t, t->lhs, t->rhs, l, t->r, READ_LITERALLY, t->about);
        bool difference = c > CLOSE_ROUNDED && is_difference_of_degrees(t);
        result = say(d,
                     c == CLOSE_EQUAL                ? RDV_CALC_RIGHT
                     : c == CLOSE_ROUNDED            ? RDV_CALC_ROUNDED
                     : c == CLOSE_NOT && !difference ? RDV_CALC_WRONG
                                                     : RDV_CALC_UNDECIDED,
                     difference ? "a temperature, or a difference of temperatures"
                                : "a temperature converted");
        d->value = shown_value(t->k->t, t->rhs, t->r, l, false, t->k->arena);
        d->claim = shown_claim(t->k->t, t->rhs, t->r, false, t->k->arena);
        result = d->value.p && d->claim.p ? result : RDV_E_NOMEM;
    }
    fmpq_clear(l);
    return result;
}

/* Is it a calculation at all, or does it name, convert or compare? */
static bool nothing_to_say(const trial *t, const equality *chain, size_t i, bool clean)
{
    const expression *l = t->lhs, *r = t->rhs;
    bool worded = l->n_units || l->n_words || (l->readings & READ_PERCENT_AS_NUMBER);
    if (!expression_is_plain(l) || (t->k->marked && clean))
        return false;
    if (states_conversion(t))
        return !clean || t->about || (t->best > CLOSE_ROUNDED && !is_sure_conversion(t, chain));
    if (i == 0 && !chain->clean_left)
        return true;             /* only the end of something that was not read */
    if (!expression_is_plain(r)) /* "18 inches = 18/12", "students on day 1 = 185 - 100" */
        return i == 0 && t->best > CLOSE_ROUNDED && (worded || chain->after_word);
    /* "60 minutes = 1 hour", "5 = 5"; but "8 = 9" inside a chain is a slip. */
    return t->best != CLOSE_NOT || chain->n < 3 || !clean || worded || r->n_units || r->n_words ||
           (r->readings & READ_PERCENT_AS_NUMBER) || t->about;
}

/* A number, or a fraction of two. */
static bool is_bare(const expression *e)
{
    const node *n = e->root;
    return expression_is_plain(e) ||
           (n->is == N_DIVIDE && n->a->is == N_NUMBER && n->b->is == N_NUMBER);
}

/* "= 60 + 17 = 77 kmph speed upstream = 60 - 17": where sentences are not divided, the words after
 * a number begin the next one. "in 14/3 = 2520 * 3 / 14": the number belongs to the words. */
static bool names_another_value(const trial *t, const equality *chain, size_t i)
{
    if (!is_bare(t->lhs) || expression_is_plain(t->rhs))
        return false;
    return t->k->t->at[t->lhs->end - 1].kind == TOK_WORD || (i == 0 && chain->after_word);
}

static const char *why_unsure(const trial *t, const equality *chain, size_t i, bool clean)
{
    if (i == 0 && t->q.converts && follows_unit(t->k->t, chain))
        return "what stands before it may belong to it";
    size_t end = t->k->t->at[t->rhs->end - 1].end;
    if (t->literal == EVAL_UNDEFINED)
        return "not defined: a division by zero or such";
    if (t->literal != EVAL_OK)
        return "over the limits of exact evaluation, or a base or an angle's unit is not written";
    if (!clean)
        return "what stands beside it could not be read";
    mismatch m = {t->k, chain, i, t->lhs, t->rhs, t->l, t->r, t->q.fits && t->q.complete};
    if (context_hints_of(t->k->question_hints, t->k->question)->redefines ||
        (context_hints_of(t->k->hints, t->k->t->text)->modulo && !mismatch_of_residues(&m)))
        return "the question gives a sign a meaning of its own";
    if (t->other_way && (t->about || !t->k->wordless)) /* a count may leave out a rest */
        return "a whole number that is not the nearest";
    if (t->best == CLOSE_ROUGH && t->about)
        return "a rough approximation";
    if (t->q.loose && t->q.converts)
        return "units that are counted in more than one way";
    if (t->q.fits && t->q.converts && t->lhs->root->is == N_UNIT && t->rhs->root->is == N_UNIT &&
        may_be_a_scale(t))
        return "lengths that may be at a scale";
    if (t->best == CLOSE_ROUGH && t->q.crosses)
        return "a rough conversion";
    if (!t->q.complete && quantity_may_be_converted(t->k->t, t->lhs, t->rhs, t->l, t->r, t->q.fits))
        return "units that may need converting";
    if (counts_in_cents(t))
        return "cents that may be counted as dollars";
    if (leaves_out_digits(t))
        return "a whole number that may be rounded to its significant digits";
    if (counts_in_thousands(t))
        return "thousands or millions that may be left out";
    if ((t->lhs->readings | t->rhs->readings) & READ_ASIDE)
        return "a bracket that may be an aside";
    if (may_be_a_range(t, chain, i))
        return "a hyphen that may stand for a range";
    if (context_denies(t->k->t->text, end))
        return "the step itself takes it back";
    if (names_another_value(t, chain, i))
        return "the words may name another value";
    return mismatch_explained(&m);
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
static const fmpq_t *nearer_value(const trial *t)
{
    if (!t->q.fits || !t->q.converts)
        return &t->l;
    if (t->q.complete || t->must_convert)
        return &t->in_unit;
    bool zero = fmpq_is_zero(t->l) || fmpq_is_zero(t->r) || fmpq_is_zero(t->in_unit);
    return !zero && nearer_by_ratio(t->in_unit, t->r, t->l) ? &t->in_unit : &t->l;
}

/* A unit of something that is measured, and not a pair or a point. */
static bool is_of_a_kind(const measure *m)
{
    return !m->power[BASE_ONE] && !m->power[BASE_UNIT];
}

/* What does not fit is not decided, whatever the numbers say: the reason. Where it has to be
 * written, the decision is made, or *d is left as it is when there is none. */
static const char *why_units_misfit(const trial *t, decision *d)
{
    const quantities *q = &t->q;
    const measure *a = q->added ? q->added : q->is, *b = q->added ? q->to : q->not_;
    const char *x = a ? quantity_kind(a) : NULL, *y = b ? quantity_kind(b) : NULL;
    if (q->fits && q->complete && t->alone <= CLOSE_ROUNDED && t->converted > CLOSE_ROUNDED &&
        !t->must_convert)
        return "the numbers agree, but not in these units";
    if (!a || !b)
        return NULL;
    bool same = x && y && strcmp(x, y) == 0; /* "$30 and $30 per hour", or two scales */
    if (same && strcmp(x, "a temperature") == 0)
        return "temperatures of different scales";
    bool plain = a->n == 1 && b->n == 1 && is_of_a_kind(a) && is_of_a_kind(b);
    if (!x || !y || same)
        return q->added || (plain && !same) ? "units of different kinds" : NULL;
    d->is_calculation = true;
    d->kind = RDV_CALC_UNDECIDED;
    d->note = q->added ? rdv_str_printf(t->k->arena, "%s and %s are added", x, y)
                       : rdv_str_printf(t->k->arena, "%s is not %s", x, y);
    return d->note.p ? NULL : "units of different kinds";
}

/* Wrong, with both values as a person would write them. */
static int say_wrong(const trial *t, decision *d)
{
    const fmpq_t *value = nearer_value(t);
    say(d, RDV_CALC_WRONG, NULL);
    d->value = shown_value(t->k->t, t->rhs, t->r, *value, is_real(*value), t->k->arena);
    d->claim = shown_claim(t->k->t, t->rhs, t->r, is_real(t->r), t->k->arena);
    return d->value.p && d->claim.p ? RDV_OK : RDV_E_NOMEM;
}

static int decide_numbers(trial *t, const equality *chain, size_t i, decision *d)
{
    const tokens *toks = t->k->t;
    bool clean = (i > 0 || chain->clean_left) && (i + 2 < chain->n || chain->clean_right);
    try_readings(t);
    /* Looked for only where it matters: most equalities are simply right. */
    if (t->best == CLOSE_NOT && context_approximates(toks->text, toks->at[t->lhs->begin].begin)) {
        t->said_about = true;
        try_readings(t);
    }
    int temperature = decide_temperature(t, clean, d);
    if (temperature != RDV_NONE)
        return temperature;
    if (t->literal == EVAL_LETTERS || nothing_to_say(t, chain, i, clean))
        return RDV_OK;
    const char *misfit = t->literal == EVAL_OK ? why_units_misfit(t, d) : NULL;
    if (misfit || d->note.p)
        return misfit ? say(d, RDV_CALC_UNDECIDED, misfit) : RDV_OK;
    if (t->best == CLOSE_EQUAL)
        return say(d, RDV_CALC_RIGHT, reading_note(t->reading));
    if (t->literal == EVAL_OK) {
        d->value = print_side(*nearer_value(t), t->k->arena);
        d->claim = print_side(t->r, t->k->arena);
        if (!d->value.p || !d->claim.p)
            return RDV_E_NOMEM;
    }
    if (t->best == CLOSE_ROUNDED && t->literal == EVAL_OK)
        return say(d, RDV_CALC_ROUNDED, reading_note(t->reading));
    const char *as_said = t->literal == EVAL_OK ? rounded_as_said(t) : NULL;
    if (as_said)
        return say(d, RDV_CALC_ROUNDED, as_said);
    const char *unsure = why_unsure(t, chain, i, clean);
    if (t->literal == EVAL_OK && clean) {
        if (runs_on(t))
            return say(d, RDV_CALC_RIGHT, "read as a running calculation");
        if (reads_as_percent(t, chain, i))
            return say(d, RDV_CALC_RIGHT, "read as a percentage");
        try_reading(t, READ_LITERALLY, true);
        if (t->best <= CLOSE_ROUNDED)
            return say(d, RDV_CALC_ROUNDED, "with the value before it was rounded");
        if (loosely_equal(t))
            return say(d, RDV_CALC_ROUNDED, "within the rounding of its decimals");
    }
    return unsure ? say(d, RDV_CALC_UNDECIDED, unsure) : say_wrong(t, d);
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
        decide_term_value(k, lhs, l) == EVAL_OK && decide_term_value(k, rhs, r) == EVAL_OK) {
        bool equal = fmpq_equal(l, r);
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

/* "(a+b)^2 = a^2 + b^2 for all a and b": one example refutes it. */
static int decide_claim_for_all(const knowledge *k, const equality *chain, size_t i, decision *d)
{
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    const tokens *t = k->t;
    if (chain->n > 2 || !chain->clean_left || !chain->clean_right ||
        !for_all_is_claimed(k, lhs, rhs) ||
        claimed_not(t->text, t->at[lhs->begin].begin, t->at[rhs->end - 1].end) ||
        context_hints_of(k->hints, t->text)->modulo ||
        context_hints_of(k->question_hints, k->question)->redefines)
        return RDV_OK;
    int r = for_all_disproved(k, lhs, rhs, d);
    return r == RDV_NONE ? RDV_OK : r;
}

/* Where letters take part, equality is no claim unless it holds for all their values, or puts in
 * the values they were given. */
static int decide_letters(const knowledge *k, const equality *chain, size_t i, decision *d)
{
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    if (!lhs->n_letters || chain->approximate[i + 1] || expression_is_plain(lhs) ||
        expression_is_plain(rhs))
        return RDV_OK; /* a definition or an equation */
    if (!rhs->n_letters)
        return decide_substitution(k, lhs, rhs, d);
    if (identity_holds(k, lhs, rhs))
        return say(d, RDV_CALC_RIGHT, "the same for all values of the letters");
    return decide_claim_for_all(k, chain, i, d);
}

/* "It is not true that 3 * 4 = 12" is wrong, but says nothing that could be right. */
static void withhold_denied(const knowledge *k, const equality *chain, decision *d)
{
    static const char *const words[] = {"that", "not", "say", "write", "claim", "conclude"};
    size_t begin = chain->term[0].begin;
    bool right = d->is_calculation && (d->kind == RDV_CALC_RIGHT || d->kind == RDV_CALC_ROUNDED);
    if (!right || k->marked || !chain->after_word ||
        !rdv_is_one_of(tok_text(k->t, begin - 1), words, sizeof words / sizeof *words) ||
        !claimed_denied(k->t->text, k->t->at[begin].begin))
        return;
    d->kind = RDV_CALC_UNDECIDED;
    d->note = RDV_STR("the words before it deny it");
}

int decide_equality(const knowledge *k, const equality *chain, size_t i, decision *out)
{
    *out = (decision){0};
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    if (lhs->n_letters || rhs->n_letters)
        return decide_letters(k, chain, i, out);
    trial t = {.k = k,
               .lhs = lhs,
               .rhs = rhs,
               .about = chain->approximate[i + 1],
               .best = CLOSE_NOT,
               .alone = CLOSE_NOT,
               .converted = CLOSE_NOT};
    fmpq_init(t.l);
    fmpq_init(t.r);
    fmpq_init(t.in_unit);
    int r = decide_numbers(&t, chain, i, out);
    fmpq_clear(t.l);
    fmpq_clear(t.r);
    fmpq_clear(t.in_unit);
    withhold_denied(k, chain, out);
    return r;
}
