/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of verdicts into a check: its first error, its counts, its confidence. */
#include "score/score.h"
#include "method/method.h"

#include "base/str.h"

#include <math.h>

int method_integration(const rdv_method *method, const rdv_check_options *options,
                       rdv_integration *out, rdv_error *err)
{
    *out = (rdv_integration){.l1 = isnan(options->l1) ? method->l1 : options->l1,
                             .l0 = isnan(options->l0) ? method->l0 : options->l0,
                             .unknown = options->unknown};
    return rdv_integration_check(out, err);
}

/* A contradiction of the whole chain names no step: RDV_WHOLE_CHAIN is RDV_NO_STEP. If no
 * contradiction was found, "no error" holds only if everything was read; a method without a model
 * reports it for the part that it could follow. */
static size_t first_contradict(const rdv_method *method, const rdv_check *check)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].kind == RDV_CONTRADICT)
            return check->verdicts[i].step;
    bool nothing = check->n_unknown == check->n_verdicts;
    return nothing || (method->asks_model && check->n_unknown) ? RDV_STEP_UNKNOWN : RDV_NO_STEP;
}

void method_put(const rdv_method *method, rdv_verdict *verdicts, size_t n, rdv_check *check)
{
    check->method = rdv_str_of(method->name);
    check->verdicts = verdicts;
    check->n_verdicts = n;
    check->n_unknown = rdv_count_verdicts(verdicts, n).unknown;
    check->first_error = first_contradict(method, check);
}

/* A chain of which a method that computes decided nothing is as good as unread: it must not weigh
 * like one that is proven. A method that asks a model says "not sure" of such a step, which costs.
 */
static bool nothing_decided(const rdv_method *method, rdv_verdict_counts counts)
{
    const method_entry *entry = method_entry_of(method);
    return entry && entry->compute && counts.support == 0 && counts.contradict == 0;
}

int method_integrate(const rdv_method *method, const rdv_check_options *options,
                     rdv_verdict *verdicts, size_t n, rdv_check *check, rdv_error *err)
{
    rdv_integration how;
    int r = method_integration(method, options, &how, err);
    if (r < 0)
        return r;
    method_put(method, verdicts, n, check);
    rdv_verdict_counts counts = rdv_count_verdicts(verdicts, n);
    check->confidence = nothing_decided(method, counts) ? NAN : rdv_integrate(&how, counts);
    return RDV_OK;
}
