/* SPDX-License-Identifier: Apache-2.0 */
/* False equalities of reasoning: those of which the reply uses nothing, and the others. */
#include "decide/later/unused.h"

#include "../test.h"
#include "base/rng.h"
#include "base/str.h"
#include "decide/claim.h"

#include <time.h>

#define MOST_STEPS 5
#define CHAINS SHARE(400)       /* drawn */
#define LINKS 6                 /* calculations of each, of which every one uses the one before */
#define LONG_TEXT SHARE(200000) /* bytes */
#define TIMES_LINEAR 3          /* a text twice as long may take so many times twice as long */
#define TOO_SHORT 0.05          /* seconds that are no measure */

static void read_and_mark(const rdv_str *texts, size_t n, size_t n_thought, rdv_arena *arena,
                          step_calcs *out)
{
    rdv_error err;
    rdv_calculator *c = rdv_calculator_new(arena, RDV_STR("How many?"));
    assert_non_null(c);
    for (size_t i = 0; i < n; i++) {
        out[i].step = texts[i];
        assert_int_equal(calculator_step(c, out[i].step, &out[i].calcs, &err), RDV_OK);
    }
    assert_int_equal(unused_mark(out, n, n_thought, arena), RDV_OK);
    rdv_calculator_free(&c);
}

static rdv_str told(step_calcs *steps, size_t n, rdv_arena *arena)
{
    rdv_str all = RDV_STR("");
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < steps[i].calcs.n; k++)
            all = rdv_str_printf(arena, "%.*s%s%s", RDV_FMT(all), all.len ? "; " : "",
                                 rdv_calc_name(calc_list_see(&steps[i].calcs, k)->kind));
    return all;
}

static void test_uses(void **state)
{
    static const struct {
        const char *steps[MOST_STEPS];
        size_t n_thought;
        const char *told;
    } rows[] = {
        /* nothing of it, nor of what follows from it, stands in the reply */
        {{"There are 302 * 301 / 2 = 45551 in all.", "But 17 * 24 = 408.", "The answer is 408."},
         2,
         "unused; right"},
        /* a branch that goes on from it, and ends */
        {{"If so, 17 * 24 = 418, and 418 + 100 = 518.", "That is not an option.",
          "Let us take 17 + 24 = 41.", "The answer is 41."},
         3,
         "unused; right; right"},
        /* the reply states it, or its rounding */
        {{"So 17 * 24 = 418.", "It is 418."}, 1, "wrong"},
        {{"So 33.9 * 5.3 = 180.67.", "It is about 181 of 33.9."}, 1, "wrong"},
        {{"So 33.9 * 5.3 = 180.67.", "It is about 1.8067 x 10^2 of 33.9."}, 1, "wrong"},
        /* the reply states what follows from it, at any distance */
        {{"So 17 * 24 = 418.", "Then 418 + 100 = 518.", "And 518 - 1 = 517.", "It is 517."},
         3,
         "wrong; right; right"},
        /* what follows from it stands in the sentence behind, and does not name it */
        {{"So 17 * 24 = 418. Half of it is 209.", "It is 209 of 24."}, 1, "wrong"},
        /* the right side is worked out from the left one: its numbers are stated */
        {{"15 = 25 - 5", "It is 15."}, 1, "wrong"},
        /* no number of its own is stated */
        {{"So 17 * 24 = 24 + 17.", "It is 24."}, 1, "wrong"},
        /* a short solution, and one that ends in the reasoning */
        {{"There are 302 * 301 / 2 = 45551 in all.", "But 17 * 24 = 408.", "The answer is 408."},
         0,
         "wrong; right"},
        {{"There are 302 * 301 / 2 = 45551 in all.", "But 17 * 24 = 408.", "The answer is 408."},
         3,
         "wrong; right"},
        /* the reply: it is what the chain says */
        {{"But 17 * 24 = 408.", "We have 302 * 301 / 2 = 45551. The answer is 408."},
         1,
         "right; wrong"},
        /* the reply takes no number over: nobody knows what it rests on */
        {{"There are 302 * 301 / 2 = 45551 in all.", "So it is B."}, 1, "wrong"},
        {{"There are 302 * 301 / 2 = 45551 in all.", "It is the 7th."}, 1, "wrong"},
    };
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        step_calcs steps[MOST_STEPS];
        rdv_str texts[MOST_STEPS];
        size_t n = 0;
        for (; n < MOST_STEPS && rows[i].steps[n]; n++)
            texts[n] = rdv_str_of(rows[i].steps[n]);
        read_and_mark(texts, n, rows[i].n_thought, arena, steps);
        rdv_str is = told(steps, n, arena);
        if (!rdv_str_eq(is, rdv_str_of(rows[i].told))) {
            print_error("\"%s\"\n    %s, not\n    %.*s\n", rows[i].steps[0], rows[i].told,
                        RDV_FMT(is));
            bad++;
        }
        rdv_arena_free(&arena);
    }
    assert_int_equal(bad, 0);
}

/* One calculation from `from`, wrong by `off`, into *value. */
static rdv_str link_of(rdv_rng *rng, long from, long off, long *value, rdv_arena *arena)
{
    long by = 1000 + (long)rdv_rng_below(rng, 9000);
    *value = from + by + off;
    return rdv_str_printf(arena,
                          rdv_rng_below(rng, 2) ? "So %ld + %ld = %ld.\n"
                                                : "We have %ld + %ld = %ld, I think.\n",
                          from, by, *value);
}

/* Chains of calculations, each of which uses the one before, with one slip. A second chain beside
 * it does not use it. Where the reply states what a chain comes to, a slip in it is wrong; where it
 * states what the other one comes to, the slip is not used. */
static void test_drawn_chains(void **state)
{
    rdv_rng rng;
    (void)state;
    rdv_rng_seed(&rng, 41);
    for (size_t n = 0; n < CHAINS; n++) {
        rdv_arena *arena = rdv_arena_new(0);
        step_calcs steps[2 * LINKS + 1];
        rdv_str texts[2 * LINKS + 1];
        size_t slip = rdv_rng_below(&rng, LINKS), told_by = rdv_rng_below(&rng, 2);
        long last[2];
        for (size_t chain = 0, k = 0; chain < 2; chain++) {
            last[chain] = 100000 * (long)(chain + 1) + (long)rdv_rng_below(&rng, 50000);
            for (size_t i = 0; i < LINKS; i++)
                texts[k++] = link_of(&rng, last[chain], chain == 0 && i == slip ? 30 : 0,
                                     &last[chain], arena);
        }
        texts[2 * LINKS] = rdv_str_printf(arena, "The answer is %ld.", last[told_by]);
        read_and_mark(texts, 2 * LINKS + 1, 2 * LINKS, arena, steps);
        assert_int_equal(steps[slip].calcs.at[0].kind, told_by ? RDV_CALC_UNUSED : RDV_CALC_WRONG);
        rdv_arena_free(&arena);
    }
}

/* Seconds to mark so many bytes of the text, over and over again. */
static double seconds_to_mark(const char *text, size_t bytes)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t n = bytes / strlen(text);
    rdv_str *texts = RDV_NEW_ARRAY(arena, rdv_str, n);
    step_calcs *steps = RDV_NEW_ARRAY(arena, step_calcs, n);
    rdv_error err;
    rdv_calculator *c = rdv_calculator_new(arena, RDV_STR("How many?"));
    assert_true(texts && steps && c);
    for (size_t i = 0; i < n; i++) {
        steps[i].step = rdv_str_of(text);
        assert_int_equal(calculator_step(c, steps[i].step, &steps[i].calcs, &err), RDV_OK);
    }
    rdv_calculator_free(&c);
    clock_t begin = clock();
    assert_int_equal(unused_mark(steps, n, n - 1, arena), RDV_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    rdv_arena_free(&arena);
    return seconds;
}

static void test_time_is_linear(void **state)
{
    static const char *const texts[] = {
        "So 17 * 24 = 398.", "So 17 * 24 = 398. 398 + 1 = 400. 5 5 5 5 5 5 5 5 5 5 5 5 5",
        "1.2345678901234567890123456789 * 2 = 3.2345678901234567890123456789"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double one = seconds_to_mark(texts[i], LONG_TEXT);
        double two = seconds_to_mark(texts[i], 2 * LONG_TEXT);
        if (two > 2 * TIMES_LINEAR * (one + TOO_SHORT))
            fail_msg("\"%s\": twice the text takes %.1f s, and the text %.1f s", texts[i], two,
                     one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_uses),
                                       cmocka_unit_test(test_drawn_chains),
                                       cmocka_unit_test(test_time_is_linear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
