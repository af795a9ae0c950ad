/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of OpenAI's Responses, from and to a conversation. What would be kept by the server
 * between requests is refused; so are its own tools. */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "server/convert/conversation.h"

/* ---- reading: items -------------------------------------------------------------------------- */

typedef struct response_part {
    rdv_str type, text, image_url, refusal, detail;
} response_part;

static bool read_part(conversation *c, turn *t, rdv_str value, api_error *e)
{
    static const view_field fields[] = {VIEW_FIELD(response_part, type, VIEW_TEXT),
                                        VIEW_FIELD(response_part, text, VIEW_TEXT),
                                        VIEW_FIELD(response_part, image_url, VIEW_TEXT),
                                        VIEW_FIELD(response_part, refusal, VIEW_TEXT),
                                        VIEW_FIELD(response_part, detail, VIEW_TEXT),
                                        {"annotations", VIEW_NOTHING, 0},
                                        {"logprobs", VIEW_DROPPED, 0}};
    response_part of = {0};
    view_fault why;
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, "input", why.text);
    bool image = json_view_is(of.type, "input_image");
    bool refusal = json_view_is(of.type, "refusal");
    bool text = json_view_is(of.type, "input_text") || json_view_is(of.type, "output_text");
    if (!view_has_only(fields, VIEW_N(fields), &of,
                       image     ? "type image_url detail"
                       : refusal ? "type refusal"
                                 : "type text",
                       &why))
        return conversation_refuse(e, "input", why.text);
    if (!(image && of.image_url.p) && !(refusal && of.refusal.p) && !(text && of.text.p))
        return conversation_refuse(e, "input", "a part of a type that is not known there");
    if (of.detail.p && !json_view_is(of.detail, "auto"))
        return conversation_refuse(e, "input", "'detail' of an image is not known there");
    turn_part *p = conversation_part(c, t,
                                     image     ? PART_IMAGE
                                     : refusal ? PART_REFUSAL
                                               : PART_TEXT,
                                     e);
    if (!p)
        return false;
    p->text = refusal ? of.refusal : of.text;
    return !image || conversation_read_image(p, of.image_url, "input", e);
}

static bool read_content(conversation *c, turn *t, rdv_str content, api_error *e)
{
    rdv_str name, item;
    char first = rdv_char_at(content, 0);
    if (first == '"') {
        return conversation_add_text(c, t, content, e);
    }
    if (first != '[')
        return conversation_refuse(e, "input", "a content must be a text or a list");
    for (size_t at = 0; json_view_next(content, &at, &name, &item);)
        if (!read_part(c, t, item, e))
            return false;
    return true;
}

/* The last turn, if it is of that role, else a new one. */
static turn *turn_of(conversation *c, turn_role role, api_error *e)
{
    return c->last && c->last->role == role ? c->last : conversation_turn(c, role, e);
}

typedef struct response_item {
    rdv_str type, role, content, call_id, name, arguments, output, summary, encrypted_content, id;
} response_item;

/* An assistant's items are one turn. */
static bool read_message(conversation *c, const response_item *of, api_error *e)
{
    bool system = json_view_is(of->role, "system") || json_view_is(of->role, "developer");
    bool assistant = json_view_is(of->role, "assistant");
    if (!system && !assistant && !json_view_is(of->role, "user"))
        return conversation_refuse(e, "input", "a turn of a role that is not known there");
    turn *t = assistant ? turn_of(c, TURN_ASSISTANT, e)
              : system  ? conversation_turn(c, TURN_SYSTEM, e)
              : c->last && c->last->last && c->last->last->kind == PART_RESULT
                  ? c->last
                  : conversation_turn(c, TURN_USER, e);
    return t && read_content(c, t, of->content, e);
}

static bool read_call(conversation *c, const response_item *of, api_error *e)
{
    turn_part *p = conversation_part(c, turn_of(c, TURN_ASSISTANT, e), PART_CALL, e);
    if (!p)
        return false;
    p->id = of->call_id;
    p->name = of->name;
    if (!p->id.p || !p->name.p)
        return conversation_refuse(e, "input", "a 'function_call' without call_id or name");
    return conversation_object(c->arena, of->arguments, &p->input) ||
           conversation_refuse(e, "input", "the arguments of a call are no JSON object");
}

static bool read_result(conversation *c, const response_item *of, api_error *e)
{
    turn content = {0};
    turn *t = c->last && c->last->last && c->last->last->kind == PART_RESULT
                  ? c->last
                  : conversation_turn(c, TURN_USER, e);
    turn_part *p = conversation_part(c, t, PART_RESULT, e);
    if (!p || !read_content(c, &content, of->output, e))
        return false;
    p->id = of->call_id;
    p->content = content.first;
    return p->id.p || conversation_refuse(e, "input", "a result without 'call_id'");
}

static bool add_reasoning(conversation *c, const response_item *of, rdv_str list, const char *type,
                          bool *any, api_error *e)
{
    static const view_field fields[] = {{"type", VIEW_TEXT, 0},
                                        {"text", VIEW_TEXT, sizeof(rdv_str)}};
    rdv_str name, item;
    view_fault why;
    for (size_t at = 0; json_view_next(list, &at, &name, &item);) {
        rdv_str part[2] = {{0}};
        if (!view_read(item, fields, 2, VIEW_REFUSE, part, &why))
            return conversation_refuse(e, "input", why.text);
        if (!json_view_is(part[0], type) || !part[1].p)
            return conversation_refuse(e, "input", "reasoning of a type that is not known there");
        turn_part *p = conversation_part(c, turn_of(c, TURN_ASSISTANT, e), PART_REASONING, e);
        if (!p)
            return false;
        p->text = part[1];
        p->id = of->id;
        *any = true;
    }
    return true;
}

/* What is encrypted vouches for the text beside it, or is all there is. */
static bool read_reasoning(conversation *c, const response_item *of, api_error *e)
{
    bool any = false;
    if (!add_reasoning(c, of, of->content, "reasoning_text", &any, e) ||
        !add_reasoning(c, of, of->summary, "summary_text", &any, e))
        return false;
    if (!of->encrypted_content.p)
        return true;
    if (any) {
        c->last->last->signature = of->encrypted_content;
        return true;
    }
    turn_part *p = conversation_part(c, turn_of(c, TURN_ASSISTANT, e), PART_SEALED, e);
    if (!p)
        return false;
    p->data = of->encrypted_content;
    p->id = of->id;
    return true;
}

static bool read_item(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {
        VIEW_FIELD(response_item, type, VIEW_TEXT),
        VIEW_FIELD(response_item, role, VIEW_TEXT),
        VIEW_FIELD(response_item, content, VIEW_ANY),
        VIEW_FIELD(response_item, call_id, VIEW_TEXT),
        VIEW_FIELD(response_item, name, VIEW_TEXT),
        VIEW_FIELD(response_item, arguments, VIEW_TEXT),
        VIEW_FIELD(response_item, output, VIEW_ANY),
        VIEW_FIELD(response_item, summary, VIEW_LIST),
        VIEW_FIELD(response_item, encrypted_content, VIEW_TEXT),
        VIEW_FIELD(response_item, id, VIEW_TEXT),
        {"status", VIEW_DROPPED, 0},
    };
    static const struct {
        const char *type;
        bool (*read)(conversation *c, const response_item *of, api_error *e);
        const char *members;
    } types[] = {{"message", read_message, "type role content id"},
                 {"function_call", read_call, "type call_id name arguments id"},
                 {"function_call_output", read_result, "type call_id output id"},
                 {"reasoning", read_reasoning, "type summary content encrypted_content id"}};
    response_item of = {0};
    view_fault why;
    rdv_str type = json_view_member(value, "type");
    type = type.p ? type : RDV_STR("\"message\"");
    for (size_t i = 0; i < VIEW_N(types); i++) {
        if (!json_view_is(type, types[i].type))
            continue;
        if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why) ||
            !view_has_only(fields, VIEW_N(fields), &of, types[i].members, &why))
            return conversation_refuse(e, "input", why.text);
        return types[i].read(c, &of, e);
    }
    view_fail(&why, "an item of the type %.*s is not known there", VIEW_SHOWN(type));
    return conversation_refuse(e, "input", why.text);
}

static bool read_input(conversation *c, rdv_str input, api_error *e)
{
    rdv_str name, item;
    if (rdv_char_at(input, 0) == '"') {
        turn *t = conversation_turn(c, TURN_USER, e);
        return t && read_content(c, t, input, e);
    }
    if (rdv_char_at(input, 0) != '[')
        return conversation_refuse(e, "input", "it must be a text or a list");
    for (size_t at = 0; json_view_next(input, &at, &name, &item);)
        if (!read_item(c, item, e))
            return false;
    return true;
}

/* ---- reading: tools and settings ------------------------------------------------------------- */

typedef struct response_request {
    rdv_str input, instructions, stream, max_output_tokens, temperature, top_p, tools, tool_choice,
        parallel_tool_calls, user, reasoning, text, truncation, service_tier, include;
} response_request;

typedef struct response_tool {
    rdv_str type, name, description, parameters, strict;
} response_tool;

static bool read_tool(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {VIEW_FIELD(response_tool, type, VIEW_TEXT),
                                        VIEW_FIELD(response_tool, name, VIEW_TEXT),
                                        VIEW_FIELD(response_tool, description, VIEW_TEXT),
                                        VIEW_FIELD(response_tool, parameters, VIEW_OBJECT),
                                        VIEW_FIELD(response_tool, strict, VIEW_FLAG)};
    response_tool of = {0};
    view_fault why;
    rdv_str type = json_view_member(value, "type");
    if (!json_view_is(type, "function")) {
        view_fail(&why, "the tool %.*s is not served there", VIEW_SHOWN(type));
        return conversation_refuse(e, "tools", why.text);
    }
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, "tools", why.text);
    return conversation_add_tool(
        c,
        (tool){
            .name = of.name, .about = of.description, .schema = of.parameters, .strict = of.strict},
        e);
}

static bool read_choice(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {{"type", VIEW_TEXT, 0},
                                        {"name", VIEW_TEXT, sizeof(rdv_str)}};
    rdv_str of[2] = {{0}};
    view_fault why;
    if (conversation_read_choice_word(c, value))
        return true;
    if (!view_read(value, fields, 2, VIEW_REFUSE, of, &why))
        return conversation_refuse(e, "tool_choice", why.text);
    c->choice = TOOLS_ONE;
    c->chosen = of[1];
    return (json_view_is(of[0], "function") && of[1].p) ||
           conversation_refuse(e, "tool_choice", "only tools of type 'function' are known there");
}

static bool read_format(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {{"type", VIEW_TEXT, 0},
                                        {"name", VIEW_TEXT, sizeof(rdv_str)},
                                        {"schema", VIEW_OBJECT, 2 * sizeof(rdv_str)},
                                        {"description", VIEW_TEXT, 3 * sizeof(rdv_str)},
                                        {"strict", VIEW_DROPPED, 0}};
    rdv_str of[4] = {{0}};
    view_fault why;
    if (!value.p || json_view_is(json_view_member(value, "type"), "text"))
        return true;
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, of, &why))
        return conversation_refuse(e, "text", why.text);
    c->schema_name = of[1];
    c->schema = of[2];
    c->schema_about = of[3];
    return (json_view_is(of[0], "json_schema") && c->schema.p) ||
           conversation_refuse(e, "text", "only a format 'json_schema' is known there");
}

static bool read_settings(conversation *c, const response_request *r, api_error *e)
{
    static const view_field effort[] = {{"effort", VIEW_TEXT, 0}};
    static const view_field format[] = {{"format", VIEW_OBJECT, 0}};
    rdv_str of_text = {0};
    view_fault why;
    c->stream = r->stream;
    c->max_tokens = r->max_output_tokens;
    c->temperature = r->temperature;
    c->top_p = r->top_p;
    c->user = r->user;
    c->one_call = rdv_char_at(r->parallel_tool_calls, 0) == 'f';
    if (r->truncation.p && !json_view_is(r->truncation, "disabled"))
        return conversation_refuse(e, "truncation", "only 'disabled' is known there");
    if (r->service_tier.p && !json_view_is(r->service_tier, "auto"))
        return conversation_refuse(e, "service_tier", "only 'auto' is known there");
    if (!json_view_is_nothing(r->include))
        return conversation_refuse(e, "include", "what it asks for is not given there");
    if (r->reasoning.p && !view_read(r->reasoning, effort, 1, VIEW_REFUSE, &c->effort, &why))
        return conversation_refuse(e, "reasoning", why.text);
    if (r->text.p && !view_read(r->text, format, 1, VIEW_REFUSE, &of_text, &why))
        return conversation_refuse(e, "text", why.text);
    return read_format(c, of_text, e);
}

static bool read_instructions(conversation *c, rdv_str text, api_error *e)
{
    turn *t = text.p ? conversation_turn(c, TURN_SYSTEM, e) : NULL;
    return !text.p || (t && read_content(c, t, text, e));
}

bool conversation_read_responses(conversation *c, rdv_str body, api_error *e)
{
    static const view_field fields[] = {
        VIEW_FIELD(response_request, input, VIEW_ANY),
        VIEW_FIELD(response_request, instructions, VIEW_TEXT),
        VIEW_FIELD(response_request, stream, VIEW_FLAG),
        VIEW_FIELD(response_request, max_output_tokens, VIEW_NUMBER),
        VIEW_FIELD(response_request, temperature, VIEW_NUMBER),
        VIEW_FIELD(response_request, top_p, VIEW_NUMBER),
        VIEW_FIELD(response_request, tools, VIEW_LIST),
        VIEW_FIELD(response_request, tool_choice, VIEW_ANY),
        VIEW_FIELD(response_request, parallel_tool_calls, VIEW_FLAG),
        VIEW_FIELD(response_request, user, VIEW_TEXT),
        VIEW_FIELD(response_request, reasoning, VIEW_OBJECT),
        VIEW_FIELD(response_request, text, VIEW_OBJECT),
        VIEW_FIELD(response_request, truncation, VIEW_TEXT),
        VIEW_FIELD(response_request, service_tier, VIEW_TEXT),
        VIEW_FIELD(response_request, include, VIEW_LIST),
        {"model", VIEW_DROPPED, 0},
        {"rederive", VIEW_DROPPED, 0},
        {"stream_options", VIEW_DROPPED, 0},
        {"store", VIEW_NOTHING, 0},
        {"background", VIEW_NOTHING, 0},
        {"metadata", VIEW_NOTHING, 0},
        {"top_logprobs", VIEW_NOTHING, 0}};
    rdv_str name, item;
    response_request r = {0};
    view_fault why;
    if (!view_read(body, fields, VIEW_N(fields), VIEW_REFUSE, &r, &why))
        return conversation_refuse(e, "request", why.text);
    if (!read_instructions(c, r.instructions, e) || !read_input(c, r.input, e))
        return false;
    for (size_t at = 0; json_view_next(r.tools, &at, &name, &item);)
        if (!read_tool(c, item, e))
            return false;
    return read_choice(c, r.tool_choice, e) && read_settings(c, &r, e);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Texts that the assistant wrote have another type. */
static void write_part(rdv_buf *b, const turn_part *p, bool assistant)
{
    rdv_json_item(b);
    if (p->kind == PART_REFUSAL) {
        rdv_buf_printf(b, "{\"type\":\"refusal\",\"refusal\":%.*s}", RDV_FMT(p->text));
    } else if (p->kind == PART_TEXT) {
        rdv_buf_printf(b, "{\"type\":\"%s_text\",\"text\":%.*s}", assistant ? "output" : "input",
                       RDV_FMT(p->text));
    } else {
        rdv_buf_lit(b, "{\"type\":\"input_image\",\"image_url\":");
        conversation_write_image(b, p);
        rdv_buf_add_char(b, '}');
    }
}

/* The parts from `p` on that are content; *end is the first that is none. */
static void write_content(rdv_buf *b, const char *member, const turn_part *p, bool assistant,
                          const turn_part **end)
{
    const turn_part *first = p;
    for (*end = p; *end && conversation_is_content(*end);)
        *end = (*end)->next;
    if (first && first->next == *end && first->kind == PART_TEXT) {
        conversation_put(b, member, first->text);
        return;
    }
    rdv_json_open(b, member, '[');
    for (; p != *end; p = p->next)
        write_part(b, p, assistant);
    rdv_buf_add_char(b, ']');
}

/* Where the text is a summary, it has what is encrypted beside it. */
static void write_reasoning(rdv_buf *b, const turn_part *p)
{
    bool text = p->kind == PART_REASONING, sealed = text && p->signature.p;
    rdv_buf_lit(b, "{\"type\":\"reasoning\"");
    conversation_put(b, "id", p->id);
    rdv_json_open(b, "summary", '[');
    if (sealed)
        rdv_buf_printf(b, "{\"type\":\"summary_text\",\"text\":%.*s}", RDV_FMT(p->text));
    rdv_buf_add_char(b, ']');
    if (text && !sealed) {
        rdv_json_open(b, "content", '[');
        rdv_buf_printf(b, "{\"type\":\"reasoning_text\",\"text\":%.*s}]", RDV_FMT(p->text));
    }
    conversation_put(b, "encrypted_content", p->kind == PART_SEALED ? p->data : p->signature);
    rdv_buf_add_char(b, '}');
}

static bool write_result(rdv_buf *b, const turn_part *p)
{
    const turn_part *end;
    turn_part failed = {.kind = PART_TEXT, .text = RDV_STR("\"Error:\""), .next = p->content};
    rdv_buf_lit(b, "{\"type\":\"function_call_output\"");
    conversation_put(b, "call_id", p->id);
    if (p->content || p->failed)
        write_content(b, "output", p->failed ? &failed : p->content, false, &end);
    else
        rdv_json_put_text(b, "output", RDV_STR(""));
    rdv_buf_add_char(b, '}');
    return true;
}

/* A turn is as many items as it has parts of other kinds. */
static void write_turn(rdv_buf *b, const turn *t)
{
    static const char *const roles[] = {
        [TURN_SYSTEM] = "system", [TURN_USER] = "user", [TURN_ASSISTANT] = "assistant"};
    for (const turn_part *p = t->first; p;) {
        const turn_part *next = p->next;
        rdv_json_item(b);
        if (conversation_is_content(p)) {
            rdv_buf_printf(b, "{\"role\":\"%s\"", roles[t->role]);
            write_content(b, "content", p, t->role == TURN_ASSISTANT, &next);
            rdv_buf_add_char(b, '}');
        } else if (p->kind == PART_RESULT) {
            write_result(b, p);
        } else if (p->kind == PART_CALL) {
            rdv_buf_printf(b, "{\"type\":\"function_call\",\"call_id\":%.*s,\"name\":%.*s",
                           RDV_FMT(p->id), RDV_FMT(p->name));
            rdv_json_put_text(b, "arguments", p->input);
            rdv_buf_add_char(b, '}');
        } else {
            write_reasoning(b, p);
        }
        p = next;
    }
}

static void write_tools(const conversation *c, rdv_buf *b)
{
    if (c->tools)
        rdv_json_open(b, "tools", '[');
    for (const tool *t = c->tools; t; t = t->next) {
        rdv_json_item(b);
        rdv_buf_lit(b, "{\"type\":\"function\"");
        conversation_put(b, "name", t->name);
        conversation_put(b, "description", t->about);
        conversation_put(b, "parameters", t->schema.p ? t->schema : CONVERSATION_NO_PARAMETERS);
        conversation_put(b, "strict", t->strict.p ? t->strict : RDV_STR("false"));
        rdv_buf_add_char(b, '}');
    }
    if (c->tools)
        rdv_buf_add_char(b, ']');
    conversation_put_choice(c, b, false);
}

static void write_output(const conversation *c, rdv_buf *b)
{
    if (c->effort.p) {
        rdv_json_open(b, "reasoning", '{');
        conversation_put(b, "effort", c->effort);
        rdv_buf_add_char(b, '}');
    }
    if (!c->schema.p)
        return;
    rdv_json_open(b, "text", '{');
    rdv_json_open(b, "format", '{');
    rdv_json_put_text(b, "type", RDV_STR("json_schema"));
    conversation_put(b, "name", c->schema_name.p ? c->schema_name : RDV_STR("\"reply\""));
    conversation_put(b, "description", c->schema_about);
    conversation_put(b, "schema", c->schema);
    rdv_json_put_flag(b, "strict", true);
    rdv_buf_lit(b, "}}");
}

/* Chat completions and Messages keep nothing unless they are asked to; Responses do unless not. */
bool conversation_write_responses(const conversation *c, rdv_buf *b, api_error *e)
{
    if (c->stop.p && !json_view_is_nothing(c->stop))
        return conversation_refuse(e, "stop", "there are no texts at which a reply stops there");
    if (c->top_k.p)
        return conversation_refuse(e, "top_k", "it is not known there");
    if (c->thinking.p)
        return conversation_refuse(e, "thinking", "it is not known there");
    rdv_buf_lit(b, "{\"input\":[");
    for (const turn *t = c->first; t; t = t->next)
        write_turn(b, t);
    rdv_buf_lit(b, "],\"store\":false");
    conversation_put(b, "max_output_tokens", c->max_tokens);
    conversation_put(b, "temperature", c->temperature);
    conversation_put(b, "top_p", c->top_p);
    conversation_put(b, "user", c->user);
    write_tools(c, b);
    write_output(c, b);
    conversation_put(b, "stream", c->stream);
    rdv_buf_add_char(b, '}');
    return rdv_buf_ok(b) || conversation_no_memory(e);
}
