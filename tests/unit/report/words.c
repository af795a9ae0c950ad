/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words.h"

#include "base/arena.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static rdv_evidence *evidence(rdv_arena *arena, const char *outcome, bool unread)
{
    rdv_evidence *all = rdv_evidence_map(arena, NULL, (rdv_str){0});
    if (outcome) {
        rdv_evidence *list = rdv_evidence_list(arena, all, RDV_STR("calculations"));
        rdv_evidence *calc = rdv_evidence_map(arena, list, (rdv_str){0});
        rdv_evidence_text(arena, calc, RDV_STR("outcome"), rdv_str_of(outcome));
    }
    if (unread) {
        rdv_evidence *list = rdv_evidence_list(arena, all, RDV_STR("not_read"));
        rdv_evidence_map(arena, list, (rdv_str){0});
    }
    return all;
}

static void test_words__each_verdict_has_its_word(void **state)
{
    static const struct {
        const char *method;
        rdv_verdict_kind kind;
        const char *why, *outcome;
        bool unread;
        const char *word;
    } cases[] = {
        {"calculations", RDV_CONTRADICT, "2 is not 3", "wrong", false, "wrong"},
        {"selfcheck", RDV_CONTRADICT, NULL, NULL, false, "judged wrong"},
        {"selfcheck", RDV_SUPPORT, NULL, NULL, false, "judged right"},
        {"calculations", RDV_SUPPORT, NULL, "right", false, "right"},
        {"calculations", RDV_SUPPORT, NULL, "right", true, "right"},
        {"calculations", RDV_UNRELATED, NULL, NULL, false, "nothing to check"},
        {"values", RDV_UNRELATED, "46 is not in the question", NULL, false, "undecided"},
        {"selfcheck", RDV_UNRELATED, NULL, NULL, false, "undecided"},
        {"calculations", RDV_UNRELATED, NULL, "self_corrected", false, "corrected later"},
        {"calculations", RDV_UNRELATED, NULL, "unused", false, "not used"},
        {"calculations", RDV_UNKNOWN, "not read: 1 -> 2", NULL, true, "not read"},
        {"calculations", RDV_UNKNOWN, "a rough one", "undecided", true, "undecided"},
        {"calculations", RDV_UNKNOWN, "a rough one", "undecided", false, "undecided"},
        {"selfcheck", RDV_UNKNOWN, "no reply", NULL, false, "undecided"},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_verdict verdict = {.kind = cases[i].kind,
                               .why = cases[i].why ? rdv_str_of(cases[i].why) : (rdv_str){0},
                               .evidence = evidence(arena, cases[i].outcome, cases[i].unread)};
        rdv_check check = {
            .method = rdv_str_of(cases[i].method), .verdicts = &verdict, .n_verdicts = 1};
        assert_string_equal(word_row_of(word_of(&check, &verdict), word_proves(&check))->name,
                            cases[i].word);
    }
    rdv_arena_free(&arena);
}

/* A check of up to four steps, from a letter each: r right, w wrong, n nothing, u not read. */
static void add(word_counts *counts, rdv_arena *arena, const char *method, const char *steps,
                size_t first_error, bool covers)
{
    rdv_verdict *verdicts = rdv_alloc(arena, 4 * sizeof *verdicts);
    rdv_coverage *coverage = rdv_alloc(arena, sizeof *coverage);
    rdv_check check = {.method = rdv_str_of(method),
                       .verdicts = verdicts,
                       .n_verdicts = strlen(steps),
                       .first_error = first_error,
                       .coverage = covers ? coverage : NULL};
    *coverage = (rdv_coverage){0};
    for (size_t i = 0; steps[i]; i++) {
        bool decided = steps[i] == 'r' || steps[i] == 'w' || steps[i] == 'W';
        verdicts[i] = (rdv_verdict){.step = steps[i] == 'W' ? RDV_WHOLE_CHAIN : i,
                                    .kind = steps[i] == 'r'   ? RDV_SUPPORT
                                            : steps[i] == 'n' ? RDV_UNRELATED
                                            : decided         ? RDV_CONTRADICT
                                                              : RDV_UNKNOWN,
                                    .evidence = evidence(arena, NULL, steps[i] == 'u')};
        coverage->checked += decided;
        coverage->unread[RDV_UNREAD_UNIT] += steps[i] == 'u';
    }
    word_counts_add(counts, &check);
}

static void test_words__the_sentence_says_what_was_found_and_what_was_checked(void **state)
{
    static const struct {
        const char *method, *steps[3];
        bool covers;
        size_t first_error;
        const char *says;
    } cases[] = {
        {"calculations",
         {"rwn", "ruw", "rr"},
         true,
         1,
         "2 wrong steps in 2 of 3 solutions; 6 of 7 calculations checked."},
        {"calculations",
         {"w"},
         true,
         0,
         "1 wrong step in 1 of 1 solution; 1 of 1 calculation checked."},
        {"calculations",
         {"rr", "nn"},
         true,
         RDV_NO_STEP,
         "No wrong step found in 2 solutions; 2 of 2 calculations checked."},
        {"calculations",
         {"uu"},
         true,
         RDV_STEP_UNKNOWN,
         "Nothing was decided in 1 solution; 0 of 2 calculations checked."},
        {"calculations", {"nn", "n"}, true, RDV_NO_STEP, "Nothing to check in 2 solutions."},
        {"selfcheck",
         {"rwu"},
         false,
         1,
         "1 step judged wrong in 1 of 1 solution; 2 of 3 steps decided."},
        {"selfcheck",
         {"rr"},
         false,
         RDV_NO_STEP,
         "No step judged wrong in 1 solution; 2 of 2 steps decided."},
        {"selfcheck",
         {"nu"},
         false,
         RDV_STEP_UNKNOWN,
         "Nothing was decided in 1 solution; 0 of 2 steps decided."},
        {"prm:a", {"W", "W"}, false, RDV_STEP_UNKNOWN, "2 of 2 solutions judged wrong."},
        {"direct-trace",
         {""},
         false,
         2,
         "1 step judged wrong in 1 of 1 solution; 1 of 1 step decided."},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        word_counts counts = {0};
        for (size_t k = 0; k < 3 && cases[i].steps[k]; k++) {
            bool wrong = !cases[i].steps[k][0] || strchr(cases[i].steps[k], 'w');
            add(&counts, arena, cases[i].method, cases[i].steps[k],
                wrong ? cases[i].first_error : RDV_NO_STEP, cases[i].covers);
        }
        assert_string_equal(rdv_cstring(arena, word_counts_sentence(&counts, arena)),
                            cases[i].says);
    }
    word_counts none = {0};
    assert_int_equal(word_counts_sentence(&none, arena).len, 0);
    rdv_arena_free(&arena);
}

static void test_words__skipped_solutions_and_steps_by_word(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    word_counts counts = {0};
    add(&counts, arena, "calculations", "rwnu", 1, true);
    word_counts_add(&counts, &(rdv_check){.method = RDV_STR("calculations"), .skipped = true});
    assert_string_equal(rdv_cstring(arena, word_counts_sentence(&counts, arena)),
                        "1 wrong step in 1 of 1 solution; 2 of 3 calculations checked; 1 more "
                        "solution needed no check.");
    assert_string_equal(rdv_cstring(arena, word_counts_steps(&counts, arena)),
                        "4 steps: 1 wrong, 1 right, 1 nothing to check, 1 not read");
    word_counts none = {0}; /* of whole solutions no step is judged */
    assert_string_equal(rdv_cstring(arena, word_counts_steps(&none, arena)), "");
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words__each_verdict_has_its_word),
        cmocka_unit_test(test_words__the_sentence_says_what_was_found_and_what_was_checked),
        cmocka_unit_test(test_words__skipped_solutions_and_steps_by_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
