/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of inspect_ai's logs (EvalSample in inspect_ai/log/_log.py, version 0.3.285): one
 * question and one epoch of it. */
#include "base/arena.h"
#include "base/str.h"
#include "data/readers.h"

bool rdv_inspect_is(const rdv_members *in)
{
    return rdv_members_have(in, "messages") || rdv_members_have(in, "output");
}

/* ---- messages -------------------------------------------------------------------------------- */

static bool is_text(const json_t *value, const char *text)
{
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

/* Add the text of a message's content, a text or a list of parts, to `b`, and its reasoning, if
 * `reasoning` is not NULL, to that. Other parts, such as pictures, have no text. */
static void add_content(const json_t *content, rdv_buf *b, rdv_buf *reasoning)
{
    if (json_is_string(content)) {
        rdv_buf_add(b, (rdv_str){json_string_value(content), json_string_length(content)});
        return;
    }
    for (size_t i = 0; i < json_array_size(content); i++) {
        const json_t *part = json_array_get(content, i);
        bool is_reasoning = is_text(json_object_get(part, "type"), "reasoning");
        const json_t *text = json_object_get(part, is_reasoning ? "reasoning" : "text");
        rdv_buf *to = is_reasoning ? reasoning : b;
        if (!to || !json_is_string(text))
            continue;
        if (to->len)
            rdv_buf_lit(to, "\n\n");
        rdv_buf_add(to, (rdv_str){json_string_value(text), json_string_length(text)});
    }
}

static bool has_text(const json_t *content)
{
    if (json_is_string(content))
        return json_string_length(content) > 0;
    for (size_t i = 0; i < json_array_size(content); i++)
        if (is_text(json_object_get(json_array_get(content, i), "type"), "text"))
            return true;
    return false;
}

static rdv_str text_of(rdv_chain_builder *m, const rdv_buf *b)
{
    if (!rdv_buf_ok(b))
        rdv_build_nomem(m);
    return b->len ? rdv_trim(rdv_buf_str(b)) : (rdv_str){0};
}

/* The question: a text, or the messages of the user. */
static rdv_str read_input(rdv_chain_builder *m)
{
    const json_t *input = rdv_members_get(m->in, "input");
    if (!json_is_array(input))
        return rdv_build_text(m, "input");
    rdv_buf b;
    rdv_buf_init(&b, m->arena, 0);
    for (size_t i = 0; i < json_array_size(input); i++) {
        const json_t *message = json_array_get(input, i);
        if (!is_text(json_object_get(message, "role"), "user"))
            continue;
        if (b.len)
            rdv_buf_lit(&b, "\n\n");
        add_content(json_object_get(message, "content"), &b, NULL);
    }
    return text_of(m, &b);
}

/* ---- the solution ---------------------------------------------------------------------------- */

/* The content of the model's last message with text: that of the output, or, where an agent ended
 * with a call of a tool, an earlier one. */
static const json_t *find_content(rdv_chain_builder *m, const json_t *choice)
{
    const json_t *content = json_object_get(json_object_get(choice, "message"), "content");
    if (has_text(content))
        return content;
    const json_t *messages = rdv_members_get(m->in, "messages");
    for (size_t i = json_array_size(messages); i-- > 0;) {
        const json_t *message = json_array_get(messages, i);
        const json_t *other = json_object_get(message, "content");
        if (is_text(json_object_get(message, "role"), "assistant") && has_text(other))
            return other;
    }
    return content;
}

static void read_solution(rdv_chain_builder *m)
{
    const json_t *output = rdv_members_get(m->in, "output");
    const json_t *choice = json_array_get(json_object_get(output, "choices"), 0);
    const json_t *stop = json_object_get(choice, "stop_reason");
    rdv_buf solution, reasoning;
    rdv_buf_init(&solution, m->arena, 0);
    rdv_buf_init(&reasoning, m->arena, 0);
    add_content(find_content(m, choice), &solution, &reasoning);
    rdv_str text = text_of(m, &solution);
    if (!text.p)
        rdv_members_fail(m->in, RDV_E_INPUT, "the sample has no answer of the model");
    if (is_text(stop, "max_tokens") || is_text(stop, "model_length"))
        m->chain->unfinished = RDV_STR("the reply was cut off before its end");
    else if (is_text(stop, "content_filter"))
        m->chain->unfinished = RDV_STR("the reply was stopped by a content filter");
    m->no_answer = m->chain->unfinished.p != NULL;
    rdv_build_split(m, text, false);
    rdv_build_keep_text(m, "reasoning", text_of(m, &reasoning));
    rdv_build_keep_text(m, "generator", rdv_build_text_in(m, output, "model"));
}

/* ---- target and scores ----------------------------------------------------------------------- */

/* One text, or several of which each is right; a chain has one gold answer, the first. */
static void read_target(rdv_chain_builder *m)
{
    const json_t *target = rdv_members_get(m->in, "target");
    bool several = json_is_array(target);
    rdv_str gold = rdv_build_text_of(m, several ? json_array_get(target, 0) : target, "target");
    if (gold.len) /* inspect_ai writes "" for none */
        m->chain->question.gold = gold;
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

void rdv_read_inspect(rdv_chain_builder *m)
{
    rdv_chain *chain = m->chain;
    rdv_str id = rdv_build_text(m, "id"), epoch = rdv_build_text(m, "epoch");
    chain->question.text = read_input(m);
    chain->question.id = id;
    /* As inspect_ai names the files of its samples. */
    chain->id = rdv_str_printf(m->arena, "%.*s_epoch_%.*s", RDV_FMT(id), RDV_FMT(epoch));
    if (!chain->id.p)
        rdv_build_nomem(m);
    read_target(m);
    rdv_build_keep(m, "epoch", "epoch");
    const json_t *error = rdv_members_get(m->in, "error");
    if (!json_is_object(error)) {
        read_solution(m);
        read_scores(m);
        return;
    }
    rdv_str message = rdv_build_text_in(m, error, "message");
    m->out->kind = RDV_RECORD_ERROR;
    m->out->error = rdv_str_printf(m->arena, "sample %.*s, epoch %.*s: %.*s", RDV_FMT(id),
                                   RDV_FMT(epoch), RDV_FMT(rdv_slice(message, 0, 200)));
    if (!m->out->error.p)
        rdv_build_nomem(m);
}
