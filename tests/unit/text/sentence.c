/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting into sentences: tests/golden/sentences.txt, limits, hostile texts. */
#include <rederive/text.h>

#include "../test.h"
#include "golden.h"

static void check_case(const golden_case *c, rdv_arena *arena)
{
    const golden_section *text = golden_find(c, "text");
    rdv_str *got;
    size_t n_got, n = 0;
    assert_non_null(text);
    assert_int_equal(rdv_split_sentences(text->text, arena, &got, &n_got, NULL), RDV_OK);
    for (size_t i = 0; i < c->n; i++) {
        if (!rdv_str_eq(c->sections[i].name, RDV_STR("sentence")))
            continue;
        if (n >= n_got)
            fail_msg("%.*s: only %zu sentences", RDV_FMT(c->name), n_got);
        if (!rdv_str_eq(got[n], rdv_trim(c->sections[i].text)))
            fail_msg("%.*s: sentence %zu is\n%.*s", RDV_FMT(c->name), n, RDV_FMT(got[n]));
        n++;
    }
    if (n != n_got)
        fail_msg("%.*s: %zu sentences, not %zu", RDV_FMT(c->name), n_got, n);
}

static void test_split_sentences__golden(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t n;
    golden_case *cases = golden_read("sentences.txt", arena, &n);
    for (size_t i = 0; i < n; i++)
        check_case(&cases[i], arena);
    assert_true(n > 20);
    rdv_arena_free(&arena);
}

static void test_split_sentences__hostile(void **state)
{
    static const char *const pieces[] = {".",  "a. ", "Mr. ", "$",           "$a",  "\\$",
                                         "1",  "\"",  "\n",   "? ",          "A. ", "\\(",
                                         "- ", "e.g", " ",    "\xe2\x80\xa6"};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        size_t len = strlen(pieces[k]), n = (1u << 18) / len, count;
        char *p = rdv_alloc(arena, n * len);
        rdv_str *out;
        assert_non_null(p);
        for (size_t i = 0; i < n * len; i++)
            p[i] = pieces[k][i % len];
        assert_int_equal(rdv_split_sentences((rdv_str){p, n * len}, arena, &out, &count, NULL),
                         RDV_OK);
        assert_true(count <= RDV_SENTENCES_MAX);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

static void test_split_sentences__out_of_memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str *out = NULL;
    size_t n = 77;
    assert_survives_no_memory(rdv_split_sentences(RDV_STR("One. Two."), arena, &out, &n, NULL) ==
                                  RDV_OK,
                              assert_int_equal(n, 77));
    assert_int_equal(n, 2);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split_sentences__golden),
        cmocka_unit_test(test_split_sentences__hostile),
        cmocka_unit_test(test_split_sentences__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
