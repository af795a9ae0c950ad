/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of inspect_ai's logs (EvalSample in inspect_ai/log/_log.py, version 0.3.285): one
 * question and one epoch of it. */
#include "base/arena.h"
#include "base/str.h"
#include "data/conversation.h"
#include "data/format/readers.h"

bool rdv_is_inspect(const rdv_members *in)
{
    return rdv_members_have(in, "messages") || rdv_members_have(in, "output");
}

static bool is_text(const json_t *value, const char *text)
{
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

/* ---- the reply ------------------------------------------------------------------------------- */

/* What the model said last: in the output, or, where an agent ended with a call of a tool, in an
 * earlier message. */
static void read_said(rdv_chain_builder *m, const json_t *choice, rdv_conversation *x)
{
    rdv_turn_said(m, json_object_get(choice, "message"), &x->said);
    const json_t *messages = x->said.text.len ? NULL : rdv_members_get(m->in, "messages");
    for (size_t i = json_array_size(messages); i-- > 0;) {
        const json_t *message = json_array_get(messages, i);
        rdv_said earlier;
        bool asked = is_text(json_object_get(message, "source"), "input"); /* an example's reply */
        if (rdv_turn_role(message) != RDV_ROLE_ASSISTANT || asked)
            continue;
        rdv_turn_said(m, message, &earlier);
        if (earlier.text.len) {
            x->said = earlier;
            x->earlier = true;
            return;
        }
    }
}

/* An agent of inspect_ai ends with a call of its tool `submit`; the log has the answer that it
 * submitted as the message's text. */
static bool submits(const json_t *choice)
{
    const json_t *calls = json_object_get(json_object_get(choice, "message"), "tool_calls");
    for (size_t i = 0; i < json_array_size(calls); i++)
        if (is_text(json_object_get(json_array_get(calls, i), "function"), "submit"))
            return true;
    return false;
}

static void read_reply(rdv_chain_builder *m, rdv_conversation *x)
{
    const json_t *output = rdv_members_get(m->in, "output");
    const json_t *choice = json_array_get(json_object_get(output, "choices"), 0);
    const json_t *error = rdv_members_get(m->in, "error");
    read_said(m, choice, x);
    x->model = rdv_build_text_in(m, output, "model");
    if (rdv_str_eq(x->model, RDV_STR("none/none"))) /* inspect_ai's name for no model */
        x->model = (rdv_str){0};
    x->ended = rdv_build_text_in(m, choice, "stop_reason");
    if (submits(choice)) {
        x->said.calls_tool = false;
        x->ended = (rdv_str){0};
    }
    rdv_conversation_error(m, json_object_get(output, "error"), 0, x);
    if (!error || json_is_null(error))
        return;
    rdv_str why = json_is_string(error) ? rdv_build_text_of(m, error, "error")
                                        : rdv_build_text_in(m, error, "message");
    x->failed = rdv_str_printf(m->arena, "the sample failed in inspect_ai: %.*s",
                               RDV_FMT(rdv_str_head(why, 200)));
    if (!x->failed.p)
        rdv_build_nomem(m);
}

/* ---- target and scores ----------------------------------------------------------------------- */

/* One text, or several of which each is right; a chain has one gold answer, the first. */
static void read_target(rdv_chain_builder *m)
{
    const json_t *target = rdv_members_get(m->in, "target");
    bool several = json_is_array(target);
    rdv_str gold = rdv_build_text_of(m, several ? json_array_get(target, 0) : target, "target");
    /* inspect_ai writes "" for none. */
    m->chain->question.gold = gold.len ? gold : (rdv_str){0};
    if (json_array_size(target) > 1)
        rdv_build_keep(m, "target", "targets");
    const json_t *choices = rdv_members_get(m->in, "choices");
    if (json_is_array(choices) && json_array_size(choices))
        rdv_build_options(m, choices, "choices");
}

/* 1 for correct, 0 for incorrect and no answer, -1 for all else, such as partial credit. */
static int score_of(const json_t *value)
{
    if (is_text(value, "C"))
        return 1;
    if (is_text(value, "I") || is_text(value, "N"))
        return 0;
    return json_is_string(value) ? -1 : rdv_build_flag_of(value);
}

/* Whether the log's scorers hold the answer for correct; unknown where two of them differ. */
static void read_scores(rdv_chain_builder *m)
{
    json_t *scores = rdv_members_get(m->in, "scores"), *score;
    const char *scorer;
    int correct = -1;
    bool differ = false;
    json_object_foreach(scores, scorer, score)
    {
        int is = score_of(json_object_get(score, "value"));
        differ = differ || (is >= 0 && correct >= 0 && is != correct);
        correct = is >= 0 ? is : correct;
    }
    m->chain->correct = differ ? -1 : correct;
    if (json_object_size(scores))
        rdv_build_keep(m, "scores", "source_scores");
}

/* ---- what convert wrote ---------------------------------------------------------------------- */

/* Whether the text is these steps, one a line or more. */
static bool are_steps_of(rdv_str text, const json_t *steps)
{
    size_t at = 0;
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *step = json_array_get(steps, i);
        rdv_str rest = rdv_slice(text, at + (i > 0), text.len);
        rdv_str said = rdv_string_of(step);
        if (!said.p || (i && (at >= text.len || text.p[at] != '\n')) || !rdv_starts(rest, said))
            return false;
        at += (i > 0) + said.len;
    }
    return at == text.len && text.len;
}

/* A log that `rederive convert` made says where the steps begin and end (export_inspect.c), as long
 * as nobody changed the text since. */
static void read_own(rdv_chain_builder *m, const rdv_conversation *x)
{
    const json_t *own = json_object_get(rdv_members_get(m->in, "metadata"), "rederive");
    const json_t *steps = json_object_get(own, "steps"), *label = json_object_get(own, "label");
    long index;
    if (m->in->fault != RDV_OK || m->check_reasoning || !are_steps_of(x->said.text, steps))
        return;
    rdv_build_steps(m, steps, "steps");
    rdv_str id = rdv_build_text_in(m, own, "id");
    m->chain->id = id.p ? id : m->chain->id;
    if (json_object_get(own, "incomplete_reason"))
        m->chain->unfinished = rdv_build_text_in(m, own, "incomplete_reason");
    if (json_object_get(own, "answer") && !m->no_answer) {
        m->chain->answer = rdv_build_text_in(m, own, "answer");
        m->no_answer = !m->chain->answer.p;
    }
    if (json_is_null(label))
        rdv_build_no_mistake(m);
    else if (label && rdv_build_integer(label, &index))
        rdv_build_label(m, index, 0);
}

/* https://inspect.aisi.org.uk/eval-logs.html. The epochs of a sample are chains of one question. */
void rdv_read_inspect(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    rdv_str id = rdv_build_text(m, "id"), epoch = rdv_build_text(m, "epoch");
    m->chain->question.id = id;
    /* As inspect_ai names the files of its samples. */
    x.id = rdv_str_printf(m->arena, "%.*s_epoch_%.*s", RDV_FMT(id), RDV_FMT(epoch));
    if (!x.id.p)
        rdv_build_nomem(m);
    rdv_conversation_ask(m, rdv_members_get(m->in, "input"), &x);
    read_reply(m, &x);
    rdv_conversation_build(m, &x);
    if (m->out->kind == RDV_RECORD_CHAIN)
        read_own(m, &x);
    read_target(m);
    rdv_build_keep(m, "epoch", "epoch");
    read_scores(m);
}
