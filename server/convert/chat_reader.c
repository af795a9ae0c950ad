/* SPDX-License-Identifier: Apache-2.0 */
/* Replies of OpenAI's chat completions, whole or as chunks, part by part. Whatever has text and is
 * not known is a fault, by name; members that have none, such as `system_fingerprint`, are not
 * kept. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "server/convert/reply_writer.h"

/* ---- usage ----------------------------------------------------------------------------------- */

static void read_usage(reply_writer *w, rdv_str usage)
{
    rdv_str input = json_view_member(usage, "prompt_tokens_details");
    rdv_str output = json_view_member(usage, "completion_tokens_details");
    if (rdv_char_at(usage, 0) != '{')
        return;
    w->usage = (reply_usage){
        .said = true,
        .input = json_view_count(json_view_member(usage, "prompt_tokens")),
        .output = json_view_count(json_view_member(usage, "completion_tokens")),
        .cached = json_view_count(json_view_member(input, "cached_tokens")),
        .cache_written = json_view_count(json_view_member(input, "cache_write_tokens")),
        .reasoning = json_view_count(json_view_member(output, "reasoning_tokens"))};
}

/* ---- messages, and pieces of them ------------------------------------------------------------ */

typedef struct chat_message {
    rdv_str role, content, refusal, reasoning_content, reasoning, thinking, reasoning_details,
        tool_calls;
} chat_message;

static int read_content(reply_writer *w, rdv_str content, rdv_error *err)
{
    static const view_field fields[] = {{"type", VIEW_TEXT, 0},
                                        {"text", VIEW_TEXT, sizeof(rdv_str)},
                                        {"thinking", VIEW_TEXT, 2 * sizeof(rdv_str)},
                                        {"refusal", VIEW_TEXT, 3 * sizeof(rdv_str)}};
    rdv_str name, item;
    view_fault why;
    int rc = RDV_OK;
    if (rdv_char_at(content, 0) == '"')
        return reply_writer_text(w, PART_TEXT, content, err);
    if (content.p && rdv_char_at(content, 0) != '[')
        return rdv_fail(err, RDV_E_INPUT, "a content that is no text");
    for (size_t at = 0; rc == RDV_OK && json_view_next(content, &at, &name, &item);) {
        rdv_str of[4] = {{0}};
        if (!view_read(item, fields, VIEW_N(fields), VIEW_REFUSE_FILLED, of, &why))
            return view_refuse(err, &why);
        if (json_view_is(of[0], "text") || json_view_is(of[0], "output_text"))
            rc = reply_writer_text(w, PART_TEXT, of[1], err);
        else if (json_view_is(of[0], "thinking"))
            rc = reply_writer_text(w, PART_REASONING, of[2], err);
        else if (json_view_is(of[0], "refusal"))
            rc = reply_writer_text(w, PART_REFUSAL, of[3], err);
        else
            return rdv_fail(err, RDV_E_INPUT, "a part of the content of an unknown type");
    }
    return rc;
}

typedef struct chat_detail {
    rdv_str type, text, summary, signature, data, id;
} chat_detail;

/* Of details the text is that of `reasoning`, so that only what comes with it is read. */
static int read_detail(reply_writer *w, rdv_str item, rdv_error *err)
{
    static const view_field fields[] = {VIEW_FIELD(chat_detail, type, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, text, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, summary, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, signature, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, data, VIEW_TEXT),
                                        VIEW_FIELD(chat_detail, id, VIEW_TEXT),
                                        {"index", VIEW_DROPPED, 0},
                                        {"format", VIEW_DROPPED, 0}};
    chat_detail of = {0};
    view_fault why;
    int rc;
    if (!view_read(item, fields, VIEW_N(fields), VIEW_REFUSE_FILLED, &of, &why))
        return view_refuse(err, &why);
    if (json_view_is(of.type, "reasoning.encrypted")) {
        rc = reply_writer_open(w, PART_SEALED, of.id, (rdv_str){0}, err);
        rc = rc == RDV_OK ? reply_writer_add(w, of.data, err) : rc;
        return rc == RDV_OK ? reply_writer_close(w, err) : rc;
    }
    if (!json_view_is(of.type, "reasoning.text") && !json_view_is(of.type, "reasoning.summary"))
        return rdv_fail(err, RDV_E_INPUT, "'reasoning_details' of an unknown type");
    if (json_view_inner(of.signature).len == 0)
        return RDV_OK;
    if (!w->open || w->open->kind != PART_REASONING)
        return rdv_fail(err, RDV_E_INPUT, "a signature without its reasoning");
    return reply_writer_sign(w, of.signature, err);
}

static int read_reasoning(reply_writer *w, const chat_message *m, rdv_error *err)
{
    rdv_str name, item;
    rdv_str text = m->reasoning_content.p ? m->reasoning_content
                   : m->reasoning.p       ? m->reasoning
                                          : m->thinking;
    int rc = reply_writer_text(w, PART_REASONING, text, err);
    for (size_t at = 0; rc == RDV_OK && json_view_next(m->reasoning_details, &at, &name, &item);)
        rc = read_detail(w, item, err);
    return rc;
}

typedef struct chat_call {
    rdv_str id, type, index, function;
} chat_call;

typedef struct chat_function {
    rdv_str name, arguments;
} chat_function;

/* A call, or a piece of one: the first has the function's name. */
static int read_call(reply_reader *r, rdv_str item, size_t place, rdv_error *err)
{
    static const view_field fields[] = {
        VIEW_FIELD(chat_call, id, VIEW_TEXT), VIEW_FIELD(chat_call, type, VIEW_TEXT),
        VIEW_FIELD(chat_call, index, VIEW_NUMBER), VIEW_FIELD(chat_call, function, VIEW_OBJECT)};
    static const view_field of_function[] = {VIEW_FIELD(chat_function, name, VIEW_TEXT),
                                             VIEW_FIELD(chat_function, arguments, VIEW_TEXT)};
    chat_call of = {0};
    chat_function function = {0};
    view_fault why;
    if (!view_read(item, fields, VIEW_N(fields), VIEW_REFUSE_FILLED, &of, &why) ||
        (of.function.p && !view_read(of.function, of_function, VIEW_N(of_function),
                                     VIEW_REFUSE_FILLED, &function, &why)))
        return view_refuse(err, &why);
    if (of.type.p && !json_view_is(of.type, "function") && !json_view_is_nothing(of.type))
        return rdv_fail(err, RDV_E_INPUT, "a call of an unknown type");
    size_t index = of.index.p ? (size_t)json_view_count(of.index) : place;
    reply_writer *w = r->w;
    int rc = RDV_OK;
    bool open = w->open && w->open->kind == PART_CALL && r->open_call == index;
    if (json_view_inner(function.name).len && !open) {
        if (json_view_is_nothing(of.id))
            return rdv_fail(err, RDV_E_INPUT, "a call without an id");
        rc = reply_writer_open(w, PART_CALL, of.id, function.name, err);
        r->open_call = index;
    } else if (!open && !json_view_is_nothing(function.arguments)) {
        return rdv_fail(err, RDV_E_INPUT, "pieces of a call that is not open");
    }
    return rc == RDV_OK && function.arguments.p ? reply_writer_add(w, function.arguments, err) : rc;
}

static int read_message(reply_reader *r, rdv_str message, rdv_error *err)
{
    static const view_field fields[] = {VIEW_FIELD(chat_message, role, VIEW_TEXT),
                                        VIEW_FIELD(chat_message, content, VIEW_ANY),
                                        VIEW_FIELD(chat_message, refusal, VIEW_TEXT),
                                        VIEW_FIELD(chat_message, reasoning_content, VIEW_TEXT),
                                        VIEW_FIELD(chat_message, reasoning, VIEW_TEXT),
                                        VIEW_FIELD(chat_message, thinking, VIEW_TEXT),
                                        VIEW_FIELD(chat_message, reasoning_details, VIEW_LIST),
                                        VIEW_FIELD(chat_message, tool_calls, VIEW_LIST),
                                        {"name", VIEW_DROPPED, 0}};
    rdv_str name, item;
    chat_message m = {0};
    view_fault why;
    if (!message.p)
        return RDV_OK;
    if (!view_read(message, fields, VIEW_N(fields), VIEW_REFUSE_FILLED, &m, &why))
        return view_refuse(err, &why);
    int rc = read_reasoning(r->w, &m, err);
    rc = rc == RDV_OK ? read_content(r->w, m.content, err) : rc;
    rc = rc == RDV_OK ? reply_writer_text(r->w, PART_REFUSAL, m.refusal, err) : rc;
    size_t place = 0;
    for (size_t at = 0; rc == RDV_OK && json_view_next(m.tool_calls, &at, &name, &item);)
        rc = read_call(r, item, place++, err);
    return rc;
}

/* ---- choices --------------------------------------------------------------------------------- */

typedef struct chat_choice {
    rdv_str index, message, delta, finish_reason, stop_reason;
} chat_choice;

static int read_choice(reply_reader *r, rdv_str item, bool whole, rdv_error *err)
{
    static const view_field fields[] = {VIEW_FIELD(chat_choice, index, VIEW_NUMBER),
                                        VIEW_FIELD(chat_choice, message, VIEW_OBJECT),
                                        VIEW_FIELD(chat_choice, delta, VIEW_OBJECT),
                                        VIEW_FIELD(chat_choice, finish_reason, VIEW_TEXT),
                                        VIEW_FIELD(chat_choice, stop_reason, VIEW_ANY),
                                        {"logprobs", VIEW_DROPPED, 0},
                                        {"token_ids", VIEW_DROPPED, 0},
                                        {"matched_stop", VIEW_DROPPED, 0},
                                        {"content_filter_results", VIEW_DROPPED, 0},
                                        {"native_finish_reason", VIEW_DROPPED, 0},
                                        {"seed", VIEW_DROPPED, 0}};
    chat_choice c = {0};
    view_fault why;
    if (!view_read(item, fields, VIEW_N(fields), VIEW_REFUSE_FILLED, &c, &why))
        return view_refuse(err, &why);
    if (!json_view_is_nothing(c.index))
        return rdv_fail(err, RDV_E_INPUT, "a choice that was not asked for");
    if (c.message.p && c.delta.p)
        return rdv_fail(err, RDV_E_INPUT, "a message and its pieces in one");
    if (whole ? c.delta.p != NULL : c.message.p != NULL)
        return rdv_fail(err, RDV_E_INPUT, "a message that is not of this kind of reply");
    int rc = read_message(r, whole ? c.message : c.delta, err);
    if (rc == RDV_OK)
        rc = reply_writer_keep_end(r->w, REPLY_CHAT, c.finish_reason, err);
    if (rc == RDV_OK && c.finish_reason.p && r->w->end == END_STOP &&
        rdv_char_at(c.stop_reason, 0) == '"') {
        r->w->end = END_SEQUENCE;
        r->w->sequence = rdv_str_copy(r->w->arena, c.stop_reason);
        return r->w->sequence.p ? RDV_OK : rdv_no_memory(err);
    }
    return rc;
}

static int read_reply(reply_reader *r, rdv_str json, bool whole, size_t *n, rdv_error *err)
{
    rdv_str name, item;
    rdv_str choices = json_view_member(json, "choices");
    int rc = reply_writer_begin(r->w, json_view_member(json, "id"), json_view_member(json, "model"),
                                err);
    *n = 0;
    for (size_t at = 0; rc == RDV_OK && json_view_next(choices, &at, &name, &item); ++*n)
        rc = read_choice(r, item, whole, err);
    read_usage(r->w, json_view_member(json, "usage"));
    return rc;
}

int reply_read_chat_event(reply_reader *r, rdv_str json, rdv_error *err)
{
    size_t n;
    return read_reply(r, json, false, &n, err);
}

int reply_read_chat_whole(reply_reader *r, rdv_str json, rdv_error *err)
{
    size_t n;
    int rc = read_reply(r, json, true, &n, err);
    if (rc == RDV_OK && n != 1)
        return rdv_fail(err, RDV_E_INPUT, "%s", n ? "two choices" : "a reply without choices");
    r->stopped = true;
    return rc;
}
