/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/roots_check.h"

#include "base/str.h"
#include "claims/roots.h"
#include "decide/derive_solution.h"
#include "language/assertion.h"

static int decide_roots(rdv_calculator *c, const tokens *t, size_t offset, const roots_claim *x,
                        calc_list *out)
{
    text_hints hints = {0};
    const knowledge k = calculator_knowledge(c, t, &hints);
    const expression *left = &x->equation.term[0];
    size_t begin = t->at[x->begin].begin, end = t->at[x->end - 1].end;
    decision d;
    int r = derive_solution_roots(&k, &x->equation, x->value, x->n, x->all, &d);
    if (r != RDV_OK)
        return r == RDV_E_NOMEM ? r : RDV_OK;
    bool wrong = d.kind == RDV_CALC_WRONG;
    return calc_list_put(
        out, c->arena,
        &(rdv_calc){.begin = offset + begin,
                    .end = offset + end,
                    .lhs = rdv_slice(t->text, t->at[left->begin].begin, t->at[left->end - 1].end),
                    .rhs = rdv_slice(t->text, t->at[x->said].begin, end),
                    .kind = d.kind,
                    .value = wrong ? d.value : (rdv_str){0},
                    .claim = wrong ? d.claim : (rdv_str){0},
                    .note = d.note});
}

int roots_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out)
{
    roots_claim x;
    int r = RDV_OK;
    if (!roots_may_be_in(t))
        return RDV_OK;
    for (size_t i = 0; r == RDV_OK; i = x.end) {
        int found = roots_find(t, i, c->scratch, &x);
        if (found != RDV_OK)
            return found == RDV_E_NOMEM ? found : RDV_OK;
        size_t begin = t->at[x.begin].begin, end = t->at[x.end - 1].end;
        if (!assertion_not(t->rules, t->text, begin, end))
            r = decide_roots(c, t, offset, &x, out);
    }
    return r;
}
