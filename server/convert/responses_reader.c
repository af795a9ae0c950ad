/* SPDX-License-Identifier: Apache-2.0 */
/* Replies of OpenAI's Responses, whole or as events, part by part. What an event says once more,
 * when a part or an item ends and in the last event, must be what was said before, or is said for
 * the first time. An item, a part or an event that is not known is a fault, by name. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "server/convert/reply_writer.h"

#define BETWEEN RDV_STR("\"\\n\\n\"")

static int refuse_type(rdv_error *err, const char *what, rdv_str type)
{
    return rdv_fail(err, RDV_E_INPUT, "%s of the type %.*s, which is not known here", what,
                    VIEW_SHOWN(type));
}

static void read_usage(reply_writer *w, rdv_str usage)
{
    rdv_str input = json_view_member(usage, "input_tokens_details");
    rdv_str output = json_view_member(usage, "output_tokens_details");
    if (rdv_char_at(usage, 0) != '{')
        return;
    w->usage = (reply_usage){
        .said = true,
        .input = json_view_count(json_view_member(usage, "input_tokens")),
        .output = json_view_count(json_view_member(usage, "output_tokens")),
        .cached = json_view_count(json_view_member(input, "cached_tokens")),
        .cache_written = json_view_count(json_view_member(input, "cache_write_tokens")),
        .reasoning = json_view_count(json_view_member(output, "reasoning_tokens"))};
}

/* ---- what is said once more ------------------------------------------------------------------ */

/* The part behind those that were settled; NULL: there is none. */
static reply_part *next_part(const reply_reader *r)
{
    return r->settled ? r->settled->next : r->w->first;
}

static int compare(const reply_writer *w, const reply_part *p, rdv_str text, rdv_error *err)
{
    rdv_str said = rdv_buf_str(&p->text), one, other;
    rdv_str inner = json_view_inner(text);
    if (p->kind == PART_CALL && inner.len == 0)
        inner = RDV_STR("{}");
    if (rdv_str_eq(said, inner) || (p == w->open && p->kind == PART_CALL && said.len == 0))
        return RDV_OK;
    rdv_str quoted = rdv_str_printf(w->arena, "\"%.*s\"", RDV_FMT(said));
    if (!quoted.p)
        return rdv_no_memory(err);
    int rc = json_view_text(quoted, w->arena, &one);
    rc = rc == RDV_OK ? json_view_text(text, w->arena, &other) : rc;
    if (rc == RDV_E_NOMEM)
        return rdv_no_memory(err);
    if (rc != RDV_OK || !rdv_str_eq(one, other))
        return rdv_fail(err, RDV_E_INPUT, "a text that differs from its pieces");
    return RDV_OK;
}

/* Some servers name reasoning in the last event only. */
static int add_late(reply_reader *r, part_kind kind, rdv_str id, rdv_str text, rdv_error *err)
{
    int rc = reply_writer_open(r->w, kind, id, (rdv_str){0}, err);
    if (rc == RDV_OK)
        r->w->open->late = true;
    return rc == RDV_OK ? reply_writer_add(r->w, text, err) : rc;
}

/* The next part is one of that kind with that text: it was written, or is now. */
static int settle(reply_reader *r, part_kind kind, rdv_str id, rdv_str name, rdv_str text,
                  rdv_error *err)
{
    reply_part *p = next_part(r);
    int rc;
    if (p && p->kind != kind && kind != PART_REASONING && kind != PART_SEALED)
        return rdv_fail(err, RDV_E_INPUT, "an item that differs from its pieces");
    if (p && p->kind != kind)
        return add_late(r, kind, id, text, err);
    if (p && p->text.len) {
        rc = compare(r->w, p, text, err);
    } else {
        rc = p ? RDV_OK : reply_writer_open(r->w, kind, id, name, err);
        if (rc == RDV_OK && r->w->open)
            rc = reply_writer_add(r->w, text, err);
    }
    r->settled = next_part(r);
    return rc;
}

/* ---- items ----------------------------------------------------------------------------------- */

typedef struct response_part {
    rdv_str type, text, refusal;
} response_part;

static int read_part(rdv_str item, response_part *of, rdv_error *err)
{
    static const view_field fields[] = {VIEW_FIELD(response_part, type, VIEW_TEXT),
                                        VIEW_FIELD(response_part, text, VIEW_TEXT),
                                        VIEW_FIELD(response_part, refusal, VIEW_TEXT),
                                        {"annotations", VIEW_NOTHING, 0},
                                        {"logprobs", VIEW_DROPPED, 0}};
    view_fault why;
    *of = (response_part){0};
    return view_read(item, fields, VIEW_N(fields), VIEW_REFUSE_FILLED, of, &why)
               ? RDV_OK
               : view_refuse(err, &why);
}

static int settle_message(reply_reader *r, rdv_str content, rdv_error *err)
{
    rdv_str name, item;
    const rdv_str none = {0};
    response_part of;
    int rc = RDV_OK;
    for (size_t at = 0; rc == RDV_OK && json_view_next(content, &at, &name, &item);) {
        rc = read_part(item, &of, err);
        if (rc != RDV_OK)
            return rc;
        if (json_view_is(of.type, "output_text"))
            rc = settle(r, PART_TEXT, none, none, of.text, err);
        else if (json_view_is(of.type, "refusal"))
            rc = settle(r, PART_REFUSAL, none, none, of.refusal, err);
        else
            return refuse_type(err, "a part", of.type);
    }
    return rc;
}

/* Append the texts of a list, with an empty line between them. */
static int add_texts(rdv_buf *b, rdv_str list, rdv_error *err)
{
    rdv_str name, item;
    response_part of;
    for (size_t at = 0; json_view_next(list, &at, &name, &item);) {
        int rc = read_part(item, &of, err);
        if (rc != RDV_OK)
            return rc;
        if (!json_view_is(of.type, "summary_text") && !json_view_is(of.type, "reasoning_text"))
            return refuse_type(err, "reasoning", of.type);
        if (b->len > 1)
            rdv_buf_add(b, json_view_inner(BETWEEN));
        rdv_buf_add(b, json_view_inner(of.text));
    }
    return RDV_OK;
}

typedef struct response_item {
    rdv_str type, id, role, content, summary, encrypted_content, call_id, name, arguments;
} response_item;

static int settle_reasoning(reply_reader *r, const response_item *of, rdv_error *err)
{
    rdv_buf b;
    const rdv_str none = {0};
    rdv_buf_init(&b, r->w->arena, 0);
    rdv_buf_add_char(&b, '"');
    int rc = add_texts(&b, of->content, err);
    rc = rc == RDV_OK ? add_texts(&b, of->summary, err) : rc;
    bool text = b.len > 1;
    rdv_buf_add_char(&b, '"');
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    if (rc == RDV_OK && text)
        rc = settle(r, PART_REASONING, of->id, none, rdv_buf_str(&b), err);
    if (rc != RDV_OK || json_view_is_nothing(of->encrypted_content))
        return rc;
    if (!text)
        return settle(r, PART_SEALED, of->id, none, of->encrypted_content, err);
    reply_part *open = r->w->open;
    return open && (open == r->settled || open->late)
               ? reply_writer_sign(r->w, of->encrypted_content, err)
               : RDV_OK;
}

static int read_item(rdv_str item, response_item *of, rdv_error *err)
{
    static const view_field fields[] = {VIEW_FIELD(response_item, type, VIEW_TEXT),
                                        VIEW_FIELD(response_item, id, VIEW_TEXT),
                                        VIEW_FIELD(response_item, role, VIEW_TEXT),
                                        VIEW_FIELD(response_item, content, VIEW_LIST),
                                        VIEW_FIELD(response_item, summary, VIEW_LIST),
                                        VIEW_FIELD(response_item, encrypted_content, VIEW_TEXT),
                                        VIEW_FIELD(response_item, call_id, VIEW_TEXT),
                                        VIEW_FIELD(response_item, name, VIEW_TEXT),
                                        VIEW_FIELD(response_item, arguments, VIEW_TEXT),
                                        {"status", VIEW_DROPPED, 0},
                                        {"phase", VIEW_DROPPED, 0}};
    view_fault why;
    *of = (response_item){0};
    rdv_str type = json_view_member(item, "type");
    if (!json_view_is(type, "message") && !json_view_is(type, "reasoning") &&
        !json_view_is(type, "function_call"))
        return refuse_type(err, "an item", type);
    if (!view_read(item, fields, VIEW_N(fields), VIEW_REFUSE_FILLED, of, &why))
        return view_refuse(err, &why);
    if (json_view_is(type, "function_call") && (!of->call_id.p || !of->name.p))
        return rdv_fail(err, RDV_E_INPUT, "a call without an id or a name");
    return RDV_OK;
}

static int settle_item(reply_reader *r, rdv_str item, rdv_error *err)
{
    response_item of;
    int rc = read_item(item, &of, err);
    if (rc != RDV_OK)
        return rc;
    if (json_view_is(of.type, "message"))
        return settle_message(r, of.content, err);
    if (json_view_is(of.type, "reasoning"))
        return settle_reasoning(r, &of, err);
    return settle(r, PART_CALL, of.call_id, of.name,
                  of.arguments.p ? of.arguments : RDV_STR("\"\""), err);
}

/* ---- responses ------------------------------------------------------------------------------- */

static int read_end(reply_writer *w, rdv_str response, rdv_error *err)
{
    rdv_str status = json_view_member(response, "status");
    rdv_str reason = json_view_member(json_view_member(response, "incomplete_details"), "reason");
    if (json_view_is(status, "completed")) {
        w->end = w->n_calls ? END_CALLS : END_STOP;
        return RDV_OK;
    }
    if (json_view_is(reason, "max_output_tokens"))
        w->end = END_LENGTH;
    else if (json_view_is(reason, "content_filter"))
        w->end = END_FILTER;
    else
        return reply_writer_keep_end(w, REPLY_RESPONSES, reason.p ? reason : status, err);
    return RDV_OK;
}

/* All of it, or once more what the events said. */
static int read_response(reply_reader *r, rdv_str response, rdv_error *err)
{
    rdv_str name, item;
    rdv_str output = json_view_member(response, "output");
    int rc = reply_writer_begin(r->w, json_view_member(response, "id"),
                                json_view_member(response, "model"), err);
    if (rdv_char_at(output, 0) != '[')
        return rdv_fail(err, RDV_E_INPUT, "a response without output");
    r->settled = NULL;
    for (size_t at = 0; rc == RDV_OK && json_view_next(output, &at, &name, &item);)
        rc = settle_item(r, item, err);
    const reply_part *rest = next_part(r);
    while (rest && rest->late)
        rest = rest->next;
    if (rc == RDV_OK && !json_view_is_nothing(output) && rest)
        return rdv_fail(err, RDV_E_INPUT, "an output that lacks what its pieces have");
    read_usage(r->w, json_view_member(response, "usage"));
    r->stopped = true;
    return rc == RDV_OK ? read_end(r->w, response, err) : rc;
}

int reply_read_responses_whole(reply_reader *r, rdv_str json, rdv_error *err)
{
    return read_response(r, json, err);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Only a call begins with its item; the others with their first part. */
static int begin_item(reply_reader *r, rdv_str item, rdv_error *err)
{
    response_item of;
    int rc = read_item(item, &of, err);
    if (rc != RDV_OK)
        return rc;
    r->fresh = true;
    r->item_id = (rdv_str){0};
    if (json_view_is(of.type, "function_call")) {
        rc = reply_writer_open(r->w, PART_CALL, of.call_id, of.name, err);
        return rc == RDV_OK && of.arguments.p ? reply_writer_add(r->w, of.arguments, err) : rc;
    }
    if (json_view_is(of.type, "reasoning") && of.id.p) {
        r->item_id = rdv_str_copy(r->w->arena, of.id);
        return r->item_id.p ? RDV_OK : rdv_no_memory(err);
    }
    return RDV_OK;
}

/* The texts of one item's reasoning are one part. */
static int begin_part(reply_reader *r, part_kind kind, rdv_error *err)
{
    reply_writer *w = r->w;
    bool goes_on = kind == PART_REASONING && !r->fresh && w->open && w->open->kind == kind;
    r->fresh = false;
    if (goes_on)
        return w->open->text.len ? reply_writer_add(w, BETWEEN, err) : RDV_OK;
    return reply_writer_open(w, kind, kind == PART_REASONING ? r->item_id : (rdv_str){0},
                             (rdv_str){0}, err);
}

static int add_piece(reply_reader *r, part_kind kind, rdv_str text, rdv_error *err)
{
    if (!text.p)
        return rdv_fail(err, RDV_E_INPUT, "a piece without text");
    if (!r->w->open || r->w->open->kind != kind || (r->fresh && kind != PART_CALL)) {
        int rc = kind == PART_CALL ? rdv_fail(err, RDV_E_INPUT, "pieces of a call that is not open")
                                   : begin_part(r, kind, err);
        if (rc != RDV_OK)
            return rc;
    }
    return reply_writer_add(r->w, text, err);
}

static int begin_content(reply_reader *r, rdv_str part, rdv_error *err)
{
    response_part of;
    int rc = read_part(part, &of, err);
    if (rc != RDV_OK)
        return rc;
    bool text = json_view_is(of.type, "output_text"), refusal = json_view_is(of.type, "refusal");
    if (!text && !refusal && !json_view_is(of.type, "reasoning_text") &&
        !json_view_is(of.type, "summary_text"))
        return refuse_type(err, "a part", of.type);
    rc = begin_part(r, text ? PART_TEXT : refusal ? PART_REFUSAL : PART_REASONING, err);
    rdv_str begun = refusal ? of.refusal : of.text;
    return rc == RDV_OK && begun.p ? reply_writer_add(r->w, begun, err) : rc;
}

/* Events that say once more what the end of their item says too. */
static bool is_repeated(rdv_str name)
{
    static const char *const names[] = {"output_text.done",
                                        "content_part.done",
                                        "refusal.done",
                                        "reasoning_text.done",
                                        "in_progress",
                                        "reasoning_summary_text.done",
                                        "queued",
                                        "reasoning_summary_part.done",
                                        "output_text.added",
                                        "function_call_arguments.done"};
    for (size_t i = 0; i < VIEW_N(names); i++)
        if (rdv_str_eq(name, rdv_str_of(names[i])))
            return true;
    return false;
}

static int read_piece(reply_reader *r, rdv_str name, rdv_str json, rdv_str type, rdv_error *err)
{
    static const struct {
        const char *name;
        part_kind kind;
    } kinds[] = {{"output_text.delta", PART_TEXT},
                 {"refusal.delta", PART_REFUSAL},
                 {"reasoning_text.delta", PART_REASONING},
                 {"reasoning_summary_text.delta", PART_REASONING},
                 {"function_call_arguments.delta", PART_CALL}};
    for (size_t i = 0; i < VIEW_N(kinds); i++)
        if (rdv_str_eq(name, rdv_str_of(kinds[i].name)))
            return add_piece(r, kinds[i].kind, json_view_member(json, "delta"), err);
    return refuse_type(err, "an event", type);
}

int reply_read_responses_event(reply_reader *r, rdv_str json, rdv_error *err)
{
    rdv_str type = json_view_member(json, "type");
    rdv_str response = json_view_member(json, "response");
    rdv_str name = json_view_inner(type);
    if (!rdv_starts(name, RDV_STR("response.")))
        return refuse_type(err, "an event", type);
    name = rdv_slice(name, 9, name.len);
    if (rdv_str_eq(name, RDV_STR("created")))
        return reply_writer_begin(r->w, json_view_member(response, "id"),
                                  json_view_member(response, "model"), err);
    if (is_repeated(name))
        return RDV_OK;
    if (rdv_str_eq(name, RDV_STR("completed")) || rdv_str_eq(name, RDV_STR("incomplete")))
        return read_response(r, response, err);
    if (!r->w->begun)
        return rdv_fail(err, RDV_E_INPUT, "no 'response.created'");
    if (rdv_str_eq(name, RDV_STR("output_item.added")))
        return begin_item(r, json_view_member(json, "item"), err);
    if (rdv_str_eq(name, RDV_STR("output_item.done")))
        return settle_item(r, json_view_member(json, "item"), err);
    if (rdv_str_eq(name, RDV_STR("content_part.added")) ||
        rdv_str_eq(name, RDV_STR("reasoning_summary_part.added")))
        return begin_content(r, json_view_member(json, "part"), err);
    return read_piece(r, name, json, type, err);
}
