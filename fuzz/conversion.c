/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions between protocols: a request becomes one JSON object, or is refused in one sentence;
 * a reply becomes events, each with one JSON object, or a fault with a reason; and only what was
 * ended by the server has an end. The first byte chooses the protocols, what the input is, and how
 * long the pieces of a stream are. */
#include "base/arena.h"
#include "base/str.h"
#include "server/convert/reply_conversion.h"
#include "server/json_edit.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static bool is_object(rdv_str json, rdv_arena *arena)
{
    rdv_members m;
    rdv_error err;
    bool ok = json_edit_cut(json, arena, &m, &err) == RDV_OK;
    rdv_members_free(&m);
    return ok;
}

/* The server cuts a body into its members before it converts it. */
static void convert_request(reply_protocol client, reply_protocol server, rdv_str body,
                            rdv_arena *arena)
{
    api_error e = {0};
    rdv_str out;
    if (!is_object(body, arena))
        return;
    if (conversion_of_request(client, server, body, arena, &out, &e))
        require(is_object(out, arena));
    else
        require(e.status == 400 && e.message[0]);
}

static void convert_whole(reply_protocol client, reply_protocol server, rdv_str body,
                          rdv_arena *arena)
{
    rdv_str out;
    rdv_error err = {0};
    reply_conversion *c = reply_conversion_new(client, server, RDV_STR("{}"));
    require(c);
    if (reply_conversion_whole(c, body, &out, &err) == RDV_OK)
        require(is_object(out, arena));
    else
        require(err.msg[0]);
    reply_conversion_free(&c);
}

/* The events for the client. True: one of them is an end. */
static bool take_events(reply_conversion *c, rdv_arena *arena)
{
    stream_event event;
    bool ends = false;
    while (reply_conversion_next(c, arena, &event) == RDV_OK) {
        bool done = rdv_str_eq(event.data, RDV_STR("[DONE]"));
        require(!event.data.p || done || is_object(event.data, arena));
        ends |= done || rdv_str_eq(event.name, RDV_STR("message_stop")) ||
                rdv_str_eq(event.name, RDV_STR("response.completed")) ||
                rdv_str_eq(event.name, RDV_STR("response.incomplete"));
    }
    return ends;
}

static void convert_stream(reply_protocol client, reply_protocol server, rdv_str all, size_t piece,
                           rdv_arena *arena)
{
    event_cutter cutter = {0};
    stream_event event;
    rdv_error err = {0};
    size_t from = 0;
    int rc = RDV_OK;
    bool ends = false;
    reply_conversion *c = reply_conversion_new(client, server, RDV_STR("{\"stream\":true}"));
    require(c);
    for (size_t to = 0; to <= all.len && rc == RDV_OK; to += piece) {
        bool ended = to + piece > all.len;
        rdv_str bytes = rdv_slice(all, from, ended ? all.len : to);
        while (rc == RDV_OK && event_cut(&cutter, bytes, ended, arena, &event) == RDV_OK) {
            from += event.bytes.len;
            bytes = rdv_slice(all, from, ended ? all.len : to);
            rc = reply_conversion_event(c, &event, &err);
            require(!take_events(c, arena) || rc == RDV_OK);
        }
    }
    if (rc == RDV_OK)
        rc = reply_conversion_end(c, &err);
    ends = take_events(c, arena);
    require(rc == RDV_OK || (err.msg[0] && !ends));
    reply_conversion_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const reply_protocol all[] = {REPLY_CHAT, REPLY_RESPONSES, REPLY_MESSAGES};
    const size_t n = sizeof all / sizeof *all;
    rdv_arena *arena = size ? rdv_arena_new(0) : NULL;
    if (!arena)
        return 0;
    reply_protocol client = all[data[0] % n],
                   server = all[(data[0] + 1 + data[0] / n % (n - 1)) % n];
    rdv_str rest = {(const char *)data + 1, size - 1};
    require(conversion_exists(client, server));
    convert_request(client, server, rest, arena);
    convert_whole(client, server, rest, arena);
    convert_stream(client, server, rest, 1 + data[0] / 8, arena);
    rdv_arena_free(&arena);
    return 0;
}
