/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a method's stages: lookup, and conversion to evidence. */
#include "method/check.h"

#include "base/str.h"

const stage *check_last_stage(const check_run *run)
{
    const method_table *t = run->method->table;
    return &t->stages[t->n_stages - 1];
}

size_t check_samples(const check_run *run, const stage *s)
{
    return s == check_last_stage(run) ? run->samples : 1;
}

step_result *check_result(const check_run *run, const stage *s, size_t step)
{
    size_t at = s->per == PER_CHAIN ? 0 : step * check_samples(run, s);
    return &run->results[s - run->method->table->stages][at];
}

static bool note_result(const step_result *r, rdv_arena *arena, rdv_evidence *map)
{
    const reader *by = &readers[r->stage->read];
    if (result_is_read(r) && by->note)
        return by->note(r, arena, map, r->stage->as);
    return !r->text.p || rdv_evidence_text(arena, map, r->stage->as, r->text) != NULL;
}

bool check_note_stages(const check_run *run, size_t step, rdv_evidence *evidence)
{
    const method_table *t = run->method->table;
    bool ok = evidence != NULL;
    for (size_t i = 0; i < t->n_stages && ok; i++) {
        const stage *s = &t->stages[i];
        if (s->per != PER_CHAIN && step == RDV_WHOLE_CHAIN)
            continue;
        const step_result *r = check_result(run, s, step);
        ok = !r->node || note_result(r, run->plan->arena, evidence);
    }
    return ok;
}
