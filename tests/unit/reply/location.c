/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of where the first mistake is, held to replies-location.txt. */
#include "reply/location.h"

#include "../test.h"
#include "../text/golden.h"

#include "base/buf.h"
#include "reply/reply.h"

static size_t number_of(rdv_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len && rdv_is_digit(s.p[i]); i++)
        n = n * 10 + (size_t)(s.p[i] - '0');
    return n;
}

static rdv_str shown(int rc, size_t first, rdv_arena *arena)
{
    return rc == RDV_NONE         ? RDV_STR("?")
           : first == RDV_NO_STEP ? RDV_STR("none")
                                  : rdv_str_printf(arena, "%zu", first + 1);
}

static void test_read_location__golden(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    size_t n, wrong = 0;
    const golden_case *cases = golden_read("replies-location.txt", arena, &n);
    for (size_t i = 0; i < n; i++) {
        const golden_case *c = &cases[i];
        size_t n_steps = number_of(golden_need(c, "of")->rest);
        rdv_str reply = golden_need(c, "reply")->text;
        for (int profile = RDV_ROBUST; profile <= RDV_PAPER; profile++) {
            const golden_section *paper = golden_find(c, "paper");
            rdv_str want = (profile == RDV_PAPER && paper ? paper : golden_need(c, "robust"))->rest;
            size_t first = 77;
            reply_ground by;
            int rc = reply_location(reply, (rdv_profile)profile, n_steps, &first, &by);
            rdv_str got = shown(rc, first, arena);
            if (rc == RDV_NONE)
                assert_int_equal(first, 77); /* untouched */
            if (rdv_str_eq(got, want))
                continue;
            print_error("%.*s, %s: %.*s instead of %.*s\n", RDV_FMT(c->name),
                        profile == RDV_PAPER ? "paper" : "robust", RDV_FMT(got), RDV_FMT(want));
            wrong++;
        }
    }
    assert_true(n > 30);
    assert_int_equal(wrong, 0);
    rdv_arena_free(&arena);
}

/* An index in a box, and what is said behind it: what takes it back leaves nothing, and what adds
 * nothing leaves it. */
static void test_boxed_index__and_what_is_said_behind(void **state)
{
    (void)state;
    static const struct {
        const char *reply;
        int rc;
        long index;
    } cases[] = {
        {"The index is \\boxed{2}.", RDV_OK, 2},
        {"The index is \\boxed{2}. Let me know if you need more.", RDV_OK, 2},
        {"The index is \\boxed{2}. I hope this helps.", RDV_OK, 2},
        {"The index is \\boxed{2}. Wrong.", RDV_NONE, 0},
        {"All paragraphs are correct, so the final answer is:\n\n$\\boxed{-1}$", RDV_OK, -1},
        {"If no paragraph has an error, return:\n\n$\\boxed{-1}$", RDV_NONE, 0},
        {"The index is \\boxed{-1} (not found).", RDV_OK, -1},
        {"The index is \\boxed{2}. That is not right.", RDV_NONE, 0},
        {"The index is \\boxed{2}. All steps are correct.", RDV_NONE, 0},
        {"The index is \\boxed{2}. Either 2 or 3.", RDV_NONE, 0},
        {"The index is \\boxed{2}. Is that right?", RDV_NONE, 0},
        {"The index is \\boxed{2}. The index is \\boxed{2}.", RDV_OK, 2},
        {"The index is \\boxed{2}. Or \\boxed{3}?", RDV_NONE, 0},
        {"The index is \\boxed{2}. There is also \\boxed{3}.", RDV_NONE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        long index = 0;
        reply_ground by;
        rdv_str reply = rdv_str_of(cases[i].reply);
        int rc = reply_boxed_index(reply, RDV_ROBUST, &index, &by);
        if (rc != cases[i].rc || index != cases[i].index)
            print_error("%s: %d, %ld\n", cases[i].reply, rc, index);
        assert_int_equal(rc, cases[i].rc);
        assert_int_equal(index, cases[i].index);
    }
}

/* A reply of only numbers, or of only words, takes no longer than its length. */
static void test_read_location__linear(void **state)
{
    (void)state;
    static char text[1 << 20];
    size_t first;
    reply_ground by;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "1 a\n"[i % 2 ? 1 : (i / 2) % 3 ? 0 : 2];
    assert_int_equal(reply_location((rdv_str){text, sizeof text}, RDV_ROBUST, 4, &first, &by),
                     RDV_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_location__golden),
        cmocka_unit_test(test_read_location__linear),
        cmocka_unit_test(test_boxed_index__and_what_is_said_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
