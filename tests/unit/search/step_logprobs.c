/* SPDX-License-Identifier: Apache-2.0 */
/* The log-probabilities of a reply's steps: each token goes to the step that it begins in, and none
 * to any where it is not known. */
#include "../test.h"
#include "base/str.h"
#include "search/step_logprobs.h"

#define REPLY "First 1+1\n\nThen 2. End"
static rdv_token tokens[] = {{RDV_STR("First"), .logprob = -1}, {RDV_STR(" 1+1"), .logprob = -2},
                             {RDV_STR("\n\n"), .logprob = -3},  {RDV_STR("Then"), .logprob = -4},
                             {RDV_STR(" 2."), .logprob = -5},   {RDV_STR(" End"), .logprob = -6}};
static const rdv_reply reply = {
    .text = RDV_STR(REPLY), .tokens = tokens, .n_tokens = sizeof tokens / sizeof *tokens};

static rdv_str text(void)
{
    return reply.text;
}

/* Bytes `begin` to `end` of the text. */
static rdv_str part(size_t begin, size_t end)
{
    return rdv_slice(text(), begin, end);
}

static void assert_tokens(const rdv_logprobs *are, const double *wanted, size_t n)
{
    assert_int_equal(are->n, n);
    for (size_t i = 0; i < n; i++)
        assert_true(are->token[i] == wanted[i]);
}

static void test_tokens__of_two_steps(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    const rdv_str steps[] = {part(0, 9), part(11, 18)};
    rdv_logprobs *are;
    (void)state;
    assert_int_equal(step_logprobs(&reply, text(), steps, 2, arena, &are), RDV_OK);
    assert_non_null(are);
    assert_tokens(&are[0], (double[]){-1, -2}, 2);
    assert_tokens(&are[1], (double[]){-3, -4, -5}, 3); /* the blanks before it; " End" is none's */
    assert_int_equal(step_logprobs(&reply, text(), steps + 1, 1, arena, &are), RDV_OK);
    assert_tokens(&are[0], (double[]){-3, -4, -5}, 3);
    rdv_arena_free(&arena);
}

/* Steps that are no slices of the text, one behind the other, and tokens that do not make it up. */
static void test_tokens__of_other_texts_are_unknown(void **state)
{
    static char around[sizeof REPLY + 16];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_logprobs *are;
    (void)state;
    /* In one array, so that a step's place before and behind the text can be compared. */
    rdv_str within = {around + 8, sizeof REPLY - 1};
    memcpy(around + 8, REPLY, within.len);
    const rdv_str cases[][2] = {
        {{around, 7}, rdv_slice(within, 11, 18)},                    /* before the text */
        {rdv_slice(within, 0, 9), {around + 8 + within.len, 1}},     /* behind it */
        {rdv_slice(within, 0, 9), {around + 8 + within.len - 2, 3}}, /* beyond its end */
        {rdv_slice(within, 11, 18), rdv_slice(within, 0, 9)},        /* in another order */
        {rdv_slice(within, 0, 9), rdv_slice(within, 8, 18)},         /* one in another */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(step_logprobs(&reply, within, cases[i], 2, arena, &are), RDV_OK);
        if (are)
            fail_msg("case %zu", i);
    }
    rdv_reply cut = reply;
    cut.n_tokens--;
    const rdv_str step = rdv_slice(within, 0, 9);
    assert_int_equal(step_logprobs(&cut, within, &step, 1, arena, &are), RDV_OK);
    assert_null(are);
    cut.n_tokens = 0;
    assert_int_equal(step_logprobs(&cut, within, &step, 1, arena, &are), RDV_OK);
    assert_null(are);
    rdv_arena_free(&arena);
}

static void test_line__its_tokens_or_all(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_logprobs is;
    rdv_reply changed = reply;
    (void)state;
    assert_int_equal(step_logprobs_of_line(&reply, part(11, 18), arena, &is), RDV_OK);
    assert_tokens(&is, (double[]){-3, -4, -5}, 3);
    changed.n_tokens = 3; /* they do not make up the text */
    assert_int_equal(step_logprobs_of_line(&changed, part(11, 18), arena, &is), RDV_OK);
    assert_tokens(&is, (double[]){-1, -2, -3}, 3);
    rdv_arena_free(&arena);
}

static bool shares(void)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_logprobs *are, is;
    const rdv_str step = part(0, 9);
    int rc = arena ? step_logprobs(&reply, text(), &step, 1, arena, &are) : RDV_E_NOMEM;
    assert_true(rc == RDV_OK ? are != NULL : rc == RDV_E_NOMEM);
    if (rc == RDV_OK)
        rc = step_logprobs_of_line(&reply, step, arena, &is);
    rdv_arena_free(&arena);
    return rc == RDV_OK;
}

static void test_tokens__without_memory(void **state)
{
    (void)state;
    assert_survives_no_memory(shares(), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens__of_two_steps),
        cmocka_unit_test(test_tokens__of_other_texts_are_unknown),
        cmocka_unit_test(test_line__its_tokens_or_all),
        cmocka_unit_test(test_tokens__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
