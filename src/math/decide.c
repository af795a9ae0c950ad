/* SPDX-License-Identifier: Apache-2.0 */
#include "math/decide.h"

#include "base/str.h"
#include "math/print.h"

#define MAX_READINGS 16 /* combinations tried */

static evaluation evaluation_of(const knowledge *k, unsigned reading)
{
    return (evaluation){.t = k->t,
                        .reading = reading,
                        .budget = k->budget,
                        .bindings = k->bindings,
                        .n_bindings = k->n_bindings};
}

eval_is term_value(const knowledge *k, const expression *e, fmpq_t out)
{
    evaluation ev = evaluation_of(k, READ_LITERALLY);
    return eval_real(&ev, e->root, out);
}

/* ---- digits shown ----------------------------------------------------------------------------- */

static bool power_of_ten(const tokens *t, const node *n, slong *e)
{
    bool negative = n->is == N_POWER && n->b->is == N_NEGATE;
    const node *exponent = negative ? n->b->a : n->b;
    if (n->is != N_POWER || n->a->is != N_NUMBER || exponent->is != N_NUMBER ||
        !rdv_str_eq(tok_text(t, n->a->end - 1), RDV_STR("10")))
        return false;
    fmpq_t value;
    long decimals;
    fmpq_init(value);
    bool ok = literal_value(t, exponent->end - 1, value, &decimals) == EVAL_OK &&
              fmpz_is_one(fmpq_denref(value)) && fmpz_cmp_ui(fmpq_numref(value), 400) < 0;
    if (ok)
        *e = negative ? -fmpz_get_si(fmpq_numref(value)) : fmpz_get_si(fmpq_numref(value));
    fmpq_clear(value);
    return ok;
}

static void times_power_of_ten(fmpq_t x, slong e)
{
    fmpq_t ten;
    fmpq_init(ten);
    fmpq_set_ui(ten, 10, 1);
    fmpq_pow_si(ten, ten, e);
    fmpq_mul(x, x, ten);
    fmpq_clear(ten);
}

bool shown_number(const tokens *t, const node *n, fmpq_t ulp)
{
    long decimals;
    slong e;
    switch (n->is) {
    case N_NUMBER:
        if (t->at[n->end - 1].vulgar || literal_value(t, n->end - 1, ulp, &decimals) != EVAL_OK)
            return false;
        fmpq_one(ulp);
        times_power_of_ten(ulp, -decimals);
        return true;
    case N_NEGATE:
    case N_UNIT:
        return shown_number(t, n->a, ulp);
    case N_PERCENT:
        if (!shown_number(t, n->a, ulp))
            return false;
        times_power_of_ten(ulp, -2);
        return true;
    case N_MULTIPLY:
        if (!power_of_ten(t, n->b, &e) || !shown_number(t, n->a, ulp))
            return false;
        times_power_of_ten(ulp, e);
        return true;
    default:
        return false;
    }
}

/* ---- comparing two values --------------------------------------------------------------------- */

typedef enum closeness { CLOSE_EQUAL, CLOSE_ROUNDED, CLOSE_OTHER_WAY, CLOSE_ROUGH, CLOSE_NOT } closeness;

/* |x| * 10^-p < |y|? */
static bool smaller_by(const fmpq_t x, const fmpq_t y, slong p)
{
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_abs(a, x);
    fmpq_abs(b, y);
    times_power_of_ten(b, -p);
    bool less = fmpq_cmp(a, b) < 0;
    fmpq_clear(a);
    fmpq_clear(b);
    return less;
}

/* How near is `exact` to what is shown, whose last digit weighs `ulp`? Decimals may be rounded either
 * way or cut off; whole numbers must be the nearest. */
static closeness rounding(const fmpq_t difference, const fmpq_t ulp)
{
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, difference);
    closeness is = CLOSE_NOT;
    if (fmpq_cmp(size, ulp) < 0) {
        is = CLOSE_ROUNDED;
        if (fmpz_is_one(fmpq_denref(ulp))) {
            fmpq_add(size, size, size);
            if (fmpq_cmp(size, ulp) > 0)
                is = CLOSE_OTHER_WAY;
        }
    }
    fmpq_clear(size);
    return is;
}

static closeness compare(const knowledge *k, const expression *lhs, const expression *rhs,
                         const fmpq_t l, const fmpq_t r, bool about)
{
    if (fmpq_equal(l, r))
        return CLOSE_EQUAL;
    fmpq_t difference, ulp;
    fmpq_init(difference);
    fmpq_init(ulp);
    fmpq_sub(difference, l, r);
    closeness is = CLOSE_NOT;
    if (smaller_by(difference, l, 50))
        is = CLOSE_EQUAL; /* not rational: equal to 50 digits */
    else if (shown_number(k->t, rhs->root, ulp) || shown_number(k->t, lhs->root, ulp))
        is = rounding(difference, ulp);
    if (is == CLOSE_NOT && about)
        is = smaller_by(difference, l, 2)   ? CLOSE_ROUNDED
             : smaller_by(difference, l, 1) ? CLOSE_ROUGH
                                            : CLOSE_NOT;
    fmpq_clear(difference);
    fmpq_clear(ulp);
    return is;
}

/* ---- readings --------------------------------------------------------------------------------- */

typedef struct attempt {
    fmpq_t l, r; /* values under the literal reading, where `literal` is EVAL_OK */
    eval_is literal;
    closeness best;
    unsigned reading;        /* under which it was so */
    bool real;               /* the left side is not rational */
    bool other_way;          /* some reading rounds the other way */
    bool limit;
} attempt;

static eval_is values(const knowledge *k, const expression *lhs, const expression *rhs,
                      unsigned reading, bool unround, fmpq_t l, fmpq_t r, bool *used)
{
    evaluation ev = evaluation_of(k, reading);
    eval_is is = eval_real(&ev, rhs->root, r);
    if (is != EVAL_OK)
        return is;
    if (unround) {
        ev.rounds = k->rounds;
        ev.n_rounds = k->n_rounds;
    }
    is = eval_real(&ev, lhs->root, l);
    if (used)
        *used = ev.used_rounds;
    return is;
}

static void try_reading(const knowledge *k, const expression *lhs, const expression *rhs, bool about,
                        unsigned reading, bool unround, attempt *a)
{
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    bool used = false;
    eval_is is = values(k, lhs, rhs, reading, unround, l, r, &used);
    if (reading == READ_LITERALLY && !unround) {
        a->literal = is;
        fmpq_set(a->l, l);
        fmpq_set(a->r, r);
    }
    if (is == EVAL_LIMIT)
        a->limit = true;
    if (is == EVAL_OK && (!unround || used)) {
        closeness c = compare(k, lhs, rhs, l, r, about);
        if (c == CLOSE_OTHER_WAY)
            a->other_way = true;
        if (c < a->best) {
            a->best = c;
            a->reading = reading;
        }
    }
    fmpq_clear(l);
    fmpq_clear(r);
}

/* Every combination of the readings that the two sides offer, the literal one first. */
static void try_readings(const knowledge *k, const expression *lhs, const expression *rhs,
                         bool about, attempt *a)
{
    unsigned offered = lhs->readings | rhs->readings, tried = 0;
    if ((lhs->dimensions | rhs->dimensions) & DIM_OTHER || (lhs->n_words + rhs->n_words) > 0)
        offered &= ~(unsigned)READ_UNITS;
    for (unsigned r = 0;; r = (r - offered) & offered) { /* the subsets of `offered` in order */
        try_reading(k, lhs, rhs, about, r, false, a);
        bool last = r == offered;
        if (last || a->best == CLOSE_EQUAL || ++tried == MAX_READINGS || a->limit)
            break;
    }
}

static bool literal_text_in(const tokens *t, const node *where, rdv_str text)
{
    if (!where)
        return false;
    if (where->is == N_NUMBER)
        return rdv_str_eq(tok_text(t, where->end - 1), text);
    return literal_text_in(t, where->a, text) || literal_text_in(t, where->b, text);
}

/* All literals of the tree except its leftmost stand in `other` too. */
static bool repeats(const tokens *t, const node *n, const node *leftmost, const node *other)
{
    if (!n || n == leftmost)
        return true;
    if (n->is == N_NUMBER)
        return literal_text_in(t, other, tok_text(t, n->end - 1));
    return repeats(t, n->a, leftmost, other) && repeats(t, n->b, leftmost, other);
}

/* "3 + 4 = 7 * 2 = 14": the right side goes on from the left side's value with new numbers. */
static bool runs_on(const knowledge *k, const expression *lhs, const expression *rhs,
                    const attempt *a)
{
    const node *n = rhs->root;
    if (n->grouped || !expression_is_plain(lhs) == 0 || expression_is_plain(rhs))
        return false;
    while (n->a && !n->grouped)
        n = n->a;
    if (n->is != N_NUMBER || repeats(k->t, rhs->root, n, lhs->root))
        return false;
    fmpq_t first, ulp;
    long decimals;
    fmpq_init(first);
    fmpq_init(ulp);
    bool runs = literal_value(k->t, n->end - 1, first, &decimals) == EVAL_OK &&
                fmpq_equal(first, a->l);
    fmpq_clear(first);
    fmpq_clear(ulp);
    return runs;
}

/* Both sides calculate and one of them with decimals that were rounded before. */
static bool loosely_equal(const knowledge *k, const expression *lhs, const expression *rhs,
                          const attempt *a)
{
    evaluation ev = evaluation_of(k, a->reading);
    bool can = false;
    if (expression_is_plain(lhs) || expression_is_plain(rhs))
        return false;
    return (eval_loosely(&ev, rhs->root, a->l, &can) == EVAL_OK && can) ||
           (eval_loosely(&ev, lhs->root, a->r, &can) == EVAL_OK && can);
}

/* ---- the decision ----------------------------------------------------------------------------- */

static int say(const knowledge *k, decision *d, rdv_calc_is is, const char *note)
{
    d->is_calculation = true;
    d->is = is;
    d->note = note ? rdv_str_of(note) : (rdv_str){0};
    (void)k;
    return RDV_OK;
}

static const char *reading_note(unsigned reading)
{
    if (reading & READ_UNITS)
        return "units converted";
    if (reading & READ_PERCENT_OF_LEFT)
        return "the percentage read as of the number before it";
    if (reading & READ_PERCENT_AS_NUMBER)
        return "the percentage read as its number";
    if (reading & READ_IMPLICIT_FIRST)
        return "a product without a sign read as one divisor";
    if (reading & READ_NEGATIVE_BASE)
        return "the power read as of the negative number";
    return NULL;
}

static int print_values(const knowledge *k, const attempt *a, decision *d)
{
    bool real = fmpz_bits(fmpq_denref(a->l)) > 150; /* a ball's midpoint, not a fraction */
    d->value = real ? print_real(a->l, k->arena) : print_value(a->l, k->arena);
    d->claim = fmpz_bits(fmpq_denref(a->r)) > 150 ? print_real(a->r, k->arena)
                                                  : print_value(a->r, k->arena);
    return d->value.p && d->claim.p ? RDV_OK : RDV_E_NOMEM;
}

static bool units_differ(const expression *lhs, const expression *rhs)
{
    if (lhs->mixed_units || rhs->mixed_units)
        return true;
    const unit *l = lhs->only_unit, *r = rhs->only_unit;
    return l && r && (l->dim != r->dim || l->num != r->num || l->den != r->den);
}

static int decide_numbers(const knowledge *k, const equality *chain, size_t i, attempt *a,
                          decision *d)
{
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    bool about = chain->approximate[i + 1];
    bool plain = expression_is_plain(lhs) && expression_is_plain(rhs);
    bool clean = (i > 0 || chain->clean_left) && (i + 2 < chain->n || chain->clean_right);
    try_readings(k, lhs, rhs, about, a);
    if (a->literal == EVAL_LETTERS)
        return RDV_OK;
    if (plain && (a->best != CLOSE_NOT || chain->n < 3 || !clean || lhs->only_unit ||
                  rhs->only_unit || lhs->n_words || rhs->n_words || lhs->readings || rhs->readings ||
                  about))
        return RDV_OK; /* "60 minutes = 1 hour", "x = 5 = 5" */
    if (a->best == CLOSE_EQUAL && clean)
        return say(k, d, RDV_CALC_RIGHT, reading_note(a->reading));
    if (a->best == CLOSE_EQUAL)
        return say(k, d, RDV_CALC_RIGHT, NULL);
    if (a->literal == EVAL_UNDEFINED)
        return say(k, d, RDV_CALC_UNDECIDED, "not defined: a division by zero or such");
    if (a->literal != EVAL_OK)
        return say(k, d, RDV_CALC_UNDECIDED, "over the limits of exact evaluation");
    int r = print_values(k, a, d);
    if (r < 0)
        return r;
    if (a->best == CLOSE_ROUNDED)
        return say(k, d, RDV_CALC_ROUNDED, reading_note(a->reading));
    if (!clean)
        return say(k, d, RDV_CALC_UNDECIDED, "what stands beside it could not be read");
    if (runs_on(k, lhs, rhs, a))
        return say(k, d, RDV_CALC_RIGHT, "read as a running calculation");
    try_reading(k, lhs, rhs, about, READ_LITERALLY, true, a);
    if (a->best == CLOSE_EQUAL || a->best == CLOSE_ROUNDED)
        return say(k, d, RDV_CALC_ROUNDED, "with the value before it was rounded");
    if (loosely_equal(k, lhs, rhs, a))
        return say(k, d, RDV_CALC_ROUNDED, "within the rounding of its decimals");
    if (a->other_way)
        return say(k, d, RDV_CALC_UNDECIDED, "a whole number that is not the nearest");
    if (a->best == CLOSE_ROUGH)
        return say(k, d, RDV_CALC_UNDECIDED, "a rough approximation");
    if (units_differ(lhs, rhs))
        return say(k, d, RDV_CALC_UNDECIDED, "units that may need converting");
    return say(k, d, RDV_CALC_WRONG, NULL);
}

/* ---- letters ---------------------------------------------------------------------------------- */

typedef enum identity { ID_HOLDS, ID_CANNOT_HOLD, ID_EQUATION, ID_UNKNOWN } identity;

static identity compare_functions(const fmpz_mpoly_ctx_t ctx, const function *l, const function *r)
{
    fmpz_mpoly_t a, b;
    fmpz_mpoly_init(a, ctx);
    fmpz_mpoly_init(b, ctx);
    fmpz_mpoly_mul(a, l->num, r->den, ctx);
    fmpz_mpoly_mul(b, r->num, l->den, ctx);
    fmpz_mpoly_sub(a, a, b, ctx);
    identity is = ID_EQUATION;
    if (fmpz_mpoly_is_zero(a, ctx))
        is = ID_HOLDS;
    else if (fmpz_mpoly_is_fmpz(a, ctx))
        is = ID_CANNOT_HOLD;
    fmpz_mpoly_clear(a, ctx);
    fmpz_mpoly_clear(b, ctx);
    return is;
}

static identity identity_of(const knowledge *k, const expression *lhs, const expression *rhs)
{
    letters l = {.n = 0};
    if (!letters_add(&l, k->t, lhs->root) || !letters_add(&l, k->t, rhs->root))
        return ID_UNKNOWN;
    fmpz_mpoly_ctx_t ctx;
    function fl, fr;
    fmpz_mpoly_ctx_init(ctx, (slong)l.n, ORD_LEX);
    function_init(&fl, ctx);
    function_init(&fr, ctx);
    evaluation ev = evaluation_of(k, READ_LITERALLY);
    identity is = ID_UNKNOWN;
    if (eval_function(&ev, lhs->root, &l, ctx, &fl) == EVAL_OK &&
        eval_function(&ev, rhs->root, &l, ctx, &fr) == EVAL_OK)
        is = compare_functions(ctx, &fl, &fr);
    function_clear(&fl, ctx);
    function_clear(&fr, ctx);
    fmpz_mpoly_ctx_clear(ctx);
    return is;
}

static int decide_letters(const knowledge *k, const equality *chain, size_t i, decision *d)
{
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    if (!lhs->n_letters || !rhs->n_letters || chain->approximate[i + 1])
        return RDV_OK; /* a definition or an equation */
    if (expression_is_plain(lhs) || expression_is_plain(rhs))
        return RDV_OK;
    if (identity_of(k, lhs, rhs) == ID_HOLDS)
        return say(k, d, RDV_CALC_RIGHT, "the same for all values of the letters");
    return RDV_OK;
}

int decide_equality(const knowledge *k, const equality *chain, size_t i, decision *out)
{
    *out = (decision){0};
    if (chain->term[i].n_letters + chain->term[i + 1].n_letters > 0)
        return decide_letters(k, chain, i, out);
    attempt a = {.best = CLOSE_NOT};
    fmpq_init(a.l);
    fmpq_init(a.r);
    int r = decide_numbers(k, chain, i, &a, out);
    fmpq_clear(a.l);
    fmpq_clear(a.r);
    return r;
}
