/* SPDX-License-Identifier: Apache-2.0 */
/* Stopping early, tried on random ballots: after `certain` no completion changes the answer, and
 * one chain earlier some completion would have. */
#include "ballots.h"
#include "score/score.h"

#define ROUNDS 2000
#define COMPLETIONS 20
#define NEW_ANSWER 7 /* a letter that ballots_random() does not use */

typedef struct setting {
    rdv_select_kind how;
    rdv_stop rule;
} setting;

static const setting settings[] = {
    {RDV_SELECT_MAJORITY, {.kind = RDV_STOP_CERTAIN}},
    {RDV_SELECT_WEIGHTED, {.kind = RDV_STOP_CERTAIN}},
    {RDV_SELECT_WEIGHTED, {.kind = RDV_STOP_CERTAIN, .low = 0.25, .high = 0.75}},
    {RDV_SELECT_WEIGHTED, {.kind = RDV_STOP_CERTAIN, .low = -1, .high = 1}},
    {RDV_SELECT_WEIGHTED, {.kind = RDV_STOP_CERTAIN, .low = -2, .high = 0.5}},
};
#define N_SETTINGS (sizeof settings / sizeof *settings)

static double low_of(const setting *s)
{
    return s->rule.low;
}

static double high_of(const setting *s)
{
    return s->rule.low == 0 && s->rule.high == 0 ? 1 : s->rule.high;
}

static size_t used_by(const setting *s, const rdv_ballot *b, size_t n, rdv_arena *arena)
{
    size_t used;
    assert_int_equal(rdv_stop_after(s->how, &s->rule, b, n, arena, &used, NULL), RDV_OK);
    assert_true(used <= n);
    return used;
}

/* Fill b[from..n) with ballots for one answer and weight. */
static void complete(rdv_ballot *b, size_t from, size_t n, rdv_str key, double weight)
{
    for (size_t i = from; i < n; i++)
        b[i] = (rdv_ballot){.key = key, .weight = weight, .correct = -1};
}

/* The answer leading among the first `used` ballots, but for `not_this`. */
static rdv_str second(const rdv_vote *vote)
{
    rdv_str best = {0};
    double most = -INFINITY;
    for (size_t i = 0; i < vote->n_answers; i++) {
        const rdv_vote_answer *a = &vote->answers[i];
        if (i != vote->winner && a->in_running && a->weight > most) {
            best = a->key;
            most = a->weight;
        }
    }
    return best;
}

static bool same_outcome(const rdv_vote *a, const rdv_vote *b)
{
    return rdv_str_eq(ballots_winner(a), ballots_winner(b)) && b->n_tied == 0;
}

/* Whether one of the worst completions of b[from..n) changes the winner or makes a tie. */
static bool can_change(const setting *s, rdv_ballot *b, size_t from, size_t n, rdv_arena *arena)
{
    rdv_vote now = ballots_decide(s->how, b, from, arena);
    if (now.winner == RDV_NO_ANSWER)
        return true;
    const struct {
        rdv_str key;
        double weight;
    } worst[] = {
        {second(&now), high_of(s)},
        {ballot_key(NEW_ANSWER), high_of(s)},
        {ballots_winner(&now), low_of(s)},
    };
    bool changed = now.n_tied > 0;
    for (size_t i = 0; i < 3; i++) {
        complete(b, from, n, worst[i].key, worst[i].weight);
        rdv_vote then = ballots_decide(s->how, b, n, arena);
        changed = changed || !same_outcome(&now, &then);
    }
    return changed;
}

static void try_completions(const setting *s, rdv_ballot *b, size_t used, size_t n, rdv_rng *rng,
                            rdv_arena *arena)
{
    rdv_vote now = ballots_decide(s->how, b, used, arena);
    for (int k = 0; k < COMPLETIONS; k++) {
        for (size_t i = used; i < n; i++)
            b[i] = ballot_random(rng, 8, low_of(s), high_of(s));
        rdv_vote then = ballots_decide(s->how, b, n, arena);
        assert_true(same_outcome(&now, &then));
    }
}

static void test_certain__no_completion_changes_the_answer(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 6);
    rdv_arena *arena = rdv_arena_new(0);
    size_t stopped = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const setting *s = &settings[(size_t)round % N_SETTINGS];
        rdv_ballot b[BALLOTS_MAX], copy[BALLOTS_MAX];
        size_t n = ballots_random(&rng, low_of(s), high_of(s), b);
        memcpy(copy, b, sizeof b);
        size_t used = used_by(s, b, n, arena);
        if (used < n) {
            stopped++;
            assert_false(can_change(s, copy, used, n, arena));
            try_completions(s, copy, used, n, &rng, arena);
            /* What comes later does not change where it stops. */
            assert_int_equal(used_by(s, copy, n, arena), used);
        }
        rdv_arena_reset(arena);
    }
    assert_true(stopped > ROUNDS / 10);
    rdv_arena_free(&arena);
}

/* With low >= 0 the rule is as early as it can be: one chain before, something could still change.
 */
static void test_certain__not_a_chain_too_late(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 7);
    rdv_arena *arena = rdv_arena_new(0);
    for (int round = 0; round < ROUNDS; round++) {
        const setting *s = &settings[(size_t)round % 3];
        rdv_ballot b[BALLOTS_MAX];
        size_t n = ballots_random(&rng, low_of(s), high_of(s), b);
        size_t used = used_by(s, b, n, arena);
        if (used > 0)
            assert_true(can_change(s, b, used - 1, n, arena));
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

/* Give every remaining chain of `up` its highest weight and every other its lowest. */
static void complete_for(const setting *s, rdv_ballot *b, size_t from, size_t n, rdv_str up)
{
    double least = fmin(low_of(s), 0), most = fmax(high_of(s), 0);
    for (size_t i = from; i < n; i++)
        b[i].weight = rdv_str_eq(b[i].key, up) ? most : least;
}

static void test_answers_known__no_weights_change_the_answer(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 8);
    rdv_arena *arena = rdv_arena_new(0);
    for (int round = 0; round < ROUNDS; round++) {
        const setting *unknown = &settings[1 + (size_t)round % (N_SETTINGS - 1)];
        setting s = *unknown;
        s.rule.answers_known = true;
        rdv_ballot b[BALLOTS_MAX];
        size_t n = ballots_random(&rng, low_of(&s), high_of(&s), b);
        size_t used = used_by(&s, b, n, arena);
        assert_true(used <= used_by(unknown, b, n, arena));
        rdv_vote now = ballots_decide(s.how, b, used, arena);
        for (size_t up = 0; up < 8 && used < n; up++) {
            complete_for(&s, b, used, n, ballot_key(up));
            rdv_vote then = ballots_decide(s.how, b, n, arena);
            assert_true(same_outcome(&now, &then));
        }
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

static void test_posterior__smaller_chances_take_longer(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 9);
    rdv_arena *arena = rdv_arena_new(0);
    for (int round = 0; round < ROUNDS; round++) {
        setting s = settings[round % 2];
        rdv_ballot b[BALLOTS_MAX];
        size_t n = ballots_random(&rng, 0, 1, b), certain = used_by(&s, b, n, arena), before = n;
        s.rule.kind = RDV_STOP_POSTERIOR;
        for (s.rule.p = 1e-6; s.rule.p < 0.5; s.rule.p *= 4) {
            size_t used = used_by(&s, b, n, arena);
            assert_true(used <= certain && used <= before);
            before = used;
        }
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certain__no_completion_changes_the_answer),
        cmocka_unit_test(test_certain__not_a_chain_too_late),
        cmocka_unit_test(test_answers_known__no_weights_change_the_answer),
        cmocka_unit_test(test_posterior__smaller_chances_take_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
