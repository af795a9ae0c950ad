/* SPDX-License-Identifier: Apache-2.0 */
#include "server/reply.h"
#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static bool is_chat(const reply_head *head)
{
    return head->request->form == COMPLETION_CHAT;
}

/* ---- log-probabilities of a chat ------------------------------------------------------------- */

static void add_chat_token(rdv_buf *b, rdv_str text, double logprob)
{
    rdv_json_put_text(b, "token", text);
    rdv_json_put_number(b, "logprob", logprob);
    rdv_buf_lit(b, ",\"bytes\":[");
    for (size_t i = 0; i < text.len; i++) {
        rdv_json_item(b);
        rdv_buf_printf(b, "%u", (unsigned char)text.p[i]);
    }
    rdv_buf_add_char(b, ']');
}

static void add_chat_logprobs(rdv_buf *b, const completion_request *asked, const rdv_reply *reply)
{
    rdv_json_name(b, RDV_STR("logprobs"));
    if (!asked->request.sampling.logprobs) {
        rdv_buf_lit(b, "null");
        return;
    }
    rdv_buf_lit(b, "{\"content\":[");
    for (size_t i = 0; i < reply->n_tokens; i++) {
        const rdv_token *t = &reply->tokens[i];
        rdv_buf_add(b, i ? RDV_STR(",{") : RDV_STR("{"));
        add_chat_token(b, t->text, t->logprob);
        rdv_buf_lit(b, ",\"top_logprobs\":[");
        for (size_t k = 0; k < t->n_other && k < asked->request.sampling.top_logprobs; k++) {
            rdv_buf_add(b, k ? RDV_STR(",{") : RDV_STR("{"));
            add_chat_token(b, t->other[k].text, t->other[k].logprob);
            rdv_buf_add_char(b, '}');
        }
        rdv_buf_lit(b, "]}");
    }
    rdv_buf_lit(b, "],\"refusal\":null}");
}

/* ---- log-probabilities of a text ------------------------------------------------------------- */

/* The tokens of the prompt, if any, and those of the reply. */
typedef struct token_lists {
    const backend_tokens *prompt; /* NULL: none */
    const rdv_reply *reply;
} token_lists;

static size_t count_tokens(const token_lists *lists)
{
    return (lists->prompt ? lists->prompt->n : 0) + lists->reply->n_tokens;
}

static const rdv_token *token_at(const token_lists *lists, size_t i)
{
    size_t first = lists->prompt ? lists->prompt->n : 0;
    return i < first ? &lists->prompt->items[i] : &lists->reply->tokens[i - first];
}

/* Whether an alternative before number `k` has the same text. An object names each text once. */
static bool is_repeated(const rdv_token *t, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (rdv_str_eq(t->other[i].text, t->other[k].text))
            return true;
    return false;
}

static void add_alternatives(rdv_buf *b, const rdv_token *t, size_t most)
{
    if (isnan(t->logprob)) {
        rdv_buf_lit(b, "null");
        return;
    }
    bool itself = false;
    rdv_buf_add_char(b, '{');
    for (size_t k = 0; k < t->n_other && k < most; k++) {
        if (is_repeated(t, k))
            continue;
        itself |= rdv_str_eq(t->other[k].text, t->text);
        rdv_json_name(b, t->other[k].text);
        rdv_json_number(b, t->other[k].logprob);
    }
    if (!itself) {
        rdv_json_name(b, t->text);
        rdv_json_number(b, t->logprob);
    }
    rdv_buf_add_char(b, '}');
}

static void add_text_offsets(rdv_buf *b, const token_lists *lists, size_t offset)
{
    rdv_buf_lit(b, ",\"text_offset\":[");
    for (size_t i = 0, n = count_tokens(lists); i < n; i++) {
        rdv_json_item(b);
        rdv_buf_printf(b, "%zu", offset);
        offset += rdv_utf8_count(token_at(lists, i)->text);
    }
    rdv_buf_add_char(b, ']');
}

/* `offset`: characters of the choice's text already sent. */
static void add_text_logprobs(rdv_buf *b, const completion_request *asked, const token_lists *lists,
                              size_t offset)
{
    size_t n = count_tokens(lists);
    rdv_json_name(b, RDV_STR("logprobs"));
    if (!asked->request.sampling.logprobs) {
        rdv_buf_lit(b, "null");
        return;
    }
    rdv_buf_lit(b, "{\"tokens\":[");
    for (size_t i = 0; i < n; i++) {
        rdv_json_item(b);
        rdv_json_text(b, token_at(lists, i)->text);
    }
    rdv_buf_lit(b, "],\"token_logprobs\":[");
    for (size_t i = 0; i < n; i++) {
        rdv_json_item(b);
        rdv_json_number(b, token_at(lists, i)->logprob);
    }
    rdv_buf_lit(b, "],\"top_logprobs\":");
    if (asked->request.sampling.top_logprobs == 0) {
        rdv_buf_lit(b, "null");
    } else {
        rdv_buf_add_char(b, '[');
        for (size_t i = 0; i < n; i++) {
            rdv_json_item(b);
            add_alternatives(b, token_at(lists, i), asked->request.sampling.top_logprobs);
        }
        rdv_buf_add_char(b, ']');
    }
    add_text_offsets(b, lists, offset);
    rdv_buf_add_char(b, '}');
}

/* ---- vLLM's log-probabilities of a prompt ---------------------------------------------------- */

static void add_position_token(rdv_buf *b, uint32_t id, rdv_str text, double logprob, size_t rank)
{
    char name[16];
    snprintf(name, sizeof name, "%" PRIu32, id);
    rdv_json_open(b, name, '{');
    rdv_json_put_number(b, "logprob", logprob);
    if (rank)
        rdv_json_put_count(b, "rank", rank);
    else
        rdv_json_put_null(b, "rank"); /* ranked below the tokens that were compared */
    rdv_json_put_text(b, "decoded_token", text);
    rdv_buf_add_char(b, '}');
}

/* Write the token of the text first, then the likely alternatives. */
static void add_position(rdv_buf *b, const backend_tokens *tokens, size_t i, size_t most)
{
    const rdv_token *t = &tokens->items[i];
    const uint32_t *ids = tokens->ids + i * tokens->stride;
    size_t rank = 0;
    if (isnan(t->logprob)) {
        rdv_buf_lit(b, "null");
        return;
    }
    for (size_t k = 0; k < t->n_other && !rank; k++)
        if (ids[1 + k] == ids[0])
            rank = k + 1;
    rdv_buf_add_char(b, '{');
    add_position_token(b, ids[0], t->text, t->logprob, rank);
    for (size_t k = 0; k < t->n_other && k < most; k++)
        if (ids[1 + k] != ids[0])
            add_position_token(b, ids[1 + k], t->other[k].text, t->other[k].logprob, k + 1);
    rdv_buf_add_char(b, '}');
}

static void add_prompt_logprobs(rdv_buf *b, const completion_request *asked,
                                const backend_tokens *tokens)
{
    rdv_json_open(b, "prompt_logprobs", '[');
    for (size_t i = 0; i < tokens->n; i++) {
        rdv_json_item(b);
        add_position(b, tokens, i, asked->top_prompt);
    }
    rdv_buf_add_char(b, ']');
}

/* ---- complete responses ---------------------------------------------------------------------- */

static void add_head(rdv_buf *b, const reply_head *head, const char *object)
{
    rdv_json_put_text(b, "id", head->id);
    rdv_json_put_text(b, "object", rdv_str_of(object));
    rdv_json_name(b, RDV_STR("created"));
    rdv_buf_printf(b, "%" PRId64, head->created);
    rdv_json_put_text(b, "model", head->model);
}

static void add_warning(rdv_buf *b, const reply_head *head)
{
    if (head->warning.p)
        rdv_json_put_text(b, "warning", head->warning);
}

static void add_usage(rdv_buf *b, const reply_usage *usage)
{
    rdv_json_open(b, "usage", '{');
    rdv_json_put_count(b, "prompt_tokens", usage->prompt);
    rdv_json_put_count(b, "completion_tokens", usage->completion);
    rdv_json_put_count(b, "total_tokens", usage->prompt + usage->completion);
    rdv_buf_lit(b, ",\"prompt_tokens_details\":{");
    rdv_json_put_count(b, "cached_tokens", usage->cached);
    rdv_buf_lit(b, "}}");
}

static void add_finish(rdv_buf *b, const backend_event *event)
{
    rdv_json_put_text(b, "finish_reason",
                      event->reply.finish == RDV_FINISH_LENGTH ? RDV_STR("length")
                                                               : RDV_STR("stop"));
}

static void add_chat_choice(rdv_buf *b, const completion_request *asked, const reply_choice *c)
{
    rdv_buf_lit(b, ",\"message\":{\"role\":\"assistant\"");
    rdv_json_put_text(b, "content", c->event->reply.text);
    rdv_buf_lit(b, ",\"refusal\":null}");
    add_chat_logprobs(b, asked, &c->event->reply);
}

static void add_text_choice(rdv_buf *b, const completion_request *asked, const reply_choice *c)
{
    token_lists lists = {asked->echo ? c->scored : NULL, &c->event->reply};
    rdv_json_name(b, RDV_STR("text"));
    if (asked->echo) {
        rdv_buf text;
        rdv_buf_init(&text, b->arena, 0);
        rdv_buf_add(&text, c->prompt);
        rdv_buf_add(&text, c->event->reply.text);
        rdv_json_text(b, rdv_buf_str(&text));
    } else {
        rdv_json_text(b, c->event->reply.text);
    }
    add_text_logprobs(b, asked, &lists, 0);
    if (asked->prompt_logprobs)
        add_prompt_logprobs(b, asked, c->scored);
}

void reply_whole(rdv_buf *b, const reply_head *head, const reply_choice *choices, size_t n,
                 const reply_usage *usage)
{
    const completion_request *asked = head->request;
    rdv_buf_add_char(b, '{');
    add_head(b, head, is_chat(head) ? "chat.completion" : "text_completion");
    add_warning(b, head);
    rdv_buf_lit(b, ",\"choices\":[");
    for (size_t i = 0; i < n; i++) {
        rdv_buf_add(b, i ? RDV_STR(",{") : RDV_STR("{"));
        rdv_json_put_count(b, "index", choices[i].index);
        if (is_chat(head))
            add_chat_choice(b, asked, &choices[i]);
        else
            add_text_choice(b, asked, &choices[i]);
        add_finish(b, choices[i].event);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
    add_usage(b, usage);
    /* vLLM puts it beside the choices of a chat, and into the choices of a text completion. */
    if (is_chat(head) && asked->prompt_logprobs)
        add_prompt_logprobs(b, asked, choices[0].scored);
    rdv_buf_add_char(b, '}');
}

/* ---- server-sent events ---------------------------------------------------------------------- */

static void begin_event(rdv_buf *b, const reply_head *head)
{
    rdv_buf_lit(b, "data: {");
    add_head(b, head, is_chat(head) ? "chat.completion.chunk" : "text_completion");
}

static void begin_choice(rdv_buf *b, size_t index)
{
    rdv_buf_lit(b, ",\"choices\":[{");
    rdv_json_put_count(b, "index", index);
}

static void begin_chunk(rdv_buf *b, const reply_head *head, size_t index)
{
    begin_event(b, head);
    begin_choice(b, index);
}

static void end_chunk(rdv_buf *b, const reply_head *head)
{
    rdv_buf_lit(b, "}]");
    if (head->request->stream_usage)
        rdv_json_put_null(b, "usage");
    rdv_buf_lit(b, "}\n\n");
}

void reply_stream_begin(rdv_buf *b, const reply_head *head, size_t index)
{
    if (!is_chat(head) && !head->warning.p)
        return;
    begin_event(b, head);
    add_warning(b, head);
    begin_choice(b, index);
    rdv_buf_add(b, is_chat(head) ? RDV_STR(",\"delta\":{\"role\":\"assistant\",\"content\":\"\"}")
                                 : RDV_STR(",\"text\":\"\""));
    rdv_buf_lit(b, ",\"logprobs\":null,\"finish_reason\":null");
    end_chunk(b, head);
}

size_t reply_stream_piece(rdv_buf *b, const reply_head *head, size_t index,
                          const backend_event *piece, size_t offset)
{
    begin_chunk(b, head, index);
    if (is_chat(head)) {
        rdv_buf_lit(b, ",\"delta\":{");
        rdv_json_put_text(b, "content", piece->reply.text);
        rdv_buf_add_char(b, '}');
        add_chat_logprobs(b, head->request, &piece->reply);
    } else {
        token_lists lists = {NULL, &piece->reply};
        rdv_json_put_text(b, "text", piece->reply.text);
        add_text_logprobs(b, head->request, &lists, offset);
    }
    rdv_json_put_null(b, "finish_reason");
    end_chunk(b, head);
    return offset + rdv_utf8_count(piece->reply.text);
}

void reply_stream_end(rdv_buf *b, const reply_head *head, size_t index, const backend_event *reply)
{
    begin_chunk(b, head, index);
    if (is_chat(head))
        rdv_buf_lit(b, ",\"delta\":{}");
    else
        rdv_buf_lit(b, ",\"text\":\"\"");
    rdv_json_put_null(b, "logprobs");
    add_finish(b, reply);
    end_chunk(b, head);
}

void reply_stream_usage(rdv_buf *b, const reply_head *head, const reply_usage *usage)
{
    if (!head->request->stream_usage)
        return;
    begin_event(b, head);
    rdv_buf_lit(b, ",\"choices\":[]");
    add_usage(b, usage);
    rdv_buf_lit(b, "}\n\n");
}

void reply_stream_error(rdv_buf *b, const api_error *f)
{
    rdv_buf_lit(b, "data: ");
    api_error_write(b, f);
    rdv_buf_lit(b, "\n\n");
}

void reply_stream_done(rdv_buf *b)
{
    rdv_buf_lit(b, "data: [DONE]\n\n");
}

/* ---- model lists ----------------------------------------------------------------------------- */

void reply_model(rdv_buf *b, rdv_str name, int64_t created, uint32_t context)
{
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "id", name);
    rdv_buf_printf(b, ",\"object\":\"model\",\"created\":%" PRId64 ",\"owned_by\":\"rederive\"",
                   created);
    if (context)
        rdv_json_put_count(b, "max_model_len", context);
    rdv_buf_add_char(b, '}');
}
