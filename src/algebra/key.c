/* SPDX-License-Identifier: Apache-2.0 */
/* Canonical keys of expressions: equal keys, equal mathematics. */
#include "algebra/key.h"

#include "algebra/field.h"
#include "base/arena.h"
#include "base/str.h"
#include "expression/print.h"

#include <rederive/math.h>

#include <flint/flint.h>

/* A rational function of letters, with the terms in one order. */
static int function_key(field *f, const quotient *q, rdv_arena *arena, rdv_str *key)
{
    const char *names[FIELD_MAX];
    if (!field_letter_names(f, arena, names))
        return RDV_E_NOMEM;
    char *num = fmpz_mpoly_get_str_pretty(q->num, names, f->ctx);
    char *den = fmpz_mpoly_get_str_pretty(q->den, names, f->ctx);
    if (fmpz_mpoly_is_one(q->den, f->ctx))
        *key = rdv_str_printf(arena, "%s", num);
    else
        *key = rdv_str_printf(arena, "(%s)/(%s)", num, den);
    flint_free(num);
    flint_free(den);
    return key->p ? RDV_OK : RDV_E_NOMEM;
}

static int quotient_key(field *f, quotient *q, rdv_arena *arena, rdv_str *key)
{
    if (quotient_reduce(f, q) != EVAL_OK || f->positive)
        return RDV_NONE;
    fmpq_t x;
    fmpq_init(x);
    bool rational = quotient_rational(f, q, x);
    if (rational)
        *key = print_fraction(x, arena);
    fmpq_clear(x);
    if (rational)
        return key->p ? RDV_OK : RDV_E_NOMEM;
    return quotient_holds(f, q, generator_is_no_letter) ? field_key(f, q, arena, key)
                                                        : function_key(f, q, arena, key);
}

static int algebraic_key(const formula_text *t, math_work *work, rdv_arena *arena, rdv_str *key)
{
    formula_scope scope = formula_scope_of(t, work);
    field f;
    if (!field_open(&f, &scope, false, t->root, NULL))
        return RDV_NONE;
    f.complex = !(t->holds & FORMULA_LETTERS) || (t->holds & FORMULA_I);
    quotient q;
    quotient_open(&f, &q);
    int rc = field_eval(&f, t->root, &q) == EVAL_OK ? quotient_key(&f, &q, arena, key) : RDV_NONE;
    quotient_close(&f, &q);
    field_close(&f);
    return rc;
}

static int key_in(rdv_str text, math_work *work, rdv_arena *scratch, rdv_arena *arena, rdv_str *key)
{
    formula_text t;
    int rc = formula_parse(text, scratch, &t);
    if (rc != RDV_OK)
        return rc;
    if (t.holds & (FORMULA_DECIMAL_ENDLESS | FORMULA_LOG | FORMULA_ORDER))
        return RDV_NONE;
    formula_scope scope = formula_scope_of(&t, work);
    fmpq_t x;
    fmpq_init(x);
    eval_is is = formula_rational(&scope, t.root, x);
    if (is == EVAL_OK)
        *key = print_fraction(x, arena);
    fmpq_clear(x);
    if (is == EVAL_OK)
        return key->p ? RDV_OK : RDV_E_NOMEM;
    return is == EVAL_UNDEFINED ? RDV_NONE : algebraic_key(&t, work, arena, key);
}

int math_key(rdv_str text, math_work *work, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    rdv_arena *scratch = rdv_arena_new(0);
    rdv_str found = {0};
    int r = scratch ? key_in(text, work, scratch, arena, &found) : RDV_E_NOMEM;
    if (r == RDV_OK)
        *key = found;
    rdv_arena_free(&scratch);
    return r < 0 ? rdv_fail(err, r, "out of memory while reading an expression") : r;
}

int rdv_math_key(rdv_str text, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    return math_key(text, NULL, arena, key, err);
}
