/* SPDX-License-Identifier: Apache-2.0 */
/* The weight of a chain's vote; what a chain does not have weighs nothing. */
#include "near.h"

#include "score/vote_weight.h"

static vote_weight read_weight(const char *text)
{
    vote_weight w;
    assert_int_equal(vote_weight_read(rdv_str_of(text), RDV_AGGREGATE_MIN, &w, NULL), RDV_OK);
    return w;
}

static void test_read__names(void **state)
{
    static const char *const bad[] = {"", "confidence:", "scores:", "Majority", "scores"};
    assert_int_equal(read_weight("majority").is, VOTE_WEIGHT_EQUAL);
    assert_null(read_weight("confidence").name.p);
    assert_text(read_weight("confidence:math").name, "math");
    assert_text(read_weight("scores:prm").name, "prm");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vote_weight w;
        rdv_error err;
        assert_int_equal(vote_weight_read(rdv_str_of(bad[i]), RDV_AGGREGATE_MIN, &w, &err),
                         RDV_E_ARGUMENT);
        assert_non_null(strstr(err.msg, ": must be majority, confidence"));
    }
}

static void test_weight__of_checks_and_scores(void **state)
{
    double steps[] = {0.9, 0.4};
    rdv_scores scores = {RDV_STR("prm"), steps, 2};
    rdv_check checks[] = {{.method = RDV_STR("math"), .confidence = 0.25},
                          {.method = RDV_STR("selfcheck"), .confidence = 0.75}};
    rdv_chain chain = {.checks = checks, .n_checks = 2, .scores = &scores, .n_scores = 1},
              bare = {0};
    static const struct {
        const char *name;
        double weight;
    } cases[] = {{"majority", 1},           {"confidence", 0.75},
                 {"confidence:math", 0.25}, {"confidence:relevance", NAN},
                 {"scores:prm", 0.4},       {"scores:other", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vote_weight w = read_weight(cases[i].name);
        if (isnan(cases[i].weight))
            assert_nan(vote_weight_of(&w, &chain));
        else
            assert_near(vote_weight_of(&w, &chain), cases[i].weight, 0);
        assert_true(i == 0 || isnan(vote_weight_of(&w, &bare)));
    }
    checks[1].skipped = true; /* it was not made, whatever stands there */
    vote_weight last = read_weight("confidence");
    assert_nan(vote_weight_of(&last, &chain));
    vote_weight combined = {.is = VOTE_WEIGHT_COMBINED};
    assert_nan(vote_weight_of(&combined, &chain)); /* not from one chain alone */
}

/* From the log-probabilities, otherwise from what the check noted of them. */
static void test_weight__perplexity(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    double first[] = {-1, -2}, second[] = {-3};
    rdv_logprobs logprobs[] = {{first, 2}, {second, 1}}, none[] = {{NULL, 0}, {NULL, 0}};
    rdv_verdict verdicts[3] = {{0}};
    for (size_t i = 0; i < 2; i++)
        verdicts[i].evidence = rdv_evidence_map(arena, NULL, (rdv_str){0});
    rdv_evidence_number(arena, verdicts[0].evidence, RDV_STR("logprob"), -8);
    rdv_evidence_number(arena, verdicts[0].evidence, RDV_STR("n_tokens"), 2);
    rdv_evidence_text(arena, verdicts[1].evidence, RDV_STR("n_tokens"), RDV_STR("7"));
    rdv_check check = {.method = RDV_STR("perplexity"), .verdicts = verdicts, .n_verdicts = 3};
    rdv_chain chain = {.n_steps = 2, .logprobs = logprobs, .checks = &check, .n_checks = 1};
    const vote_weight w = {.is = VOTE_WEIGHT_PERPLEXITY};
    assert_near(vote_weight_of(&w, &chain), exp(2), 1e-12);
    chain.logprobs = none;
    assert_near(vote_weight_of(&w, &chain), exp(4), 1e-12);
    chain.logprobs = NULL;
    assert_near(vote_weight_of(&w, &chain), exp(4), 1e-12);
    check.n_verdicts = 0;
    assert_nan(vote_weight_of(&w, &chain));
    chain.n_checks = 0;
    assert_nan(vote_weight_of(&w, &chain));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__names),
        cmocka_unit_test(test_weight__of_checks_and_scores),
        cmocka_unit_test(test_weight__perplexity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
