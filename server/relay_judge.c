/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"
#include "base/str.h"

#include <uv.h>

void relay_done(void *of)
{
    relay *r = of;
    r->ctx->wake(r->owner);
}

model_run_options relay_asking(const relay_ctx *ctx, size_t model, const judge_asking *asking)
{
    const serve_model *m = &ctx->options->models[model];
    return (model_run_options){.servers = m->servers,
                               .n = m->n,
                               .key = m->key,
                               .builtin = m->n ? NULL : ctx->options->builtin,
                               .prompts = ctx->prompts,
                               .surveys = ctx->surveys ? ctx->surveys[model] : NULL,
                               .tokens = asking->tokens,
                               .seconds = asking->seconds,
                               .all_seconds = asking->seconds};
}

model_run_options relay_model_run(const relay *r)
{
    model_run_options o = relay_asking(r->ctx, r->checker, &r->asked.rule.asking);
    o.remembers = judge_rule_asks(&r->asked.rule) && r->asked.rule.mode == JUDGE_STRICT;
    return o;
}

/* Find the model that checks, and what it may use. False: memory ran out. */
static bool choose_checker(relay *r)
{
    api_error e;
    const model_run_options model = relay_model_run(r);
    if (relay_reserve_check(r, &e))
        return judging_ask(r->judging, &model, r->ctx->threads);
    judging_ask_none(r->judging, "the limits of this key leave no tokens for the check");
    return true;
}

void relay_judge(relay *r, bool at_end)
{
    bool chooses = judge_rule_asks(&r->asked.rule) && !r->chosen;
    r->chosen = true;
    if (chooses && !choose_checker(r)) {
        relay_fail_memory(r);
        return;
    }
    r->waiting = true;
    r->at_end = at_end;
    if (!judging_start(r->judging, at_end, r->ctx->loop, relay_done, r))
        relay_fail_memory(r);
}

void relay_release(relay *r, bool all)
{
    size_t passed[REPLY_MOST_CHOICES], before = r->out.len;
    bool sent;
    for (size_t i = 0; i < r->reply->n; i++)
        passed[i] = judging_passed(r->judging, i);
    int rc = held_events_release(&r->events, r->asked.protocol, passed, r->reply->n, all,
                                 r->scratch, &r->out, &sent);
    if (rc != RDV_OK)
        relay_fail_memory(r);
    else if (sent && relay_repairs(r))
        relay_note_sent(r, rdv_slice(rdv_buf_str(&r->out), before, r->out.len));
    if (sent && r->ctx->loop)
        r->beaten = uv_now(r->ctx->loop);
}

/* The object says why, without texts of the reply. */
void relay_refuse(relay *r)
{
    api_error e;
    rdv_buf more;
    r->rejected = true;
    rdv_buf_init(&more, r->arena, 0);
    rdv_buf_lit(&more, "\"rederive\":");
    rdv_buf_add(&more, judging_json(r->judging));
    rdv_str why = judgement_says(judging_result(r->judging), r->arena);
    api_error_set(&e, 422, NULL, "The reply is not admitted by this server's rule: %.*s.",
                  RDV_FMT(why));
    e.code = "not_admitted";
    if (rdv_buf_ok(&more) && why.p)
        relay_end_with(r, &e, rdv_buf_str(&more));
    else
        relay_fail_memory(r);
}

/* Whether something that may stand anywhere in the reply was not read. */
static bool is_unread(const judgement *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->choices[i].unknown.p)
            return true;
    return false;
}

relay_judged relay_take_judgement(relay *r)
{
    const judgement *j = judging_result(r->judging);
    r->waiting = false;
    r->judged = r->at_end;
    if (!j) {
        relay_fail_memory(r);
        return RELAY_NOT_JUDGED;
    }
    if (r->streams && j->rule.mode == JUDGE_STRICT && (j->admitted || !is_unread(j)))
        relay_release(r, j->admitted && r->at_end);
    return !j->admitted && j->rule.refuses ? RELAY_REFUSED : RELAY_PASSED;
}
