/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/str.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static void add(rdv_findings *found, size_t first_error, double confidence)
{
    rdv_verdict verdicts[] = {{.kind = RDV_SUPPORT},
                              {.kind = first_error == RDV_NO_STEP ? RDV_UNKNOWN : RDV_CONTRADICT}};
    rdv_findings_add(found, &(rdv_check){.verdicts = verdicts,
                                         .n_verdicts = 2,
                                         .first_error = first_error,
                                         .confidence = confidence});
}

static void test_findings__counts_into_their_places(void **state)
{
    rdv_findings found = {0};
    add(&found, 0, 0.54);
    add(&found, 1000000, 1.0);
    add(&found, RDV_NO_STEP, NAN);
    rdv_findings_add(&found, &(rdv_check){.skipped = true});
    assert_int_equal(found.chains, 4);
    assert_int_equal(found.words.skipped, 1);
    assert_int_equal(found.verdicts[0], 3);
    assert_int_equal(found.verdicts[2], 2);
    assert_int_equal(found.verdicts[3], 1);
    assert_int_equal(found.first_error[0], 1);
    assert_int_equal(found.first_error[RDV_FINDINGS_STEPS - 1], 1);
    assert_int_equal(found.no_error, 1);
    assert_int_equal(found.confidence[5], 1);
    assert_int_equal(found.confidence[9], 1);
    assert_int_equal(found.without_confidence, 1);
}

static void test_findings__a_proof_has_no_confidence(void **state)
{
    rdv_findings found = {0};
    rdv_verdict wrong = {.kind = RDV_CONTRADICT};
    rdv_check check = {
        .method = RDV_STR("calculations"), .verdicts = &wrong, .n_verdicts = 1, .confidence = 0.54};
    rdv_findings_add(&found, &check);
    assert_int_equal(found.confidence[5], 0);
    assert_int_equal(found.proven_wrong, 1);
    assert_int_equal(found.first_error[0], 1);
    check.method = RDV_STR("selfcheck");
    rdv_findings_add(&found, &check);
    assert_int_equal(found.confidence[5], 1);
}

static void test_findings__picture_shows_each_and_keeps_to_the_width(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_findings found = {0};
    for (int i = 0; i < 1000; i++)
        add(&found, RDV_NO_STEP, 1);
    add(&found, 3, 0.25);
    rdv_str rest, line, out;
    rdv_view_options options = {.width = 60, .ascii = true};
    assert_int_equal(rdv_view_findings(&found, &options, arena, &out, NULL), RDV_OK);
    assert_true(rdv_find(out, RDV_STR("step 3"), 0) != RDV_NOT_FOUND);
    assert_true(rdv_find(out, RDV_STR("1  #\n"), 0) != RDV_NOT_FOUND);
    for (rest = out; rdv_next_line(&rest, &line);)
        assert_true(line.len <= 60);
    assert_int_equal(rdv_view_findings(&(rdv_findings){0}, NULL, arena, &out, NULL), RDV_OK);
    assert_int_equal(out.len, 0);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings__counts_into_their_places),
        cmocka_unit_test(test_findings__a_proof_has_no_confidence),
        cmocka_unit_test(test_findings__picture_shows_each_and_keeps_to_the_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
