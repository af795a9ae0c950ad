/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's Responses: a list of output items, of which messages have parts with text; as a stream,
 * events that are named by their `type`, and the whole response in the last one. */
#include "base/str.h"
#include "model/reply_readers.h"

#define DIFFERS "a text that differs from its pieces"

/* Items and events of the model's tools have no text of the reply. */
static bool is_of_tools(rdv_str type)
{
    static const char *const words[] = {
        "function_call",    "custom_tool_call",      "mcp_",
        "web_search_call",  "file_search_call",      "computer_call",
        "code_interpreter", "image_generation_call", "local_shell_call",
        "shell_call",       "apply_patch_call",      "tool_search"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (rdv_starts(type, rdv_str_of(words[i])))
            return true;
    return false;
}

static rdv_str type_of(const json_t *object)
{
    return parse_text(json_object_get(object, "type"));
}

/* Between two parts of a text. */
static void begin_part(reply_choice_read *c)
{
    if (c->text.len)
        reply_add_text(c, RDV_STR("\n\n"));
    c->part = c->text.len;
}

/* ---- items ----------------------------------------------------------------------------------- */

static void add_part(reply_choice_read *c, const json_t *part, rdv_buf *text)
{
    rdv_str type = type_of(part);
    if (rdv_str_eq(type, RDV_STR("output_text"))) {
        if (text->len)
            rdv_buf_lit(text, "\n\n");
        rdv_buf_add(text, parse_text(json_object_get(part, "text")));
    } else if (rdv_str_eq(type, RDV_STR("refusal"))) {
        c->refused = true;
    } else if (!rdv_str_eq(type, RDV_STR("reasoning_text"))) {
        reply_note_unread(c, "a part of an unknown type");
    }
}

static size_t reasoning_of(const json_t *item)
{
    static const char *const lists[] = {"summary", "content"};
    size_t n = 0;
    for (size_t k = 0; k < 2; k++) {
        const json_t *list = json_object_get(item, lists[k]);
        for (size_t i = 0; i < json_array_size(list); i++)
            n += parse_text(json_object_get(json_array_get(list, i), "text")).len;
    }
    return n;
}

/* Append an item's text to `text`. */
static void add_item(reply_choice_read *c, const json_t *item, rdv_buf *text)
{
    rdv_str type = type_of(item);
    const json_t *content = json_object_get(item, "content");
    if (rdv_str_eq(type, RDV_STR("message"))) {
        for (size_t i = 0; i < json_array_size(content); i++)
            add_part(c, json_array_get(content, i), text);
        if (json_is_string(content))
            reply_note_unread(c, "a content that is no list");
    } else if (rdv_str_eq(type, RDV_STR("reasoning"))) {
        c->n_reasoning_bytes += reasoning_of(item);
    } else if (is_of_tools(type)) {
        c->n_tool_calls++;
    } else {
        reply_note_unread(c, "an item of an unknown type");
    }
}

/* The output of a response: its text, all of it. */
static int add_output(reply_choices *r, reply_choice_read *c, const json_t *response)
{
    rdv_buf text;
    const json_t *output = json_object_get(response, "output");
    rdv_str given = parse_text(json_object_get(response, "output_text"));
    rdv_buf_init(&text, r->arena, 0);
    c->n_reasoning_bytes = c->n_tool_calls = 0; /* a stream counted them already */
    for (size_t i = 0; i < json_array_size(output); i++)
        add_item(c, json_array_get(output, i), &text);
    if (!rdv_buf_ok(&text))
        return RDV_E_NOMEM;
    if (text.len)
        reply_repeat_text(c, 0, rdv_buf_str(&text), DIFFERS);
    if (given.len && !rdv_str_eq(given, text.len ? rdv_buf_str(&text) : RDV_STR("")))
        reply_note_unread(c, DIFFERS);
    return reply_keep_finish(r, c, json_object_get(response, "status"));
}

int reply_responses_whole(reply_choices *r, const json_t *body, rdv_error *err)
{
    int code;
    if (!json_is_array(json_object_get(body, "output")))
        return rdv_fail(err, RDV_E_INPUT, "a response without output");
    reply_choice_read *c = reply_choice(r, 0, &code, err);
    return c ? add_output(r, c, body) : code;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* An item that begins is empty: text in it would come before its pieces. */
static int begin_item(reply_choices *r, reply_choice_read *c, const json_t *item)
{
    rdv_buf text;
    reply_choice_read aside = *c; /* its other parts are read when it is done */
    rdv_buf_init(&text, r->arena, 0);
    add_item(&aside, item, &text);
    if (text.len)
        reply_note_unread(c, "the text of an item that begins");
    for (size_t i = 0; i < aside.n_unread; i++)
        reply_note_unread(c, aside.unread[i]);
    return rdv_buf_ok(&text) ? RDV_OK : RDV_E_NOMEM;
}

static int begin_items(reply_choices *r, reply_choice_read *c, const json_t *output)
{
    int rc = RDV_OK;
    for (size_t i = 0; i < json_array_size(output) && rc == RDV_OK; i++)
        rc = begin_item(r, c, json_array_get(output, i));
    return rc;
}

static int item_done(reply_choices *r, reply_choice_read *c, const json_t *item)
{
    rdv_buf text;
    reply_choice_read aside = *c; /* counts what the last event has once more */
    rdv_buf_init(&text, r->arena, 0);
    add_item(&aside, item, &text);
    for (size_t i = 0; i < aside.n_unread; i++)
        reply_note_unread(c, aside.unread[i]);
    c->refused |= aside.refused;
    if (text.len)
        reply_repeat_text(c, c->item, rdv_buf_str(&text), DIFFERS);
    return rdv_buf_ok(&text) ? RDV_OK : RDV_E_NOMEM;
}

static void add_event(reply_choice_read *c, rdv_str name, const json_t *event)
{
    const json_t *part = json_object_get(event, "part");
    rdv_str delta = parse_text(json_object_get(event, "delta"));
    rdv_str text = parse_text(json_object_get(event, "text"));
    if (rdv_str_eq(name, RDV_STR("output_text.delta"))) {
        reply_add_text(c, delta);
    } else if (rdv_str_eq(name, RDV_STR("output_text.done"))) {
        reply_repeat_text(c, c->part, text, DIFFERS);
    } else if (rdv_str_eq(name, RDV_STR("content_part.added"))) {
        if (rdv_str_eq(type_of(part), RDV_STR("output_text")))
            begin_part(c);
        reply_add_text(c, rdv_str_eq(type_of(part), RDV_STR("output_text"))
                              ? parse_text(json_object_get(part, "text"))
                              : (rdv_str){0});
    } else if (rdv_str_eq(name, RDV_STR("content_part.done"))) {
        if (rdv_str_eq(type_of(part), RDV_STR("output_text")))
            reply_repeat_text(c, c->part, parse_text(json_object_get(part, "text")), DIFFERS);
    } else if (rdv_starts(name, RDV_STR("refusal."))) {
        c->refused = true;
    } else if (rdv_starts(name, RDV_STR("reasoning"))) {
        c->n_reasoning_bytes += delta.len;
    } else if (!is_of_tools(name) && !rdv_starts(name, RDV_STR("output_text.annotation"))) {
        reply_note_unread(c, "an event of an unknown type");
    }
}

int reply_responses_event(reply_choices *r, const json_t *event, rdv_error *err)
{
    int code;
    rdv_str type = type_of(event);
    reply_choice_read *c = reply_choice(r, 0, &code, err);
    if (!c)
        return code;
    if (rdv_str_eq(type, RDV_STR("error")) || rdv_str_eq(type, RDV_STR("response.failed"))) {
        r->failed = true;
        return RDV_OK;
    }
    if (!rdv_starts(type, RDV_STR("response.")))
        return rdv_fail(err, RDV_E_INPUT, "an event whose type is no response's");
    rdv_str name = rdv_slice(type, 9, type.len);
    if (rdv_str_eq(name, RDV_STR("created")) || rdv_str_eq(name, RDV_STR("in_progress")) ||
        rdv_str_eq(name, RDV_STR("queued")))
        return begin_items(r, c, json_object_get(json_object_get(event, "response"), "output"));
    if (rdv_str_eq(name, RDV_STR("completed")) || rdv_str_eq(name, RDV_STR("incomplete"))) {
        r->ended = true;
        return add_output(r, c, json_object_get(event, "response"));
    }
    if (rdv_str_eq(name, RDV_STR("output_item.added"))) {
        c->item = c->text.len ? c->text.len + 2 : 0; /* behind what begin_part() adds */
        return begin_item(r, c, json_object_get(event, "item"));
    }
    if (rdv_str_eq(name, RDV_STR("output_item.done")))
        return item_done(r, c, json_object_get(event, "item"));
    add_event(c, name, event);
    return RDV_OK;
}
