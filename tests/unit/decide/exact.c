/* SPDX-License-Identifier: Apache-2.0 */
/* Random expressions, claimed right or wrong, against GMP's rationals computed from the same tree.
 */
#include <rederive/math.h>

#include "../test.h"
#include "base/buf.h"
#include "base/rng.h"

#include <gmp.h>

#define TRIALS 3000
#define MAX_DEPTH 4
#define MAX_BITS 2000

/* What is being written, and what it is worth: made together, so nothing is parsed here. */
typedef struct sample {
    rdv_rng *rng;
    rdv_buf text;
    size_t operators;
    bool defined;
    bool decimals; /* they excuse a difference: each may have been rounded */
} sample;

static void write_number(sample *s, mpq_t value)
{
    unsigned long n = rdv_rng_below(s->rng, rdv_rng_below(s->rng, 2) ? 10 : 5000);
    if (rdv_rng_below(s->rng, 16)) {
        rdv_buf_printf(&s->text, "%lu", n);
        mpq_set_ui(value, n, 1);
        return;
    }
    s->decimals = true;
    rdv_buf_printf(&s->text, "%lu.%02lu", n / 100, n % 100);
    mpq_set_ui(value, n, 100);
    mpq_canonicalize(value);
}

static void write_tree(sample *s, unsigned depth, mpq_t value);

static void write_power(sample *s, unsigned depth, mpq_t value)
{
    unsigned long e = rdv_rng_below(s->rng, 4);
    rdv_buf_lit(&s->text, "(");
    write_tree(s, depth - 1, value);
    rdv_buf_printf(&s->text, ")^%lu", e);
    s->operators++;
    if (mpq_sgn(value) == 0 && e == 0)
        s->defined = false; /* 0^0 */
    mpq_t base;
    mpq_init(base);
    mpq_set(base, value);
    mpq_set_ui(value, 1, 1);
    while (e-- > 0)
        mpq_mul(value, value, base);
    mpq_clear(base);
}

static void apply(sample *s, char sign, mpq_t a, mpq_t b)
{
    switch (sign) {
    case '+':
        mpq_add(a, a, b);
        break;
    case '-':
        mpq_sub(a, a, b);
        break;
    case '*':
        mpq_mul(a, a, b);
        break;
    default:
        if (mpq_sgn(b) == 0)
            s->defined = false;
        else
            mpq_div(a, a, b);
    }
}

/* Both operands in brackets: what binds how is the matter of the written cases. */
static void write_tree(sample *s, unsigned depth, mpq_t value)
{
    if (depth == 0 || rdv_rng_below(s->rng, 8) == 0) {
        write_number(s, value);
        return;
    }
    if (rdv_rng_below(s->rng, 8) == 0) {
        write_power(s, depth, value);
        return;
    }
    char sign = "+-*/"[rdv_rng_below(s->rng, 4)];
    mpq_t b;
    mpq_init(b);
    rdv_buf_lit(&s->text, "(");
    write_tree(s, depth - 1, value);
    rdv_buf_printf(&s->text, ") %c (", sign);
    write_tree(s, depth - 1, b);
    rdv_buf_lit(&s->text, ")");
    s->operators++;
    apply(s, sign, value, b);
    mpq_clear(b);
}

static bool is_small(const mpq_t x)
{
    return mpz_sizeinbase(mpq_numref(x), 2) < MAX_BITS &&
           mpz_sizeinbase(mpq_denref(x), 2) < MAX_BITS;
}

static rdv_calc_kind decide(rdv_str text, rdv_arena *arena)
{
    rdv_calc *calcs;
    size_t n;
    rdv_calculator *calculator = rdv_calculator_new(arena, (rdv_str){0});
    assert_non_null(calculator);
    assert_int_equal(rdv_calculator_step(calculator, text, &calcs, &n, NULL), RDV_OK);
    if (n != 1)
        fail_msg("%zu calculations in %.*s", n, RDV_FMT(text));
    rdv_calculator_free(&calculator);
    return calcs[0].kind;
}

static void claim(sample *s, const mpq_t value, rdv_calc_kind expected, rdv_arena *arena)
{
    char *claimed = mpq_get_str(NULL, 10, value);
    rdv_str text = rdv_str_printf(arena, "%.*s = (%s)", RDV_FMT(rdv_buf_str(&s->text)), claimed);
    assert_non_null(text.p);
    rdv_calc_kind is = decide(text, arena);
    if (is != expected)
        fail_msg("%.*s is %s", RDV_FMT(text), rdv_calc_name(is));
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    release(claimed, strlen(claimed) + 1);
}

/* The value is off by at least one, and by a tenth of it: no rounding and no percentage. */
static void put_off(mpq_t value, rdv_rng *rng)
{
    mpq_t by;
    mpq_init(by);
    mpq_set_ui(by, 3, 2);
    mpq_mul(by, by, value);
    mpq_abs(by, by);
    mpq_add(value, value, by);
    mpq_set_ui(by, 7 + rdv_rng_below(rng, 20), 3);
    mpq_add(value, value, by);
    mpq_clear(by);
}

static void try_once(rdv_rng *rng, rdv_arena *arena)
{
    sample s = {.rng = rng, .defined = true};
    mpq_t value;
    mpq_init(value);
    rdv_buf_init(&s.text, arena, 0);
    write_tree(&s, MAX_DEPTH, value);
    if (s.defined && s.operators && is_small(value)) {
        claim(&s, value, RDV_CALC_RIGHT, arena);
        put_off(value, rng);
        if (!s.decimals)
            claim(&s, value, RDV_CALC_WRONG, arena);
    }
    mpq_clear(value);
}

static void test_calculator_step__against_gmp(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rng rng;
    rdv_rng_seed(&rng, 20240229);
    for (size_t i = 0; i < TRIALS; i++) {
        try_once(&rng, arena);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calculator_step__against_gmp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
