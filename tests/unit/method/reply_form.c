/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence that reminds of the answers a reply may give. */
#include "method/reply_form.h"
#include "../test.h"

static const rdv_str answers[] = {{"none", 4}, {"step @1", 7}};

static void test_remind__names_the_first_and_the_last_step(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str said;
    assert_int_equal(reply_form_remind(answers, 2, false, 3, arena, &said), RDV_OK);
    assert_text(said, "Reply with one of these, and with nothing else: \"none\", \"step 1\" to "
                      "\"step 3\".");
    assert_int_equal(reply_form_remind(answers, 2, true, 1, arena, &said), RDV_OK);
    assert_text(said, "End your reply with one of these, and write nothing behind it: \"none\", "
                      "\"step 1\".");
    rdv_arena_free(&arena);
}

/* A model is not asked for an answer whose text could not be written. */
static void test_remind__without_memory_for_one_part(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    size_t n_failed = 0;
    for (size_t n = 1; n <= 20; n++) {
        rdv_str said = {0};
        rdv_alloc_fail_once(n);
        int rc = reply_form_remind(answers, 2, false, 3, arena, &said);
        rdv_alloc_fail_at(0);
        n_failed += rc != RDV_OK;
        if (rc == RDV_OK)
            assert_int_equal(rdv_find(said, RDV_STR("\"\""), 0), RDV_NOT_FOUND);
        else
            assert_int_equal(rc, RDV_E_NOMEM);
    }
    assert_in_range(n_failed, 3, 19);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_remind__names_the_first_and_the_last_step),
        cmocka_unit_test(test_remind__without_memory_for_one_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
