/* SPDX-License-Identifier: Apache-2.0 */
#include "items.h"

#include "study/views.h"

#include <stdio.h>

static rdv_arena *arena;
static rdv_study *questions; /* the items are of its questions */

static int set_up(void **state)
{
    (void)state;
    arena = rdv_arena_new(0);
    questions = study_of(arena, "evaluation", NULL);
    return questions ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rdv_arena_free(&arena);
    return 0;
}

/* A chain with that many contradicted and unrelated steps of ten. */
static rdv_eval_item checked(const char *question, bool right, size_t contradict, size_t unrelated)
{
    rdv_eval_item one = item(questions, question, right ? "r" : "w", right, 0);
    rdv_integration how = rdv_integration_default();
    one.check->counts = (item_counts){
        .contradict = contradict, .unrelated = unrelated, .support = 10 - contradict - unrelated};
    one.vote.ballot.weight = rdv_integrate(&how, item_counts_are(one.check->counts));
    return one;
}

static rdv_eval_item scored(const char *question, bool right, double score)
{
    rdv_eval_item one = checked(question, right, 0, 0);
    one.check->counts = (item_counts){0};
    one.vote.ballot.weight = score;
    double *aggregated = RDV_NEW_ARRAY(questions->arena, double, RDV_N_AGGREGATES);
    assert_non_null(aggregated);
    for (size_t a = 0; a < RDV_N_AGGREGATES; a++)
        aggregated[a] = score;
    one.check->aggregated = aggregated;
    one.check->by_scores = true;
    return one;
}

/* `n` such chains from `at` on, each of a question of its own. */
static size_t many(rdv_eval_item *to, size_t at, size_t n, rdv_eval_item one)
{
    for (size_t i = 0; i < n; i++)
        to[at + i] = one;
    return at + n;
}

static const confidence_model recorded = {.threshold = 0.5, .integration = {.l1 = 1, .l0 = 0.3}};
static const fit_settings everything = {true, true, true};
static const fit_settings only_threshold = {.threshold = true};

static fit_result fit(const rdv_eval_item *items, size_t n, const confidence_model *model,
                      const fit_settings *what)
{
    fit_result out;
    assert_int_equal(fit_model(items, n, model, what, arena, &out, NULL), RDV_OK);
    return out;
}

/* With one count of each kind, every cell's share of right ones can be met exactly: of 100 chains
 * without a fault 80 are right, so a = .8; of those with one contradiction w = .4 / .8 = .5, and
 * 2 sigmoid(-l1) = .5 at l1 = ln 3 = 1.0986; with one unrelated w = .7 / .8, l0 = ln(9/7) = .2513.
 */
static void test_weights__meet_the_shares(void **state)
{
    (void)state;
    rdv_eval_item c[300];
    size_t n = many(c, 0, 80, checked("a", true, 0, 0));
    n = many(c, n, 20, checked("b", false, 0, 0));
    n = many(c, n, 40, checked("c", true, 1, 0));
    n = many(c, n, 60, checked("d", false, 1, 0));
    n = many(c, n, 70, checked("e", true, 0, 1));
    n = many(c, n, 30, checked("f", false, 0, 1));
    fit_result out = fit(c, n, &recorded, &everything);
    assert_true(out.was.weights);
    assert_false(out.was.aggregate);
    assert_int_equal(out.model.is, CONFIDENCE_VERDICTS);
    assert_near(out.model.integration.l1, 1.10, 1e-12);
    assert_near(out.model.integration.l0, 0.25, 1e-12);
    assert_near(out.scale, 0.8, 1e-3);
    assert_false(out.at_limit);
    double h8 = 0.8 * log(0.8) + 0.2 * log(0.2), h4 = 0.4 * log(0.4) + 0.6 * log(0.6);
    double h7 = 0.7 * log(0.7) + 0.3 * log(0.3);
    assert_near(out.likelihood, (h8 + h4 + h7) / 3, 1e-5);
    assert_int_equal(out.chains, 300);
    assert_int_equal(out.questions, 6);
    /* Confidences .8 > .7 > .4 in right ones: the lowest class is best rejected. */
    assert_near(out.model.threshold, (0.5 + 0.875) / 2, 0.01);
    assert_near(out.balanced, (150.0 / 190 + 60.0 / 110) / 2, 1e-12);
}

/* What the data does not say stays at the paper's 0.3, if l1 leaves room for it. */
static void test_weights__unsaid_stays(void **state)
{
    (void)state;
    rdv_eval_item c[200];
    size_t n = many(c, 0, 90, checked("a", true, 0, 0));
    n = many(c, n, 10, checked("b", false, 0, 0));
    n = many(c, n, 30, checked("c", true, 1, 0));
    n = many(c, n, 70, checked("d", false, 1, 0));
    fit_result out = fit(c, n, &recorded, &everything);
    assert_near(out.model.integration.l0, 0.3, 1e-12);
    assert_near(out.model.integration.l1, 1.61, 1e-12); /* ln(2 * .9 / .3 - 1) = ln 5 = 1.609 */
    /* A contradiction means nothing: l1 goes to 0, l0 stays below it. */
    n = many(c, 0, 50, checked("a", true, 0, 0));
    n = many(c, n, 50, checked("b", false, 0, 0));
    n = many(c, n, 50, checked("c", true, 1, 0));
    n = many(c, n, 50, checked("d", false, 1, 0));
    out = fit(c, n, &recorded, &everything);
    assert_near(out.model.integration.l1, 0.01, 1e-12);
    assert_near(out.model.integration.l0, 0, 0);
}

static void test_weights__separated_stop_at_the_limit(void **state)
{
    (void)state;
    rdv_eval_item c[20];
    size_t n = many(c, 0, 10, checked("a", true, 0, 0));
    n = many(c, n, 10, checked("b", false, 10, 0));
    c[10] = checked("c", false, 0, 0);
    for (size_t i = 11; i < 20; i++)
        c[i] = checked("d", false, 1, 0);
    fit_result out = fit(c, n, &recorded, &everything);
    assert_true(out.at_limit);
    assert_near(out.model.integration.l1, 8, 0);
}

/* A confidence that came without verdicts has no weights to fit: only a threshold. */
static void test_weights__none_without_verdicts(void **state)
{
    (void)state;
    const rdv_eval_item c[] = {scored("a", true, 0.9), scored("a", false, 0.2),
                               scored("b", true, 0.7)};
    fit_result out = fit(c, 3, &recorded, &everything);
    assert_false(out.was.weights);
    assert_int_equal(out.model.is, CONFIDENCE_RECORDED);
    assert_nan(out.likelihood);
    assert_near(out.model.threshold, 0.45, 1e-15);
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
        rdv_eval_item c[6];
        for (size_t k = 0; k < thresholds[i].n; k++)
            c[k] = scored("q", thresholds[i].chains[k].right, thresholds[i].chains[k].score);
        fit_result out = fit(c, thresholds[i].n, &recorded, &only_threshold);
        if (fabs(out.model.threshold - thresholds[i].threshold) > 1e-15 ||
            fabs(out.balanced - thresholds[i].balanced) > 1e-15)
            fail_msg("%s: %g, %g", thresholds[i].name, out.model.threshold, out.balanced);
    }
}

static void test_aggregate__largest_auc(void **state)
{
    (void)state;
    rdv_eval_item c[] = {scored("a", true, 0.5), scored("b", false, 0.5)};
    const double first[RDV_N_AGGREGATES] = {0.5, 0.5, 0.5, 0.6, 0.7}; /* mean and last differ */
    c[0].check->aggregated = first;
    c[0].check->by_scores = true;
    confidence_model how = recorded;
    how.is = CONFIDENCE_SCORES;
    fit_result out = fit(c, 2, &how, &everything);
    assert_true(out.was.aggregate);
    assert_int_equal(out.model.aggregate, RDV_AGGREGATE_MEAN); /* the first of the best */
    assert_near(out.model.threshold, 0.55, 1e-15);
}

static void test_fit__needs_both_kinds(void **state)
{
    (void)state;
    rdv_eval_item c[] = {checked("a", true, 0, 0), checked("b", false, 1, 0),
                         checked("c", false, 1, 0), checked("d", false, 1, 0)};
    c[1].check->skipped = true;
    c[2].check->checked = false;
    c[3].vote.ballot.correct = -1;
    fit_result out;
    rdv_error err = {0};
    assert_int_equal(fit_model(c, 4, &recorded, &everything, arena, &out, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "of the 1 chains"));
    assert_int_equal(fit_model(NULL, 0, &recorded, &everything, arena, &out, &err), RDV_E_INPUT);
}

/* ---- on some questions, for others ----------------------------------------------------------- */

enum { QUESTIONS = 40, CHAINS = 3 };

typedef int put(rdv_study *, const rdv_chain *, rdv_arena *, rdv_error *);

/* A chain of ten steps by a check that contradicts and passes over so many. */
static int put_chain(put *to, rdv_study *study, const char *id, bool right, size_t contradict,
                     size_t unrelated, rdv_error *err)
{
    rdv_str steps[10] = {{0}};
    rdv_verdict verdicts[10];
    rdv_integration how = rdv_integration_default();
    for (size_t i = 0; i < 10; i++)
        verdicts[i] = (rdv_verdict){.step = i,
                                    .kind = i < contradict               ? RDV_CONTRADICT
                                            : i < contradict + unrelated ? RDV_UNRELATED
                                                                         : RDV_SUPPORT};
    rdv_check check = {.method = RDV_STR("m"),
                       .verdicts = verdicts,
                       .n_verdicts = 10,
                       .first_error = contradict ? 0 : RDV_NO_STEP};
    check.confidence = rdv_integrate(&how, rdv_count_verdicts(verdicts, 10));
    rdv_chain chain = {.question = {.id = rdv_str_of(id), .gold = RDV_STR("1")},
                       .steps = steps,
                       .n_steps = 10,
                       .answer = right ? RDV_STR("1") : RDV_STR("2"),
                       .correct = -1,
                       .checks = &check,
                       .n_checks = 1};
    rdv_arena *scratch = rdv_arena_new(0);
    int r = scratch ? to(study, &chain, scratch, err) : RDV_E_NOMEM;
    rdv_arena_free(&scratch);
    return r;
}

static void fill(rdv_study *study, put *to, size_t from, size_t end)
{
    for (size_t q = from; q < end; q++) {
        char id[16];
        snprintf(id, sizeof id, "q%zu", q);
        for (size_t i = 0; i < CHAINS; i++)
            assert_int_equal(put_chain(to, study, id, (q + i) % 2, (q * i) % 3, q % 2, NULL),
                             RDV_OK);
    }
}

/* The one view of a study that was finished. */
static const view *finished(rdv_study *study)
{
    rdv_study_tables tables;
    assert_int_equal(rdv_study_finish(study, &tables, NULL), RDV_OK);
    return &((const views *)study->of)->of[0];
}

static void test_study__refuses_a_question_that_was_learned(void **state)
{
    (void)state;
    rdv_study_options options = {.size = sizeof options, .fit = true};
    rdv_study *study = study_of(arena, "evaluation", &options);
    fill(study, rdv_study_learn, 0, 20);
    fill(study, rdv_study_add, 20, 30);
    rdv_error err = {0};
    assert_int_equal(put_chain(rdv_study_add, study, "q7", true, 0, 0, &err), RDV_E_ARGUMENT);
    assert_non_null(strstr(err.msg, "q7"));
    const view *out = finished(study);
    assert_int_equal(out->n, 30);
    assert_int_equal(out->n_fits, 1);
    assert_int_equal(out->fits[0].part, FIT_NO_PART);
    assert_int_equal(out->fits[0].questions, 20);
    assert_near(out->items[0].check->threshold, out->fits[0].model.threshold, 0);
}

/* Each part's settings are those fitted on exactly the other parts' chains. */
static void test_study__crossed(void **state)
{
    (void)state;
    rdv_study_options options = {.size = sizeof options, .fit = true, .parts = 3, .seed = 5};
    rdv_study *study = study_of(arena, "evaluation", &options);
    fill(study, rdv_study_add, 0, QUESTIONS);
    const view *out = finished(study);
    assert_int_equal(out->n, QUESTIONS * CHAINS);
    assert_int_equal(out->n_fits, 3);
    for (size_t part = 0; part < 3; part++) {
        rdv_study_options plain = {.size = sizeof plain, .fit = true};
        rdv_study *others = study_of(arena, "evaluation", &plain);
        for (size_t q = 0; q < QUESTIONS; q++)
            if (views_part(&study->questions[q], 3) != part)
                fill(others, rdv_study_learn, q, q + 1);
        const view *alone = finished(others);
        assert_int_equal(out->fits[part].part, part);
        assert_int_equal(out->fits[part].chains, alone->fits[0].chains);
        assert_near(out->fits[part].model.integration.l1, alone->fits[0].model.integration.l1, 0);
        assert_near(out->fits[part].model.threshold, alone->fits[0].model.threshold, 0);
    }
    for (size_t i = 0; i < out->n; i++) {
        size_t part = views_part(&study->questions[out->items[i].vote.question], 3);
        assert_near(out->items[i].check->threshold, out->fits[part].model.threshold, 0);
    }
}

static void test_study__half(void **state)
{
    (void)state;
    rdv_study_options options = {
        .size = sizeof options, .fit = true, .parts = 2, .first_only = true};
    rdv_study *study = study_of(arena, "evaluation", &options);
    fill(study, rdv_study_learn, 0, QUESTIONS); /* the same questions: the parts keep them apart */
    fill(study, rdv_study_add, 0, QUESTIONS);
    const view *out = finished(study);
    assert_int_equal(out->n_fits, 1);
    assert_int_equal(out->fits[0].part, 1);
    assert_int_equal(out->n + out->fitted_only, QUESTIONS * CHAINS);
    assert_int_equal(out->fits[0].chains, out->fitted_only);
    assert_true(out->n > 0 && out->fitted_only > 0);
    for (size_t i = 0; i < out->n; i++)
        assert_int_equal(views_part(&study->questions[out->items[i].vote.question], 2), 1);
}

/* Nothing is fitted: settings that were given are used as they are. */
static void test_study__given_settings(void **state)
{
    (void)state;
    rdv_study_options options = {
        .size = sizeof options, .integrates = true, .integration = {.l1 = 2, .l0 = 0}};
    rdv_study *study = study_of(arena, "evaluation", &options);
    assert_int_equal(put_chain(rdv_study_add, study, "q", true, 1, 1, NULL), RDV_OK);
    const view *out = finished(study);
    assert_int_equal(out->n_fits, 0);
    assert_int_equal(out->items[0].check->rule, ACCEPT_NO_ERROR);
    assert_near(out->items[0].vote.ballot.weight, 2 / (1 + exp(2)), 1e-15);
}

static bool study_works(void)
{
    rdv_arena *own = rdv_arena_new(0);
    rdv_study_options options = {.size = sizeof options, .fit = true, .parts = 2};
    rdv_study *study = own ? study_of(own, "evaluation", &options) : NULL;
    rdv_study_tables out;
    bool done = study != NULL;
    for (size_t q = 0; done && q < 12; q++) {
        char id[16];
        snprintf(id, sizeof id, "q%zu", q);
        done = put_chain(rdv_study_add, study, id, true, 0, q % 2, NULL) == RDV_OK &&
               put_chain(rdv_study_add, study, id, false, q % 3, 1, NULL) == RDV_OK;
    }
    done = done && rdv_study_finish(study, &out, NULL) == RDV_OK;
    rdv_arena_free(&own);
    return done;
}

static void test_study__out_of_memory(void **state)
{
    (void)state;
    assert_survives_no_memory(study_works(), (void)0);
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
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
