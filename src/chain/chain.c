/* SPDX-License-Identifier: Apache-2.0 */
#include <rederive/chain.h>

#include "base/str.h"

static const char *const kind_names[] = {"auto", "number", "option",      "yesno",
                                         "text", "latex",  "date",        "date-day-first",
                                         "time", "money",  "yesno-maybe", "phrase"};
static const char *const verdict_names[] = {"contradict", "unrelated", "support", "unknown"};

const char *rdv_kind_name(rdv_kind kind)
{
    return kind_names[kind];
}

int rdv_kind_named(rdv_str name, rdv_kind *out)
{
    int i = rdv_named(name, kind_names, sizeof kind_names / sizeof *kind_names);
    if (i >= 0)
        *out = (rdv_kind)i;
    return i < 0 ? RDV_NONE : RDV_OK;
}

const char *rdv_verdict_name(rdv_verdict_kind is)
{
    return verdict_names[is - RDV_CONTRADICT];
}

int rdv_verdict_named(rdv_str name, rdv_verdict_kind *out)
{
    int i = rdv_named(name, verdict_names, sizeof verdict_names / sizeof *verdict_names);
    if (i >= 0)
        *out = (rdv_verdict_kind)(RDV_CONTRADICT + i);
    return i < 0 ? RDV_NONE : RDV_OK;
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
