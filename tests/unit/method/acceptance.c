/* SPDX-License-Identifier: Apache-2.0 */
/* When a chain is accepted: by each method of the library, for random verdicts and thresholds. */
#include "../score/near.h"

#include "method/acceptance.h"

#include "base/rng.h"
#include "base/str.h"

#include <rederive/method.h>

#define N_STEPS 6

static const char *const exact[] = {"calculations",     "math",       "dyck",     "sorting",
                                    "shuffled-objects", "arithmetic", "deduction"};

static bool is_exact(const char *name)
{
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (strcmp(name, exact[i]) == 0)
            return true;
    return false;
}

static double share(rdv_rng *rng)
{
    return (double)rdv_rng_below(rng, 1001) / 1000;
}

static rdv_verdict_kind any_verdict(rdv_rng *rng)
{
    static const rdv_verdict_kind kinds[] = {RDV_CONTRADICT, RDV_UNRELATED, RDV_SUPPORT,
                                             RDV_UNKNOWN};
    return kinds[rdv_rng_below(rng, 4)];
}

/* A chain with one check by the method; its confidence is any number or none. */
static rdv_chain chain_checked(rdv_rng *rng, const char *method, rdv_verdict *verdicts,
                               rdv_check *check)
{
    for (size_t i = 0; i < N_STEPS; i++)
        verdicts[i] = (rdv_verdict){.step = i, .kind = any_verdict(rng)};
    *check = (rdv_check){.method = rdv_str_of(method),
                         .verdicts = verdicts,
                         .n_verdicts = 1 + rdv_rng_below(rng, N_STEPS)};
    check->confidence = rdv_rng_below(rng, 8) ? share(rng) : NAN;
    return (rdv_chain){.checks = check, .n_checks = 1};
}

static double any_threshold(rdv_rng *rng)
{
    return rdv_rng_below(rng, 2) ? NAN : share(rng);
}

static void test_chain__that_is_proven_wrong_is_never_accepted(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_rng rng;
    rdv_rng_seed(&rng, 1);
    for (size_t m = 0; (method = rdv_method_at(m)); m++)
        for (int i = 0; i < 2000; i++) {
            rdv_verdict verdicts[2][N_STEPS];
            rdv_check checks[2];
            chain_checked(&rng, exact[(size_t)i % (sizeof exact / sizeof *exact)], verdicts[0],
                          &checks[0]);
            rdv_chain chain = chain_checked(&rng, method->name, verdicts[1], &checks[1]);
            bool other = rdv_rng_below(&rng, 2); /* the chain has an earlier, exact check too */
            if (other)
                chain = (rdv_chain){.checks = checks, .n_checks = 2};
            bool wrong =
                (is_exact(method->name) &&
                 rdv_count_verdicts(verdicts[1], checks[1].n_verdicts).contradict) ||
                (other && rdv_count_verdicts(verdicts[0], checks[0].n_verdicts).contradict);
            double t = any_threshold(&rng);
            if (wrong)
                assert_int_equal(acceptance_of_chain(&chain, t), 0);
            /* An evaluation sees one check. */
            rdv_verdict_counts n = rdv_count_verdicts(verdicts[1], checks[1].n_verdicts);
            acceptance how = acceptance_of_check(&checks[1], t);
            if (is_exact(method->name) && n.contradict)
                assert_int_equal(acceptance_decide(&how, n, checks[1].confidence), 0);
            /* Else the last check of the chain decides. */
            if (!wrong)
                assert_int_equal(acceptance_of_chain(&chain, t),
                                 acceptance_decide(&how, n, checks[1].confidence));
        }
}

/* Nothing that was not read counts as support. A threshold that the user gives replaces the rule of
 * a method that does not decide exactly; then the confidence alone decides. */
static void test_chain__without_support_is_never_accepted(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_rng rng;
    rdv_rng_seed(&rng, 2);
    for (size_t m = 0; (method = rdv_method_at(m)); m++)
        for (int i = 0; i < 2000; i++) {
            rdv_verdict verdicts[N_STEPS];
            rdv_check check;
            rdv_chain chain = chain_checked(&rng, method->name, verdicts, &check);
            rdv_verdict_counts n = rdv_count_verdicts(verdicts, check.n_verdicts);
            double t = any_threshold(&rng);
            bool by_rule = isnan(t) || is_exact(method->name);
            bool weighs = strcmp(method->name, "perplexity") == 0;
            if ((by_rule && (weighs || !n.support)) || isnan(check.confidence))
                assert_int_not_equal(acceptance_of_chain(&chain, t), 1);
        }
}

static int decide(const char *method, size_t contradict, size_t unrelated, size_t support,
                  size_t unknown, double confidence, double threshold)
{
    acceptance how = acceptance_of(rdv_str_of(method), threshold);
    return acceptance_decide(&how, (rdv_verdict_counts){contradict, unrelated, support, unknown},
                             confidence);
}

static void test_decide__by_hand(void **state)
{
    (void)state;
    /* Exact: an undecided step leaves the chain undecided, unless a threshold says otherwise. */
    assert_int_equal(decide("calculations", 0, 2, 1, 0, 1, NAN), 1);
    assert_int_equal(decide("calculations", 1, 0, 9, 0, 0.538, NAN), 0);
    assert_int_equal(decide("calculations", 1, 0, 9, 0, 0.538, 0.5), 0);
    assert_int_equal(decide("calculations", 0, 0, 3, 1, 0.85, NAN), -1);
    assert_int_equal(decide("calculations", 0, 0, 3, 1, 0.85, 0.5), 1);
    assert_int_equal(decide("calculations", 0, 3, 0, 0, 1, 0.5), -1);
    assert_int_equal(decide("calculations", 1, 0, 3, 1, NAN, NAN), 0);
    /* SelfCheck's confidences of one contradicted, three and four unrelated steps. */
    assert_int_equal(decide("selfcheck", 1, 0, 5, 0, 2 / (1 + exp(1)), NAN), 0);
    assert_int_equal(decide("selfcheck", 0, 3, 5, 0, 2 / (1 + exp(0.9)), NAN), 1);
    assert_int_equal(decide("selfcheck", 0, 4, 5, 0, 2 / (1 + exp(1.2)), NAN), 0);
    assert_int_equal(decide("selfcheck", 1, 0, 5, 0, 2 / (1 + exp(1)), 0.5), 1);
    assert_int_equal(decide("general", 1, 0, 5, 0, 0.7, NAN), 1);
    assert_int_equal(decide("perplexity", 0, 6, 0, 0, 0.7, NAN), -1);
    assert_int_equal(decide("perplexity", 0, 6, 0, 0, 0.7, 0.5), 1);
    /* Locators, step classifiers and methods of the user's own. */
    for (size_t i = 0; i < 5; i++) {
        static const char *const names[] = {"direct-trace", "cot-step", "prm:pooling-pairs",
                                            "reward:x.rdvm", "critique"};
        assert_int_equal(decide(names[i], 1, 0, 1, 0, 0.9, NAN), 0);
        assert_int_equal(decide(names[i], 0, 0, 2, 1, 0.9, NAN), -1);
        assert_int_equal(decide(names[i], 0, 0, 2, 0, 0.4, NAN), 1);
        assert_int_equal(decide(names[i], 1, 0, 1, 0, 0.9, 0.8), 1);
    }
}

static void test_scores__have_no_verdicts(void **state)
{
    (void)state;
    acceptance how = acceptance_of_scores(NAN);
    assert_int_equal(acceptance_decide(&how, (rdv_verdict_counts){0}, 0.5), 1);
    assert_int_equal(acceptance_decide(&how, (rdv_verdict_counts){0}, 0.49), 0);
    assert_int_equal(acceptance_decide(&how, (rdv_verdict_counts){0}, NAN), -1);
    rdv_check recorded = {.confidence = 0.9}; /* a confidence that another program wrote */
    rdv_chain chain = {.checks = &recorded, .n_checks = 1};
    assert_int_equal(acceptance_of_chain(&chain, NAN), 1);
    assert_int_equal(acceptance_of_chain(&(rdv_chain){0}, NAN), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain__that_is_proven_wrong_is_never_accepted),
        cmocka_unit_test(test_chain__without_support_is_never_accepted),
        cmocka_unit_test(test_decide__by_hand),
        cmocka_unit_test(test_scores__have_no_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
