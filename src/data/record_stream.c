/* SPDX-License-Identifier: Apache-2.0 */
#include "data/record_stream.h"

#include "base/arena.h"
#include "base/str.h"
#include "data/nonfinite.h"

int rdv_record_stream_init(rdv_record_stream *s, rdv_bytes *bytes, rdv_error *err)
{
    *s = (rdv_record_stream){.bytes = bytes, .arena = rdv_arena_new(0), .part = rdv_arena_new(0)};
    return s->arena && s->part ? RDV_OK : rdv_no_memory(err);
}

void rdv_record_stream_free(rdv_record_stream *s)
{
    if (s->text)
        rdv_text_file_free(s->text);
    if (s->events)
        rdv_event_file_free(s->events);
    rdv_table_free(&s->table);
    rdv_json_stream_free(&s->json);
    rdv_bytes_close(&s->bytes);
    rdv_arena_free(&s->arena);
    rdv_arena_free(&s->part);
    rdv_arena_free(&s->trace);
}

/* ---- beginning ------------------------------------------------------------------------------- */

static int is_unread_kind(const rdv_record_stream *s, rdv_error *err)
{
    rdv_fail(err, RDV_E_FORMAT, "not read: this is %s", s->look.what);
    rdv_str said = rdv_str_copy(s->arena, rdv_str_of(err->msg));
    const char *advice = s->look.advice;
    if (!advice || !said.p)
        return RDV_E_FORMAT;
    const char *place = strstr(advice, "%s");
    int before = place ? (int)(place - advice) : (int)strlen(advice);
    return rdv_fail(err, RDV_E_FORMAT, "%s; %.*s%s%s", said.p, before, advice, place ? s->path : "",
                    place ? place + 2 : "");
}

/* Without the byte order mark, which is no part of the first column's name or the first step. */
static int pass_mark(rdv_record_stream *s, rdv_error *err)
{
    rdv_str text;
    char mark[3];
    size_t got = 0;
    int rc = rdv_bytes_peek(s->bytes, sizeof mark, &text, err);
    if (rc == RDV_OK && rdv_starts(text, RDV_STR("\xef\xbb\xbf")))
        rc = rdv_bytes_read(s->bytes, mark, sizeof mark, &got, err);
    s->mark = got;
    return rc;
}

/* Where the copies of the current record are noted; NULL: nobody asks. */
static rdv_copies *traced(rdv_record_stream *s)
{
    return s->trace ? &s->copies : NULL;
}

static int begin_json(rdv_record_stream *s, rdv_error *err)
{
    rdv_bytes *bytes = s->bytes;
    s->bytes = NULL;
    int rc = rdv_json_stream_init(&s->json, bytes, s->limits, err);
    s->json.mapping = s->mapping;
    s->json.copies = traced(s);
    return rc;
}

static int begin_text(rdv_record_stream *s, rdv_error *err)
{
    s->text = RDV_NEW(s->arena, rdv_text_file);
    if (!s->text)
        return rdv_no_memory(err);
    int rc = rdv_text_file_init(s->text, s->bytes, s->options, s->set, s->limits, err);
    s->text->lines.here.offset = s->mark;
    s->text->copies = traced(s);
    return rc;
}

static int begin_events(rdv_record_stream *s, rdv_error *err)
{
    s->events = RDV_NEW(s->arena, rdv_event_file);
    if (!s->events)
        return rdv_no_memory(err);
    int rc = rdv_event_file_init(s->events, s->bytes, s->limits, err);
    s->events->lines.here.offset = s->mark;
    s->events->copies = traced(s);
    return rc;
}

static int begin_table(rdv_record_stream *s, rdv_error *err)
{
    int rc = rdv_table_init(&s->table, s->bytes, s->look.separator, s->limits, err);
    s->table.offset = s->mark;
    s->table.copies = traced(s);
    return rc;
}

static bool is_sample(rdv_str name)
{
    rdv_str rest = rdv_slice(name, 8, name.len);
    return rdv_starts(name, RDV_STR("samples/")) && rdv_ends(rest, RDV_STR(".json")) &&
           (rdv_find_char(rest, '/', 0) == RDV_NOT_FOUND ||
            rdv_ends(rest, RDV_STR("/sample.json")));
}

/* What the zip file is, when no sample is in it. */
static int has_no_sample(const rdv_record_stream *s, rdv_error *err)
{
    const rdv_zip *zip = &s->zip;
    rdv_buf names;
    rdv_buf_init(&names, s->arena, 0);
    for (size_t i = 0; i < zip->n; i++)
        if (rdv_str_eq(zip->members[i].name, RDV_STR("header.json")) ||
            rdv_str_eq(zip->members[i].name, RDV_STR("_journal/start.json")))
            return rdv_fail(err, RDV_E_FORMAT,
                            "a log of inspect_ai without samples: none had "
                            "ended, or it was written with log_samples=False");
    for (size_t i = 0; i < zip->n && i < 3; i++)
        rdv_buf_printf(&names, "%s%.*s", i ? ", " : "",
                       RDV_FMT(rdv_slice(zip->members[i].name, 0, 60)));
    return rdv_fail(err, RDV_E_FORMAT,
                    "not read: this is a zip file that is no log of inspect_ai (it has %.*s%s); "
                    "unpack it and give its files",
                    RDV_FMT(rdv_buf_str(&names)),
                    zip->n > 3 ? ", ..."
                    : zip->n   ? ""
                               : "no files");
}

static int begin_zip(rdv_record_stream *s, rdv_error *err)
{
    int file = -1;
    int rc = rdv_bytes_file(s->bytes, &file, err);
    if (rc == RDV_OK)
        rc = rdv_zip_open(&s->zip, file, s->arena, err);
    if (rc != RDV_OK)
        return rc == RDV_E_LIMIT ? RDV_E_FORMAT : rc;
    for (size_t i = 0; i < s->zip.n; i++)
        if (is_sample(s->zip.members[i].name))
            return RDV_OK;
    return has_no_sample(s, err);
}

static int begin(rdv_record_stream *s, rdv_error *err)
{
    s->begun = true;
    if (s->options->places && !(s->trace = rdv_arena_new(0)))
        return rdv_no_memory(err);
    rdv_copies_init(&s->copies, s->trace);
    int rc = rdv_file_look_at(s->bytes, s->path, &s->look, err);
    if (rc == RDV_OK && (s->look.kind == RDV_FILE_TABLE || s->look.kind == RDV_FILE_TEXT ||
                         s->look.kind == RDV_FILE_EVENTS))
        rc = pass_mark(s, err);
    if (rc != RDV_OK)
        return rc;
    switch (s->look.kind) {
    case RDV_FILE_TABLE:
        return begin_table(s, err);
    case RDV_FILE_TEXT:
        return begin_text(s, err);
    case RDV_FILE_EVENTS:
        return begin_events(s, err);
    case RDV_FILE_ZIP:
        return begin_zip(s, err);
    case RDV_FILE_OTHER:
        return is_unread_kind(s, err);
    default:
        return begin_json(s, err);
    }
}

/* ---- records --------------------------------------------------------------------------------- */

/* The next sample of a log in a zip file. */
static int next_member(rdv_record_stream *s, rdv_json_span *span, rdv_error *err)
{
    while (s->next < s->zip.n && !is_sample(s->zip.members[s->next].name))
        s->next++;
    if (s->next == s->zip.n)
        return RDV_NONE;
    const rdv_zip_member *member = &s->zip.members[s->next++];
    s->taken += member->packed;
    *span = (rdv_json_span){.line = 1, .column = 1, .part = member->name};
    if (rdv_ends(member->name, RDV_STR("/sample.json")))
        return rdv_fail(err, RDV_E_INPUT,
                        "a sample in chunks, which is not read; write the log "
                        "with samples in one piece, inspect_ai's default");
    rdv_buf text;
    rdv_arena_reset(s->part);
    rdv_buf_init(&text, s->part, 0);
    int rc = rdv_zip_read(&s->zip, member, s->limits->record_bytes, &text, err);
    if (rc != RDV_OK)
        return rc;
    rdv_buf_init(&s->finite, s->part, 0);
    rdv_str whole = rdv_buf_str(&text), record = rdv_trim(whole);
    span->origin = (rdv_origin){record, {1, 1, 0}, traced(s)};
    rdv_place_pass(&span->origin.begin, whole.p, (size_t)(record.p - whole.p));
    rdv_arena_log(s->part, traced(s));
    size_t n = rdv_nonfinite_to_null(record, &s->finite, &span->text);
    rdv_arena_log(s->part, NULL);
    s->nonfinite += n;
    return n && !rdv_buf_ok(&s->finite) ? rdv_no_memory(err) : RDV_OK;
}

size_t rdv_record_stream_nonfinite(const rdv_record_stream *s)
{
    return s->nonfinite + s->json.nonfinite;
}

bool rdv_record_stream_unasked(const rdv_record_stream *s)
{
    return s->text && s->text->unasked;
}

uint64_t rdv_record_stream_taken(const rdv_record_stream *s)
{
    if (s->look.kind == RDV_FILE_ZIP)
        return s->taken;
    const rdv_bytes *bytes = s->bytes ? s->bytes : s->json.bytes;
    return bytes ? rdv_bytes_taken(bytes) : 0;
}

int rdv_record_stream_next(rdv_record_stream *s, rdv_json_span *span, rdv_error *err)
{
    *span = (rdv_json_span){.line = 1, .column = 1};
    if (!s->begun) {
        int rc = begin(s, err);
        if (rc != RDV_OK)
            return rc;
    }
    rdv_arena_reset(s->trace);
    rdv_copies_init(&s->copies, s->trace);
    switch (s->look.kind) {
    case RDV_FILE_TABLE:
        return rdv_table_next(&s->table, span, err);
    case RDV_FILE_TEXT:
        return rdv_text_file_next(s->text, span, err);
    case RDV_FILE_EVENTS:
        return rdv_event_file_next(s->events, span, err);
    case RDV_FILE_ZIP:
        return next_member(s, span, err);
    default:
        return rdv_json_stream_next(&s->json, span, err);
    }
}
