/* SPDX-License-Identifier: Apache-2.0 */
#include <rederive/chain.h>

#include "base/str.h"

static const char *const kind_names[] = {"auto", "number", "option", "yesno", "text", "latex"};
static const char *const verdict_names[] = {"contradict", "unrelated", "support", "unknown"};

const char *rdv_kind_name(rdv_kind kind)
{
    return kind_names[kind];
}

int rdv_kind_named(rdv_str name, rdv_kind *out)
{
    for (int k = RDV_KIND_AUTO; k <= RDV_KIND_LATEX; k++) {
        if (rdv_str_eq(name, rdv_str_of(kind_names[k]))) {
            *out = (rdv_kind)k;
            return RDV_OK;
        }
    }
    return RDV_NONE;
}

const char *rdv_verdict_name(rdv_verdict_is is)
{
    return verdict_names[is - RDV_CONTRADICT];
}

int rdv_verdict_named(rdv_str name, rdv_verdict_is *out)
{
    for (int v = RDV_CONTRADICT; v <= RDV_UNKNOWN; v++) {
        if (rdv_str_eq(name, rdv_str_of(verdict_names[v - RDV_CONTRADICT]))) {
            *out = (rdv_verdict_is)v;
            return RDV_OK;
        }
    }
    return RDV_NONE;
}

const rdv_scores *rdv_chain_scores(const rdv_chain *chain, rdv_str name)
{
    for (size_t i = 0; i < chain->n_scores; i++)
        if (rdv_str_eq(chain->scores[i].name, name))
            return &chain->scores[i];
    return NULL;
}

const rdv_check *rdv_chain_check(const rdv_chain *chain, rdv_str method)
{
    for (size_t i = chain->n_checks; i-- > 0;)
        if (!method.p || rdv_str_eq(chain->checks[i].method, method))
            return &chain->checks[i];
    return NULL;
}
