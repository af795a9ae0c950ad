/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of Anthropic's Messages, from and to a conversation. */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "server/convert/conversation.h"

#define MOST_TOKENS RDV_STR("4096") /* a request needs a limit there; docs/serve.md says so */

/* ---- reading: blocks ------------------------------------------------------------------------- */

typedef struct message_block {
    rdv_str type, text, source, thinking, signature, data, id, name, input, tool_use_id, content,
        is_error;
} message_block;

static bool read_source(turn_part *p, rdv_str source, api_error *e)
{
    static const view_field fields[] = {{"type", VIEW_TEXT, 0},
                                        {"url", VIEW_TEXT, sizeof(rdv_str)},
                                        {"media_type", VIEW_TEXT, 2 * sizeof(rdv_str)},
                                        {"data", VIEW_TEXT, 3 * sizeof(rdv_str)}};
    rdv_str of[4] = {{0}};
    view_fault why;
    if (!view_read(source, fields, VIEW_N(fields), VIEW_REFUSE, of, &why))
        return conversation_refuse(e, "messages", why.text);
    p->url = json_view_is(of[0], "url") ? of[1] : (rdv_str){0};
    if (json_view_is(of[0], "base64") && of[2].p && of[3].p) {
        p->media = json_view_inner(of[2]);
        p->data = json_view_inner(of[3]);
    }
    return p->url.p || p->data.p ||
           conversation_refuse(e, "messages", "an image of a source that is not known there");
}

static bool read_blocks(conversation *c, turn *t, rdv_str content, const char *of, api_error *e);

static bool read_result(conversation *c, turn_part *p, const message_block *of, api_error *e)
{
    turn content = {0};
    p->id = of->tool_use_id;
    p->failed = rdv_char_at(of->is_error, 0) == 't';
    if (!p->id.p)
        return conversation_refuse(e, "messages", "a result without 'tool_use_id'");
    if (of->content.p && !read_blocks(c, &content, of->content, "messages", e))
        return false;
    for (turn_part *q = content.first; q; q = q->next)
        if (q->kind != PART_TEXT && q->kind != PART_IMAGE)
            return conversation_refuse(e, "messages",
                                       "a tool's result holds texts and images only");
    p->content = content.first;
    return true;
}

static bool fill_part(conversation *c, turn_part *p, const message_block *of, const char *member,
                      api_error *e)
{
    switch (p->kind) {
    case PART_TEXT:
        p->text = of->text;
        return p->text.p || conversation_refuse(e, member, "a text without 'text'");
    case PART_IMAGE:
        return read_source(p, of->source, e);
    case PART_REASONING:
        p->text = of->thinking.p ? of->thinking : RDV_STR("\"\"");
        p->signature = of->signature;
        return true;
    case PART_SEALED:
        p->data = of->data;
        return p->data.p || conversation_refuse(e, member, "redacted thinking without 'data'");
    case PART_CALL:
        p->id = of->id;
        p->name = of->name;
        p->input = of->input;
        return (p->id.p && p->name.p && p->input.p) ||
               conversation_refuse(e, member, "a 'tool_use' without id, name or input");
    case PART_RESULT:
        return read_result(c, p, of, e);
    case PART_REFUSAL:
        break;
    }
    return conversation_refuse(e, member, "a block of a type that is not known there");
}

static bool read_block(conversation *c, turn *t, rdv_str value, const char *member, api_error *e)
{
    static const view_field fields[] = {VIEW_FIELD(message_block, type, VIEW_TEXT),
                                        VIEW_FIELD(message_block, text, VIEW_TEXT),
                                        VIEW_FIELD(message_block, source, VIEW_OBJECT),
                                        VIEW_FIELD(message_block, thinking, VIEW_TEXT),
                                        VIEW_FIELD(message_block, signature, VIEW_TEXT),
                                        VIEW_FIELD(message_block, data, VIEW_TEXT),
                                        VIEW_FIELD(message_block, id, VIEW_TEXT),
                                        VIEW_FIELD(message_block, name, VIEW_TEXT),
                                        VIEW_FIELD(message_block, input, VIEW_OBJECT),
                                        VIEW_FIELD(message_block, tool_use_id, VIEW_TEXT),
                                        VIEW_FIELD(message_block, content, VIEW_ANY),
                                        VIEW_FIELD(message_block, is_error, VIEW_FLAG),
                                        {"cache_control", VIEW_DROPPED, 0},
                                        {"citations", VIEW_NOTHING, 0},
                                        {"caller", VIEW_DROPPED, 0}};
    static const struct {
        const char *type;
        part_kind kind;
        const char *members;
    } kinds[] = {{"text", PART_TEXT, "type text"},
                 {"image", PART_IMAGE, "type source"},
                 {"thinking", PART_REASONING, "type thinking signature"},
                 {"redacted_thinking", PART_SEALED, "type data"},
                 {"tool_use", PART_CALL, "type id name input"},
                 {"tool_result", PART_RESULT, "type tool_use_id content is_error"}};
    message_block of = {0};
    view_fault why;
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, member, why.text);
    for (size_t i = 0; i < VIEW_N(kinds); i++) {
        if (!json_view_is(of.type, kinds[i].type))
            continue;
        if (!view_has_only(fields, VIEW_N(fields), &of, kinds[i].members, &why))
            return conversation_refuse(e, member, why.text);
        turn_part *p = conversation_part(c, t, kinds[i].kind, e);
        return p && fill_part(c, p, &of, member, e);
    }
    rdv_str type = json_view_inner(of.type);
    view_fail(&why, "a block of type '%.*s' is not known there", VIEW_SHOWN(type));
    return conversation_refuse(e, member, why.text);
}

/* A content is a text, or a list of blocks. */
static bool read_blocks(conversation *c, turn *t, rdv_str content, const char *of, api_error *e)
{
    rdv_str name, item;
    if (rdv_char_at(content, 0) == '"') {
        return conversation_add_text(c, t, content, e);
    }
    if (rdv_char_at(content, 0) != '[')
        return conversation_refuse(e, of, "a content must be a text or a list");
    for (size_t at = 0; json_view_next(content, &at, &name, &item);)
        if (!read_block(c, t, item, of, e))
            return false;
    return true;
}

static bool is_of(turn_role role, part_kind kind)
{
    if (role == TURN_SYSTEM)
        return kind == PART_TEXT;
    if (role == TURN_ASSISTANT)
        return kind != PART_RESULT && kind != PART_IMAGE;
    return kind == PART_TEXT || kind == PART_IMAGE || kind == PART_RESULT;
}

static bool check_parts(const turn *t, const char *of, api_error *e)
{
    for (const turn_part *p = t->first; p; p = p->next)
        if (!is_of(t->role, p->kind))
            return conversation_refuse(e, of, "a block that a turn of that role cannot hold");
    return true;
}

static bool read_turn(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {{"role", VIEW_TEXT, 0},
                                        {"content", VIEW_ANY, sizeof(rdv_str)}};
    rdv_str of[2] = {{0}};
    view_fault why;
    if (!view_read(value, fields, 2, VIEW_REFUSE, of, &why))
        return conversation_refuse(e, "messages", why.text);
    bool assistant = json_view_is(of[0], "assistant");
    if (!assistant && !json_view_is(of[0], "user"))
        return conversation_refuse(e, "messages", "a turn of a role that is not known there");
    turn *t = conversation_turn(c, assistant ? TURN_ASSISTANT : TURN_USER, e);
    return t && read_blocks(c, t, of[1], "messages", e) && check_parts(t, "messages", e);
}

/* ---- reading: tools and settings ------------------------------------------------------------- */

typedef struct message_request {
    rdv_str messages, system, stream, max_tokens, temperature, top_p, top_k, stop_sequences, tools,
        tool_choice, metadata, thinking, output_config, service_tier;
} message_request;

typedef struct message_tool {
    rdv_str type, name, description, input_schema, strict;
} message_tool;

static bool read_tool(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {VIEW_FIELD(message_tool, type, VIEW_TEXT),
                                        VIEW_FIELD(message_tool, name, VIEW_TEXT),
                                        VIEW_FIELD(message_tool, description, VIEW_TEXT),
                                        VIEW_FIELD(message_tool, strict, VIEW_FLAG),
                                        VIEW_FIELD(message_tool, input_schema, VIEW_OBJECT),
                                        {"cache_control", VIEW_DROPPED, 0}};
    message_tool of = {0};
    view_fault why;
    rdv_str type = json_view_inner(json_view_member(value, "type"));
    if (type.len && !rdv_str_eq(type, RDV_STR("custom"))) {
        view_fail(&why, "the tool '%.*s' of the provider is not served there", VIEW_SHOWN(type));
        return conversation_refuse(e, "tools", why.text);
    }
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, &of, &why))
        return conversation_refuse(e, "tools", why.text);
    return conversation_add_tool(c,
                                 (tool){.name = of.name,
                                        .about = of.description,
                                        .schema = of.input_schema,
                                        .strict = of.strict},
                                 e);
}

static bool read_choice(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {
        {"type", VIEW_TEXT, 0},
        {"name", VIEW_TEXT, sizeof(rdv_str)},
        {"disable_parallel_tool_use", VIEW_FLAG, 2 * sizeof(rdv_str)}};
    static const struct {
        const char *word;
        tool_choice choice;
    } words[] = {
        {"auto", TOOLS_AUTO}, {"none", TOOLS_NONE}, {"any", TOOLS_ANY}, {"tool", TOOLS_ONE}};
    rdv_str of[3] = {{0}};
    view_fault why;
    if (!value.p)
        return true;
    if (!view_read(value, fields, VIEW_N(fields), VIEW_REFUSE, of, &why))
        return conversation_refuse(e, "tool_choice", why.text);
    for (size_t i = 0; i < VIEW_N(words); i++)
        if (json_view_is(of[0], words[i].word))
            c->choice = words[i].choice;
    c->chosen = of[1];
    c->one_call = rdv_char_at(of[2], 0) == 't';
    if (c->choice == TOOLS_NOT_SAID || (c->choice == TOOLS_ONE) != (c->chosen.p != NULL))
        return conversation_refuse(e, "tool_choice", "it is none of auto, none, any and a tool");
    return true;
}

/* {"effort":"low","format":{"type":"json_schema","schema":{...}}} */
static bool read_output(conversation *c, rdv_str value, api_error *e)
{
    static const view_field fields[] = {{"effort", VIEW_TEXT, 0},
                                        {"format", VIEW_OBJECT, sizeof(rdv_str)}};
    static const view_field of_format[] = {{"type", VIEW_TEXT, 0},
                                           {"schema", VIEW_OBJECT, sizeof(rdv_str)}};
    rdv_str of[2] = {{0}}, format[2] = {{0}};
    view_fault why;
    if (!value.p)
        return true;
    if (!view_read(value, fields, 2, VIEW_REFUSE, of, &why))
        return conversation_refuse(e, "output_config", why.text);
    c->effort = of[0];
    if (!of[1].p)
        return true;
    if (!view_read(of[1], of_format, 2, VIEW_REFUSE, format, &why))
        return conversation_refuse(e, "output_config", why.text);
    c->schema = format[1];
    return (json_view_is(format[0], "json_schema") && c->schema.p) ||
           conversation_refuse(e, "output_config", "only a format 'json_schema' is known there");
}

static bool read_settings(conversation *c, const message_request *r, api_error *e)
{
    static const view_field user[] = {{"user_id", VIEW_TEXT, 0}};
    view_fault why;
    c->stream = r->stream;
    c->max_tokens = r->max_tokens;
    c->temperature = r->temperature;
    c->top_p = r->top_p;
    c->top_k = r->top_k;
    c->stop = r->stop_sequences;
    c->thinking = r->thinking;
    if (r->service_tier.p && !json_view_is(r->service_tier, "auto"))
        return conversation_refuse(e, "service_tier", "only 'auto' is known there");
    if (r->metadata.p && !view_read(r->metadata, user, 1, VIEW_REFUSE, &c->user, &why))
        return conversation_refuse(e, "metadata", why.text);
    return true;
}

static bool read_system(conversation *c, rdv_str system, api_error *e)
{
    if (json_view_is_nothing(system))
        return true;
    turn *t = conversation_turn(c, TURN_SYSTEM, e);
    return t && read_blocks(c, t, system, "system", e) && check_parts(t, "system", e);
}

bool conversation_read_messages(conversation *c, rdv_str body, api_error *e)
{
    static const view_field fields[] = {VIEW_FIELD(message_request, messages, VIEW_LIST),
                                        VIEW_FIELD(message_request, system, VIEW_ANY),
                                        VIEW_FIELD(message_request, stream, VIEW_FLAG),
                                        VIEW_FIELD(message_request, max_tokens, VIEW_NUMBER),
                                        VIEW_FIELD(message_request, temperature, VIEW_NUMBER),
                                        VIEW_FIELD(message_request, top_p, VIEW_NUMBER),
                                        VIEW_FIELD(message_request, top_k, VIEW_NUMBER),
                                        VIEW_FIELD(message_request, stop_sequences, VIEW_LIST),
                                        VIEW_FIELD(message_request, tools, VIEW_LIST),
                                        VIEW_FIELD(message_request, tool_choice, VIEW_OBJECT),
                                        VIEW_FIELD(message_request, metadata, VIEW_OBJECT),
                                        VIEW_FIELD(message_request, thinking, VIEW_OBJECT),
                                        VIEW_FIELD(message_request, output_config, VIEW_OBJECT),
                                        VIEW_FIELD(message_request, service_tier, VIEW_TEXT),
                                        {"model", VIEW_DROPPED, 0},
                                        {"rederive", VIEW_DROPPED, 0},
                                        {"cache_control", VIEW_DROPPED, 0}};
    rdv_str name, item;
    message_request r = {0};
    view_fault why;
    if (!view_read(body, fields, VIEW_N(fields), VIEW_REFUSE, &r, &why))
        return conversation_refuse(e, "request", why.text);
    if (!read_system(c, r.system, e))
        return false;
    for (size_t at = 0; json_view_next(r.messages, &at, &name, &item);)
        if (!read_turn(c, item, e))
            return false;
    for (size_t at = 0; json_view_next(r.tools, &at, &name, &item);)
        if (!read_tool(c, item, e))
            return false;
    return read_choice(c, r.tool_choice, e) && read_output(c, r.output_config, e) &&
           read_settings(c, &r, e);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_parts(rdv_buf *b, const turn_part *p);

static void write_image(rdv_buf *b, const turn_part *p)
{
    if (p->url.p)
        rdv_buf_printf(b, "\"image\",\"source\":{\"type\":\"url\",\"url\":%.*s}", RDV_FMT(p->url));
    else
        rdv_buf_printf(b,
                       "\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"%.*s\","
                       "\"data\":\"%.*s\"}",
                       RDV_FMT(p->media), RDV_FMT(p->data));
}

/* Behind {"type": */
static void write_block(rdv_buf *b, const turn_part *p)
{
    switch (p->kind) {
    case PART_TEXT:
    case PART_REFUSAL:
        rdv_buf_printf(b, "\"text\",\"text\":%.*s", RDV_FMT(p->text));
        break;
    case PART_IMAGE:
        write_image(b, p);
        break;
    case PART_REASONING:
        rdv_buf_printf(b, "\"thinking\",\"thinking\":%.*s,\"signature\":%.*s", RDV_FMT(p->text),
                       RDV_FMT(p->signature.p ? p->signature : RDV_STR("\"\"")));
        break;
    case PART_SEALED:
        rdv_buf_printf(b, "\"redacted_thinking\",\"data\":%.*s", RDV_FMT(p->data));
        break;
    case PART_CALL:
        rdv_buf_printf(b, "\"tool_use\",\"id\":%.*s,\"name\":%.*s,\"input\":%.*s", RDV_FMT(p->id),
                       RDV_FMT(p->name), RDV_FMT(p->input));
        break;
    case PART_RESULT:
        rdv_buf_printf(b, "\"tool_result\",\"tool_use_id\":%.*s", RDV_FMT(p->id));
        if (p->failed)
            rdv_json_put_flag(b, "is_error", true);
        if (p->content)
            write_parts(b, p->content);
        break;
    }
}

/* One text as such, else a list of blocks. */
static void write_parts(rdv_buf *b, const turn_part *p)
{
    if (p && !p->next && p->kind == PART_TEXT) {
        conversation_put(b, "content", p->text);
        return;
    }
    rdv_json_open(b, "content", '[');
    for (; p; p = p->next) {
        rdv_json_item(b);
        rdv_buf_lit(b, "{\"type\":");
        write_block(b, p);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
}

/* The turns at the beginning that are the system's; *rest is the first of the others. */
static bool write_system(const conversation *c, rdv_buf *b, const turn **rest, api_error *e)
{
    const turn *t = c->first;
    bool any = false;
    for (; t && t->role == TURN_SYSTEM; t = t->next)
        for (const turn_part *p = t->first; p; p = p->next) {
            if (p->kind != PART_TEXT)
                return conversation_refuse(e, "messages",
                                           "a system turn can hold texts only there");
            if (!any)
                rdv_json_open(b, "system", '[');
            any = true;
            rdv_json_item(b);
            rdv_buf_printf(b, "{\"type\":\"text\",\"text\":%.*s}", RDV_FMT(p->text));
        }
    if (any)
        rdv_buf_add_char(b, ']');
    *rest = t;
    for (; t; t = t->next)
        if (t->role == TURN_SYSTEM)
            return conversation_refuse(e, "messages",
                                       "a system turn can stand at the beginning only there");
    return true;
}

static void write_tools(const conversation *c, rdv_buf *b)
{
    static const char *const words[] = {
        [TOOLS_AUTO] = "auto", [TOOLS_NONE] = "none", [TOOLS_ANY] = "any", [TOOLS_ONE] = "tool"};
    if (c->tools)
        rdv_json_open(b, "tools", '[');
    for (const tool *t = c->tools; t; t = t->next) {
        rdv_json_item(b);
        rdv_buf_add_char(b, '{');
        conversation_put(b, "name", t->name);
        conversation_put(b, "description", t->about);
        conversation_put(b, "input_schema", t->schema.p ? t->schema : CONVERSATION_NO_PARAMETERS);
        conversation_put(b, "strict", t->strict);
        rdv_buf_add_char(b, '}');
    }
    if (c->tools)
        rdv_buf_add_char(b, ']');
    if (c->choice == TOOLS_NOT_SAID && !c->one_call)
        return;
    rdv_json_open(b, "tool_choice", '{');
    rdv_json_put_text(b, "type",
                      rdv_str_of(words[c->choice == TOOLS_NOT_SAID ? TOOLS_AUTO : c->choice]));
    if (c->choice == TOOLS_ONE)
        conversation_put(b, "name", c->chosen);
    if (c->one_call && c->choice != TOOLS_NONE)
        rdv_json_put_flag(b, "disable_parallel_tool_use", true);
    rdv_buf_add_char(b, '}');
}

static void write_output(const conversation *c, rdv_buf *b)
{
    if (!c->effort.p && !c->schema.p)
        return;
    rdv_json_open(b, "output_config", '{');
    conversation_put(b, "effort", c->effort);
    if (c->schema.p) {
        rdv_json_open(b, "format", '{');
        rdv_json_put_text(b, "type", RDV_STR("json_schema"));
        conversation_put(b, "schema", c->schema);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, '}');
}

bool conversation_write_messages(const conversation *c, rdv_buf *b, api_error *e)
{
    const turn *t = NULL;
    rdv_buf_add_char(b, '{');
    if (!write_system(c, b, &t, e))
        return false;
    rdv_json_open(b, "messages", '[');
    for (; t; t = t->next) {
        rdv_json_item(b);
        rdv_buf_printf(b, "{\"role\":\"%s\"", t->role == TURN_ASSISTANT ? "assistant" : "user");
        write_parts(b, t->first);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
    conversation_put(b, "max_tokens", c->max_tokens.p ? c->max_tokens : MOST_TOKENS);
    conversation_put(b, "temperature", c->temperature);
    conversation_put(b, "top_p", c->top_p);
    conversation_put(b, "top_k", c->top_k);
    conversation_put(b, "stop_sequences", c->stop);
    conversation_put(b, "thinking", c->thinking);
    if (c->user.p) {
        rdv_json_open(b, "metadata", '{');
        conversation_put(b, "user_id", c->user);
        rdv_buf_add_char(b, '}');
    }
    write_tools(c, b);
    write_output(c, b);
    conversation_put(b, "stream", c->stream);
    rdv_buf_add_char(b, '}');
    return rdv_buf_ok(b) || conversation_no_memory(e);
}
