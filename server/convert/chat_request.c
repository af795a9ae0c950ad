/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of OpenAI's chat completions, from and to a conversation. Reasoning stands in
 * `reasoning_content` (DeepSeek, vLLM, SGLang, llama.cpp), what vouches for it, or seals it, in
 * `reasoning_details` (OpenRouter). */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "server/convert/conversation.h"

/* ---- reading: contents ----------------------------------------------------------------------- */

typedef struct chat_part {
    rdv_str type, text, image_url, refusal;
} chat_part;

static bool read_image(turn_part *p, rdv_str image, api_error *e)
{
    static const struct view_field fields[] = {{"url", VIEW_TEXT, 0},
                                               {"detail", VIEW_TEXT, sizeof(rdv_str)}};
    rdv_str of[2] = {{0}};
    view_fault why;
    if (!view_read(image, fields, 2, VIEW_REFUSE, of, &why))
        return conversation_refuse(e, "messages", why.text);
    if (of[1].p && !json_view_is(of[1], "auto"))
        return conversation_refuse(e, "messages", "'detail' of an image is not known there");
    return conversation_read_image(p, of[0], "messages", e);
}

static bool read_part(conversation *c, turn *t, rdv_str value, api_error *e)
{
    static const view_field fields[] = {
        VIEW_FIELD(chat_part, type, VIEW_TEXT), VIEW_FIELD(chat_part, text, VIEW_TEXT),
        VIEW_FIELD(chat_part, image_url, VIEW_OBJECT), VIEW_FIELD(chat_part, refusal, VIEW_TEXT)};
    chat_part of = {0};
    view_fault why;
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, "messages", why.text);
    bool image = json_view_is(of.type, "image_url") && of.image_url.p;
    bool refusal = json_view_is(of.type, "refusal") && of.refusal.p;
    if (!image && !refusal && !(json_view_is(of.type, "text") && of.text.p))
        return conversation_refuse(e, "messages", "a part of a type that is not known there");
    if (!view_has_only(fields, VIEW_N(fields), &of,
                       image     ? "type image_url"
                       : refusal ? "type refusal"
                                 : "type text",
                       &why))
        return conversation_refuse(e, "messages", why.text);
    turn_part *p = conversation_part(c, t,
                                     image     ? PART_IMAGE
                                     : refusal ? PART_REFUSAL
                                               : PART_TEXT,
                                     e);
    if (!p)
        return false;
    p->text = refusal ? of.refusal : of.text;
    return !image || read_image(p, of.image_url, e);
}

/* A content is a text, or a list of parts. */
static bool read_content(conversation *c, turn *t, rdv_str content, api_error *e)
{
    rdv_str name, item;
    char first = rdv_char_at(content, 0);
    if (first == '"') {
        return conversation_add_text(c, t, content, e);
    }
    if (first && first != '[')
        return conversation_refuse(e, "messages", "'content' must be a text or a list");
    for (size_t at = 0; json_view_next(content, &at, &name, &item);)
        if (!read_part(c, t, item, e))
            return false;
    return true;
}

/* ---- reading: turns -------------------------------------------------------------------------- */

typedef struct chat_turn {
    rdv_str role, content, tool_calls, tool_call_id, reasoning_content, reasoning,
        reasoning_details, refusal;
} chat_turn;

typedef struct chat_detail {
    rdv_str type, text, signature, data, summary, id;
} chat_detail;

static bool read_detail(conversation *c, turn *t, rdv_str value, api_error *e)
{
    static const view_field fields[] = {VIEW_FIELD(chat_detail, type, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, text, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, data, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, signature, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, summary, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, id, VIEW_TEXT),
                                        {"index", VIEW_DROPPED, 0},
                                        {"format", VIEW_DROPPED, 0}};
    chat_detail of = {0};
    view_fault why;
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, "messages", why.text);
    bool sealed = json_view_is(of.type, "reasoning.encrypted");
    if (!sealed && !json_view_is(of.type, "reasoning.text") &&
        !json_view_is(of.type, "reasoning.summary"))
        return conversation_refuse(e, "messages", "'reasoning_details' of an unknown type");
    if (!view_has_only(fields, VIEW_N(fields), &of,
                       sealed ? "type data id" : "type text summary signature id", &why))
        return conversation_refuse(e, "messages", why.text);
    turn_part *p = conversation_part(c, t, sealed ? PART_SEALED : PART_REASONING, e);
    if (!p)
        return false;
    p->text = of.text.p ? of.text : of.summary.p ? of.summary : RDV_STR("\"\"");
    p->signature = of.signature;
    p->data = of.data;
    p->id = of.id;
    return !sealed || of.data.p ||
           conversation_refuse(e, "messages", "'reasoning_details' without data");
}

/* The details have the texts once more. */
static bool read_reasoning(conversation *c, turn *t, const chat_turn *of, api_error *e)
{
    rdv_str name, item;
    rdv_str text = of->reasoning_content.p ? of->reasoning_content : of->reasoning;
    for (size_t at = 0; json_view_next(of->reasoning_details, &at, &name, &item);)
        if (!read_detail(c, t, item, e))
            return false;
    for (turn_part *p = t->first; p; p = p->next)
        if (p->kind == PART_REASONING && p->text.len > 2)
            return true;
    if (json_view_is_nothing(text))
        return true;
    turn_part *p = conversation_part(c, t, PART_REASONING, e);
    if (p)
        p->text = text;
    return p;
}

typedef struct chat_call {
    rdv_str id, type, function;
} chat_call;

typedef struct chat_function {
    rdv_str name, arguments;
} chat_function;

static bool read_call(conversation *c, turn *t, rdv_str value, api_error *e)
{
    static const view_field fields[] = {VIEW_FIELD(chat_call, id, VIEW_TEXT),
                                        VIEW_FIELD(chat_call, type, VIEW_TEXT),
                                        VIEW_FIELD(chat_call, function, VIEW_OBJECT),
                                        {"index", VIEW_DROPPED, 0}};
    static const view_field of_function[] = {VIEW_FIELD(chat_function, name, VIEW_TEXT),
                                             VIEW_FIELD(chat_function, arguments, VIEW_TEXT)};
    chat_call of = {0};
    chat_function function = {0};
    view_fault why;
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why) ||
        !view_read(of.function, of_function, VIEW_N(of_function), VIEW_REFUSE, &function, &why))
        return conversation_refuse(e, "messages", why.text);
    if (!of.id.p || !function.name.p || (of.type.p && !json_view_is(of.type, "function")))
        return conversation_refuse(e, "messages", "a call that is none of a function");
    turn_part *p = conversation_part(c, t, PART_CALL, e);
    if (!p)
        return false;
    p->id = of.id;
    p->name = function.name;
    return conversation_object(c->arena, function.arguments, &p->input) ||
           conversation_refuse(e, "messages", "the arguments of a call are no JSON object");
}

static bool read_calls(conversation *c, turn *t, rdv_str calls, api_error *e)
{
    rdv_str name, item;
    for (size_t at = 0; json_view_next(calls, &at, &name, &item);)
        if (!read_call(c, t, item, e))
            return false;
    return true;
}

/* Results that follow each other are one turn, which the user's next one goes on. */
static turn *turn_of_results(conversation *c, api_error *e)
{
    turn *t = c->last;
    if (t && t->role == TURN_USER && t->last && t->last->kind == PART_RESULT)
        return t;
    return conversation_turn(c, TURN_USER, e);
}

static bool read_result(conversation *c, const chat_turn *of, api_error *e)
{
    turn content = {0};
    turn *t = turn_of_results(c, e);
    turn_part *p = conversation_part(c, t, PART_RESULT, e);
    if (!p || !read_content(c, &content, of->content, e))
        return false;
    p->id = of->tool_call_id;
    p->content = content.first;
    return p->id.p || conversation_refuse(e, "messages", "a result without 'tool_call_id'");
}

static bool read_turn(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {VIEW_FIELD(chat_turn, role, VIEW_TEXT),
                                        VIEW_FIELD(chat_turn, content, VIEW_ANY),
                                        VIEW_FIELD(chat_turn, tool_calls, VIEW_LIST),
                                        VIEW_FIELD(chat_turn, tool_call_id, VIEW_TEXT),
                                        VIEW_FIELD(chat_turn, reasoning_content, VIEW_TEXT),
                                        VIEW_FIELD(chat_turn, reasoning, VIEW_TEXT),
                                        VIEW_FIELD(chat_turn, reasoning_details, VIEW_LIST),
                                        VIEW_FIELD(chat_turn, refusal, VIEW_TEXT),
                                        {"annotations", VIEW_NOTHING, 0}};
    chat_turn of = {0};
    view_fault why;
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, "messages", why.text);
    if (json_view_is(of.role, "tool"))
        return read_result(c, &of, e);
    bool system = json_view_is(of.role, "system") || json_view_is(of.role, "developer");
    bool assistant = json_view_is(of.role, "assistant");
    if (!system && !assistant && !json_view_is(of.role, "user"))
        return conversation_refuse(e, "messages", "a turn of a role that is not known there");
    if (!assistant && (of.tool_calls.p || of.reasoning_content.p || of.reasoning.p ||
                       of.reasoning_details.p || of.refusal.p))
        return conversation_refuse(e, "messages", "calls or reasoning in a turn of another role");
    turn *t = system      ? conversation_turn(c, TURN_SYSTEM, e)
              : assistant ? conversation_turn(c, TURN_ASSISTANT, e)
              : c->last && c->last->last && c->last->last->kind == PART_RESULT
                  ? c->last
                  : conversation_turn(c, TURN_USER, e);
    if (!t || !read_reasoning(c, t, &of, e) || !read_content(c, t, of.content, e))
        return false;
    if (of.refusal.p) {
        turn_part *p = conversation_part(c, t, PART_REFUSAL, e);
        if (!p)
            return false;
        p->text = of.refusal;
    }
    return read_calls(c, t, of.tool_calls, e);
}

/* ---- reading: tools and settings ------------------------------------------------------------- */

typedef struct chat_request {
    rdv_str messages, stream, max_tokens, max_completion_tokens, temperature, top_p, top_k, n, stop,
        tools, tool_choice, parallel_tool_calls, user, reasoning_effort, thinking, response_format,
        modalities;
} chat_request;

typedef struct chat_tool {
    rdv_str name, description, parameters, strict;
} chat_tool;

/* {"type":"function","function":{...}}: the inner object. */
static bool read_function(rdv_str value, const char *member, rdv_str *function, api_error *e)
{
    static const view_field fields[] = {VIEW_FIELD(chat_call, type, VIEW_TEXT),
                                        VIEW_FIELD(chat_call, function, VIEW_OBJECT)};
    chat_call of = {0};
    view_fault why;
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, member, why.text);
    *function = of.function;
    return (json_view_is(of.type, "function") && of.function.p) ||
           conversation_refuse(e, member, "only tools of type 'function' are known there");
}

static bool read_tool(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {
        VIEW_FIELD(chat_tool, name, VIEW_TEXT), VIEW_FIELD(chat_tool, description, VIEW_TEXT),
        VIEW_FIELD(chat_tool, parameters, VIEW_OBJECT), VIEW_FIELD(chat_tool, strict, VIEW_FLAG)};
    rdv_str function;
    chat_tool of = {0};
    view_fault why;
    if (!read_function(value, "tools", &function, e))
        return false;
    if (!view_read(function, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, "tools", why.text);
    return conversation_add_tool(
        c,
        (tool){
            .name = of.name, .about = of.description, .schema = of.parameters, .strict = of.strict},
        e);
}

static bool read_choice(conversation *c, rdv_str value, api_error *e)
{
    static const view_field name[] = {VIEW_FIELD(chat_tool, name, VIEW_TEXT)};
    rdv_str function;
    chat_tool of = {0};
    view_fault why;
    if (conversation_read_choice_word(c, value))
        return true;
    if (!read_function(value, "tool_choice", &function, e))
        return false;
    if (!view_read(function, name, 1, VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, "tool_choice", why.text);
    c->choice = TOOLS_ONE;
    c->chosen = of.name;
    return of.name.p || conversation_refuse(e, "tool_choice", "a function without a name");
}

/* {"type":"json_schema","json_schema":{"name":...,"schema":{...}}} */
static bool read_format(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {{"type", VIEW_TEXT, 0},
                                        {"json_schema", VIEW_OBJECT, sizeof(rdv_str)}};
    static const view_field of_schema[] = {{"name", VIEW_TEXT, 0},
                                           {"schema", VIEW_OBJECT, sizeof(rdv_str)},
                                           {"description", VIEW_TEXT, 2 * sizeof(rdv_str)},
                                           {"strict", VIEW_DROPPED, 0}};
    rdv_str of[2] = {{0}}, schema[3] = {{0}};
    view_fault why;
    if (!value.p)
        return true;
    if (!view_read(value, fields, 2, VIEW_REFUSE, of, &why))
        return conversation_refuse(e, "response_format", why.text);
    if (json_view_is(of[0], "text") && !of[1].p)
        return true;
    if (!json_view_is(of[0], "json_schema"))
        return conversation_refuse(e, "response_format", "only 'json_schema' is known there");
    if (!view_read(of[1], of_schema, VIEW_N(of_schema), VIEW_REFUSE, schema, &why))
        return conversation_refuse(e, "response_format", why.text);
    c->schema_name = schema[0];
    c->schema = schema[1];
    c->schema_about = schema[2];
    return c->schema.p || conversation_refuse(e, "response_format", "there is no schema");
}

static bool read_settings(conversation *c, const chat_request *r, api_error *e)
{
    c->stream = r->stream;
    c->max_tokens = r->max_completion_tokens.p ? r->max_completion_tokens : r->max_tokens;
    c->temperature = r->temperature;
    c->top_p = r->top_p;
    c->top_k = r->top_k;
    c->user = r->user;
    c->effort = r->reasoning_effort;
    c->thinking = r->thinking;
    c->one_call = rdv_char_at(r->parallel_tool_calls, 0) == 'f';
    if (r->n.p && json_view_count(r->n) != 1)
        return conversation_refuse(e, "n", "a reply there has one choice");
    if (r->modalities.p &&
        !json_view_is(rdv_trim(rdv_slice(r->modalities, 1, r->modalities.len - 1)), "text"))
        return conversation_refuse(e, "modalities", "only 'text' is known there");
    if (r->max_tokens.p && r->max_completion_tokens.p &&
        !rdv_str_eq(r->max_tokens, r->max_completion_tokens))
        return conversation_refuse(e, "max_tokens", "it differs from 'max_completion_tokens'");
    if (!r->stop.p)
        return true;
    c->stop = conversation_listed(c->arena, r->stop);
    return c->stop.p || conversation_no_memory(e);
}

bool conversation_read_chat(conversation *c, rdv_str body, api_error *e)
{
    static const view_field fields[] = {
        VIEW_FIELD(chat_request, messages, VIEW_LIST),
        VIEW_FIELD(chat_request, stream, VIEW_FLAG),
        VIEW_FIELD(chat_request, max_tokens, VIEW_NUMBER),
        VIEW_FIELD(chat_request, max_completion_tokens, VIEW_NUMBER),
        VIEW_FIELD(chat_request, temperature, VIEW_NUMBER),
        VIEW_FIELD(chat_request, top_p, VIEW_NUMBER),
        VIEW_FIELD(chat_request, top_k, VIEW_NUMBER),
        VIEW_FIELD(chat_request, n, VIEW_NUMBER),
        VIEW_FIELD(chat_request, stop, VIEW_ANY),
        VIEW_FIELD(chat_request, tools, VIEW_LIST),
        VIEW_FIELD(chat_request, tool_choice, VIEW_ANY),
        VIEW_FIELD(chat_request, parallel_tool_calls, VIEW_FLAG),
        VIEW_FIELD(chat_request, user, VIEW_TEXT),
        VIEW_FIELD(chat_request, reasoning_effort, VIEW_TEXT),
        VIEW_FIELD(chat_request, thinking, VIEW_OBJECT),
        VIEW_FIELD(chat_request, response_format, VIEW_OBJECT),
        VIEW_FIELD(chat_request, modalities, VIEW_LIST),
        {"model", VIEW_DROPPED, 0},
        {"rederive", VIEW_DROPPED, 0},
        {"stream_options", VIEW_DROPPED, 0}, /* read by the writer of the reply */
        {"store", VIEW_NOTHING, 0},
        {"logprobs", VIEW_NOTHING, 0},
        {"presence_penalty", VIEW_NOTHING, 0},
        {"frequency_penalty", VIEW_NOTHING, 0},
        {"metadata", VIEW_NOTHING, 0}};
    rdv_str name, item;
    chat_request r = {0};
    view_fault why;
    if (!view_read(body, fields, VIEW_N(fields), VIEW_REFUSE, &r, &why))
        return conversation_refuse(e, "request", why.text);
    for (size_t at = 0; json_view_next(r.messages, &at, &name, &item);)
        if (!read_turn(c, item, e))
            return false;
    for (size_t at = 0; json_view_next(r.tools, &at, &name, &item);)
        if (!read_tool(c, item, e))
            return false;
    return read_choice(c, r.tool_choice, e) && read_format(c, r.response_format, e) &&
           read_settings(c, &r, e);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_part(rdv_buf *b, const turn_part *p)
{
    rdv_json_item(b);
    if (p->kind == PART_IMAGE) {
        rdv_buf_lit(b, "{\"type\":\"image_url\",\"image_url\":{\"url\":");
        conversation_write_image(b, p);
        rdv_buf_lit(b, "}}");
        return;
    }
    rdv_buf_printf(b, "{\"type\":\"%s\",\"%s\":%.*s}", p->kind == PART_REFUSAL ? "refusal" : "text",
                   p->kind == PART_REFUSAL ? "refusal" : "text", RDV_FMT(p->text));
}

/* The parts from `p` up to `end` that are content: one text as such. */
static void write_content(rdv_buf *b, const turn_part *p, const turn_part *end)
{
    size_t n = 0;
    const turn_part *one = NULL;
    for (const turn_part *q = p; q != end; q = q->next)
        if (conversation_is_content(q)) {
            one = q;
            n++;
        }
    if (n == 0) {
        rdv_json_put_null(b, "content");
    } else if (n == 1 && one->kind == PART_TEXT) {
        conversation_put(b, "content", one->text);
    } else {
        rdv_json_open(b, "content", '[');
        for (const turn_part *q = p; q != end; q = q->next)
            if (conversation_is_content(q))
                write_part(b, q);
        rdv_buf_add_char(b, ']');
    }
}

static void write_reasoning(rdv_buf *b, const turn *t)
{
    size_t n = 0, n_texts = 0;
    for (const turn_part *p = t->first; p; p = p->next) {
        n += p->kind == PART_SEALED || p->signature.len > 2;
        n_texts += p->kind == PART_REASONING;
    }
    if (n_texts)
        rdv_json_open(b, "reasoning_content", '"');
    size_t k = 0;
    for (const turn_part *p = t->first; p; p = p->next) {
        if (p->kind != PART_REASONING)
            continue;
        if (k++)
            rdv_buf_lit(b, "\\n\\n");
        rdv_buf_add(b, json_view_inner(p->text));
    }
    if (n_texts)
        rdv_buf_add_char(b, '"');
    if (!n)
        return;
    rdv_json_open(b, "reasoning_details", '[');
    for (const turn_part *p = t->first; p; p = p->next) {
        if (p->kind != PART_REASONING && p->kind != PART_SEALED)
            continue;
        bool sealed = p->kind == PART_SEALED;
        rdv_json_item(b);
        rdv_buf_add_char(b, '{');
        rdv_json_put_text(b, "type",
                          sealed ? RDV_STR("reasoning.encrypted") : RDV_STR("reasoning.text"));
        conversation_put(b, sealed ? "data" : "text", sealed ? p->data : p->text);
        conversation_put(b, "signature", p->signature);
        conversation_put(b, "id", p->id);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
}

static void write_calls(rdv_buf *b, const turn *t)
{
    bool any = false;
    for (const turn_part *p = t->first; p; p = p->next) {
        if (p->kind != PART_CALL)
            continue;
        if (!any)
            rdv_json_open(b, "tool_calls", '[');
        any = true;
        rdv_json_item(b);
        rdv_buf_printf(b, "{\"id\":%.*s,\"type\":\"function\",\"function\":{\"name\":%.*s",
                       RDV_FMT(p->id), RDV_FMT(p->name));
        rdv_json_put_text(b, "arguments", p->input);
        rdv_buf_lit(b, "}}");
    }
    if (any)
        rdv_buf_add_char(b, ']');
}

static bool write_result(rdv_buf *b, const turn_part *p, api_error *e)
{
    turn_part failed = {.kind = PART_TEXT, .text = RDV_STR("\"Error:\""), .next = p->content};
    for (const turn_part *q = p->content; q; q = q->next)
        if (q->kind != PART_TEXT)
            return conversation_refuse(e, "messages", "a tool's result can hold texts only there");
    rdv_buf_lit(b, "{\"role\":\"tool\"");
    conversation_put(b, "tool_call_id", p->id);
    if (p->content || p->failed)
        write_content(b, p->failed ? &failed : p->content, NULL);
    else
        rdv_json_put_text(b, "content", RDV_STR(""));
    rdv_buf_add_char(b, '}');
    return true;
}

/* The results in a turn are turns of their own. */
static bool write_user(rdv_buf *b, const turn *t, api_error *e)
{
    const turn_part *p = t->first;
    while (p) {
        const turn_part *end = p;
        rdv_json_item(b);
        if (p->kind == PART_RESULT) {
            if (!write_result(b, p, e))
                return false;
            p = p->next;
            continue;
        }
        while (end && end->kind != PART_RESULT)
            end = end->next;
        rdv_buf_printf(b, "{\"role\":\"%s\"", t->role == TURN_SYSTEM ? "system" : "user");
        write_content(b, p, end);
        rdv_buf_add_char(b, '}');
        p = end;
    }
    return true;
}

static bool write_assistant(rdv_buf *b, const turn *t, api_error *e)
{
    bool called = false;
    for (const turn_part *p = t->first; p; p = p->next) {
        if (called && p->kind != PART_CALL)
            return conversation_refuse(e, "messages", "text or thinking behind the call of a tool");
        called |= p->kind == PART_CALL;
    }
    rdv_json_item(b);
    rdv_buf_lit(b, "{\"role\":\"assistant\"");
    write_content(b, t->first, NULL);
    write_reasoning(b, t);
    write_calls(b, t);
    rdv_buf_add_char(b, '}');
    return true;
}

static void write_tools(const conversation *c, rdv_buf *b)
{
    if (c->tools)
        rdv_json_open(b, "tools", '[');
    for (const tool *t = c->tools; t; t = t->next) {
        rdv_json_item(b);
        rdv_buf_lit(b, "{\"type\":\"function\",\"function\":{");
        conversation_put(b, "name", t->name);
        conversation_put(b, "description", t->about);
        conversation_put(b, "parameters", t->schema);
        conversation_put(b, "strict", t->strict);
        rdv_buf_lit(b, "}}");
    }
    if (c->tools)
        rdv_buf_add_char(b, ']');
    conversation_put_choice(c, b, true);
}

static void write_format(const conversation *c, rdv_buf *b)
{
    if (!c->schema.p)
        return;
    rdv_json_open(b, "response_format", '{');
    rdv_json_put_text(b, "type", RDV_STR("json_schema"));
    rdv_json_open(b, "json_schema", '{');
    conversation_put(b, "name", c->schema_name.p ? c->schema_name : RDV_STR("\"reply\""));
    conversation_put(b, "description", c->schema_about);
    conversation_put(b, "schema", c->schema);
    rdv_json_put_flag(b, "strict", true);
    rdv_buf_lit(b, "}}");
}

bool conversation_write_chat(const conversation *c, rdv_buf *b, api_error *e)
{
    rdv_buf_lit(b, "{\"messages\":[");
    for (const turn *t = c->first; t; t = t->next)
        if (!(t->role == TURN_ASSISTANT ? write_assistant(b, t, e) : write_user(b, t, e)))
            return false;
    rdv_buf_add_char(b, ']');
    conversation_put(b, "max_tokens", c->max_tokens);
    conversation_put(b, "temperature", c->temperature);
    conversation_put(b, "top_p", c->top_p);
    conversation_put(b, "top_k", c->top_k);
    conversation_put(b, "stop", c->stop);
    conversation_put(b, "user", c->user);
    conversation_put(b, "reasoning_effort", c->effort);
    conversation_put(b, "thinking", c->thinking);
    write_tools(c, b);
    write_format(c, b);
    conversation_put(b, "stream", c->stream);
    if (rdv_char_at(c->stream, 0) == 't')
        rdv_buf_lit(b, ",\"stream_options\":{\"include_usage\":true}");
    rdv_buf_add_char(b, '}');
    return rdv_buf_ok(b) || conversation_no_memory(e);
}
