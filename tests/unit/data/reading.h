/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the tests of this room share: reading records from a text, all of them at once. */
#include <rederive/data.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A source over a text, handing out at most `piece` bytes a time. */
typedef struct text_source {
    const char *p;
    size_t left, piece;
} text_source;

static inline ptrdiff_t read_text_source(void *cookie, void *bytes, size_t size)
{
    text_source *s = cookie;
    size_t n = s->left < size ? s->left : size;
    if (s->piece && n > s->piece)
        n = s->piece;
    memcpy(bytes, s->p, n);
    s->p += n;
    s->left -= n;
    return (ptrdiff_t)n;
}

#define VERSION "{\"rederive_schema\":1,"

/* What a record holds behind its version, with which it has to begin. */
static inline rdv_str behind_version(rdv_str line)
{
    size_t n = strlen(VERSION);
    if (line.len < n || memcmp(line.p, VERSION, n) != 0)
        fail_msg("no version: %.*s", RDV_FMT(line));
    return (rdv_str){line.p + n, line.len - n};
}

/* Read everything in `text`, called "in.jsonl". *out, of `room` bytes, becomes what came out, a
 * line each: for a record its written form
 * without its version, for a fault "! " and the message. */
static inline void read_all(const char *text, size_t len, size_t piece,
                            const rdv_read_options *options, char *out, size_t room)
{
    text_source s = {text, len, piece};
    rdv_error err = {0};
    rdv_reader *reader;
    assert_int_equal(rdv_reader_open_source((rdv_source){&s, read_text_source}, "in.jsonl", options,
                                            &reader, &err),
                     RDV_OK);
    rdv_arena *arena = rdv_arena_new(0);
    size_t used = 0;
    out[0] = '\0';
    for (;;) {
        rdv_record record;
        rdv_str line;
        int rc = rdv_reader_next(reader, arena, &record, &err);
        if (rc == RDV_NONE)
            break;
        if (rc == RDV_OK) {
            const rdv_write_options as = {.size = sizeof as, .error = record.error};
            assert_int_equal(rdv_record_write(&record.chain, &as, arena, &line, &err), RDV_OK);
            used +=
                (size_t)snprintf(out + used, room - used, "{%.*s", RDV_FMT(behind_version(line)));
        } else {
            used += (size_t)snprintf(out + used, room - used, "! %s\n", err.msg);
            if (rc != RDV_E_INPUT && rc != RDV_E_LIMIT)
                break;
        }
        assert_true(used < room);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
    rdv_reader_close(&reader);
    assert_null(reader);
}

/* The same, compared with what should come out, read at once and a byte at a time. */
static inline void reads(const char *text, const char *expected)
{
    static const size_t pieces[] = {0, 1, 7};
    for (size_t i = 0; i < 3; i++) {
        char out[8192];
        read_all(text, strlen(text), pieces[i], NULL, out, sizeof out);
        assert_string_equal(out, expected);
    }
}
