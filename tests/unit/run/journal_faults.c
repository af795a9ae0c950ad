/* SPDX-License-Identifier: Apache-2.0 */
/* A journal whose database gives up after each number of its steps: the fault is reported, what was
 * committed is still there, and nothing is taken for done that was not. */
#include "journal_v3.h"
#include "open_journal.h"
#include "base/buf.h"
#include "run/journal/batch.h"
#include "run/journal/compact.h"
#include "run/journal/lines.h"
#include "run/journal/merge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MODEL RDV_STR("m")

typedef struct world {
    char folder[32], path[48], other[48];
    char model[48], old[48]; /* what is copied to `path`: of this version, and of version 3 */
    rdv_arena *arena;
} world;

/* ---- the database that gives up -------------------------------------------------------------- */

static int left;  /* instructions of SQLite's machine; each is counted */
static bool once; /* it fails once, and works again */

static int count_down(void *unused)
{
    (void)unused;
    left--;
    return once ? left == -1 : left < 0;
}

static void give_up_after(rdv_journal *j, int steps)
{
    left = steps;
    sqlite3_progress_handler(j->db, steps < 0 ? 0 : 1, count_down, NULL);
}

/* ---- journals -------------------------------------------------------------------------------- */

static rdv_request request_of(unsigned char number)
{
    /* Of several parts. */
    static const char text[] =
        "A line of more than a hundred bytes, so that the part of the request ends behind it; it "
        "is "
        "the first.\nAnd a second, which is as long as the first and comes behind it, and so "
        "belongs to another part of the request.\nQ";
    static const rdv_message message = {RDV_USER, {text, sizeof text - 1}};
    return (rdv_request){.model = MODEL,
                         .stage = RDV_STR("a/b"),
                         .messages = &message,
                         .n_messages = 1,
                         .sampling = {.temperature = NAN, .top_p = NAN},
                         .sample = RDV_STR("sample 0"),
                         .key = {number}};
}

static int add(rdv_journal *j, unsigned char number, const char *text, rdv_error *err)
{
    rdv_request request = request_of(number);
    rdv_reply reply = {.text = rdv_str_of(text), .usage = true, .prompt_tokens = 5};
    int rc = journal_add(j, &request, true, &reply, 1234, err);
    return rc == RDV_OK ? journal_commit(j, err) : rc;
}

static void put(rdv_journal *j, unsigned char number, uint64_t file)
{
    rdv_request request = request_of(number);
    assert_int_equal(journal_batch_put(j, &request, RDV_STR("{}"), file, 1, false, NULL), RDV_OK);
}

/* Replies 1 and 2; request 11 in a file that never got its name, and 12 in one that has it. */
static void make_model(const char *path)
{
    rdv_journal *j = open_it(path, RDV_JOURNAL_WRITE);
    uint64_t number;
    assert_int_equal(add(j, 1, "one", NULL), RDV_OK);
    assert_int_equal(add(j, 2, "two", NULL), RDV_OK);
    assert_int_equal(journal_batch_open(j, NULL), RDV_OK);
    for (unsigned char i = 1; i <= 2; i++) {
        assert_int_equal(journal_batch_begin_file(j, 1, &number, NULL), RDV_OK);
        assert_int_equal(number, i);
        put(j, 10 + i, number);
    }
    assert_int_equal(journal_batch_name_file(j, 1, "/nonexistent/file", false, NULL), RDV_OK);
    assert_int_equal(journal_batch_name_file(j, 2, "/nonexistent/other", true, NULL), RDV_OK);
    assert_int_equal(journal_commit(j, NULL), RDV_OK);
    rdv_journal_close(&j);
}

static void copy_file(const char *from, const char *to)
{
    char command[256];
    snprintf(command, sizeof command, "cp %s %s && rm -f %s-wal %s-shm", from, to, to, to);
    assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
    static world w;
    bool memory = access("/dev/shm", W_OK) == 0; /* thousands of journals are written */
    w = (world){.arena = rdv_arena_new(0)};
    *state = &w;
    snprintf(w.folder, sizeof w.folder, "%s/rdv-XXXXXX", memory ? "/dev/shm" : "/tmp");
    if (!mkdtemp(w.folder))
        return 1;
    snprintf(w.model, sizeof w.model, "%s/model", w.folder);
    snprintf(w.path, sizeof w.path, "%s/journal", w.folder);
    snprintf(w.other, sizeof w.other, "%s/other", w.folder);
    snprintf(w.old, sizeof w.old, "%s/old", w.folder);
    make_model(w.model);
    make_journal_v3(w.old);
    make_model(w.old);
    copy_file(w.model, w.other);
    rdv_journal *other = open_it(w.other, RDV_JOURNAL_WRITE);
    assert_int_equal(add(other, 3, "three", NULL), RDV_OK);
    rdv_journal_close(&other);
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    char command[64];
    rdv_arena_free(&w->arena);
    snprintf(command, sizeof command, "rm -r %s", w->folder);
    return system(command);
}

static void check_reply(rdv_journal *j, rdv_arena *arena, unsigned char number, const char *text)
{
    rdv_request request = request_of(number);
    rdv_reply reply;
    assert_int_equal(journal_find(j, request.key, arena, &reply, NULL), RDV_OK);
    assert_true(rdv_str_eq(reply.text, rdv_str_of(text)));
}

static batch_state state_of(rdv_journal *j, rdv_arena *arena, unsigned char number)
{
    rdv_request request = request_of(number);
    batch_row row;
    assert_int_equal(journal_batch_find(j, request.key, arena, &row, NULL), RDV_OK);
    return row.state;
}

/* What was committed is there, and the request without a file is to be written again. */
static void check_all(world *w)
{
    rdv_journal *j = open_it(w->path, RDV_JOURNAL_WRITE);
    check_reply(j, w->arena, 1, "one");
    check_reply(j, w->arena, 2, "two");
    assert_int_equal(journal_batch_open(j, NULL), RDV_OK);
    assert_int_equal(state_of(j, w->arena, 11), BATCH_LOST);
    assert_int_not_equal(state_of(j, w->arena, 12), BATCH_LOST);
    rdv_journal_close(&j);
}

/* ---- what is done with them ------------------------------------------------------------------ */

typedef int operation(world *w, rdv_journal *j, rdv_error *err);

static int do_add(world *w, rdv_journal *j, rdv_error *err)
{
    (void)w;
    return add(j, 3, "three", err);
}

static int do_find(world *w, rdv_journal *j, rdv_error *err)
{
    rdv_request request = request_of(1), missing = request_of(9);
    rdv_reply reply = {0};
    int rc = journal_find(j, request.key, w->arena, &reply, err);
    assert_true(rc < 0 || rdv_str_eq(reply.text, RDV_STR("one")));
    if (rc == RDV_OK)
        rc = journal_find(j, missing.key, w->arena, &reply, err) == RDV_NONE ? RDV_OK : RDV_E_IO;
    return rc;
}

static int do_count(world *w, rdv_journal *j, rdv_error *err)
{
    uint64_t n = 0;
    int rc = rdv_journal_count(j, &n, err);
    assert_true(rc < 0 || n == 2);
    return rc;
}

static int do_models(world *w, rdv_journal *j, rdv_error *err)
{
    rdv_str *names;
    size_t n = 0;
    int rc = rdv_journal_models(j, w->arena, &names, &n, err);
    assert_true(rc < 0 || n == 1);
    return rc;
}

static int count_line(void *payload, rdv_str line, rdv_error *err)
{
    (void)line, (void)err;
    ++*(int *)payload;
    return RDV_OK;
}

static int do_export(world *w, rdv_journal *j, rdv_error *err)
{
    int n = 0, rc = rdv_journal_export(j, count_line, &n, err);
    assert_true(rc < 0 || n == 2); /* never a part without a fault */
    return rc;
}

/* Both are the same file's rows; the fault is in the one that is read, or the one written to. */
static int merge(rdv_journal *into, rdv_journal *from, rdv_error *err)
{
    rdv_journal_merged counts = {0};
    int rc = rdv_journal_merge(into, from, NULL, &counts, err);
    assert_true(rc < 0 || (counts.added == 1 && counts.copies == 2 && counts.prompt_tokens == 5));
    return rc;
}

static int do_merge_into(world *w, rdv_journal *j, rdv_error *err)
{
    rdv_journal *from = open_it(w->other, RDV_JOURNAL_READ);
    int rc = merge(j, from, err);
    rdv_journal_close(&from);
    return rc;
}

static int do_batch_open(world *w, rdv_journal *j, rdv_error *err)
{
    int rc = journal_batch_open(j, err);
    int steps = left;
    give_up_after(j, -1);
    if (rc == RDV_OK) {
        assert_int_equal(state_of(j, w->arena, 11), BATCH_LOST);
        assert_int_equal(state_of(j, w->arena, 12), BATCH_EXPECTED);
    }
    left = steps;
    return rc;
}

static int do_batch_count(world *w, rdv_journal *j, rdv_error *err)
{
    batch_counts counts;
    uint64_t n = 0;
    int rc = journal_batch_count(j, &counts, err);
    assert_true(rc < 0 || (counts.files == 2 && counts.rounds == 1 && counts.by_state[0] == 2));
    if (rc == RDV_OK)
        rc = journal_batch_waiting(j, &n, err);
    assert_true(rc < 0 || n == 2);
    return rc;
}

/* With the tables prepared; all of a round. */
static int do_round(world *w, rdv_journal *j, rdv_error *err)
{
    rdv_request request = request_of(12);
    const unsigned char *key = request.key;
    batch_row row = {.state = BATCH_FAILED, .failures = 1, .why = RDV_STR("x")};
    batch_pending pending;
    rdv_abilities abilities = {0};
    uint64_t n;
    int rc = journal_batch_round(j, &n, err);
    assert_true(rc < 0 || n == 2);
    if (rc == RDV_OK)
        rc = journal_batch_run(j, &n, err);
    assert_true(rc < 0 || n == 2);
    if (rc == RDV_OK)
        rc = journal_batch_begin_file(j, 2, &n, err);
    assert_true(rc < 0 || n == 3);
    if (rc == RDV_OK)
        rc = journal_batch_need(j, key, 2, err);
    if (rc == RDV_OK)
        rc = journal_batch_pending(j, key, w->arena, &pending, err);
    if (rc == RDV_OK)
        rc = journal_batch_fail(j, key, &row, RDV_STR("id"), err);
    if (rc == RDV_OK)
        rc = journal_batch_lose(j, 3, true, &n, err);
    if (rc == RDV_OK)
        rc = journal_batch_learn(j, MODEL, RDV_STR("logprobs"), err);
    if (rc == RDV_OK)
        rc = journal_batch_learned(j, MODEL, &abilities, err);
    assert_true(rc < 0 || abilities.logprobs == RDV_CANNOT);
    if (rc == RDV_OK) {
        rc = journal_batch_answered(j, key, err);
        assert_int_not_equal(rc, RDV_OK); /* it has none */
    }
    return rc == RDV_NONE ? journal_commit(j, err) : rc;
}

/* Both versions: all replies stay, and the part that none names goes. */
static int do_compact(world *w, rdv_journal *j, rdv_error *err)
{
    rdv_journal_compacted counts;
    (void)w;
    int rc = rdv_journal_compact(j, NULL, &counts, err);
    assert_true(rc < 0 || counts.replies == 2);
    return rc;
}

/* ---- each, with each number of steps --------------------------------------------------------- */

static const struct {
    const char *name;
    operation *act;
    bool batch; /* with its tables prepared before */
    bool old;   /* a journal of version 3 */
} operations[] = {
    {"add", do_add, false},
    {"find", do_find, false},
    {"count", do_count, false},
    {"models", do_models, false},
    {"export", do_export, false},
    {"merge into", do_merge_into, false},
    {"open", do_batch_open, false},
    {"count of a batch", do_batch_count, false},
    {"round", do_round, true},
    {"compact", do_compact, false},
    {"compact version 3", do_compact, false, true},
};

static bool survives(world *w, size_t i, int steps)
{
    rdv_error err = {0};
    copy_file(operations[i].old ? w->old : w->model, w->path);
    rdv_journal *j = open_it(w->path, RDV_JOURNAL_WRITE);
    if (operations[i].batch)
        assert_int_equal(journal_batch_open(j, NULL), RDV_OK);
    give_up_after(j, steps);
    int rc = operations[i].act(w, j, &err);
    bool gave_up = left < 0;
    give_up_after(j, -1);
    if (rc < 0 && (rc != RDV_E_IO || !strstr(err.msg, w->path)))
        fail_msg("%s, after %d steps: %d, %s", operations[i].name, steps, rc, err.msg);
    assert_int_equal(rc == RDV_OK, !gave_up); /* a fault is never taken for the end */
    rdv_journal_close(&j);
    check_all(w);
    return rc == RDV_OK;
}

static void test_journal__gives_up_after_any_step(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < 2 * sizeof operations / sizeof *operations; i++) {
        int steps = 0;
        once = i % 2;
        while (!survives(w, i / 2, steps)) {
            steps += 1 + steps / 5; /* the first ones one by one */
            assert_true(steps < 1000000);
        }
        assert_true(steps > 5);
    }
}

/* The journal that is read from. */
static void test_merge__from_a_journal_that_gives_up(void **state)
{
    world *w = *state;
    bool whole = false;
    for (int steps = 0; !whole; steps += 1 + steps / 5) {
        rdv_error err = {0};
        copy_file(w->model, w->path);
        rdv_journal *into = open_it(w->path, RDV_JOURNAL_WRITE);
        rdv_journal *from = open_it(w->other, RDV_JOURNAL_READ);
        give_up_after(from, steps);
        int rc = merge(into, from, &err);
        whole = left >= 0;
        assert_int_equal(rc, whole ? RDV_OK : RDV_E_IO);
        assert_true(whole || strstr(err.msg, w->other));
        rdv_journal_close(&from);
        rdv_journal_close(&into);
        check_all(w);
    }
}

static bool at_once(void)
{
    return true;
}

static void test_merge__interrupted(void **state)
{
    world *w = *state;
    rdv_error err;
    rdv_journal_merged counts = {0};
    copy_file(w->model, w->path);
    rdv_journal *into = open_it(w->path, RDV_JOURNAL_WRITE);
    rdv_journal *from = open_it(w->other, RDV_JOURNAL_READ);
    assert_int_equal(rdv_journal_merge(into, from, at_once, &counts, &err), RDV_E_IO);
    assert_string_equal(err.msg, "interrupted");
    assert_int_equal(counts.added + counts.copies, 1);
    rdv_journal_close(&from);
    rdv_journal_close(&into);
    check_all(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_journal__gives_up_after_any_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge__from_a_journal_that_gives_up, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_merge__interrupted, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
