/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that follow a trace, as methods: what becomes of their verdicts. */
#include <rederive/method.h>

#include "../test.h"

#include <math.h>

static rdv_check check(const char *name, const char *question, rdv_str *steps, size_t n,
                       rdv_arena *arena)
{
    rdv_chain chain = {.question = {.text = rdv_str_of(question)}, .steps = steps, .n_steps = n};
    rdv_check_options options;
    rdv_check_options_default(&options, sizeof options);
    const rdv_method *method = rdv_method_named(rdv_str_of(name));
    rdv_check out;
    assert_non_null(method);
    assert_int_equal(rdv_check_chain(method, &chain, &options, arena, &out, NULL), RDV_OK);
    assert_true(rdv_str_eq(out.method, rdv_str_of(method->name)));
    assert_int_equal(out.n_verdicts, n);
    assert_int_equal(out.calls, 0);
    return out;
}

static const struct {
    const char *method, *question, *right, *wrong;
} cases[] = {
    {"dyck", "[ <", "[ ; stack: [", "[ ; stack: <"},
    {"sorting", "pear fig", "We now have: \"fig\" < \"pear\".", "We now have: \"pear\" < \"fig\"."},
    {"shuffled-objects", "Ann has a cup and Ben has a jug. Ann and Ben swap. Ben has the",
     "Ann: cup, Ben: jug.", "Ann: jug, Ben: cup."},
    {"arithmetic", "(2 + 3) =", "(2 + 3) = 5", "(2 + 3) = 6"},
    {"deduction", "- There were two: Ann and Ben.\n- Ann finished first.", "Ann finished first.",
     "Ben finished first."},
};

#define CASES (sizeof cases / sizeof *cases)

static void test_programs__confidence(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        rdv_str right[] = {rdv_str_of(cases[i].right)};
        rdv_str wrong[] = {rdv_str_of(cases[i].wrong), rdv_str_of(cases[i].right)};
        rdv_check a = check(cases[i].method, cases[i].question, right, 1, arena);
        assert_true(a.confidence == 1 && a.first_error == RDV_NO_STEP && a.n_unknown == 0);
        rdv_check b = check(cases[i].method, cases[i].question, wrong, 2, arena);
        assert_true(b.confidence < 0.6 && b.first_error == 0);
        assert_int_equal(b.n_unknown, 1); /* nothing is said behind the first mistake */
    }
    rdv_arena_free(&arena);
}

/* Nothing was read: no confidence, so no weighted vote. */
static void test_programs__another_question(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str steps[] = {RDV_STR("It is four.")};
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        rdv_check c = check(cases[i].method, "What is two plus two?", steps, 1, arena);
        assert_int_equal(c.n_unknown, 1);
        assert_int_equal(c.first_error, RDV_STEP_UNKNOWN);
        assert_true(isnan(c.confidence));
        assert_true(isnan(check(cases[i].method, cases[i].question, NULL, 0, arena).confidence));
    }
    rdv_arena_free(&arena);
}

/* Steps that state nothing that could be wrong prove nothing. */
static void test_programs__nothing_decided(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str steps[] = {RDV_STR("We should process each input one by one and keep track of the "
                               "stack configuration."),
                       RDV_STR("[ ; stack: [")};
    (void)state;
    rdv_check none = check(cases[0].method, cases[0].question, steps, 1, arena);
    assert_int_equal(none.verdicts[0].kind, RDV_UNRELATED);
    assert_true(isnan(none.confidence));
    assert_int_equal(none.first_error, RDV_NO_STEP);
    assert_true(check(cases[0].method, cases[0].question, steps, 2, arena).confidence == 1);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs__confidence),
        cmocka_unit_test(test_programs__another_question),
        cmocka_unit_test(test_programs__nothing_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
