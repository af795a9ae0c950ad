/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the whole driver on a scripted network: what is sent, when, how often, and what the job
 * source is told. */
#include "../test.h"
#include "base/buf.h"
#include "plan/request.h"
#include "run/job_source.h"
#include "scripted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST 16
#define KEY "sk-0123456789abcdef"

/* ---- a job source: independent questions ----------------------------------------------------- */

typedef struct told {
    bool yes, reply;
    rdv_failure failure;
    char text[300]; /* of the reply, or why there is none */
} told;

typedef struct job {
    size_t n, next, n_told;
    rdv_request requests[MOST];
    rdv_message messages[MOST];
    told told[MOST];
    bool is_closed;
    rdv_failure closed_by;
} job;

static int next_request(void *of, rdv_request *request, rdv_error *err)
{
    job *j = of;
    if (j->next == j->n)
        return RDV_NONE;
    *request = j->requests[j->next++];
    return RDV_OK;
}

static void tell(job *j, uint64_t id, bool reply, rdv_failure failure, rdv_str text)
{
    told *t = &j->told[id];
    assert_false(t->yes); /* each request once */
    *t = (told){.yes = true, .reply = reply, .failure = failure};
    snprintf(t->text, sizeof t->text, "%.*s", RDV_FMT(text));
    j->n_told++;
}

static int take_reply(void *of, uint64_t id, const rdv_reply *reply, rdv_error *err)
{
    tell(of, id, true, RDV_FAIL_UNREADABLE, reply->text);
    return RDV_OK;
}

static int take_failure(void *of, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err)
{
    tell(of, id, false, failure, why);
    return RDV_OK;
}

static int next_cancelled(void *of, uint64_t *id)
{
    return RDV_NONE;
}

static bool is_done(const void *of)
{
    const job *j = of;
    return j->is_closed || j->n_told == j->n;
}

static int close_job(void *of, rdv_failure failure, rdv_error *err)
{
    job *j = of;
    j->is_closed = true;
    j->closed_by = failure;
    return RDV_OK;
}

static const job_source_ops job_ops = {next_request,   take_reply, take_failure,
                                       next_cancelled, is_done,    close_job};

/* A chat request; equal questions have equal keys. */
static void ask(job *j, const char *question)
{
    rdv_request *r = &j->requests[j->n];
    j->messages[j->n] = (rdv_message){RDV_USER, rdv_str_of(question)};
    *r = (rdv_request){.id = j->n,
                       .kind = RDV_REQUEST_CHAT,
                       .model = RDV_STR("m"),
                       .messages = &j->messages[j->n],
                       .n_messages = 1,
                       .sampling = {.temperature = 0.5, .top_p = NAN},
                       .sample = RDV_STR("sample 0")};
    request_key(r);
    j->n++;
}

/* ---- a run ----------------------------------------------------------------------------------- */

typedef struct world {
    network network;
    const response *script; /* of n_script; the last one goes on */
    size_t n_script;
    rdv_run_options options;
    job jobs[2];
    size_t n_jobs, next_job, n_handed_over;
    rdv_run_totals totals;
    rdv_run_end end;
    char why[RDV_ERROR_MAX], notices[2000];
    rdv_arena *arena;
} world;

static response by_script(void *of, size_t call, const http_exchange *x)
{
    world *w = of;
    return w->script[call < w->n_script ? call : w->n_script - 1];
}

static void take_notice(void *of, const char *line)
{
    world *w = of;
    size_t at = strlen(w->notices);
    snprintf(w->notices + at, sizeof w->notices - at, "%s\n", line);
}

static int next_job(void *of, void **source, rdv_error *err)
{
    world *w = of;
    if (w->next_job == w->n_jobs)
        return RDV_NONE;
    *source = &w->jobs[w->next_job++];
    return RDV_OK;
}

static int take_job(void *of, void *source, rdv_error *err)
{
    world *w = of;
    assert_ptr_equal(source, &w->jobs[w->n_handed_over]); /* in order */
    w->n_handed_over++;
    return RDV_OK;
}

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    *state = w;
    if (!w)
        return -1;
    w->arena = rdv_arena_new(0);
    w->network = (network){.respond = by_script, .of = w};
    w->n_jobs = 1;
    rdv_run_options *o = &w->options;
    rdv_run_options_default(o, sizeof *o);
    o->generator.api_key = RDV_STR(KEY);
    o->notice = take_notice;
    o->payload = w;
    return rdv_model_parse(RDV_STR("http://one:1/v1#m"), w->arena, &o->generator.spec, NULL);
}

static int tear_down(void **state)
{
    world *w = *state;
    rdv_arena_free(&w->arena);
    free(w);
    return 0;
}

static int drive(world *w, rdv_error *err)
{
    const job_stream jobs = {&job_ops, next_job, take_job, w};
    rdv_run *run;
    const char *why;
    network_use(&w->network);
    assert_int_equal(rdv_run_new(&w->options, &run, err), RDV_OK);
    int rc = run_job_sources(run, &jobs, err);
    w->end = rdv_run_ended(run, &why);
    snprintf(w->why, sizeof w->why, "%s", why);
    rdv_run_totals_now(run, &w->totals);
    rdv_run_free(&run);
    assert_int_equal(w->n_handed_over, w->n_jobs);
    return rc;
}

/* The run is driven to its end; every request was told something, or its job was closed. */
#define RUN(w, ...)                                                                                \
    do {                                                                                           \
        static const response script_[] = {__VA_ARGS__};                                           \
        (w)->script = script_;                                                                     \
        (w)->n_script = sizeof script_ / sizeof *script_;                                          \
        assert_int_equal(drive(w, NULL), RDV_OK);                                                  \
    } while (0)

static void ask_many(world *w, size_t n)
{
    static char questions[MOST][16];
    for (size_t i = 0; i < n; i++) {
        snprintf(questions[i], sizeof questions[i], "question %zu", i);
        ask(&w->jobs[0], questions[i]);
    }
}

static void assert_reply(const world *w, size_t id, const char *text)
{
    assert_true(w->jobs[0].told[id].yes && w->jobs[0].told[id].reply);
    assert_string_equal(w->jobs[0].told[id].text, text);
}

static void assert_failed(const world *w, size_t id, rdv_failure failure, const char *why)
{
    const told *t = &w->jobs[0].told[id];
    assert_true(t->yes && !t->reply);
    assert_int_equal(t->failure, failure);
    assert_string_equal(t->text, why);
}

/* ---- replies --------------------------------------------------------------------------------- */

static void test_reply__is_told_and_charged(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->options.price_in = 2;
    w->options.price_out = 10;
    RUN(w, {.text = "42", .takes_ms = 1500});
    assert_reply(w, 0, "42");
    assert_int_equal(w->end, RDV_END_DONE);
    assert_string_equal(w->why, "done");
    assert_int_equal(w->totals.sent, 1);
    assert_int_equal(w->totals.answered, 1);
    assert_int_equal(w->totals.retries, 0);
    assert_int_equal(w->totals.failed, 0);
    assert_int_equal(w->totals.in_flight, 0);
    assert_int_equal(w->totals.plans_done, 1);
    assert_int_equal(w->totals.prompt_tokens, 50);
    assert_int_equal(w->totals.completion_tokens, 7);
    assert_int_equal(w->totals.cost_microusd, 170);
    assert_true(w->totals.seconds == 1.5);
    assert_string_equal(w->notices, "");
}

/* Four bytes are a token. */
static void test_usage__is_estimated_if_it_is_not_given(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    RUN(w, {.body = "{\"choices\":[{\"message\":{\"content\":\"twelve bytes\"},"
                    "\"finish_reason\":\"stop\"}]}"});
    assert_reply(w, 0, "twelve bytes");
    assert_int_equal(w->totals.completion_tokens, 3);
    assert_in_range(w->totals.prompt_tokens, 10, 50);
}

static void test_equal_requests__are_one_call(void **state)
{
    world *w = *state;
    ask(&w->jobs[0], "the same");
    ask(&w->jobs[0], "another");
    ask(&w->jobs[0], "the same");
    ask(&w->jobs[1], "the same");
    w->n_jobs = 2;
    RUN(w, {.text = "42", .takes_ms = 10});
    assert_int_equal(w->network.n_calls, 2);
    assert_int_equal(w->totals.sent, 2);
    assert_int_equal(w->totals.answered, 4);
    assert_reply(w, 0, "42");
    assert_reply(w, 2, "42");
    assert_true(w->jobs[1].told[0].reply);
}

/* The first calls of a host show what it bears. */
static void test_calls_in_flight__four_at_first_and_never_more_than_jobs(void **state)
{
    world *w = *state;
    ask_many(w, MOST);
    RUN(w, {.text = "42", .takes_ms = 10});
    assert_int_equal(w->network.at[3], 0);
    assert_int_equal(w->network.at[4], 10);
    assert_int_equal(w->network.most_out, 8);
}

static void test_calls_in_flight__jobs(void **state)
{
    world *w = *state;
    ask_many(w, 10);
    w->options.jobs = 3;
    RUN(w, {.text = "42", .takes_ms = 10});
    assert_int_equal(w->network.most_out, 3);
    assert_int_equal(w->totals.answered, 10);
}

/* ---- another try ----------------------------------------------------------------------------- */

static void test_tries__as_many_as_were_allowed(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->options.retries = 3;
    RUN(w, {.status = 500, .body = "{\"error\":{\"message\":\"overloaded\"}}"});
    assert_int_equal(w->network.n_calls, 4);
    assert_int_equal(w->totals.sent, 4);
    assert_int_equal(w->totals.retries, 3);
    assert_int_equal(w->totals.failed, 1);
    assert_int_equal(w->totals.failures[RDV_FAIL_UNREACHABLE], 1);
    assert_failed(w, 0, RDV_FAIL_UNREACHABLE, "HTTP 500: overloaded");
    assert_string_equal(w->notices, "http://one:1: a call failed: HTTP 500: overloaded\n");
}

/* At most the time of the options for the first, twice as long for each that follows. */
static void test_tries__pauses_double(void **state)
{
    world *w = *state;
    uint64_t longest[5] = {0};
    for (uint64_t seed = 0; seed < 40; seed++) {
        w->network = (network){.respond = by_script, .of = w};
        w->jobs[0] = (job){0};
        w->next_job = w->n_handed_over = 0;
        w->options.seed = seed;
        w->options.retries = 5;
        ask_many(w, 1);
        RUN(w, {.status = 503});
        for (size_t i = 0; i < 5; i++) {
            uint64_t pause = w->network.at[i + 1] - w->network.at[i];
            longest[i] = pause > longest[i] ? pause : longest[i];
        }
    }
    for (size_t i = 0; i < 5; i++)
        assert_in_range(longest[i], 800u << i, 1000u << i);
}

static void test_retry_after__is_obeyed(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    RUN(w, {.status = 429, .retry_after = "5"}, {.text = "42"});
    assert_reply(w, 0, "42");
    assert_int_equal(w->network.n_calls, 2);
    assert_in_range(w->network.at[1], 5000, 6000);
}

static void test_retry_after__of_a_fault_is_obeyed_too(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    RUN(w, {.status = 503, .retry_after = "7"}, {.text = "42"});
    assert_reply(w, 0, "42");
    assert_in_range(w->network.at[1], 7000, 8000);
}

/* The pause is the host's: no call is sent before its end. */
static void test_retry_after__holds_the_other_calls_too(void **state)
{
    world *w = *state;
    ask_many(w, 5);
    w->options.jobs = 1;
    RUN(w, {.text = "42"}, {.status = 429, .retry_after = "30"}, {.text = "42"});
    assert_int_equal(w->network.n_calls, 6);
    assert_in_range(w->network.at[2], 30000, 31000);
    assert_int_equal(w->totals.answered, 5);
}

static void test_retry_after__long_pauses_are_reported(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    RUN(w, {.status = 429, .retry_after = "600"}, {.text = "42"});
    assert_string_equal(w->notices, "http://one:1 asks to be left alone for 10 min (HTTP 429): "
                                    "the run waits; Ctrl-C ends it\n");
    assert_true(w->network.at[1] >= 600000);
}

/* While other calls are answered, a call that is throttled waits for its turn. */
static response throttle_first_question(void *of, size_t call, const http_exchange *x)
{
    world *w = of;
    if (w->network.n_calls < 14 && rdv_find(x->body, RDV_STR("question 0"), 0) != RDV_NOT_FOUND)
        return (response){.status = 429, .takes_ms = 1};
    return (response){.text = "42", .takes_ms = 700};
}

static void test_throttled__counts_only_if_nothing_is_answered(void **state)
{
    world *w = *state;
    ask_many(w, 12);
    w->options.retries = 1;
    w->options.jobs = 2;
    w->options.backoff_ms = 10;
    w->network.respond = throttle_first_question;
    assert_int_equal(drive(w, NULL), RDV_OK);
    assert_int_equal(w->totals.answered, 12);
    assert_true(w->totals.retries > 1);
}

static void test_throttled__for_ever_ends(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->options.retries = 2;
    RUN(w, {.status = 429, .body = "{\"error\":{\"message\":\"too many\"}}"});
    assert_int_equal(w->network.n_calls, 3);
    assert_failed(w, 0, RDV_FAIL_UNREACHABLE, "HTTP 429: too many");
}

static void test_statuses__that_may_go_better(void **state)
{
    static const long retried[] = {408, 425, 429, 500, 502, 503, 504, 599, 202, 204, 206};
    world *w = *state;
    for (size_t i = 0; i < sizeof retried / sizeof *retried; i++) {
        response script[] = {{.status = retried[i], .body = "{}"}, {.text = "42"}};
        w->network = (network){.respond = by_script, .of = w};
        w->jobs[0] = (job){0};
        w->next_job = w->n_handed_over = 0;
        w->script = script;
        w->n_script = 2;
        ask_many(w, 1);
        assert_int_equal(drive(w, NULL), RDV_OK);
        assert_reply(w, 0, "42");
        assert_int_equal(w->network.n_calls, 2);
    }
}

static void test_statuses__that_fail_at_once(void **state)
{
    world *w = *state;
    ask_many(w, 2);
    w->options.jobs = 1;
    RUN(w, {.status = 400, .body = "{\"error\":{\"message\":\"too long\"}}"}, {.text = "42"});
    assert_failed(w, 0, RDV_FAIL_REFUSED, "HTTP 400: too long");
    assert_reply(w, 1, "42");
    assert_int_equal(w->network.n_calls, 2);
    assert_int_equal(w->totals.failures[RDV_FAIL_REFUSED], 1);
    assert_int_equal(w->end, RDV_END_DONE);
}

static void test_no_whole_reply__why(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->options.retries = 0;
    RUN(w, {.status = 206, .text = "42"});
    assert_failed(w, 0, RDV_FAIL_UNREADABLE, "HTTP 206 is no whole reply");
    assert_int_equal(w->totals.prompt_tokens, 50); /* it was used all the same */
}

/* No version of HTTP ends a response with such a status; it is no reply, whatever it holds. */
static void test_status__below_200(void **state)
{
    world *w = *state;
    ask_many(w, 2);
    w->options.jobs = 1;
    RUN(w, {.text = "42"}, {.status = 101, .body = "42"});
    assert_reply(w, 0, "42");
    assert_failed(w, 1, RDV_FAIL_REFUSED, "HTTP 101: 42");
}

static void test_broken_connections__are_tried_again(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    RUN(w, {.end = HTTP_BROKEN}, {.end = HTTP_TIMEOUT}, {.end = HTTP_UNREACHABLE}, {.text = "42"});
    assert_reply(w, 0, "42");
    assert_int_equal(w->network.n_calls, 4);
}

static void test_timeout__is_said(void **state)
{
    world *w = *state;
    ask_many(w, 2);
    w->options.jobs = 1;
    w->options.retries = 0;
    RUN(w, {.text = "42"}, {.end = HTTP_TIMEOUT, .body = "no reply in 600 s"});
    assert_failed(w, 1, RDV_FAIL_TIMEOUT, "no reply in 600 s");
    assert_int_equal(w->totals.failures[RDV_FAIL_TIMEOUT], 1);
}

/* Without a limit no reply is late, however long it takes. */
static void test_timeout__none(void **state)
{
    world *w = *state;
    ask_many(w, 2);
    w->options.jobs = 1;
    w->options.timeout_ms = 0;
    RUN(w, {.text = "42", .takes_ms = 86400000});
    assert_reply(w, 1, "42");
    assert_true(w->totals.seconds == 2 * 86400);
    assert_null(strstr(w->notices, "streamed"));
}

static void test_too_long__is_not_tried_again(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    RUN(w, {.end = HTTP_TOO_LONG, .body = "the reply is too long"});
    assert_failed(w, 0, RDV_FAIL_UNREADABLE, "the reply is too long");
    assert_int_equal(w->network.n_calls, 1);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void test_budget__of_calls(void **state)
{
    world *w = *state;
    ask_many(w, 10);
    w->options.budget.calls = 6;
    RUN(w, {.text = "42", .takes_ms = 10});
    assert_int_equal(w->network.n_calls, 6);
    assert_int_equal(w->totals.answered, 6); /* what is in flight may complete */
    assert_int_equal(w->end, RDV_END_BUDGET);
    assert_string_equal(w->why, "the budget of calls is used up");
    assert_true(w->jobs[0].is_closed);
    assert_int_equal(w->jobs[0].closed_by, RDV_FAIL_BUDGET);
}

static void test_budget__retries_are_calls(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->options.budget.calls = 3;
    RUN(w, {.status = 503});
    assert_int_equal(w->network.n_calls, 3);
    assert_int_equal(w->end, RDV_END_BUDGET);
}

/* A call that waits to be tried again may no longer be sent: nothing waits for it. */
static void test_budget__ends_what_waits_for_a_retry(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->options.budget.calls = 1;
    RUN(w, {.status = 503, .retry_after = "7"});
    assert_int_equal(w->network.n_calls, 1);
    assert_int_equal(w->end, RDV_END_BUDGET);
    assert_true(w->network.now < 7000);
}

static void test_budget__of_tokens_and_cost(void **state)
{
    world *w = *state;
    ask_many(w, 10);
    w->options.jobs = 1;
    w->options.budget.tokens = 100;
    RUN(w, {.text = "42"});
    assert_int_equal(w->network.n_calls, 2); /* of 57 tokens */
    assert_string_equal(w->why, "the budget of tokens is used up");
}

static void test_budget__of_seconds(void **state)
{
    world *w = *state;
    ask_many(w, 10);
    w->options.jobs = 1;
    w->options.budget.seconds = 2.5;
    RUN(w, {.text = "42", .takes_ms = 1000});
    assert_int_equal(w->network.n_calls, 3);
    assert_string_equal(w->why, "the budget of seconds is used up");
}

static void test_wrong_key__ends_the_run(void **state)
{
    world *w = *state;
    ask_many(w, 3);
    w->options.jobs = 1;
    RUN(w, {.status = 401, .body = "{\"error\":{\"message\":\"no such key " KEY "\"}}"});
    assert_int_equal(w->network.n_calls, 1);
    assert_int_equal(w->end, RDV_END_REFUSED);
    assert_string_equal(w->why, "http://one:1 refuses the API key: HTTP 401: no such key "
                                "*******************");
    assert_int_equal(w->jobs[0].closed_by, RDV_FAIL_REFUSED);
}

static void test_quota__ends_the_run(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    RUN(w, {.status = 429,
            .body = "{\"error\":{\"message\":\"pay\",\"code\":\"insufficient_quota\"}}"});
    assert_int_equal(w->network.n_calls, 1);
    assert_string_equal(w->why, "http://one:1 has no quota left for this key: HTTP 429: pay");
}

static void test_wrong_address__ends_the_run_only_if_nothing_was_answered(void **state)
{
    world *w = *state;
    ask_many(w, 6);
    w->options.jobs = 1;
    RUN(w, {.text = "42"}, {.status = 404}, {.status = 405}, {.status = 501}, {.status = 505},
        {.text = "42"});
    assert_failed(w, 1, RDV_FAIL_REFUSED, "HTTP 404");
    assert_failed(w, 2, RDV_FAIL_REFUSED, "HTTP 405");
    assert_failed(w, 3, RDV_FAIL_REFUSED, "HTTP 501");
    assert_failed(w, 4, RDV_FAIL_REFUSED, "HTTP 505");
    assert_reply(w, 5, "42");
    assert_int_equal(w->end, RDV_END_DONE);
}

static void test_wrong_address__ends_the_run(void **state)
{
    static const struct {
        response with;
        const char *why;
    } cases[] = {
        {{.status = 404}, "http://one:1 does not know this address or model: HTTP 404"},
        {{.status = 405},
         "http://one:1 does not take such requests (is this the address of the API?): HTTP 405"},
        {{.status = 501},
         "http://one:1 does not take such requests (is this the address of the API?): HTTP 501"},
        {{.status = 403}, "http://one:1 refuses the API key: HTTP 403"},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        w->network = (network){.respond = by_script, .of = w};
        w->jobs[0] = (job){0};
        w->next_job = w->n_handed_over = 0;
        w->script = &cases[i].with;
        w->n_script = 1;
        ask_many(w, 1);
        assert_int_equal(drive(w, NULL), RDV_OK);
        assert_int_equal(w->network.n_calls, 1);
        assert_int_equal(w->end, RDV_END_REFUSED);
        assert_string_equal(w->why, cases[i].why);
    }
}

static response base_model(void *of, const http_exchange *x)
{
    bool props = rdv_ends(rdv_str_of(x->url), RDV_STR("/props"));
    return (response){.body = props ? "{\"total_slots\":4,\"chat_template\":\"\"}"
                                    : "{\"data\":[{\"id\":\"m\",\"owned_by\":\"llamacpp\"}]}"};
}

static void test_base_model__is_said(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->network.about = base_model;
    RUN(w, {.text = "42"});
    assert_reply(w, 0, "42");
    assert_non_null(strstr(w->notices, "http://one:1: the model has no chat template"));
}

static response nobody_there(void *of, const http_exchange *x)
{
    return (response){.end = HTTP_UNREACHABLE};
}

static void test_unreachable__ends_the_run(void **state)
{
    world *w = *state;
    ask_many(w, 8);
    w->options.retries = 1;
    w->network.about = nobody_there;
    RUN(w, {.end = HTTP_UNREACHABLE});
    assert_int_equal(w->end, RDV_END_UNREACHABLE);
    assert_string_equal(w->why, "http://one:1 cannot be reached: no connection; is the server "
                                "started?");
    assert_true(w->network.n_calls <= 8);
}

/* A server that answers nothing but faults is given up after 20 tries. */
static void test_only_faults__end_the_run(void **state)
{
    world *w = *state;
    ask_many(w, MOST);
    w->options.retries = 4;
    w->options.jobs = 1;
    RUN(w, {.status = 500});
    assert_int_equal(w->end, RDV_END_UNREACHABLE);
    assert_string_equal(w->why, "http://one:1 answers no call: HTTP 500");
    assert_int_equal(w->network.n_calls, 20);
    assert_int_equal(w->totals.failed, 4);
}

/* ---- the key --------------------------------------------------------------------------------- */

static void test_key__is_in_no_reply(void **state)
{
    world *w = *state;
    ask_many(w, 2);
    w->options.jobs = 1;
    RUN(w, {.text = "it is " KEY}, {.text = "it is sk-0123\\u003456789abcdef"});
    assert_reply(w, 0, "it is *******************");
    assert_reply(w, 1, "it is ************************"); /* as long as it was sent */
}

static void test_key__is_in_no_reason(void **state)
{
    world *w = *state;
    ask_many(w, 2);
    w->options.jobs = 1;
    w->options.retries = 0;
    RUN(w, {.status = 400, .body = "{\"error\":{\"message\":\"not " KEY "\"}}"},
        {.end = HTTP_BROKEN, .body = "broken by " KEY});
    assert_failed(w, 0, RDV_FAIL_REFUSED, "HTTP 400: not *******************");
    assert_failed(w, 1, RDV_FAIL_UNREACHABLE, "broken by *******************");
    assert_null(strstr(w->notices, KEY));
}

/* ---- the journal ----------------------------------------------------------------------------- */

static void test_journal__answers_what_it_holds(void **state)
{
    world *w = *state;
    char path[] = "/tmp/rdv-driver-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && close(fd) == 0);
    assert_int_equal(rdv_journal_open(path, RDV_JOURNAL_WRITE, &w->options.journal, NULL), RDV_OK);
    ask_many(w, 2);
    RUN(w, {.text = "42"});
    assert_int_equal(w->network.n_calls, 2);
    w->network = (network){.respond = by_script, .of = w};
    w->jobs[0] = (job){0};
    w->next_job = w->n_handed_over = 0;
    ask_many(w, 3);
    RUN(w, {.text = "43"});
    assert_int_equal(w->network.n_calls, 1);
    assert_reply(w, 0, "42");
    assert_reply(w, 1, "42");
    assert_reply(w, 2, "43");
    assert_int_equal(w->totals.cached, 2);
    assert_int_equal(w->totals.answered, 3);
    assert_int_equal(w->totals.prompt_tokens, 50); /* of this run's own call */
    rdv_journal_close(&w->options.journal);
    unlink(path);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reply__is_told_and_charged),
        TEST(test_usage__is_estimated_if_it_is_not_given),
        TEST(test_equal_requests__are_one_call),
        TEST(test_calls_in_flight__four_at_first_and_never_more_than_jobs),
        TEST(test_calls_in_flight__jobs),
        TEST(test_tries__as_many_as_were_allowed),
        TEST(test_tries__pauses_double),
        TEST(test_retry_after__is_obeyed),
        TEST(test_retry_after__of_a_fault_is_obeyed_too),
        TEST(test_retry_after__holds_the_other_calls_too),
        TEST(test_retry_after__long_pauses_are_reported),
        TEST(test_throttled__counts_only_if_nothing_is_answered),
        TEST(test_throttled__for_ever_ends),
        TEST(test_statuses__that_may_go_better),
        TEST(test_statuses__that_fail_at_once),
        TEST(test_no_whole_reply__why),
        TEST(test_status__below_200),
        TEST(test_broken_connections__are_tried_again),
        TEST(test_timeout__is_said),
        TEST(test_timeout__none),
        TEST(test_too_long__is_not_tried_again),
        TEST(test_budget__of_calls),
        TEST(test_budget__retries_are_calls),
        TEST(test_budget__ends_what_waits_for_a_retry),
        TEST(test_budget__of_tokens_and_cost),
        TEST(test_budget__of_seconds),
        TEST(test_wrong_key__ends_the_run),
        TEST(test_quota__ends_the_run),
        TEST(test_wrong_address__ends_the_run_only_if_nothing_was_answered),
        TEST(test_wrong_address__ends_the_run),
        TEST(test_base_model__is_said),
        TEST(test_unreachable__ends_the_run),
        TEST(test_only_faults__end_the_run),
        TEST(test_key__is_in_no_reply),
        TEST(test_key__is_in_no_reason),
        TEST(test_journal__answers_what_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
