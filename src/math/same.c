/* SPDX-License-Identifier: Apache-2.0 */
#include "math/same.h"

#include "base/arena.h"
#include "base/str.h"
#include "math/formula_rational.h"

static math_sameness verdict(math_same_is is, const char *why, const char *reason)
{
    return (math_sameness){.is = is, .why = why, .reason = reason};
}

/* Both as rational numbers. EVAL_OK: *out says whether they are the same; else why they are not
 * comparable so. */
static eval_is compare_rationals(const formula_text *a, const formula_text *b, math_sameness *out)
{
    formula_scope scope = {.t = &a->t, .budget = FORMULA_BUDGET};
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    eval_is is = formula_rational(&scope, a->root, x);
    scope.t = &b->t;
    eval_is of_b = formula_rational(&scope, b->root, y);
    if (is == EVAL_OK && of_b == EVAL_OK)
        *out = fmpq_equal(x, y)
                   ? verdict(MATH_SAME, "exact", "both are the same rational number")
                   : verdict(MATH_DIFFERENT, "exact", "they are different rational numbers");
    fmpq_clear(x);
    fmpq_clear(y);
    return is == EVAL_OK || is == of_b ? of_b : of_b == EVAL_OK ? is : is > of_b ? is : of_b;
}

static math_sameness compare(const formula_text *a, const formula_text *b)
{
    math_sameness out;
    switch (compare_rationals(a, b, &out)) {
    case EVAL_OK:
        return out;
    case EVAL_UNDEFINED:
        return verdict(MATH_CANNOT_TELL, "undefined", "one of them has no value");
    case EVAL_LIMIT:
        return verdict(MATH_CANNOT_TELL, "limit", "one of them is too large to compute");
    default:
        return verdict(MATH_CANNOT_TELL, "undecided", "neither a proof nor a refutation was found");
    }
}

static int same_in(rdv_str a, rdv_str b, rdv_arena *arena, math_sameness *out)
{
    formula_text fa, fb;
    int rc = formula_parse(a, arena, &fa);
    if (rc == RDV_OK)
        rc = formula_parse(b, arena, &fb);
    if (rc == RDV_OK)
        *out = compare(&fa, &fb);
    return rc;
}

int math_same(rdv_str a, rdv_str b, rdv_arena *arena, math_sameness *out, rdv_error *err)
{
    rdv_arena *scratch = rdv_arena_new(0);
    int rc = scratch ? same_in(a, b, scratch, out) : RDV_E_NOMEM;
    rdv_arena_free(&scratch);
    return rc < 0 ? rdv_fail(err, rc, "out of memory while comparing formulas") : rc;
}
