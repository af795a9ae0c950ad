/* SPDX-License-Identifier: Apache-2.0 */
#include "server/reasoning_drop.h"
#include "base/str.h"
#include "model/failures.h"
#include "server/convert/json_view.h"
#include "server/json_edit.h"

/* What is edited; after a fault nothing more is. */
typedef struct dropping {
    rdv_arena *arena;
    rdv_error *err;
    int rc;
} dropping;

static rdv_str set(dropping *d, rdv_str object, const char *name, rdv_str value)
{
    if (d->rc == RDV_OK)
        d->rc = json_edit_set(object, name, value, d->arena, &object, d->err);
    return object;
}

static rdv_str without(dropping *d, rdv_str object, const char *name)
{
    if (d->rc == RDV_OK)
        d->rc = json_edit_remove(object, name, d->arena, &object, d->err);
    return object;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* What becomes of an item of a list; p == NULL: it is dropped. */
typedef rdv_str (*item_edit)(dropping *d, rdv_str item);

/* The object with the items of its list edited. */
static rdv_str edit_list(dropping *d, rdv_str object, const char *name, item_edit edit)
{
    rdv_str list = json_view_member(object, name), unnamed, item;
    rdv_buf b;
    bool changed = false;
    if (!list.p || list.p[0] != '[')
        return object;
    rdv_buf_init(&b, d->arena, 0);
    rdv_buf_add_char(&b, '[');
    for (size_t at = 0; json_view_next(list, &at, &unnamed, &item);) {
        rdv_str edited = item.p[0] == '{' ? edit(d, item) : item;
        changed |= edited.p != item.p;
        if (!edited.p)
            continue;
        if (b.len > 1)
            rdv_buf_add_char(&b, ',');
        rdv_buf_add(&b, edited);
    }
    rdv_buf_add_char(&b, ']');
    if (!rdv_buf_ok(&b))
        d->rc = RDV_E_NOMEM;
    return changed ? set(d, object, name, rdv_buf_str(&b)) : object;
}

static bool is_thought(rdv_str type)
{
    static const char *const types[] = {"thinking", "redacted_thinking", "reasoning",
                                        "reasoning_text"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (json_view_is(type, types[i]))
            return true;
    return false;
}

/* A block, a part or an item. */
static rdv_str edit_part(dropping *d, rdv_str part)
{
    (void)d;
    return is_thought(json_view_member(part, "type")) ? (rdv_str){0} : part;
}

/* An item of Responses, which may have parts. */
static rdv_str edit_item(dropping *d, rdv_str item)
{
    item = edit_part(d, item);
    return item.p ? edit_list(d, item, "content", edit_part) : item;
}

/* ---- chat completions ------------------------------------------------------------------------ */

/* A message, or a piece of one. */
static rdv_str edit_message(dropping *d, rdv_str message)
{
    for (size_t i = 0; i < n_thought_rows; i++)
        message = without(d, message, thought_rows[i].member);
    message = without(d, message, "reasoning_details");
    return edit_list(d, message, "content", edit_part);
}

static rdv_str edit_choice(dropping *d, rdv_str choice)
{
    static const char *const places[] = {"delta", "message"};
    for (size_t i = 0; i < 2; i++) {
        rdv_str message = json_view_member(choice, places[i]);
        rdv_str edited = message.p && message.p[0] == '{' ? edit_message(d, message) : message;
        if (edited.p == message.p)
            continue;
        choice = set(d, choice, places[i], edited);
        choice = without(d, without(d, choice, "logprobs"), "token_ids"); /* they may spell it */
    }
    return choice;
}

static bool has_something(rdv_str object)
{
    rdv_str name, value;
    for (size_t at = 0; json_view_next(object, &at, &name, &value);)
        if (!json_view_is_nothing(value))
            return true;
    return false;
}

/* Whether a chunk says anything but which choice it is of. */
static bool says_something(rdv_str chunk)
{
    rdv_str unnamed, choice, name, value;
    rdv_str choices = json_view_member(chunk, "choices");
    for (size_t at = 0; json_view_next(choices, &at, &unnamed, &choice);)
        for (size_t in = 0; json_view_next(choice, &in, &name, &value);)
            if (!rdv_str_eq(name, RDV_STR("index")) && !json_view_is_nothing(value) &&
                (value.p[0] != '{' || has_something(value)))
                return true;
    return json_view_member(chunk, "usage").p;
}

/* ---- the others ------------------------------------------------------------------------------ */

/* A number behind what was dropped. */
static rdv_str count_on(dropping *d, rdv_str object, const char *name, uint64_t last, uint64_t less)
{
    rdv_str number = json_view_member(object, name);
    uint64_t n = json_view_count(number);
    if (!number.p || !less || n < last || n < less)
        return object;
    number = rdv_str_printf(d->arena, "%llu", (unsigned long long)(n - less));
    if (!number.p)
        d->rc = RDV_E_NOMEM;
    return set(d, object, name, number);
}

/* A block or item of reasoning begins. */
static void note_block(reasoning_drop *r, rdv_str number)
{
    r->n_blocks++;
    r->last = json_view_count(number);
}

static rdv_str edit_message_event(dropping *d, reasoning_drop *r, rdv_str data)
{
    rdv_str type = json_view_member(data, "type"), index = json_view_member(data, "index");
    rdv_str piece = json_view_member(json_view_member(data, "delta"), "type");
    rdv_str message = json_view_member(data, "message");
    bool of_last = r->n_blocks && index.p && json_view_count(index) == r->last;
    if (json_view_is(type, "content_block_start")) {
        if (is_thought(json_view_member(json_view_member(data, "content_block"), "type"))) {
            note_block(r, index);
            return (rdv_str){0};
        }
    } else if (of_last || json_view_is(piece, "thinking_delta") ||
               json_view_is(piece, "signature_delta")) {
        return (rdv_str){0};
    }
    if (message.p) {
        rdv_str edited = edit_list(d, message, "content", edit_part);
        data = edited.p != message.p ? set(d, data, "message", edited) : data;
    }
    return count_on(d, data, "index", r->last, r->n_blocks);
}

static rdv_str edit_response_event(dropping *d, reasoning_drop *r, rdv_str data)
{
    rdv_str type = json_view_inner(json_view_member(data, "type"));
    rdv_str item = json_view_member(data, "item"), response = json_view_member(data, "response");
    bool of_item = is_thought(json_view_member(item, "type"));
    if (of_item && rdv_ends(type, RDV_STR("output_item.added")))
        note_block(r, json_view_member(data, "output_index"));
    if (of_item || rdv_starts(type, RDV_STR("response.reasoning")) ||
        is_thought(json_view_member(json_view_member(data, "part"), "type"))) {
        r->n_events++;
        return (rdv_str){0};
    }
    if (item.p) {
        rdv_str edited = edit_item(d, item);
        data = edited.p != item.p ? set(d, data, "item", edited) : data;
    }
    if (response.p) {
        rdv_str edited = edit_list(d, response, "output", edit_item);
        data = edited.p != response.p ? set(d, data, "response", edited) : data;
    }
    data = count_on(d, data, "output_index", r->last, r->n_blocks);
    return count_on(d, data, "sequence_number", 0, r->n_events);
}

int reasoning_drop_event(reasoning_drop *r, reply_protocol protocol, rdv_str data, rdv_arena *arena,
                         rdv_str *out, rdv_error *err)
{
    dropping d = {arena, err, RDV_OK};
    if (protocol == REPLY_MESSAGES)
        *out = edit_message_event(&d, r, data);
    else if (protocol == REPLY_RESPONSES)
        *out = edit_response_event(&d, r, data);
    else
        *out = edit_list(&d, data, "choices", edit_choice);
    if (d.rc != RDV_OK)
        return d.rc;
    bool chat = protocol == REPLY_CHAT || protocol == REPLY_TEXT;
    bool left = out->p && (!chat || out->p == data.p || says_something(*out));
    return left ? RDV_OK : RDV_NONE;
}

int reasoning_drop_body(reply_protocol protocol, rdv_str body, rdv_arena *arena, rdv_str *out,
                        rdv_error *err)
{
    dropping d = {arena, err, RDV_OK};
    if (protocol == REPLY_MESSAGES)
        *out = edit_list(&d, body, "content", edit_part);
    else if (protocol == REPLY_RESPONSES)
        *out = edit_list(&d, body, "output", edit_item);
    else
        *out = edit_list(&d, body, "choices", edit_choice);
    return d.rc;
}
