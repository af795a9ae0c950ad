/* SPDX-License-Identifier: Apache-2.0 */
#include "algebra/sign.h"

#include "algebra/field.h"

/* Its bounds tell, or algebra: "x + 1 - (x + 2)". */
static int sign_in_field(const formula_text *t, formula_scope *scope)
{
    field f;
    if (!field_open(&f, scope, false, t->root, NULL))
        return 2;
    bool named = t->holds & (FORMULA_LETTERS | FORMULA_LOG | FORMULA_E | FORMULA_I);
    int sign = named ? 2 : field_sign(&f, t->root);
    scope->budget = FORMULA_BUDGET;
    quotient q;
    fmpq_t x;
    quotient_open(&f, &q);
    fmpq_init(x);
    if (sign == 2 && !(t->holds & FORMULA_I) && field_eval(&f, t->root, &q) == EVAL_OK)
        sign = quotient_rational(&f, &q, x) ? fmpq_sgn(x) : field_vanishes(&f, q.num) == 1 ? 0 : 2;
    fmpq_clear(x);
    quotient_close(&f, &q);
    field_close(&f);
    return sign;
}

static int sign_of(const formula_text *t, int *sign)
{
    formula_scope scope = {.t = &t->t, .budget = FORMULA_BUDGET};
    fmpq_t x;
    fmpq_init(x);
    eval_is is = formula_rational(&scope, t->root, x);
    int found = is == EVAL_OK ? fmpq_sgn(x) : 2;
    fmpq_clear(x);
    if (is == EVAL_UNDEFINED || (t->holds & FORMULA_DECIMAL_ENDLESS))
        return RDV_NONE;
    scope.budget = FORMULA_BUDGET;
    if (is != EVAL_OK)
        found = sign_in_field(t, &scope);
    if (found == 2)
        return RDV_NONE;
    *sign = found;
    return RDV_OK;
}

int math_sign(rdv_str text, int *sign, rdv_error *err)
{
    formula_text t;
    rdv_arena *scratch = rdv_arena_new(0);
    int rc = scratch ? formula_parse(text, scratch, &t) : RDV_E_NOMEM;
    if (rc == RDV_OK)
        rc = sign_of(&t, sign);
    rdv_arena_free(&scratch);
    return rc < 0 ? rdv_fail(err, rc, "out of memory while reading a formula") : rc;
}
