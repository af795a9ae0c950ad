/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every vote, tried on random ballots. */
#include "ballots.h"

#define ROUNDS 3000

static const rdv_select_kind selections[] = {RDV_SELECT_MAJORITY, RDV_SELECT_WEIGHTED,
                                             RDV_SELECT_BEST, RDV_SELECT_PERPLEXITY,
                                             RDV_SELECT_RANDOM};
#define N_SELECTIONS (sizeof selections / sizeof *selections)

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static const rdv_vote_answer *answer_in(const rdv_vote *vote, rdv_str key)
{
    for (size_t i = 0; i < vote->n_answers; i++) {
        if (rdv_str_eq(vote->answers[i].key, key))
            return &vote->answers[i];
    }
    return NULL;
}

static void shuffle(rdv_rng *rng, const rdv_ballot *from, size_t n, rdv_ballot *to)
{
    size_t order[BALLOTS_MAX];
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    rdv_rng_shuffle(rng, order, n);
    for (size_t i = 0; i < n; i++)
        to[i] = from[order[i]];
}

/* Only which of tied answers wins may depend on the order. Weights of very different sizes: sums of
 * doubles would differ. */
static void test_order__changes_nothing_but_who_wins_a_tie(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 1);
    rdv_arena *arena = rdv_arena_new(0);
    for (int round = 0; round < ROUNDS; round++) {
        rdv_ballot b[BALLOTS_MAX], turned[BALLOTS_MAX];
        size_t n = ballots_random(&rng, 0, 1, b);
        for (size_t i = 0; i < n; i++)
            b[i].weight = ldexp(b[i].weight, (int)rdv_rng_below(&rng, 80) - 60) / 3;
        shuffle(&rng, b, n, turned);
        for (size_t s = 0; s < N_SELECTIONS; s++) {
            rdv_vote x = ballots_decide(selections[s], b, n, arena);
            rdv_vote y = ballots_decide(selections[s], turned, n, arena);
            assert_int_equal(x.n_answers, y.n_answers);
            assert_int_equal(x.n_tied, y.n_tied);
            assert_int_equal(x.cast, y.cast);
            assert_true(same_number(x.expected_correct, y.expected_correct));
            assert_true(x.n_tied > 0 || rdv_str_eq(ballots_winner(&x), ballots_winner(&y)));
            for (size_t i = 0; i < x.n_answers; i++) {
                const rdv_vote_answer *other = answer_in(&y, x.answers[i].key);
                assert_true(same_number(x.answers[i].weight, other->weight));
                assert_int_equal(x.answers[i].tied, other->tied);
            }
        }
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

static void test_weights__scaled_by_powers_of_two(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 2);
    rdv_arena *arena = rdv_arena_new(0);
    for (int round = 0; round < ROUNDS; round++) {
        rdv_ballot b[BALLOTS_MAX], scaled[BALLOTS_MAX];
        size_t n = ballots_random(&rng, 0, 1, b);
        int exponent = (int)rdv_rng_below(&rng, 300) - 250;
        for (size_t i = 0; i < n; i++) {
            scaled[i] = b[i];
            scaled[i].weight = ldexp(b[i].weight, exponent);
        }
        for (size_t s = 0; s < N_SELECTIONS; s++) {
            rdv_vote x = ballots_decide(selections[s], b, n, arena);
            rdv_vote y = ballots_decide(selections[s], scaled, n, arena);
            assert_int_equal(x.winner, y.winner);
            assert_int_equal(x.chain, y.chain);
            assert_int_equal(x.n_tied, y.n_tied);
            assert_true(same_number(x.expected_correct, y.expected_correct));
            assert_true(same_number(x.weight_share, y.weight_share));
        }
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

static void test_majority__is_weighted_by_one(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 3);
    rdv_arena *arena = rdv_arena_new(0);
    for (int round = 0; round < ROUNDS; round++) {
        rdv_ballot b[BALLOTS_MAX], ones[BALLOTS_MAX];
        size_t n = ballots_random(&rng, 0, 1, b);
        for (size_t i = 0; i < n; i++) {
            ones[i] = b[i];
            ones[i].weight = 1;
        }
        rdv_vote x = ballots_decide(RDV_SELECT_MAJORITY, b, n, arena);
        rdv_vote y = ballots_decide(RDV_SELECT_WEIGHTED, ones, n, arena);
        assert_int_equal(x.winner, y.winner);
        assert_int_equal(x.n_tied, y.n_tied);
        assert_true(same_number(x.weight_share, y.weight_share));
        assert_true(same_number(x.expected_correct, y.expected_correct));
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

/* Weights are whole eighths: the winner and the ties must be those of whole numbers. */
static void test_weighted__against_whole_numbers(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 4);
    rdv_arena *arena = rdv_arena_new(0);
    for (int round = 0; round < ROUNDS; round++) {
        rdv_ballot b[BALLOTS_MAX];
        size_t n = ballots_random(&rng, -1, 1, b);
        rdv_vote v = ballots_decide(RDV_SELECT_WEIGHTED, b, n, arena);
        int eighths[8] = {0}, cast[8] = {0}, top = -1000, tied = 0;
        for (size_t i = 0; i < n; i++) {
            if (b[i].key.p && !isnan(b[i].weight)) {
                eighths[b[i].key.p - ballot_letters] += (int)(b[i].weight * 8);
                cast[b[i].key.p - ballot_letters]++;
            }
        }
        for (int i = 0; i < 8; i++)
            top = cast[i] && eighths[i] > top ? eighths[i] : top;
        for (int i = 0; i < 8; i++)
            tied += cast[i] && eighths[i] == top;
        assert_int_equal(v.n_tied, tied > 1 ? tied : 0);
        rdv_str winner = ballots_winner(&v);
        assert_int_equal(winner.p != NULL, tied > 0);
        if (winner.p)
            assert_int_equal(eighths[winner.p - ballot_letters], top);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

/* Chains that cast nothing change counts only (the share of right chains in a random one too). */
static void test_silent_chains__change_no_vote(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 5);
    rdv_arena *arena = rdv_arena_new(0);
    for (int round = 0; round < ROUNDS; round++) {
        rdv_ballot b[BALLOTS_MAX], more[2 * BALLOTS_MAX];
        size_t n = ballots_random(&rng, 0, 1, b), m = 0;
        for (size_t i = 0; i < n; i++) {
            if (rdv_rng_below(&rng, 2))
                more[m++] = (rdv_ballot){.weight = 1, .correct = 0};
            more[m++] = b[i];
        }
        for (size_t s = 0; s < N_SELECTIONS - 1; s++) {
            rdv_vote x = ballots_decide(selections[s], b, n, arena);
            rdv_vote y = ballots_decide(selections[s], more, m, arena);
            assert_int_equal(x.winner, y.winner);
            assert_int_equal(x.n_tied, y.n_tied);
            assert_int_equal(y.unread - x.unread, m - n);
            assert_true(same_number(x.weight_share, y.weight_share));
        }
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order__changes_nothing_but_who_wins_a_tie),
        cmocka_unit_test(test_weights__scaled_by_powers_of_two),
        cmocka_unit_test(test_majority__is_weighted_by_one),
        cmocka_unit_test(test_weighted__against_whole_numbers),
        cmocka_unit_test(test_silent_chains__change_no_vote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
