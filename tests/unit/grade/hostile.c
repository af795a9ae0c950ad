/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile answers, compared and read: time is linear in their length. */
#include <rederive/answer.h>

#include "../test.h"
#include "answer/read.h"

#include <stdlib.h>
#include <time.h>

/* Time is judged without sanitizers. With them the texts are shorter, and still longer than every
 * limit. */
#define LONG_KEY (SANITIZED ? 1u << 15 : 1u << 18)
#define LONG_REPLY (SANITIZED ? 1u << 13 : 1u << 16)
#define LONGEST 1.0 /* second */

/* Answers that are one piece again and again, to lengths around and far over the limits. */
static void test_answer_key__hostile(void **state)
{
    static const char *const pieces[] = {"{",    "}",        "(",       "\\{",   ",",      "1,",
                                         "9",    "1 a ",     "\\text{", "\\pm ", "x=",     "-",
                                         "_",    "\\sqrt{",  "^",       "!",     "\\cup ", "\\frac",
                                         " or ", "\xc2\xb2", "%",       "\x01",  "\\\\",   "&1"};
    static const size_t lengths[] = {60, 4000, LONG_KEY};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            size_t len = strlen(pieces[k]), n = lengths[l] / len * len;
            char *p = rdv_alloc(arena, n);
            assert_non_null(p);
            for (size_t i = 0; i < n; i++)
                p[i] = pieces[k][i % len];
            for (rdv_kind kind = RDV_KIND_NUMBER; kind <= RDV_KIND_PHRASE; kind++) {
                rdv_answer_form form = {.kind = kind};
                rdv_str key;
                bool right;
                assert_true(rdv_answer_key((rdv_str){p, n}, &form, arena, &key, NULL) >= 0);
                assert_true(rdv_answer_right((rdv_str){p, n}, RDV_STR("1"), &form, arena, &right,
                                             NULL) >= 0);
            }
            rdv_arena_reset(arena);
        }
    rdv_arena_free(&arena);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* One piece again and again, 64 KiB of it: a second is a hundred times what linear time needs. */
static void test_answer_read__hostile(void **state)
{
    static const char *const pieces[] = {"\\boxed{",
                                         "\\boxed{}",
                                         "}",
                                         "####",
                                         "#### 1\n",
                                         "answer",
                                         "answer is ",
                                         "answer:\n",
                                         "(A) ",
                                         "1",
                                         "1,",
                                         "1/",
                                         "1 1/2",
                                         "$",
                                         "$ ",
                                         "\\frac{1",
                                         "yes ",
                                         "not ",
                                         "**",
                                         "**:",
                                         "\\[",
                                         "= ",
                                         ".",
                                         "\xe2\x88\x92",
                                         "Answer:",
                                         "A: ",
                                         "A:\n",
                                         "ans = ",
                                         "answer (",
                                         "\"answer\": \"",
                                         "answer to ",
                                         "\\boxed{1},",
                                         "\\boxed{1} and ",
                                         "<",
                                         "<|im_end|>",
                                         "[INST]",
                                         "Q: ",
                                         "Question 5:\n",
                                         "<|im_start|>assistant",
                                         "\\u00a0",
                                         "\\u00a01",
                                         "6:30 ",
                                         "6:30:",
                                         "$1 000",
                                         " 000",
                                         "9th ",
                                         "grade 9 ",
                                         "1.",
                                         "1. ",
                                         "= 1 ",
                                         "May ",
                                         "May 5, ",
                                         "5/6/",
                                         "05/01/2021 ",
                                         "1-",
                                         "half ",
                                         "half past ",
                                         "five to ",
                                         "noon ",
                                         "$5 ",
                                         "5 dollars and ",
                                         "5 cents ",
                                         "first ",
                                         "the second option ",
                                         "(A) and ",
                                         "A, ",
                                         "cannot be ",
                                         "maybe ",
                                         "I hope it is correct",
                                         "system\n",
                                         "a ",
                                         "an",
                                         "A",
                                         "ans",
                                         "answer answer is\n\n",
                                         "\n",
                                         " ",
                                         "#",
                                         "\\text{"};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        size_t len = strlen(pieces[k]), n = LONG_REPLY / len;
        char *p = rdv_alloc(arena, n * len);
        assert_non_null(p);
        for (size_t i = 0; i < n * len; i++)
            p[i] = pieces[k][i % len];
        for (rdv_kind kind = RDV_KIND_NUMBER; kind <= RDV_KIND_PHRASE; kind++) {
            rdv_answer_form form = {.kind = kind};
            rdv_answer got;
            double begin = seconds();
            assert_true(rdv_answer_read((rdv_str){p, n * len}, &form, &got) >= 0);
            double took = seconds() - begin;
            if (took > 0.05 && getenv("RDV_TIMES"))
                print_message("%s of \"%s\": %.0f ms\n", rdv_kind_name(kind), pieces[k],
                              took * 1000);
            if (took > LONGEST && !SANITIZED)
                fail_msg("%s of \"%s\": %.1f s", rdv_kind_name(kind), pieces[k], took);
        }
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer_key__hostile),
        cmocka_unit_test(test_answer_read__hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
