/* SPDX-License-Identifier: Apache-2.0 */
/* Anthropic's Messages: a list of blocks; as a stream, events that begin, go on with and end each
 * block, and `message_delta`, which says how the message ended. */
#include "base/str.h"
#include "model/reply_readers.h"

static rdv_str type_of(const json_t *object)
{
    return parse_text(json_object_get(object, "type"));
}

static void add_block(reply_choice_read *c, const json_t *block)
{
    rdv_str type = type_of(block);
    if (rdv_str_eq(type, RDV_STR("text"))) {
        if (c->text.len)
            reply_add_text(c, RDV_STR("\n\n"));
        reply_add_text(c, parse_text(json_object_get(block, "text")));
    } else if (rdv_str_eq(type, RDV_STR("thinking"))) {
        c->n_reasoning_bytes += parse_text(json_object_get(block, "thinking")).len;
    } else if (rdv_ends(type, RDV_STR("tool_use"))) {
        c->n_tool_calls++;
    } else if (!rdv_str_eq(type, RDV_STR("redacted_thinking")) &&
               !rdv_ends(type, RDV_STR("tool_result"))) {
        reply_note_unread(c, "a block of an unknown type");
    }
}

static void add_delta(reply_choice_read *c, const json_t *delta)
{
    rdv_str type = type_of(delta);
    if (rdv_str_eq(type, RDV_STR("text_delta")))
        reply_add_text(c, parse_text(json_object_get(delta, "text")));
    else if (rdv_str_eq(type, RDV_STR("thinking_delta")))
        c->n_reasoning_bytes += parse_text(json_object_get(delta, "thinking")).len;
    else if (!rdv_str_eq(type, RDV_STR("input_json_delta")) &&
             !rdv_str_eq(type, RDV_STR("signature_delta")) &&
             !rdv_str_eq(type, RDV_STR("citations_delta")))
        reply_note_unread(c, "a piece of an unknown type");
}

static void add_blocks(reply_choice_read *c, const json_t *content)
{
    for (size_t i = 0; i < json_array_size(content); i++)
        add_block(c, json_array_get(content, i));
}

int reply_messages_whole(reply_choices *r, const json_t *body, rdv_error *err)
{
    int code;
    const json_t *content = json_object_get(body, "content");
    if (!json_is_array(content))
        return rdv_fail(err, RDV_E_INPUT, "a message without content");
    reply_choice_read *c = reply_choice(r, 0, &code, err);
    if (!c)
        return code;
    add_blocks(c, content);
    return reply_keep_finish(r, c, json_object_get(body, "stop_reason"));
}

int reply_messages_event(reply_choices *r, const json_t *event, rdv_error *err)
{
    int code;
    rdv_str type = type_of(event);
    reply_choice_read *c = reply_choice(r, 0, &code, err);
    if (!c)
        return code;
    if (rdv_str_eq(type, RDV_STR("message_start"))) {
        add_blocks(c, json_object_get(json_object_get(event, "message"), "content"));
    } else if (rdv_str_eq(type, RDV_STR("content_block_start"))) {
        add_block(c, json_object_get(event, "content_block"));
    } else if (rdv_str_eq(type, RDV_STR("content_block_delta"))) {
        add_delta(c, json_object_get(event, "delta"));
    } else if (rdv_str_eq(type, RDV_STR("message_delta"))) {
        return reply_keep_finish(r, c,
                                 json_object_get(json_object_get(event, "delta"), "stop_reason"));
    } else if (rdv_str_eq(type, RDV_STR("message_stop"))) {
        r->ended = true;
    } else if (rdv_str_eq(type, RDV_STR("error"))) {
        r->failed = true;
    } else if (!rdv_str_eq(type, RDV_STR("ping")) &&
               !rdv_str_eq(type, RDV_STR("content_block_stop"))) {
        reply_note_unread(c, "an event of an unknown type");
    }
    return RDV_OK;
}
