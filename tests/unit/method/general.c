/* SPDX-License-Identifier: Apache-2.0 */
/* General-purpose verification with scripted replies: scores, what could not be read, what needs no
 * call, the record, and that the order in which replies come changes nothing. */
#include <rederive/data.h>
#include <rederive/plan.h>

#include "../arena.h"
#include "../test.h"

#include "base/rng.h"
#include "method/verifier.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_OUT 64

static rdv_str steps[] = {RDV_STR("There are 3 boxes of 4 pens."), RDV_STR("3 * 4 = 13."),
                          RDV_STR("So the answer is 13.")};

static rdv_chain chain_of(rdv_str gold)
{
    return (rdv_chain){.id = RDV_STR("q/0"),
                       .question = {.id = RDV_STR("q"),
                                    .text = RDV_STR("Three boxes hold 4 pens. How many?"),
                                    .gold = gold},
                       .steps = steps,
                       .n_steps = 3,
                       .answer = RDV_STR("13"),
                       .correct = -1};
}

static const rdv_method *method_of(const char *name)
{
    const rdv_method *method = rdv_method_named(rdv_str_of(name));
    assert_non_null(method);
    return method;
}

static rdv_check_options checking; /* of the latest options_of() */

static rdv_plan_options options_of(const rdv_method *const *method)
{
    rdv_plan_options o;
    rdv_plan_options_default(&o, sizeof o);
    rdv_check_options_default(&checking, sizeof checking);
    o.check = &checking;
    o.methods = method;
    o.n_methods = 1;
    return o;
}

/* ---- scripted replies ------------------------------------------------------------------------ */

/* A reply by what is asked: the first line whose two texts stand in the request's stage and sample.
 */
typedef struct line {
    const char *stage, *sample, *reply; /* reply NULL: the request fails */
} line;

static const line *line_for(const line *script, const rdv_request *request)
{
    for (; script->stage; script++)
        if (rdv_find(request->stage, rdv_str_of(script->stage), 0) != RDV_NOT_FOUND &&
            rdv_find(request->sample, rdv_str_of(script->sample), 0) != RDV_NOT_FOUND)
            return script;
    fail_msg("nothing is scripted for %.*s, %.*s", RDV_FMT(request->stage),
             RDV_FMT(request->sample));
    return NULL;
}

static void answer_one(rdv_plan *plan, const line *script, const rdv_request *request)
{
    const line *said = line_for(script, request);
    rdv_reply reply = {.finish = RDV_FINISH_STOP, .prompt_tokens = 10, .completion_tokens = 1};
    if (!said->reply) {
        assert_int_equal(rdv_plan_fail(plan, request->id, RDV_FAIL_UNAVAILABLE,
                                       RDV_STR("no such endpoint"), NULL),
                         RDV_OK);
        return;
    }
    reply.text = rdv_str_of(said->reply);
    assert_int_equal(rdv_plan_reply(plan, request->id, &reply, NULL), RDV_OK);
}

/* Answer all, those that are out in an order by the seed. */
static size_t answer_all(rdv_plan *plan, const line *script, uint64_t seed)
{
    rdv_request out[MAX_OUT];
    size_t n = 0, asked = 0;
    rdv_rng rng;
    rdv_rng_seed(&rng, seed);
    while (!rdv_plan_done(plan)) {
        while (n < MAX_OUT && rdv_plan_next(plan, &out[n], NULL) == RDV_OK)
            n++, asked++;
        if (rdv_plan_done(plan))
            break;
        assert_true(n > 0);
        size_t i = (size_t)rdv_rng_below(&rng, n);
        rdv_request request = out[i];
        out[i] = out[--n];
        answer_one(plan, script, &request);
    }
    return asked;
}

static rdv_plan *run(const rdv_chain *chain, const rdv_plan_options *o, const line *script,
                     uint64_t seed, size_t *asked)
{
    rdv_plan *plan;
    rdv_error err = {0};
    if (rdv_plan_check(chain, 1, o, &plan, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    size_t n = answer_all(plan, script, seed);
    if (asked)
        *asked = n;
    return plan;
}

static const rdv_check *check_of(const rdv_plan *plan, const char *method)
{
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    const rdv_check *check = rdv_chain_check(chains, rdv_str_of(method));
    assert_non_null(check);
    return check;
}

static double noted(const rdv_verdict *v, const char *name)
{
    const rdv_evidence *note = v->evidence ? rdv_evidence_get(v->evidence, rdv_str_of(name)) : NULL;
    return note ? note->number : NAN;
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-12)

/* ---- one verifier ---------------------------------------------------------------------------- */

static void test_relevance__mean_and_standard_error(void **state)
{
    (void)state;
    static const line script[] = {{"relevance", "step 1, sample 0", "No."},
                                  {"relevance", "step 1, sample 3", "no, step 1 failed"},
                                  {"relevance", "step 2, sample 2", "hm"},
                                  {"relevance", "", "Yes, the solution is relevant."},
                                  {0}};
    const rdv_method *method = method_of("relevance");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of((rdv_str){0});
    size_t asked;
    rdv_plan *plan = run(&chain, &o, script, 0, &asked);
    const rdv_check *check = check_of(plan, "relevance");
    assert_int_equal(asked, 3 * 5 + 1); /* one was asked again */
    assert_int_equal(check->calls, 16);
    assert_int_equal(check->prompt_tokens, 160);
    assert_int_equal(check->n_verdicts, 3);
    assert_near(check->verdicts[0].score, 1);
    assert_near(noted(&check->verdicts[0], "stderr"), 0);
    assert_near(check->verdicts[1].score, 0.6);
    assert_near(noted(&check->verdicts[1], "stderr"), sqrt(0.6 * 0.4 / 4));
    assert_int_equal(check->verdicts[1].kind, RDV_SUPPORT);
    assert_near(noted(&check->verdicts[2], "n_samples"), 4);
    assert_near(noted(&check->verdicts[2], "n_unparsed"), 1);
    assert_near(check->verdicts[2].score, 0.9); /* the unread one is neither for nor against */
    assert_near(check->confidence, cbrt(0.6 * 0.9));
    rdv_plan_free(&plan);
}

static void test_relevance__nothing_read_is_unknown(void **state)
{
    (void)state;
    static const line script[] = {{"relevance", "step 1", "hm"}, {"relevance", "", "Yes."}, {0}};
    const rdv_method *method = method_of("relevance");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, script, 0, NULL);
    const rdv_verdict *v = &check_of(plan, "relevance")->verdicts[1];
    assert_int_equal(v->kind, RDV_UNKNOWN);
    assert_true(isnan(v->score));
    assert_text(v->why, "the reply could not be read");
    assert_near(check_of(plan, "relevance")->confidence, cbrt(0.5)); /* not as if it were right */
    rdv_plan_free(&plan);
}

static void test_consistency__first_step_needs_no_call(void **state)
{
    (void)state;
    static const line script[] = {{"consistency", "step 1", "not contradicting any information."},
                                  {"consistency", "step 2", "contradicting step 1."},
                                  {0}};
    const rdv_method *method = method_of("consistency");
    rdv_plan_options o = options_of(&method);
    checking.samples = 2;
    rdv_chain chain = chain_of((rdv_str){0});
    size_t asked;
    rdv_plan *plan = run(&chain, &o, script, 0, &asked);
    const rdv_check *check = check_of(plan, "consistency");
    assert_int_equal(asked, 4);
    assert_near(check->verdicts[0].score, 1);
    assert_int_equal(check->first_error, 2);
    assert_text(check->verdicts[2].why, "contradicting step 1.");
    assert_near(check->confidence, cbrt(0.01)); /* the floor */
    rdv_plan_free(&plan);
}

#define WRONG "{[{\"lhs\": \"3 * 4\", \"op\": \"=\", \"rhs\": \"13\"}]}\n```"
#define MADE_UP "{[{\"lhs\": \"5 + 5\", \"op\": \"=\", \"rhs\": \"11\"}]}\n```"
#define RIGHT "{[{\"lhs\": \"3 * 4\", \"op\": \"<\", \"rhs\": \"13\"}]}\n```"
#define UNSURE "{[{\"lhs\": \"3^(4^(13^13))\", \"op\": \"=\", \"rhs\": \"4\"}]}\n```"
#define UNSURE_AND_RIGHT                                                                           \
    "{[{\"lhs\": \"3^(4^(13^13))\", \"op\": \"=\", \"rhs\": \"4\"}, "                              \
    "{\"lhs\": \"3 * 4\", \"op\": \"<\", \"rhs\": \"13\"}]}\n```"
#define NOTHING "{[]}\n```"

static const line math_script[] = {{"math", "step 1, sample 0", WRONG},
                                   {"math", "step 1, sample 1", MADE_UP},
                                   {"math", "step 1, sample 2", "I cannot."},
                                   {"math", "step 1", NOTHING},
                                   {"math", "", NOTHING},
                                   {0}};

static void test_math__lists_are_decided(void **state)
{
    (void)state;
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.samples = 3;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, math_script, 0, NULL);
    const rdv_check *check = check_of(plan, "math");
    const rdv_verdict *v = &check->verdicts[1];
    assert_near(v->score, 1.0 / 3); /* one wrong, one of which nothing remains, one unread */
    assert_int_equal(v->kind, RDV_CONTRADICT);
    assert_near(noted(v, "n_undecided"), 1);
    assert_near(noted(v, "n_dropped"), 1);
    assert_near(noted(v, "n_unparsed"), 1);
    assert_text(v->why, "3 * 4 is 12, not 13");
    assert_near(check->verdicts[0].score, 1);
    rdv_plan_free(&plan);
}

/* Calculations that cannot be decided are no support; one beside them that is right is. */
static void test_math__undecided_is_no_support(void **state)
{
    static const line alone[] = {{"math", "step 1", UNSURE}, {"math", "", NOTHING}, {0}};
    static const line beside[] = {{"math", "step 1", UNSURE_AND_RIGHT}, {"math", "", NOTHING}, {0}};
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.samples = 3;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, alone, 0, NULL);
    const rdv_verdict *v = &check_of(plan, "math")->verdicts[1];
    assert_int_equal(v->kind, RDV_UNKNOWN);
    assert_true(isnan(v->score));
    assert_near(noted(v, "n_undecided"), 3);
    rdv_plan_free(&plan);
    plan = run(&chain, &o, beside, 0, NULL);
    assert_int_equal(check_of(plan, "math")->verdicts[1].kind, RDV_SUPPORT);
    rdv_plan_free(&plan);
}

static void test_math__both(void **state)
{
    (void)state;
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.samples = 3;
    checking.math = RDV_MATH_BOTH;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, math_script, 0, NULL);
    const rdv_check *check = check_of(plan, "math");
    assert_near(check->verdicts[1].score, 0); /* we find it, whatever was listed */
    assert_non_null(rdv_evidence_get(check->verdicts[1].evidence, RDV_STR("native_calculations")));
    assert_near(check->verdicts[0].score, 1);
    rdv_plan_free(&plan);
}

static void test_math__both_without_a_reply(void **state)
{
    (void)state;
    static const line script[] = {{"math", "", NULL}, {0}};
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.math = RDV_MATH_BOTH;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, script, 0, NULL);
    assert_near(check_of(plan, "math")->verdicts[1].score, 0);
    assert_int_equal(check_of(plan, "math")->verdicts[0].kind, RDV_UNKNOWN); /* we find nothing */
    rdv_plan_free(&plan);
}

static void test_math__native_asks_nothing(void **state)
{
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.math = RDV_MATH_NATIVE;
    rdv_chain chain = chain_of((rdv_str){0});
    size_t asked;
    rdv_plan *plan = run(&chain, &o, (line[]){{0}}, 0, &asked);
    const rdv_check *check = check_of(plan, "math");
    assert_int_equal(asked, 0);
    assert_int_equal(check->first_error, 1);
    assert_text(check->verdicts[1].why, "3 * 4 is 12, not 13");
    rdv_check alone;
    assert_false(rdv_method_needs_model(method, &checking));
    assert_int_equal(rdv_check_chain(method, &chain, &checking, *state, &alone, NULL), RDV_OK);
    assert_near(alone.confidence, check->confidence);
    rdv_plan_free(&plan);
}

static void test_math__model_is_needed(void **state)
{
    rdv_check_options o;
    rdv_check_options_default(&o, sizeof o);
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_check check;
    rdv_error err = {0};
    assert_int_equal(rdv_check_chain(method_of("math"), &chain, &o, *state, &check, &err),
                     RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "math asks a model: it needs a plan");
}

/* ---- perplexity ------------------------------------------------------------------------------ */

static double first[] = {-0.1, -0.3}, second[] = {-1}, third[] = {-0.5, -0.5};
static rdv_logprobs logprobs[] = {{first, 2}, {second, 1}, {third, 2}};

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

/* The tokens of the text that is scored, cut anywhere, go to the steps in which they begin. */
static void test_perplexity__scored(void **state)
{
    (void)state;
    const rdv_method *method = method_of("perplexity");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan;
    rdv_request request;
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_next(plan, &request, NULL), RDV_OK);
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

/* ---- all together ---------------------------------------------------------------------------- */

static const line all_script[] = {{"relevance", "step 2, sample 1", "No."},
                                  {"relevance", "", "Yes, the solution is relevant."},
                                  {"math", "step 1, sample 0", WRONG},
                                  {"math", "step 1, sample 1", RIGHT},
                                  {"math", "", NOTHING},
                                  {"consistency", "", "consistent with them."},
                                  {"perplexity", "", NULL},
                                  {0}};

static void test_general__weighted_mean_over_what_was_had(void **state)
{
    (void)state;
    const rdv_method *method = method_of("general");
    rdv_plan_options o = options_of(&method);
    checking.samples = 2;
    rdv_chain chain = chain_of(RDV_STR("12"));
    rdv_plan *plan = run(&chain, &o, all_script, 0, NULL);
    const rdv_check *check = check_of(plan, "general");
    size_t n;
    assert_int_equal(rdv_plan_chains(plan, &n)->n_checks, 5);
    double part = cbrt(0.5);
    assert_near(check_of(plan, "relevance")->confidence, part);
    /* A perplexity that could not be had counts as 0: left out, a failed call would win. */
    assert_near(check->confidence, (part + part + 1) / 5);
    assert_near(check->verdicts[1].score, (1 + 0.5 + 1) / 5.0);
    assert_int_equal(check->verdicts[1].kind, RDV_SUPPORT);
    assert_near(noted(&check->verdicts[1], "math"), 0.5);
    assert_true(isnan(noted(&check->verdicts[1], "perplexity")));
    assert_int_equal(check->calls, 3 * 2 + 3 * 2 + 2 * 2 + 1);
    rdv_plan_free(&plan);
}

static void test_general__perplexity_weighs_two(void **state)
{
    (void)state;
    const rdv_method *method = method_of("general");
    rdv_plan_options o = options_of(&method);
    checking.samples = 2;
    rdv_chain chain = chain_of(RDV_STR("12"));
    chain.logprobs = logprobs;
    rdv_plan *plan = run(&chain, &o, all_script, 0, NULL);
    double part = cbrt(0.5);
    assert_near(check_of(plan, "general")->confidence, (part + part + 1 + 2 * exp(-2.4 / 5)) / 5);
    rdv_plan_free(&plan);
}

static void test_general__mathematical_questions_only(void **state)
{
    (void)state;
    const rdv_method *method = method_of("general");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of(RDV_STR("yes"));
    rdv_plan *plan = run(&chain, &o, all_script, 0, NULL);
    size_t n;
    assert_int_equal(rdv_plan_chains(plan, &n)->n_checks, 4);
    assert_null(rdv_chain_check(rdv_plan_chains(plan, &n), RDV_STR("math")));
    rdv_plan_free(&plan);
    checking.mathematical = RDV_MATHEMATICAL_YES;
    plan = run(&chain, &o, all_script, 0, NULL);
    assert_non_null(rdv_chain_check(rdv_plan_chains(plan, &n), RDV_STR("math")));
    rdv_plan_free(&plan);
}

static void test_is_mathematical__options_that_are_all_numbers(void **state)
{
    (void)state;
    rdv_str words[] = {RDV_STR("black ball."), RDV_STR("library")};
    rdv_str numbers[] = {RDV_STR("12 km/h"), RDV_STR("$3.50")};
    rdv_str dates[] = {RDV_STR("05/02/2021"), RDV_STR("06/02/2021")};
    rdv_question q = {.text = RDV_STR("Which of the 2?"), .kind = RDV_KIND_OPTION, .n_options = 2};
    rdv_arena *arena = rdv_arena_new(1 << 20);
    assert_non_null(arena);
    q.options = words;
    assert_false(rdv_is_mathematical(&q, arena));
    q.options = numbers;
    assert_true(rdv_is_mathematical(&q, arena));
    q.options = dates;
    assert_false(rdv_is_mathematical(&q, arena));
    rdv_arena_free(&arena);
}

static void test_general__a_broken_condition_contradicts(void **state)
{
    (void)state;
    static const line script[] = {{"math", "step 1", WRONG},
                                  {"math", "", NOTHING},
                                  {"relevance", "", "Yes."},
                                  {"consistency", "", "consistent."},
                                  {0}};
    const rdv_method *method = method_of("general");
    rdv_plan_options o = options_of(&method);
    checking.verifiers.verifiers &= ~(1u << RDV_VERIFIER_PERPLEXITY);
    rdv_chain chain = chain_of(RDV_STR("12"));
    rdv_plan *plan = run(&chain, &o, script, 0, NULL);
    const rdv_check *check = check_of(plan, "general");
    assert_int_equal(check->first_error, 1);
    assert_true(check->verdicts[1].score > 0.5);
    assert_text(check->verdicts[1].why, "math: 3 * 4 is 12, not 13");
    rdv_plan_free(&plan);
}

static void test_general__first_steps(void **state)
{
    (void)state;
    const rdv_method *method = method_of("general");
    rdv_plan_options o = options_of(&method);
    checking.samples = 2;
    checking.extent.steps = 2;
    rdv_chain chain = chain_of(RDV_STR("12"));
    chain.logprobs = logprobs;
    size_t asked, n;
    rdv_plan *plan = run(&chain, &o, all_script, 0, &asked);
    assert_int_equal(asked, 2 * 2 + 2 * 2 + 2);
    assert_int_equal(check_of(plan, "general")->n_verdicts, 2);
    assert_int_equal(rdv_plan_chains(plan, &n)->n_steps, 3);
    assert_near(check_of(plan, "perplexity")->confidence, exp(-1.4 / 3));
    rdv_plan_free(&plan);
}

static void test_general__without_a_model(void **state)
{
    rdv_check_options o;
    rdv_check_options_default(&o, sizeof o);
    rdv_chain chain = chain_of(RDV_STR("12"));
    rdv_check *checks;
    size_t n;
    chain.logprobs = logprobs;
    o.math = RDV_MATH_NATIVE;
    const rdv_method *method = method_of("general");
    assert_true(rdv_method_needs_model(method, &o));
    o.verifiers.verifiers = 1u << RDV_VERIFIER_MATH | 1u << RDV_VERIFIER_PERPLEXITY;
    assert_false(rdv_method_needs_model(method, &o));
    assert_int_equal(rdv_check_chain_all(method, &chain, &o, *state, &checks, &n, NULL), RDV_OK);
    assert_int_equal(n, 3);
    assert_text(checks[2].method, "general");
    assert_near(checks[2].confidence, (cbrt(0.01) + 2 * exp(-2.4 / 5)) / 3);
}

/* A verifier named besides is not asked twice, and the last method stays the last check. */
static void test_general__its_verifiers_named_besides(void **state)
{
    (void)state;
    rdv_chain chain = chain_of(RDV_STR("12"));
    for (size_t last = 0; last < 2; last++) {
        const rdv_method *methods[2];
        methods[last] = method_of("general");
        methods[!last] = method_of("relevance");
        rdv_plan_options o = options_of(methods);
        o.n_methods = 2;
        checking.verifiers.verifiers = 1u << RDV_VERIFIER_RELEVANCE;
        size_t asked, n;
        rdv_plan *plan = run(&chain, &o, all_script, 0, &asked);
        const rdv_chain *checked = rdv_plan_chains(plan, &n);
        assert_int_equal(asked, 15);
        assert_non_null(rdv_chain_check(checked, RDV_STR("relevance")));
        assert_non_null(rdv_chain_check(checked, RDV_STR("general")));
        assert_true(rdv_str_eq(checked->checks[checked->n_checks - 1].method,
                               rdv_str_of(methods[1]->name)));
        rdv_plan_free(&plan);
    }
}

/* What `general` asked is its verifiers' asking: a result counts it once. */
static void test_general__calls_of_a_result(void **state)
{
    (void)state;
    static const line script[] = {{"solve/generate", "", "Step 1: 3 * 4 = 12.\n\nStep 2: So 12."},
                                  {"relevance", "", "Yes, the solution is relevant."},
                                  {0}};
    const rdv_chain chain = chain_of(RDV_STR("12"));
    const rdv_method *methods[2] = {method_of("relevance"), method_of("general")};
    for (size_t from = 0; from < 2; from++) {
        rdv_plan_options o = options_of(methods + from);
        rdv_plan *plan;
        o.n_methods = 2 - from;
        o.chains = 1;
        checking.verifiers.verifiers = 1u << RDV_VERIFIER_RELEVANCE;
        assert_int_equal(rdv_plan_solve(&chain.question, &o, &plan, NULL), RDV_OK);
        size_t asked = answer_all(plan, script, 0);
        assert_int_equal(asked, 1 + 2 * 5);
        assert_int_equal(rdv_plan_result(plan)->calls, asked);
        rdv_plan_free(&plan);
    }
}

/* ---- order, memory, an early end ------------------------------------------------------------- */

static rdv_str record_of(const rdv_plan *plan, rdv_arena *arena)
{
    size_t n;
    rdv_str written;
    assert_int_equal(rdv_record_write(rdv_plan_chains(plan, &n),
                                      &(rdv_write_options){.size = sizeof(rdv_write_options)},
                                      arena, &written, NULL),
                     RDV_OK);
    return written;
}

static void test_general__order_of_replies(void **state)
{
    const rdv_method *method = method_of("general");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of(RDV_STR("12"));
    rdv_str before = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        rdv_plan *plan = run(&chain, &o, all_script, seed, NULL);
        rdv_str record = record_of(plan, *state);
        if (before.p)
            assert_true(rdv_str_eq(record, before));
        before = record;
        rdv_plan_free(&plan);
    }
}

static bool runs(const rdv_chain *chain, const rdv_plan_options *o)
{
    rdv_plan *plan;
    rdv_request request;
    rdv_error err = {0};
    int r = rdv_plan_check(chain, 1, o, &plan, &err);
    while (r == RDV_OK && !rdv_plan_done(plan)) {
        r = rdv_plan_next(plan, &request, &err);
        if (r != RDV_OK)
            break;
        const line *said = line_for(all_script, &request);
        rdv_reply reply = {.text = rdv_str_of(said->reply ? said->reply : "")};
        r = rdv_plan_reply(plan, request.id, &reply, &err);
    }
    if (r != RDV_OK)
        assert_int_equal(r, RDV_E_NOMEM);
    rdv_plan_free(&plan);
    return r == RDV_OK;
}

static void test_general__no_memory(void **state)
{
    (void)state;
    const rdv_method *method = method_of("general");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of(RDV_STR("12"));
    checking.samples = 1;
    checking.math = RDV_MATH_BOTH;
    assert_survives_no_memory(runs(&chain, &o), (void)0);
}

static void test_general__closed_early(void **state)
{
    (void)state;
    const rdv_method *method = method_of("general");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of(RDV_STR("12"));
    rdv_plan *plan;
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_close(plan, RDV_FAIL_BUDGET, NULL), RDV_OK);
    assert_true(rdv_plan_done(plan));
    const rdv_check *check = check_of(plan, "general");
    assert_int_equal(check->verdicts[1].kind, RDV_UNKNOWN);
    assert_text(check->verdicts[1].why, "relevance: over budget");
    /* What is given without a call counts only beside what was read. */
    assert_int_equal(check_of(plan, "consistency")->verdicts[0].kind, RDV_UNKNOWN);
    assert_true(isnan(check_of(plan, "consistency")->confidence));
    rdv_plan_free(&plan);
}

static void test_general__no_steps(void **state)
{
    (void)state;
    const rdv_method *method = method_of("general");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of(RDV_STR("12"));
    chain.n_steps = 0;
    rdv_plan *plan = run(&chain, &o, all_script, 0, NULL);
    assert_true(isnan(check_of(plan, "general")->confidence));
    rdv_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relevance__mean_and_standard_error),
        cmocka_unit_test(test_relevance__nothing_read_is_unknown),
        cmocka_unit_test(test_consistency__first_step_needs_no_call),
        cmocka_unit_test(test_math__lists_are_decided),
        cmocka_unit_test(test_math__undecided_is_no_support),
        cmocka_unit_test(test_math__both),
        cmocka_unit_test(test_math__both_without_a_reply),
        cmocka_unit_test(test_math__native_asks_nothing),
        cmocka_unit_test(test_math__model_is_needed),
        cmocka_unit_test(test_perplexity__of_the_chain),
        cmocka_unit_test(test_perplexity__unavailable),
        cmocka_unit_test(test_perplexity__scored),
        cmocka_unit_test(test_perplexity__of_generated_chains),
        cmocka_unit_test(test_general__weighted_mean_over_what_was_had),
        cmocka_unit_test(test_general__perplexity_weighs_two),
        cmocka_unit_test(test_general__mathematical_questions_only),
        cmocka_unit_test(test_is_mathematical__options_that_are_all_numbers),
        cmocka_unit_test(test_general__a_broken_condition_contradicts),
        cmocka_unit_test(test_general__first_steps),
        cmocka_unit_test(test_general__without_a_model),
        cmocka_unit_test(test_general__its_verifiers_named_besides),
        cmocka_unit_test(test_general__calls_of_a_result),
        cmocka_unit_test(test_general__order_of_replies),
        cmocka_unit_test(test_general__no_memory),
        cmocka_unit_test(test_general__closed_early),
        cmocka_unit_test(test_general__no_steps),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
