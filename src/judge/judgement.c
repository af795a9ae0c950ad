/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/judgement.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "method/acceptance.h"
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

/* What is judged. */
typedef struct judging_of {
    const reply_choices *reply;
    stepwise *steps; /* NULL: the text is cut as a whole */
    bool ended;      /* the reply is all there */
    rdv_str question;
    const judge_rule *rule;
    rdv_arena *arena;
    const judge_asker *asker; /* NULL: no model is asked */
} judging_of;

/* A record with the text, cut into steps or not. */
static void write_record(rdv_buf *b, rdv_str question, rdv_str text, const step_stream *cut)
{
    rdv_buf_lit(b, "{");
    if (question.len)
        rdv_json_put_text(b, "question", question);
    else
        rdv_json_put_text(b, "question_id", RDV_STR("reply"));
    if (!cut) {
        rdv_json_put_text(b, "solution", text);
    } else {
        rdv_json_open(b, "steps", '[');
        for (size_t i = 0; i < cut->n; i++) {
            if (!cut->steps[i].text.len)
                continue;
            rdv_json_item(b);
            rdv_json_text(b, cut->steps[i].text);
        }
        rdv_buf_add_char(b, ']');
    }
    rdv_buf_lit(b, "}");
}

/* The text as the chain of a record; the model's thinking within it is checked too, since a client
 * is given it to read. */
static int read_chain(const judging_of *j, rdv_str text, const step_stream *cut, rdv_chain **out,
                      rdv_error *err)
{
    const rdv_read_options options = {.size = sizeof options,
                                      .format = "rederive-chain",
                                      .max_steps = JUDGE_MOST_STEPS,
                                      .check_reasoning = true};
    rdv_record *records;
    rdv_buf b;
    size_t n;
    rdv_buf_init(&b, j->arena, 0);
    write_record(&b, j->question, text, cut);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    int rc = rdv_record_read(rdv_buf_str(&b), &options, j->arena, &records, &n, err);
    if (rc != RDV_OK)
        return rc;
    if (n != 1 || records[0].chain.n_steps == 0)
        return rdv_fail(err, RDV_E_INPUT, "no steps were found in the text");
    *out = &records[0].chain;
    return RDV_OK;
}

static int calculate(const judging_of *j, const rdv_chain *chain, rdv_check *out, rdv_error *err)
{
    rdv_check_options options;
    rdv_check_options_default(&options, sizeof options);
    options.step_ms = JUDGE_STEP_MS;
    options.chain_ms = JUDGE_REPLY_MS;
    return rdv_check_chain(j->rule->method, chain, &options, j->arena, out, err);
}

static int ask(const judging_of *j, rdv_chain *chain, judged_choice *c, rdv_error *err)
{
    rdv_str unknown = {0};
    if (!j->asker || !j->asker->check)
        return rdv_fail(err, RDV_E_INPUT, "%.*s",
                        RDV_FMT(j->asker ? j->asker->why_not : RDV_STR("no model is asked")));
    int rc = j->asker->check(j->asker->of, j->rule->method, chain, &c->check, &unknown, err);
    if (rc == RDV_OK && unknown.p)
        leave_unknown(c, unknown);
    return rc;
}

/* By the measure of a method that asks a model, which decides by scores. Steps so far that it does
 * not accept wait for those behind them. */
static void measure(judged_choice *c, const rdv_method *method, bool ended)
{
    rdv_verdict_counts counts = rdv_count_verdicts(c->check.verdicts, c->check.n_verdicts);
    acceptance how = acceptance_of(rdv_str_of(method->name), NAN);
    int is = acceptance_decide(&how, counts, c->check.confidence);
    c->waits = !ended && is <= 0;
    c->rejected = ended && is == 0;
    if (ended && is < 0 && !c->check.n_unknown)
        leave_unknown(c, RDV_STR("nothing in it was found to be right"));
}

static int check(const judging_of *j, rdv_chain *chain, judged_choice *c, rdv_error *err)
{
    if (!judge_rule_asks(j->rule))
        return calculate(j, chain, &c->check, err);
    int rc = ask(j, chain, c, err);
    if (rc == RDV_OK)
        measure(c, j->rule->method, j->ended);
    return rc;
}

static void count_wrong(judged_choice *c)
{
    for (size_t i = 0; i < c->check.n_verdicts; i++) {
        c->n_contradicted += c->check.verdicts[i].kind == RDV_CONTRADICT;
    }
}

/* A confidence is that of a whole reply. */
static void admit(judged_choice *c, const judge_rule *rule, bool ended)
{
    bool unknown = c->check.n_unknown || c->unknown.p;
    c->admitted = !c->n_contradicted && !c->rejected && (!unknown || rule->admits_unknown);
    if (rule->threshold > 0 && ended) /* no confidence is below every threshold */
        c->admitted &= c->chain && c->check.confidence >= rule->threshold;
}

static bool is_rejected(const rdv_verdict *v, const judge_rule *rule)
{
    return v->kind == RDV_CONTRADICT || (v->kind == RDV_UNKNOWN && !rule->admits_unknown);
}

/* The steps before the first that is rejected, or that has no verdict of its own, may be sent;
 * where something beside the steps is rejected, only those that passed before. */
static void let_pass(stepwise_choice *steps, const judged_choice *c, const judge_rule *rule)
{
    size_t first = 0, n = c->check.n_verdicts;
    while (first < n && c->check.verdicts[first].step == first &&
           !is_rejected(&c->check.verdicts[first], rule))
        first++;
    size_t to = c->chain ? stepwise_begin(steps, first) : step_stream_decided(&steps->cut);
    if ((first < n || c->admitted) && !c->waits && to > steps->passed)
        steps->passed = to;
    steps->n_judged = steps->cut.n;
}

size_t judgement_first_rejected(const judgement *j, size_t choice)
{
    const rdv_check *check = &j->choices[choice].check;
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (is_rejected(&check->verdicts[i], &j->rule))
            return check->verdicts[i].step;
    return SIZE_MAX;
}

/* What of the reply is not known from its form alone. */
static int look_at_form(judged_choice *c, const judging_of *j, const reply_choice_read *from)
{
    const reply_choices *reply = j->reply;
    rdv_arena *arena = j->arena;
    rdv_str why = {0};
    if (from->n_unread)
        why = rdv_str_printf(arena, "not read: %s%s", from->unread[0],
                             from->n_unread > 1 ? ", and more" : "");
    else if (!j->ended)
        return RDV_OK;
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

/* The steps of a choice, checked; there are some. */
static int judge_steps(const judging_of *j, const reply_choice_read *from, const step_stream *cut,
                       judged_choice *c, rdv_error *err)
{
    rdv_chain *chain = NULL;
    rdv_error why = {0};
    int rc = read_chain(j, rdv_trim(rdv_buf_str(&from->text)), cut, &chain, &why);
    if (rc == RDV_OK && j->ended &&
        (!reply_choice_is_whole(j->reply, from) || reply_choices_reach_limit(j->reply)))
        chain->unfinished = RDV_STR("the reply was cut off before its end");
    if (rc == RDV_OK)
        rc = check(j, chain, c, &why);
    if (rc == RDV_E_NOMEM)
        return rdv_no_memory(err);
    if (rc == RDV_OK) {
        c->chain = chain;
        count_wrong(c);
        return RDV_OK;
    }
    rdv_str remark = rdv_str_copy(j->arena, rdv_str_of(why.msg));
    leave_unknown(c, remark);
    return remark.p ? RDV_OK : rdv_no_memory(err);
}

static bool has_step(const step_stream *cut)
{
    for (size_t i = 0; i < cut->n; i++)
        if (cut->steps[i].text.len)
            return true;
    return false;
}

static int judge(const judging_of *j, size_t i, judged_choice *c, rdv_error *err)
{
    const reply_choice_read *from = &j->reply->items[i];
    const step_stream *cut = j->steps ? &j->steps->items[i].cut : NULL;
    bool none = cut ? !has_step(cut) : rdv_trim(rdv_buf_str(&from->text)).len == 0;
    *c = (judged_choice){.index = from->index,
                         .check = {.confidence = NAN, .first_error = RDV_STEP_UNKNOWN},
                         .n_reasoning_bytes = from->n_reasoning_bytes,
                         .n_tool_calls = from->n_tool_calls,
                         .refused = from->refused};
    if (look_at_form(c, j, from) != RDV_OK)
        return rdv_no_memory(err);
    return none ? RDV_OK : judge_steps(j, from, cut, c, err);
}

static int judge_all(const judging_of *j, judgement *out, rdv_error *err)
{
    const reply_choices *reply = j->reply;
    *out = (judgement){.rule = *j->rule, .admitted = reply->n > 0};
    out->choices = RDV_NEW_ARRAY(j->arena, judged_choice, reply->n + 1);
    if (!out->choices)
        return rdv_no_memory(err);
    for (size_t i = 0; i < reply->n; i++) {
        judged_choice *c = &out->choices[out->n++];
        int rc = judge(j, i, c, err);
        if (rc != RDV_OK)
            return rc;
        admit(c, j->rule, j->ended);
        if (j->steps)
            let_pass(&j->steps->items[i], c, j->rule);
        out->admitted &= c->admitted;
    }
    return RDV_OK;
}

int judgement_of(const reply_choices *reply, rdv_str question, const judge_rule *rule,
                 rdv_arena *arena, judgement *out, rdv_error *err)
{
    return judgement_by_asking(reply, question, rule, NULL, arena, out, err);
}

int judgement_by_asking(const reply_choices *reply, rdv_str question, const judge_rule *rule,
                        const judge_asker *asker, rdv_arena *arena, judgement *out,
                        rdv_error *err)
{
    const judging_of j = {reply, NULL, true, question, rule, arena, asker};
    return judge_all(&j, out, err);
}

int judgement_of_steps(const reply_choices *reply, stepwise *steps, bool ended, rdv_str question,
                       const judge_rule *rule, const judge_asker *asker, rdv_arena *arena,
                       judgement *out, rdv_error *err)
{
    const judging_of j = {reply, steps, ended, question, rule, arena, asker};
    return judge_all(&j, out, err);
}
