/* SPDX-License-Identifier: Apache-2.0 */
/* How verdicts and a confidence follow from the last stage's results: one row for each conclusion
 * that a table may name (docs/methods.md). */
#include "method/check.h"

#include "base/arena.h"
#include "base/str.h"

#include <math.h>

#define AFTER_FIRST "after the first mistake, which is all that is asked for"
#define BEFORE_FIRST "before the first mistake"

/* ---- evidence -------------------------------------------------------------------------------- */

static int note_stages(const check_run *run, size_t step, rdv_verdict *v, rdv_error *err)
{
    v->evidence = rdv_evidence_map(run->plan->arena, NULL, (rdv_str){0});
    return check_note_stages(run, step, v->evidence) ? RDV_OK : rdv_no_memory(err);
}

/* Adds the row of rules/replies.rules by which the reply was read. */
static int note_rule(const check_run *run, const step_result *r, rdv_verdict *v, rdv_error *err)
{
    bool named = result_is_read(r) && r->by.rule.p;
    return !named || rdv_evidence_text(run->plan->arena, v->evidence, RDV_STR("rule"), r->by.rule)
               ? RDV_OK
               : rdv_no_memory(err);
}

/* Creates verdicts, all unknown; *n: one for each step, or one for the chain. NULL: out of
 * memory. */
static rdv_verdict *new_verdicts(const check_run *run, bool whole, size_t *n)
{
    *n = whole && run->chain->n_steps ? 1 : run->chain->n_steps;
    rdv_verdict *verdicts = RDV_NEW_ARRAY(run->plan->arena, rdv_verdict, *n);
    for (size_t i = 0; verdicts && i < *n; i++)
        verdicts[i] =
            (rdv_verdict){.step = whole ? RDV_WHOLE_CHAIN : i, .kind = RDV_UNKNOWN, .score = NAN};
    return verdicts;
}

static int integrate(check_run *run, rdv_verdict *verdicts, size_t n, rdv_error *err)
{
    return method_integrate(&run->method->method, run->plan->options.check, verdicts, n,
                            &run->check, err);
}

/* ---- verdict --------------------------------------------------------------------------------- */

static double score_of(rdv_verdict_kind is)
{
    switch (is) {
    case RDV_SUPPORT:
        return 1;
    case RDV_UNRELATED:
        return 0.5;
    case RDV_CONTRADICT:
        return 0;
    default:
        return NAN;
    }
}

static int conclude_verdict(check_run *run, rdv_error *err)
{
    const stage *last = check_last_stage(run);
    bool whole = last->per == PER_CHAIN;
    size_t n;
    rdv_verdict *verdicts = new_verdicts(run, whole, &n);
    int code = verdicts ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < n && code == RDV_OK; i++) {
        rdv_verdict *v = &verdicts[i];
        if (!whole && i >= run->decided) {
            v->why = RDV_STR(AFTER_FIRST);
            continue;
        }
        const step_result *r = check_result(run, last, i);
        v->kind = result_is_read(r) ? r->verdict : RDV_UNKNOWN;
        v->score = score_of(v->kind);
        v->why = result_is_read(r) ? r->by.sentence : r->node->why;
        code = note_stages(run, v->step, v, err);
        if (code == RDV_OK)
            code = note_rule(run, r, v, err);
    }
    return code == RDV_OK ? integrate(run, verdicts, n, err) : code;
}

/* ---- location -------------------------------------------------------------------------------- */

/* Steps after the first mistake were not judged. The evidence is stored with the first step that
 * the reply is about. */
static int conclude_located(const check_run *run, const step_result *r, rdv_verdict *v,
                            rdv_error *err)
{
    bool known = result_is_read(r);
    size_t first = known ? *(const size_t *)r->data : RDV_NO_STEP;
    bool located = first != RDV_NO_STEP, at = located && v->step == first;
    bool before = known && (!located || v->step < first);
    bool decisive = at || (!located && v->step == 0);
    v->kind = before ? RDV_SUPPORT : at ? RDV_CONTRADICT : RDV_UNKNOWN;
    v->score = score_of(v->kind);
    v->why = !known     ? r->node->why
             : decisive ? r->by.sentence
             : !before  ? RDV_STR(AFTER_FIRST)
             : located  ? RDV_STR(BEFORE_FIRST)
                        : (rdv_str){0};
    int code = decisive ? note_stages(run, v->step, v, err) : RDV_OK;
    return decisive && code == RDV_OK ? note_rule(run, r, v, err) : code;
}

static int conclude_location(check_run *run, rdv_error *err)
{
    size_t n;
    rdv_verdict *verdicts = new_verdicts(run, false, &n);
    int code = verdicts ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < n && code == RDV_OK; i++)
        code =
            conclude_located(run, check_result(run, check_last_stage(run), 0), &verdicts[i], err);
    return code == RDV_OK ? integrate(run, verdicts, n, err) : code;
}

/* ---- threshold ------------------------------------------------------------------------------- */

/* A step with a score below the threshold is wrong. */
static int judge_score(const check_run *run, const step_result *r, double score, rdv_verdict *v,
                       rdv_error *err)
{
    if (!result_is_read(r)) {
        v->why = r->node->why;
    } else if (!(score >= 0 && score <= 1)) {
        v->why = RDV_STR("the model gave no number from 0 to 1");
    } else {
        v->kind = score < run->plan->options.prm_threshold ? RDV_CONTRADICT : RDV_SUPPORT;
        v->score = score;
        const char *called = r->stage->read == READER_NUMBER ? "score" : "reward";
        v->why = rdv_str_printf(run->plan->arena, "%s %.3g", called, score);
        if (!v->why.p)
            return rdv_no_memory(err);
    }
    int code = note_stages(run, v->step, v, err);
    if (code == RDV_OK && !rdv_evidence_first(v->evidence))
        v->evidence = NULL;
    return code;
}

static int conclude_threshold(check_run *run, rdv_error *err)
{
    const stage *last = check_last_stage(run);
    bool whole = last->per == PER_CHAIN && last->read != READER_SCORE_REWARDS;
    size_t n;
    rdv_verdict *verdicts = new_verdicts(run, whole, &n);
    int code = verdicts ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < n && code == RDV_OK; i++) {
        const step_result *r = check_result(run, last, i);
        const double *scores = result_is_read(r) ? r->data : NULL;
        double score = !scores ? NAN : scores[last->per == PER_CHAIN ? i : 0];
        code = judge_score(run, r, score, &verdicts[i], err);
    }
    return code == RDV_OK ? integrate(run, verdicts, n, err) : code;
}

const conclusion conclusions[N_CONCLUSIONS] = {
    [CONCLUDE_VERDICT] = {.conclude = conclude_verdict},
    [CONCLUDE_LOCATION] = {.conclude = conclude_location},
    [CONCLUDE_THRESHOLD] = {.conclude = conclude_threshold},
    [CONCLUDE_MEAN] = {.conclude = conclude_mean, .keeps_steps = true},
    [CONCLUDE_CALCULATIONS] = {.conclude = conclude_mean,
                               .keeps_steps = true,
                               .needs_model = conclude_calculations_need_model,
                               .compute = conclude_calculations_compute},
    [CONCLUDE_PERPLEXITY] = {.conclude = perplexity_conclude,
                             .needs_model = perplexity_needs_model,
                             .computes = perplexity_is_known,
                             .compute = perplexity_compute},
};
