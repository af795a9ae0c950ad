/* SPDX-License-Identifier: Apache-2.0 */
#include "data/layout/events.h"

#include "base/arena.h"
#include "base/str.h"

#define DONE RDV_STR("[DONE]")

/* ---- the form -------------------------------------------------------------------------------- */

/* The value of a field's line; p == NULL: the line is of another field. */
static rdv_str field(rdv_str line, const char *name)
{
    rdv_str prefix = rdv_str_of(name);
    if (!rdv_starts(line, prefix) || rdv_char_at(line, prefix.len) != ':')
        return (rdv_str){0};
    return rdv_trim(rdv_slice(line, prefix.len + 1, line.len));
}

/* Lines that may stand before the data: of other fields, and comments, which keep a connection
 * open. */
static bool may_precede(rdv_str line)
{
    return field(line, "event").p || field(line, "id").p || field(line, "retry").p ||
           rdv_starts(line, RDV_STR(":"));
}

bool rdv_events_begin(rdv_str text)
{
    rdv_str line;
    while (rdv_next_line(&text, &line)) {
        rdv_str data = field(line, "data");
        if (data.p)
            return rdv_starts(data, RDV_STR("{")) || rdv_starts(data, DONE);
        if (rdv_trim(line).len && !may_precede(line))
            return false;
    }
    return false;
}

/* ---- reading --------------------------------------------------------------------------------- */

int rdv_event_file_init(rdv_event_file *e, rdv_bytes *bytes, const rdv_limits *limits,
                        rdv_error *err)
{
    *e =
        (rdv_event_file){.lines = {.bytes = bytes, .most = limits->record_bytes, .here = {1, 1, 0}},
                         .arena = rdv_arena_new(0),
                         .limits = limits};
    return e->arena ? RDV_OK : rdv_no_memory(err);
}

void rdv_event_file_free(rdv_event_file *e)
{
    rdv_arena_free(&e->arena);
}

/* The data of one event. */
typedef struct piece {
    rdv_str data;
    size_t at; /* byte of e->raw where it stands */
} piece;

/* A reply in the making. */
typedef struct reply {
    piece *pieces;
    size_t n, cap;
    bool ended, too_long;
    int fault; /* why its first piece that is no JSON is none, and where */
    rdv_error why;
    rdv_json_span wrong;
} reply;

/* Is the piece the last of its reply? */
static bool is_last(const rdv_members *members)
{
    static const char *const last[] = {"\"message_stop\"", "\"response.completed\"",
                                       "\"response.incomplete\"", "\"response.failed\""};
    return rdv_named(rdv_members_raw(members, "type"), last, sizeof last / sizeof *last) >= 0;
}

/* Look at the data that stands at that column of line span->line: JSON, and the reply's last? */
static void judge(const rdv_event_file *e, reply *r, rdv_str data, rdv_place line, size_t column)
{
    rdv_members members;
    rdv_error why = {0};
    size_t at = 0;
    rdv_arena *arena = rdv_arena_new(0);
    int rc = arena ? rdv_members_read(&members, data, e->limits, arena, &at, &why) : RDV_E_NOMEM;
    if (rc == RDV_OK) {
        r->ended = is_last(&members);
    } else if (r->fault == RDV_OK) {
        r->fault = rc;
        r->why = why;
        r->wrong = (rdv_json_span){.text = data, .line = line.line, .column = column};
        rdv_json_span_advance(&r->wrong, at);
    }
    if (arena)
        rdv_members_free(&members);
    rdv_arena_free(&arena);
}

static int add_piece(rdv_event_file *e, reply *r, rdv_str data, size_t at, rdv_error *err)
{
    rdv_str kept = rdv_str_copy(e->arena, data);
    if (!kept.p || !RDV_PUSH_ROOM(e->arena, r->pieces, r->n, r->cap))
        return rdv_no_memory(err);
    r->pieces[r->n++] = (piece){kept, at};
    return RDV_OK;
}

/* Take the events of one reply. RDV_NONE: the file has ended with it. */
static int take_reply(rdv_event_file *e, reply *r, rdv_json_span *span, rdv_error *err)
{
    rdv_buf line;
    rdv_buf_init(&line, e->arena, 0);
    for (;;) {
        rdv_place here = e->lines.here;
        size_t raw = e->raw.len;
        rdv_buf_clear(&line);
        rdv_buf_lit(&line, "");
        int rc = rdv_lines_take(&e->lines, &line, &r->too_long, err);
        if (rc < 0)
            return rc;
        rdv_str text = rdv_buf_str(&line), data = field(text, "data");
        if (data.p && !rdv_str_eq(data, DONE)) {
            size_t column = (size_t)(data.p - text.p);
            span->line = r->n ? span->line : here.line;
            judge(e, r, data, here, column + 1);
            int added = add_piece(e, r, data, raw + column, err);
            if (added != RDV_OK || r->fault == RDV_E_NOMEM)
                return rdv_no_memory(err);
        }
        r->ended = r->n && (r->ended || rdv_str_eq(data, DONE));
        if (rc == RDV_NONE || r->ended)
            return rc;
    }
}

static int make_record(rdv_event_file *e, const reply *r, rdv_json_span *span, rdv_error *err)
{
    rdv_str raw = rdv_buf_str(&e->raw);
    rdv_buf b;
    for (size_t i = 0; e->copies && i < r->n; i++)
        rdv_copies_add(e->copies, r->pieces[i].data.p, r->pieces[i].data.len,
                       raw.p + r->pieces[i].at, r->pieces[i].data.len);
    rdv_arena_log(e->arena, e->copies);
    rdv_buf_init(&b, e->arena, 0);
    rdv_buf_lit(&b, "{\"stream\":[");
    for (size_t i = 0; i < r->n; i++) {
        if (i)
            rdv_buf_add_char(&b, ',');
        rdv_buf_add(&b, r->pieces[i].data);
    }
    rdv_buf_printf(&b, "],\"stream_ended\":%s}", r->ended ? "true" : "false");
    rdv_arena_log(e->arena, NULL);
    span->text = rdv_buf_str(&b);
    span->origin.bytes = raw;
    span->origin.copies = e->copies;
    return rdv_buf_ok(&b) && raw.p ? RDV_OK : rdv_no_memory(err);
}

int rdv_event_file_next(rdv_event_file *e, rdv_json_span *span, rdv_error *err)
{
    reply r = {0};
    rdv_arena_reset(e->arena);
    rdv_buf_init(&e->raw, e->arena, 0);
    e->lines.raw = e->copies ? &e->raw : NULL;
    *span = (rdv_json_span){.line = e->lines.here.line, .origin.begin = e->lines.here};
    int rc = take_reply(e, &r, span, err);
    if (rc < 0)
        return rc;
    if (r.too_long)
        return rdv_fail(err, RDV_E_LIMIT, "a reply of more than %zu bytes; it was passed over",
                        e->limits->record_bytes);
    if (r.fault != RDV_OK) {
        span->line = r.wrong.line;
        span->column = r.wrong.column;
        return rdv_fail(err, r.fault, "the data of this event: %s", r.why.msg);
    }
    return r.n ? make_record(e, &r, span, err) : RDV_NONE;
}
