/* SPDX-License-Identifier: Apache-2.0 */
#include "server/convert/reply_conversion.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/wire.h"
#include "server/convert/reply_writer.h"
#include "server/json_edit.h"

#include <stdlib.h>

struct reply_conversion {
    reply_protocol server;
    rdv_arena *arena;
    reply_writer writer;
    reply_reader reader;
    event_cutter cutter;
    size_t given; /* bytes of what was written that were given as events */
    bool failed;  /* the server reported an error */
};

typedef struct protocol_functions {
    bool (*read_request)(conversation *c, rdv_str body, api_error *e);
    bool (*write_request)(const conversation *c, rdv_buf *b, api_error *e);
    int (*read_event)(reply_reader *r, rdv_str json, rdv_error *err);
    int (*read_whole)(reply_reader *r, rdv_str json, rdv_error *err);
    const reply_form *form;
} protocol_functions;

static const protocol_functions protocols[] = {
    [REPLY_CHAT] = {conversation_read_chat, conversation_write_chat, reply_read_chat_event,
                    reply_read_chat_whole, &reply_form_chat},
    [REPLY_RESPONSES] = {conversation_read_responses, conversation_write_responses,
                         reply_read_responses_event, reply_read_responses_whole,
                         &reply_form_responses},
    [REPLY_MESSAGES] = {conversation_read_messages, conversation_write_messages,
                        reply_read_messages_event, reply_read_messages_whole, &reply_form_messages},
};

bool conversion_exists(reply_protocol client, reply_protocol server)
{
    return client != server && protocols[client].read_request && protocols[server].read_request;
}

bool conversion_of_request(reply_protocol client, reply_protocol server, rdv_str body,
                           rdv_arena *arena, rdv_str *out, api_error *e)
{
    rdv_buf b;
    conversation c = {.arena = arena};
    rdv_buf_init(&b, arena, 0);
    if (!protocols[client].read_request(&c, rdv_trim(body), e) ||
        !protocols[server].write_request(&c, &b, e))
        return false;
    *out = rdv_buf_str(&b);
    return true;
}

/* ---- replies --------------------------------------------------------------------------------- */

static bool is_true(rdv_str value)
{
    return rdv_str_eq(value, RDV_STR("true"));
}

/* What Responses say once more of their request. */
static bool keep_request(reply_writer *w, rdv_str body)
{
    struct {
        const char *name;
        rdv_str *place;
    } members[] = {
        {"parallel_tool_calls", &w->parallel}, {"tool_choice", &w->choice}, {"tools", &w->tools}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        rdv_str value = json_view_member(body, members[i].name);
        *members[i].place = value.p ? rdv_str_copy(w->arena, value) : value;
        if (value.p && !members[i].place->p)
            return false;
    }
    return true;
}

reply_conversion *reply_conversion_new(reply_protocol client, reply_protocol server, rdv_str body)
{
    reply_conversion *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->server = server;
    c->arena = rdv_arena_new(0);
    rdv_str options = json_view_member(rdv_trim(body), "stream_options");
    c->writer = (reply_writer){.protocol = client,
                               .form = protocols[client].form,
                               .wants_usage = is_true(json_view_member(options, "include_usage")),
                               .arena = c->arena};
    c->reader = (reply_reader){.w = &c->writer, .block = SIZE_MAX, .open_call = SIZE_MAX};
    if (!c->arena || (client == REPLY_RESPONSES && !keep_request(&c->writer, rdv_trim(body)))) {
        reply_conversion_free(&c);
        return NULL;
    }
    rdv_buf_init(&c->writer.out, c->arena, 0);
    return c;
}

void reply_conversion_free(reply_conversion **handle)
{
    reply_conversion *c = handle ? *handle : NULL;
    if (!c)
        return;
    *handle = NULL;
    rdv_arena_free(&c->arena);
    free(c);
}

/* One object, in UTF-8 and nested no deeper than the readers go. */
static int check_object(reply_conversion *c, rdv_str json, rdv_error *err)
{
    rdv_members m;
    rdv_mark before = rdv_arena_mark(c->arena);
    int rc = json_edit_cut(json, c->arena, &m, err);
    rdv_members_free(&m);
    rdv_arena_rewind(c->arena, before);
    return rc == RDV_OK || rc == RDV_E_NOMEM ? rc : RDV_E_INPUT;
}

/* What the server says went wrong; p == NULL: nothing did. */
static int said_error(reply_conversion *c, rdv_str json, rdv_str *message, rdv_error *err)
{
    wire_error said;
    rdv_str type = json_view_member(json, "type");
    *message = (rdv_str){0};
    bool failed = json_view_is(type, "response.failed");
    if (json_view_is_nothing(json_view_member(json, "error")) && !json_view_is(type, "error") &&
        !failed)
        return RDV_OK;
    rdv_str of = failed ? json_view_member(json, "response") : json;
    int rc = wire_read_error(of.p ? of : json, c->arena, &said, err);
    *message = said.message.len ? said.message : RDV_STR("it does not say which");
    return rc;
}

int reply_conversion_whole(reply_conversion *c, rdv_str body, rdv_str *out, rdv_error *err)
{
    rdv_str message;
    body = rdv_trim(body);
    int rc = check_object(c, body, err);
    rc = rc == RDV_OK ? said_error(c, body, &message, err) : rc;
    if (rc == RDV_OK && message.p)
        return rdv_fail(err, RDV_E_INPUT, "reports an error: %.*s",
                        (int)(message.len < 120 ? message.len : 120), message.p);
    rc = rc == RDV_OK ? protocols[c->server].read_whole(&c->reader, body, err) : rc;
    rc = rc == RDV_OK ? reply_writer_end(&c->writer, err) : rc;
    *out = rdv_buf_str(&c->writer.out);
    return rc;
}

static void write_error(reply_conversion *c, rdv_str message)
{
    api_error e;
    c->failed = true;
    api_error_set(&e, 502, NULL, "The model's server reports an error: %.*s",
                  (int)(message.len < 160 ? message.len : 160), message.p);
    e.code = "upstream_failed";
    api_error_write_event(&c->writer.out, c->writer.protocol, &e, (rdv_str){0});
}

int reply_conversion_event(reply_conversion *c, const stream_event *event, rdv_error *err)
{
    rdv_str data = rdv_trim(event->data), message;
    c->writer.streams = true;
    if (c->writer.ended || c->failed)
        return RDV_OK;
    if (data.len == 0) { /* a comment, which keeps the connection alive */
        if (!event->data.p && !event->name.p)
            rdv_buf_add(&c->writer.out, event->bytes);
        return RDV_OK;
    }
    if (rdv_str_eq(data, RDV_STR("[DONE]"))) {
        c->reader.stopped = true;
        return reply_writer_end(&c->writer, err);
    }
    int rc = check_object(c, data, err);
    rc = rc == RDV_OK ? said_error(c, data, &message, err) : rc;
    if (rc == RDV_OK && message.p)
        write_error(c, message);
    else if (rc == RDV_OK)
        rc = protocols[c->server].read_event(&c->reader, data, err);
    return rc == RDV_OK && c->reader.stopped ? reply_writer_end(&c->writer, err) : rc;
}

/* Some servers leave [DONE] out. */
int reply_conversion_end(reply_conversion *c, rdv_error *err)
{
    if (c->writer.ended || c->failed)
        return RDV_OK;
    if (c->server != REPLY_CHAT || c->writer.end == END_NOT_SAID)
        return rdv_fail(err, RDV_E_INPUT, "it ended early");
    return reply_writer_end(&c->writer, err);
}

int reply_conversion_next(reply_conversion *c, rdv_arena *arena, stream_event *out)
{
    rdv_str all = rdv_buf_str(&c->writer.out);
    rdv_str rest = all.p ? rdv_slice(all, c->given, all.len) : RDV_STR("");
    int rc = rest.len ? event_cut(&c->cutter, rest, false, arena, out) : RDV_NONE;
    if (rc == RDV_OK) {
        c->given += out->bytes.len;
    } else if (rc == RDV_NONE) {
        rdv_buf_clear(&c->writer.out);
        c->given = 0;
    }
    return rc;
}
