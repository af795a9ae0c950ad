/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its options to its end, with job sources that are sheets of requests, answered from a
 * journal. */
#include "run/run.h"
#include "../test.h"
#include "run/job_source.h"
#include "run/journal/journal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SHEETS 400 /* more than are taken in one turn */
#define REQUESTS 2 /* of a sheet; the journal answers the first one */

/* What fails. */
typedef enum fault {
    FAULT_NONE,
    FAULT_SOURCE, /* the source of sheets */
    FAULT_DONE,   /* what takes them back */
    FAULT_NEXT,   /* of a sheet */
    FAULT_REPLY,
    FAULT_FAIL,
    FAULT_CLOSE,
    FAULT_STAYS_OPEN, /* closing it does not end it */
    FAULT_SILENT      /* it has no request, and does not end */
} fault;

typedef struct sheet {
    struct world *world;
    size_t given, replies, failures;
    rdv_failure failure; /* the latest */
    bool closed;
    rdv_failure closed_by;
    size_t handed_back;
} sheet;

typedef struct world {
    char path[40];
    rdv_journal *journal;
    sheet sheets[SHEETS];
    size_t opened;
    fault fault;
    rdv_run *stops; /* the run that the first request stops */
} world;

static int planted(const world *w, fault f, rdv_error *err)
{
    return w->fault == f ? rdv_fail(err, RDV_E_INTERNAL, "planted") : RDV_OK;
}

/* ---- sheets ---------------------------------------------------------------------------------- */

static rdv_request request_of(size_t number)
{
    return (rdv_request){.id = number,
                         .sampling = {.temperature = NAN, .top_p = NAN},
                         .key = {(unsigned char)(number + 1)}};
}

static int sheet_next(void *source, rdv_request *request, rdv_error *err)
{
    sheet *s = source;
    if (s->given == REQUESTS || s->closed || s->world->fault == FAULT_SILENT)
        return RDV_NONE;
    *request = request_of(s->given++);
    if (s->world->stops)
        rdv_run_stop(s->world->stops);
    return planted(s->world, FAULT_NEXT, err);
}

static int sheet_reply(void *source, uint64_t id, const rdv_reply *reply, rdv_error *err)
{
    sheet *s = source;
    assert_int_equal(id, 0);
    assert_text(reply->text, "one");
    s->replies++;
    return planted(s->world, FAULT_REPLY, err);
}

static int sheet_fail(void *source, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err)
{
    sheet *s = source;
    assert_int_equal(id, 1);
    assert_text(why, "the transcript has no such reply");
    s->failures++;
    s->failure = failure;
    return planted(s->world, FAULT_FAIL, err);
}

static int sheet_cancelled(void *source, uint64_t *id)
{
    (void)source, (void)id;
    return RDV_NONE;
}

static bool sheet_done(const void *source)
{
    const sheet *s = source;
    bool ended = s->closed && s->world->fault != FAULT_STAYS_OPEN;
    return ended || s->replies + s->failures == REQUESTS;
}

static int sheet_close(void *source, rdv_failure failure, rdv_error *err)
{
    sheet *s = source;
    s->closed = true;
    s->closed_by = failure;
    return planted(s->world, FAULT_CLOSE, err);
}

static const job_source_ops ops = {.next = sheet_next,
                                   .reply = sheet_reply,
                                   .fail = sheet_fail,
                                   .cancelled = sheet_cancelled,
                                   .done = sheet_done,
                                   .close = sheet_close};

static int next_sheet(void *payload, void **source, rdv_error *err)
{
    world *w = payload;
    if (w->opened == SHEETS)
        return RDV_NONE;
    if (planted(w, FAULT_SOURCE, err) != RDV_OK)
        return RDV_E_INTERNAL;
    *source = &w->sheets[w->opened++];
    return RDV_OK;
}

static int sheet_back(void *payload, void *source, rdv_error *err)
{
    ((sheet *)source)->handed_back++;
    return planted(payload, FAULT_DONE, err);
}

/* ---- worlds ---------------------------------------------------------------------------------- */

static int set_up(void **state)
{
    static world w;
    rdv_request request = request_of(0);
    rdv_reply reply = {.text = RDV_STR("one")};
    w = (world){.path = "/tmp/rdv-run-XXXXXX"};
    for (size_t i = 0; i < SHEETS; i++)
        w.sheets[i].world = &w;
    *state = &w;
    int fd = mkstemp(w.path);
    return fd < 0 || close(fd) != 0 ||
           rdv_journal_open(w.path, RDV_JOURNAL_WRITE, &w.journal, NULL) != RDV_OK ||
           journal_add(w.journal, &request, true, &reply, 1, NULL) != RDV_OK ||
           journal_commit(w.journal, NULL) != RDV_OK;
}

static int tear_down(void **state)
{
    world *w = *state;
    char log[48];
    rdv_journal_close(&w->journal);
    unlink(w->path);
    snprintf(log, sizeof log, "%s-wal", w->path);
    unlink(log);
    return 0;
}

static rdv_run_options replay_options(const world *w)
{
    rdv_run_options o;
    rdv_run_options_default(&o, sizeof o);
    o.mode = RDV_RUN_REPLAY;
    o.journal = w->journal;
    return o;
}

static rdv_run *new_run(const world *w)
{
    rdv_run_options o = replay_options(w);
    rdv_run *run;
    assert_int_equal(rdv_run_new(&o, &run, NULL), RDV_OK);
    return run;
}

static int run_sheets(rdv_run *run, world *w, rdv_error *err)
{
    const job_stream jobs = {&ops, next_sheet, sheet_back, w};
    return run_job_sources(run, &jobs, err);
}

/* ---- options --------------------------------------------------------------------------------- */

/* As <rederive/run.h> states them. */
static void test_options__defaults(void **state)
{
    rdv_run_options o;
    (void)state;
    memset(&o, 0xff, sizeof o);
    rdv_run_options_default(&o, sizeof o);
    assert_int_equal(o.size, sizeof o);
    assert_int_equal(o.mode, RDV_RUN_ASK);
    assert_true(o.journal_requests);
    assert_int_equal(o.jobs, 64);
    assert_true(o.rpm == 0 && o.tpm == 0 && o.price_in == 0 && o.price_out == 0);
    assert_int_equal(o.timeout_ms, 600000);
    assert_int_equal(o.idle_ms, 60000);
    assert_int_equal(o.connect_ms, 15000);
    assert_int_equal(o.retries, 6);
    assert_int_equal(o.backoff_ms, 1000);
    assert_int_equal(o.max_body, 16 * 1024 * 1024);
    assert_int_equal(o.max_plans, 0);
    assert_int_equal(o.progress_ms, 1000);
    assert_true(o.budget.calls == 0 && o.budget.tokens == 0 && o.budget.cost_microusd == 0 &&
                o.budget.seconds == 0);
    assert_int_equal(o.batch.server, RDV_BATCH_OPENAI);
    assert_int_equal(o.batch.max_requests, 50000);
    assert_int_equal(o.batch.max_bytes, 200000000);
    assert_false(o.batch.again);
}

static rdv_run_options asking(void)
{
    rdv_run_options o;
    rdv_run_options_default(&o, sizeof o);
    o.generator.spec = (rdv_model_spec){.name = RDV_STR("m"),
                                        .url = RDV_STR("http://127.0.0.1:1/v1"),
                                        .host = RDV_STR("http://127.0.0.1:1")};
    return o;
}

static void check_refused(rdv_run_options o, const char *why)
{
    rdv_run *run = (rdv_run *)&o;
    rdv_error err = {0};
    assert_int_equal(rdv_run_new(&o, &run, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, why);
    assert_null(run);
}

/* The options with one change are refused. */
#define REFUSED(base, change, why)                                                                 \
    do {                                                                                           \
        rdv_run_options changed_ = (base);                                                         \
        changed_.change;                                                                           \
        check_refused(changed_, why);                                                              \
    } while (0)

static void test_options__that_make_no_sense_are_refused(void **state)
{
    static const char jobs[] = "calls in flight must be 1 to 100000",
                      limits[] = "limits and budgets must not be negative",
                      prices[] = "prices must not be negative",
                      servers[] = "at most 64 servers for one model";
    REFUSED(asking(), size = 0, "options without their size: set the member `size`");
    REFUSED(asking(), jobs = 0, jobs);
    REFUSED(asking(), jobs = 100001, jobs);
    REFUSED(asking(), rpm = -1, limits);
    REFUSED(asking(), rpm = NAN, limits);
    REFUSED(asking(), tpm = -1, limits);
    REFUSED(asking(), budget.seconds = -1, limits);
    REFUSED(asking(), price_in = -1, prices);
    REFUSED(asking(), price_out = NAN, prices);
    REFUSED(asking(), n_more_generators = 64, servers);
    REFUSED(asking(), n_more_checkers = 64, servers);
    REFUSED(asking(), max_body = 0, "the longest reply must have a byte");
    REFUSED(asking(), generator.spec.url.p = NULL,
            "no model to ask; give one, or replay a transcript");
    REFUSED(asking(), mode = RDV_RUN_REPLAY, "no journal to replay");
    REFUSED(asking(), generator.api_key = RDV_STR("a key"),
            "the API key holds a space or a character that no key has");
    REFUSED(asking(), generator.api_key = RDV_STR("k\xc3\xa4y"),
            "the API key holds a space or a character that no key has");
    rdv_run_options two = asking();
    two.checker = two.generator;
    REFUSED(two, generator.api_key = RDV_STR("a key"),
            "the API key holds a space or a character that no key has");
    REFUSED(two, checker.api_key = RDV_STR("a key"),
            "the API key holds a space or a character that no key has");
}

static void test_options__of_a_batch(void **state)
{
    world *w = *state;
    rdv_run_options batch = asking();
    const rdv_builtin *builtin = (const rdv_builtin *)w; /* not looked at */
    static const char journal[] = "a batch needs a journal that keeps its requests",
                      model[] = "a batch needs a model of a provider",
                      several[] = "a batch has no use for several servers of a model",
                      name[] = "a batch needs the name of its files",
                      room[] = "a file of a batch must hold a request";
    batch.mode = RDV_RUN_BATCH;
    batch.journal = w->journal;
    batch.batch.path = "x.jsonl";
    REFUSED(batch, batch.path = NULL, name);
    REFUSED(batch, batch.path = "", name);
    REFUSED(batch, batch.max_requests = 0, room);
    REFUSED(batch, batch.max_bytes = 0, room);
    REFUSED(batch, journal = NULL, journal);
    REFUSED(batch, journal_requests = false, journal);
    REFUSED(batch, generator.spec.name = (rdv_str){0}, model);
    REFUSED(batch, generator.builtin = builtin, model);
    REFUSED(batch, checker.builtin = builtin, model);
    REFUSED(batch, n_more_generators = 1, several);
    REFUSED(batch, n_more_checkers = 1, several);
}

/* The checker is another model as soon as anything of it differs, so that each has its own calls.
 */
static void test_models__that_are_the_same_share_a_server(void **state)
{
    rdv_run_options o[5];
    static const size_t servers[5] = {1, 2, 2, 2, 3};
    for (size_t i = 0; i < 5; i++) {
        o[i] = asking();
        o[i].checker = o[i].generator;
    }
    o[1].checker.spec.name = RDV_STR("n");
    o[2].checker.spec.url = RDV_STR("http://127.0.0.1:2/v1");
    o[3].checker.api_key = RDV_STR("key");
    o[4].more_checkers = &o[0].checker;
    o[4].n_more_checkers = 1;
    for (size_t i = 0; i < 5; i++) {
        rdv_run *run;
        rdv_server_totals totals;
        size_t n = 0;
        assert_int_equal(rdv_run_new(&o[i], &run, NULL), RDV_OK);
        while (rdv_run_server_totals(run, n, &totals) == RDV_OK)
            n++;
        assert_int_equal(n, servers[i]);
        assert_false(rdv_run_found(run, n, NULL, 0));
        rdv_run_free(&run);
    }
}

static bool makes(const rdv_run_options *o)
{
    rdv_run *run;
    rdv_error err;
    int rc = rdv_run_new(o, &run, &err);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    assert_true((run != NULL) == (rc == RDV_OK));
    rdv_run_free(&run);
    return rc == RDV_OK;
}

static void test_new__without_memory(void **state)
{
    rdv_run_options of[] = {asking(), replay_options(*state)};
    of[0].generator.api_key = RDV_STR("key");
    for (size_t i = 0; i < 2; i++)
        assert_survives_no_memory(makes(&of[i]), (void)0);
    rdv_run_free(NULL);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void test_run__answers_what_the_journal_holds(void **state)
{
    world *w = *state;
    rdv_run *run = new_run(w);
    rdv_run_totals totals;
    const char *why;
    for (int round = 1; round <= 2; round++) { /* a run may be given further sheets */
        assert_int_equal(run_sheets(run, w, NULL), RDV_OK);
        assert_int_equal(rdv_run_ended(run, &why), RDV_END_DONE);
        assert_string_equal(why, "done");
        rdv_run_totals_now(run, &totals);
        assert_int_equal(totals.plans_done, round * SHEETS);
        assert_int_equal(totals.plans_open, 0);
        assert_int_equal(totals.answered, round * SHEETS);
        assert_int_equal(totals.cached, round * SHEETS);
        assert_int_equal(totals.failed, round * SHEETS);
        assert_int_equal(totals.failures[RDV_FAIL_MISSING], round * SHEETS);
        assert_int_equal(totals.sent, 0);
        for (size_t i = 0; i < SHEETS; i++) {
            assert_int_equal(w->sheets[i].replies, 1);
            assert_int_equal(w->sheets[i].failure, RDV_FAIL_MISSING);
            assert_int_equal(w->sheets[i].handed_back, 1);
            w->sheets[i] = (sheet){.world = w};
        }
        w->opened = 0;
    }
    rdv_run_free(&run);
    assert_null(run);
}

/* A run that is given further sheets goes on with its time, which a budget of seconds counts. */
static void test_run__its_time_goes_on(void **state)
{
    world *w = *state;
    rdv_run *run = new_run(w);
    rdv_run_totals first, second;
    const struct timespec pause = {.tv_nsec = 30 * 1000 * 1000};
    assert_int_equal(run_sheets(run, w, NULL), RDV_OK);
    nanosleep(&pause, NULL);
    rdv_run_totals_now(run, &first);
    assert_true(first.seconds >= 0.025);
    w->opened = 0;
    for (size_t i = 0; i < SHEETS; i++)
        w->sheets[i] = (sheet){.world = w};
    assert_int_equal(run_sheets(run, w, NULL), RDV_OK);
    rdv_run_totals_now(run, &second);
    assert_true(second.seconds >= first.seconds);
    rdv_run_free(&run);
}

/* A sheet that is open is closed, not answered, and handed back; no further one is opened. */
static void test_run__stopped(void **state)
{
    world *w = *state;
    rdv_run *run = new_run(w);
    const char *why;
    w->stops = run;
    assert_int_equal(run_sheets(run, w, NULL), RDV_OK);
    assert_int_equal(rdv_run_ended(run, NULL), RDV_END_STOPPED);
    assert_int_equal(rdv_run_ended(run, &why), RDV_END_STOPPED);
    assert_string_equal(why, "stopped");
    assert_in_range(w->opened, 1, SHEETS - 1);
    size_t n_closed = 0;
    for (size_t i = 0; i < SHEETS; i++) {
        const sheet *s = &w->sheets[i];
        assert_int_equal(s->handed_back, i < w->opened);
        n_closed += s->closed;
        assert_true(s->closed ? s->closed_by == RDV_FAIL_CANCELLED : s->replies == s->handed_back);
    }
    assert_int_equal(n_closed, 1);
    rdv_run_free(&run);
}

/* Whatever fails, its words are the run's, and each sheet is handed back once. */
static void test_run__a_fault_of_a_source_ends_it(void **state)
{
    world *w = *state;
    static const struct {
        fault fault;
        bool stopped;
        const char *why;
    } cases[] = {
        {FAULT_SOURCE, false, "planted"},
        {FAULT_DONE, false, "planted"},
        {FAULT_NEXT, false, "planted"},
        {FAULT_REPLY, false, "planted"},
        {FAULT_FAIL, false, "planted"},
        {FAULT_CLOSE, true, "planted"},
        {FAULT_STAYS_OPEN, true, "a plan that was closed is not done"},
        {FAULT_SILENT, false, "a plan waits for nothing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_error err = {0};
        rdv_run *run = new_run(w);
        for (size_t k = 0; k < SHEETS; k++)
            w->sheets[k] = (sheet){.world = w};
        w->opened = 0;
        w->fault = cases[i].fault;
        w->stops = cases[i].stopped ? run : NULL;
        assert_int_equal(run_sheets(run, w, &err), RDV_E_INTERNAL);
        assert_string_equal(err.msg, cases[i].why);
        for (size_t k = 0; k < SHEETS; k++)
            assert_int_equal(w->sheets[k].handed_back, k < w->opened);
        rdv_run_free(&run);
    }
}

static void test_run__a_fault_of_the_journal_ends_it(void **state)
{
    world *w = *state;
    rdv_run *run = new_run(w);
    rdv_error err = {0};
    w->journal->file.number++; /* as if another file had taken its place */
    assert_int_equal(run_sheets(run, w, &err), RDV_E_IO);
    assert_non_null(strstr(err.msg, w->path));
    for (size_t k = 0; k < SHEETS; k++)
        assert_int_equal(w->sheets[k].handed_back, k < w->opened);
    rdv_run_free(&run);
}

/* ---- probing what is no server ----------------------------------------------------------------
 */

static void test_probe__only_a_server(void **state)
{
    rdv_endpoint nothing = {0};
    rdv_run_options unsized = {0};
    rdv_probe probe;
    rdv_error err;
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(rdv_run_probe(&nothing, NULL, arena, &probe, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "only a server can be probed");
    assert_int_equal(probe.n_models, 0);
    assert_int_equal(rdv_run_probe(&nothing, &unsized, arena, &probe, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "options without their size: set the member `size`");
    rdv_arena_free(&arena);
}

/* ---- estimates ------------------------------------------------------------------------------- */

static void count_call(void *payload, const rdv_request *request, bool joins,
                       uint64_t prompt_tokens, uint64_t completion_tokens)
{
    (void)request;
    assert_true(prompt_tokens > 0 && completion_tokens > 0);
    ++*(size_t *)payload;
}

/* Three solutions: each request is counted once, or the estimate fails. */
static bool estimates(rdv_journal *journal)
{
    static const rdv_question question = {.text = {"What is 2 + 3?", 14}};
    rdv_plan_options o;
    rdv_plan *plan;
    size_t n = 0;
    const rdv_estimate_calls calls = {count_call, &n};
    rdv_plan_options_default(&o, sizeof o);
    o.chains = 3;
    o.stop = RDV_STOP_NONE; /* else two that agree are enough */
    int rc = rdv_plan_solve(&question, &o, &plan, NULL);
    if (rc == RDV_OK)
        rc = rdv_plan_estimate(plan, RDV_BOUND_NONE, journal, &calls, NULL);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    assert_true(rc != RDV_OK || n == 3);
    rdv_plan_free(&plan);
    return rc == RDV_OK;
}

/* What the journal answers is no call. */
static void test_estimate__without_what_the_journal_holds(void **state)
{
    world *w = *state;
    static const rdv_question question = {.text = {"What is 2 + 3?", 14}};
    const rdv_reply reply = {.text = RDV_STR("2 + 3 = 5. The answer is 5."),
                             .finish = RDV_FINISH_STOP};
    rdv_plan_options o;
    rdv_plan *plan;
    rdv_request request;
    size_t n = 0;
    const rdv_estimate_calls calls = {count_call, &n};
    rdv_plan_options_default(&o, sizeof o);
    o.chains = 3;
    o.stop = RDV_STOP_NONE;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_next(plan, &request, NULL), RDV_OK);
    assert_int_equal(journal_add(w->journal, &request, true, &reply, 1, NULL), RDV_OK);
    rdv_plan_free(&plan);
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_estimate(plan, RDV_BOUND_NONE, w->journal, &calls, NULL), RDV_OK);
    assert_int_equal(n, 2);
    rdv_plan_free(&plan);
}

static void test_estimate__without_memory(void **state)
{
    world *w = *state;
    assert_survives_no_memory(estimates(NULL), (void)0);
    assert_survives_no_memory(estimates(w->journal), (void)0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options__defaults),
        TEST(test_options__that_make_no_sense_are_refused),
        TEST(test_options__of_a_batch),
        TEST(test_models__that_are_the_same_share_a_server),
        TEST(test_new__without_memory),
        TEST(test_run__answers_what_the_journal_holds),
        TEST(test_run__its_time_goes_on),
        TEST(test_run__stopped),
        TEST(test_run__a_fault_of_a_source_ends_it),
        TEST(test_run__a_fault_of_the_journal_ends_it),
        TEST(test_probe__only_a_server),
        TEST(test_estimate__without_what_the_journal_holds),
        TEST(test_estimate__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
