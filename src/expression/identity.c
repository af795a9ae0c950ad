/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/identity.h"

#include "base/str.h"
#include "expression/root.h"
#include "expression/small_function.h"

#include <flint/fmpz_mpoly_factor.h>

#define MAX_TERMS 60 /* of a polynomial that is taken apart */
#define MAX_DEGREE 40
#define MAX_BITS 2000
#define GCD_COST ((uint64_t)1 << 16) /* of the step's budget */
#define FACTOR_COST ((uint64_t)1 << 19)

static bool is_small(const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx)
{
    return fmpz_mpoly_length(p, ctx) <= MAX_TERMS && fmpz_mpoly_total_degree_fits_si(p, ctx) &&
           fmpz_mpoly_total_degree_si(p, ctx) <= MAX_DEGREE &&
           labs(fmpz_mpoly_max_bits(p)) <= MAX_BITS;
}

static bool take(const knowledge *k, uint64_t cost)
{
    bool enough = *k->budget >= cost;
    *k->budget -= enough ? cost : 0;
    return enough;
}

/* Both sides as functions of their letters. */
typedef struct sides {
    letters names;
    fmpz_mpoly_ctx_t ctx;
    function l, r;
} sides;

/* False: one of them is none. The sides are cleared by sides_clear() in any case. */
static bool sides_init(sides *s, const knowledge *k, const node *l, const node *r)
{
    s->names = (letters){.n = 0};
    bool named =
        function_letters_add(&s->names, k->t, l) && function_letters_add(&s->names, k->t, r);
    function_ring(s->names.n, s->ctx);
    function_init(&s->l, s->ctx);
    function_init(&s->r, s->ctx);
    evaluation ev = {.t = k->t, .budget = k->budget};
    return named && function_eval(&ev, l, &s->names, s->ctx, &s->l) == EVAL_OK &&
           function_eval(&ev, r, &s->names, s->ctx, &s->r) == EVAL_OK;
}

static void sides_clear(sides *s)
{
    function_clear(&s->l, s->ctx);
    function_clear(&s->r, s->ctx);
}

/* left - right, over a common denominator that is left out, into *difference; *l and *r become the
 * sides over it. */
static void subtract_sides(const sides *s, fmpz_mpoly_t l, fmpz_mpoly_t r, fmpz_mpoly_t difference)
{
    fmpz_mpoly_mul(l, s->l.num, s->r.den, s->ctx);
    fmpz_mpoly_mul(r, s->r.num, s->l.den, s->ctx);
    fmpz_mpoly_sub(difference, l, r, s->ctx);
}

static slong terms_apart(const sides *s)
{
    fmpz_mpoly_t l, r, d;
    fmpz_mpoly_init(l, s->ctx);
    fmpz_mpoly_init(r, s->ctx);
    fmpz_mpoly_init(d, s->ctx);
    subtract_sides(s, l, r, d);
    slong n = fmpz_mpoly_length(d, s->ctx);
    fmpz_mpoly_clear(l, s->ctx);
    fmpz_mpoly_clear(r, s->ctx);
    fmpz_mpoly_clear(d, s->ctx);
    return n;
}

long identity_apart(const knowledge *k, const expression *lhs, const expression *rhs)
{
    letters names = {.n = 0};
    small_polynomial difference;
    evaluation ev = {.t = k->t, .budget = k->budget};
    if (function_letters_add(&names, k->t, lhs->root) &&
        function_letters_add(&names, k->t, rhs->root) &&
        small_function_difference(&ev, lhs->root, rhs->root, &names, &difference))
        return difference.n;
    sides s;
    slong apart = sides_init(&s, k, lhs->root, rhs->root) ? terms_apart(&s) : -1;
    sides_clear(&s);
    return apart;
}

bool identity_holds(const knowledge *k, const expression *lhs, const expression *rhs)
{
    return identity_apart(k, lhs, rhs) == 0;
}

/* ---- sides that are never equal -------------------------------------------------------------- */

static bool holds_term(const fmpz_mpoly_t p, const fmpz_mpoly_t term, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_t coeff;
    fmpz_init(coeff);
    fmpz_mpoly_get_coeff_fmpz_monomial(coeff, p, term, ctx);
    bool holds = !fmpz_is_zero(coeff);
    fmpz_clear(coeff);
    return holds;
}

/* What left - right is, where no denominator holds a letter: bits; 0: neither. */
enum {
    DIFFER_BY_NUMBER = 1, /* other than zero */
    DIFFER_BY_TERM = 2    /* a number, or a product of letters, that both sides hold unequally */
};

/* Are the sides' coefficients of the term within one percent? That may be rounding. */
static bool nearly_equal(const fmpz_mpoly_t l, const fmpz_mpoly_t d, const fmpz_mpoly_t term,
                         const fmpz_mpoly_ctx_t ctx)
{
    fmpz_t all, off;
    fmpz_init(all);
    fmpz_init(off);
    fmpz_mpoly_get_coeff_fmpz_monomial(all, l, term, ctx);
    fmpz_mpoly_get_coeff_fmpz_monomial(off, d, term, ctx);
    fmpz_mul_ui(off, off, 100);
    bool near = fmpz_cmpabs(off, all) <= 0;
    fmpz_clear(all);
    fmpz_clear(off);
    return near;
}

/* `decimals`: the sides write numbers with decimals, which may be rounded. */
static unsigned compare_terms(const sides *s, bool decimals)
{
    fmpz_mpoly_t l, r, d, term;
    fmpz_mpoly_init(l, s->ctx);
    fmpz_mpoly_init(r, s->ctx);
    fmpz_mpoly_init(d, s->ctx);
    fmpz_mpoly_init(term, s->ctx);
    subtract_sides(s, l, r, d);
    unsigned is = 0;
    if (fmpz_mpoly_is_fmpz(s->l.den, s->ctx) && fmpz_mpoly_is_fmpz(s->r.den, s->ctx) &&
        fmpz_mpoly_length(d, s->ctx) == 1) {
        fmpz_mpoly_get_term_monomial(term, d, 0, s->ctx);
        is = fmpz_mpoly_is_fmpz(d, s->ctx) ? DIFFER_BY_NUMBER : 0;
        if (holds_term(l, term, s->ctx) && holds_term(r, term, s->ctx))
            is |= DIFFER_BY_TERM;
        if (decimals && nearly_equal(l, d, term, s->ctx))
            is = 0;
    }
    fmpz_mpoly_clear(l, s->ctx);
    fmpz_mpoly_clear(r, s->ctx);
    fmpz_mpoly_clear(d, s->ctx);
    fmpz_mpoly_clear(term, s->ctx);
    return is;
}

/* The coefficient of a polynomial of one term over a number. */
static bool coefficient(const sides *s, const function *f, fmpq_t out)
{
    fmpz_t top, under;
    fmpz_init(top);
    fmpz_init(under);
    bool one = fmpz_mpoly_length(f->num, s->ctx) == 1 && fmpz_mpoly_is_fmpz(f->den, s->ctx);
    if (one) {
        fmpz_mpoly_get_term_coeff_fmpz(top, f->num, 0, s->ctx);
        fmpz_mpoly_get_fmpz(under, f->den, s->ctx);
        fmpq_set_fmpz_frac(out, top, under);
    }
    fmpz_clear(top);
    fmpz_clear(under);
    return one;
}

static bool same_letters(const sides *s)
{
    fmpz_mpoly_t a, b;
    fmpz_mpoly_init(a, s->ctx);
    fmpz_mpoly_init(b, s->ctx);
    fmpz_mpoly_get_term_monomial(a, s->l.num, 0, s->ctx);
    fmpz_mpoly_get_term_monomial(b, s->r.num, 0, s->ctx);
    bool same = fmpz_mpoly_equal(a, b, s->ctx);
    fmpz_mpoly_clear(a, s->ctx);
    fmpz_mpoly_clear(b, s->ctx);
    return same;
}

/* Is each side the same product of letters, taken different numbers of times? One percent may be
 * rounding. */
static bool differ_by_factor(const sides *s)
{
    fmpq_t l, r, limit;
    fmpq_init(l);
    fmpq_init(r);
    fmpq_init(limit);
    bool differ = coefficient(s, &s->l, l) && coefficient(s, &s->r, r) && same_letters(s);
    fmpq_set_ui(limit, 1, 100);
    fmpq_mul(limit, limit, l);
    fmpq_abs(limit, limit);
    fmpq_sub(r, r, l);
    fmpq_abs(r, r);
    differ = differ && fmpq_cmp(r, limit) > 0;
    fmpq_clear(l);
    fmpq_clear(r);
    fmpq_clear(limit);
    return differ;
}

static bool holds_letter(const node *n)
{
    return n && (n->is == N_LETTER || holds_letter(n->a) || holds_letter(n->b));
}

static bool adds_letters(const node *n)
{
    bool sum = n && (n->is == N_ADD || n->is == N_SUBTRACT);
    return n && ((sum && holds_letter(n->a) && holds_letter(n->b)) || adds_letters(n->a) ||
                 adds_letters(n->b));
}

/* The numbers that are factors in the tree; a fraction of two is one. */
static size_t count_factors(const node *n)
{
    if (!n)
        return 0;
    if (n->is == N_NUMBER || (n->is == N_DIVIDE && !holds_letter(n)))
        return 1;
    return count_factors(n->a) + (n->is == N_POWER ? 0 : count_factors(n->b));
}

/* "(2x)^2" */
static bool raises_product(const node *n)
{
    return n && ((n->is == N_POWER && n->a->is == N_MULTIPLY && holds_letter(n->a)) ||
                 raises_product(n->a) || raises_product(n->b));
}

/* Does the tree calculate with letters? "2x = 3x" does not; it is solved by zero. */
static bool calculates(const node *n)
{
    return adds_letters(n) || count_factors(n) > 1 || raises_product(n);
}

static bool holds_sum(const node *n)
{
    bool sum = n && (n->is == N_ADD || n->is == N_SUBTRACT) && holds_letter(n);
    return n && (sum || holds_sum(n->a) || holds_sum(n->b));
}

static size_t count_terms(const node *n)
{
    bool sum = n->is == N_ADD || n->is == N_SUBTRACT;
    return sum ? count_terms(n->a) + count_terms(n->b) : 1;
}

/* Is a sum multiplied or divided in the tree? */
static bool multiplies_sum(const node *n)
{
    bool product = n && (n->is == N_MULTIPLY || n->is == N_DIVIDE || n->is == N_POWER);
    return n && ((product && (holds_sum(n->a) || holds_sum(n->b))) || multiplies_sum(n->a) ||
                 multiplies_sum(n->b));
}

/* Can more be calculated in the tree of `f`? "2x + 1 = 2x + 4" is an equation without a solution,
 * "2(x + 1) = 2x + 4" may be a slip. */
static bool is_unfinished(const sides *s, const function *f, const node *n)
{
    return multiplies_sum(n) || count_terms(n) > (size_t)fmpz_mpoly_length(f->num, s->ctx);
}

const node *identity_regrouped(const node *n, node room[2])
{
    bool sum = (n->is == N_ADD || n->is == N_SUBTRACT) && !n->grouped && n->b->is == N_DIVIDE &&
               !n->b->grouped;
    if (!sum)
        return NULL;
    room[0] = *n;
    room[0].b = n->b->a;
    room[1] = *n->b;
    room[1].a = &room[0];
    return &room[1];
}

bool identity_never_holds(const knowledge *k, const expression *lhs, const expression *rhs,
                          bool worked_out)
{
    node rooms[2][2];
    const node *l = identity_regrouped(lhs->root, rooms[0]);
    const node *r = identity_regrouped(rhs->root, rooms[1]);
    sides s;
    if (l || r) /* with brackets it may be meant otherwise */
        return false;
    bool never = false;
    if (sides_init(&s, k, lhs->root, rhs->root)) {
        bool decimals = expression_has_decimals(k->t, lhs) || expression_has_decimals(k->t, rhs);
        unsigned differ = compare_terms(&s, decimals);
        bool unfinished = is_unfinished(&s, &s.l, lhs->root) || is_unfinished(&s, &s.r, rhs->root);
        never = (worked_out && (differ & DIFFER_BY_TERM)) ||
                ((differ & DIFFER_BY_NUMBER) && unfinished) ||
                (calculates(lhs->root) && differ_by_factor(&s));
    }
    sides_clear(&s);
    return never;
}

/* ---- terms that are like each other ---------------------------------------------------------- */

/* Divide out what the quotient's two polynomials have in common. False: they are too large. */
static bool reduce(const knowledge *k, const sides *s, function *f)
{
    if (!is_small(f->num, s->ctx) || !is_small(f->den, s->ctx) || !take(k, GCD_COST))
        return false;
    fmpz_mpoly_t common;
    fmpz_mpoly_init(common, s->ctx);
    bool ok = fmpz_mpoly_gcd(common, f->num, f->den, s->ctx) != 0;
    if (ok && !fmpz_mpoly_is_zero(common, s->ctx)) {
        fmpz_mpoly_divides(f->num, f->num, common, s->ctx);
        fmpz_mpoly_divides(f->den, f->den, common, s->ctx);
    }
    if (ok && fmpz_mpoly_length(f->den, s->ctx) > 0) {
        fmpz_t first;
        fmpz_init(first);
        fmpz_mpoly_get_term_coeff_fmpz(first, f->den, 0, s->ctx);
        if (fmpz_sgn(first) < 0) {
            fmpz_mpoly_neg(f->num, f->num, s->ctx);
            fmpz_mpoly_neg(f->den, f->den, s->ctx);
        }
        fmpz_clear(first);
    }
    fmpz_mpoly_clear(common, s->ctx);
    return ok;
}

/* How many terms of `p` stand in `q` too: with the same coefficient, and with any. */
static void shared_terms(const fmpz_mpoly_t p, const fmpz_mpoly_t q, const fmpz_mpoly_ctx_t ctx,
                         slong *equal, slong *any)
{
    fmpz_mpoly_t term;
    fmpz_t a, b;
    fmpz_mpoly_init(term, ctx);
    fmpz_init(a);
    fmpz_init(b);
    for (slong i = *equal = *any = 0; i < fmpz_mpoly_length(p, ctx); i++) {
        fmpz_mpoly_get_term_monomial(term, p, i, ctx);
        fmpz_mpoly_get_term_coeff_fmpz(a, p, i, ctx);
        fmpz_mpoly_get_coeff_fmpz_monomial(b, q, term, ctx);
        *any += !fmpz_is_zero(b);
        *equal += fmpz_equal(a, b);
    }
    fmpz_mpoly_clear(term, ctx);
    fmpz_clear(a);
    fmpz_clear(b);
}

static identity_likeness compare_quotients(const sides *s)
{
    return s->names.n > 1 || fmpz_mpoly_equal(s->l.den, s->r.den, s->ctx) ? IDENTITY_LIKE
                                                                          : IDENTITY_LOOSE;
}

static identity_likeness compare_polynomials(const sides *s, const fmpz_mpoly_t l,
                                             const fmpz_mpoly_t r, bool cancelled)
{
    slong equal, any, n = fmpz_mpoly_length(l, s->ctx), m = fmpz_mpoly_length(r, s->ctx);
    shared_terms(l, r, s->ctx, &equal, &any);
    bool one = n == 1 && m == 1;
    if (equal > 1 && n + m - any - equal == 1)
        return IDENTITY_NEAREST;
    if ((equal && cancelled) || (one && fmpz_equal(l->coeffs, r->coeffs)))
        return IDENTITY_LIKE;
    bool first = s->names.n == 1 && fmpz_mpoly_degree_si(l, 0, s->ctx) < 2 &&
                 fmpz_mpoly_degree_si(r, 0, s->ctx) < 2;
    return equal && !first ? IDENTITY_SHARING : one || equal ? IDENTITY_LOOSE : IDENTITY_UNLIKE;
}

static identity_likeness compare_reduced(const sides *s, bool cancelled)
{
    if (!fmpz_mpoly_is_fmpz(s->l.den, s->ctx) || !fmpz_mpoly_is_fmpz(s->r.den, s->ctx))
        return compare_quotients(s);
    fmpz_mpoly_t l, r;
    fmpz_mpoly_init(l, s->ctx);
    fmpz_mpoly_init(r, s->ctx);
    fmpz_mpoly_mul(l, s->l.num, s->r.den, s->ctx);
    fmpz_mpoly_mul(r, s->r.num, s->l.den, s->ctx);
    identity_likeness is = compare_polynomials(s, l, r, cancelled);
    fmpz_mpoly_clear(l, s->ctx);
    fmpz_mpoly_clear(r, s->ctx);
    return is;
}

/* Do both trees hold the same letters, and at least one? */
static bool hold_same_letters(const tokens *t, const node *l, const node *r)
{
    letters left = {.n = 0}, right = {.n = 0}, both = {.n = 0};
    return function_letters_add(&left, t, l) && function_letters_add(&right, t, r) &&
           function_letters_add(&both, t, l) && function_letters_add(&both, t, r) && both.n &&
           left.n == both.n && right.n == both.n;
}

identity_likeness identity_compare(const knowledge *k, const expression *lhs, const expression *rhs)
{
    if (!hold_same_letters(k->t, lhs->root, rhs->root))
        return IDENTITY_UNLIKE;
    sides s;
    identity_likeness is = IDENTITY_UNLIKE;
    if (sides_init(&s, k, lhs->root, rhs->root)) {
        bool quotient = !fmpz_mpoly_is_fmpz(s.l.den, s.ctx);
        if (reduce(k, &s, &s.l) && reduce(k, &s, &s.r))
            is = compare_reduced(&s, quotient && fmpz_mpoly_is_fmpz(s.l.den, s.ctx));
    }
    sides_clear(&s);
    return is;
}

static bool share_a_letter(const tokens *t, const node *a, const node *b)
{
    letters l = {.n = 0}, r = {.n = 0}, both = {.n = 0};
    return function_letters_add(&l, t, a) && function_letters_add(&r, t, b) &&
           function_letters_add(&both, t, a) && function_letters_add(&both, t, b) &&
           both.n < l.n + r.n;
}

/* A quotient by a term with letters. */
static bool is_fraction(const node *n)
{
    return n->is == N_DIVIDE && holds_letter(n->b);
}

/* "x^2 x^3", "(ab)^2", "a/b + c/d": does a product hold a letter in both factors, a power a
 * product, or a sum a fraction? */
static bool can_be_joined(const tokens *t, const node *n)
{
    if (!n || !holds_letter(n))
        return false;
    bool product = n->is == N_MULTIPLY || n->is == N_DIVIDE;
    bool sum = n->is == N_ADD || n->is == N_SUBTRACT;
    return (sum && (is_fraction(n->a) || is_fraction(n->b))) ||
           (product && share_a_letter(t, n->a, n->b)) ||
           (n->is == N_POWER && n->a->is != N_LETTER && n->a->is != N_NUMBER) ||
           can_be_joined(t, n->a) || can_be_joined(t, n->b);
}

bool identity_is_unfinished(const knowledge *k, const expression *e)
{
    sides s;
    bool is = sides_init(&s, k, e->root, e->root) &&
              (is_unfinished(&s, &s.l, e->root) || can_be_joined(k->t, e->root));
    sides_clear(&s);
    return is;
}

/* ---- what is shown of them ------------------------------------------------------------------- */

/* Add "... is not 0" for each factor of p that does not divide q. RDV_OK or RDV_E_NOMEM. */
static int add_conditions(const sides *s, const knowledge *k, const fmpz_mpoly_t p,
                          const fmpz_mpoly_t q, rdv_str *text)
{
    int r = RDV_OK;
    if (!is_small(p, s->ctx) || !is_small(q, s->ctx) || !take(k, FACTOR_COST)) {
        *text = RDV_STR("both sides have a value");
        return RDV_OK;
    }
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_t rest;
    fmpz_mpoly_factor_init(f, s->ctx);
    fmpz_mpoly_init(rest, s->ctx);
    bool all = fmpz_mpoly_divides(rest, q, p, s->ctx); /* which costs less than its factors */
    slong n = !all && fmpz_mpoly_factor(f, p, s->ctx) ? f->num : 0;
    for (slong i = 0; i < n && r == RDV_OK; i++) {
        if (fmpz_mpoly_divides(rest, q, f->poly + i, s->ctx))
            continue;
        rdv_str factor = polynomial_text(f->poly + i, &s->names, s->ctx, k->arena);
        rdv_str before = text->p ? *text : RDV_STR("");
        *text = rdv_str_printf(k->arena, "%.*s%s%.*s is not 0", RDV_FMT(before),
                               before.len ? " and " : "", RDV_FMT(factor));
        r = factor.p && text->p ? RDV_OK : RDV_E_NOMEM;
    }
    fmpz_mpoly_clear(rest, s->ctx);
    fmpz_mpoly_factor_clear(f, s->ctx);
    return r;
}

/* May a denominator of the tree hold letters? */
static bool divides_by_letters(const node *n)
{
    bool divides = n && (n->is == N_DIVIDE || (n->is == N_POWER && n->b->is != N_NUMBER));
    return n && (divides || divides_by_letters(n->a) || divides_by_letters(n->b));
}

int identity_condition(const knowledge *k, const expression *lhs, const expression *rhs,
                       rdv_str *text)
{
    sides s;
    int r = RDV_OK;
    *text = (rdv_str){0};
    if (!divides_by_letters(lhs->root) && !divides_by_letters(rhs->root))
        return RDV_OK;
    if (sides_init(&s, k, lhs->root, rhs->root) &&
        !(fmpz_mpoly_is_fmpz(s.l.den, s.ctx) && fmpz_mpoly_is_fmpz(s.r.den, s.ctx))) {
        r = add_conditions(&s, k, s.l.den, s.r.den, text);
        if (r == RDV_OK)
            r = add_conditions(&s, k, s.r.den, s.l.den, text);
    }
    sides_clear(&s);
    return r;
}

bool identity_is_product(const expression *e)
{
    const node *n = e->root;
    return (n->is == N_MULTIPLY || n->is == N_POWER) && multiplies_sum(n);
}

int identity_worked_out(const knowledge *k, const expression *e, polynomial_style style,
                        rdv_str *out)
{
    sides s;
    int r = RDV_NONE;
    if (style == POLYNOMIAL_FACTORED && !take(k, FACTOR_COST))
        style = POLYNOMIAL_TERMS;
    if (sides_init(&s, k, e->root, e->root) && reduce(k, &s, &s.l)) {
        *out = polynomial_quotient_text(s.l.num, s.l.den, style, &s.names, s.ctx, k->arena);
        r = !out->p ? RDV_E_NOMEM : out->len > IDENTITY_MAX_TEXT ? RDV_NONE : RDV_OK;
    }
    sides_clear(&s);
    return r;
}

int identity_solutions(const knowledge *k, const expression *lhs, const expression *rhs,
                       rdv_str *letter, rdv_str *out)
{
    sides s;
    int r = RDV_NONE;
    if (sides_init(&s, k, lhs->root, rhs->root) && s.names.n == 1) {
        fmpz_mpoly_t l, q, d;
        fmpz_poly_t p;
        fmpz_mpoly_init(l, s.ctx);
        fmpz_mpoly_init(q, s.ctx);
        fmpz_mpoly_init(d, s.ctx);
        fmpz_poly_init(p);
        subtract_sides(&s, l, q, d);
        if (fmpz_mpoly_get_fmpz_poly(p, d, 0, s.ctx) && fmpz_poly_degree(p) > 0 &&
            fmpz_mpoly_is_fmpz(s.l.den, s.ctx) && fmpz_mpoly_is_fmpz(s.r.den, s.ctx)) {
            *letter = s.names.name[0];
            *out = root_solutions(k->arena, p, s.names.name[0]);
            r = out->p ? RDV_OK : RDV_E_NOMEM;
        }
        fmpz_mpoly_clear(l, s.ctx);
        fmpz_mpoly_clear(q, s.ctx);
        fmpz_mpoly_clear(d, s.ctx);
        fmpz_poly_clear(p);
    }
    sides_clear(&s);
    return r;
}
