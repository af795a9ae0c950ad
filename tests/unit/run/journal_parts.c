/* SPDX-License-Identifier: Apache-2.0 */
/* Requests in parts: stored once, given back to the last byte, and not needed by any reply. */
#include "journal_v3.h"
#include "open_journal.h"
#include "base/arena.h"
#include "base/buf.h"
#include "run/journal/compact.h"
#include "run/journal/journal.h"
#include "run/journal/lines.h"
#include "run/journal/merge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define N 60 /* replies of a journal */

static char path[32], other_path[64];
static rdv_arena *arena;

static int set_up(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/rdv-parts-XXXXXX");
    int fd = mkstemp(path);
    snprintf(other_path, sizeof other_path, "%s.other", path);
    arena = rdv_arena_new(0);
    return fd < 0 || close(fd) != 0 || !arena;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    unlink(other_path);
    rdv_arena_free(&arena);
    return 0;
}

/* ---- what is in it --------------------------------------------------------------------------- */

/* Examples, which all requests begin with, and a question of its own for each. */
static rdv_request request_of(unsigned char number)
{
    rdv_buf examples;
    rdv_message *messages = RDV_NEW_ARRAY(arena, rdv_message, 2);
    rdv_buf_init(&examples, arena, 0);
    for (int i = 0; i < 40; i++)
        rdv_buf_printf(&examples, "Example %d: \"%d + 1 = %d\", of apples and p\xc3\xa4rs.\n", i, i,
                       i + 1);
    messages[0] = (rdv_message){RDV_SYSTEM, rdv_buf_str(&examples)};
    messages[1] = (rdv_message){RDV_USER, rdv_str_printf(arena, "What is %d + 1?", number)};
    return (rdv_request){.model = RDV_STR("m"),
                         .stage = RDV_STR("a/b"),
                         .messages = messages,
                         .n_messages = 2,
                         .sampling = {.temperature = 0.5, .top_p = NAN, .max_tokens = 300},
                         .sample = RDV_STR("sample 0"),
                         .key = {number}};
}

static void add(rdv_journal *j, unsigned char number)
{
    rdv_request request = request_of(number);
    rdv_reply reply = {.text = RDV_STR("it is right")};
    assert_int_equal(journal_add(j, &request, true, &reply, 1234, NULL), RDV_OK);
}

static void add_all(rdv_journal *j)
{
    for (unsigned char i = 0; i < N; i++)
        add(j, i);
    assert_int_equal(journal_commit(j, NULL), RDV_OK);
}

static int append(void *payload, rdv_str line, rdv_error *err)
{
    (void)err;
    rdv_buf_add(payload, line);
    return RDV_OK;
}

static rdv_str lines_of(rdv_journal *j)
{
    rdv_buf b;
    rdv_error err = {0};
    rdv_buf_init(&b, arena, 0);
    if (rdv_journal_export(j, append, &b, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return rdv_buf_str(&b);
}

/* The lines of all replies, as a journal of version 3 gives them. */
static rdv_str expected_lines(void)
{
    unlink(other_path);
    make_journal_v3(other_path);
    rdv_journal *j = open_it(other_path, RDV_JOURNAL_WRITE);
    add_all(j);
    rdv_str lines = lines_of(j);
    rdv_journal_close(&j);
    return lines;
}

static int64_t number_of(rdv_journal *j, const char *text)
{
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_prepare_v2(j->db, text, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return n;
}

static void run(rdv_journal *j, const char *text)
{
    if (sqlite3_exec(j->db, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(j->db));
}

static off_t size_of(const char *file)
{
    struct stat is;
    assert_int_equal(stat(file, &is), 0);
    return is.st_size;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void test_add__parts_are_stored_once(void **state)
{
    (void)state;
    rdv_str expected = expected_lines();
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    add(j, 0);
    int64_t of_one = number_of(j, "SELECT count(*) FROM parts");
    assert_true(of_one > 5);
    add_all(j);
    assert_true(number_of(j, "SELECT count(*) FROM parts") <= of_one + 2 * (N - 1));
    assert_int_equal(number_of(j, "SELECT count(*) FROM responses WHERE typeof(request) = 'blob'"),
                     N);
    assert_true(rdv_str_eq(lines_of(j), expected));
    rdv_journal_close(&j);
    assert_true(size_of(path) * 3 < size_of(other_path));
    j = open_it(path, RDV_JOURNAL_READ);
    assert_true(rdv_str_eq(lines_of(j), expected));
    rdv_journal_close(&j);
}

static void test_merge__from_whole_requests_and_from_parts(void **state)
{
    (void)state;
    rdv_str expected = expected_lines();
    rdv_journal_merged counts = {0};
    rdv_journal *whole = open_it(other_path, RDV_JOURNAL_READ);
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    assert_int_equal(rdv_journal_merge(j, whole, NULL, &counts, NULL), RDV_OK);
    assert_int_equal(counts.added, N);
    assert_true(rdv_str_eq(lines_of(j), expected));
    rdv_journal_close(&whole);
    unlink(other_path);
    rdv_journal *third = open_it(other_path, RDV_JOURNAL_WRITE);
    assert_int_equal(rdv_journal_merge(third, j, NULL, &counts, NULL), RDV_OK);
    assert_true(rdv_str_eq(lines_of(third), expected));
    assert_int_equal(rdv_journal_merge(third, j, NULL, &counts, NULL), RDV_OK);
    assert_int_equal(counts.copies, N);
    rdv_journal_close(&third);
    rdv_journal_close(&j);
}

/* Nobody can make two texts of one name; here a wrong text is put where the right one belongs. */
static void test_add__a_name_that_another_text_has(void **state)
{
    (void)state;
    rdv_str expected = expected_lines();
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    add(j, 0);
    run(j, "UPDATE parts SET text = 'another' WHERE text LIKE '%Example 3:%'; "
           "DELETE FROM responses");
    add_all(j);
    assert_int_equal(number_of(j, "SELECT count(*) FROM responses WHERE typeof(request) = 'text'"),
                     N);
    assert_true(rdv_str_eq(lines_of(j), expected));
    rdv_journal_close(&j);
}

static void check_refused(const char *file, const char *why)
{
    rdv_journal *j;
    rdv_error err = {0};
    assert_int_equal(rdv_journal_open(file, RDV_JOURNAL_READ, &j, &err), RDV_E_INPUT);
    if (!strstr(err.msg, why))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, why);
}

static void test_export__a_part_that_is_missing_or_another(void **state)
{
    (void)state;
    rdv_buf b;
    rdv_error err = {0};
    rdv_buf_init(&b, arena, 0);
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    add_all(j);
    run(j, "DELETE FROM parts WHERE text LIKE '%Example 3:%'");
    assert_int_equal(rdv_journal_export(j, append, &b, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "is damaged: a part of a request is missing"));
    rdv_journal_close(&j);
    unlink(path);
    j = open_it(path, RDV_JOURNAL_WRITE);
    add_all(j);
    run(j, "UPDATE parts SET text = replace(text, '7 + 1', '7 - 1')");
    rdv_journal_close(&j);
    check_refused(path, "a part of a request does not match its name");
}

/* ---- journals of version 3 ------------------------------------------------------------------- */

static void test_version_3__stays_as_it_is(void **state)
{
    (void)state;
    rdv_str expected = expected_lines();
    make_journal_v3(path);
    for (int half = 0; half < 2; half++) { /* the second time there are replies of before */
        rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
        for (unsigned char i = 0; i < N / 2; i++)
            add(j, (unsigned char)(half * N / 2 + i));
        assert_int_equal(journal_commit(j, NULL), RDV_OK);
        assert_int_equal(number_of(j, "PRAGMA user_version"), 3);
        rdv_journal_close(&j);
    }
    rdv_journal *j = open_it(path, RDV_JOURNAL_READ);
    assert_true(rdv_str_eq(lines_of(j), expected));
    rdv_journal_close(&j);
}

static rdv_journal_compacted compact(const char *file)
{
    rdv_journal_compacted counts;
    rdv_error err = {0};
    rdv_journal *j = open_it(file, RDV_JOURNAL_WRITE);
    if (rdv_journal_compact(j, NULL, &counts, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    rdv_journal_close(&j);
    return counts;
}

static void test_compact__a_journal_of_version_3(void **state)
{
    (void)state;
    rdv_str expected = expected_lines();
    off_t before = size_of(other_path);
    rdv_journal_compacted counts = compact(other_path);
    assert_int_equal(counts.replies, N);
    assert_int_equal(counts.bytes_before, before);
    assert_int_equal(counts.bytes_after, size_of(other_path));
    assert_true(size_of(other_path) * 3 < before);
    rdv_journal *j = open_it(other_path, RDV_JOURNAL_WRITE);
    assert_int_equal(number_of(j, "PRAGMA user_version"), 4);
    assert_true(rdv_str_eq(lines_of(j), expected));
    add(j, N);
    rdv_journal_close(&j);
}

static void test_compact__parts_that_no_reply_names(void **state)
{
    (void)state;
    rdv_str expected = expected_lines();
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    add_all(j);
    int64_t n = number_of(j, "SELECT count(*) FROM parts");
    run(j, "INSERT INTO parts VALUES (part_name('one'), 'one'), (part_name('two'), 'two')");
    rdv_journal_close(&j);
    assert_int_equal(compact(path).parts, 2);
    assert_int_equal(compact(path).parts, 0);
    j = open_it(path, RDV_JOURNAL_READ);
    assert_int_equal(number_of(j, "SELECT count(*) FROM parts"), n);
    assert_true(rdv_str_eq(lines_of(j), expected));
    rdv_journal_close(&j);
}

static int rows_left;

static bool stop(void)
{
    return rows_left-- == 0;
}

static void test_compact__interrupted(void **state)
{
    (void)state;
    rdv_str expected = expected_lines();
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    add_all(j);
    rdv_journal_close(&j);
    for (int version = 3; version <= 4; version++)
        for (int n = 0; n < N; n += 19) {
            rdv_journal_compacted counts;
            rdv_error err = {0};
            j = open_it(version == 3 ? other_path : path, RDV_JOURNAL_WRITE);
            rows_left = n;
            assert_int_equal(rdv_journal_compact(j, stop, &counts, &err), RDV_E_IO);
            assert_string_equal(err.msg, "interrupted");
            rdv_journal_close(&j);
            j = open_it(version == 3 ? other_path : path, RDV_JOURNAL_READ);
            assert_int_equal(number_of(j, "PRAGMA user_version"), version);
            assert_true(rdv_str_eq(lines_of(j), expected));
            rdv_journal_close(&j);
        }
}

/* A merge that was killed may have left one, from a program of before. */
static void test_empty__of_both_versions(void **state)
{
    (void)state;
    make_journal_v3(path);
    for (int i = 0; i < 2; i++) {
        rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
        add_all(j);
        assert_int_equal(rdv_journal_empty(j, NULL), RDV_OK);
        assert_int_equal(number_of(j, "SELECT count(*) FROM responses"), 0);
        assert_int_equal(number_of(j, "SELECT count(*) FROM parts"), 0);
        add_all(j);
        assert_int_equal(number_of(j, "PRAGMA user_version"), 4);
        rdv_journal_close(&j);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_add__parts_are_stored_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge__from_whole_requests_and_from_parts, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_add__a_name_that_another_text_has, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_export__a_part_that_is_missing_or_another, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_version_3__stays_as_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compact__a_journal_of_version_3, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compact__parts_that_no_reply_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compact__interrupted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty__of_both_versions, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
