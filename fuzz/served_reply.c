/* SPDX-License-Identifier: Apache-2.0 */
/* What a model's server sends, as `rederive serve` reads it: events are the same however their
 * bytes come, no byte is lost, no member `rederive` of the server's stays where ours stands, and
 * reading the reply ends in a reply or a fault with a reason. An event that is cut gives the same
 * text in two parts. What is left of it without reasoning is JSON. A stream that is continued in
 * place of its server has events that are JSON. The first byte chooses the protocol and how long
 * the pieces are. */
#include "base/arena.h"
#include "base/str.h"
#include "server/event_cut.h"
#include "server/json_edit.h"
#include "server/reasoning_drop.h"
#include "server/reply_edit.h"
#include "server/sent_stream.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* No value of the cleaned JSON holds the member at its top. */
static void check_clean(rdv_str json, rdv_arena *arena)
{
    rdv_str clean;
    rdv_error err;
    rdv_members m;
    if (reply_edit_clean(json, arena, &clean, &err) != RDV_OK)
        return;
    require(clean.p && clean.len <= json.len);
    if (json_edit_cut(clean, arena, &m, &err) == RDV_OK)
        require(!json_edit_find(&m, "rederive"));
    rdv_members_free(&m);
}

static void check_cut(reply_protocol protocol, rdv_str data, rdv_arena *arena)
{
    rdv_str text, first, second, one, other;
    if (event_cut_text(protocol, data, arena, &text) != RDV_OK || text.len == 0)
        return;
    size_t at = text.len / 2;
    while (at < text.len && ((unsigned char)text.p[at] & 0xc0) == 0x80)
        at++;
    if (event_cut_at(protocol, data, text, at, arena, &first, &second) != RDV_OK)
        return;
    require(event_cut_text(protocol, first, arena, &one) == RDV_OK);
    require(event_cut_text(protocol, second, arena, &other) == RDV_OK);
    require(rdv_str_eq(one, rdv_slice(text, 0, at)));
    require(rdv_str_eq(other, rdv_slice(text, at, text.len)));
}

/* An event, which might be a whole body too, without reasoning. */
static void check_dropped(reply_protocol protocol, rdv_str data, rdv_arena *arena)
{
    rdv_str left[2];
    rdv_error err;
    reasoning_drop drop = {0};
    int rc[] = {reasoning_drop_event(&drop, protocol, data, arena, &left[0], &err),
                reasoning_drop_body(protocol, data, arena, &left[1], &err)};
    for (size_t i = 0; i < 2; i++) {
        json_t *parsed;
        require(rc[i] == RDV_OK || rc[i] == RDV_NONE || rc[i] == RDV_E_INPUT);
        if (rc[i] != RDV_OK)
            continue;
        require(parse_json(left[i], false, &parsed, &err) == RDV_OK);
        json_decref(parsed);
    }
}

/* What was sent of it so far is continued and ended. */
static void check_continued(const sent_stream *sent, rdv_arena *arena)
{
    sent_stream s = *sent;
    stream_event event, last;
    event_cutter cutter = {0};
    rdv_buf out;
    const sent_end how = {.shows_usage = true, .tokens_in = 1, .tokens_out = 2};
    if (!sent_stream_can_continue(&s))
        return;
    rdv_buf_init(&out, arena, 0);
    require(sent_stream_add_text(&s, &out, RDV_STR("\"more\"\n")) == RDV_OK);
    require(sent_stream_end(&s, &how, &out, &last) == RDV_OK);
    rdv_buf_add(&out, last.bytes);
    for (rdv_str all = rdv_buf_str(&out); event_cut(&cutter, all, true, arena, &event) == RDV_OK;
         all = rdv_slice(all, event.bytes.len, all.len)) {
        json_t *parsed;
        rdv_error err;
        if (rdv_str_eq(event.data, RDV_STR("[DONE]")))
            continue;
        require(parse_json(event.data, false, &parsed, &err) == RDV_OK);
        json_decref(parsed);
    }
}

static void read_event(reply_choices *reply, sent_stream *sent, const stream_event *event,
                       rdv_arena *arena)
{
    rdv_error err = {0};
    json_t *parsed;
    if (!event->data.p)
        return;
    check_clean(event->data, arena);
    if (parse_json(event->data, false, &parsed, &err) != RDV_OK)
        return;
    if (json_is_object(parsed)) {
        check_cut(reply->protocol, event->data, arena);
        check_dropped(reply->protocol, event->data, arena);
        require(sent_stream_note(sent, event) == RDV_OK);
    }
    if (reply_choices_event(reply, parsed, &err) != RDV_OK)
        require(err.msg[0]);
    require(reply->n <= REPLY_MOST_CHOICES);
    json_decref(parsed);
}

/* Pass the stream piece by piece; the number of events. */
static size_t read_stream(rdv_str all, size_t piece, reply_choices *reply, rdv_arena *arena)
{
    event_cutter cutter = {0};
    stream_event event;
    size_t from = 0, n = 0;
    sent_stream sent;
    sent_stream_init(&sent, reply->protocol, arena);
    for (size_t to = 0; to <= all.len; to += piece) {
        bool ended = to + piece > all.len;
        size_t end = ended ? all.len : to;
        while (event_cut(&cutter, rdv_slice(all, from, end), ended, arena, &event) == RDV_OK) {
            require(event.bytes.len > 0 && event.bytes.p == all.p + from);
            from += event.bytes.len;
            n++;
            read_event(reply, &sent, &event, arena);
        }
    }
    require(from == all.len);
    check_continued(&sent, arena);
    return n;
}

static void read_whole(rdv_str all, reply_protocol protocol, rdv_arena *arena)
{
    reply_choices reply;
    rdv_error err = {0};
    json_t *parsed;
    check_clean(all, arena);
    if (parse_json(all, false, &parsed, &err) != RDV_OK)
        return;
    reply_choices_init(&reply, protocol, arena);
    if (reply_choices_whole(&reply, parsed, &err) != RDV_OK)
        require(err.msg[0]);
    json_decref(parsed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_arena *arena = size ? rdv_arena_new(0) : NULL;
    reply_choices pieces, whole;
    if (!arena)
        return 0;
    reply_protocol protocol = (reply_protocol)(data[0] & 3);
    rdv_str all = {(const char *)data + 1, size - 1};
    reply_choices_init(&pieces, protocol, arena);
    reply_choices_init(&whole, protocol, arena);
    size_t n = read_stream(all, 1 + (data[0] >> 2), &pieces, arena);
    require(read_stream(all, all.len + 1, &whole, arena) == n);
    require(pieces.n == whole.n && pieces.failed == whole.failed);
    for (size_t i = 0; i < whole.n; i++)
        require(rdv_str_eq(rdv_buf_str(&pieces.items[i].text), rdv_buf_str(&whole.items[i].text)));
    read_whole(all, protocol, arena);
    rdv_arena_free(&arena);
    return 0;
}
