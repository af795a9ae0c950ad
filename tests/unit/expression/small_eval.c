/* SPDX-License-Identifier: Apache-2.0 */
/* The values of small trees are those of the evaluator for numbers of any size, and cost as much of
 * the budget. */
#include "expression/small_eval.h"

#include "../test.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/rng.h"

#define TRIALS 30000
#define MAX_DEPTH 4

static void write_number(rdv_buf *b, rdv_rng *rng)
{
    static const char *const odd[] = {"0",
                                      "1,200",
                                      "0.00",
                                      "4611686018427387904",
                                      "999999999999999999",
                                      "3.14159265358979323",
                                      "1.5e3",
                                      "\xc2\xbd",
                                      "9223372036854775807",
                                      "2^3",
                                      "x",
                                      "y",
                                      "5!"};
    if (rdv_rng_below(rng, 12) == 0) {
        rdv_buf_add(b, rdv_str_of(odd[rdv_rng_below(rng, sizeof odd / sizeof *odd)]));
        return;
    }
    rdv_buf_printf(b, "%u", (unsigned)rdv_rng_below(rng, 1u << rdv_rng_below(rng, 31)));
    if (rdv_rng_below(rng, 4) == 0)
        rdv_buf_printf(b, ".%02u", (unsigned)rdv_rng_below(rng, 100));
    if (rdv_rng_below(rng, 12) == 0)
        rdv_buf_add(b, rdv_str_of(rdv_rng_below(rng, 2) ? "%" : " kg"));
}

static void write_tree(rdv_buf *b, rdv_rng *rng, unsigned depth)
{
    static const char *const signs[] = {" + ", " - ", " * ", " / "};
    if (depth == 0 || rdv_rng_below(rng, 4) == 0) {
        write_number(b, rng);
        return;
    }
    rdv_buf_add(b, rdv_str_of(rdv_rng_below(rng, 8) ? "(" : "-("));
    write_tree(b, rng, depth - 1);
    rdv_buf_add(b, rdv_str_of(signs[rdv_rng_below(rng, 4)]));
    write_tree(b, rng, depth - 1);
    rdv_buf_lit(b, ")");
    if (rdv_rng_below(rng, 12) == 0)
        rdv_buf_printf(b, "^{%d}", (int)rdv_rng_below(rng, 12) - 4);
}

/* Evaluate the text in both ways; was it a small tree? */
static bool compare_values_of(rdv_str text, uint64_t budget, rdv_arena *arena)
{
    tokens t;
    expression e;
    assert_int_equal(lex(text, arena, &t), RDV_OK);
    assert_int_equal(parse_expression(&t, 0, arena, &e), RDV_OK);
    uint64_t small_budget = budget, large_budget = budget;
    binding bound[] = {{.name = RDV_STR("x"), .several = true}, {.name = RDV_STR("x")}};
    fmpq_init(bound[0].value);
    fmpq_init(bound[1].value);
    fmpq_set_si(bound[1].value, -7, 3);
    evaluation small = {.t = &t, .budget = &small_budget, .bindings = bound, .n_bindings = 2};
    evaluation large = {.t = &t, .budget = &large_budget, .bindings = bound, .n_bindings = 2};
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    bool is_small = small_eval(&small, e.root, a);
    eval_is is = eval_any_size(&large, e.root, b);
    if (is_small && !(is == EVAL_OK && fmpq_equal(a, b) && small_budget == large_budget))
        fail_msg("another value, or another cost: %.*s", RDV_FMT(text));
    if (!is_small && !(fmpq_is_zero(a) && small_budget == budget))
        fail_msg("changed without a value: %.*s", RDV_FMT(text));
    fmpq_clear(a);
    fmpq_clear(b);
    return is_small;
}

static void test_small_eval__has_the_values_of_the_large(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 17);
    rdv_arena *arena = rdv_arena_new(0);
    size_t n_small = 0;
    for (size_t i = 0; i < TRIALS; i++) {
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        write_tree(&b, &rng, MAX_DEPTH);
        uint64_t budget = rdv_rng_below(&rng, 8) ? 1u << 20 : rdv_rng_below(&rng, 500);
        n_small += compare_values_of(rdv_buf_str(&b), budget, arena);
        rdv_arena_reset(arena);
    }
    assert_in_range(n_small, TRIALS / 4, TRIALS - TRIALS / 20); /* both kinds were drawn */
    rdv_arena_free(&arena);
}

/* What it does not know, and what has no value, it leaves to the other. */
static void test_small_eval__refuses(void **state)
{
    static const char *const texts[] = {"1/0",
                                        "2/(3-3)",
                                        "4^{1/2}",
                                        "0^{-1}",
                                        "0^0",
                                        "3^{64}",
                                        "y^2",
                                        "(5!)%",
                                        "9223372036854775807 * 2",
                                        "999999999999999999 * 999999999999999999",
                                        "1/999999999999999 + 1/999999999999998",
                                        "1e5",
                                        "\xc2\xbd"};
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(compare_values_of(rdv_str_of(texts[i]), 1u << 20, arena));
    assert_true(compare_values_of(RDV_STR("-(2 kg + 3.50) / 50%"), 1u << 20, arena));
    assert_true(compare_values_of(RDV_STR("(x/2)^{-3} - 2^{50} + 0^2"), 1u << 20, arena));
    rdv_arena_free(&arena);
}

/* Whether both sides of the text have one value, in both ways; the small one takes what both cost,
 * or nothing. */
static bool compare_agreement(rdv_str text, uint64_t budget, rdv_arena *arena)
{
    tokens t;
    expression l, r;
    assert_int_equal(lex(text, arena, &t), RDV_OK);
    assert_int_equal(parse_expression(&t, 0, arena, &l), RDV_OK);
    assert_int_equal(t.at[l.end].kind, TOK_EQUAL);
    assert_int_equal(parse_expression(&t, l.end + 1, arena, &r), RDV_OK);
    uint64_t small_budget = budget, large_budget = budget;
    evaluation large = {.t = &t, .budget = &large_budget};
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    bool agree = small_eval_agree(&t, l.root, r.root, &small_budget);
    bool equal = eval_any_size(&large, l.root, a) == EVAL_OK &&
                 eval_any_size(&large, r.root, b) == EVAL_OK && fmpq_equal(a, b);
    if ((agree && !equal) || small_budget != (agree ? large_budget : budget))
        fail_msg("another agreement, or another cost: %.*s", RDV_FMT(text));
    fmpq_clear(a);
    fmpq_clear(b);
    return agree;
}

/* Trees agree only where the large evaluator finds one value of both. */
static void test_small_eval_agree__is_of_equal_values(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 18);
    rdv_arena *arena = rdv_arena_new(0);
    size_t n_agree = 0;
    for (size_t i = 0; i < TRIALS; i++) {
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        rdv_rng left = rng;
        write_tree(&b, &rng, 2);
        rdv_buf_add(&b, RDV_STR(" = 1 * "));
        write_tree(&b, rdv_rng_below(&rng, 2) ? &left : &rng, 2);
        uint64_t budget = rdv_rng_below(&rng, 8) ? 1u << 20 : rdv_rng_below(&rng, 500);
        n_agree += compare_agreement(rdv_buf_str(&b), budget, arena);
        rdv_arena_reset(arena);
    }
    assert_in_range(n_agree, TRIALS / 8, TRIALS - TRIALS / 8); /* both kinds were drawn */
    assert_true(compare_agreement(RDV_STR("1/3 + 1/6 = 50%"), 1u << 20, arena));
    assert_false(compare_agreement(RDV_STR("1/3 + 1/6 = 0.51"), 1u << 20, arena));
    assert_false(compare_agreement(RDV_STR("2/(3-3) = 2/(3-3)"), 1u << 20, arena));
    assert_false(compare_agreement(RDV_STR("12 + 3 = 15"), 20, arena));
    rdv_arena_free(&arena);
}

/* A number has the value of its digits, however many they are. */
static void test_literal_value__is_that_of_the_digits(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char digits[24] = "";
    fmpq_t value, expected;
    fmpq_init(value);
    fmpq_init(expected);
    for (size_t n = 0; n < sizeof digits - 1; n++) {
        tokens t;
        long decimals;
        digits[n] = '9';
        assert_int_equal(lex(rdv_str_of(digits), arena, &t), RDV_OK);
        assert_true(literal_value(&t, 0, value, &decimals));
        assert_int_equal(fmpq_set_str(expected, digits, 10), 0);
        assert_true(fmpq_equal(value, expected));
        assert_int_equal(decimals, 0);
    }
    fmpq_clear(value);
    fmpq_clear(expected);
    rdv_arena_free(&arena);
}

/* Another reading, and decimals that stand for what they were rounded from. */
static void test_small_eval__only_literally(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    tokens t;
    expression e;
    unrounded rounds = {0};
    uint64_t budget = 1000;
    fmpq_t out;
    fmpq_init(out);
    assert_int_equal(lex(RDV_STR("2 + 3%"), arena, &t), RDV_OK);
    assert_int_equal(parse_expression(&t, 0, arena, &e), RDV_OK);
    evaluation ev = {.t = &t, .budget = &budget};
    assert_true(small_eval(&ev, e.root, out));
    ev.reading = READ_PERCENT_OF_LEFT;
    assert_false(small_eval(&ev, e.root, out));
    ev.reading = READ_LITERALLY;
    ev.rounds = &rounds;
    assert_false(small_eval(&ev, e.root, out));
    fmpq_clear(out);
    rdv_arena_free(&arena);
}

/* What a copied text may have lost: the value as "p/q", or NULL where no number can be read so. */
static void test_small_eval__lost_typesetting(void **state)
{
    enum { POWERS = READ_LOST_POWERS, BARS = READ_LOST_BARS, LONGEST = READ_LOST_LONGEST };
    static const struct {
        const char *text;
        unsigned reading;
        const char *value;
    } cases[] = {
        {"892", POWERS, "7921"},
        {"892 + 5", POWERS, "7926"},
        {"892 + 22", POWERS, "7925"},
        {"892 + 22", POWERS | LONGEST, "7943"},
        {"22 + 32", POWERS, NULL}, /* too short */
        {"891", POWERS, NULL},
        {"890", POWERS, NULL},
        {"12", POWERS, NULL},
        {"102", POWERS, "100"},
        {"89.2", POWERS, NULL},
        {"999999999", POWERS, NULL}, /* larger than a word */
        {"1000000002", POWERS, NULL},
        {"100000002", POWERS, "100000000000000"},
        {"120100", 3 * BARS, "6/5"},
        {"60 * 120100", 3 * BARS, "72"},
        {"120100", 2 * BARS, NULL}, /* no denominator begins with 0 */
        {"120100", BARS, NULL},
        {"116 + 416", 2 * BARS, "5/16"},
        {"116 + 416", BARS, "26/3"},
        {"101", BARS, NULL}, /* no denominator is 1 */
        {"102", BARS, "5"},
        {"16", 2 * BARS, NULL},
        {"192 * 2624", 2 * BARS, "13/1104"},
        {"192 * 2624", 2 * BARS | LONGEST, "208"},
    };
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tokens t;
        expression e;
        uint64_t budget = 1000;
        fmpq_t out;
        fmpq_init(out);
        assert_int_equal(lex(rdv_str_of(cases[i].text), arena, &t), RDV_OK);
        assert_int_equal(parse_expression(&t, 0, arena, &e), RDV_OK);
        evaluation ev = {.t = &t, .budget = &budget, .reading = cases[i].reading};
        bool is = small_eval(&ev, e.root, out);
        char *value = fmpq_get_str(NULL, 10, out);
        if (is != (cases[i].value != NULL) || (is && strcmp(value, cases[i].value) != 0))
            fail_msg("%s, reading %u: %s", cases[i].text, cases[i].reading, is ? value : "none");
        flint_free(value);
        fmpq_clear(out);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_eval__has_the_values_of_the_large),
        cmocka_unit_test(test_small_eval__refuses),
        cmocka_unit_test(test_small_eval__only_literally),
        cmocka_unit_test(test_small_eval__lost_typesetting),
        cmocka_unit_test(test_small_eval_agree__is_of_equal_values),
        cmocka_unit_test(test_literal_value__is_that_of_the_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
