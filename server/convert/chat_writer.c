/* SPDX-License-Identifier: Apache-2.0 */
/* Replies in OpenAI's chat completions: whole, or as chunks. Where reasoning is vouched for or
 * sealed, `reasoning_details` has it too, in the form that a request may have it back. */
#include "base/json.h"
#include "base/str.h"
#include "server/convert/reply_writer.h"

static void begin_chunk(reply_writer *w)
{
    rdv_buf_printf(&w->out,
                   "data: {\"id\":%.*s,\"object\":\"chat.completion.chunk\",\"created\":%llu,"
                   "\"model\":%.*s",
                   RDV_FMT(w->id), (unsigned long long)w->created, RDV_FMT(w->model));
}

/* A chunk of one choice, up to its delta's brace. */
static void begin_delta(reply_writer *w)
{
    begin_chunk(w);
    rdv_buf_lit(&w->out, ",\"choices\":[{\"index\":0,\"delta\":{");
}

static void end_delta(reply_writer *w)
{
    rdv_buf_lit(&w->out, "},\"finish_reason\":null}]}\n\n");
}

static void put_delta(reply_writer *w, const char *member, rdv_str value)
{
    begin_delta(w);
    conversation_put(&w->out, member, value);
    end_delta(w);
}

static const char *member_of(part_kind kind)
{
    return kind == PART_REASONING ? "reasoning_content"
           : kind == PART_REFUSAL ? "refusal"
                                  : "content";
}

static void begin(reply_writer *w)
{
    begin_delta(w);
    rdv_buf_lit(&w->out, "\"role\":\"assistant\",\"content\":\"\"");
    end_delta(w);
}

static bool follows_one(const reply_writer *w, const reply_part *p)
{
    for (const reply_part *q = w->first; q && q != p; q = q->next)
        if (q->kind == p->kind && q->text.len)
            return true;
    return false;
}

/* The number of the calls before that one. */
static size_t call_number(const reply_writer *w, const reply_part *p)
{
    size_t n = 0;
    for (const reply_part *q = w->first; q && q != p; q = q->next)
        n += q->kind == PART_CALL;
    return n;
}

static void open(reply_writer *w, const reply_part *p)
{
    if (p->kind == PART_CALL) {
        begin_delta(w);
        rdv_buf_printf(&w->out,
                       "\"tool_calls\":[{\"index\":%zu,\"id\":%.*s,\"type\":\"function\","
                       "\"function\":{\"name\":%.*s,\"arguments\":\"\"}}]",
                       call_number(w, p), RDV_FMT(p->id), RDV_FMT(p->name));
        end_delta(w);
    } else if (p->kind != PART_SEALED && follows_one(w, p)) {
        put_delta(w, member_of(p->kind), RDV_STR("\"\\n\\n\""));
    }
}

static void add(reply_writer *w, const reply_part *p, rdv_str text)
{
    if (p->kind == PART_SEALED)
        return;
    if (p->kind != PART_CALL) {
        put_delta(w, member_of(p->kind), text);
        return;
    }
    begin_delta(w);
    rdv_buf_printf(&w->out, "\"tool_calls\":[{\"index\":%zu,\"function\":{\"arguments\":%.*s}}]",
                   call_number(w, p), RDV_FMT(text));
    end_delta(w);
}

static void put_detail(rdv_buf *b, const reply_part *p)
{
    bool sealed = p->kind == PART_SEALED;
    rdv_json_item(b);
    rdv_buf_printf(b, "{\"type\":\"reasoning.%s\",\"index\":%zu,\"%s\":\"%.*s\"",
                   sealed ? "encrypted" : "text", p->number, sealed ? "data" : "text",
                   RDV_FMT(rdv_buf_str(&p->text)));
    conversation_put(b, "signature", p->signature);
    conversation_put(b, "id", p->id);
    rdv_buf_add_char(b, '}');
}

static bool has_detail(const reply_part *p)
{
    return p->kind == PART_SEALED || (p->kind == PART_REASONING && p->signature.p);
}

static void close(reply_writer *w, const reply_part *p)
{
    if (!has_detail(p))
        return;
    begin_delta(w);
    rdv_json_open(&w->out, "reasoning_details", '[');
    put_detail(&w->out, p);
    rdv_buf_add_char(&w->out, ']');
    end_delta(w);
}

static void put_usage(reply_writer *w)
{
    rdv_buf *b = &w->out;
    const reply_usage *u = &w->usage;
    rdv_json_open(b, "usage", '{');
    rdv_json_put_count(b, "prompt_tokens", u->input);
    rdv_json_put_count(b, "completion_tokens", u->output);
    rdv_json_put_count(b, "total_tokens", u->input + u->output);
    if (u->cached || u->cache_written) {
        rdv_json_open(b, "prompt_tokens_details", '{');
        rdv_json_put_count(b, "cached_tokens", u->cached);
        if (u->cache_written)
            rdv_json_put_count(b, "cache_write_tokens", u->cache_written);
        rdv_buf_add_char(b, '}');
    }
    if (u->reasoning) {
        rdv_json_open(b, "completion_tokens_details", '{');
        rdv_json_put_count(b, "reasoning_tokens", u->reasoning);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, '}');
}

/* Behind the delta or the message. The text at which it stopped is named as vLLM does. */
static void put_end(reply_writer *w)
{
    conversation_put(&w->out, "finish_reason", reply_writer_word(w));
    if (w->end == END_SEQUENCE)
        conversation_put(&w->out, "stop_reason", w->sequence);
}

/* Usage that the client did not ask for a chunk of stands in the last one with a choice. */
static void end(reply_writer *w)
{
    begin_delta(w);
    rdv_buf_add_char(&w->out, '}');
    put_end(w);
    rdv_buf_lit(&w->out, "}]");
    if (w->usage.said && w->wants_usage) {
        rdv_buf_lit(&w->out, "}\n\n");
        begin_chunk(w);
        rdv_buf_lit(&w->out, ",\"choices\":[]");
    }
    if (w->usage.said)
        put_usage(w);
    rdv_buf_lit(&w->out, "}\n\ndata: [DONE]\n\n");
}

/* The texts of all parts of a kind, joined; nothing if there is none. */
static bool put_texts(reply_writer *w, part_kind kind)
{
    size_t n = 0;
    for (const reply_part *p = w->first; p; p = p->next) {
        if (p->kind != kind)
            continue;
        if (n == 0)
            rdv_json_open(&w->out, member_of(kind), '"');
        else if (follows_one(w, p))
            rdv_buf_lit(&w->out, "\\n\\n");
        n++;
        rdv_buf_add(&w->out, rdv_buf_str(&p->text));
    }
    if (n)
        rdv_buf_add_char(&w->out, '"');
    return n > 0;
}

static void put_details(reply_writer *w)
{
    bool any = false;
    for (const reply_part *p = w->first; p; p = p->next) {
        if (!has_detail(p))
            continue;
        if (!any)
            rdv_json_open(&w->out, "reasoning_details", '[');
        any = true;
        put_detail(&w->out, p);
    }
    if (any)
        rdv_buf_add_char(&w->out, ']');
}

static void put_calls(reply_writer *w)
{
    if (w->n_calls)
        rdv_json_open(&w->out, "tool_calls", '[');
    for (const reply_part *p = w->first; p; p = p->next) {
        if (p->kind != PART_CALL)
            continue;
        rdv_json_item(&w->out);
        rdv_buf_printf(&w->out,
                       "{\"id\":%.*s,\"type\":\"function\",\"function\":{\"name\":%.*s,"
                       "\"arguments\":\"%.*s\"}}",
                       RDV_FMT(p->id), RDV_FMT(p->name), RDV_FMT(rdv_buf_str(&p->text)));
    }
    if (w->n_calls)
        rdv_buf_add_char(&w->out, ']');
}

static int whole(reply_writer *w, rdv_error *err)
{
    (void)err;
    rdv_buf_printf(&w->out,
                   "{\"id\":%.*s,\"object\":\"chat.completion\",\"created\":%llu,\"model\":%.*s,"
                   "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\"",
                   RDV_FMT(w->id), (unsigned long long)w->created, RDV_FMT(w->model));
    if (!put_texts(w, PART_TEXT))
        rdv_json_put_null(&w->out, "content");
    put_texts(w, PART_REFUSAL);
    put_texts(w, PART_REASONING);
    put_details(w);
    put_calls(w);
    rdv_buf_add_char(&w->out, '}');
    put_end(w);
    rdv_buf_lit(&w->out, "}]");
    if (w->usage.said)
        put_usage(w);
    rdv_buf_add_char(&w->out, '}');
    return RDV_OK;
}

const reply_form reply_form_chat = {begin, open, add, close, end, whole};
