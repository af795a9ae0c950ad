/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/score.h"
#include "score/tally.h"

#define A RDV_STR("41")
#define B RDV_STR("51")
#define C RDV_STR("")
#define UNREAD ((rdv_str){0})

static rdv_arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = rdv_arena_new(0);
    return arena ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rdv_arena_free(&arena);
    return 0;
}

static rdv_vote decide(rdv_select_kind how, const rdv_ballot *ballots, size_t n)
{
    rdv_vote vote;
    assert_int_equal(rdv_vote_decide(how, ballots, n, arena, &vote, NULL), RDV_OK);
    return vote;
}

static void assert_winner(const rdv_vote *vote, rdv_str key)
{
    assert_int_not_equal(vote->winner, RDV_NO_ANSWER);
    rdv_str got = vote->answers[vote->winner].key;
    assert_int_equal(got.len, key.len);
    assert_memory_equal(got.p, key.p, key.len);
}

static const rdv_ballot six[] = {
    {B, 0.9, 1}, {A, 0.2, 0}, {A, 0.3, 0}, {UNREAD, 1, 0}, {A, NAN, 0}, {C, 0.1, 0},
};

static void test_majority__counts_every_chain_that_was_read(void **state)
{
    (void)state;
    rdv_vote v = decide(RDV_SELECT_MAJORITY, six, 6);
    assert_winner(&v, A);
    assert_int_equal(v.n_answers, 3);
    assert_int_equal(v.answers[0].first, 0);
    assert_int_equal(v.answers[1].chains, 3);
    assert_near(v.answers[1].weight, 3, 0);
    assert_near(v.weight_share, 0.6, 1e-15);
    assert_int_equal(v.chain, 1);
    assert_int_equal(v.unread, 1);
    assert_int_equal(v.cast, 5);
    assert_int_equal(v.chains, 6);
    assert_int_equal(v.correct, 0);
    assert_near(v.expected_correct, 0, 0);
    assert_int_equal(v.n_tied, 0);
    assert_false(v.answers[1].tied);
}

static void test_weighted__the_largest_sum(void **state)
{
    (void)state;
    rdv_vote v = decide(RDV_SELECT_WEIGHTED, six, 6);
    assert_winner(&v, B);
    assert_near(v.answers[1].weight, 0.5, 1e-15);
    assert_int_equal(v.answers[1].chains, 3); /* one of them without a weight */
    assert_int_equal(v.cast, 4);
    assert_near(v.weight_share, 0.9 / 1.5, 1e-15);
    assert_near(v.expected_correct, 1, 0);
}

static void test_best__the_largest_weight_the_earlier_chain(void **state)
{
    (void)state;
    const rdv_ballot ballots[] = {
        {A, 0.5, 0}, {B, 0.9, 1}, {A, 0.9, 0}, {A, 0.9, 0}, {UNREAD, 1, 0}, {C, NAN, 0},
    };
    rdv_vote v = decide(RDV_SELECT_BEST, ballots, 6);
    assert_winner(&v, B);
    assert_int_equal(v.chain, 1);
    assert_int_equal(v.n_tied, 2);
    assert_true(v.answers[0].tied && v.answers[1].tied && !v.answers[2].tied);
    assert_near(v.expected_correct, 1.0 / 3, 1e-15); /* of the three tied chains */
    assert_nan(v.answers[2].weight);
    assert_false(v.answers[2].in_running);
    assert_near(v.weight_share, 1.0 / 5, 1e-15);
}

/* The tie is decided by the chain with the best weight, not by the answer's first chain. */
static void test_best__first_best_chain_not_first_chain(void **state)
{
    (void)state;
    const rdv_ballot ballots[] = {{A, 0.1, 0}, {B, 0.9, 1}, {A, 0.9, 0}};
    rdv_vote v = decide(RDV_SELECT_BEST, ballots, 3);
    assert_winner(&v, B);
}

static void test_perplexity__the_smallest_weight(void **state)
{
    (void)state;
    const rdv_ballot ballots[] = {{A, 3.5, 0}, {B, 1.25, 1}, {A, 7, 0}, {C, NAN, 0}};
    rdv_vote v = decide(RDV_SELECT_PERPLEXITY, ballots, 4);
    assert_winner(&v, B);
    assert_int_equal(v.chain, 1);
    assert_near(v.answers[0].weight, 3.5, 0);
}

static void test_random__only_chances(void **state)
{
    (void)state;
    rdv_vote v = decide(RDV_SELECT_RANDOM, six, 6);
    assert_int_equal(v.winner, RDV_NO_ANSWER);
    assert_near(v.expected_correct, 1.0 / 6, 1e-15); /* the unread chain is wrong */
    assert_near(v.answers[1].weight, 3.0 / 6, 1e-15);
    assert_int_equal(v.correct, -1);
}

/* Of the answers to a question, some chains give only a few: the chance is known all the same. */
static void test_random__an_answer_that_nobody_gave(void **state)
{
    static const tally_ballot votes[] = {{1, 0, 1}, {1, 2, 0}};
    tally_answer answers[3];
    vote_tally tally = {.answers = answers, .n_answers = 3};
    tally_decide(RDV_SELECT_RANDOM, votes, 2, &tally);
    assert_int_equal(answers[1].chains, 0);
    assert_near(tally.expected_correct, 0.5, 0);
}

static void test_tie__first_to_appear_wins_and_the_share_is_expected(void **state)
{
    (void)state;
    const rdv_ballot ballots[] = {{C, 1, 0}, {B, 1, 1}, {A, 1, 0}, {A, 1, 0}, {B, 1, 1}};
    rdv_vote v = decide(RDV_SELECT_MAJORITY, ballots, 5);
    assert_winner(&v, B);
    assert_int_equal(v.n_tied, 2);
    assert_int_equal(v.correct, 1);
    assert_near(v.expected_correct, 0.5, 0);
    assert_false(v.answers[0].tied);
}

/* 0.1 + 0.2 differs from 0.3 as a real number: no tie. In another order neither. Ten tenths are not
 * one, although they round to it. */
static void test_tie__of_exact_sums_in_any_order(void **state)
{
    (void)state;
    const rdv_ballot apart[] = {{A, 0.3, 0}, {B, 0.1, 1}, {B, 0.2, 1}};
    rdv_vote v = decide(RDV_SELECT_WEIGHTED, apart, 3);
    assert_winner(&v, B);
    assert_int_equal(v.n_tied, 0);
    rdv_ballot tenths[11] = {{A, 1, 0}};
    for (size_t i = 1; i < 11; i++)
        tenths[i] = (rdv_ballot){B, 0.1, 1};
    v = decide(RDV_SELECT_WEIGHTED, tenths, 11);
    assert_winner(&v, B);
    assert_int_equal(v.n_tied, 0);
    const rdv_ballot same[] = {{A, 1e9, 0}, {B, 1e-9, 1}, {A, 1e-9, 0}, {A, -1e9, 0}};
    v = decide(RDV_SELECT_WEIGHTED, same, 4);
    assert_winner(&v, A);
    assert_int_equal(v.n_tied, 2);
    assert_true(isnan(v.weight_share) == false);
}

static void test_tie__of_zeros(void **state)
{
    (void)state;
    const rdv_ballot ballots[] = {{A, 0, 0}, {B, 0, 1}, {B, 0, 1}};
    rdv_vote v = decide(RDV_SELECT_WEIGHTED, ballots, 3);
    assert_winner(&v, A);
    assert_int_equal(v.n_tied, 2);
    assert_nan(v.weight_share); /* a share of nothing */
    assert_near(v.expected_correct, 0.5, 0);
}

static void test_weighted__negative_weights(void **state)
{
    (void)state;
    const rdv_ballot ballots[] = {{A, -1, 0}, {A, -1, 0}, {B, -1.5, 1}};
    rdv_vote v = decide(RDV_SELECT_WEIGHTED, ballots, 3);
    assert_winner(&v, B);
    assert_nan(v.weight_share);
}

static void test_nothing_cast(void **state)
{
    (void)state;
    const rdv_ballot unread[] = {{UNREAD, 1, 0}, {UNREAD, 1, 0}}, null[] = {{A, NAN, 1}};
    static const rdv_select_kind all[] = {RDV_SELECT_MAJORITY, RDV_SELECT_WEIGHTED, RDV_SELECT_BEST,
                                          RDV_SELECT_PERPLEXITY, RDV_SELECT_RANDOM};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        rdv_vote v = decide(all[i], unread, 2);
        assert_int_equal(v.winner, RDV_NO_ANSWER);
        assert_int_equal(v.chain, RDV_NO_ANSWER);
        assert_int_equal(v.correct, 0);
        assert_near(v.expected_correct, 0, 0);
        v = decide(all[i], NULL, 0);
        assert_int_equal(v.winner, RDV_NO_ANSWER);
        assert_int_equal(v.correct, -1);
        assert_nan(v.expected_correct);
    }
    rdv_vote v = decide(RDV_SELECT_WEIGHTED, null, 1);
    assert_int_equal(v.winner, RDV_NO_ANSWER);
    assert_int_equal(v.n_answers, 1);
    assert_int_equal(v.answers[0].chains, 1);
}

/* Without an answer a result is not right, nor wrong; it counts for the accuracy where the right
 * answer is known. */
static void test_result__without_an_answer(void **state)
{
    const rdv_str shown[2] = {{0}};
    (void)state;
    for (int known = 0; known < 2; known++)
        for (size_t failed = 0; failed <= 2; failed++) {
            const rdv_ballot none = {.weight = 1, .correct = known ? 0 : -1};
            const rdv_ballot ballots[2] = {none, none};
            rdv_vote vote;
            rdv_result result = {.chains = 2, .chains_used = 2};
            assert_int_equal(rdv_vote_decide(RDV_SELECT_MAJORITY, ballots, 2, arena, &vote, NULL),
                             RDV_OK);
            assert_int_equal(rdv_vote_result(&vote, shown, arena, &result, NULL), RDV_OK);
            result_unanswered(&result, failed);
            assert_int_equal(result.correct, -1);
            assert_int_equal(result_is_graded(&result), known);
            if (known)
                assert_true(result.expected_correct == 0);
            assert_int_equal(result.unread, 2 - failed);
            assert_string_equal(result_lacks(&result), failed ? "failed" : "unparsed");
        }
}

static void test_correct__not_known(void **state)
{
    (void)state;
    const rdv_ballot ballots[] = {{A, 1, -1}, {B, 1, 0}, {A, 1, 1}, {A, 1, 0}};
    rdv_vote v = decide(RDV_SELECT_MAJORITY, ballots, 4);
    assert_int_equal(v.correct, 1); /* the first chain that knows speaks for the answer */
    const rdv_ballot tie[] = {{A, 1, -1}, {B, 1, 1}};
    v = decide(RDV_SELECT_MAJORITY, tie, 2);
    assert_int_equal(v.correct, -1);
    assert_nan(v.expected_correct);
}

static void test_decide__refuses_weights_that_cannot_be_summed(void **state)
{
    (void)state;
    const double bad[] = {INFINITY, -INFINITY, 1e300};
    for (size_t i = 0; i < 3; i++) {
        const rdv_ballot ballots[] = {{A, 1, 0}, {B, bad[i], 1}};
        rdv_vote vote = {.n_answers = 77};
        rdv_error err = {0};
        assert_int_equal(rdv_vote_decide(RDV_SELECT_WEIGHTED, ballots, 2, arena, &vote, &err),
                         RDV_E_INPUT);
        assert_non_null(strstr(err.msg, "chain 1"));
        assert_int_equal(vote.n_answers, 77);
        decide(RDV_SELECT_BEST, ballots, 2); /* they can be compared */
    }
}

static void test_decide__every_allocation_fails(void **state)
{
    (void)state;
    rdv_vote vote;
    assert_survives_no_memory(rdv_vote_decide(RDV_SELECT_WEIGHTED, six, 6, arena, &vote, NULL) ==
                                  RDV_OK,
                              rdv_arena_reset(arena));
}

static void test_names__there_and_back(void **state)
{
    (void)state;
    for (int i = RDV_SELECT_MAJORITY; i <= RDV_SELECT_RANDOM; i++) {
        const char *name = rdv_select_name((rdv_select_kind)i);
        rdv_select_kind is = RDV_SELECT_MAJORITY;
        assert_int_equal(rdv_select_named((rdv_str){name, strlen(name)}, &is), RDV_OK);
        assert_int_equal(is, i);
    }
    rdv_select_kind is = RDV_SELECT_BEST;
    assert_int_equal(rdv_select_named(RDV_STR("Best"), &is), RDV_NONE);
    assert_int_equal(is, RDV_SELECT_BEST);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_majority__counts_every_chain_that_was_read),
        TEST(test_weighted__the_largest_sum),
        TEST(test_best__the_largest_weight_the_earlier_chain),
        TEST(test_best__first_best_chain_not_first_chain),
        TEST(test_perplexity__the_smallest_weight),
        TEST(test_random__only_chances),
        TEST(test_random__an_answer_that_nobody_gave),
        TEST(test_tie__first_to_appear_wins_and_the_share_is_expected),
        TEST(test_tie__of_exact_sums_in_any_order),
        TEST(test_tie__of_zeros),
        TEST(test_weighted__negative_weights),
        TEST(test_nothing_cast),
        TEST(test_correct__not_known),
        TEST(test_result__without_an_answer),
        TEST(test_decide__refuses_weights_that_cannot_be_summed),
        TEST(test_decide__every_allocation_fails),
        TEST(test_names__there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
