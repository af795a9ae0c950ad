/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/score.h"

#define A RDV_STR("a")
#define B RDV_STR("b")
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

/* Ballots from a pattern: a letter is the answer, '.' is unread. */
static size_t ballots_of(const char *pattern, const double *weights, rdv_ballot *out)
{
    size_t n = strlen(pattern);
    for (size_t i = 0; i < n; i++)
        out[i] = (rdv_ballot){.key = pattern[i] == '.' ? UNREAD : (rdv_str){&pattern[i], 1},
                              .weight = weights ? weights[i] : 1,
                              .correct = -1};
    return n;
}

static size_t used_by(rdv_select_kind how, rdv_stop rule, const char *pattern,
                      const double *weights)
{
    rdv_ballot ballots[64];
    size_t n = ballots_of(pattern, weights, ballots), used = 99;
    assert_int_equal(rdv_stop_after(how, &rule, ballots, n, arena, &used, NULL), RDV_OK);
    return used;
}

static const rdv_stop certainly = {.kind = RDV_STOP_CERTAIN};

static void test_certain__majority(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        size_t used;
    } cases[] = {
        {"", 0},        {"a", 1},       {"aa", 2}, /* a, then b could still tie */
        {"aaa", 2},     {"aaaa", 3},               /* 2 : 0 with 2 to come is no strict margin */
        {"aaaaa", 3},   {"abababa", 7}, {"aaabbbb", 7}, {"aaaabbb", 4}, /* 4 : 0 with 3 to come */
        {"...aaaa", 6}, /* the unread ones are gone, 3 : 0 with 1 to come */
        {"abcdefa", 7}, {"aaaabcd", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(used_by(RDV_SELECT_MAJORITY, certainly, cases[i].pattern, NULL),
                         cases[i].used);
}

static void test_certain__weighted(void **state)
{
    (void)state;
    const double even[] = {1, 1, 0, 0, 0};
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, certainly, "aaaaa", even), 4);
    const double weak[] = {0.1, 0.1, 0.1};
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, certainly, "aaa", weak), 3);
    rdv_stop bounded = certainly;
    bounded.high = 0.1;
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, bounded, "aaa", weak), 2);
    const double nothing[] = {NAN, 1, NAN, 1};
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, certainly, "abab", nothing), 4);
}

/* Ten tenths are a little more than 1 as real numbers, so the margin is strict, by 2^-54 or so. */
static void test_certain__exact_margin(void **state)
{
    (void)state;
    const double tenths[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 1};
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, certainly, "aaaaaaaaaab", tenths), 10);
    const double quarters[] = {0.25, 0.25, 0.25, 0.25, 1};
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, certainly, "aaaab", quarters), 5);
}

static void test_certain__negative_weights(void **state)
{
    (void)state;
    rdv_stop rule = {.kind = RDV_STOP_CERTAIN, .low = -2, .high = 1};
    const double w[] = {1, 1, 1, 1, -2};
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, rule, "aaaaa", w), 4);
    const double v[] = {1, 1, 1, 1, 1, 0}; /* 5 against the 2 that the last one can take away */
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, rule, "aaaaaa", v), 5);
}

static void test_certain__answers_known(void **state)
{
    (void)state;
    rdv_stop rule = {.kind = RDV_STOP_CERTAIN, .answers_known = true};
    const double w[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    /* one dissenter can bring 1 at most: after 3 the sum is 1.5 */
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, rule, "aaaaaaab", w), 3);
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, certainly, "aaaaaaab", w), 6);
    /* all agree: one that was read is enough */
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, rule, "aaaaaaaa", w), 1);
    const double unread[] = {NAN, NAN, 0.1};
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, rule, "aaa", unread), 3);
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, rule, "...", NULL), 3);
    const double late[] = {1, 1, 0, 0.9}; /* b may bring 2, then 1, then .9 */
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, rule, "aabb", late), 3);
}

static void test_posterior__beta_of_the_two_leaders(void **state)
{
    (void)state;
    rdv_stop rule = {.kind = RDV_STOP_POSTERIOR, .p = 0.05};
    /* I_1/2(v + 1, 1) = 2^-(v + 1): 4 votes give 1/32 */
    assert_int_equal(used_by(RDV_SELECT_MAJORITY, rule, "aaaaaaaaaaaaaaaaaaaa", NULL), 4);
    /* against one dissenter: I_1/2(v + 1, 2) = (v + 3) / 2^(v + 2), .0352 for v = 6 */
    assert_int_equal(used_by(RDV_SELECT_MAJORITY, rule, "baaaaaaaaaaaaaaaaaaa", NULL), 7);
    rule.p = 0.0624;
    assert_int_equal(used_by(RDV_SELECT_MAJORITY, rule, "aaaaaaaaaaaaaaaaaaaa", NULL), 4);
    rule.p = 0.0626;
    assert_int_equal(used_by(RDV_SELECT_MAJORITY, rule, "aaaaaaaaaaaaaaaaaaaa", NULL), 3);
    /* certain also stops it */
    rule.p = 1e-9;
    assert_int_equal(used_by(RDV_SELECT_MAJORITY, rule, "aaaaa", NULL), 3);
    /* half weights are half votes; with bounds of [0, 0.5] whole ones again */
    const double half[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5,
                           0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    rule.p = 0.05;
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, rule, "aaaaaaaaaaaaaaaaaaaa", half), 7);
    rule.high = 0.5;
    assert_int_equal(used_by(RDV_SELECT_WEIGHTED, rule, "aaaaaaaaaaaaaaaaaaaa", half), 4);
}

static void test_none__uses_all(void **state)
{
    (void)state;
    assert_int_equal(used_by(RDV_SELECT_MAJORITY, (rdv_stop){0}, "aaaaaaaa", NULL), 8);
}

static void test_tally__one_by_one(void **state)
{
    (void)state;
    rdv_tally *tally;
    rdv_error err = {0};
    const rdv_ballot a = {A, 0.75, -1}, outside = {B, 1.5, -1}, unread = {UNREAD, 0.5, -1};
    assert_int_equal(rdv_tally_new(RDV_SELECT_WEIGHTED, &certainly, 3, arena, &tally, NULL),
                     RDV_OK);
    assert_false(rdv_tally_settled(tally));
    assert_int_equal(rdv_tally_add(tally, &a, NULL), RDV_OK);
    assert_int_equal(rdv_tally_add(tally, &outside, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "1.5"));
    assert_false(rdv_tally_settled(tally));
    assert_int_equal(rdv_tally_add(tally, &a, NULL), RDV_OK);
    assert_true(rdv_tally_settled(tally)); /* 1.5 with one to come */
    assert_int_equal(rdv_tally_add(tally, &unread, NULL), RDV_OK);
    assert_int_equal(rdv_tally_add(tally, &a, &err), RDV_E_ARGUMENT);
}

static void test_tally__an_answer_that_was_not_announced(void **state)
{
    (void)state;
    rdv_tally *tally;
    const rdv_stop rule = {.kind = RDV_STOP_CERTAIN, .answers_known = true};
    const rdv_ballot a = {A, 1, -1}, b = {B, 1, -1};
    assert_int_equal(rdv_tally_new(RDV_SELECT_WEIGHTED, &rule, 3, arena, &tally, NULL), RDV_OK);
    assert_int_equal(rdv_tally_expect(tally, A, NULL), RDV_OK);
    assert_int_equal(rdv_tally_add(tally, &b, NULL), RDV_E_ARGUMENT);
    assert_int_equal(rdv_tally_add(tally, &a, NULL), RDV_OK);
    assert_int_equal(rdv_tally_add(tally, &a, NULL), RDV_E_ARGUMENT);
}

static void test_new__refuses(void **state)
{
    (void)state;
    static const struct {
        rdv_select_kind how;
        rdv_stop rule;
    } bad[] = {
        {RDV_SELECT_BEST, {.kind = RDV_STOP_CERTAIN}},
        {RDV_SELECT_RANDOM, {.kind = RDV_STOP_CERTAIN}},
        {RDV_SELECT_WEIGHTED, {.kind = RDV_STOP_CERTAIN, .low = 1, .high = 0.5}},
        {RDV_SELECT_WEIGHTED, {.kind = RDV_STOP_CERTAIN, .high = INFINITY}},
        {RDV_SELECT_WEIGHTED, {.kind = RDV_STOP_CERTAIN, .low = NAN}},
        {RDV_SELECT_MAJORITY, {.kind = RDV_STOP_POSTERIOR}},
        {RDV_SELECT_MAJORITY, {.kind = RDV_STOP_POSTERIOR, .p = 0.5}},
        {RDV_SELECT_WEIGHTED, {.kind = RDV_STOP_POSTERIOR, .p = 0.1, .low = -1, .high = 1}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rdv_tally *tally = NULL;
        rdv_error err = {0};
        assert_int_equal(rdv_tally_new(bad[i].how, &bad[i].rule, 3, arena, &tally, &err),
                         RDV_E_ARGUMENT);
        assert_null(tally);
        assert_true(strlen(err.msg) > 0);
    }
}

static void test_named(void **state)
{
    (void)state;
    rdv_stop rule = {.p = 9};
    assert_int_equal(rdv_stop_named(RDV_STR("certain"), &rule, NULL), RDV_OK);
    assert_int_equal(rule.kind, RDV_STOP_CERTAIN);
    assert_near(rule.p, 0, 0);
    assert_int_equal(rdv_stop_named(RDV_STR("posterior:0.05"), &rule, NULL), RDV_OK);
    assert_int_equal(rule.kind, RDV_STOP_POSTERIOR);
    assert_near(rule.p, 0.05, 0);
    assert_int_equal(rdv_stop_named(RDV_STR("posterior:1e-3"), &rule, NULL), RDV_OK);
    assert_near(rule.p, 1e-3, 0);
    assert_int_equal(rdv_stop_named(RDV_STR("none"), &rule, NULL), RDV_OK);
    assert_int_equal(rule.kind, RDV_STOP_NONE);
    static const char *const bad[] = {"",
                                      "Certain",
                                      "posterior",
                                      "posterior:",
                                      "posterior:0",
                                      "posterior:.5",
                                      "posterior:nan",
                                      "posterior:0x.1",
                                      "posterior:0.1x",
                                      "posterior:0.1-2",
                                      "posterior: 0.1",
                                      "posterior:-0.1",
                                      "posterior:0.0000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(rdv_stop_named(rdv_str_of(bad[i]), &rule, NULL), RDV_E_ARGUMENT);
    assert_int_equal(rdv_stop_named((rdv_str){0}, &rule, NULL), RDV_E_ARGUMENT);
    assert_int_equal(rdv_stop_named((rdv_str){"posterior:0.1\0", 14}, &rule, NULL), RDV_E_ARGUMENT);
}

/* A ballot that cannot be counted for want of memory is not counted as another's. */
static bool stops(const rdv_stop *rule, const rdv_ballot *ballots, size_t n, size_t after)
{
    size_t used;
    int rc = rdv_stop_after(RDV_SELECT_WEIGHTED, rule, ballots, n, arena, &used, NULL);
    assert_true(rc == RDV_OK ? used == after : rc == RDV_E_NOMEM);
    return rc == RDV_OK;
}

static void test_stop_after__every_allocation_fails(void **state)
{
    (void)state;
    rdv_ballot ballots[28];
    size_t n = ballots_of("zzzzzzzzbcdefghizzzzzzjklmno", NULL, ballots), after[2];
    for (int known = 0; known < 2; known++) {
        rdv_stop rule = {.kind = RDV_STOP_CERTAIN, .answers_known = known};
        assert_int_equal(
            rdv_stop_after(RDV_SELECT_WEIGHTED, &rule, ballots, n, arena, &after[known], NULL),
            RDV_OK);
        assert_survives_no_memory(stops(&rule, ballots, n, after[known]), rdv_arena_reset(arena));
    }
    assert_true(after[1] < after[0] && after[0] < n);
}

/* What lies outside the bounds could turn a vote that was said to be certain. */
static void test_tally__refuses_weights_outside_the_bounds(void **state)
{
    (void)state;
    rdv_stop rule = {.kind = RDV_STOP_CERTAIN, .low = 0.5, .high = 2};
    rdv_tally *t;
    rdv_error err;
    rdv_ballot low = {.key = RDV_STR("a"), .weight = 0.4},
               high = {.key = RDV_STR("a"), .weight = 3}, fits = {.key = RDV_STR("a"), .weight = 1};
    assert_int_equal(rdv_tally_new(RDV_SELECT_WEIGHTED, &rule, 1, arena, &t, NULL), RDV_OK);
    assert_int_equal(rdv_tally_add(t, &low, &err), RDV_E_INPUT);
    assert_string_equal(err.msg, "chain 0: its weight 0.4 lies outside [0.5, 2]");
    assert_int_equal(rdv_tally_add(t, &high, &err), RDV_E_INPUT);
    assert_false(rdv_tally_settled(t));
    assert_int_equal(rdv_tally_add(t, &fits, NULL), RDV_OK);
    assert_true(rdv_tally_settled(t)); /* all were counted */
    assert_int_equal(rdv_tally_add(t, &fits, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "more than the 1 chains of this vote");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_certain__majority),
        TEST(test_certain__weighted),
        TEST(test_certain__exact_margin),
        TEST(test_certain__negative_weights),
        TEST(test_certain__answers_known),
        TEST(test_posterior__beta_of_the_two_leaders),
        TEST(test_none__uses_all),
        TEST(test_tally__one_by_one),
        TEST(test_tally__an_answer_that_was_not_announced),
        TEST(test_new__refuses),
        TEST(test_named),
        TEST(test_stop_after__every_allocation_fails),
        TEST(test_tally__refuses_weights_outside_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
