/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "open_journal.h"
#include "run/journal/batch.h"
#include "run/journal/journal.h"
#include "run/journal/lines.h"
#include "run/journal/merge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[32], other_path[64];

static int set_up(void **state)
{
    snprintf(path, sizeof path, "/tmp/rdv-journal-XXXXXX");
    int fd = mkstemp(path);
    snprintf(other_path, sizeof other_path, "%s.jsonl", path);
    return fd < 0 || close(fd) != 0;
}

static int tear_down(void **state)
{
    char log[80];
    unlink(path);
    unlink(other_path);
    snprintf(log, sizeof log, "%s-wal", path);
    unlink(log);
    return 0;
}

static rdv_request request_of(unsigned char number)
{
    static const rdv_message message = {RDV_USER, {"Q", 1}};
    rdv_request r = {.model = number % 2 ? RDV_STR("m1") : RDV_STR("m0"),
                     .stage = RDV_STR("a/b"),
                     .messages = &message,
                     .n_messages = 1,
                     .sampling = {.temperature = 0.5, .top_p = NAN, .max_tokens = 300},
                     .sample = RDV_STR("sample 0")};
    r.key[0] = number;
    return r;
}

static void add(rdv_journal *j, unsigned char number, rdv_str text)
{
    rdv_request request = request_of(number);
    rdv_reply reply = {.text = text};
    assert_int_equal(journal_add(j, &request, true, &reply, 1234, NULL), RDV_OK);
}

static void check(rdv_journal *j, unsigned char number, rdv_str text)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_request request = request_of(number);
    rdv_reply reply;
    int rc = journal_find(j, request.key, arena, &reply, NULL);
    assert_int_equal(rc, text.p ? RDV_OK : RDV_NONE);
    assert_true(!text.p || rdv_str_eq(reply.text, text));
    rdv_arena_free(&arena);
}

static void test_add__is_found_again(void **state)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    check(j, 1, (rdv_str){0});
    add(j, 1, RDV_STR("one"));
    add(j, 2, RDV_STR("two"));
    add(j, 1, RDV_STR("another")); /* the first stays */
    check(j, 1, RDV_STR("one"));
    assert_int_equal(journal_commit(j, NULL), RDV_OK);
    rdv_journal_close(&j);
    assert_null(j);
    j = open_it(path, RDV_JOURNAL_READ);
    check(j, 1, RDV_STR("one"));
    check(j, 2, RDV_STR("two"));
    uint64_t n;
    assert_int_equal(rdv_journal_count(j, &n, NULL), RDV_OK);
    assert_int_equal(n, 2);
    rdv_journal_close(&j);
}

/* What is committed reaches the disk in order: a loss of power leaves a journal that opens. */
static void test_open__is_synchronised(void **state)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    sqlite3_stmt *asked = NULL;
    assert_int_equal(sqlite3_prepare_v2(j->db, "PRAGMA synchronous", -1, &asked, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(asked), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(asked, 0), 1); /* NORMAL */
    sqlite3_finalize(asked);
    rdv_journal_close(&j);
}

static void test_add__without_commit_is_lost(void **state)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    add(j, 1, RDV_STR("one"));
    rdv_journal_close(&j);
    j = open_it(path, RDV_JOURNAL_WRITE);
    check(j, 1, (rdv_str){0});
    rdv_journal_close(&j);
}

static void add_at(rdv_journal *j, unsigned char number, const char *text, uint64_t ms)
{
    rdv_request request = request_of(number);
    rdv_reply reply = {.text = rdv_str_of(text),
                       .usage = true,
                       .prompt_tokens = 10 * number,
                       .completion_tokens = number};
    assert_int_equal(journal_add(j, &request, true, &reply, ms, NULL), RDV_OK);
}

/* What was received at the same time is a copy of the file, and cost nothing. Every other reply was
 * paid for, also one to a request that is there already, whose first reply stays. */
static void test_merge__copies_cost_nothing(void **state)
{
    (void)state;
    rdv_journal *into = open_it(path, RDV_JOURNAL_WRITE);
    rdv_journal *from = open_it(other_path, RDV_JOURNAL_WRITE);
    rdv_journal_merged counts = {0};
    add_at(into, 1, "one", 1000);
    add_at(into, 2, "two", 1000);
    add_at(into, 3, "three", 1000);
    add_at(from, 1, "one", 1000);
    add_at(from, 2, "two", 2000);
    add_at(from, 3, "drei", 2000);
    add_at(from, 4, "four", 2000);
    add_at(from, 5, "five", 2000);
    assert_int_equal(rdv_journal_merge(into, from, NULL, &counts, NULL), RDV_OK);
    assert_int_equal(counts.copies, 1);
    assert_int_equal(counts.repeated, 2);
    assert_int_equal(counts.conflicts, 1);
    assert_int_equal(counts.added, 2);
    assert_int_equal(counts.prompt_tokens, 20 + 30 + 40 + 50);
    assert_int_equal(counts.completion_tokens, 2 + 3 + 4 + 5);
    check(into, 3, RDV_STR("three"));
    check(into, 5, RDV_STR("five"));
    rdv_journal_close(&into);
    rdv_journal_close(&from);
}

/* A parameter that cannot be bound would be NULL: a reply would not be found, or silently not kept.
 */
static void test_bind__a_fault_is_said(void **state)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply out;
    rdv_error err;
    record_line line = {.key = {1}, .response = RDV_STR("a text of more than thirty bytes")};
    batch_row row = {.why = line.response};
    assert_int_equal(journal_batch_open(j, NULL), RDV_OK);
    sqlite3_limit(j->db, SQLITE_LIMIT_LENGTH, 30);
    assert_int_equal(journal_find(j, line.key, arena, &out, &err), RDV_E_IO);
    assert_int_equal(journal_add_line(j, &line, &err), RDV_E_IO);
    assert_text(rdv_str_of(strrchr(err.msg, ':')), ": string or blob too big");
    assert_int_equal(journal_batch_fail(j, line.key, &row, RDV_STR(""), &err), RDV_E_IO);
    assert_int_equal(journal_batch_answered(j, line.key, &err), RDV_E_IO);
    sqlite3_limit(j->db, SQLITE_LIMIT_LENGTH, 1000);
    assert_int_equal(journal_add_line(j, &line, &err), RDV_OK);
    rdv_arena_free(&arena);
    rdv_journal_close(&j);
}

#define LINE_WITHOUT_MODEL                                                                         \
    "{\"rederive_journal\":3,\"key\":"                                                             \
    "\"0700000000000000000000000000000000000000000000000000000000000000\","                        \
    "\"response\":{\"content\":\"x\"}}"

static void test_models(void **state)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str *names;
    size_t n;
    for (unsigned char i = 5; i; i--)
        add(j, i, RDV_STR("x"));
    assert_int_equal(rdv_journal_models(j, arena, &names, &n, NULL), RDV_OK);
    assert_int_equal(n, 2);
    assert_text(names[0], "m0");
    assert_text(names[1], "m1");
    /* A reply of a transcript need not name its model. */
    rdv_journal_imported counts = {0};
    assert_int_equal(rdv_journal_import(j, RDV_STR(LINE_WITHOUT_MODEL), &counts, NULL), RDV_OK);
    assert_int_equal(rdv_journal_models(j, arena, &names, &n, NULL), RDV_OK);
    assert_int_equal(n, 2);
    rdv_arena_free(&arena);
    rdv_journal_close(&j);
}

static int write_line(void *payload, rdv_str line, rdv_error *err)
{
    return fwrite(line.p, 1, line.len, payload) == line.len ? RDV_OK : RDV_E_IO;
}

static void export_to(rdv_journal *j, const char *file)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    assert_int_equal(rdv_journal_export(j, write_line, f, NULL), RDV_OK);
    fclose(f);
}

static int drop_line(void *payload, rdv_str line, rdv_error *err)
{
    return RDV_OK;
}

static void test_export__is_a_transcript(void **state)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    for (unsigned char i = 1; i < 100; i++)
        add(j, i, RDV_STR("r\0\n\xc3\xa9"));
    export_to(j, other_path);
    rdv_journal_close(&j);
    j = open_it(other_path, RDV_JOURNAL_READ);
    for (unsigned char i = 1; i < 100; i++)
        check(j, i, RDV_STR("r\0\n\xc3\xa9"));
    check(j, 100, (rdv_str){0});
    rdv_journal_close(&j);
}

static void test_import__counts(void **state)
{
    const rdv_str line = RDV_STR(LINE_WITHOUT_MODEL);
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    rdv_journal_imported counts = {0};
    rdv_error err = {0};
    assert_int_equal(rdv_journal_import(j, line, &counts, &err), RDV_OK);
    assert_int_equal(rdv_journal_import(j, line, &counts, &err), RDV_OK);
    assert_int_equal(rdv_journal_import(j, RDV_STR("{}"), &counts, &err), RDV_NONE);
    assert_true(err.msg[0]);
    assert_int_equal(counts.added, 1);
    assert_int_equal(counts.known, 1);
    assert_int_equal(counts.bad, 1);
    assert_int_equal(rdv_journal_flush(j, NULL), RDV_OK);
    check(j, 7, RDV_STR("x"));
    rdv_journal_close(&j);
}

static void check_refused(const char *file, rdv_journal_mode mode, int code, const char *why)
{
    rdv_journal *j;
    rdv_error err = {0};
    assert_int_equal(rdv_journal_open(file, mode, &j, &err), code);
    assert_null(j);
    if (!strstr(err.msg, why))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, why);
}

/* Bytes 18 and 19 of the head are 2 where a file can only be read with its log beside it. */
/* A log that somebody removes takes the last replies with it: nothing more is written. */
static void test_log__that_was_removed(void **state)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    rdv_error err = {0};
    char log[80];
    (void)state;
    snprintf(log, sizeof log, "%s-wal", path);
    add(j, 1, RDV_STR("one"));
    assert_int_equal(journal_commit(j, NULL), RDV_OK);
    assert_int_equal(journal_watch(j, NULL), RDV_OK);
    assert_int_equal(unlink(log), 0);
    assert_int_equal(journal_watch(j, &err), RDV_E_IO);
    assert_non_null(strstr(err.msg, log));
    assert_non_null(strstr(err.msg, "was removed while it was in use"));
    rdv_journal_close(&j);
}

static void test_close__leaves_a_file_that_needs_no_other(void **state)
{
    unsigned char head[20];
    for (int kept = 0; kept < 2; kept++) {
        rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
        add(j, (unsigned char)kept, RDV_STR("said"));
        if (kept)
            assert_int_equal(journal_commit(j, NULL), RDV_OK);
        rdv_journal_close(&j);
        FILE *file = fopen(path, "rb");
        assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
        fclose(file);
        assert_int_equal(head[18], 1);
        assert_int_equal(head[19], 1);
    }
    rdv_journal *j = open_it(path, RDV_JOURNAL_READ);
    uint64_t n;
    assert_int_equal(rdv_journal_count(j, &n, NULL), RDV_OK);
    assert_int_equal(n, 1);
    rdv_journal_close(&j);
}

static void test_open__what_is_refused(void **state)
{
    check_refused("/nowhere/at/all.db", RDV_JOURNAL_WRITE, RDV_E_IO, "No such file or directory");
    check_refused("/nowhere/at/all.db", RDV_JOURNAL_READ, RDV_E_IO, "No such file");
    FILE *f = fopen(other_path, "w");
    fputs("\n{\"rederive_journal\":3,\"key\":\"07\"}\n", f);
    fclose(f);
    check_refused(other_path, RDV_JOURNAL_READ, RDV_E_INPUT, "line 2: no key of 64");
    f = fopen(other_path, "w");
    for (int i = 0; i < 100; i++)
        fputs("No journal, but a text. ", f);
    fclose(f);
    check_refused(other_path, RDV_JOURNAL_WRITE, RDV_E_INPUT, "is not a journal");
    check_refused("/tmp", RDV_JOURNAL_WRITE, RDV_E_IO, "");
    check_refused("/tmp", RDV_JOURNAL_READ, RDV_E_IO, "directory");
}

/* A database without tables is an empty journal only if nothing says that it is another's. */
static void test_open__what_belongs_to_others(void **state)
{
    static const char *const marks[] = {"PRAGMA application_id = 5", "PRAGMA user_version = 3"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        sqlite3 *db;
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, marks[i], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        check_refused(path, RDV_JOURNAL_READ, RDV_E_INPUT, "another program");
        check_refused(path, RDV_JOURNAL_WRITE, RDV_E_INPUT, "another program");
        unlink(path);
    }
}

static void count_line(const char *file, const char *part, size_t *n)
{
    char line[1000];
    FILE *f = fopen(file, "r");
    assert_non_null(f);
    for (*n = 0; fgets(line, sizeof line, f);)
        *n += strstr(line, part) != NULL;
    fclose(f);
}

static void test_add__requests_are_kept_if_wanted(void **state)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    rdv_request request = request_of(1);
    rdv_reply reply = {.text = RDV_STR("one")};
    size_t n;
    add(j, 2, RDV_STR("two"));
    assert_int_equal(journal_add(j, &request, false, &reply, 1234, NULL), RDV_OK);
    check(j, 1, RDV_STR("one"));
    export_to(j, other_path);
    rdv_journal_close(&j);
    count_line(other_path, "\"response\":", &n);
    assert_int_equal(n, 2);
    count_line(other_path, "\"request\":{", &n);
    assert_int_equal(n, 1);
}

/* A file of the same number on another disk is another file. */
static void test_changed__on_another_disk(void **state)
{
    char here[64], there[] = "/dev/shm/rdv-journal-XXXXXX", link_path[64];
    rdv_error err = {0};
    int fd = mkstemp(there);
    if (fd < 0)
        skip();
    close(fd);
    snprintf(here, sizeof here, "%s", path);
    snprintf(link_path, sizeof link_path, "%s.link", path);
    assert_int_equal(symlink(here, link_path), 0);
    rdv_journal *j = open_it(link_path, RDV_JOURNAL_WRITE);
    add(j, 1, RDV_STR("one"));
    assert_int_equal(journal_commit(j, &err), RDV_OK);
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(symlink(there, link_path), 0);
    add(j, 2, RDV_STR("two"));
    assert_true(journal_commit(j, &err) < 0);
    assert_non_null(strstr(err.msg, "replaced by another file"));
    rdv_journal_close(&j);
    unlink(link_path);
    unlink(there);
}

static void test_find__a_damaged_row_is_said(void **state)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    rdv_request request = request_of(1);
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_reply reply;
    add(j, 1, RDV_STR("one"));
    assert_int_equal(
        sqlite3_exec(j->db, "UPDATE responses SET response = '{\"tex'", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(journal_find(j, request.key, arena, &reply, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, path));
    assert_non_null(strstr(err.msg, "does not match its checksum"));
    rdv_arena_free(&arena);
    rdv_journal_close(&j);
}

static void run(rdv_journal *j, const char *text)
{
    if (sqlite3_exec(j->db, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(j->db));
}

/* Damaged while it is open, so that the check at its opening has seen nothing. */
static void test_read__no_member_of_a_row_may_change(void **state)
{
    static const char *const changes[] = {
        "key = x'0100000000000000000000000000000000000000000000000000000000000001'",
        "operation = 'score'",
        "stage = NULL",
        "model = 'm2'",
        "sample_id = 'sample 1'",
        "request = '{}'",
        "response = replace(response, 'does not', 'does')",
        "key = x''",
        "created_ms = created_ms + 1",
        "sha256 = NULL"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char change[160];
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str *names;
        size_t n;
        rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE), *again;
        rdv_error err = {0};
        add(j, 1, RDV_STR("it does not support"));
        add(j, 2, RDV_STR("another"));
        assert_int_equal(journal_commit(j, NULL), RDV_OK);
        snprintf(change, sizeof change, "UPDATE responses SET %s WHERE response LIKE '%%support%%'",
                 changes[i]);
        run(j, change);
        assert_int_equal(sqlite3_changes(j->db), 1);
        assert_int_equal(rdv_journal_export(j, drop_line, NULL, &err), RDV_E_INPUT);
        assert_int_equal(rdv_journal_models(j, arena, &names, &n, &err), RDV_E_INPUT);
        rdv_journal_close(&j);
        rdv_arena_free(&arena);
        assert_int_equal(rdv_journal_open(path, RDV_JOURNAL_READ, &again, &err), RDV_E_INPUT);
        unlink(path);
    }
}

static void test_open__other_versions_are_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } others[] = {{"PRAGMA user_version = 2",
                   "of version 2, and this program reads versions 3 and 4: use the "
                   "program that wrote it, or delete it and ask again"},
                  {"PRAGMA user_version = 5",
                   "of version 5, and this program reads versions 3 and 4: use the "
                   "program that wrote it, or a newer one"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
        add(j, 1, RDV_STR("one"));
        assert_int_equal(journal_commit(j, NULL), RDV_OK);
        run(j, others[i].text);
        rdv_journal_close(&j);
        check_refused(path, RDV_JOURNAL_WRITE, RDV_E_INPUT, others[i].why);
        check_refused(path, RDV_JOURNAL_READ, RDV_E_INPUT, others[i].why);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_add__is_found_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_open__is_synchronised, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_add__without_commit_is_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge__copies_cost_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bind__a_fault_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_models, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_export__is_a_transcript, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_import__counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_log__that_was_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_close__leaves_a_file_that_needs_no_other, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_open__what_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_open__what_belongs_to_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_add__requests_are_kept_if_wanted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_changed__on_another_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_find__a_damaged_row_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_read__no_member_of_a_row_may_change, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_open__other_versions_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
