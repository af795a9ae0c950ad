/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a chain has already, as verifiers of `general`. */
#include "method/recorded_verifier.h"

#include "../arena.h"
#include "../score/near.h"
#include "../test.h"

#include "base/str.h"

#include <math.h>

static rdv_str steps[] = {RDV_STR("3 * 4 = 12."), RDV_STR("12 - 5 = 7."), RDV_STR("So it is 7.")};

/* The check of `general` by recorded checks alone. */
static rdv_check of_general(rdv_check *had, size_t n_had, const rdv_check_options *o,
                            rdv_arena *arena)
{
    rdv_chain chain = {.question = {.text = RDV_STR("How many pens?")},
                       .steps = steps,
                       .n_steps = 3,
                       .correct = -1,
                       .checks = had,
                       .n_checks = n_had};
    const rdv_method *method = rdv_method_named(RDV_STR("general"));
    rdv_check check;
    assert_false(rdv_method_needs_model(method, o));
    assert_int_equal(rdv_check_chain(method, &chain, o, arena, &check, NULL), RDV_OK);
    return check;
}

static rdv_check_options by(const char *list)
{
    rdv_check_options o;
    rdv_check_options_default(&o, sizeof o);
    o.verifiers.verifiers = 0;
    assert_int_equal(recorded_verifiers_read(rdv_str_of(list), &o, NULL), RDV_OK);
    assert_int_equal(recorded_verifiers_check(&o, NULL), RDV_OK);
    return o;
}

static void test_take__scores_or_else_verdicts(void **state)
{
    rdv_verdict verdicts[] = {{.step = 2, .kind = RDV_SUPPORT, .score = NAN},
                              {.step = 0, .kind = RDV_SUPPORT, .score = 0.6}};
    rdv_check had = {.method = RDV_STR("mine"), .verdicts = verdicts, .n_verdicts = 2};
    rdv_check_options o = by("mine");
    rdv_check check = of_general(&had, 1, &o, *state);
    assert_near(check.confidence, cbrt(0.6 * 0.5 * 1), 1e-12);
    assert_int_equal(check.n_unknown, 1);
    assert_text(check.verdicts[1].why, "mine: it has no verdict on the step");
    verdicts[0].kind = RDV_CONTRADICT;
    verdicts[0].score = INFINITY; /* no score of a verifier */
    check = of_general(&had, 1, &o, *state);
    assert_near(check.confidence, cbrt(0.6 * 0.5 * 0.01), 1e-12);
    assert_int_equal(check.first_error, 2);
    verdicts[1].kind = RDV_UNKNOWN; /* its score counts for nothing */
    assert_near(of_general(&had, 1, &o, *state).confidence, cbrt(0.5 * 0.5 * 0.01), 1e-12);
}

static void test_take__the_worse_of_two_verdicts(void **state)
{
    rdv_verdict verdicts[] = {{.step = 0, .kind = RDV_CONTRADICT, .score = 0},
                              {.step = 0, .kind = RDV_SUPPORT, .score = 1},
                              {.step = 1, .kind = RDV_SUPPORT, .score = 1},
                              {.step = 1, .kind = RDV_UNKNOWN},
                              {.step = 2, .kind = RDV_SUPPORT, .score = 0.3},
                              {.step = 2, .kind = RDV_SUPPORT, .score = 1}};
    rdv_check had = {.method = RDV_STR("mine"), .verdicts = verdicts, .n_verdicts = 6};
    rdv_check_options o = by("mine");
    rdv_check check = of_general(&had, 1, &o, *state);
    assert_int_equal(check.first_error, 0);
    assert_int_equal(check.n_unknown, 1);
    assert_near(check.confidence, cbrt(0.01 * 0.5 * 0.3), 1e-12);
}

/* A verdict as the rule sees it: its rank (a wrong step, then what is not known, then the others),
 * and what it counts as. */
typedef struct ranked {
    int rank;
    double counts;
} ranked;

static ranked rank_of(const rdv_verdict *v)
{
    bool scored = v->score >= 0 && v->score <= 1;
    if (v->kind == RDV_UNKNOWN)
        return (ranked){1, 0.5};
    if (v->kind == RDV_CONTRADICT)
        return (ranked){0, scored ? v->score : 0};
    return (ranked){2, scored ? v->score : v->kind == RDV_SUPPORT ? 1 : 0.5};
}

/* Of each two verdicts on a step, in either order, the one of lower rank counts, and of one rank
 * that of the lower score. */
static void test_take__each_two_verdicts_in_either_order(void **state)
{
    static const rdv_verdict_kind kinds[] = {RDV_SUPPORT, RDV_CONTRADICT, RDV_UNKNOWN,
                                             RDV_UNRELATED};
    static const double scores[] = {0, 0.3, 0.5, 0.8, 1, NAN};
    rdv_check_options o = by("mine");
    for (size_t i = 0; i < 24 * 24; i++) {
        size_t a = i / 24, b = i % 24;
        rdv_verdict verdicts[] = {
            {.step = 0, .kind = kinds[a / 6], .score = scores[a % 6]},
            {.step = 0, .kind = kinds[b / 6], .score = scores[b % 6]},
            {.step = 1, .kind = RDV_SUPPORT, .score = 1},
            {.step = 2, .kind = RDV_SUPPORT, .score = 1},
        };
        rdv_check had = {.method = RDV_STR("mine"), .verdicts = verdicts, .n_verdicts = 4};
        ranked x = rank_of(&verdicts[0]), y = rank_of(&verdicts[1]);
        ranked worse = x.rank != y.rank ? (x.rank < y.rank ? x : y) : x.counts < y.counts ? x : y;
        rdv_check check = of_general(&had, 1, &o, *state);
        assert_near(check.confidence, cbrt(worse.counts > 0.01 ? worse.counts : 0.01), 1e-12);
        assert_int_equal(check.n_unknown, worse.rank == 1);
        rdv_arena_reset(*state);
    }
}

static void test_take__what_says_nothing_of_a_step(void **state)
{
    rdv_verdict each[] = {{.step = 0, .kind = RDV_SUPPORT, .score = 1},
                          {.step = 1, .kind = RDV_SUPPORT, .score = 1},
                          {.step = 2, .kind = RDV_SUPPORT, .score = 1}};
    rdv_verdict whole = {.step = RDV_WHOLE_CHAIN, .kind = RDV_SUPPORT, .score = 1};
    rdv_check had[] = {{.method = RDV_STR("each"), .verdicts = each, .n_verdicts = 3},
                       {.method = RDV_STR("whole"), .verdicts = &whole, .n_verdicts = 1}};
    rdv_check_options o = by("each=3, whole");
    rdv_check check = of_general(had, 2, &o, *state);
    assert_int_equal(check.n_unknown, 3);
    assert_near(check.confidence, (3 + 0.5) / 4, 1e-12);
    assert_text(check.verdicts[0].why, "whole: it judges the whole chain, and not each step");
    o = by("each,other");
    assert_text(of_general(had, 2, &o, *state).verdicts[0].why,
                "other: the chain has no check of that name");
    o = by("other");
    assert_true(isnan(of_general(had, 2, &o, *state).confidence));
}

static void test_read__what_cannot_be_used(void **state)
{
    (void)state;
    static const char *const refused[] = {"",     "a,",      ",a", "a,a",
                                          "math", "general", "a=", "a=-1",
                                          "a=x",  "a=inf",   "=1", "a,b,c,d,e,f,g,h,i"};
    rdv_check_options o;
    rdv_check_options_default(&o, sizeof o);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_int_equal(recorded_verifiers_read(rdv_str_of(refused[i]), &o, NULL), RDV_E_ARGUMENT);
    assert_int_equal(recorded_verifiers_read(RDV_STR("a=0"), &o, NULL), RDV_OK);
    assert_int_equal(recorded_verifiers_check(&o, NULL), RDV_OK); /* others weigh something */
    o.verifiers.verifiers = 0;
    assert_int_equal(recorded_verifiers_check(&o, NULL), RDV_E_ARGUMENT);
    assert_int_equal(recorded_verifiers_read(RDV_STR("a=1e308,b=1e308"), &o, NULL), RDV_OK);
    assert_int_equal(recorded_verifiers_check(&o, NULL), RDV_E_ARGUMENT); /* their sum is none */
    o.recorded[0].weight = NAN;
    assert_int_equal(recorded_verifiers_check(&o, NULL), RDV_E_ARGUMENT);
    o.n_recorded = RDV_MAX_RECORDED_VERIFIERS + 1;
    assert_int_equal(recorded_verifiers_check(&o, NULL), RDV_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take__scores_or_else_verdicts),
        cmocka_unit_test(test_take__the_worse_of_two_verdicts),
        cmocka_unit_test(test_take__each_two_verdicts_in_either_order),
        cmocka_unit_test(test_take__what_says_nothing_of_a_step),
        cmocka_unit_test(test_read__what_cannot_be_used),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
