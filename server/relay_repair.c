/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"
#include "base/arena.h"
#include "base/str.h"
#include "search/repairing.h"

/* ---- whether a step can be repaired -----------------------------------------------------------
 */

static bool speaks_chat(const relay *r)
{
    const serve_model *m = &r->ctx->options->models[r->asked.model];
    bool says = false;
    for (size_t i = 0; i < REPLY_PROTOCOLS; i++)
        says |= m->speaks[i];
    return !says || m->speaks[REPLY_CHAT];
}

/* How many steps have passed. */
static size_t standing(const stepwise_choice *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->cut.n && c->cut.steps[i].end <= c->passed; i++)
        n += c->cut.steps[i].text.len > 0;
    return n;
}

/* Why the reply cannot be continued; NULL: it can. */
static const char *obstacle(relay *r, const judgement *j)
{
    const stepwise_choice *c = judging_steps(r->judging)->items;
    if (j->n != 1 || j->choices[0].index != 0)
        return "a reply of several choices is not repaired";
    if (r->asked.shaped)
        return "the request has tools, or asks for a form of the reply";
    if (!r->asked.question.len)
        return "the question is not known";
    if (!speaks_chat(r))
        return "the servers of this model do not speak chat completions";
    if (judgement_first_rejected(j, 0) != standing(c))
        return "a step that was sent is rejected now";
    if (repaired_text_thinks(rdv_slice(rdv_buf_str(&r->reply->items[0].text), 0, c->passed)))
        return "thinking is not repaired";
    if (!held_events_drop(&r->events, c->passed) ||
        (!r->events.n && !sent_stream_can_continue(&r->repair.sent)))
        return "what was sent cannot be continued";
    return NULL;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_step(relay *r)
{
    r->repair.drawing = step_draw_start(r->repair.draw, r->ctx->threads, relay_done, r);
    if (!r->repair.drawing)
        relay_fail_memory(r);
}

/* Another round of drawing the present step. False: no more are allowed, or memory ran out. */
static bool begin_round(relay *r)
{
    relay_repair *p = &r->repair;
    if (p->done.n >= r->asked.rule.repairs ||
        !RDV_PUSH_ROOM(r->arena, p->rounds, p->done.n, p->cap_rounds))
        return false;
    p->rounds[p->done.n++] = (judged_repair){.step = p->n_steps};
    p->done.rounds = p->rounds;
    draw_step(r);
    return true;
}

/* The model's server is not heard any more; what it counted stays. */
static void leave_server(relay *r)
{
    bool estimated;
    uint64_t in, out;
    if (r->from.completion) {
        relay_tokens(r, &in, &out, &estimated);
        r->tokens = (reported_tokens){
            .in = in, .out = out, .said = true, .said_in = true, .said_out = true};
        r->type = "text/event-stream";
    }
    source_free(&r->from);
}

/* The steps that stand, and the one that was rejected. */
static bool give_steps(relay *r, rdv_str *rejected)
{
    const stepwise_choice *c = judging_steps(r->judging)->items;
    for (size_t i = 0; i < c->cut.n; i++) {
        *rejected = c->cut.steps[i].text;
        if (!rejected->len)
            continue;
        if (c->cut.steps[i].end > c->passed)
            break;
        if (!step_draw_keep(r->repair.draw, *rejected))
            return false;
        r->repair.n_steps++;
    }
    return true;
}

static bool begin(relay *r)
{
    relay_repair *p = &r->repair;
    rdv_str rejected = {0}, text = rdv_buf_str(&r->reply->items[0].text);
    api_error e;
    r->checker = r->asked.model;
    p->n_text = judging_passed(r->judging, 0);
    if (!relay_reserve_check(r, &e)) {
        p->done.why = RDV_STR("the limits of this key leave no tokens for the repair");
        return false;
    }
    const model_run_options model = relay_model_run(r);
    p->draw = step_draw_new(&model, r->asked.question);
    if (!p->draw || !give_steps(r, &rejected))
        return false;
    p->style = repaired_text_of(text, p->n_text, p->n_steps);
    p->most_steps = 2 * (p->n_steps + 1) + REPAIR_MORE_STEPS;
    p->sent.id = r->chunk.id;
    p->sent.created = r->chunk.created;
    p->sent.model = r->chunk.model;
    p->style_before = p->style;
    leave_server(r);
    return step_draw_reject(p->draw, rejected) && begin_round(r);
}

/* Whether it is single steps that are rejected, and nothing beside them. */
static bool rejects_steps(const judgement *j)
{
    bool any = false;
    for (size_t i = 0; i < j->n; i++) {
        if (j->choices[i].unknown.p)
            return false;
        any |= judgement_first_rejected(j, i) != SIZE_MAX;
    }
    return any;
}

bool relay_repair_step(relay *r)
{
    relay_repair *p = &r->repair;
    const judgement *j = judging_result(r->judging);
    if (!relay_repairs(r) || !rejects_steps(j))
        return false;
    const char *why = p->draw ? NULL : obstacle(r, j);
    if (why)
        p->done.why = rdv_str_of(why);
    bool drawn = p->draw && p->done.n;
    if (drawn && p->rounds[p->done.n - 1].kind == JUDGED_REPAIR_DRAWN)
        p->rounds[p->done.n - 1].kind = JUDGED_REPAIR_REJECTED;
    bool goes_on = !why && (p->draw ? judgement_first_rejected(j, 0) == p->n_steps &&
                                          step_draw_reject(p->draw, p->step) && begin_round(r)
                                    : begin(r));
    if (goes_on) {
        p->style = p->style_before;
        reply_choices_rewind(r->reply, 0, p->n_text);
        r->judged = false;
    } else if (p->done.n || p->done.why.p) {
        (void)judging_say_again(r->judging, &p->done);
    }
    return goes_on;
}

/* ---- a step -----------------------------------------------------------------------------------
 */

static void fail_step(relay *r, rdv_str why)
{
    relay_repair *p = &r->repair;
    api_error e;
    p->done.why = rdv_str_copy(r->arena, why);
    if (judging_result(r->judging) && !judging_result(r->judging)->admitted &&
        judging_say_again(r->judging, &p->done)) {
        relay_refuse(r);
        return;
    }
    api_error_set(&e, 502, NULL, "The reply could not be continued behind a repaired step: %.*s.",
                  (int)(why.len < 120 ? why.len : 120), why.p);
    e.code = "upstream_failed";
    relay_cut(r, &e);
}

/* Nothing was drawn. */
static void take_none(relay *r, const next_step *drawn)
{
    relay_repair *p = &r->repair;
    judged_repair *round = &p->rounds[p->done.n - 1];
    bool again = round->kind == JUDGED_REPAIR_DRAWN;
    if (again)
        round->kind = drawn->n_samples ? JUDGED_REPAIR_ALL_EQUAL : JUDGED_REPAIR_FAILED;
    if (again && drawn->n_samples && begin_round(r))
        return;
    fail_step(r, drawn->why);
}

static bool add_step(relay *r, rdv_str step)
{
    relay_repair *p = &r->repair;
    rdv_buf b;
    rdv_buf_init(&b, r->scratch, 0);
    p->style_before = p->style;
    repaired_text_add(&p->style, &b, rdv_buf_str(&r->reply->items[0].text), step);
    if (!rdv_buf_ok(&b) || !reply_choices_continue(r->reply, 0, rdv_buf_str(&b)))
        return false;
    stepwise *steps = judging_steps(r->judging);
    return stepwise_replace(steps, steps->items, p->n_text, step, r->reply->items[0].text.len) ==
           RDV_OK;
}

void relay_take_step(relay *r)
{
    relay_repair *p = &r->repair;
    const next_step *drawn = step_draw_result(p->draw);
    model_run_used used;
    p->drawing = false;
    (void)step_draw_count(p->draw, &used);
    p->done.calls = used.calls;
    p->done.prompt_tokens = used.tokens_in;
    p->done.completion_tokens = used.tokens_out;
    judged_repair *round = &p->rounds[p->done.n - 1];
    if (round->kind == JUDGED_REPAIR_DRAWN) {
        round->n_samples = drawn->n_samples;
        round->n_different = drawn->n_different;
        round->selection = drawn->selection;
    }
    rdv_arena_reset(r->scratch);
    if (!drawn->text.p) {
        take_none(r, drawn);
        return;
    }
    if (!add_step(r, drawn->text)) {
        relay_fail_memory(r);
        return;
    }
    p->step = drawn->text;
    p->answers = drawn->answers;
    bool ends = p->answers || p->n_steps + 1 >= p->most_steps;
    if (ends)
        reply_choices_end(r->reply, 0, p->answers);
    if (judging_repaired(r->judging, &p->done))
        relay_judge(r, ends);
    else
        relay_fail_memory(r);
}

void relay_repair_stands(relay *r)
{
    relay_repair *p = &r->repair;
    judged_repair *round = &p->rounds[p->done.n - 1];
    rdv_str text = rdv_buf_str(&r->reply->items[0].text);
    if (r->over)
        return;
    if (round->kind == JUDGED_REPAIR_DRAWN)
        round->kind = JUDGED_REPAIR_DONE;
    else
        p->done.n_rest++;
    if (!sent_stream_can_continue(&p->sent)) {
        fail_step(r, RDV_STR("what was sent cannot be continued"));
        return;
    }
    if (sent_stream_add_text(&p->sent, &r->out, rdv_slice(text, p->n_text, text.len)) != RDV_OK ||
        !step_draw_keep(p->draw, p->step)) {
        relay_fail_memory(r);
        return;
    }
    p->n_text = text.len;
    p->n_steps++;
    if (!r->at_end)
        draw_step(r);
}

void relay_send_repaired_end(relay *r, rdv_str json)
{
    const judged_repairs *done = &r->repair.done;
    const sent_end how = {.cut_off = !r->repair.answers,
                          .shows_usage = r->asked.shows_usage,
                          .tokens_in = r->tokens.in + done->prompt_tokens,
                          .tokens_out = r->tokens.out + done->completion_tokens};
    if (sent_stream_end(&r->repair.sent, &how, &r->out, &r->last) != RDV_OK) {
        relay_fail_memory(r);
        return;
    }
    r->events.n_more = 0; /* what is sent from here on has numbers of its own */
    relay_send_last_event(r, json);
    if (r->asked.protocol != REPLY_MESSAGES || r->over)
        return;
    rdv_buf_lit(&r->out, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
    r->over = true;
}
