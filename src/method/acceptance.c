/* SPDX-License-Identifier: Apache-2.0 */
#include "method/acceptance.h"

#include "method/method.h"

#include <math.h>

/* Of the methods whose confidence is SelfCheck's integration of verdicts. With its weights 1 and
 * 0.3, one contradicted step gives 0.538, three unrelated ones 0.578 and four 0.463: the threshold
 * rejects what the check contradicts, and what it is mostly unsure of. */
#define THRESHOLD_OF_VERDICTS 0.55
/* Of the methods whose confidence is the mean of scores in which 0.5 is neither right nor wrong,
 * and of scores from another source. */
#define THRESHOLD_OF_SCORES 0.5

const char *acceptance_name(const acceptance *how)
{
    static const char *const names[] = {"no_error", "confidence", "none"};
    bool both = how->proves && how->rule == ACCEPT_CONFIDENCE;
    return both ? "confidence_without_error" : names[how->rule];
}

static acceptance of_table(const method_table *t)
{
    const acceptance no_error = {.rule = ACCEPT_NO_ERROR, .supported = true};
    acceptance by = {.rule = ACCEPT_CONFIDENCE, .supported = true};
    switch (t->conclude) {
    case CONCLUDE_LOCATION:
    case CONCLUDE_THRESHOLD:
        return no_error;
    case CONCLUDE_CALCULATIONS:
        return (acceptance){.rule = ACCEPT_NO_ERROR, .supported = true, .proves = true};
    case CONCLUDE_VERDICT:
        /* Asked step after step until one is wrong, it locates the first error. */
        if (t->stages[t->n_stages - 1].per == PER_STEP_IN_TURN)
            return no_error;
        by.threshold = THRESHOLD_OF_VERDICTS;
        return by;
    case CONCLUDE_MEAN:
        by.threshold = THRESHOLD_OF_SCORES;
        return by;
    default:
        return (acceptance){.rule = ACCEPT_NEVER};
    }
}

static acceptance of_method(rdv_str name)
{
    const method_entry *entry = method_entry_of(rdv_method_named(name));
    if (!entry) /* its table is not known here: its verdicts are, and they are taken at their word
                 */
        return (acceptance){.rule = ACCEPT_NO_ERROR, .supported = true};
    if (entry->table)
        return of_table(entry->table);
    if (entry->combine)
        return (acceptance){
            .rule = ACCEPT_CONFIDENCE, .threshold = THRESHOLD_OF_SCORES, .supported = true};
    return (acceptance){.rule = ACCEPT_NO_ERROR, .supported = true, .proves = true};
}

acceptance acceptance_of(rdv_str method, double threshold)
{
    acceptance how = of_method(method);
    if (!isnan(threshold)) {
        how.rule = ACCEPT_CONFIDENCE;
        how.threshold = threshold;
        how.supported = how.proves;
    }
    return how;
}

acceptance acceptance_of_scores(double threshold)
{
    return (acceptance){.rule = ACCEPT_CONFIDENCE,
                        .threshold = isnan(threshold) ? THRESHOLD_OF_SCORES : threshold};
}

int acceptance_decide(const acceptance *how, rdv_verdict_counts counts, double confidence)
{
    if (counts.contradict && (how->proves || how->rule == ACCEPT_NO_ERROR))
        return 0;
    if (isnan(confidence) || how->rule == ACCEPT_NEVER)
        return -1;
    if (how->rule == ACCEPT_CONFIDENCE && !(confidence >= how->threshold))
        return 0;
    if (how->supported && !counts.support)
        return -1;
    return how->rule == ACCEPT_NO_ERROR && counts.unknown ? -1 : 1;
}

acceptance acceptance_of_check(const rdv_check *check, double threshold)
{
    return check->n_verdicts ? acceptance_of(check->method, threshold)
                             : acceptance_of_scores(threshold);
}

static rdv_verdict_counts counts_of(const rdv_check *check)
{
    return rdv_count_verdicts(check->verdicts, check->n_verdicts);
}

int acceptance_of_chain(const rdv_chain *chain, double threshold)
{
    const rdv_check *last = rdv_chain_check(chain, (rdv_str){0});
    for (size_t i = 0; i < chain->n_checks; i++)
        if (of_method(chain->checks[i].method).proves && counts_of(&chain->checks[i]).contradict)
            return 0;
    if (!last)
        return -1;
    acceptance how = acceptance_of_check(last, threshold);
    return acceptance_decide(&how, counts_of(last), last->confidence);
}
