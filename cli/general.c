/* SPDX-License-Identifier: Apache-2.0 */
/* Recipes of general-purpose verification: chains with the checks of its verifiers. */
#include "family.h"
#include "grid.h"

#include <rederive/general.h>

#include "base/arena.h"
#include "base/str.h"
#include "score/score.h"

#include <math.h>
#include <string.h>

struct gathering {
    const struct settings *settings;
    rdv_general_is is;
    rdv_general *general;
    rdv_general *learned; /* the chains of --fit; NULL: none */
};

static const char *name_of(size_t i, const char **about)
{
    return i < RDV_N_GENERALS ? rdv_general_name((rdv_general_is)i, about) : NULL;
}

static bool reads(const char *recipe)
{
    rdv_general_is is;
    return rdv_general_named(rdv_str_of(recipe), &is) != RDV_OK || is != RDV_GENERAL_TABLE6;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static int options_of(const struct settings *s, rdv_general_options *out, rdv_error *err)
{
    *out = (rdv_general_options){.how = rdv_combination_default(),
                                 .seed = s->seed,
                                 .power = s->power.is,
                                 .threshold = s->threshold.is};
    rdv_unknown_named(rdv_str_of(s->unknown), &out->how.aggregation.unknown);
    if (s->floor.given)
        out->how.aggregation.floor = s->floor.is;
    int code = s->verifiers
                   ? rdv_combination_verifiers(rdv_str_of(s->verifiers), &out->how.verifiers, err)
                   : RDV_OK;
    if (code != RDV_OK)
        return rdv_wrap(err, code, "--verifiers");
    if (s->weights)
        code = rdv_combination_weights(rdv_str_of(s->weights), out->how.weight, err);
    if (code == RDV_OK)
        code = rdv_combination_check(&out->how, err);
    return code == RDV_OK ? code : rdv_wrap(err, code, "--weights");
}

static int begin(const struct settings *settings, rdv_arena *keep, void **state, rdv_error *err)
{
    rdv_general_options options;
    int code = options_of(settings, &options, err);
    if (code != RDV_OK)
        return code;
    struct gathering *g = RDV_NEW(keep, struct gathering);
    if (!g)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    g->settings = settings;
    rdv_general_named(rdv_str_of(settings->recipe), &g->is);
    g->general = rdv_general_new(keep, &options);
    if (settings->fit)
        g->learned = rdv_general_new(keep, &options);
    *state = g;
    return g->general && (g->learned || !settings->fit)
               ? RDV_OK
               : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

/* ---- a chain --------------------------------------------------------------------------------- */

/* The scores that a verifier's check gave the steps, NaN where it gave none; NULL where it did not
 * look, or gave no score at all. */
static int read_scores(const rdv_chain *chain, rdv_verifier_is verifier, rdv_arena *arena,
                       const double **out)
{
    const rdv_check *check = rdv_chain_check(chain, rdv_str_of(rdv_verifier_name(verifier)));
    bool any = false;
    *out = NULL;
    if (!check || check->skipped)
        return RDV_OK;
    double *score = RDV_NEW_ARRAY(arena, double, chain->n_steps);
    if (!score)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < chain->n_steps; i++)
        score[i] = NAN;
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        if (v->step >= chain->n_steps || v->is == RDV_UNKNOWN || isnan(v->score))
            continue;
        score[v->step] = v->score;
        any = true;
    }
    *out = any ? score : NULL;
    return RDV_OK;
}

/* A step's tokens from what the perplexity verifier wrote as evidence, where it did. */
static rdv_tokens tokens_in(const rdv_verdict *verdict)
{
    const rdv_note *logprob =
        verdict->evidence ? rdv_note_get(verdict->evidence, RDV_STR("logprob")) : NULL;
    const rdv_note *n =
        verdict->evidence ? rdv_note_get(verdict->evidence, RDV_STR("n_tokens")) : NULL;
    bool known = logprob && n && logprob->type == RDV_NOTE_NUMBER && n->type == RDV_NOTE_NUMBER &&
                 isfinite(logprob->number) && n->number >= 1 && n->number <= 1e15;
    return known ? (rdv_tokens){logprob->number, (size_t)n->number} : (rdv_tokens){0, 0};
}

/* The tokens of the steps: the chain's own, else what the check by `perplexity` says of them. */
static int read_tokens(const rdv_chain *chain, rdv_arena *arena, const rdv_tokens **out)
{
    const rdv_check *check = rdv_chain_check(chain, RDV_STR("perplexity"));
    bool any = false;
    *out = NULL;
    if (!chain->logprobs && (!check || check->skipped))
        return RDV_OK;
    rdv_tokens *tokens = RDV_NEW_ARRAY(arena, rdv_tokens, chain->n_steps);
    if (!tokens)
        return RDV_E_NOMEM;
    for (size_t i = 0; chain->logprobs && i < chain->n_steps; i++)
        tokens[i] = rdv_tokens_of(&chain->logprobs[i]);
    for (size_t i = 0; !chain->logprobs && i < check->n_verdicts; i++)
        if (check->verdicts[i].step < chain->n_steps)
            tokens[check->verdicts[i].step] = tokens_in(&check->verdicts[i]);
    for (size_t i = 0; i < chain->n_steps; i++)
        any = any || tokens[i].n > 0;
    *out = any ? tokens : NULL;
    return RDV_OK;
}

static int add(const struct gathering *g, rdv_general *to, const rdv_chain *chain,
               const struct judged *judged, rdv_arena *scratch, rdv_error *err)
{
    rdv_general_chain one = {.question_id = chain->question.id,
                             .key = judged->key,
                             .correct = judged->right,
                             .is = {.n_steps = chain->n_steps},
                             .step_labels = chain->step_labels,
                             .n_step_labels = chain->n_step_labels};
    int code = rdv_record_text(chain->raw, rdv_str_of(g->settings->group), scratch, &one.group);
    for (size_t v = 0; code >= 0 && v < RDV_N_VERIFIERS; v++)
        code = read_scores(chain, (rdv_verifier_is)v, scratch, &one.is.step[v]);
    if (code >= 0)
        code = read_tokens(chain, scratch, &one.is.tokens);
    if (code < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    return rdv_general_add(to, &one, err);
}

static int take(void *state, const rdv_chain *chain, const struct judged *judged,
                rdv_arena *scratch, rdv_error *err)
{
    struct gathering *g = state;
    if (g->learned && rdv_general_has(g->learned, chain->question.id))
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "question %.*s is also in the file of --fit; a question cannot be both "
                        "fitted on and reported",
                        RDV_FMT(rdv_slice(chain->question.id, 0, 60)));
    return add(g, g->general, chain, judged, scratch, err);
}

static int learn(void *state, const rdv_chain *chain, const struct judged *judged,
                 rdv_arena *scratch, rdv_error *err)
{
    struct gathering *g = state;
    return add(g, g->learned, chain, judged, scratch, err);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* What was fitted, and what it is worth where it was. */
static void note_fit(rdv_grid *grid, const rdv_general_fitted *fit)
{
    char weights[256] = "";
    size_t at = 0;
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++)
        at += (size_t)snprintf(weights + at, sizeof weights - at, "%s%s=%g", v ? "," : "",
                               rdv_verifier_name((rdv_verifier_is)v), fit->weight[v]);
    rdv_grid_note(grid,
                  "weights fitted on %zu questions, %zu chains: %s; of their pairs of a right and "
                  "a wrong chain %.1f %% are in order, %.1f %% with the weights before",
                  fit->questions, fit->chains, weights, 100 * fit->in_order,
                  100 * fit->in_order_before);
}

static int write(void *state, struct run *run, rdv_error *err)
{
    struct gathering *g = state;
    rdv_general_fitted fit;
    rdv_grid grid;
    int code = g->learned ? rdv_general_fit(g->learned, &fit, err) : RDV_OK;
    if (code == RDV_OK && g->learned)
        rdv_general_set_weights(g->general, fit.weight);
    if (code == RDV_OK)
        code = rdv_general_compute(g->general, g->is, &grid, err);
    if (code == RDV_OK && g->learned)
        note_fit(&grid, &fit);
    return code == RDV_OK ? grid_write(run, &grid, err) : code;
}

const struct family family_general = {
    .prefix = "general:",
    .name = name_of,
    .reads = reads,
    .begin = begin,
    .take = take,
    .learn = learn,
    .write = write,
};
