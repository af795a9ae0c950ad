/* SPDX-License-Identifier: Apache-2.0 */
/* The quotients of small trees with letters are those of the evaluator for any size, and cost as
 * much of the budget. */
#include "expression/small_function.h"

#include "../test.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/rng.h"

#define TRIALS 30000
#define MAX_DEPTH 4

static void write_leaf(rdv_buf *b, rdv_rng *rng)
{
    static const char *const leaves[] = {
        "x", "x", "x", "y", "z", "\\pi", "0", "4611686018427387904", "0.25", "5!", "x^0", "7%"};
    if (rdv_rng_below(rng, 3))
        rdv_buf_add(b, rdv_str_of(leaves[rdv_rng_below(rng, rdv_rng_below(rng, 5) ? 5 : 12)]));
    else
        rdv_buf_printf(b, "%u", (unsigned)rdv_rng_below(rng, 1u << rdv_rng_below(rng, 12)));
}

static void write_tree(rdv_buf *b, rdv_rng *rng, unsigned depth)
{
    static const char *const signs[] = {" + ", " - ", " * ", " / "};
    if (depth == 0 || rdv_rng_below(rng, 4) == 0) {
        write_leaf(b, rng);
        return;
    }
    rdv_buf_add(b, rdv_str_of(rdv_rng_below(rng, 8) ? "(" : "-("));
    write_tree(b, rng, depth - 1);
    rdv_buf_add(b, rdv_str_of(signs[rdv_rng_below(rng, 4)]));
    write_tree(b, rng, depth - 1);
    rdv_buf_lit(b, ")");
    if (rdv_rng_below(rng, 8) == 0)
        rdv_buf_printf(b, "^{%d}", (int)rdv_rng_below(rng, 7) - 2);
}

typedef struct quotients {
    fmpz_mpoly_ctx_t ctx;
    function small, large;
} quotients;

static void quotients_init(quotients *q, const letters *names)
{
    function_ring(names->n, q->ctx);
    function_init(&q->small, q->ctx);
    function_init(&q->large, q->ctx);
}

static void quotients_clear(quotients *q)
{
    function_clear(&q->small, q->ctx);
    function_clear(&q->large, q->ctx);
}

/* Evaluate the text in both ways; was it a small tree? */
static bool compare_quotients_of(rdv_str text, uint64_t budget, rdv_arena *arena)
{
    tokens t;
    expression e;
    letters names = {.n = 0};
    quotients q;
    small_function is;
    assert_int_equal(lex(text, arena, &t), RDV_OK);
    assert_int_equal(parse_expression(&t, 0, arena, &e), RDV_OK);
    assert_true(function_letters_add(&names, &t, e.root));
    quotients_init(&q, &names);
    uint64_t small_budget = budget, large_budget = budget;
    evaluation small = {.t = &t, .budget = &small_budget};
    evaluation large = {.t = &t, .budget = &large_budget};
    bool is_small = small_function_eval(&small, e.root, &names, &is);
    eval_is as = function_eval_any_size(&large, e.root, &names, q.ctx, &q.large);
    if (is_small) {
        small_polynomial_get(&is.num, q.ctx, q.small.num);
        small_polynomial_get(&is.den, q.ctx, q.small.den);
    }
    if (is_small && !(as == EVAL_OK && fmpz_mpoly_equal(q.small.num, q.large.num, q.ctx) &&
                      fmpz_mpoly_equal(q.small.den, q.large.den, q.ctx)))
        fail_msg("another quotient: %.*s", RDV_FMT(text));
    if (small_budget != (is_small ? large_budget : budget))
        fail_msg("another cost: %.*s", RDV_FMT(text));
    if (is_small && (fmpz_mpoly_total_degree_si(q.large.num, q.ctx) > is.num.degree ||
                     fmpz_mpoly_total_degree_si(q.large.den, q.ctx) > is.den.degree))
        fail_msg("a degree that is too low: %.*s", RDV_FMT(text));
    quotients_clear(&q);
    return is_small;
}

static void test_small_function__has_the_quotients_of_the_large(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 19);
    rdv_arena *arena = rdv_arena_new(0);
    size_t n_small = 0;
    for (size_t i = 0; i < TRIALS; i++) {
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        write_tree(&b, &rng, MAX_DEPTH);
        uint64_t budget = rdv_rng_below(&rng, 8) ? 1u << 24 : rdv_rng_below(&rng, 5000);
        n_small += compare_quotients_of(rdv_buf_str(&b), budget, arena);
        rdv_arena_reset(arena);
    }
    assert_in_range(n_small, TRIALS / 4, TRIALS - TRIALS / 20); /* both kinds were drawn */
    rdv_arena_free(&arena);
}

/* The small difference of both sides, which is zero where the large quotients are one. */
static bool is_difference(const char *text, small_polynomial *out, rdv_arena *arena)
{
    tokens t;
    expression l, r;
    letters names = {.n = 0};
    uint64_t budget = 1u << 20;
    assert_int_equal(lex(rdv_str_of(text), arena, &t), RDV_OK);
    assert_int_equal(parse_expression(&t, 0, arena, &l), RDV_OK);
    assert_int_equal(t.at[l.end].kind, TOK_EQUAL);
    assert_int_equal(parse_expression(&t, l.end + 1, arena, &r), RDV_OK);
    assert_true(function_letters_add(&names, &t, l.root));
    assert_true(function_letters_add(&names, &t, r.root));
    evaluation ev = {.t = &t, .budget = &budget};
    bool is = small_function_difference(&ev, l.root, r.root, &names, out);
    assert_true(is || budget == 1u << 20);
    return is;
}

static void test_small_function__difference(void **state)
{
    static const struct {
        const char *text;
        int terms; /* of the difference; -1: it is not small */
    } cases[] = {
        {"(x + y)^2 = x^2 + 2xy + y^2", 0},
        {"(x + y)^2 = x^2 + y^2", 1},
        {"x/y - y/x = (x^2 - y^2)/(xy)", 0},
        {"2x + 1 = 2x + 4", 1},
        {"0 = x/y^9", 1},
        {"x^{40} = x", -1},
        {"x/0 = x", -1},
        {"x/(y - y) = x", -1},
        {"0^{-1} + x = x", -1},
        {"x^y = x", -1},
        {"9223372036854775807x + x = y", -1},
        {"(a + b + c + d)^2 = x", 11},
        {"(a + b + c + d + e + f)^2 = x", -1},
    };
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    small_polynomial is;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int terms = is_difference(cases[i].text, &is, arena) ? (int)is.n : -1;
        if (terms != cases[i].terms)
            fail_msg("%s: %d terms", cases[i].text, terms);
    }
    assert_true(is_difference("0 = x/y^9", &is, arena));
    assert_int_equal(is.degree, 9); /* with that of y^9, which the difference no longer holds */
    rdv_arena_free(&arena);
}

/* Another reading, and decimals that stand for what they were rounded from. */
static void test_small_function__only_literally(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    tokens t;
    expression e;
    small_function out;
    unrounded rounds = {0};
    uint64_t budget = 1000;
    letters names = {.n = 0};
    assert_int_equal(lex(RDV_STR("2x + 3"), arena, &t), RDV_OK);
    assert_int_equal(parse_expression(&t, 0, arena, &e), RDV_OK);
    evaluation ev = {.t = &t, .budget = &budget};
    assert_false(small_function_eval(&ev, e.root, &names, &out)); /* x is none of its letters */
    assert_true(function_letters_add(&names, &t, e.root));
    assert_true(small_function_eval(&ev, e.root, &names, &out));
    ev.reading = READ_PERCENT_OF_LEFT;
    assert_false(small_function_eval(&ev, e.root, &names, &out));
    ev.reading = READ_LITERALLY;
    ev.rounds = &rounds;
    assert_false(small_function_eval(&ev, e.root, &names, &out));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_function__has_the_quotients_of_the_large),
        cmocka_unit_test(test_small_function__difference),
        cmocka_unit_test(test_small_function__only_literally),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
