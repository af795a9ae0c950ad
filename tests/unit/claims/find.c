/* SPDX-License-Identifier: Apache-2.0 */
/* The search for equalities passes over what no sign can follow. It finds the same as one that
 * looks at every token. */
#include "claims/find.h"

#include "base/arena.h"
#include "base/rng.h"

#include "../test.h"

#include <stdio.h>

#define TEXTS SHARE(400000)
#define WORDS_MOST 18

static const char *const pieces[] = {"3",
                                     "4",
                                     "12",
                                     "2.5",
                                     "1/2",
                                     "7",
                                     "3 + 4",
                                     "3 * 4",
                                     "7",
                                     "12",
                                     "=",
                                     "=",
                                     "=",
                                     "= 7",
                                     "\u2248",
                                     "equals",
                                     "is equal to",
                                     "is",
                                     "are",
                                     "which",
                                     ", which is",
                                     "about",
                                     "approx.",
                                     "+",
                                     "-",
                                     "*",
                                     "/",
                                     "^",
                                     "x",
                                     "times",
                                     "(",
                                     ")",
                                     "[",
                                     "]",
                                     "(in",
                                     "dollars)",
                                     "|",
                                     ",",
                                     ",",
                                     ".",
                                     ".",
                                     ";",
                                     ":",
                                     "?",
                                     "\n",
                                     "-",
                                     "sq.",
                                     "sq. ft",
                                     "cu. in",
                                     "square",
                                     "feet",
                                     "hours",
                                     "hour",
                                     "minutes",
                                     "and",
                                     "10",
                                     "minutes",
                                     "kg",
                                     "m",
                                     "m/s",
                                     "km",
                                     "per",
                                     "a",
                                     "an",
                                     "of",
                                     "the",
                                     "half",
                                     "20% of",
                                     "percent",
                                     "$",
                                     "$5",
                                     "\\$",
                                     "\\frac{1}{2}",
                                     "\\pi",
                                     "\\sqrt{9}",
                                     "\\sum_{i=1}^{3}",
                                     "max(3, 4)",
                                     "\\text{for}",
                                     "log(100)",
                                     "5!",
                                     "Total",
                                     "Total =",
                                     "Total for the day =",
                                     "= 2 hours, 15 minutes",
                                     "Width =",
                                     "apples",
                                     "total",
                                     "mod",
                                     "in",
                                     "for",
                                     "has",
                                     "have",
                                     "from",
                                     "so",
                                     "then",
                                     "with",
                                     "each",
                                     "every",
                                     "all",
                                     "but",
                                     "that",
                                     "when",
                                     "were",
                                     "will",
                                     "they",
                                     "she",
                                     "his",
                                     "there",
                                     "after",
                                     "before",
                                     "becomes",
                                     "gives",
                                     "get",
                                     "means",
                                     "left",
                                     "both",
                                     "not",
                                     "plus",
                                     "minus",
                                     "divided by",
                                     "multiplied by",
                                     "less",
                                     "more than",
                                     "over",
                                     "dozen",
                                     "degrees",
                                     "\u00b0C",
                                     "in-lb",
                                     "miles an hour",
                                     "<<3*4=12>>",
                                     "<",
                                     "\\le",
                                     "\u2026",
                                     "..."};

static rdv_str random_text(rdv_rng *random, char *buffer, size_t size)
{
    size_t n = 1 + rdv_rng_below(random, WORDS_MOST), len = 0;
    for (size_t i = 0; i < n; i++) {
        const char *piece = pieces[rdv_rng_below(random, sizeof pieces / sizeof *pieces)];
        bool glued = rdv_rng_below(random, 8) == 0;
        int more = snprintf(buffer + len, size - len, "%s%s", i && !glued ? " " : "", piece);
        len += (size_t)more;
    }
    return (rdv_str){buffer, len};
}

static bool is_same(const equality *a, const equality *b)
{
    bool same = a->n == b->n && a->at == b->at && a->clean_left == b->clean_left &&
                a->clean_right == b->clean_right && a->continued == b->continued;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->term[i].begin == b->term[i].begin && a->term[i].end == b->term[i].end &&
               a->term[i].n_operators == b->term[i].n_operators &&
               a->approximate[i] == b->approximate[i];
    return same;
}

static bool are_same(const equalities *a, const equalities *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = is_same(&a->at[i], &b->at[i]);
    return same;
}

static size_t assert_same(rdv_str text)
{
    rdv_arena *arena = rdv_arena_new(0);
    tokens t;
    equalities found = {0}, all = {0};
    assert_non_null(arena);
    assert_int_equal(lex(text, arena, &t), RDV_OK);
    equality_search every = find_first(&t);
    every.signs = SIZE_MAX;
    assert_int_equal(find_next_equalities(&t, SIZE_MAX, &every, arena, &all), RDV_OK);
    assert_int_equal(find_equalities(&t, arena, &found), RDV_OK);
    if (!are_same(&found, &all))
        fail_msg("%zu equalities, not %zu, in \"%.*s\"", found.n, all.n, RDV_FMT(text));
    rdv_arena_free(&arena);
    return all.n;
}

static void test_passes_over_nothing(void **state)
{
    static char buffer[1 << 12];
    rdv_rng random;
    size_t n = 0;
    (void)state;
    rdv_rng_seed(&random, 46);
    for (size_t i = 0; i < TEXTS; i++)
        n += assert_same(random_text(&random, buffer, sizeof buffer));
    assert_true(n > TEXTS / 20);
}

/* What a term or a name goes past. */
static void test_goes_past(void **state)
{
    static const char *const texts[] = {
        "Total = 2 hours, 15 minutes = 135 minutes",
        "12 sq. ft = 12 sq. ft",
        "Total for the day = 3 * 4\nTotal for the day = 12",
        "It is 3 * 4, which is 12.",
        "half of the 8 = 4",
        "max(3, 4) = 4",
        "6 \\pi for = 6 \\pi for",
        "3 apples (of all kinds) + 4 = 7",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_same(rdv_str_of(texts[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes_over_nothing),
        cmocka_unit_test(test_goes_past),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
