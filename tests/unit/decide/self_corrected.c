/* SPDX-License-Identifier: Apache-2.0 */
/* What a chain corrects itself: where another value of the same thing has the last word. */
#include "decide/later/self_corrected.h"

#include "../test.h"
#include "base/str.h"
#include "decide/claim.h"

#include <time.h>

#define MOST_STEPS 4
#define LONG_TEXT SHARE(200000) /* bytes */
#define TIMES_LINEAR 3   /* a text twice as long may take so many times twice as long */
#define TOO_SHORT 0.05   /* seconds that are no measure */

static void read_and_mark(const char *const *steps, size_t n, size_t n_thought, rdv_arena *arena,
                          step_calcs *out)
{
    rdv_error err;
    rdv_calculator *c = rdv_calculator_new(arena, RDV_STR("How many?"));
    assert_non_null(c);
    for (size_t i = 0; i < n; i++) {
        out[i].step = rdv_str_of(steps[i]);
        rdv_calculator_set_reasoning(c, i < n_thought, n_thought > 0);
        assert_int_equal(calculator_step(c, out[i].step, &out[i].calcs, &err), RDV_OK);
    }
    assert_int_equal(self_corrected_mark(out, n, n_thought, NULL, arena), RDV_OK);
    rdv_calculator_free(&c);
}

/* "right; self_corrected 1:24-29": the outcomes, and the places of corrections. */
static rdv_str told(step_calcs *steps, size_t n, rdv_arena *arena)
{
    rdv_str all = RDV_STR("");
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < steps[i].calcs.n; k++) {
            const rdv_calc *c = calc_list_see(&steps[i].calcs, k);
            all = rdv_str_printf(arena, "%.*s%s%s", RDV_FMT(all), all.len ? "; " : "",
                                 rdv_calc_name(c->kind));
            if (c->kind == RDV_CALC_SELF_CORRECTED)
                all = rdv_str_printf(arena, "%.*s by %.*s", RDV_FMT(all),
                                     RDV_FMT(rdv_slice(steps[c->corrected.step].step,
                                                       c->corrected.begin, c->corrected.end)));
        }
    return all;
}

static void test_corrections(void **state)
{
    static const struct {
        const char *steps[MOST_STEPS];
        size_t n_thought;
        const char *told;
    } rows[] = {
        /* a phrase, and a later claim about the same thing */
        {{"So 17 * 24 = 398.", "We add 5 to it.", "Wait, let me recompute: 17*24 = 408."},
         0,
         "self_corrected by 17*24 = 408; right"},
        {{"So $17 \\times 24 = 398$.", "No, 17 × 24 = 408, and 408 + 2 = 410."},
         0,
         "self_corrected by 17 × 24 = 408; right; right"},
        /* a phrase that begins within a contraction: "'s not right" */
        {{"I get 33 + 12 = 39. Wait, that's not right: 33 + 12 = 45."},
         0,
         "self_corrected by 33 + 12 = 45; right"},
        /* a phrase, and the true value */
        {{"So 33.9 * 5.3 = 180.67.",
          "Hmm, that is not right. It has to end in 7, so it is 179.67."},
         0,
         "self_corrected by 179.67"},
        /* the claim itself is denied, and the right one stands behind it */
        {{"7 * 8 = 54 would be false, because 7 * 8 = 56."},
         0,
         "self_corrected by 7 * 8 = 56; right"},
        {{"7 * 8 = 54 would be false."}, 0, "undecided"},
        {{"7 * 8 = 54 would be false, because 7 * 8 = 55."},
         0,
         "self_corrected by 7 * 8 = 55; wrong"},
        /* no phrase: only in reasoning, and only where the other value is used */
        {{"So 17 * 24 = 398.", "Next, 17 * 24 = 408.", "The rest is 408 - 8 = 400."},
         3,
         "self_corrected by 17 * 24 = 408; right; right"},
        {{"So 17 * 24 = 398.", "Next, 17 * 24 = 408.", "The rest is 408 - 8 = 400."},
         0,
         "wrong; right; right"},
        {{"So 17 * 24 = 398.", "Next, 17 * 24 = 408."}, 2, "wrong; right"},
        {{"So floor(2024/5) = 404.8."}, 1, "undecided"},
        {{"So floor(2024/5) = 404.8."}, 0, "wrong"},
        {{"So floor(2024/5) = 405."}, 1, "wrong"},
        /* a running calculation that adds a number again, in reasoning */
        {{"So 65+67=132+65=197+71=268."}, 1, "undecided; undecided; right"},
        {{"So 10 + 30 = 40 + 10 = 50."}, 1, "undecided; right"},
        {{"So 10 + 30 = 40 + 10 = 51."}, 1, "wrong; wrong"},
        {{"So 10 + 30 = 40 + 10."}, 1, "wrong"},
        /* a side between two that agree, in reasoning */
        {{"So floor((10-2)/5)+1 = (8/5)+1 = 1+1 = 2."}, 1, "undecided; undecided; right"},
        {{"So floor((10-2)/5)+1 = (8/5)+1 = 1+1 = 2."}, 0, "wrong; wrong; right"},
        {{"So 0.15829 - 0.0007914531*11 = 0.008706 = 0.14958."}, 1, "undecided; undecided"},
        {{"So 2 + 3 = 6 = 7."}, 1, "wrong; wrong"},
        /* what is corrected is used again */
        {{"So 17 * 24 = 398.", "Wait, 17 * 24 = 408.", "The rest is 398 - 8 = 390."},
         3,
         "wrong; right; right"},
        /* what is right stays so, and the claim behind it is wrong */
        {{"So 17 * 24 = 408.", "Wait, 17 * 24 = 398.", "The rest is 398 - 8 = 390."},
         3,
         "right; wrong; right"},
        {{"So $3^2 * 2 = 9 * 2$.", "Wait, $3^2 * 2 = 16$.", "It is 16."}, 3, "right; wrong"},
        /* what is claimed is the number that the left side does not have */
        {{"So 9.1e15 * (3e8)^3 = 9.1e15 * 2.7e24.", "Wait, (3e8)^3 = 2.7e25.",
          "So 9.1e15 * (3e8)^3 = 9.1e15 * 2.7e25.", "It is 2.7e25 of 9.1e15."},
         4,
         "self_corrected by 9.1e15 * (3e8)^3 = 9.1e15 * 2.7e25; right; right"},
        /* the last digits of a long number, worked out by hand, in reasoning and its reply */
        {{"So 0.024252057^2 = 0.000588228288."}, 1, "undecided"},
        {{"So 0.024252057^2 = 0.000588228288."}, 0, "wrong"},
        {{"So 0.024252057^2 = 0.000598228288."}, 1, "wrong"},
        {{"We think.", "So 1 / 136.09 = 0.007346."}, 1, "undecided"},
        {{"We think.", "So 1 / 136.09 = 0.007346."}, 0, "wrong"},
        /* the value of a part, on the way to the whole, in reasoning */
        {{"So 2.5 = 6 * (2.5/6) ≈ 0.4167, which is little."}, 1, "right; undecided"},
        {{"So 2.5 = 6 * (2.5/6) ≈ 0.4167, which is little."}, 0, "right; wrong"},
        {{"So 2.5 = 6 * (2.5/6) ≈ 0.5167, which is little."}, 1, "right; wrong"},
        /* the first number behind the phrase is another thing's, so the value is there by chance */
        {{"So 33.9 * 5.3 = 180.67.", "Hmm, that does not match.", "For 4.25 kg it is 179.67."},
         3,
         "wrong"},
        /* the next step takes it back, or refutes what was supposed */
        {{"So sqrt(50) / 5 = 1.5.", "Not equal."}, 2, "undecided"},
        {{"So sqrt(50) / 5 = 1.5.", "Not equal."}, 0, "wrong"},
        {{"Suppose not.", "Then 3 / 4 = 5 / 7.", "So 21 = 20.", "This is impossible."},
         4,
         "undecided; undecided"},
        {{"Suppose not.", "Then 3 / 4 = 5 / 7.", "So 21 = 20.", "This is impossible."},
         0,
         "wrong; undecided"},
        {{"Check x = 1.", "\\[1 = \\sqrt{9} + 4\\]", "Here 3 + 4 = 7.", "This is false."},
         4,
         "undecided; right"},
        {{"Substitute x = -1.", "(3^(-1))^6 = 3^6.", "It is not a solution."}, 3, "undecided"},
        {{"Substitute x = -1.", "(3^(-1))^6 = 3^6.", "So it is one."}, 3, "wrong"},
        /* outside reasoning, "17 does not work" may be said of what was miscalculated */
        {{"Try x = 17.", "sqrt(9*2*17*17*2) = 17*sqrt(18).", "So 17 does not work."}, 0, "wrong"},
        {{"Suppose not.", "Then 3 / 4 = 5 / 7.", "Suppose so.", "This is impossible."}, 4, "wrong"},
        {{"Suppose not.", "Then 3 / 4 = 5 / 7.", "So? Now, assume it.", "This is impossible."},
         4,
         "wrong"},
        {{"Suppose not.", "Then 3 / 4 = 5 / 7.", "This is what we need."}, 3, "wrong"},
        {{"Suppose for contradiction that it is.", "Then 3 / 4 = 5 / 7.", "So it is not."},
         3,
         "undecided"},
        {{"Let it be divisible by 7.", "So 1/3 = 5.", "So 1/3 = 6."}, 3, "undecided; wrong"},
        {{"So 3 / 4 = 5 / 7.", "Now 6 * 7 = 42.", "This is impossible."}, 3, "wrong; right"},
        /* a modulus that a step before names */
        {{"We work modulo 7.", "So 1/3 = 5.", "Hence 2/3 = 2 * 5 = 10 = 3."},
         3,
         "undecided; undecided; right; undecided"},
        {{"We work modulo 7.", "So 1/3 = 4.", "Hence 3 * 5 = 8."}, 3, "wrong; wrong"},
        {{"So x ≡ 3 (mod 4).", "But 17 * 51 ≡ 1 (mod 83)."}, 2, "wrong"},
        /* the first pieces of a sum, worked out; the part of a sum that is rounded */
        {{"So 1*4^3 + 3*4^2 + 2*4 + 1 = 64 + 3*16 = 48."}, 1, "undecided; undecided"},
        {{"So floor((15 - 2)/5) + 1 = 13/5."}, 1, "undecided"},
        {{"So floor((15 - 2)/5) + 1 = 14/5."}, 1, "wrong"},
        {{"We get 6.23 × 10^-7, which is 6.23."}, 1, "undecided"},
        {{"We get 6.23 × 10^-7, which is 6.32."}, 1, "wrong"},
        /* a phrase about something else */
        {{"So 17 * 24 = 398.", "The number she sets off by adding is 408."}, 0, "wrong"},
        {{"So 17 * 24 = 398.", "Wait, we have to add 5."}, 0, "wrong"},
        /* the same value, written in another way, is no correction */
        {{"So 1000 + 2 = 1003.", "Wait, 1000 + 2 = 1,003."}, 2, "wrong; wrong"},
        {{"So 1 / 3 = 0.33.", "Wait, 1 / 3 = 0.333."}, 2, "rounded; rounded"},
    };
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        step_calcs steps[MOST_STEPS];
        size_t n = 0;
        while (n < MOST_STEPS && rows[i].steps[n])
            n++;
        read_and_mark(rows[i].steps, n, rows[i].n_thought, arena, steps);
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

/* Seconds to mark so many bytes of the text, over and over again. */
static double seconds_to_mark(const char *text, size_t bytes)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t n = bytes / strlen(text);
    step_calcs *steps = RDV_NEW_ARRAY(arena, step_calcs, n);
    rdv_error err;
    rdv_calculator *c = rdv_calculator_new(arena, RDV_STR("How many?"));
    assert_non_null(steps);
    assert_non_null(c);
    for (size_t i = 0; i < n; i++) {
        steps[i].step = rdv_str_of(text);
        assert_int_equal(calculator_step(c, steps[i].step, &steps[i].calcs, &err), RDV_OK);
    }
    rdv_calculator_free(&c);
    clock_t begin = clock();
    assert_int_equal(self_corrected_mark(steps, n, n, NULL, arena), RDV_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    rdv_arena_free(&arena);
    return seconds;
}

static void test_time_is_linear(void **state)
{
    static const char *const texts[] = {
        "So 17 * 24 = 398.", "Wait, 17 * 24 = 398.",
        "Wait, no, hmm, 17 * 24 = 398. No, 17 * 24 = 408.",
        "Not right. Wait, wait, wait, wait, wait, wait, wait. 1 + 1 = 3 3 3 3 3 3 3 3"};
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corrections),
                                       cmocka_unit_test(test_time_is_linear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
