/* SPDX-License-Identifier: Apache-2.0 */
#include "server/event_cut.h"
#include "base/json.h"
#include "base/str.h"
#include "server/convert/json_view.h"
#include "server/json_edit.h"

/* ---- where the text stands ------------------------------------------------------------------- */

/* An event's parts, which are its JSON. */
typedef struct piece {
    rdv_str choice; /* of chat completions and completions: the only one */
    rdv_str delta;  /* the object with the text; p == NULL: it is the choice or the event itself */
    const char *member;
    rdv_str text; /* its value; p == NULL: there is none */
} piece;

/* The only item of a list; p == NULL: there is none, or there are more. */
static rdv_str only_item(rdv_str list)
{
    rdv_str name, first, other;
    size_t at = 0;
    if (!list.p || list.p[0] != '[' || !json_view_next(list, &at, &name, &first))
        return (rdv_str){0};
    return json_view_next(list, &at, &name, &other) ? (rdv_str){0} : first;
}

/* Whether an object has nothing but what may stay behind or goes with the first part. */
static bool has_only(rdv_str object, const char *one, const char *other)
{
    rdv_str name, value;
    for (size_t at = 0; json_view_next(object, &at, &name, &value);)
        if (!rdv_str_eq(name, rdv_str_of(one)) && !rdv_str_eq(name, rdv_str_of(other)) &&
            !json_view_is_nothing(value))
            return false;
    return true;
}

static piece find_piece(reply_protocol protocol, rdv_str data)
{
    piece p = {0};
    rdv_str type = json_view_member(data, "type");
    if (protocol == REPLY_CHAT || protocol == REPLY_TEXT)
        p.choice = only_item(json_view_member(data, "choices"));
    if (protocol == REPLY_CHAT) {
        p.delta = json_view_member(p.choice, "delta");
        p.member = "content";
        if (has_only(p.delta, "role", p.member))
            p.text = json_view_member(p.delta, p.member);
    } else if (protocol == REPLY_TEXT) {
        p.member = "text";
        p.text = json_view_member(p.choice, p.member);
    } else if (protocol == REPLY_RESPONSES) {
        p.member = "delta";
        if (json_view_is(type, "response.output_text.delta"))
            p.text = json_view_member(data, p.member);
    } else if (json_view_is(type, "content_block_delta")) {
        p.delta = json_view_member(data, "delta");
        p.member = "text";
        if (json_view_is(json_view_member(p.delta, "type"), "text_delta"))
            p.text = json_view_member(p.delta, p.member);
    }
    return p;
}

int event_cut_text(reply_protocol protocol, rdv_str data, rdv_arena *arena, rdv_str *text)
{
    piece p = find_piece(protocol, data);
    if (!p.text.p)
        return RDV_NONE;
    int rc = json_view_text(p.text, arena, text);
    return rc == RDV_E_INPUT ? RDV_NONE : rc;
}

/* ---- cutting --------------------------------------------------------------------------------- */

/* What is written; after a fault nothing more is. */
typedef struct cutting {
    rdv_arena *arena;
    int rc;
} cutting;

static rdv_str quoted(cutting *c, rdv_str text)
{
    rdv_buf b;
    rdv_buf_init(&b, c->arena, 0);
    rdv_json_text(&b, text);
    c->rc = c->rc == RDV_OK && !rdv_buf_ok(&b) ? RDV_E_NOMEM : c->rc;
    return rdv_buf_str(&b);
}

static rdv_str set(cutting *c, rdv_str object, const char *name, rdv_str value)
{
    rdv_error err;
    if (c->rc == RDV_OK)
        c->rc = json_edit_set(object, name, value, c->arena, &object, &err);
    return object;
}

static rdv_str without(cutting *c, rdv_str object, const char *name)
{
    rdv_error err;
    if (c->rc == RDV_OK)
        c->rc = json_edit_remove(object, name, c->arena, &object, &err);
    return object;
}

/* The same member made empty, if there is one. */
static rdv_str empty(cutting *c, rdv_str object, const char *name, const char *value)
{
    return json_view_member(object, name).p ? set(c, object, name, rdv_str_of(value)) : object;
}

/* The event with another choice. */
static rdv_str with_choice(cutting *c, rdv_str data, rdv_str choice)
{
    rdv_str list = rdv_str_printf(c->arena, "[%.*s]", RDV_FMT(choice));
    c->rc = c->rc == RDV_OK && !list.p ? RDV_E_NOMEM : c->rc;
    return set(c, data, "choices", list);
}

static rdv_str first_part(cutting *c, reply_protocol protocol, rdv_str data, const piece *p,
                          rdv_str text)
{
    rdv_str said = quoted(c, text);
    if (protocol == REPLY_RESPONSES)
        return empty(c, set(c, data, p->member, said), "logprobs", "[]");
    if (protocol == REPLY_MESSAGES)
        return set(c, data, "delta", set(c, p->delta, p->member, said));
    rdv_str choice = protocol == REPLY_CHAT
                         ? set(c, p->choice, "delta", set(c, p->delta, p->member, said))
                         : set(c, p->choice, p->member, said);
    static const char *const of_end[] = {"finish_reason", "stop_reason", "logprobs", "token_ids"};
    for (size_t i = 0; i < sizeof of_end / sizeof *of_end; i++)
        choice = empty(c, choice, of_end[i], "null");
    return without(c, with_choice(c, data, choice), "usage");
}

static rdv_str second_part(cutting *c, reply_protocol protocol, rdv_str data, const piece *p,
                           rdv_str text)
{
    rdv_str said = quoted(c, text);
    if (protocol == REPLY_RESPONSES)
        return set(c, data, p->member, said);
    if (protocol == REPLY_MESSAGES)
        return set(c, data, "delta", set(c, p->delta, p->member, said));
    rdv_str choice =
        protocol == REPLY_TEXT
            ? set(c, p->choice, p->member, said)
            : set(c, p->choice, "delta", without(c, set(c, p->delta, p->member, said), "role"));
    return with_choice(c, data, choice);
}

int event_cut_at(reply_protocol protocol, rdv_str data, rdv_str text, size_t at, rdv_arena *arena,
                 rdv_str *first, rdv_str *second)
{
    cutting c = {arena, RDV_OK};
    piece p = find_piece(protocol, data);
    *first = first_part(&c, protocol, data, &p, rdv_slice(text, 0, at));
    *second = second_part(&c, protocol, data, &p, rdv_slice(text, at, text.len));
    return c.rc;
}

int event_renumber(rdv_str data, uint64_t more, rdv_arena *arena, rdv_str *out)
{
    rdv_error err;
    rdv_str number = json_view_member(data, "sequence_number");
    *out = data;
    if (!number.p || !more)
        return RDV_OK;
    number = rdv_str_printf(arena, "%llu", (unsigned long long)(json_view_count(number) + more));
    return number.p ? json_edit_set(data, "sequence_number", number, arena, out, &err)
                    : RDV_E_NOMEM;
}
