/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"
#include "explain/explanation.h"
#include "language/assertion.h"
#include "language/rule.h"

const char *mismatch_explained(const mismatch *m, rdv_str *rule_id)
{
    const tokens *t = m->k->t;
    size_t first = m->chain->term[0].begin, last = m->chain->term[m->chain->n - 1].end - 1;
    if (m->k->marked)
        return NULL; /* a mark is a claim of the usual arithmetic */
    const rule *by = assertion_not(t->rules, t->text, t->at[first].begin, t->at[last].end);
    const char *why = by ? rule_effect_reason(by->effect) : NULL;
    if (why) {
        *rule_id = by->id;
        return why;
    }
    const explanation *e = explanations_find(explanations_built_in(), m);
    *rule_id = e ? e->id : (rdv_str){0};
    return e ? e->why : NULL;
}
