/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/root.h"

#include "base/str.h"
#include "expression/print.h"

#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly_factor.h>

#define MAX_SHOWN 3 /* solutions that are listed */

void root_of_linear(const fmpz_poly_t p, fmpq_t out)
{
    fmpz_t top, low;
    fmpz_init(top);
    fmpz_init(low);
    fmpz_poly_get_coeff_fmpz(top, p, 1);
    fmpz_poly_get_coeff_fmpz(low, p, 0);
    fmpz_neg(low, low);
    fmpq_set_fmpz_frac(out, low, top);
    fmpz_clear(top);
    fmpz_clear(low);
}

static int sign_at(const fmpz_poly_t p, const fmpq_t x)
{
    fmpq_t y;
    fmpq_init(y);
    fmpz_poly_evaluate_fmpq(y, p, x);
    int sign = fmpq_sgn(y);
    fmpq_clear(y);
    return sign;
}

/* Does the polynomial change its sign within so much of x as rounding may have taken away: one
 * where x is whole, else two percent? */
static bool has_root_near(const fmpz_poly_t p, const fmpq_t x)
{
    fmpq_t lower, upper, step;
    fmpq_init(lower);
    fmpq_init(upper);
    fmpq_init(step);
    fmpq_set_ui(step, 1, 50);
    fmpq_mul(step, step, x);
    fmpq_abs(step, step);
    if (fmpz_is_one(fmpq_denref(x)) && fmpz_cmp(fmpq_numref(step), fmpq_denref(step)) < 0)
        fmpq_one(step);
    fmpq_sub(lower, x, step);
    fmpq_add(upper, x, step);
    bool near = sign_at(p, lower) * sign_at(p, upper) < 0;
    fmpq_clear(lower);
    fmpq_clear(upper);
    fmpq_clear(step);
    return near;
}

/* Are the polynomials, each divided by its first coefficient, the same but for a last one that
 * differs by more than two percent? No rounding of it is so large. */
static bool differ_at_end(const fmpz_poly_t given, const fmpz_poly_t next)
{
    slong degree = fmpz_poly_degree(given);
    fmpq_poly_t a, b;
    fmpq_t x, y;
    fmpq_poly_init(a);
    fmpq_poly_init(b);
    fmpq_init(x);
    fmpq_init(y);
    fmpq_poly_set_fmpz_poly(a, given);
    fmpq_poly_set_fmpz_poly(b, next);
    fmpq_poly_make_monic(a, a);
    fmpq_poly_make_monic(b, b);
    fmpq_poly_get_coeff_fmpq(x, a, 0);
    fmpq_poly_get_coeff_fmpq(y, b, 0);
    fmpq_poly_set_coeff_si(a, 0, 0);
    fmpq_poly_set_coeff_si(b, 0, 0);
    bool differ = degree == fmpz_poly_degree(next) && fmpq_poly_equal(a, b) && !fmpq_is_zero(x);
    if (differ) {
        fmpq_div(y, y, x);
        fmpq_set_ui(x, 98, 100);
        differ = fmpq_cmp(y, x) < 0;
        fmpq_set_ui(x, 102, 100);
        differ |= fmpq_cmp(y, x) > 0;
    }
    fmpq_poly_clear(a);
    fmpq_poly_clear(b);
    fmpq_clear(x);
    fmpq_clear(y);
    return differ;
}

bool root_may_be_rounded(const fmpz_poly_t given, const fmpz_poly_t next, bool decimals)
{
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    bool linear = fmpz_poly_degree(next) == 1, may = decimals && !differ_at_end(given, next);
    if (linear) {
        root_of_linear(next, x);
        if (fmpz_poly_degree(given) == 1)
            root_of_linear(given, y);
        bool exact = !decimals && fmpz_poly_degree(given) == 1 && fmpz_is_one(fmpq_denref(y));
        may = !exact && has_root_near(given, x);
    }
    fmpq_clear(x);
    fmpq_clear(y);
    return may;
}

rdv_str root_solutions(rdv_arena *arena, const fmpz_poly_t p, rdv_str letter)
{
    rdv_str shown = {0};
    fmpq_t root;
    fmpz_poly_factor_t factors;
    fmpq_init(root);
    fmpz_poly_factor_init(factors);
    fmpz_poly_factor(factors, p);
    bool linear = factors->num <= MAX_SHOWN;
    for (slong i = 0; i < factors->num && linear; i++)
        linear = fmpz_poly_degree(factors->p + i) == 1;
    for (slong i = 0; i < factors->num && linear; i++) {
        root_of_linear(factors->p + i, root);
        rdv_str one = print_value(root, arena);
        shown = i ? rdv_str_printf(arena, "%.*s or %.*s", RDV_FMT(shown), RDV_FMT(one)) : one;
    }
    if (!linear) {
        char *name = rdv_cstring(arena, letter);
        char *text = name ? fmpz_poly_get_str_pretty(p, name) : NULL;
        if (text)
            shown = rdv_str_printf(arena, "a root of %s", text);
        flint_free(text);
    }
    fmpz_poly_factor_clear(factors);
    fmpq_clear(root);
    return shown;
}
