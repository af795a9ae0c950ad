/* SPDX-License-Identifier: Apache-2.0 */
#include "server/convert/conversation.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "server/json_edit.h"

bool conversation_no_memory(api_error *e)
{
    return api_error_set(e, 500, NULL, "Out of memory.");
}

bool conversation_refuse(api_error *e, const char *of, const char *why)
{
    return api_error_set(e, 400, of,
                         "The request cannot be converted to the protocol of the model's server: "
                         "%s: %.150s.",
                         of, why);
}

turn *conversation_turn(conversation *c, turn_role role, api_error *e)
{
    turn *t = RDV_NEW(c->arena, turn);
    if (!t) {
        (void)conversation_no_memory(e);
        return NULL;
    }
    t->role = role;
    *(c->last ? &c->last->next : &c->first) = t;
    c->last = t;
    return t;
}

turn_part *conversation_part(conversation *c, turn *t, part_kind kind, api_error *e)
{
    turn_part *p = t ? RDV_NEW(c->arena, turn_part) : NULL;
    if (!p) {
        (void)conversation_no_memory(e);
        return NULL;
    }
    p->kind = kind;
    *(t->last ? &t->last->next : &t->first) = p;
    t->last = p;
    return p;
}

bool conversation_add_text(conversation *c, turn *t, rdv_str text, api_error *e)
{
    turn_part *p = conversation_part(c, t, PART_TEXT, e);
    if (p)
        p->text = text;
    return p;
}

bool conversation_is_content(const turn_part *p)
{
    return p->kind == PART_TEXT || p->kind == PART_IMAGE || p->kind == PART_REFUSAL;
}

bool conversation_add_tool(conversation *c, tool of, api_error *e)
{
    if (!of.name.p)
        return conversation_refuse(e, "tools", "a tool has no name");
    tool *t = RDV_NEW(c->arena, tool);
    if (!t)
        return conversation_no_memory(e);
    *t = of;
    *(c->last_tool ? &c->last_tool->next : &c->tools) = t;
    c->last_tool = t;
    return true;
}

static const char *const choice_words[] = {
    [TOOLS_AUTO] = "auto", [TOOLS_NONE] = "none", [TOOLS_ANY] = "required"};

bool conversation_read_choice_word(conversation *c, rdv_str value)
{
    for (tool_choice i = TOOLS_AUTO; i <= TOOLS_ANY; i++)
        if (json_view_is(value, choice_words[i]))
            c->choice = i;
    return !value.p || c->choice != TOOLS_NOT_SAID;
}

void conversation_put_choice(const conversation *c, rdv_buf *b, bool nested)
{
    if (c->choice == TOOLS_ONE) {
        rdv_json_open(b, "tool_choice", '{');
        rdv_buf_printf(b,
                       nested ? "\"type\":\"function\",\"function\":{\"name\":%.*s}}"
                              : "\"type\":\"function\",\"name\":%.*s}",
                       RDV_FMT(c->chosen));
    } else if (c->choice != TOOLS_NOT_SAID) {
        rdv_json_put_text(b, "tool_choice", rdv_str_of(choice_words[c->choice]));
    }
    if (c->one_call)
        rdv_json_put_flag(b, "parallel_tool_calls", false);
}

bool conversation_object(rdv_arena *arena, rdv_str text, rdv_str *object)
{
    rdv_members m;
    rdv_error err;
    if (json_view_text(text, arena, object) != RDV_OK)
        return false;
    *object = rdv_trim(*object);
    if (object->len == 0)
        *object = RDV_STR("{}");
    bool ok = json_edit_cut(*object, arena, &m, &err) == RDV_OK;
    rdv_members_free(&m);
    return ok;
}

bool conversation_read_image(turn_part *p, rdv_str url, const char *of, api_error *e)
{
    rdv_str inner = json_view_inner(url);
    size_t comma = rdv_find(inner, RDV_STR(";base64,"), 0);
    if (!rdv_starts(inner, RDV_STR("data:"))) {
        p->url = url;
        return p->url.p || conversation_refuse(e, of, "an image has no address");
    }
    if (comma == RDV_NOT_FOUND)
        return conversation_refuse(e, of, "an image's data are not in base64");
    p->media = rdv_slice(inner, 5, comma);
    p->data = rdv_slice(inner, comma + 8, inner.len);
    return true;
}

void conversation_write_image(rdv_buf *b, const turn_part *p)
{
    if (p->url.p)
        rdv_buf_add(b, p->url);
    else
        rdv_buf_printf(b, "\"data:%.*s;base64,%.*s\"", RDV_FMT(p->media), RDV_FMT(p->data));
}

void conversation_put(rdv_buf *b, const char *name, rdv_str value)
{
    if (!value.p)
        return;
    rdv_json_name(b, rdv_str_of(name));
    rdv_buf_add(b, value);
}

rdv_str conversation_listed(rdv_arena *arena, rdv_str value)
{
    if (rdv_char_at(value, 0) == '[')
        return value;
    return rdv_str_printf(arena, "[%.*s]", RDV_FMT(value));
}
