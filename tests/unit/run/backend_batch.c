/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that are written to files: what becomes of each call, where files end, and what the next
 * run makes of a file that never got its name. */
#include "../test.h"
#include "run/backend_batch.h"
#include "run/batch_import.h"
#include "run/journal/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct world {
    char folder[32], path[64], journal_path[64];
    run_context run;
    host host;
    rdv_endpoint endpoint;
    rdv_arena *arena;
    backend *b;
} world;

static rdv_message question = {RDV_USER, {"What is 2 + 3?", 14}};

static rdv_request request_of(unsigned char number)
{
    return (rdv_request){.model = RDV_STR("m"),
                         .messages = &question,
                         .n_messages = 1,
                         .sampling = {.temperature = NAN, .top_p = NAN},
                         .key = {number}};
}

static void begin(world *w)
{
    assert_int_equal(
        rdv_journal_open(w->journal_path, RDV_JOURNAL_WRITE, &w->run.options.journal, NULL),
        RDV_OK);
    w->run.totals = (rdv_run_totals){0};
    assert_int_equal(backend_batch_new(&w->b, &w->run, &w->endpoint, &w->host, NULL), RDV_OK);
}

static void end(world *w)
{
    backend_free(&w->b);
    rdv_journal_close(&w->run.options.journal);
}

static int set_up(void **state)
{
    static world w;
    w = (world){.folder = "/tmp/rdv-batch-XXXXXX",
                .arena = rdv_arena_new(0),
                .endpoint = {.spec.name = RDV_STR("m")}};
    *state = &w;
    if (!mkdtemp(w.folder))
        return 1;
    snprintf(w.path, sizeof w.path, "%s/r.jsonl", w.folder);
    snprintf(w.journal_path, sizeof w.journal_path, "%s/journal", w.folder);
    rdv_run_options_default(&w.run.options, sizeof w.run.options);
    w.run.options.batch.path = w.path;
    w.run.scratch = rdv_arena_new(0);
    begin(&w);
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    char command[64];
    end(w);
    rdv_arena_free(&w->run.scratch);
    rdv_arena_free(&w->arena);
    snprintf(command, sizeof command, "rm -r %s", w->folder);
    return system(command);
}

static backend_event ask(world *w, unsigned char number)
{
    rdv_request request = request_of(number);
    backend_call call = {.request = &request};
    backend_event event;
    assert_int_equal(w->b->ops->start(w->b, &call, NULL), RDV_OK);
    assert_int_equal(w->b->ops->next(w->b, w->arena, &event, NULL), RDV_OK);
    assert_ptr_equal(event.call, &call);
    assert_null(call.state);
    assert_int_equal(w->b->ops->next(w->b, w->arena, &event, NULL), RDV_NONE);
    return event;
}

/* Bytes of file number `i`; -1: there is none. */
static long size_of(const world *w, int i)
{
    char path[96];
    struct stat info;
    snprintf(path, sizeof path, "%s/r-%03d.jsonl", w->folder, i);
    return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

static void import(world *w, const char *line, batch_imported *counts)
{
    batch_import all;
    rdv_arena *scratch = rdv_arena_new(0);
    assert_int_equal(batch_import_begin(&all, w->run.options.journal, w->arena, scratch, NULL),
                     RDV_OK);
    assert_true(batch_import_line(&all, rdv_str_of(line), NULL) >= 0);
    assert_int_equal(batch_import_end(&all, NULL), RDV_OK);
    *counts = all.counts;
    rdv_arena_free(&scratch);
}

static void test_call__is_written_once_and_deferred(void **state)
{
    world *w = *state;
    assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
    assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
    assert_int_equal(size_of(w, 1), -1); /* not before it is complete */
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    assert_true(size_of(w, 1) > 0);
    assert_int_equal(w->run.totals.batch_written, 1);
    assert_int_equal(w->run.totals.batch_expected, 0);
    end(w);
    begin(w);
    for (size_t i = 0; i < 3; i++) { /* each run that asks for it expects it once */
        assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
        assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
        assert_int_equal(w->run.totals.batch_written, 0);
        assert_int_equal(w->run.totals.batch_expected, 1);
        assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
        assert_int_equal(journal_commit(w->run.options.journal, NULL), RDV_OK);
        end(w);
        begin(w);
    }
}

/* One call at a time: another waits until the first's event is taken, and to cancel it takes
 * nothing of the first. */
static void test_call__another_waits(void **state)
{
    world *w = *state;
    rdv_request one = request_of(1), two = request_of(2);
    backend_call first = {.request = &one}, second = {.request = &two};
    backend_event event;
    assert_int_equal(w->b->ops->start(w->b, &first, NULL), RDV_OK);
    assert_int_equal(w->b->ops->start(w->b, &second, NULL), RDV_LATER);
    w->b->ops->cancel(w->b, &second);
    assert_int_equal(w->b->ops->next(w->b, w->arena, &event, NULL), RDV_OK);
    assert_ptr_equal(event.call, &first);
    assert_int_equal(w->b->ops->start(w->b, &second, NULL), RDV_OK);
    w->b->ops->cancel(w->b, &second);
    assert_int_equal(w->b->ops->next(w->b, w->arena, &event, NULL), RDV_NONE);
}

static void test_files__end_at_their_limits(void **state)
{
    world *w = *state;
    w->run.options.batch.max_requests = 3;
    for (unsigned char i = 1; i <= 4; i++)
        ask(w, i);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    long one = size_of(w, 2);
    assert_int_equal(size_of(w, 1), 3 * one);
    w->run.options.batch.max_requests = 100;
    w->run.options.batch.max_bytes = (uint64_t)(2 * one);
    for (unsigned char i = 5; i <= 9; i++)
        ask(w, i);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    assert_int_equal(size_of(w, 3), 2 * one);
    assert_int_equal(size_of(w, 4), 2 * one);
    assert_int_equal(size_of(w, 5), one);
    w->run.options.batch.max_bytes = (uint64_t)(one - 1);
    backend_event event = ask(w, 10);
    assert_int_equal(event.kind, BACKEND_FAILED);
    assert_string_equal(event.why, "the request is longer than a file of a batch");
}

static void test_existing_file__is_not_replaced(void **state)
{
    world *w = *state;
    char path[96];
    rdv_request request = request_of(1);
    backend_call call = {.request = &request};
    rdv_error err = {0};
    snprintf(path, sizeof path, "%s/r-001.jsonl", w->folder);
    FILE *f = fopen(path, "w");
    assert_int_equal(fclose(f), 0);
    assert_int_equal(w->b->ops->start(w->b, &call, &err), RDV_E_IO);
    assert_non_null(strstr(err.msg, "r-001.jsonl exists"));
    assert_int_equal(size_of(w, 1), 0);
}

static void test_run_without_its_end__leaves_nothing(void **state)
{
    world *w = *state;
    ask(w, 1);
    end(w); /* as after a fault: what was written last is taken back */
    begin(w);
    assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
    assert_int_equal(w->run.totals.batch_written, 1);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    assert_true(size_of(w, 1) > 0);
}

/* Results of requests that the journal does not know would be nobody's: where it cannot be written,
 * no file is to be seen. */
static void test_file__is_not_seen_before_the_journal_knows_of_it(void **state)
{
    world *w = *state;
    rdv_error err = {0};
    ask(w, 1);
    w->run.options.journal->file.number++; /* as if another file had taken its place */
    assert_int_equal(backend_batch_finish(w->b, &err), RDV_E_IO);
    assert_non_null(strstr(err.msg, "replaced by another file"));
    assert_int_equal(size_of(w, 1), -1);
    w->run.options.journal->file.number--;
}

/* A run that ends when its file has got its name, and before the journal knows so: the next run
 * finds the file, and expects its results. */
static void test_file__that_is_there_is_found_by_the_next_run(void **state)
{
    world *w = *state;
    char path[96];
    ask(w, 1);
    snprintf(path, sizeof path, "%s/r-001.jsonl", w->folder);
    FILE *f = fopen(path, "w"); /* no other file takes its place, which ends this run */
    assert_int_equal(fclose(f), 0);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_E_IO);
    end(w);
    begin(w);
    assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
    assert_int_equal(w->run.totals.batch_written, 0);
    assert_int_equal(w->run.totals.batch_expected, 1);
}

static void test_file_that_never_got_its_name__is_written_again(void **state)
{
    world *w = *state;
    ask(w, 1);
    assert_int_equal(journal_batch_name_file(w->run.options.journal, 1, "no such", false, NULL),
                     RDV_OK);
    assert_int_equal(journal_commit(w->run.options.journal, NULL), RDV_OK);
    end(w);
    begin(w);
    ask(w, 1);
    assert_int_equal(w->run.totals.batch_written, 1);
    assert_int_equal(w->run.totals.batch_again, 1);
}

/* Asking for what has no result writes it once in a run, however often it is needed. */
static void test_again__once_in_a_run(void **state)
{
    world *w = *state;
    w->run.options.batch.again = true;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
        assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
        assert_int_equal(w->run.totals.batch_written, 1);
        assert_int_equal(w->run.totals.batch_again, i > 0);
        assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
        end(w);
        begin(w);
    }
}

/* What was written once may be too long for the files of today: it fails, and is not counted. */
static void test_again__too_long(void **state)
{
    world *w = *state;
    ask(w, 1);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    end(w);
    w->run.options.batch.again = true;
    w->run.options.batch.max_bytes = 10;
    begin(w);
    assert_int_equal(ask(w, 1).kind, BACKEND_FAILED);
    assert_int_equal(w->run.totals.batch_again, 0);
}

static void set_row(world *w, const char *set)
{
    char text[100];
    snprintf(text, sizeof text, "UPDATE batch_requests SET %s", set);
    assert_int_equal(sqlite3_exec(w->run.options.journal->db, text, NULL, NULL, NULL), SQLITE_OK);
}

/* A state or failure that this program does not know is never a reply: the request is asked again.
 */
static void test_row__of_an_unknown_state(void **state)
{
    static const struct {
        const char *set;
        batch_state is;
        rdv_failure failure;
    } cases[] = {{"state = 99, failure = 99", BATCH_LOST, RDV_FAIL_REFUSED},
                 {"state = -1, failure = -1", BATCH_LOST, RDV_FAIL_REFUSED},
                 {"state = 3, failure = 0", (batch_state)3, (rdv_failure)0}};
    world *w = *state;
    rdv_request request = request_of(1);
    batch_row row;
    ask(w, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_row(w, cases[i].set);
        assert_int_equal(
            journal_batch_find(w->run.options.journal, request.key, w->arena, &row, NULL), RDV_OK);
        assert_int_equal(row.state, cases[i].is);
        assert_int_equal(row.failure, cases[i].failure);
    }
    set_row(w, "state = 99");
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    end(w);
    begin(w);
    assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
    assert_int_equal(w->run.totals.batch_written, 1);
}

/* What becomes of a call needs no text of its request, so a damaged one is no reason to end. */
static void test_row__with_a_damaged_request(void **state)
{
    world *w = *state;
    rdv_request request = request_of(1);
    batch_row row;
    batch_pending pending;
    ask(w, 1);
    set_row(w, "request = 'x'");
    assert_int_equal(journal_batch_find(w->run.options.journal, request.key, w->arena, &row, NULL),
                     RDV_OK);
    assert_int_equal(row.state, BATCH_EXPECTED);
    assert_int_equal(
        journal_batch_pending(w->run.options.journal, request.key, w->arena, &pending, NULL),
        RDV_E_INPUT);
    end(w);
    begin(w);
    assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
}

#define RESULT(key, id, response, error)                                                           \
    "{\"id\":\"" id "\",\"custom_id\":\"" key                                                      \
    "00000000000000000000000000000000000000000000000000000000000000\",\"response\":" response      \
    ",\"error\":" error "}"
#define EXPIRED(id) RESULT("01", id, "null", "{\"code\":\"batch_expired\",\"message\":\"late\"}")

static void test_results__lost_failed_and_given_up(void **state)
{
    world *w = *state;
    batch_imported counts;
    static const char *const failures[] = {EXPIRED("a"), EXPIRED("b"), EXPIRED("c")};
    w->run.options.retries = 2;
    ask(w, 1);
    ask(w, 2);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    for (size_t i = 0; i < 3; i++) {
        import(w, failures[i], &counts);
        assert_int_equal(counts.failed, 1);
        assert_int_equal(counts.lost, i == 0); /* request 2 was in the same file */
        import(w, failures[i], &counts);
        assert_int_equal(counts.known, 1);
        end(w);
        begin(w);
        backend_event event = ask(w, 1);
        assert_int_equal(event.kind, i < 2 ? BACKEND_DEFERRED : BACKEND_FAILED);
        if (i == 2)
            assert_string_equal(event.why, "no response: late");
        assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    }
    assert_int_equal(ask(w, 2).kind, BACKEND_DEFERRED);
    assert_int_equal(w->run.totals.batch_again, 1);
    import(w,
           RESULT("01", "d",
                  "{\"status_code\":200,\"body\":{\"choices\":[{\"message\":{\"content\":\"5\"},"
                  "\"finish_reason\":\"stop\"}]}}",
                  "null"),
           &counts);
    assert_int_equal(counts.added, 1); /* a late reply is better than none */
}

/* A request that was given up and is asked for again may fail as often as before. */
static void test_results__again_after_giving_up(void **state)
{
    world *w = *state;
    batch_imported counts;
    static const char *const failures[] = {EXPIRED("a"), EXPIRED("b"), EXPIRED("c")};
    w->run.options.retries = 1;
    ask(w, 1);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
        import(w, failures[i], &counts);
        assert_int_equal(counts.failed, 1);
        end(w);
        begin(w);
        assert_int_equal(ask(w, 1).kind, i == 1 ? BACKEND_FAILED : BACKEND_DEFERRED);
        if (i != 1)
            continue;
        end(w);
        begin(w);
        w->run.options.batch.again = true;
        assert_int_equal(ask(w, 1).kind, BACKEND_DEFERRED);
        w->run.options.batch.again = false;
    }
}

/* What another try may mend is a failure; the others are refusals, and final. */
static void test_results__by_their_status(void **state)
{
    world *w = *state;
    static const struct {
        const char *response, *error, *why;
        bool better;
    } cases[] = {
        {"{\"status_code\":401,\"body\":{}}", "null", "HTTP 401: without a reason", true},
        {"{\"status_code\":403,\"body\":{}}", "null", "HTTP 403: without a reason", true},
        {"{\"status_code\":408,\"body\":{}}", "null", "HTTP 408: without a reason", true},
        {"{\"status_code\":425,\"body\":{}}", "null", "HTTP 425: without a reason", true},
        {"{\"status_code\":429,\"body\":{}}", "null", "HTTP 429: without a reason", true},
        {"{\"status_code\":500,\"body\":{}}", "null", "HTTP 500: without a reason", true},
        {"{\"status_code\":501,\"body\":{}}", "null", "HTTP 501: without a reason", false},
        {"{\"status_code\":505,\"body\":{}}", "null", "HTTP 505: without a reason", false},
        {"{\"status_code\":404,\"body\":{\"error\":{\"message\":\"No.\"}}}", "null",
         "HTTP 404: No.", false},
        {"{\"status_code\":402,\"body\":{\"error\":{\"code\":\"insufficient_quota\"}}}", "null",
         "HTTP 402: insufficient_quota", true},
        {"null", "{\"code\":\"batch_cancelled\"}", "no response: batch_cancelled", true},
        {"{\"status_code\":200,\"body\":{\"choices\":[]}}", "null", NULL, true},
    };
    enum { N = sizeof cases / sizeof *cases };
    for (unsigned char i = 0; i < N; i++)
        ask(w, 0x10 + i);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    for (unsigned char i = 0; i < N; i++) {
        char line[500];
        batch_imported counts;
        rdv_request request = request_of(0x10 + i);
        batch_row row;
        snprintf(line, sizeof line, "{\"custom_id\":\"%02x%062d\",\"response\":%s,\"error\":%s}",
                 0x10 + i, 0, cases[i].response, cases[i].error);
        import(w, line, &counts);
        if (counts.failed != cases[i].better || counts.refused != !cases[i].better)
            fail_msg("%s: failed %d, refused %d", line, (int)counts.failed, (int)counts.refused);
        assert_int_equal(counts.added, 0);
        assert_int_equal(
            journal_batch_find(w->run.options.journal, request.key, w->arena, &row, NULL), RDV_OK);
        assert_int_equal(row.state, cases[i].better ? BATCH_FAILED : BATCH_REFUSED);
        if (cases[i].why && !rdv_str_eq(row.why, rdv_str_of(cases[i].why)))
            fail_msg("%.*s is not %s", RDV_FMT(row.why), cases[i].why);
    }
}

/* The results of two files in one import: what either lacks is lost. */
static void test_results__of_several_files(void **state)
{
    world *w = *state;
    batch_import all;
    rdv_arena *scratch = rdv_arena_new(0);
    w->run.options.batch.max_requests = 2;
    for (unsigned char i = 1; i <= 4; i++)
        ask(w, i);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    assert_int_equal(batch_import_begin(&all, w->run.options.journal, w->arena, scratch, NULL),
                     RDV_OK);
    const rdv_str first = RDV_STR(RESULT("01", "a", "null", "{\"code\":\"batch_expired\"}"));
    const rdv_str third = RDV_STR(RESULT("03", "c", "null", "{\"code\":\"batch_expired\"}"));
    assert_true(batch_import_line(&all, third, NULL) >= 0);
    assert_true(batch_import_line(&all, first, NULL) >= 0);
    assert_int_equal(batch_import_end(&all, NULL), RDV_OK);
    assert_int_equal(all.counts.failed, 2);
    assert_int_equal(all.counts.lost, 2);
    rdv_arena_free(&scratch);
}

/* Without memory a result is not imported in part: the next import takes it as a new one. */
static bool imports(world *w, const char *line)
{
    batch_import all;
    rdv_arena *arena = rdv_arena_new(0), *scratch = arena ? rdv_arena_new(0) : NULL;
    int rc = scratch ? batch_import_begin(&all, w->run.options.journal, arena, scratch, NULL)
                     : RDV_E_NOMEM;
    if (rc == RDV_OK)
        rc = batch_import_line(&all, rdv_str_of(line), NULL);
    if (rc >= 0)
        rc = batch_import_end(&all, NULL);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    assert_true(rc != RDV_OK || all.counts.added + all.counts.failed + all.counts.known == 1);
    rdv_arena_free(&arena);
    rdv_arena_free(&scratch);
    return rc == RDV_OK;
}

static void test_results__without_memory(void **state)
{
    world *w = *state;
    static const char *const lines[] = {
        EXPIRED("a"), RESULT("02", "b", "{\"status_code\":200,\"body\":{}}", "null"),
        RESULT("03", "c",
               "{\"status_code\":200,\"body\":{\"choices\":[{\"message\":{\"content\":\"5\"},"
               "\"finish_reason\":\"stop\"}]}}",
               "null"),
        RESULT("04", "d", "{\"status_code\":401,\"body\":{}}", "null")};
    for (unsigned char i = 1; i <= 4; i++)
        ask(w, i);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    for (size_t i = 0; i < 4; i++)
        assert_survives_no_memory(imports(w, lines[i]), (void)0);
    rdv_request failed = request_of(4), request = request_of(3);
    batch_row row;
    rdv_reply reply;
    assert_int_equal(journal_batch_find(w->run.options.journal, failed.key, w->arena, &row, NULL),
                     RDV_OK);
    assert_text(row.why, "HTTP 401: without a reason");
    assert_int_equal(journal_find(w->run.options.journal, request.key, w->arena, &reply, NULL),
                     RDV_OK);
    assert_text(reply.text, "5");
}

/* One allocation fails: a reason for which there is no memory is not noted as another. */
static void test_results__one_allocation_fails(void **state)
{
    world *w = *state;
    static const struct {
        const char *line, *why;
        batch_state state;
    } cases[] = {
        {RESULT("01", "a", "{\"status_code\":500,\"body\":{\"error\":{\"message\":\"No.\"}}}",
                "null"),
         "HTTP 500: No.", BATCH_FAILED},
        {RESULT("02", "b", "null", "{\"code\":\"batch_expired\",\"message\":\"late\"}"),
         "no response: late", BATCH_FAILED},
        {RESULT("03", "c",
                "{\"status_code\":402,\"body\":{\"error\":{\"code\":\"insufficient_quota\"}}}",
                "null"),
         "HTTP 402: insufficient_quota", BATCH_FAILED},
    };
    for (unsigned char i = 1; i <= 3; i++)
        ask(w, i);
    assert_int_equal(backend_batch_finish(w->b, NULL), RDV_OK);
    for (unsigned char i = 0; i < 3; i++) {
        size_t n = 1;
        rdv_request request = request_of(i + 1);
        batch_row row;
        for (bool done = false; !done; n++) {
            rdv_alloc_fail_once(n);
            done = imports(w, cases[i].line);
            rdv_alloc_fail_at(0);
        }
        assert_true(n > 10);
        assert_int_equal(
            journal_batch_find(w->run.options.journal, request.key, w->arena, &row, NULL), RDV_OK);
        assert_true(rdv_str_eq(row.why, rdv_str_of(cases[i].why)));
        assert_int_equal(row.state, cases[i].state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_call__is_written_once_and_deferred, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_call__another_waits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_files__end_at_their_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_existing_file__is_not_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_run_without_its_end__leaves_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_file__is_not_seen_before_the_journal_knows_of_it,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_file__that_is_there_is_found_by_the_next_run, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_file_that_never_got_its_name__is_written_again, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_results__lost_failed_and_given_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_results__again_after_giving_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_results__by_their_status, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_results__of_several_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_results__without_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_results__one_allocation_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_again__once_in_a_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_again__too_long, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row__of_an_unknown_state, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row__with_a_damaged_request, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
