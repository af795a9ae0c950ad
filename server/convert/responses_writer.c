/* SPDX-License-Identifier: Apache-2.0 */
/* Replies in OpenAI's Responses: whole, or as events. Each part is an item of its own. */
#include "base/json.h"
#include "base/str.h"
#include "server/convert/reply_writer.h"

static bool is_incomplete(const reply_writer *w)
{
    return w->end == END_LENGTH || w->end == END_FILTER || w->end == END_OTHER;
}

/* ---- items ----------------------------------------------------------------------------------- */

/* The server's own name of an item, or one of ours. */
static void put_id(rdv_buf *b, const char *member, const reply_part *p)
{
    const char *prefix = p->kind == PART_CALL                                  ? "fc"
                         : p->kind == PART_REASONING || p->kind == PART_SEALED ? "rs"
                                                                               : "msg";
    if (p->id.p && p->kind != PART_CALL) {
        conversation_put(b, member, p->id);
        return;
    }
    rdv_json_name(b, rdv_str_of(member));
    rdv_buf_printf(b, "\"%s_%zu\"", prefix, p->number);
}

static void put_part(rdv_buf *b, const reply_part *p, rdv_str text)
{
    const char *type = p->kind == PART_REASONING ? "reasoning_text"
                       : p->kind == PART_REFUSAL ? "refusal"
                                                 : "output_text";
    rdv_buf_printf(b, "{\"type\":\"%s\",\"%s\":\"%.*s\"", type,
                   p->kind == PART_REFUSAL ? "refusal" : "text", RDV_FMT(text));
    if (p->kind == PART_TEXT)
        rdv_buf_lit(b, ",\"annotations\":[],\"logprobs\":[]");
    rdv_buf_add_char(b, '}');
}

/* `done`: with all that it holds. */
static void put_item(rdv_buf *b, const reply_part *p, bool done)
{
    rdv_str text = done ? rdv_buf_str(&p->text) : RDV_STR("");
    bool thought = p->kind == PART_REASONING || p->kind == PART_SEALED;
    rdv_buf_printf(b, "{\"type\":\"%s\"",
                   p->kind == PART_CALL ? "function_call"
                   : thought            ? "reasoning"
                                        : "message");
    put_id(b, "id", p);
    if (p->kind == PART_CALL) {
        rdv_buf_printf(b, ",\"call_id\":%.*s,\"name\":%.*s,\"arguments\":\"%.*s\"", RDV_FMT(p->id),
                       RDV_FMT(p->name), RDV_FMT(text));
    } else if (p->kind == PART_SEALED) {
        rdv_buf_printf(b, ",\"summary\":[],\"encrypted_content\":\"%.*s\"", RDV_FMT(text));
    } else {
        rdv_buf_add(b, thought ? RDV_STR(",\"summary\":[]") : RDV_STR(",\"role\":\"assistant\""));
        rdv_json_open(b, "content", '[');
        if (done)
            put_part(b, p, text);
        rdv_buf_add_char(b, ']');
        if (done)
            conversation_put(b, "encrypted_content", p->signature);
    }
    rdv_json_put_text(b, "status", done ? RDV_STR("completed") : RDV_STR("in_progress"));
    rdv_buf_add_char(b, '}');
}

/* ---- responses ------------------------------------------------------------------------------- */

static void put_usage(reply_writer *w)
{
    rdv_buf *b = &w->out;
    const reply_usage *u = &w->usage;
    if (!u->said) {
        rdv_json_put_null(b, "usage");
        return;
    }
    rdv_json_open(b, "usage", '{');
    rdv_json_put_count(b, "input_tokens", u->input);
    rdv_json_open(b, "input_tokens_details", '{');
    rdv_json_put_count(b, "cached_tokens", u->cached);
    rdv_json_put_count(b, "cache_write_tokens", u->cache_written);
    rdv_buf_add_char(b, '}');
    rdv_json_put_count(b, "output_tokens", u->output);
    rdv_json_open(b, "output_tokens_details", '{');
    rdv_json_put_count(b, "reasoning_tokens", u->reasoning);
    rdv_buf_add_char(b, '}');
    rdv_json_put_count(b, "total_tokens", u->input + u->output);
    rdv_buf_add_char(b, '}');
}

static void put_status(reply_writer *w)
{
    rdv_buf *b = &w->out;
    rdv_json_put_text(b, "status",
                      !w->ended          ? RDV_STR("in_progress")
                      : is_incomplete(w) ? RDV_STR("incomplete")
                                         : RDV_STR("completed"));
    if (!w->ended || !is_incomplete(w)) {
        rdv_json_put_null(b, "incomplete_details");
        return;
    }
    rdv_json_open(b, "incomplete_details", '{');
    conversation_put(b, "reason",
                     w->end == END_LENGTH   ? RDV_STR("\"max_output_tokens\"")
                     : w->end == END_FILTER ? RDV_STR("\"content_filter\"")
                                            : w->word);
    rdv_buf_add_char(b, '}');
}

static void put_response(reply_writer *w)
{
    rdv_buf *b = &w->out;
    rdv_buf_printf(b,
                   "{\"id\":%.*s,\"object\":\"response\",\"created_at\":%llu,\"model\":%.*s,"
                   "\"error\":null",
                   RDV_FMT(w->id), (unsigned long long)w->created, RDV_FMT(w->model));
    put_status(w);
    conversation_put(b, "parallel_tool_calls", w->parallel.p ? w->parallel : RDV_STR("true"));
    conversation_put(b, "tool_choice", w->choice.p ? w->choice : RDV_STR("\"auto\""));
    conversation_put(b, "tools", w->tools.p ? w->tools : RDV_STR("[]"));
    rdv_json_put_flag(b, "store", false);
    rdv_json_open(b, "output", '[');
    for (const reply_part *p = w->first; p && w->ended; p = p->next) {
        rdv_json_item(b);
        put_item(b, p, true);
    }
    rdv_buf_add_char(b, ']');
    put_usage(w);
    rdv_buf_add_char(b, '}');
}

static int whole(reply_writer *w, rdv_error *err)
{
    (void)err;
    put_response(w);
    return RDV_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void begin_event(reply_writer *w, const char *type)
{
    rdv_buf_printf(&w->out,
                   "event: response.%s\ndata: {\"type\":\"response.%s\",\"sequence_number\":%llu",
                   type, type, (unsigned long long)w->n_events++);
}

static void end_event(reply_writer *w)
{
    rdv_buf_lit(&w->out, "}\n\n");
}

static void put_response_event(reply_writer *w, const char *type)
{
    begin_event(w, type);
    rdv_json_name(&w->out, RDV_STR("response"));
    put_response(w);
    end_event(w);
}

static void put_item_event(reply_writer *w, const reply_part *p, bool done)
{
    begin_event(w, done ? "output_item.done" : "output_item.added");
    rdv_buf_printf(&w->out, ",\"output_index\":%zu,\"item\":", p->number);
    put_item(&w->out, p, done);
    end_event(w);
}

/* Up to what the event says of the part. */
static void begin_part_event(reply_writer *w, const reply_part *p, const char *type)
{
    begin_event(w, type);
    put_id(&w->out, "item_id", p);
    rdv_buf_printf(&w->out, ",\"output_index\":%zu", p->number);
    if (p->kind != PART_CALL)
        rdv_buf_lit(&w->out, ",\"content_index\":0");
}

static void put_part_event(reply_writer *w, const reply_part *p, bool done)
{
    begin_part_event(w, p, done ? "content_part.done" : "content_part.added");
    rdv_json_name(&w->out, RDV_STR("part"));
    put_part(&w->out, p, done ? rdv_buf_str(&p->text) : RDV_STR(""));
    end_event(w);
}

static void begin(reply_writer *w)
{
    put_response_event(w, "created");
    put_response_event(w, "in_progress");
}

static void open(reply_writer *w, const reply_part *p)
{
    put_item_event(w, p, false);
    if (p->kind != PART_CALL && p->kind != PART_SEALED)
        put_part_event(w, p, false);
}

static void add(reply_writer *w, const reply_part *p, rdv_str text)
{
    if (p->kind == PART_SEALED)
        return;
    begin_part_event(w, p,
                     p->kind == PART_CALL        ? "function_call_arguments.delta"
                     : p->kind == PART_REASONING ? "reasoning_text.delta"
                     : p->kind == PART_REFUSAL   ? "refusal.delta"
                                                 : "output_text.delta");
    conversation_put(&w->out, "delta", text);
    if (p->kind == PART_TEXT)
        rdv_buf_lit(&w->out, ",\"logprobs\":[]");
    end_event(w);
}

static void put_text_done(reply_writer *w, const reply_part *p)
{
    const char *member = p->kind == PART_CALL      ? "arguments"
                         : p->kind == PART_REFUSAL ? "refusal"
                                                   : "text";
    begin_part_event(w, p,
                     p->kind == PART_CALL        ? "function_call_arguments.done"
                     : p->kind == PART_REASONING ? "reasoning_text.done"
                     : p->kind == PART_REFUSAL   ? "refusal.done"
                                                 : "output_text.done");
    rdv_buf_printf(&w->out, ",\"%s\":\"%.*s\"", member, RDV_FMT(rdv_buf_str(&p->text)));
    if (p->kind == PART_CALL)
        conversation_put(&w->out, "name", p->name);
    if (p->kind == PART_TEXT)
        rdv_buf_lit(&w->out, ",\"logprobs\":[]");
    end_event(w);
}

static void close(reply_writer *w, const reply_part *p)
{
    if (p->kind != PART_SEALED)
        put_text_done(w, p);
    if (p->kind != PART_CALL && p->kind != PART_SEALED)
        put_part_event(w, p, true);
    put_item_event(w, p, true);
}

static void end(reply_writer *w)
{
    put_response_event(w, is_incomplete(w) ? "incomplete" : "completed");
}

const reply_form reply_form_responses = {begin, open, add, close, end, whole};
