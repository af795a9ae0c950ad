/* SPDX-License-Identifier: Apache-2.0 */
/* Which findings of a method become labels: only those that were decided up to the label. */
#include "../score/near.h"

#include "method/decided_label.h"

#include "base/str.h"

#define N_STEPS 4

/* One verdict a step: '+' support, '-' contradict, '0' unrelated, '?' unknown. */
static rdv_check check_of(const char *method, const char *marks, rdv_verdict *verdicts)
{
    rdv_check check = {.method = rdv_str_of(method),
                       .verdicts = verdicts,
                       .n_verdicts = strlen(marks),
                       .first_error = RDV_NO_STEP};
    for (size_t i = 0; i < check.n_verdicts; i++) {
        rdv_verdict_kind kind = marks[i] == '+'   ? RDV_SUPPORT
                                : marks[i] == '-' ? RDV_CONTRADICT
                                : marks[i] == '0' ? RDV_UNRELATED
                                                  : RDV_UNKNOWN;
        verdicts[i] = (rdv_verdict){.step = i, .kind = kind};
        if (kind == RDV_CONTRADICT && check.first_error == RDV_NO_STEP)
            check.first_error = i;
    }
    return check;
}

/* The label as text: "?" unknown, "none", or the step. */
static const char *label_of(const char *method, const char *marks, const char *cut_off)
{
    static const char *const steps[] = {"0", "1", "2", "3"};
    rdv_verdict verdicts[N_STEPS + 1];
    rdv_check check = check_of(method, marks, verdicts);
    rdv_chain chain = {.n_steps = N_STEPS, .unfinished = rdv_str_of(cut_off)};
    rdv_label label = decided_label(&check, &chain);
    return label.kind == RDV_LABEL_UNKNOWN      ? "?"
           : label.kind == RDV_LABEL_NO_MISTAKE ? "none"
                                                : steps[label.step];
}

static void test_label__rests_on_decided_steps(void **state)
{
    static const struct {
        const char *method, *marks, *label;
    } cases[] = {
        {"selfcheck", "++++", "none"},
        {"selfcheck", "++-?", "2"},
        {"selfcheck", "-???", "0"},
        {"selfcheck", "+?-+", "?"}, /* an undecided step before the first wrong one */
        {"selfcheck", "+0-+", "?"}, /* SelfCheck is not sure of it */
        {"selfcheck", "+++?", "?"}, /* not decided to its end */
        {"selfcheck", "+++", "?"},  /* the same: only the first steps were checked */
        {"selfcheck", "????", "?"},
        {"calculations", "++++", "none"},
        {"calculations", "0++0", "?"}, /* no calculation was read in it, and it may be wrong */
        {"dyck", "0++0", "none"},      /* read in full: it states nothing that could be wrong */
        {"dyck", "0+-?", "2"},
        {"dyck", "0?-?", "?"},
        {"dyck", "0++?", "?"},
        {"a-method-of-my-own", "0+++", "?"},
        {"perplexity", "++++", "?"}, /* weighs chains, and claims nothing of their steps */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(label_of(cases[i].method, cases[i].marks, NULL), cases[i].label);
}

static void test_label__of_a_chain_that_was_cut_off(void **state)
{
    (void)state;
    assert_string_equal(label_of("dyck", "++++", "the reply was cut off before its end"), "?");
    assert_string_equal(label_of("dyck", "+-??", "the reply was cut off before its end"), "1");
}

/* A verdict on the whole chain names no step, and first_error may be unknown. */
static void test_label__without_a_step(void **state)
{
    (void)state;
    rdv_verdict whole = {.step = RDV_WHOLE_CHAIN, .kind = RDV_CONTRADICT};
    rdv_check check = {.method = RDV_STR("global"),
                       .verdicts = &whole,
                       .n_verdicts = 1,
                       .first_error = RDV_NO_STEP};
    rdv_chain chain = {.n_steps = 1};
    assert_int_equal(decided_label(&check, &chain).kind, RDV_LABEL_UNKNOWN);
    whole.kind = RDV_SUPPORT;
    assert_int_equal(decided_label(&check, &chain).kind, RDV_LABEL_UNKNOWN);
    check.first_error = RDV_STEP_UNKNOWN;
    assert_int_equal(decided_label(&check, &chain).kind, RDV_LABEL_UNKNOWN);
    chain.n_steps = 0;
    check.n_verdicts = 0;
    check.first_error = RDV_NO_STEP;
    assert_int_equal(decided_label(&check, &chain).kind, RDV_LABEL_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_label__rests_on_decided_steps),
        cmocka_unit_test(test_label__of_a_chain_that_was_cut_off),
        cmocka_unit_test(test_label__without_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
