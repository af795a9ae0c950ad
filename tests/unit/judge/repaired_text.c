/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that replace the rest of a text look like those before them. */
#include "../test.h"
#include "base/arena.h"
#include "base/str.h"
#include "judge/repaired_text.h"

/* What becomes of `text` whose rest from byte `at` on is replaced by two steps. */
static void assert_becomes(const char *text, size_t at, size_t step, const char *wanted)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf b, all;
    rdv_str given = rdv_str_of(text);
    repaired_text t = repaired_text_of(given, at, step);
    rdv_buf_init(&all, arena, 0);
    rdv_buf_add(&all, rdv_slice(given, 0, at));
    for (int i = 0; i < 2; i++) {
        rdv_buf_init(&b, arena, 0);
        repaired_text_add(&t, &b, rdv_buf_str(&all), i ? RDV_STR("Two.") : RDV_STR("One."));
        rdv_buf_add(&all, rdv_buf_str(&b));
    }
    rdv_str got = rdv_buf_str(&all);
    assert_int_equal(got.len, strlen(wanted));
    assert_memory_equal(got.p, wanted, got.len);
    rdv_arena_free(&arena);
}

static void test_styles(void **state)
{
    assert_becomes("Wrong.", 0, 0, "One.\n\nTwo.");
    assert_becomes("A.\n\nWrong.\n\nC.", 4, 1, "A.\n\nOne.\n\nTwo.");
    assert_becomes("A.\nWrong.\nC.", 3, 1, "A.\nOne.\nTwo.");
    assert_becomes("Step 1: A.\nStep 2: Wrong.", 11, 1, "Step 1: A.\nStep 2: One.\nStep 3: Two.");
    assert_becomes("**Step 4:** Wrong.", 0, 0, "Step 4: One.\n\nStep 5: Two.");
    assert_becomes("1. A.\n\n2. Wrong.", 7, 1, "1. A.\n\n2. One.\n\n3. Two.");
    assert_becomes("## First\nA.\n## Then\nWrong.", 12, 1,
                   "## First\nA.\nStep 2: One.\nStep 3: Two.");
    assert_becomes("<think>A.</think>Wrong.", 17, 1, "<think>A.</think>\n\nOne.\n\nTwo.");
}

static void test_thinking(void **state)
{
    assert_true(repaired_text_thinks(RDV_STR("<think>A.\n\n")));
    assert_true(repaired_text_thinks(RDV_STR("A. <think>B.</think> C. <THINK> D")));
    assert_false(repaired_text_thinks(RDV_STR("")));
    assert_false(repaired_text_thinks(RDV_STR("A < B [C]")));
    assert_false(repaired_text_thinks(RDV_STR("<think>A.</think>B.")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_styles),
                                       cmocka_unit_test(test_thinking)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
