/* SPDX-License-Identifier: Apache-2.0 */
#include "method/standing.h"

#include "method/method.h"

#include <math.h>

/* `math` without a model covers the calculations that it finds by itself. */
static bool computes(const rdv_check *check)
{
    const method_entry *entry = method_entry_of(rdv_method_named(check->method));
    bool claims = entry && entry->table && entry->table->conclude == CONCLUDE_CALCULATIONS;
    return entry && (entry->compute || (claims && check->coverage));
}

cast_standing standing_of(const rdv_check *check)
{
    if (!check || check->skipped || check->n_verdicts == 0 || !computes(check))
        return CAST_BY_CONFIDENCE;
    rdv_verdict_counts counts = rdv_count_verdicts(check->verdicts, check->n_verdicts);
    if (counts.contradict)
        return CAST_CONTRADICTED;
    /* `math` calls a step without calculations satisfied. */
    bool none = counts.support == 0 || (check->coverage && check->coverage->checked == 0);
    return none ? CAST_UNDECIDED : CAST_SUPPORTED;
}

double standing_weight(const rdv_check *check)
{
    return check && !check->skipped ? cast_weight(standing_of(check), check->confidence) : NAN;
}

double standing_weight_of(const vote_weight *weight, const rdv_chain *chain)
{
    if (weight->is != VOTE_WEIGHT_CONFIDENCE)
        return vote_weight_of(weight, chain);
    return standing_weight(vote_weight_check(weight, chain));
}
