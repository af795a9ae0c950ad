/* SPDX-License-Identifier: Apache-2.0 */
/* Which rule decided between the old and the new trace of a repair, by locator. */
#include "study/traces.h"

#include "base/arena.h"
#include "base/str.h"

trace_accept trace_accept_named(rdv_str name)
{
    return rdv_str_eq(name, RDV_STR("new"))      ? TRACE_ACCEPT_NEW
           : rdv_str_eq(name, RDV_STR("better")) ? TRACE_ACCEPT_BETTER
                                                 : TRACE_ACCEPT_UNKNOWN;
}

int traces_note_accept(const traces *all, rdv_study_table *table, rdv_error *err)
{
    typedef size_t counts[TRACE_ACCEPT_BETTER + 1];
    counts *n = RDV_NEW_ARRAY(all->arena, counts, all->locators.n);
    if (!n)
        return rdv_no_memory(err);
    for (size_t i = 0; i < all->n; i++)
        if (all->of[i].repairer != RDV_MAP_MISSING)
            n[all->repairers.of[all->of[i].repairer].name][all->of[i].accept]++;
    for (size_t l = 0; l < all->locators.n; l++) {
        rdv_str name = all->locators.texts[l];
        size_t as_new = n[l][TRACE_ACCEPT_NEW], better = n[l][TRACE_ACCEPT_BETTER];
        if (as_new)
            table_note(table, "%.*s: every new trace was taken (%zu trace%s, --accept new)",
                       RDV_FMT(name), as_new, table_plural(as_new));
        if (better)
            table_note(table,
                       "%.*s: a new trace was taken only if its check was better (%zu trace%s, "
                       "--accept better); the paper takes every one",
                       RDV_FMT(name), better, table_plural(better));
    }
    return RDV_OK;
}
