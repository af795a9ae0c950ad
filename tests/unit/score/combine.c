/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/combine.h"

#define MISSING NAN
#define EXACT 1e-12

static const rdv_step_range whole = {0};

static rdv_combination with_floor(double floor)
{
    rdv_combination how = rdv_combination_default();
    how.aggregation.floor = floor;
    return how;
}

static void test_verifier_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++) {
        rdv_verifier_kind is;
        assert_int_equal(
            rdv_verifier_named(rdv_str_of(rdv_verifier_name((rdv_verifier_kind)i)), &is), RDV_OK);
        assert_int_equal(is, i);
    }
    rdv_verifier_kind is = RDV_VERIFIER_MATH;
    assert_int_equal(rdv_verifier_named(RDV_STR("Math"), &is), RDV_NONE);
    assert_int_equal(is, RDV_VERIFIER_MATH);
}

/* ---- settings -------------------------------------------------------------------------------- */

static void test_combination_verifiers(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        unsigned verifiers; /* 0: refused */
    } cases[] = {{"all", 0xf},
                 {"math", 2},
                 {"perplexity, relevance", 9},
                 {"", 0},
                 {"math,", 0},
                 {",math", 0},
                 {"math,math", 0},
                 {"maths", 0},
                 {"all,math", 0},
                 {"math relevance", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned found = 77;
        int code = rdv_combination_verifiers(rdv_str_of(cases[i].list), NULL, &found, NULL);
        assert_int_equal(code, cases[i].verifiers ? RDV_OK : RDV_E_ARGUMENT);
        assert_int_equal(found, cases[i].verifiers ? cases[i].verifiers : 77);
    }
}

/* Where other scorers take part, no verifier may. */
static void test_combination_verifiers__none(void **state)
{
    (void)state;
    unsigned found = 77;
    rdv_error err;
    assert_int_equal(rdv_combination_verifiers(RDV_STR("none"), NULL, &found, NULL), RDV_OK);
    assert_int_equal(found, 0);
    assert_int_equal(rdv_combination_verifiers((rdv_str){0}, NULL, &found, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "\"\" is no verifier: relevance, math, consistency and perplexity "
                                 "are");
}

static void test_combination_verifiers__own(void **state)
{
    (void)state;
    own_verifiers own = {.n = 0};
    unsigned found = 77;
    double weight[RDV_MOST_VERIFIERS] = {0};
    assert_int_equal(rdv_combination_verifiers(RDV_STR("all,tone, sure"), &own, &found, NULL),
                     RDV_OK);
    assert_int_equal(found, 0x3f);
    assert_int_equal(own.n, 2);
    assert_true(rdv_str_eq(own.name[1], RDV_STR("sure")));
    assert_int_equal(rdv_combination_verifiers(RDV_STR("sure,math"), &own, &found, NULL), RDV_OK);
    assert_int_equal(found, 0x22); /* a name that is known keeps its bit */
    static const char *const refused[] = {"tone,tone", "all,math", "a,b,c", "tone,", "all,all"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(rdv_combination_verifiers(rdv_str_of(refused[i]), &own, &found, NULL),
                         RDV_E_ARGUMENT);
        assert_int_equal(found, 0x22);
        assert_int_equal(own.n, 2);
    }
    assert_int_equal(rdv_combination_weights(RDV_STR("sure=3"), &own, weight, NULL), RDV_OK);
    assert_near(weight[RDV_N_VERIFIERS + 1], 3, 0);
    assert_int_equal(rdv_combination_weights(RDV_STR("other=3"), &own, weight, NULL),
                     RDV_E_ARGUMENT);
}

/* A score of the whole chain is one of all its steps, and none of fewer. */
static void test_combine_verifier__whole_chain(void **state)
{
    (void)state;
    const double score = 0.3;
    rdv_combination how = rdv_combination_default();
    rdv_verified chain = {.n_steps = 3, .whole = 1u << RDV_N_VERIFIERS};
    chain.step[RDV_N_VERIFIERS] = &score;
    assert_near(rdv_combine_verifier(&how, &chain, RDV_N_VERIFIERS, (rdv_step_range){0}), 0.3, 0);
    assert_true(
        isnan(rdv_combine_verifier(&how, &chain, RDV_N_VERIFIERS, (rdv_step_range){.steps = 2})));
}

static void test_weight_read(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "", "-1", "x", "1e999", "1x", ".", "0.00000000000000000000000000000001"};
    double out;
    assert_true(rdv_weight_read(RDV_STR(".5"), &out));
    assert_near(out, 0.5, 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(rdv_weight_read(rdv_str_of(bad[i]), &out));
}

static void test_combination_weights(void **state)
{
    (void)state;
    static const char *const refused[] = {"math",    "math=",   "math=-1",  "math=nan", "math=1 2",
                                          "maths=1", "math=1,", "math=inf", "=1"};
    double weight[RDV_MOST_VERIFIERS] = {1, 1, 1, 2};
    assert_int_equal(
        rdv_combination_weights(RDV_STR("perplexity=0, math = 2.5"), NULL, weight, NULL), RDV_OK);
    assert_near(weight[RDV_VERIFIER_MATH], 2.5, 0);
    assert_near(weight[RDV_VERIFIER_PERPLEXITY], 0, 0);
    assert_near(weight[RDV_VERIFIER_RELEVANCE], 1, 0);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(rdv_combination_weights(rdv_str_of(refused[i]), NULL, weight, NULL),
                         RDV_E_ARGUMENT);
        assert_near(weight[RDV_VERIFIER_MATH], 2.5, 0);
    }
    rdv_error err = {0};
    assert_int_equal(rdv_combination_weights(RDV_STR("relevance=1, math"), NULL, weight, &err),
                     RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "\"math\": a weight is written as NAME=NUMBER");
}

static void test_combination_check(void **state)
{
    (void)state;
    rdv_combination how = rdv_combination_default();
    assert_int_equal(rdv_combination_check(&how, NULL), RDV_OK);
    how.weight[RDV_VERIFIER_MATH] = -1;
    assert_int_equal(rdv_combination_check(&how, NULL), RDV_E_ARGUMENT);
    how = rdv_combination_default();
    how.verifiers = 0;
    assert_int_equal(rdv_combination_check(&how, NULL), RDV_E_ARGUMENT);
    how = rdv_combination_default();
    how.verifiers = 1u << RDV_VERIFIER_RELEVANCE;
    how.weight[RDV_VERIFIER_RELEVANCE] = 0; /* the others weigh something, and take no part */
    assert_int_equal(rdv_combination_check(&how, NULL), RDV_E_ARGUMENT);
    how = with_floor(1.5);
    assert_int_equal(rdv_combination_check(&how, NULL), RDV_E_ARGUMENT);
    how = with_floor(-0.5);
    assert_int_equal(rdv_combination_check(&how, NULL), RDV_E_ARGUMENT);
    how = rdv_combination_default();
    how.verifiers = 1u << RDV_MOST_VERIFIERS;
    assert_int_equal(rdv_combination_check(&how, NULL), RDV_E_ARGUMENT);
    how.verifiers = RDV_ALL_VERIFIERS + 1; /* a study's alone */
    assert_int_equal(rdv_combination_check(&how, NULL), RDV_OK);
    assert_int_equal(rdv_combination_check_beside(&how, 0, 0, NULL), RDV_E_ARGUMENT);
    how = rdv_combination_default();
    how.weight[RDV_VERIFIER_MATH] = INFINITY;
    assert_int_equal(rdv_combination_check(&how, NULL), RDV_E_ARGUMENT);
}

static void test_extent(void **state)
{
    (void)state;
    static const struct {
        rdv_step_range extent;
        size_t of, expected;
    } cases[] = {{{0, 0}, 7, 7},   {{3, 0}, 7, 3},     {{9, 0}, 7, 7},      {{0, 0.3}, 10, 3},
                 {{0, 0.2}, 7, 2}, {{0, 0.01}, 7, 1},  {{0, 1}, 7, 7},      {{0, 0.7}, 10, 7},
                 {{2, 0.5}, 8, 2}, {{6, 0.5}, 8, 4},   {{0, 0.5}, 0, 0},    {{4, 0}, 0, 0},
                 {{0, 0.1}, 1, 1}, {{0, 1e-12}, 5, 1}, {{0, 0.999}, 50, 50}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(rdv_step_range_steps(cases[i].extent, cases[i].of), cases[i].expected);
}

/* ---- perplexity ------------------------------------------------------------------------------ */

static void test_perplexity(void **state)
{
    (void)state;
    double tokens[] = {-log(2), -log(8)}, broken[] = {-1, NAN};
    rdv_tokens two = rdv_tokens_of(&(rdv_logprobs){tokens, 2});
    assert_near(rdv_perplexity(two), 4, EXACT);
    assert_near(rdv_perplexity_score(4, 1), 0.25, EXACT);
    assert_near(rdv_perplexity_score(4, 0.5), 0.5, EXACT);
    assert_near(rdv_perplexity_score(0.5, 1), 1, 0); /* a server that rounds may give it */
    assert_nan(rdv_perplexity_score(NAN, 1));
    assert_nan(rdv_perplexity(rdv_tokens_of(&(rdv_logprobs){tokens, 0})));
    assert_nan(rdv_perplexity(rdv_tokens_of(&(rdv_logprobs){broken, 2})));
}

/* ---- combining ------------------------------------------------------------------------------- */

static void test_combine_scores(void **state)
{
    (void)state;
    rdv_combination how = rdv_combination_default();
    double all[RDV_MOST_VERIFIERS] = {1, 0, 0.5, 0.75};
    double some[RDV_MOST_VERIFIERS] = {1, MISSING, 0.5, MISSING};
    double none[RDV_MOST_VERIFIERS] = {MISSING, MISSING, MISSING, MISSING};
    assert_near(rdv_combine_scores(&how, all), (1 + 0 + 0.5 + 1.5) / 5, EXACT);
    assert_near(rdv_combine_scores(&how, some), 0.75, EXACT);
    assert_nan(rdv_combine_scores(&how, none));
    how.aggregation.unknown = RDV_UNKNOWN_CONTRADICT;
    assert_near(rdv_combine_scores(&how, some), 1.5 / 5, EXACT);
    assert_nan(rdv_combine_scores(&how, none));
    how.aggregation.unknown = RDV_UNKNOWN_NULL;
    assert_nan(rdv_combine_scores(&how, some));
    how.verifiers = 1u << RDV_VERIFIER_RELEVANCE | 1u << RDV_VERIFIER_CONSISTENCY;
    assert_near(rdv_combine_scores(&how, some), 0.75, EXACT);
}

/* Two steps, by all four verifiers; the perplexities of the steps are 2 (three tokens) and 8 (one).
 */
static const double relevant[] = {1, 0.25}, right[] = {1, 0}, consistent[] = {MISSING, 0.81};
static const double likely[] = {0.5, 0.125};

static rdv_verified two_steps(rdv_tokens *tokens)
{
    tokens[0] = (rdv_tokens){-3 * log(2), 3};
    tokens[1] = (rdv_tokens){-log(8), 1};
    return (rdv_verified){
        .n_steps = 2, .step = {relevant, right, consistent, likely}, .tokens = tokens};
}

static void test_combine_verifier(void **state)
{
    (void)state;
    rdv_tokens tokens[2];
    rdv_verified chain = two_steps(tokens);
    rdv_combination how = with_floor(0.01), paper = with_floor(0);
    rdv_step_range first = {.steps = 1};
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_RELEVANCE, whole), 0.5, EXACT);
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_MATH, whole), 0.1, EXACT);
    assert_near(rdv_combine_verifier(&paper, &chain, RDV_VERIFIER_MATH, whole), 0, EXACT);
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_MATH, first), 1, EXACT);
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_CONSISTENCY, whole),
                sqrt(RDV_NEITHER * 0.81), EXACT);
    assert_nan(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_CONSISTENCY, first));
    /* over its four tokens the chain's perplexity is 2^(6/4); over its steps it would be 4 */
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_PERPLEXITY, whole), pow(2, -1.5),
                EXACT);
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_PERPLEXITY, first), 0.5, EXACT);
    chain.power = 2;
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_PERPLEXITY, whole), 0.125, EXACT);
    chain.tokens = NULL;
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_PERPLEXITY, whole), 0.25, EXACT);
}

static void test_combine_verifier__unknown_tokens(void **state)
{
    (void)state;
    rdv_tokens tokens[2];
    rdv_verified chain = two_steps(tokens);
    rdv_combination how = with_floor(0.01);
    tokens[1] = (rdv_tokens){0, 0};
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_PERPLEXITY, whole), 0.5, EXACT);
    how.aggregation.unknown = RDV_UNKNOWN_CONTRADICT;
    assert_near(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_PERPLEXITY, whole),
                sqrt(0.5 * 0.01), EXACT);
    how.aggregation.unknown = RDV_UNKNOWN_NULL;
    assert_nan(rdv_combine_verifier(&how, &chain, RDV_VERIFIER_PERPLEXITY, whole));
}

static void test_combine_chain(void **state)
{
    (void)state;
    rdv_tokens tokens[2];
    rdv_verified chain = two_steps(tokens);
    rdv_combination how = with_floor(0.01);
    assert_near(rdv_combine_chain(&how, &chain, whole),
                (0.5 + 0.1 + sqrt(0.405) + 2 * pow(2, -1.5)) / 5, EXACT);
    chain.step[RDV_VERIFIER_MATH] = NULL;
    assert_near(rdv_combine_chain(&how, &chain, whole), (0.5 + sqrt(0.405) + 2 * pow(2, -1.5)) / 4,
                EXACT);
    how.verifiers = 1u << RDV_VERIFIER_MATH;
    assert_nan(rdv_combine_chain(&how, &chain, whole));
    chain.n_steps = 0;
    assert_nan(rdv_combine_chain(&how, &chain, whole));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verifier_named),
        cmocka_unit_test(test_combination_verifiers),
        cmocka_unit_test(test_combination_verifiers__none),
        cmocka_unit_test(test_combination_verifiers__own),
        cmocka_unit_test(test_combine_verifier__whole_chain),
        cmocka_unit_test(test_weight_read),
        cmocka_unit_test(test_combination_weights),
        cmocka_unit_test(test_combination_check),
        cmocka_unit_test(test_extent),
        cmocka_unit_test(test_perplexity),
        cmocka_unit_test(test_combine_scores),
        cmocka_unit_test(test_combine_verifier),
        cmocka_unit_test(test_combine_verifier__unknown_tokens),
        cmocka_unit_test(test_combine_chain),
    };
    return cmocka_run_group_tests_name("combine", tests, NULL, NULL);
}
