/* SPDX-License-Identifier: Apache-2.0 */
/* The conclusion "perplexity" (general-purpose verification, section 3.3.4): from the
 * log-probabilities recorded with the chain, else from a model that scores the given text, else
 * unavailable. */
#include "method/check.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/verifier.h"
#include "score/combine.h"

#include <math.h>

static bool note_tokens(rdv_arena *arena, rdv_verdict *v, rdv_tokens tokens)
{
    v->evidence = rdv_evidence_map(arena, NULL, (rdv_str){0});
    return v->evidence &&
           rdv_evidence_number(arena, v->evidence, RDV_STR("perplexity"), rdv_perplexity(tokens)) &&
           rdv_evidence_number(arena, v->evidence, RDV_STR("logprob"), tokens.logprob) &&
           rdv_evidence_number(arena, v->evidence, RDV_STR("n_tokens"), (double)tokens.n);
}

/* A perplexity is a weight and never contradicts: a step that has one is unrelated (ours). */
static int judge(rdv_verdict *v, size_t step, rdv_tokens tokens, double power, rdv_str why,
                 rdv_arena *arena, rdv_error *err)
{
    *v = (rdv_verdict){.step = step, .kind = RDV_UNKNOWN, .score = NAN};
    if (!tokens.n) {
        v->why = why;
        return RDV_OK;
    }
    v->kind = RDV_UNRELATED;
    v->score = rdv_perplexity_score(rdv_perplexity(tokens), power > 0 ? power : 1);
    return note_tokens(arena, v, tokens) ? RDV_OK : rdv_no_memory(err);
}

/* tokens: of each step; NULL: not available. */
static int judge_all(const method_entry *self, const rdv_tokens *tokens, size_t n, rdv_str why,
                     const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                     rdv_error *err)
{
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, n);
    rdv_tokens *none = tokens ? NULL : RDV_NEW_ARRAY(arena, rdv_tokens, n);
    int r = verdicts && (tokens || none) ? RDV_OK : rdv_no_memory(err);
    tokens = tokens ? tokens : none;
    for (size_t i = 0; i < n && r == RDV_OK; i++)
        r = judge(&verdicts[i], i, tokens[i], options->power, why, arena, err);
    return r == RDV_OK ? verifier_conclude(self, options, verdicts, n, tokens, arena, check, err)
                       : r;
}

int perplexity_conclude(check_run *run, rdv_error *err)
{
    size_t n = run->chain->n_steps;
    const step_result *r = n ? check_result(run, check_last_stage(run), 0) : NULL;
    bool known = r && result_is_read(r);
    rdv_str why =
        known || !r ? RDV_STR("unavailable: a token had no log-probability") : r->node->why;
    return judge_all(run->method, known ? r->data : NULL, n, why, run->plan->options.check,
                     run->plan->arena, &run->check, err);
}

/* ---- from the chain -------------------------------------------------------------------------- */

bool perplexity_needs_model(const rdv_check_options *options)
{
    return false;
}

/* All steps are scored by one model: log-probabilities of only some steps are not used if a model
 * can be asked. */
bool perplexity_is_known(const rdv_chain *chain)
{
    bool all = true;
    for (size_t i = 0; i < chain->n_steps && all; i++)
        all = chain->logprobs && rdv_tokens_of(&chain->logprobs[i]).n > 0;
    return all;
}

int perplexity_compute(const method_entry *self, const rdv_chain *chain,
                       const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                       rdv_error *err)
{
    rdv_tokens *tokens = RDV_NEW_ARRAY(arena, rdv_tokens, chain->n_steps);
    if (!tokens)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_steps; i++)
        tokens[i] = chain->logprobs ? rdv_tokens_of(&chain->logprobs[i]) : (rdv_tokens){0, 0};
    return judge_all(self, tokens, chain->n_steps,
                     RDV_STR("unavailable: the chain has no log-probabilities, and no model was "
                             "asked"),
                     options, arena, check, err);
}
