/* SPDX-License-Identifier: Apache-2.0 */
/* Which rule decided between the old and the new trace of a repair, by locator. */
#include "study/traces.h"

#include "base/str.h"

trace_accept trace_accept_named(rdv_str name)
{
    return rdv_str_eq(name, RDV_STR("new"))      ? TRACE_ACCEPT_NEW
           : rdv_str_eq(name, RDV_STR("better")) ? TRACE_ACCEPT_BETTER
                                                 : TRACE_ACCEPT_UNKNOWN;
}

void traces_note_accept(const traces *all, rdv_study_table *table)
{
    for (size_t l = 0; l < all->locators.n; l++) {
        size_t n[TRACE_ACCEPT_BETTER + 1] = {0};
        rdv_str name = all->locators.texts[l];
        for (size_t i = 0; i < all->n; i++)
            n[all->of[i].accept] += all->of[i].repairer != RDV_MAP_MISSING &&
                                    all->repairers.of[all->of[i].repairer].name == l;
        if (n[TRACE_ACCEPT_NEW])
            table_note(table, "%.*s: every new trace was taken (%zu trace%s, --accept new)",
                       RDV_FMT(name), n[TRACE_ACCEPT_NEW], table_plural(n[TRACE_ACCEPT_NEW]));
        if (n[TRACE_ACCEPT_BETTER])
            table_note(table,
                       "%.*s: a new trace was taken only if its check was better (%zu trace%s, "
                       "--accept better); the paper takes every one",
                       RDV_FMT(name), n[TRACE_ACCEPT_BETTER], table_plural(n[TRACE_ACCEPT_BETTER]));
    }
}
