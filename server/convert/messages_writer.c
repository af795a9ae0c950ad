/* SPDX-License-Identifier: Apache-2.0 */
/* Replies in Anthropic's Messages: whole, or as events. */
#include "base/json.h"
#include "base/str.h"
#include "server/convert/reply_writer.h"

static void put_usage(reply_writer *w)
{
    rdv_buf *b = &w->out;
    const reply_usage *u = &w->usage;
    uint64_t of_cache = u->cached + u->cache_written;
    rdv_json_open(b, "usage", '{');
    rdv_json_put_count(b, "input_tokens", u->input > of_cache ? u->input - of_cache : 0);
    if (of_cache) {
        rdv_json_put_count(b, "cache_read_input_tokens", u->cached);
        rdv_json_put_count(b, "cache_creation_input_tokens", u->cache_written);
    }
    rdv_json_put_count(b, "output_tokens", u->output);
    if (u->reasoning) {
        rdv_json_open(b, "output_tokens_details", '{');
        rdv_json_put_count(b, "thinking_tokens", u->reasoning);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, '}');
}

static void put_head(reply_writer *w)
{
    rdv_buf_printf(&w->out,
                   "{\"id\":%.*s,\"type\":\"message\",\"role\":\"assistant\",\"model\":%.*s,"
                   "\"content\":[",
                   RDV_FMT(w->id), RDV_FMT(w->model));
}

/* Of a reply that the model refused, the end says so. */
static rdv_str end_word(const reply_writer *w)
{
    for (const reply_part *p = w->first; p; p = p->next)
        if (p->kind == PART_REFUSAL && w->end == END_STOP)
            return RDV_STR("\"refusal\"");
    return reply_writer_word(w);
}

static void put_end(reply_writer *w)
{
    conversation_put(&w->out, "stop_reason", end_word(w));
    conversation_put(&w->out, "stop_sequence",
                     w->end == END_SEQUENCE && w->sequence.p ? w->sequence : RDV_STR("null"));
}

/* ---- events ---------------------------------------------------------------------------------- */

static void begin(reply_writer *w)
{
    rdv_buf_lit(&w->out, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":");
    put_head(w);
    rdv_buf_lit(&w->out, "],\"stop_reason\":null,\"stop_sequence\":null");
    put_usage(w);
    rdv_buf_lit(&w->out, "}}\n\n");
}

static void begin_event(reply_writer *w, const char *type, const reply_part *p)
{
    rdv_buf_printf(&w->out,
                   "event: content_block_%s\ndata: {\"type\":\"content_block_%s\",\"index\":%zu",
                   type, type, p->number);
}

static void put_delta(reply_writer *w, const reply_part *p, const char *type, const char *member,
                      rdv_str value)
{
    begin_event(w, "delta", p);
    rdv_buf_printf(&w->out, ",\"delta\":{\"type\":\"%s\",\"%s\":%.*s}}\n\n", type, member,
                   RDV_FMT(value));
}

/* Sealed reasoning has no pieces: its block is written when it ends. */
static void open(reply_writer *w, const reply_part *p)
{
    if (p->kind == PART_SEALED)
        return;
    begin_event(w, "start", p);
    rdv_json_open(&w->out, "content_block", '{');
    if (p->kind == PART_CALL)
        rdv_buf_printf(&w->out, "\"type\":\"tool_use\",\"id\":%.*s,\"name\":%.*s,\"input\":{}",
                       RDV_FMT(p->id), RDV_FMT(p->name));
    else if (p->kind == PART_REASONING)
        rdv_buf_lit(&w->out, "\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"");
    else
        rdv_buf_lit(&w->out, "\"type\":\"text\",\"text\":\"\"");
    rdv_buf_lit(&w->out, "}}\n\n");
}

static void add(reply_writer *w, const reply_part *p, rdv_str text)
{
    if (p->kind == PART_CALL)
        put_delta(w, p, "input_json_delta", "partial_json", text);
    else if (p->kind == PART_REASONING)
        put_delta(w, p, "thinking_delta", "thinking", text);
    else if (p->kind != PART_SEALED)
        put_delta(w, p, "text_delta", "text", text);
}

static void close(reply_writer *w, const reply_part *p)
{
    if (p->kind == PART_SEALED) {
        begin_event(w, "start", p);
        rdv_buf_printf(&w->out,
                       ",\"content_block\":{\"type\":\"redacted_thinking\",\"data\":\"%.*s\"}}\n\n",
                       RDV_FMT(rdv_buf_str(&p->text)));
    }
    if (p->kind == PART_REASONING && p->signature.p)
        put_delta(w, p, "signature_delta", "signature", p->signature);
    begin_event(w, "stop", p);
    rdv_buf_lit(&w->out, "}\n\n");
}

static void end(reply_writer *w)
{
    rdv_buf_lit(&w->out, "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{");
    put_end(w);
    rdv_buf_add_char(&w->out, '}');
    put_usage(w);
    rdv_buf_lit(&w->out, "}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
}

/* ---- whole ----------------------------------------------------------------------------------- */

static int put_block(reply_writer *w, const reply_part *p, rdv_error *err)
{
    rdv_buf *b = &w->out;
    rdv_str text = rdv_buf_str(&p->text), input;
    rdv_json_item(b);
    if (p->kind == PART_CALL) {
        rdv_str quoted = rdv_str_printf(w->arena, "\"%.*s\"", RDV_FMT(text));
        if (!quoted.p || !conversation_object(w->arena, quoted, &input))
            return rdv_fail(err, RDV_E_INPUT, "a call whose arguments are no JSON object");
        rdv_buf_printf(b, "{\"type\":\"tool_use\",\"id\":%.*s,\"name\":%.*s,\"input\":%.*s}",
                       RDV_FMT(p->id), RDV_FMT(p->name), RDV_FMT(input));
    } else if (p->kind == PART_REASONING) {
        rdv_buf_printf(b, "{\"type\":\"thinking\",\"thinking\":\"%.*s\",\"signature\":%.*s}",
                       RDV_FMT(text), RDV_FMT(p->signature.p ? p->signature : RDV_STR("\"\"")));
    } else if (p->kind == PART_SEALED) {
        rdv_buf_printf(b, "{\"type\":\"redacted_thinking\",\"data\":\"%.*s\"}", RDV_FMT(text));
    } else {
        rdv_buf_printf(b, "{\"type\":\"text\",\"text\":\"%.*s\"}", RDV_FMT(text));
    }
    return RDV_OK;
}

static int whole(reply_writer *w, rdv_error *err)
{
    int rc = RDV_OK;
    put_head(w);
    for (const reply_part *p = w->first; p && rc == RDV_OK; p = p->next)
        rc = put_block(w, p, err);
    rdv_buf_add_char(&w->out, ']');
    put_end(w);
    put_usage(w);
    rdv_buf_add_char(&w->out, '}');
    return rc;
}

const reply_form reply_form_messages = {begin, open, add, close, end, whole};
