/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/derive.h"

#include "base/str.h"
#include "claims/equation.h"
#include "decide/derive_solution.h"
#include "decide/derive_words.h"
#include "expression/identity.h"
#include "expression/print.h"
#include "expression/root.h"
#include "expression/small_function.h"
#include "language/assertion.h"
#include "language/phrase.h"

#include <flint/fmpz_poly.h>

#define MAX_TERMS 60             /* of an equation's polynomial */
#define MAX_DEGREE 8             /* in all letters together */
#define MAX_BITS 2000            /* of its coefficients */
#define COST ((uint64_t)1 << 16) /* of the step's budget, for the common factor of two of them */
#define MAX_LONG 80              /* bytes of a polynomial that are shown */
#define RETRACTED 120            /* bytes after an equation in which it may be denied */

/* ---- does it go on? -------------------------------------------------------------------------- */

static bool holds_sum(const node *n)
{
    return n && (n->is == N_ADD || n->is == N_SUBTRACT || holds_sum(n->a) || holds_sum(n->b));
}

/* Is a sum with a letter multiplied or divided in the tree? */
static bool multiplies_sum(const node *n)
{
    bool product = n && (n->is == N_MULTIPLY || n->is == N_DIVIDE);
    return n && ((product && (holds_sum(n->a) || holds_sum(n->b))) || multiplies_sum(n->a) ||
                 multiplies_sum(n->b));
}

static bool is_term(const expression *e)
{
    return e->n_letters && !holds_sum(e->root);
}

/* "2x = 78", "16 = x": a term with the letter on one side, and no letter on the other. */
static bool isolates(const equality *e)
{
    const expression *l = equation_left(e), *r = equation_right(e);
    return (is_term(l) && !r->n_letters) || (is_term(r) && !l->n_letters);
}

static const expression *side_of_letters(const equality *e)
{
    return equation_left(e)->n_letters ? equation_left(e) : equation_right(e);
}

/* Is the letter nearer to standing alone in the next equation? "2x = 8" and "3x = 15" are two
 * equations, and neither follows from the other. */
static bool goes_on_isolating(const derivation_side *given, const tokens *t, const equality *next)
{
    if (!isolates(next) || !isolates(given->e))
        return isolates(next);
    const expression *before = side_of_letters(given->e), *now = side_of_letters(next);
    return now->n_operators < before->n_operators ||
           rdv_str_eq(expression_text(given->t, before), expression_text(t, now));
}

/* Does the side calculate more than `next`, into which it was worked out: "94 * 2" and "196",
 * "5(x - 4)" and "5x - 20"? A side without a letter may only be shared where a bracket or more than
 * one operation is gone. */
static bool is_worked_out(const expression *side, const expression *next, bool of_letters)
{
    return of_letters ? side->n_operators > next->n_operators
                      : (multiplies_sum(side->root) && !multiplies_sum(next->root)) ||
                            side->n_operators > next->n_operators + 1;
}

/* "5a + 8 = 94 * 2", then "5a + 8 = 196": one side stays, and the other is worked out. */
static bool keeps_a_side(const derivation_side *given, const tokens *t, const equality *next)
{
    const expression *l = equation_left(given->e), *r = equation_right(given->e);
    const expression *next_l = equation_left(next), *next_r = equation_right(next);
    bool left = rdv_str_eq(expression_text(given->t, l), expression_text(t, next_l));
    bool right = rdv_str_eq(expression_text(given->t, r), expression_text(t, next_r));
    bool zero = right && rdv_str_eq(expression_text(t, next_r), RDV_STR("0"));
    return (left && is_worked_out(r, next_r, l->n_letters)) ||
           (right && !zero && is_worked_out(l, next_l, r->n_letters));
}

/* "s^2 = 42.24 / 5.2", then "s^2 = 9.24", or "38 = 2(l + 15)", then "38 = 2l + 30": the left side
 * stays, and a number or a bracket is worked out. */
static bool works_out(const derivation_side *given, const tokens *t, const equality *next)
{
    const expression *l = equation_left(given->e), *r = equation_right(given->e);
    const expression *next_r = equation_right(next);
    bool number =
        l->root->is != N_LETTER && !r->n_letters && r->n_operators && expression_is_plain(next_r);
    bool bracket = !l->n_letters && multiplies_sum(r->root) && !multiplies_sum(next_r->root);
    return (number || bracket) &&
           rdv_str_eq(expression_text(given->t, l), expression_text(t, equation_left(next)));
}

static bool is_zero(const tokens *t, const expression *e)
{
    return rdv_str_eq(expression_text(t, e), RDV_STR("0"));
}

/* "2x^2 - x - 3 = 0", then "(2x + 3)(x - 1) = 0": is a sum factored? */
static bool is_factored(const derivation_side *given, const tokens *t, const equality *next)
{
    const node *sum = equation_left(given->e)->root, *product = equation_left(next)->root;
    return holds_sum(sum) && (sum->is == N_ADD || sum->is == N_SUBTRACT) &&
           product->is == N_MULTIPLY && holds_sum(product->a) && holds_sum(product->b) &&
           is_zero(given->t, equation_right(given->e)) && is_zero(t, equation_right(next));
}

/* Does an arrow, or a word that concludes, lead from the one to the other, or do they stand below
 * each other, and are both sides changed, or is one worked out? Then the next one follows from the
 * one before if it is near it. */
static bool may_go_on(const derivation_side *given, const tokens *t, rdv_str words,
                      const equality *next)
{
    static phrase_list arrows = {"@concluding;@leads-to;@arrow-command"};
    const expression *l = equation_left(given->e), *r = equation_right(given->e);
    const expression *next_l = equation_left(next), *next_r = equation_right(next);
    bool arrow = phrase_in(words, &arrows) || rdv_find(words, RDV_STR("=>"), 0) != RDV_NOT_FOUND ||
                 rdv_find(words, RDV_STR("\xe2\x87\x92"), 0) != RDV_NOT_FOUND;
    bool same_shape =
        l->n_operators == next_l->n_operators && r->n_operators == next_r->n_operators;
    bool below = given->listed && !same_shape && rdv_find_char(words, '\n', 0) != RDV_NOT_FOUND &&
                 rdv_find_char(words, ',', 0) == RDV_NOT_FOUND; /* else of a system */
    if (!arrow && !given->in_list && !below)
        return false;
    bool left = rdv_str_eq(expression_text(given->t, l), expression_text(t, next_l));
    bool right = rdv_str_eq(expression_text(given->t, r), expression_text(t, next_r));
    return (!left && !right) || (left && r->n_operators > next_r->n_operators) ||
           (right && l->n_operators > next_l->n_operators);
}

bool derive_keeps_side(const derivation_side *given, const tokens *t, const equality *next)
{
    return rdv_str_eq(expression_text(given->t, equation_left(given->e)),
                      expression_text(t, equation_left(next))) ||
           rdv_str_eq(expression_text(given->t, equation_right(given->e)),
                      expression_text(t, equation_right(next)));
}

static bool is_number(const expression *e)
{
    return !e->n_letters && expression_is_plain(e);
}

/* "3s = 200" and "3s = 240": the same letters, and a number for each? */
static bool give_two_values(const derivation_side *given, const tokens *t, const equality *next)
{
    return rdv_str_eq(expression_text(given->t, side_of_letters(given->e)),
                      expression_text(t, side_of_letters(next))) &&
           ((is_number(equation_right(given->e)) && is_number(equation_right(next))) ||
            (is_number(equation_left(given->e)) && is_number(equation_left(next))));
}

/* Such equations below each other are two. */
static bool are_parallel(const derivation_side *given, const tokens *t, const equality *next)
{
    return given->listed && isolates(given->e) && isolates(next) && give_two_values(given, t, next);
}

/* "50 = -7x", then "50 = 7x", each a step without a word: one side stays, so the other one is
 * changed. "3s = 200" and "3s = 240" may be two equations. */
static bool changes_a_side(const derivation_side *given, const tokens *t, const equality *next)
{
    return given->alone && derive_keeps_side(given, t, next) && !give_two_values(given, t, next);
}

/* Has the step between the equations one of the phrases, or have the words before the next one? */
static bool either_says(const derivation_side *given, rdv_str words, phrase_list *phrases)
{
    return phrase_in(given->words, phrases) || phrase_in(words, phrases);
}

/* Is the equation after the words the one before them, changed? Of several letters only what
 * concerns this one: a sum of two equations is another. The first equation of a step goes on with
 * the last one of the step before also where a word concludes it, or where nothing is said and it
 * isolates the letter or keeps a side. So does one in a list of them. */
static bool goes_on(const derivation_side *given, const tokens *t, rdv_str words,
                    const equality *next, size_t n_letters)
{
    static phrase_list one = {"@rearranging;@of-one-equation"};
    static phrase_list solving = {"solv*;eliminat*"};
    static phrase_list concluding = {"@concluding;@leads-to;conclude;solution"};
    if (n_letters > 1)
        return !given->in_list && either_says(given, words, &one) &&
               !either_says(given, words, &solving);
    if (is_factored(given, t, next))
        return true;
    if (given->in_list)
        return isolates(next) || keeps_a_side(given, t, next);
    if (!rdv_has_letter(words) && works_out(given, t, next))
        return true;
    return derive_words_operates(given->words) || derive_words_operates(words) ||
           changes_a_side(given, t, next) ||
           (given->of_step_before &&
            ((!rdv_has_letter(words) &&
              (goes_on_isolating(given, t, next) || keeps_a_side(given, t, next))) ||
             phrase_in(words, &concluding)));
}

/* ---- which equations ------------------------------------------------------------------------- */

/* "x = 5": the value of a letter, of which nothing is derived. */
static bool is_value(const equality *e)
{
    return equation_left(e)->root->is == N_LETTER && expression_is_plain(equation_right(e));
}

static bool has_decimals(const derivation_side *s)
{
    for (size_t i = equation_left(s->e)->begin; i < equation_right(s->e)->end; i++)
        if (s->t->at[i].kind == TOK_NUMBER &&
            rdv_find_char(tok_text(s->t, i), '.', 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

static bool add_letters(const derivation_side *s, letters *names)
{
    const expression *l = equation_left(s->e), *r = equation_right(s->e);
    bool ok =
        function_letters_add(names, s->t, l->root) && function_letters_add(names, s->t, r->root);
    for (size_t i = 0; i < names->n && ok; i++) /* i may be a number of which the square is -1 */
        ok = !rdv_str_eq(names->name[i], RDV_STR("i")) &&
             !derive_solution_is_unclear(s->t, l, names->name[i]) &&
             !derive_solution_is_unclear(s->t, r, names->name[i]);
    return ok;
}

/* ---- their polynomials ----------------------------------------------------------------------- */

/* Two equations, each as a polynomial that is zero where the equation holds. */
typedef struct pair {
    letters names;
    fmpz_mpoly_ctx_t ctx;
    fmpz_mpoly_t given, next;
} pair;

static void pair_init(pair *p, const letters *names)
{
    p->names = *names;
    function_ring(p->names.n, p->ctx);
    fmpz_mpoly_init(p->given, p->ctx);
    fmpz_mpoly_init(p->next, p->ctx);
}

static void pair_clear(pair *p)
{
    fmpz_mpoly_clear(p->given, p->ctx);
    fmpz_mpoly_clear(p->next, p->ctx);
}

static bool is_small(const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx)
{
    return fmpz_mpoly_length(p, ctx) <= MAX_TERMS && fmpz_mpoly_total_degree_fits_si(p, ctx) &&
           fmpz_mpoly_total_degree_si(p, ctx) <= MAX_DEGREE &&
           labs(fmpz_mpoly_max_bits(p)) <= MAX_BITS;
}

/* left - right without its denominator, which must hold no letter. */
static bool polynomial_of(const knowledge *k, const derivation_side *s, const node *left,
                          const node *right, const pair *p, fmpz_mpoly_t out)
{
    evaluation ev = {.t = s->t, .budget = k->budget};
    small_polynomial small;
    uint64_t before = *k->budget;
    if (small_function_difference(&ev, left, right, &p->names, &small) &&
        small.degree <= MAX_DEGREE) {
        small_polynomial_get(&small, p->ctx, out);
        return !fmpz_mpoly_is_fmpz(out, p->ctx);
    }
    *k->budget = before;
    function l, r;
    function_init(&l, p->ctx);
    function_init(&r, p->ctx);
    bool ok = function_eval(&ev, left, &p->names, p->ctx, &l) == EVAL_OK &&
              function_eval(&ev, right, &p->names, p->ctx, &r) == EVAL_OK &&
              is_small(l.num, p->ctx) && is_small(l.den, p->ctx) && is_small(r.num, p->ctx) &&
              is_small(r.den, p->ctx);
    if (ok) {
        fmpz_mpoly_mul(l.num, l.num, r.den, p->ctx);
        fmpz_mpoly_mul(r.num, r.num, l.den, p->ctx);
        fmpz_mpoly_sub(out, l.num, r.num, p->ctx);
        ok = is_small(out, p->ctx) && !fmpz_mpoly_is_fmpz(out, p->ctx);
    }
    function_clear(&l, p->ctx);
    function_clear(&r, p->ctx);
    return ok;
}

static bool read_polynomial(const knowledge *k, const derivation_side *s, const pair *p,
                            fmpz_mpoly_t out)
{
    return polynomial_of(k, s, equation_left(s->e)->root, equation_right(s->e)->root, p, out);
}

/* Have they a factor in common, and so a solution? */
static bool share_a_factor(const pair *p)
{
    fmpz_mpoly_t common;
    fmpz_mpoly_init(common, p->ctx);
    bool share =
        !fmpz_mpoly_gcd(common, p->given, p->next, p->ctx) || !fmpz_mpoly_is_fmpz(common, p->ctx);
    fmpz_mpoly_clear(common, p->ctx);
    return share;
}

static bool are_proportional(const pair *p)
{
    fmpz_mpoly_t a, b;
    fmpz_t first;
    fmpz_mpoly_init(a, p->ctx);
    fmpz_mpoly_init(b, p->ctx);
    fmpz_init(first);
    fmpz_mpoly_get_term_coeff_fmpz(first, p->next, 0, p->ctx);
    fmpz_mpoly_scalar_mul_fmpz(a, p->given, first, p->ctx);
    fmpz_mpoly_get_term_coeff_fmpz(first, p->given, 0, p->ctx);
    fmpz_mpoly_scalar_mul_fmpz(b, p->next, first, p->ctx);
    bool same = fmpz_mpoly_equal(a, b, p->ctx);
    fmpz_mpoly_clear(a, p->ctx);
    fmpz_mpoly_clear(b, p->ctx);
    fmpz_clear(first);
    return same;
}

/* Do the words only say what leaves the solutions as they are, or is a sum factored, and are both
 * equations of one degree above the first? Where they divide, multiply or square, solutions may go
 * or come. */
static bool must_be_same(const pair *p, rdv_str words, bool factored)
{
    static phrase_list rearranging = {"@rearranging;@collecting"};
    static phrase_list other = {"@dividing;@of-fractions"};
    slong degree = fmpz_mpoly_total_degree_si(p->given, p->ctx);
    bool only_rearranged = phrase_in(words, &rearranging) && !phrase_in(words, &other);
    return (only_rearranged || (factored && p->names.n == 1)) && degree > 1 &&
           degree == fmpz_mpoly_total_degree_si(p->next, p->ctx);
}

/* Do all terms of both but one agree, and at least two, where they are taken so that one term does?
 * Then one is the other with a slip, and no equation of its own. */
static bool are_near(const pair *p)
{
    slong n = fmpz_mpoly_length(p->given, p->ctx), terms = fmpz_mpoly_length(p->next, p->ctx);
    ulong exponents[EVAL_MAX_LETTERS];
    fmpz_t a, b, c, d;
    fmpz_init(a);
    fmpz_init(b);
    fmpz_init(c);
    fmpz_init(d);
    bool near = false;
    for (slong i = 0; i < n && !near; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, p->given, i, p->ctx);
        fmpz_mpoly_get_term_coeff_fmpz(a, p->given, i, p->ctx);
        fmpz_mpoly_get_coeff_fmpz_ui(b, p->next, exponents, p->ctx);
        slong agree = 0, shared = 0;
        for (slong k = 0; k < n && !fmpz_is_zero(b); k++) {
            fmpz_mpoly_get_term_exp_ui(exponents, p->given, k, p->ctx);
            fmpz_mpoly_get_term_coeff_fmpz(c, p->given, k, p->ctx);
            fmpz_mpoly_get_coeff_fmpz_ui(d, p->next, exponents, p->ctx);
            shared += !fmpz_is_zero(d);
            fmpz_mul(c, c, b);
            fmpz_mul(d, d, a);
            agree += fmpz_equal(c, d);
        }
        near = agree > 1 && n + terms - shared == agree + 1;
    }
    fmpz_clear(a);
    fmpz_clear(b);
    fmpz_clear(c);
    fmpz_clear(d);
    return near;
}

/* Would the two share a factor if brackets that are not written stood in one of them? */
static bool share_regrouped(const knowledge *k, const derivation_side *s, pair *p,
                            fmpz_mpoly_t polynomial)
{
    node rooms[2][2];
    const node *l = equation_left(s->e)->root, *r = equation_right(s->e)->root;
    const node *other_l = identity_regrouped(l, rooms[0]),
               *other_r = identity_regrouped(r, rooms[1]);
    return (other_l || other_r) &&
           polynomial_of(k, s, other_l ? other_l : l, other_r ? other_r : r, p, polynomial) &&
           share_a_factor(p);
}

/* ---- one letter ------------------------------------------------------------------------------ */

static int contradict_in_one_letter(const knowledge *k, const pair *p, bool decimals, decision *out)
{
    fmpz_poly_t given, next;
    fmpz_poly_init(given);
    fmpz_poly_init(next);
    int result = RDV_NONE;
    if (fmpz_mpoly_get_fmpz_poly(given, p->given, 0, p->ctx) &&
        fmpz_mpoly_get_fmpz_poly(next, p->next, 0, p->ctx) &&
        !root_may_be_rounded(given, next, decimals)) {
        out->value = root_solutions(k->arena, given, p->names.name[0]);
        out->claim = root_solutions(k->arena, next, p->names.name[0]);
        result = out->value.p && out->claim.p ? RDV_OK : RDV_E_NOMEM;
    }
    fmpz_poly_clear(given);
    fmpz_poly_clear(next);
    return result;
}

/* ---- several letters ------------------------------------------------------------------------- */

/* Values of the letters that solve the equation: letter `solved`, in which it is linear, by the
 * others, which are 2, 3 and so on. */
static bool solve_for(const pair *p, slong solved, binding *bound)
{
    fmpz_mpoly_t at;
    fmpz_poly_t rest;
    fmpz_t value;
    fmpz_mpoly_init(at, p->ctx);
    fmpz_poly_init(rest);
    fmpz_init(value);
    fmpz_mpoly_set(at, p->given, p->ctx);
    bool ok = fmpz_mpoly_degree_si(p->given, solved, p->ctx) == 1;
    for (slong i = 0; i < (slong)p->names.n && ok; i++) {
        if (i == solved)
            continue;
        fmpz_set_si(value, i + 2);
        fmpq_set_fmpz(bound[i].value, value);
        ok = fmpz_mpoly_evaluate_one_fmpz(at, at, i, value, p->ctx);
    }
    ok = ok && fmpz_mpoly_get_fmpz_poly(rest, at, solved, p->ctx) && fmpz_poly_degree(rest) == 1;
    if (ok)
        root_of_linear(rest, bound[solved].value);
    fmpz_mpoly_clear(at, p->ctx);
    fmpz_poly_clear(rest);
    fmpz_clear(value);
    return ok;
}

static bool side_at(const knowledge *k, const pair *p, const binding *bound, const expression *side,
                    fmpq_t out)
{
    evaluation ev = {.t = k->t, .budget = k->budget, .bindings = bound, .n_bindings = p->names.n};
    return eval_exact(&ev, side->root, out) == EVAL_OK;
}

/* Both sides of the next equation where the one before holds. */
static int contradict_at(const knowledge *k, const pair *p, const equality *next,
                         const binding *bound, decision *out)
{
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    int result = RDV_NONE;
    if (side_at(k, p, bound, equation_left(next), l) &&
        side_at(k, p, bound, equation_right(next), r) && !fmpq_equal(l, r)) {
        out->value = print_value(l, k->arena);
        out->claim = print_value(r, k->arena);
        result = out->value.p && out->claim.p ? RDV_OK : RDV_E_NOMEM;
    }
    fmpq_clear(l);
    fmpq_clear(r);
    return result;
}

static int contradict_in_letters(const knowledge *k, const pair *p, const equality *next,
                                 decision *out)
{
    binding bound[EVAL_MAX_LETTERS];
    int result = RDV_NONE;
    for (size_t i = 0; i < p->names.n; i++) {
        bound[i] = (binding){.name = p->names.name[i]};
        fmpq_init(bound[i].value);
    }
    for (size_t i = 0; i < p->names.n && result == RDV_NONE; i++)
        if (solve_for(p, (slong)i, bound))
            result = contradict_at(k, p, next, bound, out);
    for (size_t i = 0; i < p->names.n; i++)
        fmpq_clear(bound[i].value);
    return result;
}

/* "x^2+y^2-4 = 0" */
static rdv_str equation_of(const knowledge *k, const pair *p, const fmpz_mpoly_t polynomial)
{
    const char *names[EVAL_MAX_LETTERS];
    for (size_t i = 0; i < p->names.n; i++) {
        names[i] = rdv_cstring(k->arena, p->names.name[i]);
        if (!names[i])
            return (rdv_str){0};
    }
    char *text = fmpz_mpoly_get_str_pretty(polynomial, names, p->ctx);
    rdv_str shown = !text ? (rdv_str){0}
                    : strlen(text) > MAX_LONG
                        ? rdv_str_printf(k->arena, "%.*s... = 0", MAX_LONG, text)
                        : rdv_str_printf(k->arena, "%s = 0", text);
    flint_free(text);
    return shown;
}

/* Both equations, where no values of the letters show the difference. */
static int contradict_in_whole(const knowledge *k, const pair *p, decision *out)
{
    out->value = equation_of(k, p, p->given);
    out->claim = equation_of(k, p, p->next);
    return out->value.p && out->claim.p ? RDV_OK : RDV_E_NOMEM;
}

/* ---- the decision ---------------------------------------------------------------------------- */

/* The letter of the equation, as it stands there first. */
static rdv_str letter_in(const tokens *t, const equality *e, rdv_str name)
{
    for (size_t i = equation_left(e)->begin; i < equation_right(e)->end; i++)
        if (rdv_str_eq(tok_text(t, i), name))
            return tok_text(t, i);
    return name;
}

static int contradict(const knowledge *k, const derivation_side *next, const pair *p, bool decimals,
                      rdv_str *lhs, decision *out)
{
    out->kind = RDV_CALC_WRONG;
    if (p->names.n == 1) {
        *lhs = letter_in(k->t, next->e, p->names.name[0]);
        return contradict_in_one_letter(k, p, decimals, out);
    }
    int r = contradict_in_letters(k, p, next->e, out);
    if (r != RDV_NONE)
        return r;
    *lhs = equation_text(k->t, next->e);
    return contradict_in_whole(k, p, out);
}

/* `sure`: the next one goes on with the one before; else only if it is near it. */
static int decide(const knowledge *k, const derivation_side *given, rdv_str words,
                  const derivation_side *next, bool sure, pair *p, rdv_str *lhs, decision *out)
{
    bool one = p->names.n == 1, decimals = has_decimals(given) || has_decimals(next);
    if (*k->budget < COST || !read_polynomial(k, given, p, p->given) ||
        !read_polynomial(k, next, p, p->next))
        return RDV_NONE;
    *k->budget -= *k->budget < COST ? *k->budget : COST;
    *out = (decision){.is_calculation = true, .note = RDV_STR("from the equation before")};
    const tokens *t = k->t;
    size_t begin = t->at[equation_left(next->e)->begin].begin;
    size_t end = t->at[equation_right(next->e)->end - 1].end;
    *lhs = rdv_slice(t->text, begin, t->at[equation_left(next->e)->end - 1].end);
    out->kind = RDV_CALC_RIGHT;
    if (are_proportional(p))
        return RDV_OK;
    bool other = share_a_factor(p);
    if ((!sure && !are_near(p)) ||
        (other && sure && !must_be_same(p, words, is_factored(given, k->t, next->e))) ||
        assertion_not(t->rules, t->text, begin, end) ||
        assertion_refuted(t->rules, rdv_slice(t->text, 0, end + RETRACTED), end) ||
        (decimals && (!one || other)))
        return RDV_NONE;
    bool in_brackets =
        share_regrouped(k, given, p, p->given) ||
        (read_polynomial(k, given, p, p->given) && share_regrouped(k, next, p, p->next));
    if (in_brackets || !read_polynomial(k, next, p, p->next))
        return RDV_NONE;
    return contradict(k, next, p, decimals, lhs, out);
}

/* Are the letters of the next equation those of the given one, in which others may cancel? */
static bool cancels_others(const knowledge *k, const derivation_side *given, const letters *before,
                           const letters *after)
{
    size_t found = 0;
    pair p;
    pair_init(&p, before);
    bool read = before->n >= after->n && read_polynomial(k, given, &p, p.given);
    for (size_t i = 0; i < before->n && read; i++) {
        bool stays = found < after->n && rdv_str_eq(before->name[i], after->name[found]);
        found += stays;
        read = stays || fmpz_mpoly_degree_si(p.given, (slong)i, p.ctx) == 0;
    }
    pair_clear(&p);
    return read && found == after->n;
}

static bool are_same_letters(const letters *a, const letters *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = rdv_str_eq(a->name[i], b->name[i]);
    return same;
}

int derive_decide(const knowledge *k, const derivation_side *given, rdv_str words,
                  const equality *next, rdv_str *lhs, decision *out)
{
    derivation_side n = {.t = k->t, .e = next};
    letters before = {.n = 0}, after = {.n = 0};
    if (given->e->negative || next->negative) /* a dash is a bullet or a minus */
        return RDV_NONE;
    if (is_value(given->e) || !equation_is_plain(k->t, next) ||
        !equation_is_plain(given->t, given->e) || are_parallel(given, k->t, next) ||
        !derive_words_are_known(words) ||
        derive_solution_is_alternative(k->t, equation_left(next)->begin,
                                       equation_right(next)->end) ||
        !add_letters(given, &before) || !add_letters(&n, &after))
        return RDV_NONE;
    bool sure = goes_on(given, k->t, words, next, before.n);
    if (!(sure || may_go_on(given, k->t, words, next)) ||
        !(are_same_letters(&before, &after) || cancels_others(k, given, &before, &after)))
        return RDV_NONE;
    pair p;
    pair_init(&p, &after);
    int r = decide(k, given, words, &n, sure, &p, lhs, out);
    pair_clear(&p);
    return r;
}

bool derive_is_same(const knowledge *k, const derivation_side *given, const equality *next)
{
    derivation_side n = {.t = k->t, .e = next};
    letters names = {.n = 0};
    if (!equation_is_plain(given->t, given->e) || !equation_is_plain(k->t, next) ||
        is_value(given->e) || !add_letters(given, &names) || !add_letters(&n, &names))
        return false;
    pair p;
    pair_init(&p, &names);
    bool same = read_polynomial(k, given, &p, p.given) && read_polynomial(k, &n, &p, p.next) &&
                are_proportional(&p);
    pair_clear(&p);
    return same;
}
