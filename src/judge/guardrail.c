/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/guardrail.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "judge/judgement.h"
#include "model/reply_readers.h"

/* A request, and what becomes of it. */
typedef struct guarding {
    reply_choices reply; /* the texts, as choices */
    judge_rule rule;
    rdv_arena *arena;
    rdv_buf *out;
    rdv_error *err;
} guarding;

/* ---- the request ----------------------------------------------------------------------------- */

static int read_rule(guarding *g, const json_t *root, const judge_rule *rule)
{
    const json_t *params = json_object_get(root, "additional_provider_specific_params");
    return judge_rule_tighten(rule, json_object_get(params, "rederive"), &g->rule, g->err);
}

/* Whether it has a list with something in it. */
static bool has_some(const json_t *root, const char *name)
{
    return json_array_size(json_object_get(root, name)) > 0;
}

static int read_texts(guarding *g, const json_t *root)
{
    const json_t *texts = json_object_get(root, "texts");
    bool images = has_some(root, "images");
    int code;
    if (texts && !json_is_null(texts) && !json_is_array(texts))
        return rdv_fail(g->err, RDV_E_INPUT, "'texts' must be a list");
    if (json_array_size(texts) > GUARDRAIL_MOST_TEXTS)
        return rdv_fail(g->err, RDV_E_INPUT, "more than %d texts", GUARDRAIL_MOST_TEXTS);
    reply_choices_init(&g->reply, REPLY_CHAT, g->arena);
    for (size_t i = 0; i < json_array_size(texts) + images; i++) {
        rdv_str text = parse_text(json_array_get(texts, i));
        bool image = i == json_array_size(texts);
        reply_choice_read *c = reply_choice(&g->reply, i, &code, g->err);
        if (!c)
            return code;
        if (!text.p && !image)
            return rdv_fail(g->err, RDV_E_INPUT, "'texts' has something that is no text");
        reply_add_text(c, text);
        c->finish = RDV_STR("stop");
        c->n_tool_calls = text.len == 0; /* a reply without text may be calls of tools alone */
        if (image)
            reply_note_unread(c, "an image");
        if (!rdv_buf_ok(&c->text))
            return rdv_no_memory(g->err);
    }
    return RDV_OK;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void write_action(guarding *g, const char *action)
{
    rdv_buf_add_char(g->out, '{');
    rdv_json_put_text(g->out, "action", rdv_str_of(action));
}

static int end_answer(guarding *g)
{
    rdv_buf_add_char(g->out, '}');
    return rdv_buf_ok(g->out) ? RDV_OK : rdv_no_memory(g->err);
}

static int block(guarding *g, rdv_str why)
{
    rdv_str reason =
        rdv_str_printf(g->arena, "The reply is not admitted by the rule: %.*s.", RDV_FMT(why));
    if (!why.p || !reason.p)
        return rdv_no_memory(g->err);
    write_action(g, "BLOCKED");
    rdv_json_put_text(g->out, "blocked_reason", reason);
    return end_answer(g);
}

static int answer_none(guarding *g)
{
    write_action(g, "NONE");
    return end_answer(g);
}

static int judge_whole(guarding *g)
{
    judgement j;
    int rc = judgement_of(&g->reply, (rdv_str){0}, &g->rule, g->arena, &j, g->err);
    if (rc != RDV_OK)
        return rc;
    return j.admitted ? answer_none(g) : block(g, judgement_says(&j, g->arena));
}

/* ---- texts that may go on -------------------------------------------------------------------- */

/* Judge the steps; *refused: what cannot be cut into them is not admitted, and that was written. */
static int judge_steps(guarding *g, stepwise *steps, bool ended, judgement *j, bool *refused)
{
    bool more;
    rdv_error why = {0};
    int rc = stepwise_read(steps, &g->reply, ended, &more, &why);
    *refused = rc == RDV_E_LIMIT;
    if (*refused)
        return block(g, rdv_str_copy(g->arena, rdv_str_of(why.msg)));
    return rc == RDV_OK ? judgement_of_steps(&g->reply, steps, ended, (rdv_str){0}, &g->rule, NULL,
                                             g->arena, j, g->err)
                        : rdv_no_memory(g->err);
}

/* The text of each choice up to where it has passed, or how much is behind that. */
static int write_passed(guarding *g, const stepwise *steps, bool texts)
{
    write_action(g, texts ? "GUARDRAIL_INTERVENED" : "NONE");
    rdv_json_open(g->out, texts ? "texts" : "stream_holdback_chars", '[');
    for (size_t i = 0; i < g->reply.n; i++) {
        rdv_str text = rdv_buf_str(&g->reply.items[i].text);
        size_t passed = steps->items[i].passed;
        text = text.p ? text : RDV_STR("");
        rdv_json_item(g->out);
        if (texts)
            rdv_json_text(g->out, rdv_slice(text, 0, passed));
        else
            rdv_buf_printf(g->out, "%zu", rdv_utf8_count(rdv_slice(text, passed, text.len)));
    }
    rdv_buf_add_char(g->out, ']');
    return end_answer(g);
}

/* The gateway does not say whether the texts have ended. The steps that have ended for sure decide
 * whether it is blocked. What is behind them is judged as if it had, so that nothing of a last step
 * that is wrong is sent; it may also be one that is not complete. */
static int judge_so_far(guarding *g)
{
    stepwise so_far, all;
    judgement j;
    bool refused;
    stepwise_init(&so_far, g->arena);
    stepwise_init(&all, g->arena);
    int rc = judge_steps(g, &so_far, false, &j, &refused);
    if (rc != RDV_OK || refused)
        return rc;
    if (!j.admitted)
        return block(g, judgement_says(&j, g->arena));
    rc = judge_steps(g, &all, true, &j, &refused);
    if (rc != RDV_OK || refused)
        return rc;
    return write_passed(g, &so_far, !j.admitted);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int answer(guarding *g, const json_t *root, const judge_rule *rule)
{
    rdv_str type = parse_text(json_object_get(root, "input_type"));
    if (!json_is_object(root))
        return rdv_fail(g->err, RDV_E_INPUT, "it is no JSON object");
    int rc = read_rule(g, root, rule);
    if (rc != RDV_OK)
        return rc;
    if (rdv_str_eq(type, RDV_STR("request")))
        return answer_none(g);
    if (!rdv_str_eq(type, RDV_STR("response")))
        return rdv_fail(g->err, RDV_E_INPUT, "'input_type' must be \"request\" or \"response\"");
    rc = read_texts(g, root);
    if (rc != RDV_OK)
        return rc;
    if (g->reply.n == 0) /* calls of tools alone */
        return answer_none(g);
    return g->rule.mode == JUDGE_STRICT ? judge_so_far(g) : judge_whole(g);
}

int guardrail_answer(rdv_str body, const judge_rule *rule, rdv_arena *arena, rdv_buf *out,
                     rdv_error *err)
{
    json_t *root;
    guarding g = {.arena = arena, .out = out, .err = err};
    int rc = parse_json(body, false, &root, err);
    if (rc == RDV_OK)
        rc = answer(&g, root, rule);
    json_decref(root);
    return rc;
}
