/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/results.h"

#include "base/str.h"
#include "language/rule.h"
#include "notation/braces.h"

int results_add(calc_list *out, rdv_arena *arena, const tokens *t, size_t offset,
                const equality *chain, size_t i, const decision *d, bool marked)
{
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    size_t b = t->at[lhs->begin - d->dash].begin, m = t->at[lhs->end - 1].end;
    size_t r = t->at[rhs->begin].begin, e = t->at[rhs->end - 1].end;
    braces_close(t->text, &b, &m);
    braces_close(t->text, &r, &e);
    return calc_list_put(out, arena,
                         &(rdv_calc){.begin = offset + b,
                                     .end = offset + e,
                                     .lhs = rdv_slice(t->text, b, m),
                                     .rhs = rdv_slice(t->text, r, e),
                                     .kind = d->kind,
                                     .value = d->value,
                                     .claim = d->claim,
                                     .note = d->note,
                                     .rule = d->rule,
                                     .read_by = chain->read_by,
                                     .marked = marked});
}

void results_withhold(rdv_calc *calc, const rule *by)
{
    calc->kind = RDV_CALC_UNDECIDED;
    calc->note = rdv_str_of(rule_effect_reason(by->effect));
    calc->rule = by->id;
}
