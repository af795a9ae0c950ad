/* SPDX-License-Identifier: Apache-2.0 */
#include "data/export/format.h"

#include "base/arena.h"
#include "base/str.h"

/* ---- verdicts -------------------------------------------------------------------------------- */

const rdv_check *rdv_export_check(const rdv_export *exporter, const rdv_chain *chain)
{
    return exporter->options.from_label ? NULL : rdv_chain_check(chain, exporter->options.method);
}

const rdv_verdict **rdv_export_by_step(const rdv_check *check, const rdv_chain *chain,
                                       rdv_arena *arena)
{
    const rdv_verdict **by_step = RDV_NEW_ARRAY(arena, const rdv_verdict *, chain->n_steps);
    for (size_t i = 0; by_step && check && i < check->n_verdicts; i++)
        if (check->verdicts[i].step < chain->n_steps)
            by_step[check->verdicts[i].step] = &check->verdicts[i];
    return by_step;
}

/* A first error at `step` says that the steps before it are right, and nothing of those after it;
 * none (step == n) says that all are right. */
static void fill_from_location(size_t step, size_t n, rdv_verdict_kind *verdicts)
{
    for (size_t i = 0; i < n && i < step; i++)
        verdicts[i] = RDV_SUPPORT;
    if (step < n)
        verdicts[step] = RDV_CONTRADICT;
}

static void fill_from_check(const rdv_check *check, size_t n, rdv_verdict_kind *verdicts)
{
    bool by_step = false;
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].step < n) {
            verdicts[check->verdicts[i].step] = check->verdicts[i].kind;
            by_step = true;
        }
    if (by_step || check->skipped || !check->n_verdicts || check->first_error == RDV_STEP_UNKNOWN)
        return;
    /* A locator has one verdict, on the whole chain, which it contradicts if it found an error. */
    bool contradicts = check->verdicts[0].kind == RDV_CONTRADICT;
    if (check->first_error != RDV_NO_STEP)
        fill_from_location(check->first_error, n, verdicts);
    else if (!contradicts && check->verdicts[0].kind == RDV_SUPPORT)
        fill_from_location(n, n, verdicts);
}

/* A step on which the annotators do not agree, or none has an opinion, stays unknown. */
static void add_opinion(const rdv_step_labels *labels, size_t n, bool first,
                        rdv_verdict_kind *verdicts)
{
    for (size_t i = 0; i < n; i++) {
        int is = i < labels->n ? labels->is[i] : -1;
        rdv_verdict_kind kind = is < 0 ? RDV_UNKNOWN : is ? RDV_SUPPORT : RDV_CONTRADICT;
        if (first || verdicts[i] == kind)
            verdicts[i] = kind;
        else
            verdicts[i] = RDV_UNKNOWN;
    }
}

static void fill_from_labels(const rdv_chain *chain, rdv_verdict_kind *verdicts)
{
    bool first = true;
    for (size_t i = 0; i < chain->n_step_labels; i++) {
        if (!rdv_str_eq(chain->step_labels[i].of, RDV_STR("correct")))
            continue;
        add_opinion(&chain->step_labels[i], chain->n_steps, first, verdicts);
        first = false;
    }
    if (!first || chain->label.kind == RDV_LABEL_UNKNOWN)
        return;
    size_t n = chain->n_steps;
    fill_from_location(chain->label.kind == RDV_LABEL_AT ? chain->label.step : n, n, verdicts);
}

int rdv_export_verdicts(const rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena,
                        rdv_verdict_kind **verdicts, rdv_error *err)
{
    const rdv_check *check = rdv_export_check(exporter, chain);
    rdv_verdict_kind *made = RDV_NEW_ARRAY(arena, rdv_verdict_kind, chain->n_steps);
    if (!made)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_steps; i++)
        made[i] = RDV_UNKNOWN;
    if (check)
        fill_from_check(check, chain->n_steps, made);
    else
        fill_from_labels(chain, made);
    *verdicts = made;
    return RDV_OK;
}

/* ---- texts ----------------------------------------------------------------------------------- */

rdv_str rdv_export_question(const rdv_chain *chain, rdv_arena *arena)
{
    const rdv_question *q = &chain->question;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, q->text.p ? q->text : RDV_STR(""));
    for (size_t i = 0; i < q->n_options; i++) {
        if (i < 26)
            rdv_buf_printf(&b, "\n(%c) ", (char)('A' + i));
        else
            rdv_buf_printf(&b, "\n(%zu) ", i + 1);
        rdv_buf_add(&b, q->options[i]);
    }
    return rdv_buf_ok(&b) && !b.len ? RDV_STR("") : rdv_buf_str(&b);
}

rdv_str rdv_export_solution(const rdv_chain *chain, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_lines(&b, chain->steps, chain->n_steps);
    return rdv_buf_ok(&b) && !b.len ? RDV_STR("") : rdv_buf_str(&b);
}

/* "step 2: 17 × 24 is 408, not 398" */
static void add_reason(rdv_buf *b, const rdv_verdict *v)
{
    if (b->len)
        rdv_buf_lit(b, "; ");
    if (v->step == RDV_WHOLE_CHAIN)
        rdv_buf_lit(b, "the whole chain");
    else
        rdv_buf_printf(b, "step %zu", v->step);
    rdv_buf_lit(b, ": ");
    rdv_buf_add(b, v->why.p ? v->why : rdv_str_of(rdv_verdict_name(v->kind)));
}

rdv_str rdv_export_explanation(const rdv_check *check, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].kind == RDV_CONTRADICT)
            add_reason(&b, &check->verdicts[i]);
    if (!b.len && check->first_error != RDV_NO_STEP && check->first_error != RDV_STEP_UNKNOWN)
        rdv_buf_printf(&b, "the first error is at step %zu", check->first_error);
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].kind == RDV_UNKNOWN)
            add_reason(&b, &check->verdicts[i]);
    if (!b.len && check->skipped)
        rdv_buf_lit(&b, "not checked");
    else if (!b.len)
        rdv_buf_lit(&b, "no wrong step was found");
    return rdv_buf_str(&b);
}
