/* SPDX-License-Identifier: Apache-2.0 */
/* The driver: what is sent, when, how often, and what the job source is told. */
#include "driven.h"

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

static const rdv_str yes_no[] = {{"Yes", 3}, {"No", 2}};

/* The first question of a kind that needs to know what the server can do: the responses to the
 * survey have usage, and say that nothing went well. */
static response failing_survey(void *of, size_t call, const http_exchange *x)
{
    return (response){.status = *(const long *)of,
                      .body = "{\"error\":{\"message\":\"overloaded\"},\"usage\":"
                              "{\"prompt_tokens\":3,\"completion_tokens\":2}}"};
}

/* Tokens that a server says it used are paid, also those of a survey that failed. */
static void charge_failed_survey(world *w, long status)
{
    ask_many(w, 1);
    w->jobs[0].requests[0].answers = yes_no;
    w->jobs[0].requests[0].n_answers = 2;
    w->options.retries = 0;
    w->network.respond = failing_survey;
    w->network.of = &status;
    assert_int_equal(drive(w, NULL), RDV_OK);
    assert_true(w->totals.sent > 0);
    assert_int_equal(w->totals.prompt_tokens, 3 * w->totals.sent);
    assert_int_equal(w->totals.completion_tokens, 2 * w->totals.sent);
}

static void test_usage__of_a_failed_survey_is_charged(void **state)
{
    charge_failed_survey(*state, 500);
}

static void test_usage__of_a_survey_that_fails_for_now_is_charged(void **state)
{
    charge_failed_survey(*state, 503);
}

static response refusal_beside_a_survey(void *of, size_t call, const http_exchange *x)
{
    if (strstr(x->url, "//two"))
        return (response){.text = "maybe", .takes_ms = 10};
    return (response){.status = 401, .takes_ms = 10};
}

/* They are paid as well where the run ended before: the generator's server refuses the key when the
 * response to the survey of the checker's is there already. */
static void test_usage__of_a_survey_that_comes_with_the_end(void **state)
{
    world *w = *state;
    assert_int_equal(
        rdv_model_parse(RDV_STR("http://two:2/v1#c"), w->arena, &w->options.checker.spec, NULL),
        RDV_OK);
    ask_many(w, 2);
    w->jobs[0].requests[1].party = RDV_CHECKER;
    w->jobs[0].requests[1].answers = yes_no;
    w->jobs[0].requests[1].n_answers = 2;
    w->network.respond = refusal_beside_a_survey;
    assert_int_equal(drive(w, NULL), RDV_OK);
    assert_int_equal(w->end, RDV_END_REFUSED);
    assert_int_equal(w->network.n_calls, 2);
    assert_int_equal(w->totals.prompt_tokens, 50);
    assert_int_equal(w->totals.completion_tokens, 7);
    assert_int_equal(w->totals.in_flight, 0);
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

/* A fault of one of those that wait for a call is the run's, whichever of them it is. */
static void test_equal_requests__of_which_one_cannot_take_the_reply(void **state)
{
    world *w = *state;
    static const response script[] = {{.text = "42"}};
    for (size_t i = 0; i < 2; i++) {
        rdv_error err = {0};
        start_again(w);
        w->n_jobs = 2;
        w->script = script;
        w->n_script = 1;
        ask(&w->jobs[0], "the same");
        ask(&w->jobs[1], "the same");
        w->jobs[i].fails = true;
        assert_int_equal(drive(w, &err), RDV_E_INTERNAL);
        assert_string_equal(err.msg, "planted");
    }
}

/* What a reply makes needless is not sent any more. */
static void test_cancelled__by_a_reply(void **state)
{
    world *w = *state;
    ask_many(w, 3);
    w->jobs[0].first_is_enough = true;
    w->options.jobs = 2;
    RUN(w, {.text = "42", .takes_ms = 10}, {.text = "43", .takes_ms = 20});
    assert_reply(w, 0, "42");
    assert_false(w->jobs[0].told[1].yes);
    assert_int_equal(w->network.n_calls, 2);
    assert_int_equal(w->network.now, 10);
}

/* Two questions are out at a time. The times of both servers are known after their first replies,
 * and from then on the slow one gets no other. */
static response slow_first(void *of, size_t call, const http_exchange *x)
{
    bool slow = strstr(x->url, "//one");
    return (response){.text = slow ? "one" : "two", .takes_ms = slow ? 40 : 10};
}

static void test_servers__of_a_model_by_their_times(void **state)
{
    world *w = *state;
    static const char *const others[MOST] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                             "i", "j", "k", "l", "m", "n", "o", "p"};
    rdv_endpoint two = {0};
    size_t slow = 0;
    assert_int_equal(rdv_model_parse(RDV_STR("http://two:2/v1#m"), w->arena, &two.spec, NULL),
                     RDV_OK);
    w->options.more_generators = &two;
    w->options.n_more_generators = 1;
    ask_many(w, MOST);
    w->jobs[0].one_by_one = w->jobs[1].one_by_one = true;
    for (size_t i = 0; i < MOST; i++)
        ask(&w->jobs[1], others[i]);
    w->n_jobs = 2;
    w->network.respond = slow_first;
    assert_int_equal(drive(w, NULL), RDV_OK);
    for (size_t i = 0; i < MOST; i++)
        for (size_t k = 0; k < 2; k++)
            slow += strcmp(w->jobs[k].told[i].text, "one") == 0;
    assert_int_equal(slow, 1);
}

/* A server that scores no text after all is not asked for the same again. */
static void test_score__without_its_numbers(void **state)
{
    world *w = *state;
    rdv_abilities *can = &w->options.generator.abilities;
    can->echo = RDV_CAN;
    can->prompt_logprobs = can->token_grammar = RDV_CANNOT;
    ask(&w->jobs[0], "unused");
    rdv_request *r = &w->jobs[0].requests[0];
    r->kind = RDV_REQUEST_SCORE;
    r->text = RDV_STR("the text");
    r->messages = NULL;
    r->n_messages = 0;
    RUN(w, {.body = "{\"choices\":[{\"text\":\"the text\",\"finish_reason\":\"stop\"}]}"});
    assert_failed(w, 0, RDV_FAIL_UNAVAILABLE,
                  "the server does not give the log-probabilities of a given text");
}

static response logprobs_of_the_second(void *of, size_t call, const http_exchange *x)
{
    static const char with[] =
        "{\"choices\":[{\"message\":{\"content\":\"two\"},\"finish_reason\":\"stop\",\"logprobs\":"
        "{\"content\":[{\"token\":\"two\",\"logprob\":-1}]}}]}";
    bool second = strstr(x->url, "//two") != NULL;
    return second ? (response){.body = with, .takes_ms = 10}
                  : (response){.text = "one", .takes_ms = 10};
}

/* A reply that lacks the log-probabilities that were asked for is not taken while there is a server
 * that may give them; where there is none, it is. */
static void test_servers__of_which_one_gives_log_probabilities(void **state)
{
    world *w = *state;
    for (size_t servers = 2; servers > 0; servers--) {
        rdv_endpoint two = {0};
        start_again(w);
        assert_int_equal(rdv_model_parse(RDV_STR("http://two:2/v1#m"), w->arena, &two.spec, NULL),
                         RDV_OK);
        w->options.more_generators = &two;
        w->options.n_more_generators = servers - 1;
        ask_many(w, 1);
        w->jobs[0].requests[0].sampling.logprobs = true;
        w->network.respond = logprobs_of_the_second;
        assert_int_equal(drive(w, NULL), RDV_OK);
        assert_reply(w, 0, servers == 2 ? "two" : "one");
        assert_int_equal(w->network.n_calls, servers);
    }
}

static response name_of_server(void *of, size_t call, const http_exchange *x)
{
    return (response){.text = strstr(x->url, "//two") ? "two" : "one", .takes_ms = 10};
}

/* The two models are of different servers: each is asked what is for it. */
static void test_two_servers__are_both_asked(void **state)
{
    world *w = *state;
    assert_int_equal(
        rdv_model_parse(RDV_STR("http://two:2/v1#c"), w->arena, &w->options.checker.spec, NULL),
        RDV_OK);
    ask_many(w, 6);
    for (size_t i = 0; i < 6; i += 2)
        w->jobs[0].requests[i].party = RDV_CHECKER;
    w->network.respond = name_of_server;
    assert_int_equal(drive(w, NULL), RDV_OK);
    for (size_t i = 0; i < 6; i++)
        assert_reply(w, i, i % 2 ? "one" : "two");
}

/* As many connections are kept as there may be calls in flight, of each host. */
static void test_connections__for_the_jobs_of_each_host(void **state)
{
    world *w = *state;
    w->options.jobs = 5;
    ask_many(w, 1);
    RUN(w, {.text = "42"});
    assert_int_equal(w->network.connections, 5);
    start_again(w);
    assert_int_equal(
        rdv_model_parse(RDV_STR("http://two:2/v1#c"), w->arena, &w->options.checker.spec, NULL),
        RDV_OK);
    ask_many(w, 1);
    RUN(w, {.text = "42"});
    assert_int_equal(w->network.connections, 10);
}

static response llama_cpp(void *of, const http_exchange *x)
{
    bool props = rdv_ends(rdv_str_of(x->url), RDV_STR("/props"));
    return (response){.body = props ? "{\"total_slots\":4,\"chat_template\":\"x\"}"
                                    : "{\"data\":[{\"id\":\"m\",\"owned_by\":\"llamacpp\"}]}"};
}

static void test_found__about_a_server(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->network.about = llama_cpp;
    RUN(w, {.text = "42"});
    assert_string_equal(w->found, "llama.cpp, 4 slots");
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
        start_again(w);
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
        start_again(w);
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
    add_journal(w);
    ask_many(w, 2);
    RUN(w, {.text = "42"});
    assert_int_equal(w->network.n_calls, 2);
    start_again(w);
    ask_many(w, 3);
    RUN(w, {.text = "43"});
    assert_int_equal(w->network.n_calls, 1);
    assert_reply(w, 0, "42");
    assert_reply(w, 1, "42");
    assert_reply(w, 2, "43");
    assert_int_equal(w->totals.cached, 2);
    assert_int_equal(w->totals.answered, 3);
    assert_int_equal(w->totals.prompt_tokens, 50); /* of this run's own call */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reply__is_told_and_charged),
        TEST(test_usage__is_estimated_if_it_is_not_given),
        TEST(test_usage__of_a_failed_survey_is_charged),
        TEST(test_usage__of_a_survey_that_fails_for_now_is_charged),
        TEST(test_usage__of_a_survey_that_comes_with_the_end),
        TEST(test_equal_requests__are_one_call),
        TEST(test_equal_requests__of_which_one_cannot_take_the_reply),
        TEST(test_cancelled__by_a_reply),
        TEST(test_servers__of_a_model_by_their_times),
        TEST(test_score__without_its_numbers),
        TEST(test_servers__of_which_one_gives_log_probabilities),
        TEST(test_two_servers__are_both_asked),
        TEST(test_connections__for_the_jobs_of_each_host),
        TEST(test_found__about_a_server),
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
        TEST(test_key__is_in_no_reply),
        TEST(test_key__is_in_no_reason),
        TEST(test_journal__answers_what_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
