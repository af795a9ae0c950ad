/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/comparison_check.h"

#include "base/str.h"
#include "claims/comparison.h"
#include "decide/order.h"
#include "expression/print.h"
#include "expression/reading_eval.h"
#include "language/assertion.h"

/* The sign of the difference; RDV_NONE: a side has no value, or decimals are too near to tell. */
static int compare_sides(rdv_calculator *c, const tokens *t, const comparison *x, int *sign)
{
    text_hints hints = {0};
    const knowledge k = calculator_knowledge(c, t, &hints);
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    int r = RDV_NONE;
    if (reading_eval_term_value(&k, &x->side[0], a) == EVAL_OK &&
        reading_eval_term_value(&k, &x->side[1], b) == EVAL_OK) {
        bool same = fmpq_equal(a, b) || compare_to_50_digits(a, b);
        *sign = same ? 0 : fmpq_cmp(a, b);
        r = RDV_OK;
    }
    fmpq_clear(a);
    fmpq_clear(b);
    return r;
}

static int add(rdv_calculator *c, const tokens *t, size_t offset, const comparison *x, order_is is,
               int sign, bool denied, calc_list *out)
{
    const expression *l = &x->side[0], *r = &x->side[1];
    size_t begin = t->at[l->begin].begin, end = t->at[r->end - 1].end;
    bool so = order_holds(is, sign);
    rdv_calc calc = {.begin = offset + begin,
                     .end = offset + end,
                     .lhs = expression_text(t, l),
                     .rhs = expression_text(t, r),
                     .kind = so ? RDV_CALC_RIGHT : RDV_CALC_WRONG};
    if (!so && (denied || x->bare || (!x->of_result && !tok_holds(t, TOK_WORD)))) {
        calc.kind = RDV_CALC_UNDECIDED;
        calc.note = denied ? RDV_STR("the words around it do not assert it")
                           : RDV_STR("perhaps a condition that is tried, or an order of names");
    }
    if (calc.kind == RDV_CALC_WRONG) {
        calc.value = rdv_str_printf(c->arena, "%s %.*s", order_found(sign), RDV_FMT(calc.rhs));
        calc.claim = rdv_str_printf(c->arena, "%s %.*s", order_said(is), RDV_FMT(calc.rhs));
        if (!calc.value.p || !calc.claim.p)
            return RDV_E_NOMEM;
    }
    return calc_list_put(out, c->arena, &calc);
}

int comparison_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out)
{
    comparisons found = {0};
    int r = comparison_find(t, c->scratch, &found);
    for (size_t i = 0; i < found.n && r == RDV_OK; i++) {
        const comparison *x = &found.at[i];
        order_is is = order_of_sign(tok_text(t, x->sign));
        size_t begin = t->at[x->side[0].begin].begin, end = t->at[x->side[1].end - 1].end;
        int sign = 0;
        if (!is || compare_sides(c, t, x, &sign) != RDV_OK)
            continue;
        bool so = order_holds(is, sign), denied = assertion_not(t->rules, t->text, begin, end);
        if (so ? x->bare || denied : assertion_refuted(t->rules, t->text, end))
            continue;
        if (denied && !x->of_result) /* "Since 7 * 8 = 56 > 60": the sum alone would be right */
            continue;
        r = add(c, t, offset, x, is, sign, denied, out);
    }
    return r;
}
