/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of replies, held to the golden files replies-*.txt in both profiles. */
#include "reply/reply.h"

#include "../arena.h"
#include "../test.h"
#include "../text/golden.h"

#include "base/buf.h"

/* What a case expects in that profile: its "@paper" section where it has one, else "@robust". */
static const golden_section *expected(const golden_case *c, rdv_profile profile)
{
    const golden_section *paper = golden_find(c, "paper");
    return profile == RDV_PAPER && paper ? paper : golden_need(c, "robust");
}

static const rdv_profile profiles[] = {RDV_ROBUST, RDV_PAPER};
static const char *const profile_names[] = {"robust", "paper"};

/* ---- ids ------------------------------------------------------------------------------------- */

/* "3 5": the two counts of a case. */
static void counts_of(const golden_case *c, size_t *information, size_t *steps)
{
    size_t *counts[] = {information, steps}, k = 0;
    rdv_str of = golden_need(c, "of")->rest;
    *information = *steps = 0;
    for (size_t i = 0; i < of.len; i++) {
        if (of.p[i] == ' ')
            k++;
        else
            *counts[k] = *counts[k] * 10 + (size_t)(of.p[i] - '0');
    }
}

/* As the golden file writes it. */
static rdv_str ids_text(int rc, const reply_cited *ids, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (rc == RDV_NONE)
        return RDV_STR("?");
    for (size_t i = 0; i < ids->n_information; i++)
        rdv_buf_printf(&b, " i%zu", ids->information[i]);
    for (size_t i = 0; i < ids->n_steps; i++)
        rdv_buf_printf(&b, " s%zu", ids->steps[i]);
    if (ids->dropped)
        rdv_buf_printf(&b, " x%zu", ids->dropped);
    return b.len ? rdv_trim(rdv_buf_str(&b)) : RDV_STR("-");
}

static void test_read_collected__golden(void **state)
{
    rdv_arena *arena = *state;
    size_t n, bad = 0;
    const golden_case *cases = golden_read("replies-collected.txt", arena, &n);
    for (size_t i = 0; i < n; i++) {
        rdv_str reply = golden_need(&cases[i], "reply")->text;
        size_t information, steps;
        counts_of(&cases[i], &information, &steps);
        for (size_t k = 0; k < 2; k++) {
            reply_cited ids = {0};
            int rc = reply_citations(reply, profiles[k], information, steps, arena, &ids);
            rdv_str is = ids_text(rc, &ids, arena), want = expected(&cases[i], profiles[k])->rest;
            if (rdv_str_eq(is, want))
                continue;
            print_error("%.*s (%s): \"%.*s\" is not \"%.*s\"\n", RDV_FMT(cases[i].name),
                        profile_names[k], RDV_FMT(is), RDV_FMT(want));
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

static void test_read_collected__unreadable_counts_what_was_dropped(void **state)
{
    reply_cited ids;
    int rc = reply_citations(RDV_STR("Steps 7 and 8"), RDV_ROBUST, 2, 3, *state, &ids);
    assert_int_equal(rc, RDV_NONE);
    assert_int_equal(ids.dropped, 2);
    assert_int_equal(ids.n_steps + ids.n_information, 0);
}

static void test_read_collected__memory_fails(void **state)
{
    reply_cited ids = {.dropped = 9};
    rdv_arena *arena = NULL;
    assert_survives_no_memory(
        (arena = rdv_arena_new(0)) &&
            reply_citations(RDV_STR("Step 1"), RDV_ROBUST, 9, 9, arena, &ids) == RDV_OK,
        {
            assert_int_equal(ids.dropped, 9);
            rdv_arena_free(&arena);
        });
    rdv_arena_free(&arena);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

typedef int verdict_reader(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out,
                           reply_ground *by);

static size_t check_verdicts(const char *file, verdict_reader *read, rdv_arena *arena)
{
    size_t n, bad = 0;
    const golden_case *cases = golden_read(file, arena, &n);
    for (size_t i = 0; i < n; i++) {
        rdv_str reply = golden_need(&cases[i], "reply")->text;
        for (size_t k = 0; k < 2; k++) {
            rdv_verdict_kind verdict = RDV_UNKNOWN;
            reply_ground by = {0};
            int rc = read(reply, profiles[k], &verdict, &by);
            const char *is = rc == RDV_OK ? rdv_verdict_name(verdict) : "?";
            rdv_str want = expected(&cases[i], profiles[k])->rest;
            assert_int_equal(rc == RDV_OK, verdict != RDV_UNKNOWN);
            if (rdv_str_eq(rdv_str_of(is), want))
                continue;
            print_error("%.*s (%s): %s is not %.*s\n", RDV_FMT(cases[i].name), profile_names[k], is,
                        RDV_FMT(want));
            bad++;
        }
    }
    return bad;
}

static void test_read_comparison__golden(void **state)
{
    assert_int_equal(check_verdicts("replies-comparison.txt", reply_comparison, *state), 0);
}

static void test_read_conclusion__golden(void **state)
{
    assert_int_equal(check_verdicts("replies-conclusion.txt", reply_correctness, *state), 0);
}

static void test_read_yes_no__golden(void **state)
{
    assert_int_equal(check_verdicts("replies-yesno.txt", reply_yes_no, *state), 0);
}

static void test_read_relevance__golden(void **state)
{
    assert_int_equal(check_verdicts("replies-relevance.txt", reply_relevance, *state), 0);
}

static void test_read_consistency__golden(void **state)
{
    assert_int_equal(check_verdicts("replies-consistency.txt", reply_consistency, *state), 0);
}

/* The sentence that decided, not the last line; with its question, where it answers one. */
/* A model that repeats what it was asked endorses nothing, in either profile. */
static void test_read__the_question_again(void **state)
{
    static const struct {
        verdict_reader *read;
        const char *asked;
    } cases[] = {
        {reply_comparison, "Compare the key points from both solutions step by step and then check "
                           "whether Solution 1 "
                           "\"supports\", \"contradicts\" or \"is not directly related to\" the "
                           "conclusion in Solution "
                           "2."},
        {reply_correctness, "Check the correctness of the next step: 3 + 4 = 7"},
        {reply_correctness, "Carefully check whether the solution is correct or wrong."},
        {reply_yes_no, "Double-check the reasoning process, let's analyze its correctness"},
        {reply_yes_no, "Double-check the reasoning process, let's analyze its correctness, and end "
                       "with \"yes\" or "
                       "\"no\"."},
        {reply_relevance,
         "If it is relevant answer by 'yes, the solution is relevant', otherwise say "
         "'no' and explain which steps failed."},
        {reply_consistency, "please check if the conclusion present in the Last Step is "
                            "contradicting any information from the Previous Steps."}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < 2; k++) {
            rdv_verdict_kind verdict = RDV_UNKNOWN;
            reply_ground by = {0};
            cases[i].read(rdv_str_of(cases[i].asked), profiles[k], &verdict, &by);
            assert_int_not_equal(verdict, RDV_SUPPORT);
        }
}

static void test_read__why(void **state)
{
    rdv_verdict_kind is;
    reply_ground by;
    (void)state;
    assert_int_equal(
        reply_correctness(RDV_STR("The step is wrong. Correct answer: 27"), RDV_ROBUST, &is, &by),
        RDV_OK);
    assert_int_equal(is, RDV_CONTRADICT);
    assert_text(by.sentence, "The step is wrong.");
    assert_int_equal(reply_comparison(RDV_STR("So.\nDoes Solution 1 support it? No.\nBoth say 3."),
                                      RDV_ROBUST, &is, &by),
                     RDV_OK);
    assert_text(by.sentence, "Does Solution 1 support it? No.");
}

/* ---- calculations ---------------------------------------------------------------------------- */

/* As the golden file writes it. */
static rdv_str claims_text(const reply_claim *claims, size_t n, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(&b, "%s%.*s | %.*s | %.*s", i ? "\n" : "", RDV_FMT(claims[i].lhs),
                       RDV_FMT(claims[i].op), RDV_FMT(claims[i].rhs));
    return n ? rdv_buf_str(&b) : RDV_STR("");
}

static void test_read_claims__golden(void **state)
{
    rdv_arena *arena = *state;
    size_t n, bad = 0;
    const golden_case *cases = golden_read("replies-claims.txt", arena, &n);
    for (size_t i = 0; i < n; i++) {
        reply_claim *claims = NULL;
        size_t n_claims = 0;
        const golden_section *want = golden_find(&cases[i], "is");
        int rc = reply_claims(golden_need(&cases[i], "reply")->text, arena, &claims, &n_claims);
        rdv_str is = rc == RDV_OK ? claims_text(claims, n_claims, arena) : RDV_STR("?");
        if (rdv_str_eq(is, want->rest.len ? want->rest : rdv_trim(want->text)))
            continue;
        print_error("%.*s: \"%.*s\"\n", RDV_FMT(cases[i].name), RDV_FMT(is));
        bad++;
    }
    assert_int_equal(bad, 0);
}

static void test_read_claims__memory_fails(void **state)
{
    reply_claim *claims = NULL;
    size_t n = 0;
    rdv_arena *arena = NULL;
    assert_survives_no_memory(
        (arena = rdv_arena_new(0)) &&
            reply_claims(RDV_STR("[{\"lhs\":\"1\",\"op\":\"=\",\"rhs\":\"1\"}]"), arena, &claims,
                         &n) == RDV_OK,
        {
            assert_null(claims);
            rdv_arena_free(&arena);
        });
    assert_int_equal(n, 1);
    rdv_arena_free(&arena);
    (void)state;
}

/* ---- variables ------------------------------------------------------------------------------- */

static void test_read_variables__golden(void **state)
{
    rdv_arena *arena = *state;
    size_t n;
    const golden_case *cases = golden_read("replies-variables.txt", arena, &n);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 2; k++) {
            rdv_str *lines, rest = expected(&cases[i], profiles[k])->text, line;
            size_t n_lines, found = 0;
            assert_int_equal(reply_definitions(golden_need(&cases[i], "reply")->text, profiles[k],
                                               arena, &lines, &n_lines),
                             RDV_OK);
            while (rest.len > 0 && rdv_next_line(&rest, &line)) {
                if (found >= n_lines || !rdv_str_eq(lines[found], line))
                    fail_msg("%.*s (%s): line %zu", RDV_FMT(cases[i].name), profile_names[k],
                             found);
                found++;
            }
            assert_int_equal(found, n_lines);
        }
    }
}

static void test_read_variables__memory_fails(void **state)
{
    rdv_str *lines = NULL;
    size_t n = 0;
    rdv_arena *arena = NULL;
    assert_survives_no_memory((arena = rdv_arena_new(0)) &&
                                  reply_definitions(RDV_STR("1. x is 3\n2. y is 4"), RDV_ROBUST,
                                                    arena, &lines, &n) == RDV_OK,
                              {
                                  assert_null(lines);
                                  rdv_arena_free(&arena);
                              });
    assert_int_equal(n, 2);
    rdv_arena_free(&arena);
}

/* ---- any reply ------------------------------------------------------------------------------- */

/* Half a megabyte of one pattern: readers are linear, and read nothing into it. */
static void test_read__long_replies(void **state)
{
    static const char *const patterns[] = {
        "\"a ",         "\n", " \n\n",    "Step ", "Step 1,",   "1,", "support ", "not ", "<think",
        "\xe2\x80\x9c", "[{", "{\"a\":[", "```",   "relevant ", "'",  "\xff",     ". ",   "\0x"};
    static char text[SHARE(512 << 10)];
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++) {
        size_t len = k + 1 == sizeof patterns / sizeof *patterns ? 2 : strlen(patterns[k]);
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = patterns[k][i % len];
        rdv_str reply = {text, sizeof text};
        for (size_t p = 0; p < 2; p++) {
            reply_cited ids;
            rdv_str *lines;
            size_t n;
            rdv_verdict_kind verdict;
            reply_ground by;
            rdv_arena *arena = rdv_arena_new(0);
            assert_true(reply_citations(reply, profiles[p], 5, 5, arena, &ids) >= 0);
            assert_int_equal(reply_definitions(reply, profiles[p], arena, &lines, &n), RDV_OK);
            assert_true(reply_comparison(reply, profiles[p], &verdict, &by) >= 0);
            assert_true(reply_correctness(reply, profiles[p], &verdict, &by) >= 0);
            assert_true(reply_yes_no(reply, profiles[p], &verdict, &by) >= 0);
            assert_true(reply_relevance(reply, profiles[p], &verdict, &by) >= 0);
            assert_true(reply_consistency(reply, profiles[p], &verdict, &by) >= 0);
            reply_claim *claims;
            assert_true(reply_claims(reply, arena, &claims, &n) >= 0);
            rdv_arena_free(&arena);
        }
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_collected__golden),
        cmocka_unit_test(test_read_collected__unreadable_counts_what_was_dropped),
        cmocka_unit_test(test_read_collected__memory_fails),
        cmocka_unit_test(test_read_comparison__golden),
        cmocka_unit_test(test_read_conclusion__golden),
        cmocka_unit_test(test_read_yes_no__golden),
        cmocka_unit_test(test_read_relevance__golden),
        cmocka_unit_test(test_read_consistency__golden),
        cmocka_unit_test(test_read_claims__golden),
        cmocka_unit_test(test_read_claims__memory_fails),
        cmocka_unit_test(test_read_variables__golden),
        cmocka_unit_test(test_read_variables__memory_fails),
        cmocka_unit_test(test_read__the_question_again),
        cmocka_unit_test(test_read__why),
        cmocka_unit_test(test_read__long_replies),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
