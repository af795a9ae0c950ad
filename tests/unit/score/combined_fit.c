/* SPDX-License-Identifier: Apache-2.0 */
/* Coefficients fitted on pairs of a right and a wrong chain. */
#include "near.h"

#include "base/rng.h"
#include "score/combined.h"

#define QUESTIONS 12
#define CHAINS 4 /* of a question: half of them right */
#define N (QUESTIONS * CHAINS)

typedef struct world {
    rdv_arena *arena;
    scorer scorers[2];
    size_t n_scorers;
    scorer_values values[N][2];
    combined_row rows[N];
} world;

/* Right chains have better step scores; their length tells nothing. */
static void make_world(world *w)
{
    rdv_rng rng;
    *w = (world){.arena = rdv_arena_new(0)};
    assert_int_equal(scorers_read(RDV_STR("scores:p,length"), w->scorers, &w->n_scorers, NULL),
                     RDV_OK);
    rdv_rng_seed(&rng, 1);
    for (size_t i = 0; i < N; i++) {
        bool right = i % 2;
        double steps[] = {0.3 + 0.3 * right + 0.3 * rdv_rng_unit(&rng), 0.5};
        rdv_scores scores = {RDV_STR("p"), steps, 2};
        rdv_chain chain = {.n_steps = 1 + rdv_rng_below(&rng, 5), .scores = &scores, .n_scores = 1};
        for (size_t k = 0; k < 2; k++)
            w->values[i][k] = scorer_measure(&w->scorers[k], &chain);
        w->rows[i] = (combined_row){.values = w->values[i],
                                    .question = i / CHAINS,
                                    .hash = rdv_rng_next(&rng),
                                    .right = right};
        if (i % CHAINS)
            w->rows[i].hash = w->rows[i - 1].hash;
    }
}

static int fit(world *w, size_t n, combined_model *out, rdv_error *err)
{
    return combined_fit(w->scorers, w->n_scorers, w->rows, n, w->arena, out, err);
}

static void test_fit__better_scores_weigh_more(void **state)
{
    world w;
    combined_model model;
    make_world(&w);
    assert_int_equal(fit(&w, N, &model, NULL), RDV_OK);
    assert_int_equal(model.n_questions, QUESTIONS);
    assert_int_equal(model.n_chains, N);
    assert_true(model.log_likelihood > log(0.5));
    double right = 0, wrong = 0;
    for (size_t i = 0; i < N; i++)
        *(w.rows[i].right ? &right : &wrong) += combined_weight(&model, w.values[i]);
    assert_true(right > wrong);
    rdv_arena_free(&w.arena);
}

/* A chain without a step score is left out, even if its length is known. */
static void test_fit__only_on_chains_that_were_looked_at(void **state)
{
    world w;
    combined_model model;
    make_world(&w);
    for (size_t k = 0; k < 4; k++)
        w.values[0][0].of[0][k] = w.values[1][0].of[0][k] = NAN;
    assert_int_equal(fit(&w, N, &model, NULL), RDV_OK);
    assert_int_equal(model.n_chains, N - 2);
    assert_int_equal(model.n_questions, QUESTIONS);
    rdv_arena_free(&w.arena);
}

static void test_fit__refuses(void **state)
{
    world w;
    combined_model model;
    rdv_error err;
    make_world(&w);
    for (size_t i = 0; i < N; i++)
        w.rows[i].right = true;
    assert_int_equal(fit(&w, N, &model, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "none has both"));
    for (size_t i = 0; i < N; i++)
        w.rows[i].right = false;
    assert_int_equal(fit(&w, N, &model, &err), RDV_E_INPUT);
    assert_int_equal(fit(&w, 0, &model, &err), RDV_E_INPUT);
    assert_string_equal(err.msg, "no chain to fit on has a value of scores:p");
    rdv_arena_free(&w.arena);
}

/* The log-odds of a chain's weight. */
static double log_odds_of(const combined_model *model, const world *w, size_t row)
{
    double weight = combined_weight(model, w->values[row]);
    return log(weight / (1 - weight));
}

/* The likelihood is that of the weights that votes use, also where chains lack a value: those count
 * as the mean, in the fit as in a vote. */
static void test_fit__likelihood_is_that_of_the_weights(void **state)
{
    world w;
    combined_model model;
    (void)state;
    make_world(&w);
    for (size_t i = 0; i < N; i += 3)
        w.values[i][1].of[0][0] = w.values[i][1].of[1][0] = NAN;
    assert_int_equal(fit(&w, N, &model, NULL), RDV_OK);
    double sum = 0;
    for (size_t right = 0; right < N; right++)
        for (size_t wrong = right / CHAINS * CHAINS; wrong < (right / CHAINS + 1) * CHAINS; wrong++)
            if (w.rows[right].right && !w.rows[wrong].right)
                sum -= log1p(exp(log_odds_of(&model, &w, wrong) - log_odds_of(&model, &w, right)));
    size_t pairs = QUESTIONS * (CHAINS / 2) * (CHAINS / 2);
    assert_near(model.log_likelihood, sum / (double)pairs, 1e-9);
    rdv_arena_free(&w.arena);
}

/* Two questions in two folds: what was fitted on one of them is tried on the other. Both say the
 * same, so that the weakest penalty is best. */
static void test_fit__strength_of_two_questions(void **state)
{
    world w;
    combined_model model;
    (void)state;
    make_world(&w);
    for (size_t i = 0; i < 2 * CHAINS; i++)
        w.rows[i].hash = (uint64_t)(i / CHAINS) << 32;
    assert_int_equal(fit(&w, 2 * CHAINS, &model, NULL), RDV_OK);
    assert_int_equal(model.n_questions, 2);
    assert_near(model.strength, 1e-4, 1e-12);
    rdv_arena_free(&w.arena);
}

/* One question: all pairs are in one fold, whose coefficients nothing else can be fitted on. */
static void test_fit__of_one_question(void **state)
{
    world w;
    combined_model model;
    make_world(&w);
    assert_int_equal(fit(&w, CHAINS, &model, NULL), RDV_OK);
    assert_int_equal(model.n_questions, 1);
    assert_near(model.strength, 1, 0); /* of equal ones the largest */
    rdv_arena_free(&w.arena);
}

/* More pairs than are taken: the same ones each time. */
static void test_fit__of_drawn_pairs(void **state)
{
    enum { MANY = 80 };
    static combined_row rows[MANY];
    world w;
    combined_model model, again;
    make_world(&w);
    for (size_t i = 0; i < MANY; i++)
        rows[i] = (combined_row){.values = w.values[i % N], .hash = 7, .right = i % 2};
    assert_int_equal(combined_fit(w.scorers, 2, rows, MANY, w.arena, &model, NULL), RDV_OK);
    assert_int_equal(combined_fit(w.scorers, 2, rows, MANY, w.arena, &again, NULL), RDV_OK);
    assert_int_equal(model.n_chains, MANY);
    assert_near(model.log_likelihood, again.log_likelihood, 0);
    rdv_arena_free(&w.arena);
}

static void test_fit__without_memory(void **state)
{
    world w;
    combined_model model;
    make_world(&w);
    assert_survives_no_memory(fit(&w, N, &model, NULL) == RDV_OK, (void)0);
    rdv_arena_free(&w.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit__better_scores_weigh_more),
        cmocka_unit_test(test_fit__only_on_chains_that_were_looked_at),
        cmocka_unit_test(test_fit__refuses),
        cmocka_unit_test(test_fit__likelihood_is_that_of_the_weights),
        cmocka_unit_test(test_fit__strength_of_two_questions),
        cmocka_unit_test(test_fit__of_one_question),
        cmocka_unit_test(test_fit__of_drawn_pairs),
        cmocka_unit_test(test_fit__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
