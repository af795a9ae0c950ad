/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/judgement.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include <rederive/data.h>
#include <rederive/method.h>

#include <math.h>

/* ---- one choice ------------------------------------------------------------------------------ */

/* Something beside the steps is not known; the first remark is told. */
static void leave_unknown(judged_choice *c, rdv_str why)
{
    if (!c->unknown.p)
        c->unknown = why;
}

/* The text as the chain of a record; the model's thinking within it is checked too, since a client
 * is given it to read. RDV_NONE: it is empty. */
static int read_chain(rdv_str text, rdv_str question, rdv_arena *arena, rdv_chain **out,
                      rdv_error *err)
{
    const rdv_read_options options = {.size = sizeof options,
                                      .format = "rederive-chain",
                                      .max_steps = JUDGE_MOST_STEPS,
                                      .check_reasoning = true};
    rdv_record *records;
    rdv_buf b;
    size_t n;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "{");
    if (question.len)
        rdv_json_put_text(&b, "question", question);
    else
        rdv_json_put_text(&b, "question_id", RDV_STR("reply"));
    rdv_json_put_text(&b, "solution", text);
    rdv_buf_lit(&b, "}");
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    int rc = rdv_record_read(rdv_buf_str(&b), &options, arena, &records, &n, err);
    if (rc != RDV_OK)
        return rc;
    if (n != 1 || records[0].chain.n_steps == 0)
        return rdv_fail(err, RDV_E_INPUT, "no steps were found in the text");
    *out = &records[0].chain;
    return RDV_OK;
}

static int check(rdv_chain *chain, rdv_arena *arena, rdv_check *out, rdv_error *err)
{
    rdv_check_options options;
    rdv_check_options_default(&options, sizeof options);
    options.step_ms = JUDGE_STEP_MS;
    options.chain_ms = JUDGE_REPLY_MS;
    return rdv_check_chain(rdv_method_named(RDV_STR(JUDGE_METHOD)), chain, &options, arena, out,
                           err);
}

static void count_wrong(judged_choice *c)
{
    for (size_t i = 0; i < c->check.n_verdicts; i++) {
        c->n_contradicted += c->check.verdicts[i].kind == RDV_CONTRADICT;
    }
}

static void admit(judged_choice *c, const judge_rule *rule)
{
    bool unknown = c->check.n_unknown || c->unknown.p;
    c->admitted = !c->n_contradicted && (!unknown || rule->admits_unknown);
    if (rule->threshold > 0) /* no confidence is below every threshold */
        c->admitted &= c->chain && c->check.confidence >= rule->threshold;
}

/* What of the reply is not known from its form alone. */
static int look_at_form(judged_choice *c, const reply_choices *reply, const reply_choice_read *from,
                        rdv_arena *arena)
{
    rdv_str why = {0};
    if (from->n_unread)
        why = rdv_str_printf(arena, "not read: %s%s", from->unread[0],
                             from->n_unread > 1 ? ", and more" : "");
    else if (!reply_choice_is_whole(reply, from))
        why = from->finish.p ? rdv_str_printf(arena, "the reply is not whole: it ended with '%.*s'",
                                              RDV_FMT(from->finish))
                             : RDV_STR("the reply does not say how it ended");
    else if (reply_choices_reach_limit(reply))
        why = RDV_STR("the reply has as many tokens as the request allows: it may be cut off");
    else if (from->text.len == 0 && !from->n_tool_calls && !from->refused)
        why = RDV_STR("the reply is empty");
    else
        return RDV_OK;
    leave_unknown(c, why);
    return why.p ? RDV_OK : RDV_E_NOMEM;
}

static int judge(const reply_choices *reply, const reply_choice_read *from, rdv_str question,
                 rdv_arena *arena, judged_choice *c, rdv_error *err)
{
    rdv_chain *chain = NULL;
    rdv_error why = {0};
    rdv_str text = rdv_trim(rdv_buf_str(&from->text));
    *c = (judged_choice){.index = from->index,
                         .check = {.confidence = NAN, .first_error = RDV_STEP_UNKNOWN},
                         .n_reasoning_bytes = from->n_reasoning_bytes,
                         .n_tool_calls = from->n_tool_calls,
                         .refused = from->refused};
    if (look_at_form(c, reply, from, arena) != RDV_OK)
        return rdv_no_memory(err);
    if (text.len == 0)
        return RDV_OK;
    int rc = read_chain(text, question, arena, &chain, &why);
    if (rc == RDV_OK && (!reply_choice_is_whole(reply, from) || reply_choices_reach_limit(reply)))
        chain->unfinished = RDV_STR("the reply was cut off before its end");
    if (rc == RDV_OK)
        rc = check(chain, arena, &c->check, &why);
    if (rc == RDV_E_NOMEM)
        return rdv_no_memory(err);
    if (rc == RDV_OK) {
        c->chain = chain;
        count_wrong(c);
        return RDV_OK;
    }
    rdv_str remark = rdv_str_copy(arena, rdv_str_of(why.msg));
    leave_unknown(c, remark);
    return remark.p ? RDV_OK : rdv_no_memory(err);
}

int judgement_of(const reply_choices *reply, rdv_str question, const judge_rule *rule,
                 rdv_arena *arena, judgement *out, rdv_error *err)
{
    *out = (judgement){.rule = *rule, .admitted = reply->n > 0};
    out->choices = RDV_NEW_ARRAY(arena, judged_choice, reply->n + 1);
    if (!out->choices)
        return rdv_no_memory(err);
    for (size_t i = 0; i < reply->n; i++) {
        judged_choice *c = &out->choices[out->n++];
        int rc = judge(reply, &reply->items[i], question, arena, c, err);
        if (rc != RDV_OK)
            return rc;
        admit(c, rule);
        out->admitted &= c->admitted;
    }
    return RDV_OK;
}
