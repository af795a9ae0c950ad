/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run: budgets that are used up, and servers that no call can be sent to. */
#include "driven.h"

#include "plan/request.h"

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

/* The budget ends what is sent. A reply that the journal holds costs nothing: it is still read for
 * a job whose call was in flight when the budget was used up. */
static void test_budget__the_journal_is_read_on(void **state)
{
    world *w = *state;
    add_journal(w);
    ask(&w->jobs[0], "kept");
    RUN(w, {.text = "42"});
    start_again(w);
    w->n_jobs = 2;
    w->jobs[0].one_by_one = true;
    ask(&w->jobs[0], "in flight");
    ask(&w->jobs[0], "kept");
    ask(&w->jobs[1], "one too many");
    w->options.budget.calls = 1;
    RUN(w, {.text = "43", .takes_ms = 10});
    assert_int_equal(w->network.n_calls, 1);
    assert_int_equal(w->end, RDV_END_BUDGET);
    assert_reply(w, 0, "43");
    assert_reply(w, 1, "42");
    assert_false(w->jobs[0].is_closed);
    assert_true(w->jobs[1].is_closed);
}

static uint64_t tokens_of(const world *w)
{
    return w->totals.prompt_tokens + w->totals.completion_tokens;
}

/* A limit of the reply's tokens, for all questions of a job. */
static void limit_replies(job *j, uint32_t tokens)
{
    for (size_t i = 0; i < j->n; i++) {
        j->requests[i].sampling.max_tokens = tokens;
        request_key(&j->requests[i]);
    }
}

/* What is in flight is reserved: a token for each byte of the prompt, and the reply's limit. The
 * last calls go one at a time, by the prompts that were counted; each uses 57. */
static void test_budget__of_tokens(void **state)
{
    world *w = *state;
    ask_many(w, 16);
    limit_replies(&w->jobs[0], 20);
    w->options.jobs = 16;
    w->options.budget.tokens = 400;
    RUN(w, {.text = "42", .takes_ms = 10});
    assert_in_range(w->network.n_calls, 5, 6);
    assert_int_equal(tokens_of(w), w->network.n_calls * 57);
    assert_in_range(w->network.most_out, 2, 3);
    assert_int_equal(w->totals.answered, w->network.n_calls);
    assert_int_equal(w->end, RDV_END_BUDGET);
    assert_non_null(strstr(w->why, "the budget of tokens is used up: "));
    assert_non_null(strstr(w->why, " of 400 are left, and no call is left that fits; the least may "
                                   "take "));
    assert_true(w->jobs[0].is_closed);
    assert_int_equal(w->jobs[0].closed_by, RDV_FAIL_BUDGET);
}

static void test_budget__of_cost(void **state)
{
    world *w = *state;
    ask_many(w, 16);
    limit_replies(&w->jobs[0], 20);
    w->options.price_in = 1;
    w->options.price_out = 4; /* a call costs 78 millionths of a dollar */
    w->options.budget.cost_microusd = 600;
    RUN(w, {.text = "42", .takes_ms = 10});
    assert_in_range(w->network.n_calls, 4, 7);
    assert_int_equal(w->totals.cost_microusd, w->network.n_calls * 78);
    assert_non_null(strstr(w->why, "the budget of cost is used up: $0.000"));
}

/* Replies as long as they may be, of prompts with a token a byte: the budget holds them too. */
static void test_budget__holds_the_most(void **state)
{
    world *w = *state;
    ask_many(w, 16);
    limit_replies(&w->jobs[0], 20);
    w->options.budget.tokens = 700;
    RUN(w, {.body = "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"42\"},"
                    "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":100,"
                    "\"completion_tokens\":20}}",
            .takes_ms = 10});
    assert_int_equal(w->network.n_calls, 5);
    assert_int_equal(tokens_of(w), 600);
}

/* A call that alone is more than the budget ends nothing else, and it is said. */
static void test_budget__too_small_for_one_call(void **state)
{
    static char longest[3000];
    world *w = *state;
    memset(longest, 'x', sizeof longest - 1);
    w->n_jobs = 2;
    ask(&w->jobs[0], longest);
    ask(&w->jobs[1], "short");
    limit_replies(&w->jobs[0], 20);
    limit_replies(&w->jobs[1], 20);
    w->options.budget.tokens = 1000;
    RUN(w, {.text = "42", .takes_ms = 10});
    assert_int_equal(w->network.n_calls, 1);
    assert_true(w->jobs[0].is_closed);
    assert_int_equal(w->jobs[0].closed_by, RDV_FAIL_BUDGET);
    assert_false(w->jobs[1].is_closed);
    assert_true(w->jobs[1].told[0].reply);
    assert_int_equal(w->end, RDV_END_BUDGET);
    assert_non_null(strstr(w->why, "943 of 1000 are left"));
}

/* What is no longer wanted while it is in flight gives back what it had reserved. */
static void test_budget__of_a_call_that_is_cancelled(void **state)
{
    world *w = *state;
    ask_many(w, 4);
    w->n_jobs = 2;
    for (size_t i = 0; i < 8; i++)
        ask(&w->jobs[1], (const char *[]){"a", "b", "c", "d", "e", "f", "g", "h"}[i]);
    w->jobs[0].first_is_enough = true;
    limit_replies(&w->jobs[0], 20);
    limit_replies(&w->jobs[1], 20);
    w->options.budget.tokens = 700;
    RUN(w, {.text = "42", .takes_ms = 10}, {.text = "42", .takes_ms = 5000});
    assert_int_equal(w->jobs[1].n_told, 8);
    assert_int_equal(w->end, RDV_END_DONE);
}

/* Where a request allows any number of tokens, four replies are awaited one by one; then the mean
 * so far and a margin is reserved. */
static void test_budget__without_a_limit(void **state)
{
    world *w = *state;
    ask_many(w, 16);
    w->options.jobs = 16;
    w->options.budget.tokens = 2000;
    RUN(w, {.text = "42", .takes_ms = 10});
    assert_int_equal(w->totals.answered, 16);
    assert_int_equal(w->end, RDV_END_DONE);
    for (size_t i = 1; i <= 4; i++)
        assert_int_equal(w->network.at[i], 10 * i);
    assert_true(w->network.most_out > 4);
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

static const rdv_str reward_step = RDV_STR("2 + 2 = 4.");

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

/* What the journal answered shows that the address is that of the API: a run that goes on from it,
 * and whose first call is for an address that the server lacks, loses that call alone. */
static void test_wrong_address__ends_no_run_that_goes_on(void **state)
{
    world *w = *state;
    add_journal(w);
    ask(&w->jobs[0], "kept");
    RUN(w, {.text = "42"});
    start_again(w);
    w->jobs[0].one_by_one = true;
    ask(&w->jobs[0], "kept");
    ask(&w->jobs[0], "of rewards");
    w->jobs[0].requests[1].kind = RDV_REQUEST_REWARD;
    w->jobs[0].requests[1].steps = &reward_step;
    w->jobs[0].requests[1].n_steps = 1;
    RUN(w, {.status = 404});
    assert_true(w->network.n_calls > 0);
    assert_reply(w, 0, "42");
    assert_failed(w, 1, RDV_FAIL_REFUSED, "HTTP 404");
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
        start_again(w);
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

static void test_base_model__is_asked_nothing(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->network.about = base_model;
    RUN(w, {.text = "42"});
    assert_int_equal(w->end, RDV_END_REFUSED);
    assert_non_null(strstr(w->notices, "http://one:1: the model has no chat template"));
}

static void test_base_model__is_said(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->network.about = base_model;
    w->options.anyway = true;
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

static response nobody_there_but_the_key(void *of, const http_exchange *x)
{
    return (response){.end = HTTP_UNREACHABLE, .body = "refused for " KEY};
}

/* The text of a fault may quote what was sent, in a survey too. */
static void test_unreachable__hides_the_key(void **state)
{
    world *w = *state;
    ask_many(w, 1);
    w->network.about = nobody_there_but_the_key;
    RUN(w, {.end = HTTP_UNREACHABLE, .body = "refused for " KEY});
    assert_int_equal(w->end, RDV_END_UNREACHABLE);
    assert_non_null(strstr(w->why, "refused for *******************"));
    assert_null(strstr(w->why, KEY));
    assert_null(strstr(w->notices, KEY));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_budget__of_calls),
        TEST(test_budget__retries_are_calls),
        TEST(test_budget__ends_what_waits_for_a_retry),
        TEST(test_budget__the_journal_is_read_on),
        TEST(test_budget__of_tokens),
        TEST(test_budget__of_cost),
        TEST(test_budget__holds_the_most),
        TEST(test_budget__too_small_for_one_call),
        TEST(test_budget__of_a_call_that_is_cancelled),
        TEST(test_budget__without_a_limit),
        TEST(test_budget__of_seconds),
        TEST(test_wrong_key__ends_the_run),
        TEST(test_quota__ends_the_run),
        TEST(test_wrong_address__ends_the_run_only_if_nothing_was_answered),
        TEST(test_wrong_address__ends_no_run_that_goes_on),
        TEST(test_wrong_address__ends_the_run),
        TEST(test_base_model__is_asked_nothing),
        TEST(test_base_model__is_said),
        TEST(test_unreachable__ends_the_run),
        TEST(test_unreachable__hides_the_key),
        TEST(test_only_faults__end_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
