/* SPDX-License-Identifier: Apache-2.0 */
#include "algebra/same.h"

#include "algebra/ball.h"
#include "algebra/field.h"
#include "base/arena.h"
#include "base/str.h"

#include <flint/flint.h>

static math_sameness verdict(math_same_is is, const char *why, const char *reason)
{
    return (math_sameness){.is = is, .why = why, .reason = reason};
}

static math_sameness cannot_tell(eval_is because)
{
    if (because == EVAL_UNDEFINED)
        return verdict(MATH_CANNOT_TELL, "undefined", "one of them has no value");
    if (because == EVAL_LIMIT)
        return verdict(MATH_CANNOT_TELL, "limit", "one of them is too large to compute");
    return verdict(MATH_CANNOT_TELL, "undecided",
                   "no proof was found that they are the same, nor that they differ");
}

typedef struct pair {
    const formula_text *a, *b;
    math_work *work;
    bool complex;     /* they are compared as complex numbers */
    bool natural;     /* "log" is the natural logarithm, else that to base 10 */
    bool met;         /* there is a point where both have a value */
    eval_is obstacle; /* why a value is missing at the others: EVAL_OK, else the worst */
} pair;

/* ---- rational numbers ------------------------------------------------------------------------ */

/* Both as rational numbers. EVAL_OK: *out says whether they are the same. EVAL_UNDEFINED: one of
 * them has no value. Another: they are not both rational numbers within the limits. */
static eval_is compare_rationals(const pair *p, math_sameness *out)
{
    formula_scope scope = formula_scope_of(p->a, p->work);
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    eval_is of_a = formula_rational(&scope, p->a->root, x);
    scope = formula_scope_of(p->b, p->work);
    eval_is of_b = formula_rational(&scope, p->b->root, y);
    if (of_a == EVAL_OK && of_b == EVAL_OK)
        *out = fmpq_equal(x, y)
                   ? verdict(MATH_SAME, "exact", "both are the same rational number")
                   : verdict(MATH_DIFFERENT, "exact", "they are different rational numbers");
    fmpq_clear(x);
    fmpq_clear(y);
    if (of_a == EVAL_UNDEFINED || of_b == EVAL_UNDEFINED)
        return EVAL_UNDEFINED;
    return of_a == EVAL_OK ? of_b : of_a;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Compare their values at one point. True: they differ there, for certain. */
static bool differ_at(pair *p, unsigned number, slong bits)
{
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    formula_scope scope = formula_scope_of(p->a, p->work);
    ball_point at = {.scope = &scope,
                     .number = number,
                     .complex = p->complex,
                     .natural = p->natural,
                     .bits = bits};
    eval_is is = ball_eval(&at, p->a->root, x);
    scope = formula_scope_of(p->b, p->work);
    if (is == EVAL_OK)
        is = ball_eval(&at, p->b->root, y);
    bool differ = is == EVAL_OK && !acb_overlaps(x, y);
    if (is == EVAL_OK)
        p->met = true;
    else if (p->obstacle != EVAL_LIMIT)
        p->obstacle = is;
    acb_clear(x);
    acb_clear(y);
    return differ;
}

static bool has_letters(const pair *p)
{
    return (p->a->holds | p->b->holds) & FORMULA_LETTERS;
}

static bool differ(pair *p, slong bits)
{
    for (unsigned i = 0; i < (has_letters(p) ? BALL_POINTS : 1u); i++)
        if (differ_at(p, i, bits))
            return true;
    return false;
}

/* ---- algebra --------------------------------------------------------------------------------- */

/* `numbers`: also by the values of algebraic numbers, which takes much longer. */
static int compare_quotients(field *f, const formula_text *a, const formula_text *b, bool numbers)
{
    quotient x;
    quotient_open(f, &x);
    eval_is is = field_difference(f, a, b, &x);
    int zero = is != EVAL_OK             ? -1
               : quotient_is_zero(f, &x) ? 1
               : numbers                 ? field_vanishes(f, x.num)
                                         : -1;
    quotient_close(f, &x);
    return zero;
}

/* A positive whole number, as it is written; 0: it is something else. */
static unsigned whole_literal(const formula_text *t, const formula *n)
{
    unsigned x = 0;
    rdv_str s = n && n->is == F_NUMBER ? tok_text(&t->t, n->token) : (rdv_str){0};
    for (size_t i = 0; i < s.len; i++) {
        if (!rdv_is_digit(s.p[i]) || s.len > 6)
            return 0;
        x = x * 10 + (unsigned)(s.p[i] - '0');
    }
    return x;
}

/* Has it the sign of the letter: the letter, an odd power of it, a positive multiple of such? */
static bool has_sign_of(const formula_text *t, const formula *n, rdv_str name)
{
    switch (n->is) {
    case F_LETTER:
        return rdv_str_eq(n->name, name);
    case F_POWER:
        return whole_literal(t, n->b) % 2 && has_sign_of(t, n->a, name);
    case F_MULTIPLY:
        return whole_literal(t, n->a) && has_sign_of(t, n->b, name);
    case F_DIVIDE:
        return (whole_literal(t, n->b) && has_sign_of(t, n->a, name)) ||
               (whole_literal(t, n->a) && has_sign_of(t, n->b, name));
    default:
        return false;
    }
}

/* Does the formula have no value where the letter is negative? Its logarithm or an even root of it
 * stands in it, outside of sums, which may be empty. */
static bool needs_positive(const formula_text *t, const formula *n, rdv_str name)
{
    if (!n || n->is == F_SUM || n->is == F_PRODUCT)
        return false;
    bool log = n->is == F_APPLY && (n->fn == FN_LN || n->fn == FN_LOG);
    unsigned index = n->is == F_ROOT ? n->b ? whole_literal(t, n->b) : 2
                     : n->is == F_POWER && n->b->is == F_DIVIDE && whole_literal(t, n->b->a) % 2
                         ? whole_literal(t, n->b->b)
                         : 0;
    if ((log || (index && index % 2 == 0)) && has_sign_of(t, n->a, name))
        return true;
    return needs_positive(t, n->a, name) || needs_positive(t, n->b, name);
}

typedef enum signs {
    SIGNS_ANY,   /* letters are real numbers */
    SIGNS_OF_B,  /* what must be positive for b to have a value is positive */
    SIGNS_KNOWN, /* the same for both */
    SIGNS_ASSUMED
} signs;

/* Letters that are positive wherever b, or both formulas, have a value, without any assumption. */
static void find_positive(field *f, const pair *p, signs of_letters)
{
    for (size_t i = f->first; i < FIELD_MAX && !p->complex; i++) {
        rdv_str name = f->at[i].name;
        bool by_a = of_letters == SIGNS_KNOWN && needs_positive(p->a, p->a->root, name);
        if (by_a || needs_positive(p->b, p->b->root, name))
            f->at[i].positive = true;
    }
}

static int compare_in_field(const pair *p, signs of_letters, bool numbers)
{
    formula_scope scope = {.work = p->work};
    field f;
    if (!field_open(&f, &scope, of_letters == SIGNS_ASSUMED, p->a->root, p->b->root))
        return -1;
    f.natural = p->natural;
    f.complex = p->complex;
    if (of_letters == SIGNS_KNOWN || of_letters == SIGNS_OF_B)
        find_positive(&f, p, of_letters);
    int zero = compare_quotients(&f, p->a, p->b, numbers);
    field_close(&f);
    return zero;
}

/* ---- together -------------------------------------------------------------------------------- */

/* Under one meaning of "log": what is cheap before what is dear. Letters are real numbers; what
 * holds for positive ones only is no proof. */
static math_sameness compare_as(pair *p)
{
    const math_sameness different =
        verdict(MATH_DIFFERENT, "bounds", "they have different values, by certified bounds");
    if (differ(p, 64))
        return different;
    int same = compare_in_field(p, SIGNS_ANY, false);
    for (slong bits = 256; bits <= 1024 && (same != 1 || !p->met); bits *= 4)
        if (differ(p, bits))
            return different;
    if (!p->met)
        return cannot_tell(p->obstacle);
    if (same == -1)
        same = compare_in_field(p, SIGNS_ANY, true);
    if (same == -1 && has_letters(p))
        same = compare_in_field(p, SIGNS_OF_B, true);
    bool narrower = same == -1 && has_letters(p);
    if (narrower)
        same = compare_in_field(p, SIGNS_KNOWN, true);
    if (same == -1 && has_letters(p) && compare_in_field(p, SIGNS_ASSUMED, true) == 1)
        return verdict(MATH_CANNOT_TELL, "assumption", "they are the same if letters are positive");
    math_sameness proved = verdict(MATH_SAME, "algebra", "one can be rewritten as the other");
    proved.narrower = narrower;
    return same == 1   ? proved
           : same == 0 ? verdict(MATH_DIFFERENT, "algebra", "they are different algebraic numbers")
                       : cannot_tell(EVAL_OK);
}

static const char *assumption(const pair *p)
{
    unsigned holds = p->a->holds | p->b->holds;
    return holds & FORMULA_I   ? "i is the imaginary unit"
           : holds & FORMULA_E ? "e is the base of natural logarithms"
                               : NULL;
}

/* A logarithm without a base may be natural or to base 10: what holds under both holds. */
static math_sameness compare_readings(pair *p)
{
    bool ambiguous = (p->a->holds | p->b->holds) & FORMULA_LOG;
    math_sameness to_ten = compare_as(p), natural = to_ten;
    if (to_ten.is == MATH_SAME)
        to_ten.assumption = assumption(p);
    if (!ambiguous)
        return to_ten;
    pair again = {.a = p->a, .b = p->b, .work = p->work, .complex = p->complex, .natural = true};
    natural = compare_as(&again);
    if (to_ten.is == natural.is)
        return to_ten;
    if (to_ten.is == MATH_SAME || natural.is == MATH_SAME) {
        bool ten = to_ten.is == MATH_SAME;
        math_sameness same = ten ? to_ten : natural;
        same.assumption = ten ? "log is the logarithm to base 10" : "log is the natural logarithm";
        return same;
    }
    return cannot_tell(EVAL_OK);
}

/* 1 and -1: the formula is infinite, with that sign; 0: it is something else. */
static int infinity(const formula *n)
{
    return n->is == F_INFINITY ? 1 : n->is == F_NEGATE ? -infinity(n->a) : 0;
}

/* The same tokens in the same order. */
static bool identical(const tokens *a, const tokens *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->at[i].kind != b->at[i].kind || !rdv_str_eq(tok_text(a, i), tok_text(b, i)))
            return false;
    return true;
}

static math_sameness compare(const formula_text *a, const formula_text *b, math_work *work)
{
    unsigned holds = a->holds | b->holds;
    pair p = {
        .a = a, .b = b, .work = work, .complex = !(holds & FORMULA_LETTERS) || (holds & FORMULA_I)};
    math_sameness out;
    int sign = infinity(a->root), other = infinity(b->root);
    if (sign && other)
        return sign == other ? verdict(MATH_SAME, "exact", "both are the same infinity")
                             : verdict(MATH_DIFFERENT, "exact", "they are different infinities");
    if (holds & FORMULA_DECIMAL_ENDLESS)
        return verdict(MATH_CANNOT_TELL, "undecided", "it is not known how a decimal goes on");
    eval_is is = compare_rationals(&p, &out);
    if (is == EVAL_OK)
        return out;
    if (is == EVAL_UNDEFINED)
        return cannot_tell(is);
    if (identical(&a->t, &b->t))
        return verdict(MATH_SAME, "identical", "they are written alike");
    out = compare_readings(&p);
    if (out.is == MATH_SAME && holds & FORMULA_ORDER)
        return verdict(MATH_CANNOT_TELL, "assumption",
                       "they are the same if the capital letters are numbers");
    return out.is == MATH_DIFFERENT && holds & FORMULA_CALL
               ? verdict(MATH_CANNOT_TELL, "function", "it is not known what a function is")
               : out;
}

static int same_in(rdv_str a, rdv_str b, math_work *work, rdv_arena *arena, math_sameness *out)
{
    formula_text fa, fb;
    int rc = formula_parse(a, arena, &fa);
    if (rc == RDV_OK)
        rc = formula_parse(b, arena, &fb);
    if (rc == RDV_OK)
        *out = compare(&fa, &fb, work);
    return rc;
}

int math_same(rdv_str a, rdv_str b, math_work *work, math_sameness *out, rdv_error *err)
{
    rdv_arena *scratch = rdv_arena_new(0);
    int rc = scratch ? same_in(a, b, work, scratch, out) : RDV_E_NOMEM;
    rdv_arena_free(&scratch);
    return rc < 0 ? rdv_fail(err, rc, "out of memory while comparing formulas") : rc;
}
