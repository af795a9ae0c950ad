/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/derive_solution.h"

#include "base/str.h"
#include "claims/equation.h"
#include "expression/compare.h"
#include "expression/print.h"
#include "language/assertion.h"
#include "language/context.h"
#include "language/phrase.h"
#include "language/rule.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_BETWEEN 16 /* tokens between the two equations */
#define MAX_DEGREE 24  /* of an equation whose real roots are counted */
#define MAX_VALUES 8   /* of solutions that are named */
#define NOT_THE_ONLY_ONE "a solution, perhaps not the only one"
#define BEHIND 60 /* bytes behind a solution that may say that it is the only one */

/* ---- which equations ------------------------------------------------------------------------- */

/* An equation of two sides; the letter that it is about. */
typedef struct equation {
    const expression *l, *r;
    rdv_str letter;
} equation;

static rdv_str name_of(const tokens *t, const node *n)
{
    return rdv_slice(t->text, t->at[n->begin].begin, t->at[n->end - 1].end);
}

/* The only letter of the tree into *letter; false: there are others. */
static bool one_letter(const tokens *t, const node *n, rdv_str *letter)
{
    if (!n)
        return true;
    if (n->is == N_SUM)
        return false;
    if (n->is != N_LETTER)
        return one_letter(t, n->a, letter) && one_letter(t, n->b, letter);
    rdv_str name = name_of(t, n);
    if (!letter->p)
        *letter = name;
    return rdv_str_eq(*letter, name);
}

bool derive_solution_is_unclear(const tokens *t, const expression *side, rdv_str letter)
{
    bool of_functions = letter.len == 1 && strchr("fghpFGHP", letter.p[0]);
    for (size_t i = side->begin; i < side->end; i++) {
        rdv_str w = tok_text(t, i);
        if (t->at[i].kind == TOK_WORD && w.len > 1 && w.p[0] != '\\')
            return true;
        if (!rdv_str_eq(w, letter))
            continue;
        if ((of_functions && t->at[i + 1].kind == TOK_OPEN) ||
            (i > 0 && t->at[i - 1].kind == TOK_DIVIDE))
            return true;
    }
    return false;
}

bool derive_solution_is_alternative(const tokens *t, size_t begin, size_t end)
{
    for (size_t i = begin > 3 ? begin - 3 : 0; i < end + 3 && i < t->n; i++)
        if ((i < begin || i >= end) && t->at[i].kind == TOK_WORD &&
            rdv_str_ieq(tok_text(t, i), RDV_STR("or")))
            return true;
    return false;
}

static bool read_equation(const tokens *t, const equality *e, equation *out)
{
    *out = (equation){&e->term[0], &e->term[e->n - 1], {0}};
    for (size_t i = 1; i < e->n; i++)
        if (e->approximate[i] || (e->n > 2 && e->term[i].n_letters))
            return false;
    unsigned odd = READ_PERCENT_AS_NUMBER | READ_ASIDE | READ_WORDS_ASIDE | READ_AMOUNT_ASIDE |
                   READ_BANG_AS_PROSE;
    return e->clean_right && !((out->l->readings | out->r->readings) & odd) &&
           !(out->l->n_units | out->r->n_units) && one_letter(t, out->l->root, &out->letter) &&
           one_letter(t, out->r->root, &out->letter) && out->letter.p && out->l->n_letters &&
           !derive_solution_is_unclear(t, out->l, out->letter) &&
           !derive_solution_is_unclear(t, out->r, out->letter);
}

/* Only words of solving stand between the equations, one of which concludes. */
static bool concludes(const tokens *t, size_t begin, size_t end, rdv_str letter)
{
    static phrase_list concluding = {"@concluding;@leads-to;find"};
    static phrase_list solving = {"@around-solving"};
    bool concluded = false;
    if (end - begin > MAX_BETWEEN)
        return false;
    for (size_t i = begin; i < end; i++) {
        rdv_str w = tok_text(t, i);
        switch (t->at[i].kind) {
        case TOK_COMMA:
        case TOK_NEWLINE:
        case TOK_NUMBER:
            break;
        case TOK_PUNCT: /* an arrow concludes, a question does not */
            if (w.p[0] == '?')
                return false;
            concluded |= w.len > 1 && (rdv_str_eq(w, RDV_STR("=>")) || w.p[0] == '\\' ||
                                       rdv_starts(w, RDV_STR("\xe2\x87")) ||
                                       rdv_starts(w, RDV_STR("\xe2\x88\xb4")));
            break;
        case TOK_WORD:
            if (phrase_is(w, &concluding))
                concluded = true;
            else if (!phrase_is(w, &solving) && !rdv_str_eq(w, letter))
                return false;
            break;
        default:
            return false;
        }
    }
    return concluded;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool side_at(const knowledge *k, rdv_str letter, const fmpq_t x, const expression *side,
                    fmpq_t out)
{
    binding bound = {.name = letter};
    evaluation ev = {.t = k->t, .budget = k->budget, .bindings = &bound, .n_bindings = 1};
    fmpq_init(bound.value);
    fmpq_set(bound.value, x);
    bool ok = eval_exact(&ev, side->root, out) == EVAL_OK;
    fmpq_clear(bound.value);
    return ok;
}

/* left - right at x */
static bool difference_at(const knowledge *k, const equation *e, const fmpq_t x, fmpq_t out)
{
    fmpq_t r;
    fmpq_init(r);
    bool ok = side_at(k, e->letter, x, e->l, out) && side_at(k, e->letter, x, e->r, r);
    fmpq_sub(out, out, r);
    fmpq_clear(r);
    return ok;
}

/* left - right as a polynomial of the letter; false: a side is none, or they are too large. */
static bool polynomial_of(const knowledge *k, const equation *e, fmpz_poly_t out)
{
    const letters names = {.name = {e->letter}, .n = 1};
    evaluation ev = {.t = k->t, .budget = k->budget};
    fmpz_mpoly_ctx_t ctx;
    function l, r;
    function_ring(1, ctx);
    function_init(&l, ctx);
    function_init(&r, ctx);
    bool is = function_eval(&ev, e->l->root, &names, ctx, &l) == EVAL_OK &&
              function_eval(&ev, e->r->root, &names, ctx, &r) == EVAL_OK &&
              fmpz_mpoly_is_fmpz(l.den, ctx) && fmpz_mpoly_is_fmpz(r.den, ctx);
    if (is) {
        fmpz_mpoly_mul(l.num, l.num, r.den, ctx);
        fmpz_mpoly_mul(r.num, r.num, l.den, ctx);
        fmpz_mpoly_sub(l.num, l.num, r.num, ctx);
        is = fmpz_mpoly_get_fmpz_poly(out, l.num, 0, ctx);
    }
    function_clear(&l, ctx);
    function_clear(&r, ctx);
    return is;
}

/* The degree of the equation, if both sides are polynomials; else, or where they are too large, 0.
 */
static size_t degree_of(const knowledge *k, const equation *e)
{
    fmpz_poly_t p;
    fmpz_poly_init(p);
    slong degree = polynomial_of(k, e, p) ? fmpz_poly_degree(p) : 0; /* -1: it holds for all */
    fmpz_poly_clear(p);
    return degree > 0 ? (size_t)degree : 0;
}

/* How many different real roots a polynomial has that is not 0. */
static size_t count_real_roots(const fmpz_poly_t p)
{
    fmpz_poly_t simple, common;
    fmpz_poly_init(simple);
    fmpz_poly_init(common);
    fmpz_poly_derivative(simple, p);
    fmpz_poly_gcd(common, p, simple);
    fmpz_poly_div(simple, p, common); /* each root once */
    size_t n = (size_t)fmpz_poly_num_real_roots(simple);
    fmpz_poly_clear(simple);
    fmpz_poly_clear(common);
    return n;
}

static bool holds_letter(const node *n)
{
    return n && (n->is == N_LETTER || holds_letter(n->a) || holds_letter(n->b));
}

/* Does the letter, which stands once in the tree, take one value for each that the tree has? */
static bool is_reversible(const node *n)
{
    switch (n ? n->is : N_NUMBER) {
    case N_ADD:
    case N_SUBTRACT:
    case N_MULTIPLY:
    case N_DIVIDE:
        return is_reversible(n->a) && is_reversible(n->b);
    case N_NEGATE:
    case N_ROOT:
        return is_reversible(n->a);
    case N_POWER: /* of a letter it is even, or a polynomial */
        return is_reversible(n->b) && !holds_letter(n->a);
    default:
        return !n || n->is == N_LETTER || !holds_letter(n);
    }
}

/* May a real number solve the equation beside the `n` that do? */
static bool may_have_others(const knowledge *k, const equation *e, size_t n)
{
    fmpz_poly_t p;
    fmpz_poly_init(p);
    bool polynomial = polynomial_of(k, e, p);
    slong degree = polynomial ? fmpz_poly_degree(p) : 0;
    bool may = polynomial ? degree > MAX_DEGREE || (degree > 1 && count_real_roots(p) > n)
                          : e->l->n_letters + e->r->n_letters > 1 || !is_reversible(e->l->root) ||
                                !is_reversible(e->r->root);
    fmpz_poly_clear(p);
    return may;
}

/* The root of a linear equation: its difference grows by the same at each whole number. */
static bool linear_root(const knowledge *k, const equation *e, fmpq_t root)
{
    fmpq_t x, first, last, step, at;
    fmpq_init(x);
    fmpq_init(first);
    fmpq_init(last);
    fmpq_init(step);
    fmpq_init(at);
    bool linear = degree_of(k, e) == 1 && difference_at(k, e, x, first); /* x is 0 */
    fmpq_set(last, first);
    for (slong i = 1; i <= 5 && linear; i++) {
        fmpq_set_si(x, i * 7, 1);
        linear = difference_at(k, e, x, at);
        fmpq_sub(last, at, last);
        if (i == 1)
            fmpq_set(step, last);
        linear = linear && fmpq_equal(last, step);
        fmpq_set(last, at);
    }
    linear = linear && !fmpq_is_zero(step);
    if (linear) {
        fmpq_div(root, first, step);
        fmpq_set_si(x, -7, 1);
        fmpq_mul(root, root, x);
    }
    fmpq_clear(x);
    fmpq_clear(first);
    fmpq_clear(last);
    fmpq_clear(step);
    fmpq_clear(at);
    return linear;
}

/* Does the difference change its sign within less than one unit of the value's last digit? */
static bool root_is_near(const knowledge *k, const equation *e, const fmpq_t x, long decimals)
{
    fmpq_t ulp, lower, upper, at;
    fmpq_init(ulp);
    fmpq_init(lower);
    fmpq_init(upper);
    fmpq_init(at);
    fmpq_set_ui(ulp, 10, 1);
    fmpq_pow_si(ulp, ulp, -decimals);
    fmpq_sub(at, x, ulp);
    bool ok = difference_at(k, e, at, lower);
    fmpq_add(at, x, ulp);
    ok = ok && difference_at(k, e, at, upper);
    bool near = !ok || fmpq_sgn(lower) * fmpq_sgn(upper) < 0;
    fmpq_clear(ulp);
    fmpq_clear(lower);
    fmpq_clear(upper);
    fmpq_clear(at);
    return near;
}

/* The number that stands alone on the side, and its decimals; -1: it is no literal. */
static bool plain_value(const knowledge *k, const expression *side, fmpq_t out, long *decimals)
{
    const node *n = side->root->is == N_NEGATE ? side->root->a : side->root;
    *decimals = -1;
    if (n->is == N_NUMBER && !literal_value(k->t, n->end - 1, out, decimals))
        return false;
    evaluation ev = {.t = k->t, .budget = k->budget};
    return !side->n_letters && eval_exact(&ev, side->root, out) == EVAL_OK;
}

/* ---- the decision ---------------------------------------------------------------------------- */

static int say(const knowledge *k, rdv_calc_kind is, const fmpq_t l, const fmpq_t r, decision *out)
{
    *out = (decision){.is_calculation = true, .kind = is};
    out->value = print_value(l, k->arena);
    out->claim = print_value(r, k->arena);
    out->note = RDV_STR("the value put into the equation");
    return out->value.p && out->claim.p ? RDV_OK : RDV_E_NOMEM;
}

/* The sides of `e` at x, compared. */
static int test(const knowledge *k, const equation *e, const fmpq_t x, bool near, decision *out)
{
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    int result = RDV_NONE;
    if (side_at(k, e->letter, x, e->l, l) && side_at(k, e->letter, x, e->r, r)) {
        bool equal = fmpq_equal(l, r);
        if (equal || !near)
            result = say(k, equal ? RDV_CALC_RIGHT : RDV_CALC_WRONG, l, r, out);
    }
    fmpq_clear(l);
    fmpq_clear(r);
    return result;
}

/* "so x = 4 is the only solution": that others are none is not decided by putting it in. */
static bool says_only(const knowledge *k, const equation *given, const equation *next)
{
    static phrase_list words = {"@only-solution"};
    size_t end = k->t->at[next->r->end - 1].end;
    fmpq_t root;
    fmpq_init(root);
    bool one = linear_root(k, given, root);
    fmpq_clear(root);
    return !one && phrase_in(context_sentence_after(k->t->text, end, BEHIND), &words);
}

/* "so x = 8": the value is put into the equation given. */
static int test_value(const knowledge *k, const equation *given, const equation *next,
                      decision *out)
{
    fmpq_t x;
    fmpq_init(x);
    long decimals;
    int result = RDV_NONE;
    if (plain_value(k, next->r, x, &decimals)) {
        bool near = decimals >= 0 && root_is_near(k, given, x, decimals);
        result = test(k, given, x, near, out);
        if (result == RDV_OK && out->kind == RDV_CALC_RIGHT && says_only(k, given, next)) {
            out->kind = RDV_CALC_UNDECIDED;
            out->note = RDV_STR(NOT_THE_ONLY_ONE);
        }
    }
    fmpq_clear(x);
    return result;
}

/* "so 2x = 7": the root of the equation given is put into the next one. Decimals may be rounded. */
static int test_root(const knowledge *k, const equation *given, const equation *next, decision *out)
{
    fmpq_t root, other;
    fmpq_init(root);
    fmpq_init(other);
    bool both = linear_root(k, given, root) && linear_root(k, next, other);
    rdv_str text =
        rdv_slice(k->t->text, k->t->at[given->l->begin].begin, k->t->at[next->r->end - 1].end);
    bool decimals = rdv_find_char(text, '.', 0) != RDV_NOT_FOUND;
    int result = both ? test(k, next, root, decimals, out) : RDV_NONE;
    fmpq_clear(root);
    fmpq_clear(other);
    return result;
}

/* Does one of the values before it say the same as the value at `i`? False too where one is no
 * exact number. */
static bool stands_before(const knowledge *k, const expression *values, size_t i)
{
    bool again = false;
    fmpq_t x, y;
    long decimals;
    fmpq_init(x);
    fmpq_init(y);
    bool known = plain_value(k, &values[i], x, &decimals);
    for (size_t j = 0; j < i && known && !again; j++)
        again = plain_value(k, &values[j], y, &decimals) && fmpq_equal(x, y);
    fmpq_clear(x);
    fmpq_clear(y);
    return again;
}

/* "so x = 2 or x = 3": does each value after token `i` solve it too? False also if one cannot be
 * read. *n: how many different values there are with the first one. */
static int alternatives_hold(const knowledge *k, const equation *given, const expression *first,
                             size_t i, bool *hold, size_t *n)
{
    const tokens *t = k->t;
    expression values[MAX_VALUES] = {*first};
    *hold = true;
    *n = 1;
    for (size_t at = 1; *hold && i + 1 < t->n &&
                        (t->at[i].kind == TOK_COMMA ||
                         (t->at[i].kind == TOK_WORD && rdv_str_ieq(tok_text(t, i), RDV_STR("or"))));
         at++) {
        decision d;
        int r = at < MAX_VALUES ? parse_expression(t, i + 1, k->arena, &values[at]) : RDV_NONE;
        if (r == RDV_OK && t->at[values[at].end].kind == TOK_EQUAL)
            r = parse_expression(t, values[at].end + 1, k->arena, &values[at]);
        equation next = {.r = &values[at]};
        if (r == RDV_OK)
            r = test_value(k, given, &next, &d);
        if (r == RDV_E_NOMEM)
            return r;
        *hold = r == RDV_OK && d.kind == RDV_CALC_RIGHT;
        *n += *hold && !stands_before(k, values, at);
        i = *hold ? values[at].end : i;
    }
    return RDV_OK;
}

/* "1/2x" as 1/(2x): may a side be read in another way? */
static bool is_ambiguous(const tokens *t, const equality *e, unsigned readings)
{
    unsigned other = READ_IMPLICIT_FIRST | READ_NEGATIVE_BASE | READ_LEFT_TO_RIGHT |
                     READ_MIXED_AS_PRODUCT | READ_PERCENT_OF_LEFT | READ_SCIENTIFIC;
    return equation_divisor_may_go_on(t, e) || (readings & other);
}

int derive_solution_decide(const knowledge *k, const equality *given, const equality *next,
                           int *tested, decision *out)
{
    const tokens *t = k->t;
    equation g, n;
    if (!read_equation(t, given, &g) || !read_equation(t, next, &n) || !given->clean_left ||
        !rdv_str_eq(g.letter, n.letter) || g.l->root->is == N_LETTER || next->n > 2 ||
        !concludes(t, g.r->end, n.l->begin, g.letter))
        return RDV_NONE;
    size_t begin = t->at[n.l->begin].begin, end = t->at[n.r->end - 1].end;
    *tested = n.l->root->is != N_LETTER;
    int r = *tested ? test_root(k, &g, &n, out) : test_value(k, &g, &n, out);
    if (r != RDV_OK || out->kind != RDV_CALC_WRONG) {
        bool all = true;
        size_t named = 1;
        if (r == RDV_OK && !*tested && derive_solution_is_alternative(t, n.l->begin, n.r->end))
            r = alternatives_hold(k, &g, n.r, n.r->end, &all, &named);
        bool others =
            r == RDV_OK && !*tested && out->kind == RDV_CALC_RIGHT && may_have_others(k, &g, named);
        if (r == RDV_OK && (!all || others)) {
            out->kind = RDV_CALC_UNDECIDED;
            out->note = all ? RDV_STR(NOT_THE_ONLY_ONE)
                            : RDV_STR("another value beside it is no solution, or was not read");
        }
        return r;
    }
    if (derive_solution_is_alternative(t, g.l->begin, n.r->end))
        return RDV_NONE;
    const rule *by = assertion_not(t->rules, t->text, begin, end);
    const char *why = NULL;
    if (!by && (is_ambiguous(t, given, g.l->readings | g.r->readings) ||
                is_ambiguous(t, next, n.l->readings | n.r->readings)))
        why = "it may be read in another way";
    if (!by && !why && context_hints_of(k->hints, t->text)->modulo)
        why = "it may be counted modulo a number";
    if (by)
        decision_withhold(out, by);
    if (why) {
        out->kind = RDV_CALC_UNDECIDED;
        out->note = rdv_str_of(why);
    }
    return RDV_OK;
}

/* ---- all roots ------------------------------------------------------------------------------- */

int derive_solution_roots(const knowledge *k, const equality *given, const expression *values,
                          size_t n, bool all, decision *out)
{
    equation g;
    size_t hold = 0;
    if (!read_equation(k->t, given, &g) ||
        is_ambiguous(k->t, given, g.l->readings | g.r->readings) ||
        context_hints_of(k->hints, k->t->text)->modulo)
        return RDV_NONE;
    for (size_t i = 0; i < n; i++) {
        const equation next = {.r = &values[i]};
        int r = test_value(k, &g, &next, out);
        if (r != RDV_OK || out->kind == RDV_CALC_WRONG)
            return r;
        hold += !stands_before(k, values, i);
    }
    if (all && hold != degree_of(k, &g)) {
        out->kind = RDV_CALC_UNDECIDED;
        out->note = RDV_STR("there may be other solutions, or one of these twice");
    }
    return RDV_OK;
}
