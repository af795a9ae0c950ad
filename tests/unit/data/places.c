/* SPDX-License-Identifier: Apache-2.0 */
/* Where steps stand in their file: every character of every step of every golden format, and of
 * texts and tables, is found again at the byte, the line and the column that are named for it. */
#include "data/places.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define ROOM ((size_t)1 << 20)

static ptrdiff_t take(void *cookie, void *bytes, size_t size)
{
    rdv_str *rest = cookie;
    size_t n = size < rest->len ? size : rest->len;
    memcpy(bytes, rest->p, n);
    *rest = rdv_slice(*rest, n, rest->len);
    return (ptrdiff_t)n;
}

/* Line and column of a byte, counted from the beginning of the file. */
static rdv_place counted(rdv_str file, size_t offset)
{
    rdv_place place = {1, 1, offset};
    size_t i = rdv_starts(file, RDV_STR("\xef\xbb\xbf")) ? 3 : 0;
    for (size_t len; i < offset; i += len) {
        rdv_utf8_at(file, i, &len);
        bool ends = file.p[i] == '\n';
        place.line += ends;
        place.column = ends ? 1 : place.column + 1;
    }
    return place;
}

typedef struct counts {
    size_t placed, not_placed; /* letters and digits */
} counts;

static void check_character(const char *name, rdv_str file, const rdv_record *record, size_t step,
                            size_t at, size_t len, counts *n)
{
    rdv_str text = rdv_slice(record->chain.steps[step], at, at + len);
    rdv_place from, to;
    bool word = len > 1 || rdv_is_alnum(text.p[0]);
    if (!rdv_places_of(record->places, step, at, at + len, &from, &to)) {
        n->not_placed += word;
        return;
    }
    n->placed += word;
    rdv_str there = rdv_slice(file, from.offset, to.offset);
    bool escape = rdv_starts(there, RDV_STR("\\")) && !(len == 1 && word);
    bool quote = rdv_str_eq(text, RDV_STR("\"")) && rdv_starts(there, text); /* of a table */
    if (!rdv_str_eq(there, text) && !escape && !quote)
        fail_msg("%s: step %zu, byte %zu, is '%.*s', and '%.*s' stands there", name, step, at,
                 RDV_FMT(text), RDV_FMT(there));
    rdv_place right = counted(file, from.offset), end = counted(file, to.offset);
    if (from.line != right.line || from.column != right.column || to.line != end.line ||
        to.column != end.column)
        fail_msg("%s: step %zu, byte %zu: %zu:%zu, not %zu:%zu; ends at %zu:%zu, not %zu:%zu", name,
                 step, at, from.line, from.column, right.line, right.column, to.line, to.column,
                 end.line, end.column);
}

/* Every character of the steps that the file gives. */
static counts check_file(const char *name, rdv_str file, const rdv_read_options *given)
{
    rdv_read_options options = given ? *given : (rdv_read_options){0};
    options.size = sizeof options;
    options.places = true;
    options.check_reasoning = true;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str rest = file;
    rdv_reader *reader;
    rdv_record record;
    rdv_error err = {0};
    counts n = {0};
    int rc = rdv_reader_open_source((rdv_source){&rest, take}, name, &options, &reader, &err);
    assert_int_equal(rc, RDV_OK);
    while ((rc = rdv_reader_next(reader, arena, &record, &err)) != RDV_NONE &&
           (rc == RDV_OK || rc == RDV_E_INPUT)) {
        for (size_t i = 0; rc == RDV_OK && i < record.chain.n_steps; i++)
            for (size_t at = 0, len; at < record.chain.steps[i].len; at += len) {
                rdv_utf8_at(record.chain.steps[i], at, &len);
                check_character(name, file, &record, i, at, len, &n);
            }
        rdv_arena_reset(arena);
    }
    rdv_reader_close(&reader);
    rdv_arena_free(&arena);
    return n;
}

static rdv_str slurp(const char *folder, const char *name, char *room)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(room, 1, ROOM, f);
    assert_true(n < ROOM);
    fclose(f);
    return (rdv_str){room, n};
}

static void test_places__of_every_format(void **state)
{
    (void)state;
    static char room[ROOM];
    char folder[512];
    const char *source = getenv("RDV_SOURCE");
    assert_non_null(source);
    snprintf(folder, sizeof folder, "%s/tests/golden/formats", source);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    size_t files = 0, with_steps = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!strstr(entry->d_name, ".json"))
            continue;
        counts n = check_file(entry->d_name, slurp(folder, entry->d_name, room), NULL);
        if (n.not_placed)
            fail_msg("%s: %zu letters and digits have no place, %zu have", entry->d_name,
                     n.not_placed, n.placed);
        files++;
        with_steps += n.placed > 0;
    }
    closedir(dir);
    assert_true(files >= 45 && with_steps >= 35);
}

/* Texts, tables, escapes, thinking between marks, words that are no JSON, and records behind others
 * in their line; in each, all letters and digits of the steps have their place. */
static void test_places__of_every_layout(void **state)
{
    static const struct {
        const char *name, *text;
        size_t letters; /* and digits of the steps */
    } files[] = {
        {"a.txt", "Caf\xc3\xa9: 1 + 1 = 2\n\nSo 2 + 2 = 5", 12},
        {"a.md", "\xef\xbb\xbf# Title\r\n\r\nSo $2 + 2 = 5$\r\n\r\n\r\nEnd 7\r\n", 14},
        {"a.tex", "\\section{One}\n\\frac{1}{2} \\\\ \"x\"\tend", 20},
        {"a.txt", "Intro 1.\n<think>One 2\n\nTwo 3</think>\nSo 4.", 17},
        {"a.txt", "Step 1: **Add.** 1 + 1 = 2\n**Step 2: Go on** 3\n", 11},
        {"a.csv", "question,solution\nq,\"A \"\"b\"\" \xe4\xb8\xad\r\n1\"\nq,2 = 3\nq,'=4\n", 7},
        {"a.tsv", "\xef\xbb\xbfquestion\tsteps\nq\t\"[\"\"a\\n1\"\", \"\"b\"\"]\"\n", 3},
        {"a.jsonl", "{\"x\":NaN,\"question\":\"q\",\"steps\":[\"\\u00e9 \\ud83d\\ude00 1\"]}\n", 3},
        {"a.json",
         "[{\"question\":\"\xc3\xa9\",\"steps\":[\"1\"]}, {\"question\":\"q\",\n "
         "\"steps\":[\"2\"]}]",
         2},
        {"a.json", "\xef\xbb\xbf \n{\"question\":\"q\",\n\"solution\":\"a\\\\b \\n\\nc\"}", 3},
        {"a.jsonl",
         "{\"prompt\":\"q\",\"response\":\"{\\\"content\\\":\\\"a\\\\n\\\\n1 \\\\u00e9\\\"}\"}", 3},
        {"a.jsonl",
         "{\"prompt\":\"q\",\"response\":{\"role\":\"assistant\",\"reasoning\":\"r "
         "1\",\"content\":[{\"text\":\"a\"},{\"text\":\"b\"}]}}",
         4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        counts n = check_file(files[i].name, rdv_str_of(files[i].text), NULL);
        if (n.not_placed || n.placed != files[i].letters)
            fail_msg("file %zu, %s: %zu letters and digits have a place, %zu have none, of %zu", i,
                     files[i].name, n.placed, n.not_placed, files[i].letters);
    }
}

/* One log of copies: what is copied of a copy, joined to a unit, and copied over. */
static void test_places__copies_of_copies(void **state)
{
    (void)state;
    char file[] = "ab\\ncd", first[8], second[8];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_copies log;
    rdv_copied out;
    rdv_str source = {file, 6};
    rdv_copies_init(&log, arena);
    rdv_copies_add(&log, first, 2, file, 2);
    rdv_copies_add(&log, first + 2, 1, file + 2, 2);
    rdv_copies_add(&log, first + 3, 2, file + 4, 2);
    rdv_copies_add(&log, second, 5, first, 5);
    assert_true(rdv_copies_trace(&log, second + 1, source, &out));
    assert_ptr_equal(out.from, file + 1);
    assert_int_equal(out.n, 1);
    assert_true(rdv_copies_trace(&log, second + 2, source, &out));
    assert_ptr_equal(out.from, file + 2);
    assert_int_equal(out.n, 1);
    assert_int_equal(out.from_n, 2);
    assert_true(rdv_copies_trace(&log, second + 4, source, &out));
    assert_ptr_equal(out.from, file + 5);
    assert_false(rdv_copies_trace(&log, second + 5, source, &out));
    rdv_copies_add(&log, second, 1, file + 5, 1); /* the later copy counts */
    assert_true(rdv_copies_trace(&log, second, source, &out));
    assert_ptr_equal(out.from, file + 5);
    assert_true(rdv_copies_trace(&log, second + 1, source, &out));
    assert_ptr_equal(out.from, file + 1);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places__of_every_format),
        cmocka_unit_test(test_places__of_every_layout),
        cmocka_unit_test(test_places__copies_of_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
