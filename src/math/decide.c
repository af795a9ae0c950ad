/* SPDX-License-Identifier: Apache-2.0 */
#include "math/decide.h"

#include "base/str.h"
#include "math/claimed.h"
#include "math/compare.h"
#include "math/mismatch.h"
#include "math/print.h"

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

/* ---- readings -------------------------------------------------------------------------------- */

/* One equality while it is being decided. */
typedef struct trial {
    const knowledge *k;
    const expression *lhs, *rhs;
    bool about;        /* because of the sign */
    bool said_about;   /* because of the words before it */
    bool must_convert; /* its numbers alone have no meaning, because they count different units */
    fmpq_t l, r;       /* values read literally, where `literal` is EVAL_OK */
    eval_is literal;
    closeness best;   /* over the readings tried */
    unsigned reading; /* under which it was so */
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

/* Which readings a left side may have. Words after "of" explain a result, not what is calculated;
 * and a percentage that is multiplied is a fraction, unless the result is a percentage too or a
 * hundred takes part ("3 / 21 * 100% = 14.28", "20% / 100 = 0.2"). */
static unsigned readings_of_left(const trial *t)
{
    unsigned all = ~(unsigned)READ_OF_AS_PROSE;
    bool fraction = t->lhs->product && !(t->rhs->readings & READ_PERCENT_AS_NUMBER) &&
                    !holds_hundred(t->k->t, t->lhs->root);
    return fraction ? all & ~(unsigned)READ_PERCENT_AS_NUMBER : all;
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
        bool about = t->about || t->said_about;
        closeness c = inexact && compare_to_50_digits(l, r)
                          ? CLOSE_EQUAL
                          : compare_values(t->k->t, t->lhs, t->rhs, l, r, readings, about);
        if (c == CLOSE_EQUAL && (readings & (READ_PI_AS_3_14 | READ_PI_AS_22_7)))
            c = CLOSE_ROUNDED;
        t->other_way |= c == CLOSE_OTHER_WAY;
        if (c < t->best && (!t->must_convert || (readings & READ_UNITS))) {
            t->best = c;
            t->reading = readings;
        }
    }
    fmpq_clear(l);
    fmpq_clear(r);
}

/* The unit that a sum's last summand is written with, or NULL. */
static const unit *last_unit(const node *n)
{
    while (n->is == N_ADD || n->is == N_SUBTRACT)
        n = n->b;
    return n->is == N_UNIT ? n->unit : NULL;
}

/* "1 hour + 30 minutes" beside a time: 31 of nothing. */
static bool adds_units(const expression *sum, const expression *other)
{
    for (const node *n = sum->root; n->is == N_ADD || n->is == N_SUBTRACT; n = n->a) {
        const unit *l = last_unit(n->a), *r = last_unit(n->b);
        if (l && r && l->dim == r->dim && !unit_same(l, r) && (other->dimensions & l->dim))
            return true;
    }
    return false;
}

/* Every combination of the readings that the two sides offer, the literal one first. */
static void try_readings(trial *t)
{
    unsigned offered = t->lhs->readings | t->rhs->readings, tried = 0;
    t->must_convert = adds_units(t->lhs, t->rhs) || adds_units(t->rhs, t->lhs);
    if ((t->lhs->dimensions | t->rhs->dimensions) & DIM_OTHER || t->lhs->n_words || t->rhs->n_words)
        offered &= ~(unsigned)READ_UNITS;
    for (unsigned r = 0;; r = (r - offered) & offered) { /* the subsets of `offered` in order */
        try_reading(t, r, false);
        if (r == offered || t->best == CLOSE_EQUAL || ++tried == MAX_READINGS || t->limit)
            break;
    }
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

/* Both sides calculate, one of them with decimals that may have been rounded; or one of them holds
 * a number that goes on. */
static bool loosely_equal(const trial *t)
{
    evaluation ev = evaluation_of(t->k, t->reading);
    bool can = false;
    bool cut = t->lhs->ellipsis || t->rhs->ellipsis;
    if (!cut && (expression_is_plain(t->lhs) || expression_is_plain(t->rhs)))
        return false;
    return (real_eval_loosely(&ev, t->rhs->root, t->l, &can) == EVAL_OK && can) ||
           (real_eval_loosely(&ev, t->lhs->root, t->r, &can) == EVAL_OK && can);
}

static bool differ_by(const trial *t, ulong factor)
{
    return compare_differ_by_factor(t->k->t, t->lhs, t->rhs, t->l, t->r, factor, 1) ||
           compare_differ_by_factor(t->k->t, t->lhs, t->rhs, t->l, t->r, 1, factor);
}

/* |l| * a->size = |r| * b->size exactly? */
static bool converts(const trial *t, const unit *a, const unit *b)
{
    fmpq_t l, r, factor;
    fmpq_init(l);
    fmpq_init(r);
    fmpq_init(factor);
    fmpq_set_ui(factor, a->num, a->den);
    fmpq_mul(l, t->l, factor);
    fmpq_set_ui(factor, b->num, b->den);
    fmpq_mul(r, t->r, factor);
    bool equal = fmpq_equal(l, r);
    fmpq_clear(l);
    fmpq_clear(r);
    fmpq_clear(factor);
    return equal;
}

/* Is the difference what a conversion from or to another unit of that dimension makes? */
static bool converts_from(const trial *t, const unit *u)
{
    size_t n;
    const unit *all = units_all(&n);
    for (size_t i = 0; i < n; i++)
        if (all[i].dim == u->dim && (converts(t, &all[i], u) || converts(t, u, &all[i])))
            return true;
    return false;
}

/* "$1 - 25 cents": the sign before a number vanishes in lexing, so the text itself is asked. */
static bool mixes_signs_and_coins(const trial *t)
{
    const tokens *toks = t->k->t;
    size_t money = unit_dimension_index(unit_named(RDV_STR("dollar")));
    const unit *l = t->lhs->unit[money], *r = t->rhs->unit[money],
               *dollar = unit_named(RDV_STR("dollar"));
    if ((!l || unit_same(l, dollar)) && (!r || unit_same(r, dollar)))
        return false;
    size_t begin = toks->at[t->lhs->begin].begin, end = toks->at[t->rhs->end - 1].end;
    rdv_str text = rdv_slice(toks->text, begin ? begin - 1 : 0, end);
    return rdv_find_char(text, '$', 0) != RDV_NOT_FOUND;
}

/* Could a conversion between units explain the difference? */
static bool may_be_converted(const trial *t)
{
    if (t->lhs->mixed_units || t->rhs->mixed_units || mixes_signs_and_coins(t))
        return true;
    for (size_t i = 0; i < UNIT_DIMENSIONS; i++) {
        const unit *l = t->lhs->unit[i], *r = t->rhs->unit[i], *u = l ? l : r;
        if ((l && r && !unit_same(l, r)) || (u && u->dim != DIM_OTHER && converts_from(t, u)))
            return true;
    }
    return false;
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

/* The sign of percent stands on the right or later in the chain: 2/4 = 2/4 * 100 = 50%. */
static bool reads_as_percent(const trial *t, const equality *chain, size_t i)
{
    bool percent = false;
    for (size_t k = i + 1; k < chain->n; k++)
        percent |= (chain->term[k].readings & READ_PERCENT_AS_NUMBER) != 0;
    return percent && differ_by(t, 100);
}

/* ---- the decision ---------------------------------------------------------------------------- */

static int say(decision *d, rdv_calc_kind is, const char *note)
{
    d->is_calculation = true;
    d->kind = is;
    d->note = note ? rdv_str_of(note) : (rdv_str){0};
    return RDV_OK;
}

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

static rdv_str print_side(const fmpq_t x, rdv_arena *arena)
{
    bool real = fmpz_bits(fmpq_denref(x)) > 150; /* a ball's midpoint, not a fraction */
    return real ? print_real(x, arena) : print_value(x, arena);
}

/* Is it a calculation at all, or does it name, convert or compare? */
static bool nothing_to_say(const trial *t, const equality *chain, size_t i, bool clean)
{
    const expression *l = t->lhs, *r = t->rhs;
    bool worded = l->dimensions || l->n_words || (l->readings & READ_PERCENT_AS_NUMBER);
    if (!expression_is_plain(l) || (t->k->marked && clean))
        return false;
    if (i == 0 && !chain->clean_left)
        return true;             /* only the end of something that was not read */
    if (!expression_is_plain(r)) /* "18 inches = 18/12", "students on day 1 = 185 - 100" */
        return i == 0 && t->best > CLOSE_ROUNDED && (worded || chain->after_word);
    /* "60 minutes = 1 hour", "5 = 5"; but "8 = 9" inside a chain is a slip. */
    return t->best != CLOSE_NOT || chain->n < 3 || !clean || worded || r->dimensions ||
           r->n_words || (r->readings & READ_PERCENT_AS_NUMBER) || t->about;
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
    size_t end = t->k->t->at[t->rhs->end - 1].end;
    if (t->literal == EVAL_UNDEFINED)
        return "not defined: a division by zero or such";
    if (t->literal != EVAL_OK)
        return "over the limits of exact evaluation, or a base or an angle's unit is not written";
    if (!clean)
        return "what stands beside it could not be read";
    mismatch m = {t->k, chain, i, t->lhs, t->rhs, t->l, t->r};
    if (context_hints_of(t->k->question_hints, t->k->question)->redefines ||
        (context_hints_of(t->k->hints, t->k->t->text)->modulo && !mismatch_of_residues(&m)))
        return "the question gives a sign a meaning of its own";
    if (t->other_way && (t->about || !t->k->wordless)) /* a count may leave out a rest */
        return "a whole number that is not the nearest";
    if (t->best == CLOSE_ROUGH && t->about)
        return "a rough approximation";
    if (may_be_converted(t))
        return "units that may need converting";
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
    if (t->literal == EVAL_LETTERS || nothing_to_say(t, chain, i, clean))
        return RDV_OK;
    if (t->best == CLOSE_EQUAL)
        return say(d, RDV_CALC_RIGHT, reading_note(t->reading));
    if (t->literal == EVAL_OK) {
        d->value = print_side(t->l, t->k->arena);
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
    return unsure ? say(d, RDV_CALC_UNDECIDED, unsure) : say(d, RDV_CALC_WRONG, NULL);
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
    return RDV_OK;
}

int decide_equality(const knowledge *k, const equality *chain, size_t i, decision *out)
{
    *out = (decision){0};
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    if (lhs->n_letters || rhs->n_letters)
        return decide_letters(k, chain, i, out);
    trial t = {
        .k = k, .lhs = lhs, .rhs = rhs, .about = chain->approximate[i + 1], .best = CLOSE_NOT};
    fmpq_init(t.l);
    fmpq_init(t.r);
    int r = decide_numbers(&t, chain, i, out);
    fmpq_clear(t.l);
    fmpq_clear(t.r);
    return r;
}
