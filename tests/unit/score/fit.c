/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include <rederive/fit.h>

#include <stdio.h>

/* A chain with that many contradicted and unrelated steps of ten. */
static rdv_case checked(const char *question, bool right, size_t contradict, size_t unrelated)
{
    rdv_case one = {
        .fact = {.question_id = rdv_str_of(question),
                 .key = right ? RDV_STR("r") : RDV_STR("w"),
                 .correct = right,
                 .checked = true},
        .counts = {.contradict = contradict,
                   .unrelated = unrelated,
                   .support = 10 - contradict - unrelated},
    };
    rdv_integration how = rdv_integration_default();
    one.fact.confidence = rdv_integrate(&how, one.counts);
    one.fact.verdicts = 10;
    for (size_t a = 0; a < RDV_N_AGGREGATES; a++)
        one.aggregated[a] = NAN;
    return one;
}

static rdv_case scored(const char *question, bool right, double score)
{
    rdv_case one = checked(question, right, 0, 0);
    one.counts = (rdv_verdict_counts){0};
    one.fact.confidence = score;
    for (size_t a = 0; a < RDV_N_AGGREGATES; a++)
        one.aggregated[a] = score;
    return one;
}

/* `n` such chains from `at` on, each of a question of its own. */
static size_t many(rdv_case *to, size_t at, size_t n, rdv_case one)
{
    for (size_t i = 0; i < n; i++)
        to[at + i] = one;
    return at + n;
}

static const rdv_weighing recorded = {.threshold = 0.5, .integration = {.l1 = 1, .l0 = 0.3}};
static const rdv_fit_options everything = {true, true, true};
static const rdv_fit_options only_threshold = {.threshold = true};

static rdv_fitted fit(const rdv_case *cases, size_t n, const rdv_weighing *how,
                      const rdv_fit_options *what)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_fitted out;
    assert_int_equal(rdv_fit(cases, n, how, what, arena, &out, NULL), RDV_OK);
    rdv_arena_free(&arena);
    return out;
}

/* With one count of each kind, every cell's share of right ones can be met exactly: of 100 chains
 * without a fault 80 are right, so a = .8; of those with one contradiction w = .4 / .8 = .5, and
 * 2 sigmoid(-l1) = .5 at l1 = ln 3 = 1.0986; with one unrelated w = .7 / .8, l0 = ln(9/7) = .2513.
 */
static void test_weights__meet_the_shares(void **state)
{
    (void)state;
    rdv_case c[300];
    size_t n = many(c, 0, 80, checked("a", true, 0, 0));
    n = many(c, n, 20, checked("b", false, 0, 0));
    n = many(c, n, 40, checked("c", true, 1, 0));
    n = many(c, n, 60, checked("d", false, 1, 0));
    n = many(c, n, 70, checked("e", true, 0, 1));
    n = many(c, n, 30, checked("f", false, 0, 1));
    rdv_fitted out = fit(c, n, &recorded, &everything);
    assert_true(out.was.weights);
    assert_false(out.was.aggregate);
    assert_int_equal(out.how.is, RDV_WEIGH_VERDICTS);
    assert_near(out.how.integration.l1, 1.10, 1e-12);
    assert_near(out.how.integration.l0, 0.25, 1e-12);
    assert_near(out.scale, 0.8, 1e-3);
    assert_false(out.at_limit);
    double h8 = 0.8 * log(0.8) + 0.2 * log(0.2), h4 = 0.4 * log(0.4) + 0.6 * log(0.6);
    double h7 = 0.7 * log(0.7) + 0.3 * log(0.3);
    assert_near(out.likelihood, (h8 + h4 + h7) / 3, 1e-5);
    assert_int_equal(out.chains, 300);
    assert_int_equal(out.questions, 6);
    /* Confidences .8 > .7 > .4 in right ones: the lowest class is best rejected. */
    assert_near(out.how.threshold, (0.5 + 0.875) / 2, 0.01);
    assert_near(out.balanced, (150.0 / 190 + 60.0 / 110) / 2, 1e-12);
}

/* What the data does not say stays at the paper's 0.3, if l1 leaves room for it. */
static void test_weights__unsaid_stays(void **state)
{
    (void)state;
    rdv_case c[200];
    size_t n = many(c, 0, 90, checked("a", true, 0, 0));
    n = many(c, n, 10, checked("b", false, 0, 0));
    n = many(c, n, 30, checked("c", true, 1, 0));
    n = many(c, n, 70, checked("d", false, 1, 0));
    rdv_fitted out = fit(c, n, &recorded, &everything);
    assert_near(out.how.integration.l0, 0.3, 1e-12);
    assert_near(out.how.integration.l1, 1.61, 1e-12); /* ln(2 * .9 / .3 - 1) = ln 5 = 1.609 */
    /* A contradiction means nothing: l1 goes to 0, l0 stays below it. */
    n = many(c, 0, 50, checked("a", true, 0, 0));
    n = many(c, n, 50, checked("b", false, 0, 0));
    n = many(c, n, 50, checked("c", true, 1, 0));
    n = many(c, n, 50, checked("d", false, 1, 0));
    out = fit(c, n, &recorded, &everything);
    assert_near(out.how.integration.l1, 0.01, 1e-12);
    assert_near(out.how.integration.l0, 0, 0);
}

static void test_weights__separated_stop_at_the_limit(void **state)
{
    (void)state;
    rdv_case c[20];
    size_t n = many(c, 0, 10, checked("a", true, 0, 0));
    n = many(c, n, 10, checked("b", false, 10, 0));
    c[10] = checked("c", false, 0, 0);
    for (size_t i = 11; i < 20; i++)
        c[i] = checked("d", false, 1, 0);
    rdv_fitted out = fit(c, n, &recorded, &everything);
    assert_true(out.at_limit);
    assert_near(out.how.integration.l1, 8, 0);
}

/* A confidence that came without verdicts has no weights to fit: only a threshold. */
static void test_weights__none_without_verdicts(void **state)
{
    (void)state;
    const rdv_case c[] = {scored("a", true, 0.9), scored("a", false, 0.2), scored("b", true, 0.7)};
    rdv_fitted out = fit(c, 3, &recorded, &everything);
    assert_false(out.was.weights);
    assert_int_equal(out.how.is, RDV_WEIGH_RECORDED);
    assert_nan(out.likelihood);
    assert_near(out.how.threshold, 0.45, 1e-15);
    assert_near(out.auc, 1, 0);
    assert_int_equal(out.questions, 2);
}

static const struct {
    const char *name;
    struct {
        bool right;
        double score;
    } chains[6];
    size_t n;
    double threshold, balanced;
} thresholds[] = {
    {"between", {{true, 0.8}, {false, 0.4}}, 2, 0.6, 1},
    {"accept all", {{false, 0.8}, {true, 0.4}}, 2, 0.4, 0.5},
    {"no score tells", {{true, 0.5}, {false, 0.5}}, 2, 0.5, 0.5},
    {"the lowest of equal ones", {{true, 5}, {false, 4}, {true, 3}, {false, 2}}, 4, 2.5, 0.75},
    {"logits below 0", {{true, -1}, {true, 3}, {false, -3}}, 3, -2, 1},
};

static void test_threshold__by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
        rdv_case c[6];
        for (size_t k = 0; k < thresholds[i].n; k++)
            c[k] = scored("q", thresholds[i].chains[k].right, thresholds[i].chains[k].score);
        rdv_fitted out = fit(c, thresholds[i].n, &recorded, &only_threshold);
        if (fabs(out.how.threshold - thresholds[i].threshold) > 1e-15 ||
            fabs(out.balanced - thresholds[i].balanced) > 1e-15)
            fail_msg("%s: %g, %g", thresholds[i].name, out.how.threshold, out.balanced);
    }
}

static void test_aggregate__largest_auc(void **state)
{
    (void)state;
    rdv_case c[] = {scored("a", true, 0.5), scored("b", false, 0.5)};
    c[0].aggregated[RDV_AGGREGATE_MEAN] = 0.6;
    c[0].aggregated[RDV_AGGREGATE_LAST] = 0.7;
    rdv_weighing how = recorded;
    how.is = RDV_WEIGH_SCORES;
    rdv_fitted out = fit(c, 2, &how, &everything);
    assert_true(out.was.aggregate);
    assert_int_equal(out.how.aggregate, RDV_AGGREGATE_MEAN); /* the first of the best */
    assert_near(out.how.threshold, 0.55, 1e-15);
}

static void test_fit__needs_both_kinds(void **state)
{
    (void)state;
    rdv_case c[] = {checked("a", true, 0, 0), checked("b", false, 1, 0), checked("c", false, 1, 0),
                    checked("d", false, 1, 0)};
    c[1].fact.skipped = true;
    c[2].fact.checked = false;
    c[3].fact.correct = -1;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_fitted out;
    rdv_error err = {0};
    assert_int_equal(rdv_fit(c, 4, &recorded, &everything, arena, &out, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "of the 1 chains"));
    assert_int_equal(rdv_fit(NULL, 0, &recorded, &everything, arena, &out, &err), RDV_E_INPUT);
    rdv_arena_free(&arena);
}

/* ---- studies --------------------------------------------------------------------------------- */

enum { QUESTIONS = 40, CHAINS = 3 };

static void fill(rdv_study *study, int (*put)(rdv_study *, const rdv_case *, rdv_error *),
                 size_t from, size_t to)
{
    for (size_t q = from; q < to; q++) {
        char id[16];
        snprintf(id, sizeof id, "q%zu", q);
        for (size_t i = 0; i < CHAINS; i++) {
            rdv_case one = checked(id, (q + i) % 2, (q * i) % 3, q % 2);
            assert_int_equal(put(study, &one, NULL), RDV_OK);
        }
    }
}

static void test_study__refuses_a_question_that_was_learned(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_options options = {.how = recorded, .fit = everything};
    rdv_study *study = rdv_study_new(arena, &options);
    fill(study, rdv_study_learn, 0, 20);
    fill(study, rdv_study_add, 20, 30);
    rdv_case one = checked("q7", true, 0, 0);
    rdv_error err = {0};
    assert_int_equal(rdv_study_add(study, &one, &err), RDV_E_ARGUMENT);
    assert_non_null(strstr(err.msg, "q7"));
    rdv_studied out;
    assert_int_equal(rdv_study_finish(study, &out, NULL), RDV_OK);
    assert_int_equal(out.n, 30);
    assert_int_equal(out.n_fits, 1);
    assert_int_equal(out.fits[0].part, RDV_NO_PART);
    assert_int_equal(out.fits[0].questions, 20);
    assert_true(out.facts[0].fitted);
    rdv_arena_free(&arena);
}

/* Each part's settings are those fitted on exactly the other parts' chains. */
static void test_study__crossed(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_options options = {.how = recorded, .fit = everything, .parts = 3, .seed = 5};
    rdv_study *study = rdv_study_new(arena, &options);
    fill(study, rdv_study_add, 0, QUESTIONS);
    rdv_studied out;
    assert_int_equal(rdv_study_finish(study, &out, NULL), RDV_OK);
    assert_int_equal(out.n, QUESTIONS * CHAINS);
    assert_int_equal(out.n_fits, 3);
    for (size_t part = 0; part < 3; part++) {
        rdv_study_options plain = {.how = recorded, .fit = everything};
        rdv_study *others = rdv_study_new(arena, &plain);
        rdv_studied alone;
        for (size_t q = 0; q < QUESTIONS; q++) {
            char id[16];
            snprintf(id, sizeof id, "q%zu", q);
            if (rdv_part_of(rdv_str_of(id), 5, 3) != part)
                fill(others, rdv_study_learn, q, q + 1);
        }
        assert_int_equal(rdv_study_finish(others, &alone, NULL), RDV_OK);
        assert_int_equal(out.fits[part].part, part);
        assert_int_equal(out.fits[part].chains, alone.fits[0].chains);
        assert_near(out.fits[part].how.integration.l1, alone.fits[0].how.integration.l1, 0);
        assert_near(out.fits[part].how.threshold, alone.fits[0].how.threshold, 0);
    }
    for (size_t i = 0; i < out.n; i++) {
        size_t part = rdv_part_of(out.facts[i].question_id, 5, 3);
        assert_near(out.facts[i].threshold, out.fits[part].how.threshold, 0);
        assert_int_equal(out.added[i], i);
    }
    rdv_arena_free(&arena);
}

static void test_study__half(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_options options = {
        .how = recorded, .fit = everything, .parts = 2, .first_only = true};
    rdv_study *study = rdv_study_new(arena, &options);
    fill(study, rdv_study_learn, 0, QUESTIONS); /* the same questions: the parts keep them apart */
    fill(study, rdv_study_add, 0, QUESTIONS);
    rdv_studied out;
    assert_int_equal(rdv_study_finish(study, &out, NULL), RDV_OK);
    assert_int_equal(out.n_fits, 1);
    assert_int_equal(out.fits[0].part, 1);
    assert_int_equal(out.n + out.fitted_only, QUESTIONS * CHAINS);
    assert_int_equal(out.fits[0].chains, out.fitted_only);
    assert_true(out.n > 0 && out.fitted_only > 0);
    for (size_t i = 0; i < out.n; i++)
        assert_int_equal(rdv_part_of(out.facts[i].question_id, 0, 2), 1);
    rdv_arena_free(&arena);
}

/* Nothing is fitted: settings that were given are used as they are. */
static void test_study__given_settings(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_options options = {.how = recorded};
    options.how.is = RDV_WEIGH_VERDICTS;
    options.how.integration = (rdv_integration){.l1 = 2, .l0 = 0};
    rdv_study *study = rdv_study_new(arena, &options);
    rdv_case one = checked("q", true, 1, 1);
    rdv_studied out;
    assert_int_equal(rdv_study_add(study, &one, NULL), RDV_OK);
    assert_int_equal(rdv_study_finish(study, &out, NULL), RDV_OK);
    assert_int_equal(out.n_fits, 0);
    assert_false(out.facts[0].fitted);
    assert_near(out.facts[0].confidence, 2 / (1 + exp(2)), 1e-15);
    rdv_arena_free(&arena);
}

static bool study_works(rdv_arena *arena)
{
    rdv_study_options options = {.how = recorded, .fit = everything, .parts = 2};
    rdv_study *study = rdv_study_new(arena, &options);
    rdv_studied out;
    for (size_t q = 0; study && q < 12; q++) {
        char id[16];
        snprintf(id, sizeof id, "q%zu", q);
        rdv_case right = checked(id, true, 0, q % 2), wrong = checked(id, false, q % 3, 1);
        if (rdv_study_add(study, &right, NULL) < 0 || rdv_study_add(study, &wrong, NULL) < 0)
            return false;
    }
    return study && rdv_study_finish(study, &out, NULL) == RDV_OK;
}

static void test_study__out_of_memory(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(study_works(arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights__meet_the_shares),
        cmocka_unit_test(test_weights__unsaid_stays),
        cmocka_unit_test(test_weights__separated_stop_at_the_limit),
        cmocka_unit_test(test_weights__none_without_verdicts),
        cmocka_unit_test(test_threshold__by_hand),
        cmocka_unit_test(test_aggregate__largest_auc),
        cmocka_unit_test(test_fit__needs_both_kinds),
        cmocka_unit_test(test_study__refuses_a_question_that_was_learned),
        cmocka_unit_test(test_study__crossed),
        cmocka_unit_test(test_study__half),
        cmocka_unit_test(test_study__given_settings),
        cmocka_unit_test(test_study__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
