/* SPDX-License-Identifier: Apache-2.0 */
/* A trained step classifier as a method (docs/reward.md). Its verdicts and its first error come
 * from the model's own rule; its confidence is the probability that no step is wrong. */
#include "method/method.h"
#include "reward/reward.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <math.h>

#define REASONS 3 /* features that a verdict names */

typedef struct reason {
    size_t feature;
    double share; /* of the logit of P(wrong); positive towards wrong */
} reason;

/* ---- one verdict ----------------------------------------------------------------------------- */

/* Finds the features that moved the probability most, the largest first. */
static void find_reasons(const double *share, size_t n, reason *top)
{
    for (size_t k = 0; k < REASONS; k++)
        top[k] = (reason){0};
    for (size_t i = 0; i < n; i++) {
        reason r = {i, share[i]};
        for (size_t k = 0; k < REASONS; k++) {
            if (fabs(r.share) <= fabs(top[k].share))
                continue;
            reason less = top[k];
            top[k] = r;
            r = less;
        }
    }
}

static bool note_reason(const reason *r, const float *row, rdv_evidence *list, rdv_arena *arena)
{
    size_t n;
    const rdv_feature *f = &rdv_features(&n)[r->feature];
    rdv_evidence *map = rdv_evidence_map(arena, list, (rdv_str){0});
    return map && rdv_evidence_text(arena, map, RDV_STR("feature"), rdv_str_of(f->name)) &&
           rdv_evidence_text(arena, map, RDV_STR("description"), rdv_str_of(f->about)) &&
           rdv_evidence_number(arena, map, RDV_STR("value"), (double)row[r->feature]) &&
           rdv_evidence_number(arena, map, RDV_STR("contribution"), r->share);
}

static bool note_all(double wrong, const reason *top, const float *row, rdv_arena *arena,
                     rdv_verdict *v)
{
    v->evidence = rdv_evidence_map(arena, NULL, (rdv_str){0});
    if (!v->evidence ||
        !rdv_evidence_number(arena, v->evidence, RDV_STR("error_probability"), wrong))
        return false;
    rdv_evidence *list = rdv_evidence_list(arena, v->evidence, RDV_STR("contributions"));
    bool ok = list != NULL;
    for (size_t k = 0; k < REASONS && ok; k++)
        if (top[k].share != 0)
            ok = note_reason(&top[k], row, list, arena);
    return ok;
}

static void say_feature(rdv_buf *b, const rdv_feature *f, float value, size_t *said)
{
    rdv_buf_printf(b, "%s%s", (*said)++ ? ", " : ": ", f->about);
    if (!isnan(value))
        rdv_buf_printf(b, " (%.3g)", (double)value);
}

/* "P(wrong) 0.93: calculations that are wrong (1)": features that are wrong in themselves; if there
 * are none, the others that raise P(wrong). */
static rdv_str why(double wrong, const reason *top, const float *row, rdv_arena *arena)
{
    size_t n, said = 0;
    const rdv_feature *features = rdv_features(&n);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_printf(&b, "P(wrong) %.2f", wrong);
    for (size_t i = 0; i < n && said < REASONS; i++)
        if (features[i].fault && row[i] > 0)
            say_feature(&b, &features[i], row[i], &said);
    for (size_t k = 0, faults = said; k < REASONS && !faults; k++)
        if (top[k].share > 0)
            say_feature(&b, &features[top[k].feature], row[top[k].feature], &said);
    return rdv_buf_str(&b);
}

/* ---- one chain ------------------------------------------------------------------------------- */

/* The rule's verdict on step `i` with the first error at `first`. */
static rdv_verdict_kind verdict_of(const rdv_reward_card *card, double wrong, size_t i,
                                   size_t first)
{
    if (i == first)
        return RDV_CONTRADICT;
    if (card->rule == RDV_RULE_THRESHOLD)
        return wrong >= card->at ? RDV_CONTRADICT : RDV_SUPPORT;
    return first != RDV_NO_STEP && i > first ? RDV_UNRELATED : RDV_SUPPORT;
}

/* The probability of no mistake. If later steps counted as wrong in training, a step's probability
 * says that a mistake has occurred by then; otherwise, that the first one occurs there. */
static double confidence_of(const rdv_reward_card *card, const double *wrong, size_t n)
{
    double product = 1, most = 0;
    for (size_t i = 0; i < n; i++) {
        product *= 1 - wrong[i];
        most = wrong[i] > most ? wrong[i] : most;
    }
    return n == 0 ? NAN : card->after == RDV_AFTER_LEFT_OUT ? product : 1 - most;
}

static int judge_steps(const rdv_reward *reward, const rdv_chain *chain, const float *rows,
                       const double *wrong, size_t first, rdv_arena *arena, rdv_verdict *verdicts)
{
    size_t n;
    reason top[REASONS];
    rdv_reward_card card = rdv_reward_about(reward);
    rdv_features(&n);
    double *share = RDV_NEW_ARRAY(arena, double, n);
    bool ok = share != NULL;
    for (size_t i = 0; i < chain->n_steps && ok; i++) {
        const float *row = rows + i * n;
        rdv_verdict *v = &verdicts[i];
        *v = (rdv_verdict){
            .step = i, .kind = verdict_of(&card, wrong[i], i, first), .score = 1 - wrong[i]};
        rdv_reward_explain(reward, row, share);
        find_reasons(share, n, top);
        ok = note_all(wrong[i], top, row, arena, v);
        if (ok && v->kind == RDV_CONTRADICT) {
            v->why = why(wrong[i], top, row, arena);
            ok = v->why.p != NULL;
        }
    }
    return ok ? RDV_OK : RDV_E_NOMEM;
}

static int compute(const method_entry *self, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err)
{
    const rdv_reward *reward = self->data;
    rdv_reward_card card = rdv_reward_about(reward);
    float *rows;
    int r = rdv_features_measure(chain, arena, &rows, err);
    if (r < 0)
        return r;
    double *wrong = RDV_NEW_ARRAY(arena, double, chain->n_steps);
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain->n_steps);
    if (!wrong || !verdicts)
        return rdv_no_memory(err);
    rdv_reward_predict(reward, rows, chain->n_steps, wrong);
    size_t first = rdv_reward_locate(reward, wrong, chain->n_steps);
    if (judge_steps(reward, chain, rows, wrong, first, arena, verdicts) < 0)
        return rdv_no_memory(err);
    method_put(&self->method, verdicts, chain->n_steps, check);
    check->first_error = first;
    check->confidence = confidence_of(&card, wrong, chain->n_steps);
    return RDV_OK;
}

int rdv_reward_method(const rdv_reward *reward, rdv_str name, rdv_arena *arena,
                      const rdv_method **out, rdv_error *err)
{
    method_entry *entry = RDV_NEW(arena, method_entry);
    char *copy = rdv_cstring(arena, name);
    if (!entry || !copy)
        return rdv_no_memory(err);
    *entry = (method_entry){.method = {.name = copy,
                                       .summary = "a judge of steps that was trained",
                                       .l1 = 1,
                                       .l0 = 0,
                                       .made = entry},
                            .compute = compute,
                            .data = reward};
    *out = &entry->method;
    return RDV_OK;
}
