/* SPDX-License-Identifier: Apache-2.0 */
/* General-purpose verification with scripted replies: the mean of the verifiers, what they ask
 * together, the record, and that the order in which replies come changes nothing. */
#include <rederive/data.h>

#include "../arena.h"
#include "scripted_check.h"

#include "method/verifier.h"

#define WRONG "{[{\"lhs\": \"3 * 4\", \"op\": \"=\", \"rhs\": \"13\"}]}\n```"
#define RIGHT "{[{\"lhs\": \"3 * 4\", \"op\": \"<\", \"rhs\": \"13\"}]}\n```"
#define NOTHING "{[]}\n```"

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
    rdv_str digits[] = {RDV_STR("5"), RDV_STR("7")};
    rdv_str dates[] = {RDV_STR("05/02/2021"), RDV_STR("06/02/2021")};
    rdv_question q = {.text = RDV_STR("Which of the 2?"), .kind = RDV_KIND_OPTION, .n_options = 2};
    rdv_arena *arena = rdv_arena_new(1 << 20);
    assert_non_null(arena);
    q.options = words;
    assert_false(rdv_is_mathematical(&q, arena));
    q.options = numbers;
    assert_true(rdv_is_mathematical(&q, arena));
    q.options = digits;
    assert_true(rdv_is_mathematical(&q, arena));
    q.options = dates;
    assert_false(rdv_is_mathematical(&q, arena));
    rdv_arena_free(&arena);
}

/* A stated kind decides; else gold does, and without gold whether the question has a digit. */
static void test_is_mathematical__each_kind(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(1 << 20);
    assert_non_null(arena);
    for (int kind = RDV_KIND_NUMBER; kind <= RDV_KIND_PHRASE; kind++)
        for (int i = 0; i < 4; i++) {
            rdv_question q = {.text = i & 1 ? RDV_STR("Which of the 2?") : RDV_STR("Which?"),
                              .gold = i & 2 ? RDV_STR("5") : (rdv_str){0},
                              .kind = (rdv_kind)kind};
            assert_int_equal(rdv_is_mathematical(&q, arena),
                             kind == RDV_KIND_NUMBER || kind == RDV_KIND_LATEX);
        }
    static const struct {
        const char *text, *gold;
        bool is;
    } derived[] = {{"Which?", NULL, false},      {"Which of the 2?", NULL, true},
                   {"Which?", "5", true},        {"Which of the 2?", "blue", false},
                   {"Which?", "\\frac12", true}, {"Which of the 2?", "yes", false}};
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++) {
        rdv_question q = {.text = rdv_str_of(derived[i].text)};
        if (derived[i].gold)
            q.gold = rdv_str_of(derived[i].gold);
        assert_int_equal(rdv_is_mathematical(&q, arena), derived[i].is);
    }
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

/* Without any calculation the score of math is given by rule; with some that were not read it is
 * missing, and weighs like one that is neither for nor against. */
static void test_general__unread_calculations_are_no_support(void **state)
{
    static const struct {
        rdv_str step;
        rdv_verdict_kind is;
        double math;
    } cases[] = {{RDV_STR("She has 100 -6 60 = 40 left."), RDV_UNKNOWN, 0.5},
                 {RDV_STR("She has some left."), RDV_SUPPORT, 1}};
    rdv_check_options o;
    rdv_check_options_default(&o, sizeof o);
    o.math = RDV_MATH_NATIVE;
    o.verifiers.verifiers = 1u << RDV_VERIFIER_MATH | 1u << RDV_VERIFIER_PERPLEXITY;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str steps[] = {cases[i].step, cases[i].step, cases[i].step};
        rdv_chain chain = chain_of(RDV_STR("12"));
        rdv_check *checks;
        size_t n;
        chain.steps = steps;
        chain.logprobs = logprobs;
        assert_int_equal(
            rdv_check_chain_all(method_of("general"), &chain, &o, *state, &checks, &n, NULL),
            RDV_OK);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(checks[2].verdicts[k].kind, cases[i].is);
        assert_near(checks[2].confidence, (cases[i].math + 2 * exp(-2.4 / 5)) / 3);
    }
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
        cmocka_unit_test(test_general__weighted_mean_over_what_was_had),
        cmocka_unit_test(test_general__perplexity_weighs_two),
        cmocka_unit_test(test_general__mathematical_questions_only),
        cmocka_unit_test(test_is_mathematical__options_that_are_all_numbers),
        cmocka_unit_test(test_is_mathematical__each_kind),
        cmocka_unit_test(test_general__a_broken_condition_contradicts),
        cmocka_unit_test(test_general__first_steps),
        cmocka_unit_test(test_general__without_a_model),
        cmocka_unit_test(test_general__unread_calculations_are_no_support),
        cmocka_unit_test(test_general__its_verifiers_named_besides),
        cmocka_unit_test(test_general__calls_of_a_result),
        cmocka_unit_test(test_general__order_of_replies),
        cmocka_unit_test(test_general__no_memory),
        cmocka_unit_test(test_general__closed_early),
        cmocka_unit_test(test_general__no_steps),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
