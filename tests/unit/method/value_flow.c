/* SPDX-License-Identifier: Apache-2.0 */
/* The latest result of a chain, as written and with what stands beside it. */
#include "decide/claim.h"
#include "method/value_flow.h"

#include "../arena.h"
#include "../test.h"

/* The flow behind a chain of one step, and the step's fault. */
static value_flow *flow_and_fault(const char *question, const char *step, value_fault *fault,
                                  rdv_arena *arena)
{
    rdv_calculator *calculator = rdv_calculator_new(arena, (rdv_str){0});
    value_flow *flow = value_flow_new(arena, rdv_str_of(question), RDV_DECIMAL_POINT);
    calc_list calcs;
    assert_true(calculator && flow);
    assert_int_equal(calculator_step(calculator, rdv_str_of(step), &calcs, NULL), RDV_OK);
    assert_int_equal(value_flow_step(flow, rdv_str_of(step), &calcs, fault, NULL), RDV_OK);
    rdv_calculator_free(&calculator);
    return flow;
}

static value_flow *flow_of(const char *step, rdv_arena *arena)
{
    value_fault fault;
    return flow_and_fault("3 boxes of 12 pens, 8 away, 36 more", step, &fault, arena);
}

/* A number that is found in words may multiply or divide, and do nothing else; a side without a
 * number starts from nothing. */
static void test_step__numbers_that_are_found(void **state)
{
    static const struct {
        const char *question, *step, *missing;
    } cases[] = {
        {"She has 100, takes it twice and spends 5.", "100*2-5 = 195", NULL},
        {"She has 100, takes half of it and spends 5.", "100/2-5 = 45", NULL},
        {"She has 100, takes it twice and spends 5.", "100+2-5 = 97", "2"},
        {"How many?", "\xcf\x80 = 22 / 7", NULL},
        {"How many?", "21 + 1 = 22", "21"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        value_fault fault;
        flow_and_fault(cases[i].question, cases[i].step, &fault, *state);
        if (!rdv_str_eq(fault.text, rdv_str_of(cases[i].missing)))
            fail_msg("%s: \"%.*s\" is missing", cases[i].step, RDV_FMT(fault.text));
        assert_int_equal(fault.is == VALUE_NOT_FOUND, cases[i].missing != NULL);
    }
}

/* The number of a step, however it is marked, is not looked for, and none that a later step may
 * calculate with. */
static void test_step__the_number_of_a_step(void **state)
{
    static const char *const first[] = {"7. They buy pens.", "- **7.** They buy pens.",
                                        "### 7.** They buy pens.", "Step 7: They buy pens."};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        calc_list calcs;
        value_fault fault;
        rdv_str step = RDV_STR("7 + 3 = 10");
        rdv_calculator *calculator = rdv_calculator_new(*state, (rdv_str){0});
        value_flow *flow = flow_and_fault("3 boxes", first[i], &fault, *state);
        if (fault.is)
            fail_msg("%s: \"%.*s\" is looked for", first[i], RDV_FMT(fault.text));
        assert_int_equal(calculator_step(calculator, step, &calcs, NULL), RDV_OK);
        assert_int_equal(value_flow_step(flow, step, &calcs, &fault, NULL), RDV_OK);
        if (!rdv_str_eq(fault.text, RDV_STR("7")))
            fail_msg("after %s: \"%.*s\" is missing", first[i], RDV_FMT(fault.text));
        rdv_calculator_free(&calculator);
    }
}

static void test_last__is_the_number(void **state)
{
    static const struct {
        const char *step, *last, *side;
    } cases[] = {
        {"3 * 12 = 36", "36", "36"},
        {"3 * 12 = 36 minutes", "36", "36 minutes"},
        {"8 - 12 = -4 minutes", "-4", "-4 minutes"},
        {"8 - 12 = \xe2\x88\x92"
         "4 minutes",
         "\xe2\x88\x92"
         "4",
         "\xe2\x88\x92"
         "4 minutes"},
        {"3 * 12 = $36", "36", "36"},
        {"8 - 12 = -$4", "-$4", "-$4"},
        {"3 * 12 = 30 + 6", "30 + 6", "30 + 6"},
        {"12/8 = 1 1/2", "1 1/2", "1 1/2"},
        {"3 * 12 = 36 (8 less)", "36", "36"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        value_flow *flow = flow_of(cases[i].step, *state);
        rdv_str last = value_flow_last(flow), side = value_flow_last_side(flow);
        if (!rdv_str_eq(last, rdv_str_of(cases[i].last)) ||
            !rdv_str_eq(side, rdv_str_of(cases[i].side)))
            fail_msg("%s: \"%.*s\", \"%.*s\"", cases[i].step, RDV_FMT(last), RDV_FMT(side));
    }
}

static void test_last__none(void **state)
{
    value_flow *flow = flow_of("She has 3.", *state);
    assert_null(value_flow_last(flow).p);
    assert_null(value_flow_last_side(flow).p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step__numbers_that_are_found),
        cmocka_unit_test(test_step__the_number_of_a_step),
        cmocka_unit_test(test_last__is_the_number),
        cmocka_unit_test(test_last__none),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
