/* SPDX-License-Identifier: Apache-2.0 */
#include "data/turns.h"
#include "base/str.h"

static const json_t *first_of(const json_t *object, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_object_get(object, names[i]);
        bool empty = json_is_array(value) && json_array_size(value) == 0;
        if (value && !json_is_null(value) && !empty)
            return value;
    }
    return NULL;
}

rdv_role rdv_turn_role(const json_t *message)
{
    static const char *const names[] = {"role", "from"};
    static const char *const users[] = {"user", "human", "prompter"};
    static const char *const assistants[] = {"assistant", "gpt", "model", "bot", "chatgpt", "ai"};
    static const char *const systems[] = {"system", "developer"};
    rdv_str role = rdv_string_of(first_of(message, names, 2));
    if (rdv_is_one_of(role, users, sizeof users / sizeof *users))
        return RDV_ROLE_USER;
    if (rdv_is_one_of(role, assistants, sizeof assistants / sizeof *assistants))
        return RDV_ROLE_ASSISTANT;
    return rdv_is_one_of(role, systems, sizeof systems / sizeof *systems) ? RDV_ROLE_SYSTEM
                                                                          : RDV_ROLE_OTHER;
}

/* ---- one message ----------------------------------------------------------------------------- */

/* The texts of a message as its parts are read. */
typedef struct pieces {
    rdv_buf text, reasoning, refusal;
    bool has_text, has_reasoning, calls_tool;
} pieces;

static void add(rdv_buf *to, rdv_str piece)
{
    if (to->len && piece.len)
        rdv_buf_add_char(to, '\n');
    rdv_buf_add(to, piece);
}

/* A text, or a list of texts or of objects with a `text` (summaries of reasoning). */
static void add_reasoning(pieces *p, const json_t *value)
{
    p->has_reasoning |= json_is_string(value);
    add(&p->reasoning, rdv_string_of(value));
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *item = json_array_get(value, i);
        const json_t *text = json_is_object(item) ? json_object_get(item, "text") : item;
        p->has_reasoning |= json_is_string(text);
        add(&p->reasoning, rdv_string_of(text));
    }
}

static void add_text(pieces *p, const json_t *value)
{
    p->has_text |= json_is_string(value);
    add(&p->text, rdv_string_of(value));
}

/* One part of a message's content. Its `type` is text, input_text or output_text, refusal,
 * thinking or reasoning, a call of a tool, or something that is not text (an image). */
static void add_plain_part(pieces *p, const json_t *part)
{
    static const char *const texts[] = {"text", "input_text", "output_text"};
    static const char *const thoughts[] = {"thinking", "reasoning", "reasoning_text"};
    static const char *const calls[] = {"tool_use", "tool_call", "function_call"};
    static const char *const text_names[] = {"text", "content"};
    static const char *const thought_names[] = {"thinking", "reasoning", "content", "text",
                                                "summary"};
    rdv_str type = rdv_string_of(json_object_get(part, "type"));
    if (json_is_string(part))
        add_text(p, part);
    else if (!type.p || rdv_is_one_of(type, texts, 3))
        add_text(p, first_of(part, text_names, 2));
    else if (rdv_is_one_of(type, thoughts, 3))
        add_reasoning(p, first_of(part, thought_names, 5));
    else if (rdv_str_eq(type, RDV_STR("refusal")))
        add(&p->refusal, rdv_string_of(json_object_get(part, "refusal")));
    else
        p->calls_tool |= rdv_is_one_of(type, calls, 3);
}

/* The output of OpenAI's Responses is a list of parts some of which are messages with parts. */
static void add_part(pieces *p, const json_t *part)
{
    if (!rdv_str_eq(rdv_string_of(json_object_get(part, "type")), RDV_STR("message"))) {
        add_plain_part(p, part);
        return;
    }
    const json_t *content = json_object_get(part, "content");
    for (size_t i = 0; i < json_array_size(content); i++)
        add_plain_part(p, json_array_get(content, i));
    add_text(p, content);
}

static void add_content(pieces *p, const json_t *content)
{
    add_text(p, content);
    for (size_t i = 0; i < json_array_size(content); i++)
        add_part(p, json_array_get(content, i));
}

static void add_message(pieces *p, const json_t *message)
{
    static const char *const contents[] = {"content", "parts", "value", "text", "generated_text"};
    static const char *const thoughts[] = {"reasoning_content", "reasoning", "thinking"};
    add_reasoning(p, first_of(message, thoughts, 3));
    add_content(p, first_of(message, contents, 5));
    add(&p->refusal, rdv_string_of(json_object_get(message, "refusal")));
    p->calls_tool |= json_array_size(json_object_get(message, "tool_calls")) > 0 ||
                     json_is_object(json_object_get(message, "function_call"));
}

void rdv_turn_said(rdv_chain_builder *m, const json_t *message, rdv_said *said)
{
    pieces p = {0};
    rdv_buf_init(&p.text, m->arena, 0);
    rdv_buf_init(&p.reasoning, m->arena, 0);
    rdv_buf_init(&p.refusal, m->arena, 0);
    if (json_is_object(message))
        add_message(&p, message);
    else
        add_content(&p, message);
    if (!rdv_buf_ok(&p.text) || !rdv_buf_ok(&p.reasoning) || !rdv_buf_ok(&p.refusal))
        rdv_build_nomem(m);
    *said = (rdv_said){.calls_tool = p.calls_tool};
    if (p.has_text)
        said->text = rdv_buf_str(&p.text);
    if (p.has_reasoning)
        said->reasoning = rdv_buf_str(&p.reasoning);
    if (p.refusal.len)
        said->refusal = rdv_buf_str(&p.refusal);
}

/* ---- several --------------------------------------------------------------------------------- */

size_t rdv_turns_last_reply(const json_t *messages)
{
    size_t n = json_array_size(messages);
    for (size_t i = n; i-- > 0;)
        if (rdv_turn_role(json_array_get(messages, i)) == RDV_ROLE_ASSISTANT)
            return i;
    return n;
}

rdv_str rdv_turns_by(rdv_chain_builder *m, const json_t *messages, size_t n, rdv_role role)
{
    rdv_buf all;
    rdv_buf_init(&all, m->arena, 0);
    bool found = false;
    for (size_t i = 0; i < n && i < json_array_size(messages); i++) {
        const json_t *message = json_array_get(messages, i);
        rdv_said said;
        if (rdv_turn_role(message) != role)
            continue;
        rdv_turn_said(m, message, &said);
        if (found && said.text.p)
            rdv_buf_lit(&all, "\n\n");
        rdv_buf_add(&all, said.text);
        found |= said.text.p != NULL;
    }
    if (!rdv_buf_ok(&all))
        rdv_build_nomem(m);
    return found ? rdv_buf_str(&all) : (rdv_str){0};
}
