/* SPDX-License-Identifier: Apache-2.0 */
/* The method `calculations`: from the calculations of steps to verdicts and a confidence. */
#include <rederive/method.h>

#include "../score/near.h"
#include "../test.h"

#include "base/str.h"

#include <math.h>
#include <stdio.h>

static rdv_chain chain_of(rdv_str *steps, size_t n)
{
    return (rdv_chain){.question = {.text = RDV_STR("How many?")}, .steps = steps, .n_steps = n};
}

static rdv_check check_by(const char *name, rdv_str *steps, size_t n, rdv_arena *arena)
{
    rdv_chain chain = chain_of(steps, n);
    rdv_check_options options;
    rdv_check_options_default(&options, sizeof options);
    options.math = RDV_MATH_NATIVE;
    options.verifiers.verifiers = 1u << RDV_VERIFIER_MATH;
    options.mathematical = RDV_MATHEMATICAL_YES;
    const rdv_method *method = rdv_method_named(rdv_str_of(name));
    rdv_check out;
    assert_non_null(method);
    assert_int_equal(rdv_check_chain(method, &chain, &options, arena, &out, NULL), RDV_OK);
    return out;
}

static rdv_check check(rdv_str *steps, size_t n, rdv_arena *arena)
{
    return check_by("calculations", steps, n, arena);
}

static void test_check_chain__verdicts(void **state)
{
    rdv_str steps[] = {
        RDV_STR("Anna has some pens."),
        RDV_STR("3 + 4 = 7."),
        RDV_STR("5 / 0 = 1."),
        RDV_STR("1/0 = 1, but 2 + 2 = 4."),
        RDV_STR("2 + 2 = 4 and then 7 * 2 = 15."),
        RDV_STR("So 10 / 3 = 3.33."),
    };
    static const rdv_verdict_kind expected[] = {RDV_UNRELATED, RDV_SUPPORT,    RDV_UNKNOWN,
                                                RDV_UNKNOWN,   RDV_CONTRADICT, RDV_SUPPORT};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_check c = check(steps, 6, arena);
    assert_int_equal(c.n_verdicts, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(c.verdicts[i].step, i);
        assert_int_equal(c.verdicts[i].kind, expected[i]);
    }
    assert_text(c.method, "calculations");
    assert_int_equal(c.first_error, 4);
    assert_int_equal(c.n_unknown, 2);
    assert_text(c.verdicts[4].why, "7 * 2 is 14, not 15");
    assert_null(c.verdicts[1].why.p);
    assert_null(c.verdicts[0].evidence);
    const rdv_evidence *list = rdv_evidence_get(c.verdicts[4].evidence, RDV_STR("calculations"));
    assert_non_null(list);
    assert_int_equal(c.calls, 0);
    rdv_arena_free(&arena);
}

/* A statement in words is told as it stands, and a number is not said to be itself. */
static void test_check_chain__explanations(void **state)
{
    rdv_str steps[] = {RDV_STR("17 divided by 5 is 2 remainder 7"), RDV_STR("5 / 0 = 1."),
                       RDV_STR("The prime factorization of 60 is 2^2 * 3 * 7.")};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_check c = check(steps, 3, arena);
    assert_text(c.verdicts[0].why, "17 divided by 5 is 2 remainder 7: a remainder that is not "
                                   "smaller than the divisor");
    assert_true(rdv_starts(c.verdicts[1].why, RDV_STR("5 / 0 = 1: ")));
    assert_text(c.verdicts[2].why, "2^2 * 3 * 7 is 84, not 60");
    rdv_arena_free(&arena);
}

/* The note of the only calculation of a step. */
static rdv_str note_of(const rdv_verdict *v)
{
    const rdv_evidence *list = rdv_evidence_get(v->evidence, RDV_STR("calculations"));
    const rdv_evidence *note = rdv_evidence_get(rdv_evidence_first(list), RDV_STR("note"));
    return note ? note->text : (rdv_str){0};
}

/* A rewritten term is shown worked out, an equation with its solutions, and an identity with the
 * divisors that must not be 0. */
static void test_check_chain__letters(void **state)
{
    static const struct {
        const char *step;
        rdv_verdict_kind is;
        const char *says; /* the explanation, or the note of what is right */
    } cases[] = {
        {"Expanding, (x+1)^2 = x^2+1.", RDV_CONTRADICT, "(x+1)^2 is x^2 + 2x + 1, not x^2+1"},
        {"Factoring, x^2+x = (x+1)^2.", RDV_CONTRADICT, "x^2+x is x(x + 1), not (x+1)^2"},
        {"Factoring, x^2+1 = (x+1)^2.", RDV_CONTRADICT, "(x+1)^2 is x^2 + 2x + 1, not x^2+1"},
        {"So 0.6x + 2.1x = 2.9x.", RDV_CONTRADICT, "0.6x + 2.1x is 2.7x, not 2.9x"},
        {"(x+1)^2 = x^2+9", RDV_UNKNOWN,
         "(x+1)^2 = x^2+9: it holds only where x is 4; perhaps an equation"},
        {"(a+b)^2 = a^2+b^2", RDV_UNKNOWN,
         "(a+b)^2 = a^2+b^2: it does not hold for all values of the letters; perhaps an equation"},
        {"(x+1)^2 = x^2+2x+1", RDV_SUPPORT, "the same for all values of the letters"},
        {"(x^2-1)/(x-1) = x+1", RDV_SUPPORT, "the same where x - 1 is not 0"},
        {"1/x + 1/y = (x+y)/(xy)", RDV_SUPPORT, "the same for all values of the letters"},
        {"x*y*(x+2)/(x*y) = x+2", RDV_SUPPORT, "the same where x is not 0 and y is not 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str step = rdv_str_of(cases[i].step);
        rdv_check c = check(&step, 1, arena);
        assert_int_equal(c.verdicts[0].kind, cases[i].is);
        rdv_str says = c.verdicts[0].why.p ? c.verdicts[0].why : note_of(&c.verdicts[0]);
        if (!rdv_str_eq(says, rdv_str_of(cases[i].says)))
            fail_msg("%s: %.*s", cases[i].step, RDV_FMT(says));
        rdv_arena_free(&arena);
    }
}

/* What a step without a calculation or with a right one costs: nothing. */
static void test_check_chain__confidence(void **state)
{
    rdv_str good[] = {RDV_STR("Let us see."), RDV_STR("3 + 4 = 7."), RDV_STR("7 * 2 = 14.")};
    rdv_str bad[] = {RDV_STR("Let us see."), RDV_STR("3 + 4 = 8."), RDV_STR("8 * 2 = 15.")};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_check right = check(good, 3, arena), wrong = check(bad, 3, arena);
    assert_true(right.confidence == 1);
    assert_true(wrong.confidence < 0.5 && wrong.confidence > 0);
    assert_int_equal(right.first_error, RDV_NO_STEP);
    assert_int_equal(wrong.first_error, 1);
    assert_true(isnan(check(NULL, 0, arena).confidence));
    rdv_arena_free(&arena);
}

/* Steps of one chain share what was given before; other chains do not. */
#define UNREAD "100 -6 60 = 40"

/* A step of which nothing was decided, and a text was not read, is unknown with the reason; a
 * decided calculation decides, and what was not read stands beside it. */
static void test_check_chain__what_was_not_read(void **state)
{
    rdv_str steps[] = {
        RDV_STR("She has " UNREAD " left."),
        RDV_STR("2 + 2 = 4, and " UNREAD "."),
        RDV_STR("2 + 2 = 5, and " UNREAD "."),
        RDV_STR("5 / 0 = 1, and " UNREAD "."),
        RDV_STR("Let 2x + 3 = 7."),
        RDV_STR(UNREAD ". " UNREAD ". " UNREAD "."),
    };
    static const rdv_verdict_kind expected[] = {RDV_UNKNOWN, RDV_UNKNOWN,   RDV_CONTRADICT,
                                                RDV_UNKNOWN, RDV_UNRELATED, RDV_UNKNOWN};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_check c = check(steps, 6, arena);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(c.verdicts[i].kind, expected[i]);
    assert_text(c.verdicts[0].why, "not read: " UNREAD);
    assert_text(c.verdicts[1].why, "not read: " UNREAD);
    assert_text(c.verdicts[2].why, "2 + 2 is 4, not 5; not read: " UNREAD);
    assert_true(rdv_ends(c.verdicts[3].why, RDV_STR("; not read: " UNREAD)));
    for (size_t i = 0; i < 4; i++) {
        const rdv_evidence *list = rdv_evidence_get(c.verdicts[i].evidence, RDV_STR("not_read"));
        assert_true(list && rdv_evidence_first(list) && !rdv_evidence_first(list)->next);
        const rdv_evidence *start = rdv_evidence_get(rdv_evidence_first(list), RDV_STR("start"));
        const rdv_evidence *end = rdv_evidence_get(rdv_evidence_first(list), RDV_STR("end"));
        assert_text(rdv_slice(steps[i], (size_t)start->number, (size_t)end->number), UNREAD);
        assert_text(rdv_evidence_get(rdv_evidence_first(list), RDV_STR("reason"))->text, "other");
    }
    assert_int_equal(c.coverage->checked, 2);
    assert_int_equal(c.coverage->undecided, 1);
    assert_int_equal(c.coverage->unread[RDV_UNREAD_OTHER], 7);
    rdv_arena_free(&arena);
}

/* A later step says how the first one is to be read. */
static void test_check_chain__one_decimal_sign_for_all_steps(void **state)
{
    static const char *const methods[] = {"calculations", "math"};
    rdv_str steps[] = {RDV_STR("1.250 + 1.000 = 2250"), RDV_STR("Well."),
                       RDV_STR("That is 4,50 \xe2\x82\xac.")};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(check_by(methods[i], steps, 2, arena).verdicts[0].kind, RDV_UNKNOWN);
        assert_int_equal(check_by(methods[i], steps, 3, arena).verdicts[0].kind, RDV_SUPPORT);
    }
    rdv_arena_free(&arena);
}

/* An explanation that has no room leaves out what was not read. */
static void test_check_chain__explanation_without_room(void **state)
{
    char step[400];
    rdv_arena *arena = rdv_arena_new(0);
    snprintf(step, sizeof step, "1%0100d * 2 = 5, and 100 -6 60 = 40", 1);
    rdv_str steps[] = {rdv_str_of(step)};
    rdv_check c = check(steps, 1, arena);
    assert_int_equal(c.verdicts[0].kind, RDV_CONTRADICT);
    assert_true(c.verdicts[0].why.len > 200);
    assert_true(rdv_find(c.verdicts[0].why, RDV_STR("not read"), 0) == RDV_NOT_FOUND);
    assert_non_null(rdv_evidence_get(c.verdicts[0].evidence, RDV_STR("not_read")));
    rdv_arena_free(&arena);
}

/* A chain of which nothing was decided has no confidence; what was not read costs beside what was
 * decided. */
/* A score of 1 would count as a perfect step wherever step scores are combined. */
static void test_check_chain__an_undecided_step_has_no_score(void **state)
{
    static const char *const methods[] = {"calculations", "values", "math"};
    rdv_str steps[] = {RDV_STR("She has " UNREAD " left."), RDV_STR("5 / 0 = 1."),
                       RDV_STR("2 + 2 = 5"), RDV_STR("1 + 1 = 2")};
    static const rdv_verdict_kind expected[] = {RDV_UNKNOWN, RDV_UNKNOWN, RDV_CONTRADICT,
                                                RDV_SUPPORT};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        rdv_check c = check_by(methods[i], steps, 4, arena);
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(c.verdicts[k].kind, expected[k]);
        assert_true(isnan(c.verdicts[0].score) && isnan(c.verdicts[1].score));
        assert_true(c.verdicts[2].score == 0 && c.verdicts[3].score == 1);
    }
    rdv_arena_free(&arena);
}

static void test_check_chain__nothing_decided(void **state)
{
    static const char *const methods[] = {"calculations", "values"};
    rdv_str steps[] = {RDV_STR("Anna has some pens."), RDV_STR("She has " UNREAD " left."),
                       RDV_STR("2 + 2 = 4")};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < 2; i++) {
        assert_true(isnan(check_by(methods[i], steps, 1, arena).confidence));
        assert_true(isnan(check_by(methods[i], steps, 2, arena).confidence));
        /* nor is it without an error */
        assert_true(check_by(methods[i], &steps[1], 1, arena).first_error == RDV_STEP_UNKNOWN);
    }
    assert_near(check(steps, 3, arena).confidence, 2 / (1 + exp(0.3)), 1e-12);
    assert_true(check(&steps[2], 1, arena).confidence == 1);
    rdv_arena_free(&arena);
}

/* The claims check without a model reads the same: where nothing was decided it proves nothing. */
static void test_check_chain__claims_without_a_model(void **state)
{
    rdv_str steps[] = {RDV_STR("Anna has some pens."), RDV_STR("She has " UNREAD " left."),
                       RDV_STR("2 + 2 = 4")};
    rdv_arena *arena = rdv_arena_new(0);
    assert_true(isnan(check_by("math", steps, 1, arena).confidence));
    rdv_check two = check_by("math", steps, 2, arena);
    assert_true(isnan(two.confidence));
    assert_int_equal(two.verdicts[0].kind, RDV_SUPPORT); /* satisfied, where there is none */
    assert_int_equal(two.verdicts[1].kind, RDV_UNKNOWN);
    assert_text(two.verdicts[1].why, "not read: " UNREAD);
    assert_int_equal(two.coverage->unread[RDV_UNREAD_OTHER], 1);
    assert_true(check_by("math", steps, 3, arena).confidence > 0.5);
    assert_true(isnan(check_by("general", steps, 2, arena).confidence));
    rdv_arena_free(&arena);
}

static void test_check_chain__memory(void **state)
{
    rdv_str steps[] = {RDV_STR("100 / 3 = 33.33"), RDV_STR("33.33 * 3 = 100")};
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(check(steps, 2, arena).verdicts[1].kind, RDV_SUPPORT);
    rdv_str alone[] = {RDV_STR("33.333 * 3.5 = 116.667")};
    assert_int_equal(check(alone, 1, arena).verdicts[0].kind, RDV_UNKNOWN); /* a third */
    rdv_arena_free(&arena);
}

static bool check_quietly(rdv_str *steps, size_t n, rdv_arena *arena)
{
    rdv_chain chain = chain_of(steps, n);
    rdv_check_options options;
    rdv_check_options_default(&options, sizeof options);
    rdv_check out = {.n_verdicts = 77};
    int r = rdv_check_chain(rdv_method_named(RDV_STR("calculations")), &chain, &options, arena,
                            &out, NULL);
    assert_true(r == RDV_OK || r == RDV_E_NOMEM);
    assert_true(r == RDV_OK || out.n_verdicts == 77);
    return r == RDV_OK;
}

static void test_check_chain__no_memory(void **state)
{
    rdv_str steps[] = {RDV_STR("3 + 4 = <<3+4=8>>8."), RDV_STR("1/0 = 5"), RDV_STR("10/3 = 3.3")};
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(check_quietly(steps, 3, arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

static void test_check_chain__arguments(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain = chain_of(NULL, 0);
    rdv_check_options options = {.size = sizeof options, .l1 = 1, .l0 = 2};
    rdv_check out;
    rdv_error err = {0};
    const rdv_method *method = rdv_method_named(RDV_STR("calculations"));
    assert_int_equal(rdv_check_chain(method, &chain, &options, arena, &out, &err), RDV_E_ARGUMENT);
    assert_true(err.msg[0] != '\0');
    options = (rdv_check_options){.l1 = 1}; /* without a size */
    assert_int_equal(rdv_check_chain(method, &chain, &options, arena, &out, &err), RDV_E_ARGUMENT);
    assert_int_equal(rdv_check_chain(NULL, &chain, NULL, arena, &out, &err), RDV_E_ARGUMENT);
    assert_int_equal(rdv_check_chain(method, &chain, NULL, arena, &out, &err), RDV_OK);
    assert_null(rdv_method_named(RDV_STR("no such method")));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_chain__verdicts),
        cmocka_unit_test(test_check_chain__explanations),
        cmocka_unit_test(test_check_chain__letters),
        cmocka_unit_test(test_check_chain__confidence),
        cmocka_unit_test(test_check_chain__what_was_not_read),
        cmocka_unit_test(test_check_chain__one_decimal_sign_for_all_steps),
        cmocka_unit_test(test_check_chain__explanation_without_room),
        cmocka_unit_test(test_check_chain__an_undecided_step_has_no_score),
        cmocka_unit_test(test_check_chain__nothing_decided),
        cmocka_unit_test(test_check_chain__claims_without_a_model),
        cmocka_unit_test(test_check_chain__memory),
        cmocka_unit_test(test_check_chain__no_memory),
        cmocka_unit_test(test_check_chain__arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
