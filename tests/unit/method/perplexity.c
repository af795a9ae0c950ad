/* SPDX-License-Identifier: Apache-2.0 */
/* The perplexity of steps: recorded, scored, generated, and not to be had. */
#include "../arena.h"
#include "scripted_check.h"

static void test_perplexity__of_the_chain(void **state)
{
    const rdv_method *method = method_of("perplexity");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of((rdv_str){0});
    chain.logprobs = logprobs;
    size_t asked;
    rdv_plan *plan = run(&chain, &o, (line[]){{0}}, 0, &asked);
    const rdv_check *check = check_of(plan, "perplexity");
    assert_int_equal(asked, 0);
    assert_near(check->verdicts[0].score, exp(-0.2));
    assert_int_equal(check->verdicts[0].kind, RDV_UNRELATED);
    assert_near(noted(&check->verdicts[0], "perplexity"), exp(0.2));
    assert_near(check->confidence, exp(-2.4 / 5)); /* over all tokens */
    assert_int_equal(check->first_error, RDV_NO_STEP);
    rdv_plan_free(&plan);
    (void)state;
}

static void test_perplexity__unavailable(void **state)
{
    static const line script[] = {{"perplexity", "", NULL}, {0}};
    const rdv_method *method = method_of("perplexity");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, script, 0, NULL);
    const rdv_check *check = check_of(plan, "perplexity");
    assert_true(isnan(check->confidence));
    assert_int_equal(check->n_unknown, 3);
    assert_text(check->verdicts[2].why, "unavailable: no such endpoint");
    rdv_check alone;
    assert_int_equal(rdv_check_chain(method, &chain, &checking, *state, &alone, NULL), RDV_OK);
    assert_true(isnan(alone.confidence));
    rdv_plan_free(&plan);
}

/* A plan whose one request, for the text's log-probabilities, is out. */
static rdv_plan *ask_for_scores(rdv_request *request)
{
    static const rdv_method *method;
    static rdv_chain chain;
    rdv_plan *plan;
    method = method_of("perplexity");
    chain = chain_of((rdv_str){0});
    rdv_plan_options o = options_of(&method);
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_next(plan, request, NULL), RDV_OK);
    return plan;
}

/* The tokens of the text that is scored, cut anywhere, go to the steps in which they begin. */
static void test_perplexity__scored(void **state)
{
    (void)state;
    rdv_request request;
    rdv_plan *plan = ask_for_scores(&request);
    assert_int_equal(request.kind, RDV_REQUEST_SCORE);
    assert_text(request.text, "There are 3 boxes of 4 pens.\n3 * 4 = 13.\nSo the answer is 13.");
    size_t two = 29, three = 41;
    rdv_token tokens[] = {{rdv_slice(request.text, 0, 5), NAN, NULL, 0},
                          {rdv_slice(request.text, 5, two - 1), -2, NULL, 0},
                          {rdv_slice(request.text, two - 1, two + 3), -1, NULL, 0},
                          {rdv_slice(request.text, two + 3, three), -3, NULL, 0},
                          {rdv_slice(request.text, three, request.text.len), -0.5, NULL, 0}};
    rdv_reply reply = {.text = request.text, .tokens = tokens, .n_tokens = 5};
    assert_int_equal(rdv_plan_reply(plan, request.id, &reply, NULL), RDV_OK);
    const rdv_check *check = check_of(plan, "perplexity");
    assert_near(noted(&check->verdicts[0], "n_tokens"), 1); /* the first has no probability */
    assert_near(noted(&check->verdicts[0], "perplexity"), exp(2));
    assert_near(noted(&check->verdicts[1], "perplexity"), exp(2));
    assert_near(noted(&check->verdicts[2], "perplexity"), exp(0.5));
    rdv_plan_free(&plan);
}

/* The logarithm of a probability is not above 0: what says so is not read. */
static void test_perplexity__of_what_is_no_probability(void **state)
{
    (void)state;
    rdv_request request;
    rdv_plan *plan = ask_for_scores(&request);
    rdv_token token = {request.text, 0.5, NULL, 0};
    rdv_reply reply = {.text = request.text, .tokens = &token, .n_tokens = 1};
    assert_int_equal(rdv_plan_reply(plan, request.id, &reply, NULL), RDV_OK);
    const rdv_check *check = check_of(plan, "perplexity");
    assert_int_equal(check->n_unknown, 3);
    assert_text(check->verdicts[0].why, "unavailable: a log-probability above 0 came");
    rdv_plan_free(&plan);
}

/* Solutions that are generated bring the log-probabilities of their steps. */
static void test_perplexity__of_generated_chains(void **state)
{
    (void)state;
    const rdv_method *method = method_of("perplexity");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of(RDV_STR("12"));
    rdv_plan *plan;
    rdv_request request;
    o.chains = 1;
    assert_int_equal(rdv_plan_solve(&chain.question, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_next(plan, &request, NULL), RDV_OK);
    assert_true(request.sampling.logprobs);
    rdv_token tokens[] = {
        {RDV_STR("Step 1:"), -7, NULL, 0}, {RDV_STR(" 3 * 4"), -1, NULL, 0},
        {RDV_STR(" = 12."), -3, NULL, 0},  {RDV_STR("\n\nStep"), -7, NULL, 0},
        {RDV_STR(" 2: "), -7, NULL, 0},    {RDV_STR("The answer is 12."), -0.5, NULL, 0}};
    rdv_reply reply = {.text = RDV_STR("Step 1: 3 * 4 = 12.\n\nStep 2: The answer is 12."),
                       .tokens = tokens,
                       .n_tokens = 6};
    assert_int_equal(rdv_plan_reply(plan, request.id, &reply, NULL), RDV_OK);
    assert_true(rdv_plan_done(plan));
    const rdv_check *check = check_of(plan, "perplexity");
    assert_int_equal(check->n_verdicts, 2);
    assert_near(noted(&check->verdicts[0], "perplexity"), exp(2));
    assert_near(noted(&check->verdicts[1], "perplexity"), exp(0.5));
    rdv_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perplexity__of_the_chain),
        cmocka_unit_test(test_perplexity__unavailable),
        cmocka_unit_test(test_perplexity__scored),
        cmocka_unit_test(test_perplexity__of_what_is_no_probability),
        cmocka_unit_test(test_perplexity__of_generated_chains),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
