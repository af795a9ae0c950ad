/* SPDX-License-Identifier: Apache-2.0 */
/* A plan that checks given chains: every method on every chain, the checks of a chain in the order
 * of the methods. */
#include "method/check_set.h"

#include "base/arena.h"
#include "base/str.h"

static int chain_done(rdv_plan *plan, size_t chain_index, void *data, rdv_error *err)
{
    return RDV_OK; /* the checks are in the chain */
}

static int start_all(rdv_plan *plan, const rdv_chain *chains, size_t n, rdv_error *err)
{
    int r = RDV_OK;
    plan->chains = RDV_NEW_ARRAY(plan->arena, rdv_chain, n);
    if (!plan->chains)
        return rdv_no_memory(err);
    plan->n_chains = n;
    for (size_t i = 0; i < n; i++)
        plan->chains[i] = chains[i];
    for (size_t i = 0; i < n && r == RDV_OK; i++) {
        check_set *checks;
        r = check_set_start(&checks, plan, i, chain_done, NULL, err);
    }
    return r;
}

int rdv_plan_check(const rdv_chain *chains, size_t n, const rdv_plan_options *options,
                   rdv_plan **plan, rdv_error *err)
{
    int r = plan_new(options, plan, err);
    if (r == RDV_OK)
        r = check_set_possible(*plan, err);
    if (r == RDV_OK)
        r = start_all(*plan, chains, n, err);
    if (r < 0)
        rdv_plan_free(plan);
    return r;
}
