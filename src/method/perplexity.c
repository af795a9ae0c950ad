/* SPDX-License-Identifier: Apache-2.0 */
/* Step-wise perplexity (section 3.3.4): from the log-probabilities that the chain came with, else
 * from a model that scores the given text, else unavailable. */
#include "method/verifier.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <math.h>

#define ROUNDING 1e-6 /* by which a server's logarithm of 1 may be above 0 */

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
}

/* ---- from tokens ----------------------------------------------------------------------------- */

static bool note_tokens(rdv_arena *arena, rdv_verdict *v, rdv_tokens tokens)
{
    v->evidence = rdv_note_map(arena, NULL, (rdv_str){0});
    return v->evidence &&
           rdv_note_number(arena, v->evidence, RDV_STR("perplexity"), rdv_perplexity(tokens)) &&
           rdv_note_number(arena, v->evidence, RDV_STR("logprob"), tokens.logprob) &&
           rdv_note_number(arena, v->evidence, RDV_STR("n_tokens"), (double)tokens.n);
}

/* A perplexity is a weight and accuses nobody: a step that has one is unrelated (ours). */
static int judge(rdv_verdict *v, size_t step, rdv_tokens tokens, double power, rdv_str why,
                 rdv_arena *arena, rdv_error *err)
{
    *v = (rdv_verdict){.step = step, .is = RDV_UNKNOWN, .score = NAN};
    if (!tokens.n) {
        v->why = why;
        return RDV_OK;
    }
    v->is = RDV_UNRELATED;
    v->score = rdv_perplexity_score(rdv_perplexity(tokens), power > 0 ? power : 1);
    return note_tokens(arena, v, tokens) ? RDV_OK : out_of_memory(err);
}

static int conclude(const rdv_tokens *tokens, size_t n, rdv_str why,
                    const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                    rdv_error *err)
{
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, n);
    int r = verdicts ? RDV_OK : out_of_memory(err);
    for (size_t i = 0; i < n && r == RDV_OK; i++)
        r = judge(&verdicts[i], i, tokens[i], options->power, why, arena, err);
    return r == RDV_OK ? verifier_conclude(RDV_VERIFIER_PERPLEXITY, options, verdicts, n, tokens,
                                           arena, check, err)
                       : r;
}

/* What the chain says of its steps' tokens; *all: of every step. NULL: out of memory. */
static rdv_tokens *tokens_of(const rdv_chain *chain, rdv_arena *arena, bool *all)
{
    rdv_tokens *tokens = RDV_NEW_ARRAY(arena, rdv_tokens, chain->n_steps);
    *all = true;
    for (size_t i = 0; tokens && i < chain->n_steps; i++) {
        tokens[i] = chain->logprobs ? rdv_tokens_of(&chain->logprobs[i]) : (rdv_tokens){0, 0};
        *all &= tokens[i].n > 0;
    }
    return tokens;
}

static int compute(const rdv_chain *chain, const rdv_check_options *options, rdv_arena *arena,
                   rdv_check **checks, size_t *n, rdv_error *err)
{
    bool all;
    rdv_tokens *tokens = tokens_of(chain, arena, &all);
    rdv_check *check = RDV_NEW(arena, rdv_check);
    if (!tokens || !check)
        return out_of_memory(err);
    *checks = check;
    *n = 1;
    return conclude(tokens, chain->n_steps,
                    RDV_STR("unavailable: the chain has no log-probabilities, and no model was "
                            "asked"),
                    options, arena, check, err);
}

/* ---- from a model that scores the text ------------------------------------------------------- */

typedef struct scoring {
    check_run run; /* the first member: the run is this */
    rdv_str text;  /* the steps, a line each */
    rdv_tokens *tokens;
    node *node;
} scoring;

static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    const scoring *s = n->data;
    bool zero_shot = s->run.plan->options.generate == RDV_GENERATE_ZERO_SHOT;
    stage_view v = {.run = (check_run *)&s->run, .step = RDV_WHOLE_CHAIN};
    int r = stage_ask(&v, zero_shot ? "zero-shot" : "generate", false, n, arena, request, err);
    if (r != RDV_OK)
        return r;
    request->is = RDV_ASK_SCORE;
    request->party = RDV_GENERATOR;
    request->text = s->text;
    request->sampling = (rdv_sampling){.temperature = NAN, .top_p = NAN, .logprobs = true};
    return RDV_OK;
}

/* Give each token to the step in which its first byte that is no blank stands. */
static void share_out(const scoring *s, const rdv_reply *reply)
{
    size_t at = 0, step = 0, end = s->run.chain->steps[0].len;
    for (size_t i = 0; i < reply->n_tokens; i++) {
        rdv_str token = reply->tokens[i].text;
        size_t blank = 0;
        while (blank < token.len && rdv_is_space(token.p[blank]))
            blank++;
        while (at + blank > end && step + 1 < s->run.chain->n_steps)
            end += 1 + s->run.chain->steps[++step].len;
        at += token.len;
        if (i == 0 && isnan(reply->tokens[i].logprob))
            continue; /* the first of a text has none */
        s->tokens[step].logprob += reply->tokens[i].logprob;
        s->tokens[step].n++;
    }
}

/* A sum that is no logarithm of a probability is of a token that had none. */
static void drop_the_impossible(const scoring *s)
{
    for (size_t i = 0; i < s->run.chain->n_steps; i++)
        if (!isfinite(s->tokens[i].logprob))
            s->tokens[i] = (rdv_tokens){0, 0};
}

static int read(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const scoring *s = n->data;
    size_t len = 0;
    (void)arena, (void)err;
    for (size_t i = 0; i < reply->n_tokens; i++) {
        len += reply->tokens[i].text.len;
        if (reply->tokens[i].logprob > ROUNDING) {
            n->why = RDV_STR("unavailable: a log-probability above 0 came");
            return RDV_NONE;
        }
    }
    if (!reply->n_tokens || len != s->text.len) {
        n->why = reply->n_tokens ? RDV_STR("unavailable: other tokens were scored than were sent")
                                 : RDV_STR("unavailable: the model gave no log-probabilities");
        return RDV_NONE;
    }
    share_out(s, reply);
    drop_the_impossible(s);
    return RDV_OK;
}

static const node_kind score_node = {.ask = ask, .read = read, .numbers = true};

static int settled(graph *g, node_group *group, rdv_error *err)
{
    scoring *s = group->data;
    check_run *run = &s->run;
    if (run->dropped)
        return RDV_OK;
    rdv_str why = s->node->state == NODE_ANSWERED
                      ? RDV_STR("unavailable: a token had no log-probability")
                      : s->node->why;
    int r = conclude(s->tokens, run->chain->n_steps, why, &run->plan->options.check, g->arena,
                     &run->check, err);
    run->check.calls = s->node->asked;
    run->check.prompt_tokens = s->node->prompt_tokens;
    run->check.completion_tokens = s->node->completion_tokens;
    return r == RDV_OK ? run->finished(run, err) : r;
}

static int drop(check_run *run, rdv_error *err)
{
    scoring *s = (scoring *)run;
    return s->node ? graph_drop(&run->plan->graph, s->node, err) : RDV_OK;
}

static rdv_str lines_of(const rdv_chain *chain, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < chain->n_steps; i++) {
        if (i)
            rdv_buf_add_char(&b, '\n');
        rdv_buf_add(&b, chain->steps[i]);
    }
    return rdv_buf_str(&b);
}

static int add_node(scoring *s, rdv_error *err)
{
    rdv_plan *plan = s->run.plan;
    node like = {.kind = &score_node,
                 .data = s,
                 .stage = rdv_str_of(s->run.method->method.name),
                 .dry = "",
                 .order = (uint64_t)s->run.place << 40,
                 .tries = 1};
    if (check_name_sample(&s->run, RDV_WHOLE_CHAIN, 0, plan->arena, &like.sample) < 0)
        return out_of_memory(err);
    s->node = graph_add(&plan->graph, &like, s->run.group);
    return s->node ? graph_start(&plan->graph, s->node, err) : out_of_memory(err);
}

/* All steps are scored by one model: what is known of some is not used. */
static int start_scoring(check_run **out, const check_run *like, rdv_error *err)
{
    rdv_plan *plan = like->plan;
    scoring *s = RDV_NEW(plan->arena, scoring);
    if (!s)
        return out_of_memory(err);
    s->run = *like;
    s->run.group = graph_group(&plan->graph, settled, s);
    s->run.drop = drop;
    s->text = lines_of(like->chain, plan->arena);
    s->tokens = RDV_NEW_ARRAY(plan->arena, rdv_tokens, like->chain->n_steps);
    *out = &s->run;
    if (!s->run.group || !s->text.p || !s->tokens)
        return out_of_memory(err);
    int r = add_node(s, err);
    return r == RDV_OK ? graph_seal(&plan->graph, s->run.group, err) : r;
}

static int start(check_run **out, rdv_plan *plan, size_t place, const method_entry *method,
                 int (*finished)(check_run *, rdv_error *), void *data, rdv_error *err)
{
    bool all;
    check_run run = {.plan = plan,
                     .method = method,
                     .chain = check_part(plan, place),
                     .place = place,
                     .finished = finished,
                     .data = data};
    rdv_tokens *tokens = run.chain ? tokens_of(run.chain, plan->arena, &all) : NULL;
    if (!tokens)
        return out_of_memory(err);
    return all ? verifier_start_computed(out, plan, place, method, finished, data, err)
               : start_scoring(out, &run, err);
}

const method_entry method_perplexity = {
    .method = {.name = "perplexity",
               .summary = "how likely each step's words are: a weight, no verdict",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .start = start,
    .compute = compute,
};
