/* SPDX-License-Identifier: Apache-2.0 */
/* How process reward models are asked, and what their replies say. */
#include "method/prm.h"

#include "base/arena.h"
#include "base/str.h"

#include <math.h>

#define ALTERNATIVES 10 /* among which + and - are looked for */

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
}

static const prm *prm_of(const node *n)
{
    return ((const prm_place *)n->data)->prm;
}

/* ---- rewards --------------------------------------------------------------------------------- */

static int ask_rewards(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    (void)arena, (void)err;
    const prm *p = prm_of(n);
    const check_run *run = &p->run;
    *request =
        (rdv_request){.is = RDV_ASK_REWARD,
                      .party = RDV_CHECKER,
                      .text = run->chain->question.text,
                      .steps = run->chain->steps,
                      .n_steps = p->n_steps,
                      .prm = run->method == &method_prm_values ? RDV_PRM_TOKEN_VALUES
                                                               : run->plan->options.prm_pairs};
    request->sampling.temperature = request->sampling.top_p = NAN;
    return RDV_OK;
}

static int read_rewards(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const prm *p = prm_of(n);
    if (reply->n_rewards != p->n_steps) {
        n->why =
            rdv_str_printf(arena, "%zu rewards came for %zu steps", reply->n_rewards, p->n_steps);
        return n->why.p ? RDV_NONE : out_of_memory(err);
    }
    for (size_t i = 0; i < p->n_steps; i++)
        p->score[i] = reply->rewards[i];
    return RDV_OK;
}

const node_kind prm_rewards = {.ask = ask_rewards, .read = read_rewards, .numbers = true};

/* ---- + and - ----------------------------------------------------------------------------------
 */

/* RLHFlow's models (https://github.com/RLHFlow/RLHF-Reward-Modeling, math-rm) as ProcessBench asks
 * them (code/run_eval_prm_rlhflow.py of its repository): the question and the first step in the
 * first turn, then a step a turn, each answered "+". */
int prm_write_turns(prm *p, rdv_error *err)
{
    const rdv_chain *chain = p->run.chain;
    rdv_arena *arena = p->run.plan->arena;
    p->turns = RDV_NEW_ARRAY(arena, rdv_message, 2 * p->n_steps + 1);
    if (!p->turns)
        return out_of_memory(err);
    for (size_t i = 0; i < p->n_steps; i++) {
        p->turns[2 * i] = (rdv_message){RDV_USER, chain->steps[i]};
        p->turns[2 * i + 1] = (rdv_message){RDV_ASSISTANT, RDV_STR("+")};
    }
    if (p->n_steps == 0)
        return RDV_OK;
    p->turns[0].text = rdv_str_printf(arena, "%.*s\n\n%.*s", RDV_FMT(chain->question.text),
                                      RDV_FMT(chain->steps[0]));
    return p->turns[0].text.p ? RDV_OK : out_of_memory(err);
}

static int ask_plus_minus(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    (void)arena, (void)err;
    static const rdv_str signs[] = {{"+", 1}, {"-", 1}};
    const prm_place *at = n->data;
    *request = (rdv_request){.is = RDV_ASK_CHAT,
                             .party = RDV_CHECKER,
                             .messages = at->prm->turns,
                             .n_messages = 2 * at->step + 1};
    request->sampling = (rdv_sampling){.temperature = 0,
                                       .top_p = NAN,
                                       .max_tokens = 1,
                                       .logprobs = true,
                                       .top_logprobs = ALTERNATIVES};
    if (at->prm->run.plan->options.structured) {
        request->answers = signs;
        request->n_answers = sizeof signs / sizeof *signs;
        request->bare = true;
    }
    return RDV_OK;
}

/* 1 for +, -1 for -, 0 for anything else. */
static int sign_of(rdv_str token)
{
    token = rdv_trim(token);
    if (rdv_str_eq(token, RDV_STR("+")))
        return 1;
    bool minus = rdv_str_eq(token, RDV_STR("-")) || rdv_str_eq(token, RDV_STR("\u2212"));
    return minus ? -1 : 0;
}

/* The likeliest + and - among the first token and its alternatives; -INFINITY: not listed. */
static void find_signs(const rdv_token *t, double *plus, double *minus)
{
    *plus = *minus = -INFINITY;
    for (size_t i = 0; i <= t->n_other; i++) {
        int sign = sign_of(i < t->n_other ? t->other[i].text : t->text);
        double logprob = i < t->n_other ? t->other[i].logprob : t->logprob;
        if (sign > 0)
            *plus = fmax(*plus, logprob);
        else if (sign < 0)
            *minus = fmax(*minus, logprob);
    }
}

/* What is not listed is no likelier than this: than the last that is, or than what the token left
 * where nothing else is listed. */
static double most_unlisted(const rdv_token *t)
{
    double least = INFINITY;
    for (size_t i = 0; i < t->n_other; i++)
        least = fmin(least, t->other[i].logprob);
    return t->n_other ? least : log1p(-exp(t->logprob));
}

/* The share of + in what + and - have together. A sign that is not listed is taken to be as likely
 * as it can be. NaN: neither is listed, or the one that is may be the less likely one: a server
 * that was held to the two gives the sign that it wrote, and not the other. */
static double share_of_plus(const rdv_token *t)
{
    double plus, minus, most = most_unlisted(t);
    find_signs(t, &plus, &minus);
    bool both = !isinf(plus) && !isinf(minus);
    if (!both && !(fmax(plus, minus) > most))
        return NAN;
    plus = isinf(plus) ? most : plus;
    minus = isinf(minus) ? most : minus;
    return 1 / (1 + exp(minus - plus));
}

static int read_plus_minus(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    (void)arena, (void)err;
    const prm_place *at = n->data;
    double *score = &at->prm->score[at->step];
    rdv_str text = rdv_trim(reply->text);
    *score = reply->n_tokens ? share_of_plus(&reply->tokens[0]) : NAN;
    if (!isnan(*score))
        return RDV_OK;
    /* Without log-probabilities the text says it, and no chance is known beyond that. */
    int sign = rdv_starts(text, RDV_STR("+")) ? 1 : sign_of(text);
    if (sign == 0 && at->prm->run.plan->options.profile == RDV_PAPER)
        sign = -1; /* ProcessBench's rule: whatever is no + is a mistake */
    if (sign == 0) {
        n->why = RDV_STR("neither + nor - was said");
        return RDV_NONE;
    }
    *score = sign > 0;
    return RDV_OK;
}

const node_kind prm_plus_minus = {
    .ask = ask_plus_minus, .read = read_plus_minus, .one_token = true};

/* ---- the critic ------------------------------------------------------------------------------ */

static int ask_critic(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    prm *p = ((prm_place *)n->data)->prm;
    stage_view v = {.run = &p->run, .step = RDV_WHOLE_CHAIN};
    request->party = RDV_CHECKER;
    return stage_ask(&v, "prm/critic", false, n, arena, request, err);
}

static int read_critic(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    prm *p = ((prm_place *)n->data)->prm;
    long index;
    p->reply = rdv_str_copy(arena, rdv_trim(reply->text));
    if (!p->reply.p)
        return out_of_memory(err);
    if (read_boxed(reply->text, p->run.plan->options.profile, &index) != RDV_OK) {
        n->why = RDV_STR("no index was given in a box");
        return RDV_NONE;
    }
    if (index < -1 || (index >= 0 && (size_t)index >= p->n_steps)) {
        n->why = RDV_STR("the index is of no step");
        return RDV_NONE;
    }
    p->located = true;
    p->whole_right = index < 0;
    p->first = index < 0 ? 0 : (size_t)index;
    return RDV_OK;
}

const node_kind prm_critic = {.ask = ask_critic, .read = read_critic};
