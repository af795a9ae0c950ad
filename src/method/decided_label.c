/* SPDX-License-Identifier: Apache-2.0 */
#include "method/decided_label.h"

#include "method/acceptance.h"
#include "method/method.h"
#include "score/eval.h"

#include <math.h>

bool decided_reads_in_full(const rdv_check *check)
{
    const method_entry *entry = method_entry_of(rdv_method_named(check->method));
    return entry && entry->reads_in_full;
}

size_t decided_steps(const rdv_check *check)
{
    bool in_full = decided_reads_in_full(check);
    size_t n = 0;
    for (; n < check->n_verdicts && check->verdicts[n].step == n; n++) {
        rdv_verdict_kind is = check->verdicts[n].kind;
        if (is != RDV_SUPPORT && !(in_full && is == RDV_UNRELATED))
            break;
    }
    return n;
}

rdv_label decided_label(const rdv_check *check, const rdv_chain *chain)
{
    const rdv_label unknown = {.kind = RDV_LABEL_UNKNOWN};
    rdv_label found = rdv_label_by(check);
    size_t decided = decided_steps(check);
    if (acceptance_of(check->method, NAN).rule == ACCEPT_NEVER)
        return unknown;
    if (found.kind == RDV_LABEL_AT)
        return decided == found.step && found.step < chain->n_steps ? found : unknown;
    if (found.kind == RDV_LABEL_NO_MISTAKE && decided == chain->n_steps && !chain->unfinished.p)
        return found;
    return unknown;
}
