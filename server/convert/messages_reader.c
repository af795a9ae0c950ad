/* SPDX-License-Identifier: Apache-2.0 */
/* Replies of Anthropic's Messages, whole or as events, part by part. A block or an event that is
 * not known is a fault, by name. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "server/convert/reply_writer.h"

/* What an event does not say stays as it was said before. */
static void read_usage(reply_writer *w, rdv_str usage)
{
    reply_usage *u = &w->usage;
    rdv_str input = json_view_member(usage, "input_tokens");
    rdv_str cached = json_view_member(usage, "cache_read_input_tokens");
    rdv_str written = json_view_member(usage, "cache_creation_input_tokens");
    rdv_str output = json_view_member(usage, "output_tokens");
    rdv_str thought =
        json_view_member(json_view_member(usage, "output_tokens_details"), "thinking_tokens");
    if (rdv_char_at(usage, 0) != '{')
        return;
    uint64_t alone = input.p ? json_view_count(input) : u->input - u->cached - u->cache_written;
    u->said = true;
    u->cached = cached.p ? json_view_count(cached) : u->cached;
    u->cache_written = written.p ? json_view_count(written) : u->cache_written;
    u->input = alone + u->cached + u->cache_written;
    u->output = output.p ? json_view_count(output) : u->output;
    u->reasoning = thought.p ? json_view_count(thought) : u->reasoning;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

typedef struct message_block {
    rdv_str type, text, thinking, signature, data, id, name, input;
} message_block;

/* The arguments as a text. An empty object stands for pieces that come, or for none. */
static int add_input(reply_writer *w, rdv_str input, rdv_error *err)
{
    rdv_buf b;
    if (json_view_is_nothing(input))
        return RDV_OK;
    rdv_buf_init(&b, w->arena, 0);
    rdv_json_text(&b, input);
    return rdv_buf_ok(&b) ? reply_writer_add(w, rdv_buf_str(&b), err) : rdv_no_memory(err);
}

static int open_block(reply_writer *w, rdv_str block, rdv_error *err)
{
    static const view_field fields[] = {VIEW_FIELD(message_block, type, VIEW_TEXT),
                                        VIEW_FIELD(message_block, text, VIEW_TEXT),
                                        VIEW_FIELD(message_block, thinking, VIEW_TEXT),
                                        VIEW_FIELD(message_block, signature, VIEW_TEXT),
                                        VIEW_FIELD(message_block, data, VIEW_TEXT),
                                        VIEW_FIELD(message_block, id, VIEW_TEXT),
                                        VIEW_FIELD(message_block, name, VIEW_TEXT),
                                        VIEW_FIELD(message_block, input, VIEW_OBJECT),
                                        {"caller", VIEW_DROPPED, 0}};
    const rdv_str none = {0};
    message_block of = {0};
    view_fault why;
    int rc;
    if (!view_read(block, fields, VIEW_N(fields), VIEW_REFUSE_FILLED, &of, &why))
        return view_refuse(err, &why);
    if (json_view_is(of.type, "text")) {
        rc = reply_writer_open(w, PART_TEXT, none, none, err);
        return rc == RDV_OK ? reply_writer_add(w, of.text, err) : rc;
    }
    if (json_view_is(of.type, "thinking")) {
        rc = reply_writer_open(w, PART_REASONING, none, none, err);
        rc = rc == RDV_OK ? reply_writer_add(w, of.thinking, err) : rc;
        return rc == RDV_OK ? reply_writer_sign(w, of.signature, err) : rc;
    }
    if (json_view_is(of.type, "redacted_thinking")) {
        rc = reply_writer_open(w, PART_SEALED, none, none, err);
        return rc == RDV_OK ? reply_writer_add(w, of.data, err) : rc;
    }
    if (!json_view_is(of.type, "tool_use"))
        return rdv_fail(err, RDV_E_INPUT, "a block of the type '%.*s', which is not known here",
                        VIEW_SHOWN(of.type));
    if (!of.id.p || !of.name.p)
        return rdv_fail(err, RDV_E_INPUT, "a call without an id or a name");
    rc = reply_writer_open(w, PART_CALL, of.id, of.name, err);
    return rc == RDV_OK ? add_input(w, of.input, err) : rc;
}

typedef struct message_delta {
    rdv_str type, text, thinking, signature, partial_json;
} message_delta;

/* A piece must fit the block that is open. */
static int add_delta(reply_writer *w, rdv_str delta, rdv_error *err)
{
    static const view_field fields[] = {VIEW_FIELD(message_delta, type, VIEW_TEXT),
                                        VIEW_FIELD(message_delta, text, VIEW_TEXT),
                                        VIEW_FIELD(message_delta, thinking, VIEW_TEXT),
                                        VIEW_FIELD(message_delta, signature, VIEW_TEXT),
                                        VIEW_FIELD(message_delta, partial_json, VIEW_TEXT)};
    message_delta of = {0};
    view_fault why;
    if (!view_read(delta, fields, VIEW_N(fields), VIEW_REFUSE_FILLED, &of, &why))
        return view_refuse(err, &why);
    const struct {
        const char *type;
        part_kind kind;
        rdv_str text;
    } kinds[] = {{"text_delta", PART_TEXT, of.text},
                 {"thinking_delta", PART_REASONING, of.thinking},
                 {"signature_delta", PART_REASONING, of.signature},
                 {"input_json_delta", PART_CALL, of.partial_json}};
    for (size_t i = 0; i < VIEW_N(kinds); i++) {
        if (!json_view_is(of.type, kinds[i].type))
            continue;
        if (!w->open || w->open->kind != kinds[i].kind || !kinds[i].text.p)
            return rdv_fail(err, RDV_E_INPUT, "a piece that does not fit its block");
        return i == 2 ? reply_writer_sign(w, of.signature, err)
                      : reply_writer_add(w, kinds[i].text, err);
    }
    return rdv_fail(err, RDV_E_INPUT, "a piece of the type '%.*s', which is not known here",
                    VIEW_SHOWN(of.type));
}

/* ---- messages -------------------------------------------------------------------------------- */

static int read_blocks(reply_writer *w, rdv_str content, rdv_error *err)
{
    rdv_str name, item;
    int rc = RDV_OK;
    for (size_t at = 0; rc == RDV_OK && json_view_next(content, &at, &name, &item);) {
        rc = open_block(w, item, err);
        rc = rc == RDV_OK ? reply_writer_close(w, err) : rc;
    }
    return rc;
}

static int begin(reply_writer *w, rdv_str message, rdv_error *err)
{
    int rc = reply_writer_begin(w, json_view_member(message, "id"),
                                json_view_member(message, "model"), err);
    rc = rc == RDV_OK ? read_blocks(w, json_view_member(message, "content"), err) : rc;
    read_usage(w, json_view_member(message, "usage"));
    return rc;
}

static int read_end(reply_writer *w, rdv_str of, rdv_error *err)
{
    rdv_str sequence = json_view_member(of, "stop_sequence");
    if (rdv_char_at(sequence, 0) == '"') {
        w->sequence = rdv_str_copy(w->arena, sequence);
        if (!w->sequence.p)
            return rdv_no_memory(err);
    }
    return reply_writer_keep_end(w, REPLY_MESSAGES, json_view_member(of, "stop_reason"), err);
}

int reply_read_messages_whole(reply_reader *r, rdv_str json, rdv_error *err)
{
    if (rdv_char_at(json_view_member(json, "content"), 0) != '[')
        return rdv_fail(err, RDV_E_INPUT, "a message without content");
    r->stopped = true;
    int rc = begin(r->w, json, err);
    return rc == RDV_OK ? read_end(r->w, json, err) : rc;
}

int reply_read_messages_event(reply_reader *r, rdv_str json, rdv_error *err)
{
    reply_writer *w = r->w;
    rdv_str type = json_view_member(json, "type");
    size_t block = (size_t)json_view_count(json_view_member(json, "index"));
    if (json_view_is(type, "message_start"))
        return begin(w, json_view_member(json, "message"), err);
    if (json_view_is(type, "ping"))
        return RDV_OK;
    if (!w->begun)
        return rdv_fail(err, RDV_E_INPUT, "no 'message_start'");
    if (json_view_is(type, "content_block_start")) {
        r->block = block;
        return open_block(w, json_view_member(json, "content_block"), err);
    }
    if (json_view_is(type, "content_block_delta"))
        return block == r->block
                   ? add_delta(w, json_view_member(json, "delta"), err)
                   : rdv_fail(err, RDV_E_INPUT, "a piece that does not fit its block");
    if (json_view_is(type, "content_block_stop"))
        return block == r->block
                   ? reply_writer_close(w, err)
                   : rdv_fail(err, RDV_E_INPUT, "the end of a block that is not open");
    if (json_view_is(type, "message_delta")) {
        read_usage(w, json_view_member(json, "usage"));
        return read_end(w, json_view_member(json, "delta"), err);
    }
    if (!json_view_is(type, "message_stop"))
        return rdv_fail(err, RDV_E_INPUT, "an event of the type %.*s, which is not known here",
                        VIEW_SHOWN(type));
    r->stopped = true;
    return RDV_OK;
}
