/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sent_stream.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "server/convert/json_view.h"
#include "server/json_edit.h"

void sent_stream_init(sent_stream *s, reply_protocol protocol, rdv_arena *arena)
{
    *s = (sent_stream){.protocol = protocol,
                       .arena = arena,
                       .open = protocol == REPLY_CHAT || protocol == REPLY_TEXT};
    rdv_buf_init(&s->output.items, arena, 0);
    rdv_buf_init(&s->output.parts, arena, 0);
    rdv_buf_init(&s->output.text, arena, 0);
}

bool sent_stream_can_continue(const sent_stream *s)
{
    return s->open && !s->calls;
}

/* ---- what was sent --------------------------------------------------------------------------- */

static rdv_str kept(sent_stream *s, rdv_str json)
{
    rdv_str copy = json.p ? rdv_str_copy(s->arena, json) : json;
    s->output.no_memory |= json.p && !copy.p;
    return copy;
}

/* Was there memory for all that is kept? */
static bool has_kept(const sent_output *o)
{
    return !o->no_memory && rdv_buf_ok(&o->items) && rdv_buf_ok(&o->parts) && rdv_buf_ok(&o->text);
}

static void note_chunk(sent_stream *s, rdv_str data)
{
    size_t at = 0;
    rdv_str name, choice, choices = json_view_member(data, "choices");
    while (choices.p && json_view_next(choices, &at, &name, &choice)) {
        rdv_str delta = json_view_member(choice, "delta");
        s->role = s->role || json_view_member(delta, "role").p;
        s->calls |= !json_view_is_nothing(json_view_member(delta, "tool_calls"));
        s->calls |= !json_view_is_nothing(json_view_member(delta, "function_call"));
    }
}

static void note_message_event(sent_stream *s, rdv_str data, rdv_str type)
{
    rdv_str block = json_view_member(json_view_member(data, "content_block"), "type");
    if (json_view_is(type, "content_block_start")) {
        s->open = json_view_is(block, "text");
        s->block = json_view_count(json_view_member(data, "index"));
        s->calls |= rdv_ends(json_view_inner(block), RDV_STR("tool_use"));
    } else if (json_view_is(type, "content_block_stop")) {
        s->open = false;
    }
}

static void append_item(rdv_buf *list, rdv_str json)
{
    if (list->len)
        rdv_buf_add_char(list, ',');
    rdv_buf_add(list, json);
}

static int note_text(sent_stream *s, rdv_str text)
{
    rdv_str decoded;
    int rc = text.p ? json_view_text(text, s->arena, &decoded) : RDV_E_INPUT;
    if (rc == RDV_OK)
        rdv_buf_add(&s->output.text, decoded);
    return rc == RDV_E_NOMEM ? rc : RDV_OK;
}

static int note_response_event(sent_stream *s, rdv_str data, rdv_str type)
{
    sent_output *o = &s->output;
    rdv_str number = json_view_member(data, "sequence_number");
    rdv_str item = json_view_member(data, "item"), part = json_view_member(data, "part");
    rdv_str kind = json_view_inner(json_view_member(item, "type"));
    if (number.p) {
        o->numbered = true;
        o->number = json_view_count(number) + 1;
    }
    if (json_view_is(type, "response.output_text.delta"))
        return note_text(s, json_view_member(data, "delta"));
    if (json_view_is(type, "response.created")) {
        o->response = kept(s, json_view_member(data, "response"));
    } else if (json_view_is(type, "response.output_item.added")) {
        o->item = kept(s, item);
        s->block = json_view_count(json_view_member(data, "output_index"));
        s->calls |= rdv_find(kind, RDV_STR("_call"), 0) != RDV_NOT_FOUND;
        rdv_buf_clear(&o->parts);
    } else if (json_view_is(type, "response.output_item.done")) {
        append_item(&o->items, item);
        o->item = (rdv_str){0};
        s->open = false;
    } else if (json_view_is(type, "response.content_part.added")) {
        s->open = o->item.p && json_view_is(json_view_member(part, "type"), "output_text");
        o->part = json_view_count(json_view_member(data, "content_index"));
        rdv_buf_clear(&o->text);
        return s->open ? note_text(s, json_view_member(part, "text")) : RDV_OK;
    } else if (json_view_is(type, "response.content_part.done")) {
        append_item(&o->parts, part);
        s->open = false;
    } else if (json_view_is(type, "response.output_text.done")) {
        s->open = false;
    }
    return RDV_OK;
}

int sent_stream_note(sent_stream *s, const stream_event *event)
{
    int rc = RDV_OK;
    rdv_str data = rdv_trim(event->data), type;
    if (!data.len || data.p[0] != '{')
        return RDV_OK;
    type = json_view_member(data, "type");
    if (s->protocol == REPLY_MESSAGES)
        note_message_event(s, data, type);
    else if (s->protocol == REPLY_RESPONSES)
        rc = note_response_event(s, data, type);
    else
        note_chunk(s, data);
    return rc == RDV_OK && !has_kept(&s->output) ? RDV_E_NOMEM : rc;
}

/* ---- what is written ------------------------------------------------------------------------- */

static void open_event(rdv_buf *out, const char *type)
{
    rdv_buf_printf(out, "event: %s\ndata: {\"type\":\"%s\"", type, type);
}

static void open_response_event(sent_stream *s, rdv_buf *out, const char *type)
{
    open_event(out, type);
    if (s->output.numbered)
        rdv_json_put_count(out, "sequence_number", s->output.number++);
}

/* One that is about the open text. */
static void open_text_event(sent_stream *s, rdv_buf *out, const char *type)
{
    rdv_str id = json_view_member(s->output.item, "id");
    open_response_event(s, out, type);
    rdv_buf_printf(out, ",\"item_id\":%.*s", RDV_FMT(id.p ? id : RDV_STR("null")));
    rdv_json_put_count(out, "output_index", s->block);
    rdv_json_put_count(out, "content_index", s->output.part);
}

static void close_event(rdv_buf *out)
{
    rdv_buf_lit(out, "}\n\n");
}

static void open_chunk(const sent_stream *s, rdv_buf *out)
{
    const rdv_str unknown = RDV_STR("null"), zero = RDV_STR("0");
    rdv_buf_printf(out, "data: {\"id\":%.*s,\"object\":\"%s\",\"created\":%.*s,\"model\":%.*s",
                   RDV_FMT(s->id.p ? s->id : unknown),
                   s->protocol == REPLY_CHAT ? "chat.completion.chunk" : "text_completion",
                   RDV_FMT(s->created.p ? s->created : zero),
                   RDV_FMT(s->model.p ? s->model : unknown));
}

/* A chunk with that text, or the end's word: JSON. */
static void add_chunk(sent_stream *s, rdv_buf *out, rdv_str text, const char *end)
{
    bool chat = s->protocol == REPLY_CHAT;
    open_chunk(s, out);
    rdv_buf_printf(out, ",\"choices\":[{\"index\":0,%s", chat ? "\"delta\":{" : "\"text\":");
    if (chat && !s->role)
        rdv_buf_printf(out, "\"role\":\"assistant\"%s", text.len ? "," : "");
    if (chat && text.len)
        rdv_buf_lit(out, "\"content\":");
    if (!chat || text.len)
        rdv_json_text(out, text);
    rdv_buf_printf(out, "%s,\"finish_reason\":%s}]", chat ? "}" : "", end);
    close_event(out);
    s->role = true;
}

int sent_stream_add_text(sent_stream *s, rdv_buf *out, rdv_str text)
{
    if (s->protocol == REPLY_MESSAGES) {
        open_event(out, "content_block_delta");
        rdv_json_put_count(out, "index", s->block);
        rdv_buf_lit(out, ",\"delta\":{\"type\":\"text_delta\",\"text\":");
        rdv_json_text(out, text);
        rdv_buf_add_char(out, '}');
        close_event(out);
    } else if (s->protocol == REPLY_RESPONSES) {
        open_text_event(s, out, "response.output_text.delta");
        rdv_buf_lit(out, ",\"delta\":");
        rdv_json_text(out, text);
        rdv_buf_lit(out, ",\"logprobs\":[]");
        close_event(out);
        rdv_buf_add(&s->output.text, text);
    } else {
        add_chunk(s, out, text, "null");
    }
    return rdv_buf_ok(out) && has_kept(&s->output) ? RDV_OK : RDV_E_NOMEM;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void add_usage(rdv_buf *b, const char *in, const char *out, const sent_end *how)
{
    rdv_json_put_count(b, in, how->tokens_in);
    rdv_json_put_count(b, out, how->tokens_out);
}

static void end_chat(sent_stream *s, const sent_end *how, rdv_buf *out, rdv_buf *last)
{
    add_chunk(s, out, RDV_STR(""), how->cut_off ? "\"length\"" : "\"stop\"");
    if (how->shows_usage) {
        open_chunk(s, out);
        rdv_buf_lit(out, ",\"choices\":[],\"usage\":{");
        add_usage(out, "prompt_tokens", "completion_tokens", how);
        rdv_json_put_count(out, "total_tokens", how->tokens_in + how->tokens_out);
        rdv_buf_add_char(out, '}');
        close_event(out);
    }
    rdv_buf_lit(last, "data: [DONE]\n\n");
}

static void end_message(sent_stream *s, const sent_end *how, rdv_buf *out, rdv_buf *last)
{
    open_event(out, "content_block_stop");
    rdv_json_put_count(out, "index", s->block);
    close_event(out);
    open_event(last, "message_delta");
    rdv_buf_printf(last, ",\"delta\":{\"stop_reason\":\"%s\",\"stop_sequence\":null},\"usage\":{",
                   how->cut_off ? "max_tokens" : "end_turn");
    add_usage(last, "input_tokens", "output_tokens", how);
    rdv_buf_add_char(last, '}');
    close_event(last);
}

static int set(sent_stream *s, rdv_str *object, const char *name, rdv_buf *value)
{
    rdv_error err;
    if (!rdv_buf_ok(value))
        return RDV_E_NOMEM;
    return json_edit_set(*object, name, rdv_buf_str(value), s->arena, object, &err);
}

static rdv_buf json_of(sent_stream *s, const char *literal)
{
    rdv_buf b;
    rdv_buf_init(&b, s->arena, 0);
    rdv_buf_add(&b, rdv_str_of(literal));
    return b;
}

/* The open part with its text, and the item with that. */
static int end_part(sent_stream *s, rdv_buf *out, rdv_str *item)
{
    rdv_str text = rdv_buf_str(&s->output.text);
    rdv_buf part = json_of(s, "{\"type\":\"output_text\",\"annotations\":[],\"logprobs\":[]");
    rdv_json_put_text(&part, "text", text);
    rdv_buf_add_char(&part, '}');
    open_text_event(s, out, "response.output_text.done");
    rdv_json_put_text(out, "text", text);
    rdv_buf_lit(out, ",\"logprobs\":[]");
    close_event(out);
    open_text_event(s, out, "response.content_part.done");
    rdv_buf_lit(out, ",\"part\":");
    rdv_buf_add(out, rdv_buf_str(&part));
    close_event(out);
    append_item(&s->output.parts, rdv_buf_str(&part));
    rdv_buf content = json_of(s, "["), status = json_of(s, "\"completed\"");
    rdv_buf_add(&content, rdv_buf_str(&s->output.parts));
    rdv_buf_add_char(&content, ']');
    *item = s->output.item;
    int rc = set(s, item, "content", &content);
    return rc == RDV_OK ? set(s, item, "status", &status) : rc;
}

static int end_response(sent_stream *s, const sent_end *how, rdv_buf *out, rdv_buf *last)
{
    rdv_str item, response = s->output.response.p ? s->output.response : RDV_STR("{}");
    int rc = end_part(s, out, &item);
    if (rc != RDV_OK)
        return rc;
    open_response_event(s, out, "response.output_item.done");
    rdv_json_put_count(out, "output_index", s->block);
    rdv_buf_printf(out, ",\"item\":%.*s", RDV_FMT(item));
    close_event(out);
    append_item(&s->output.items, item);
    rdv_buf output = json_of(s, "["), usage = json_of(s, "{"),
            status = json_of(s, how->cut_off ? "\"incomplete\"" : "\"completed\""),
            why = json_of(s, how->cut_off ? "{\"reason\":\"max_output_tokens\"}" : "null");
    rdv_buf_add(&output, rdv_buf_str(&s->output.items));
    rdv_buf_add_char(&output, ']');
    add_usage(&usage, "input_tokens", "output_tokens", how);
    rdv_json_put_count(&usage, "total_tokens", how->tokens_in + how->tokens_out);
    rdv_buf_lit(&usage, ",\"input_tokens_details\":{\"cached_tokens\":0},"
                        "\"output_tokens_details\":{\"reasoning_tokens\":0}}");
    rdv_buf *const values[] = {&output, &usage, &status, &why};
    const char *const names[] = {"output", "usage", "status", "incomplete_details"};
    for (size_t i = 0; i < 4 && rc == RDV_OK; i++)
        rc = set(s, &response, names[i], values[i]);
    open_response_event(s, last, how->cut_off ? "response.incomplete" : "response.completed");
    rdv_buf_printf(last, ",\"response\":%.*s", RDV_FMT(response));
    close_event(last);
    return rc;
}

int sent_stream_end(sent_stream *s, const sent_end *how, rdv_buf *out, stream_event *last)
{
    rdv_buf b;
    event_cutter cutter = {0};
    rdv_buf_init(&b, s->arena, 0);
    int rc = RDV_OK;
    if (s->protocol == REPLY_RESPONSES)
        rc = end_response(s, how, out, &b);
    else if (s->protocol == REPLY_MESSAGES)
        end_message(s, how, out, &b);
    else
        end_chat(s, how, out, &b);
    if (rc != RDV_OK || !rdv_buf_ok(out) || !rdv_buf_ok(&b) || !has_kept(&s->output))
        return RDV_E_NOMEM;
    return event_cut(&cutter, rdv_buf_str(&b), true, s->arena, last);
}
