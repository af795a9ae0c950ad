/* SPDX-License-Identifier: Apache-2.0 */
#include "method/label_conflict.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/decided_label.h"

const char *label_conflict_name(label_conflict_kind is)
{
    static const char *const names[] = {"earlier", "right", "missing", "step"};
    return names[is];
}

static bool judges_correctness(const rdv_step_labels *labels)
{
    return rdv_str_eq(labels->of, RDV_STR("correct"));
}

bool label_conflict_labelled(const rdv_chain *chain)
{
    for (size_t i = 0; i < chain->n_step_labels; i++)
        if (judges_correctness(&chain->step_labels[i]))
            return true;
    return chain->label.kind != RDV_LABEL_UNKNOWN;
}

/* Does somebody call the step right, and nobody wrong? */
static bool labelled_right(const rdv_chain *chain, size_t step)
{
    bool right = false;
    for (size_t i = 0; i < chain->n_step_labels; i++) {
        const rdv_step_labels *l = &chain->step_labels[i];
        if (!judges_correctness(l) || step >= l->n)
            continue;
        if (l->is[step] == 0)
            return false;
        right |= l->is[step] == 1;
    }
    return right;
}

static const rdv_verdict *verdict_of(const rdv_check *check, size_t step)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].step == step)
            return &check->verdicts[i];
    return NULL;
}

/* Wrong by more than a custom of those who labelled such traces, follow_custom()? */
static bool proven_wrong(const rdv_verdict *v)
{
    return v->kind == RDV_CONTRADICT &&
           !(v->evidence && rdv_evidence_get(v->evidence, RDV_STR("custom")));
}

/* The first step before `end` that is proven wrong, or NULL. */
static const rdv_verdict *first_wrong(const rdv_check *check, size_t end)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (proven_wrong(&check->verdicts[i]) && check->verdicts[i].step < end)
            return &check->verdicts[i];
    return NULL;
}

/* The conflict of the label of the first wrong step; false: there is none. */
static bool of_first_error(rdv_label label, const rdv_chain *chain, const rdv_check *check,
                           label_conflict *out)
{
    bool at = label.kind == RDV_LABEL_AT && label.step < chain->n_steps;
    const rdv_verdict *wrong = first_wrong(check, at ? label.step : chain->n_steps);
    if (label.kind == RDV_LABEL_UNKNOWN)
        return false;
    if (wrong) {
        *out = (label_conflict){at ? LABEL_CONFLICT_EARLIER : LABEL_CONFLICT_MISSING, wrong->step,
                                wrong};
        return true;
    }
    if (at && decided_reads_in_full(check) && decided_steps(check) > label.step) {
        *out = (label_conflict){LABEL_CONFLICT_RIGHT, label.step, verdict_of(check, label.step)};
        return true;
    }
    return false;
}

int label_conflicts(const rdv_chain *chain, const rdv_check *check, bool assume_right,
                    rdv_arena *arena, label_conflict **out, size_t *n, rdv_error *err)
{
    label_conflict *list = RDV_NEW_ARRAY(arena, label_conflict, check->n_verdicts + 1);
    rdv_label label = chain->label;
    size_t found = 0;
    if (!list)
        return rdv_no_memory(err);
    if (assume_right && !label_conflict_labelled(chain))
        label = (rdv_label){.kind = RDV_LABEL_NO_MISTAKE};
    found += of_first_error(label, chain, check, &list[found]);
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        bool told = found > 0 && list[0].step == v->step;
        if (proven_wrong(v) && !told && labelled_right(chain, v->step))
            list[found++] = (label_conflict){LABEL_CONFLICT_STEP, v->step, v};
    }
    *out = list;
    *n = found;
    return RDV_OK;
}
