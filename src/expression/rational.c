/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/rational.h"

eval_is rational_root(fmpq_t out, const fmpq_t x, ulong k)
{
    if (k == 0)
        return EVAL_LIMIT;
    if (fmpq_sgn(x) < 0 && k % 2 == 0)
        return EVAL_UNDEFINED;
    /* The k-th power of a fraction has more than k bits. */
    bool high = k > fmpz_bits(fmpq_numref(x)) && k > fmpz_bits(fmpq_denref(x));
    if (high && !fmpq_is_zero(x) && !fmpq_is_pm1(x))
        return EVAL_IRRATIONAL;
    if (k > 1000)
        return EVAL_LIMIT;
    fmpq_t r;
    fmpq_init(r);
    bool exact = fmpz_root(fmpq_numref(r), fmpq_numref(x), (slong)k) &&
                 fmpz_root(fmpq_denref(r), fmpq_denref(x), (slong)k);
    if (exact)
        fmpq_set(out, r);
    fmpq_clear(r);
    return exact ? EVAL_OK : EVAL_IRRATIONAL;
}

eval_is rational_integer_power(fmpq_t out, const fmpq_t base, const fmpz_t exponent,
                               uint64_t max_bits)
{
    if (fmpq_is_zero(base)) {
        if (fmpz_sgn(exponent) <= 0)
            return EVAL_UNDEFINED;
        fmpq_zero(out);
        return EVAL_OK;
    }
    if (fmpq_is_one(base)) {
        fmpq_one(out);
        return EVAL_OK;
    }
    uint64_t bits = fmpz_bits(fmpq_numref(base)), den = fmpz_bits(fmpq_denref(base));
    if (den > bits)
        bits = den;
    if (!fmpz_fits_si(exponent))
        return EVAL_LIMIT;
    slong e = fmpz_get_si(exponent);
    uint64_t size = e < 0 ? 0 - (uint64_t)e : (uint64_t)e;
    if (size > max_bits || size * bits > max_bits)
        return EVAL_LIMIT;
    fmpq_pow_si(out, base, e);
    return EVAL_OK;
}

eval_is rational_power(fmpq_t out, const fmpq_t base, const fmpq_t exponent, uint64_t max_bits)
{
    if (fmpz_is_one(fmpq_denref(exponent)))
        return rational_integer_power(out, base, fmpq_numref(exponent), max_bits);
    if (!fmpz_fits_si(fmpq_denref(exponent)))
        return EVAL_LIMIT;
    fmpq_t root;
    fmpq_init(root);
    eval_is is = rational_root(root, base, fmpz_get_ui(fmpq_denref(exponent)));
    if (is == EVAL_OK)
        is = rational_integer_power(out, root, fmpq_numref(exponent), max_bits);
    fmpq_clear(root);
    return is;
}

eval_is rational_factorial(fmpq_t out, const fmpq_t x, ulong max)
{
    if (!fmpz_is_one(fmpq_denref(x)) || fmpq_sgn(x) < 0)
        return EVAL_UNDEFINED;
    if (fmpz_cmp_ui(fmpq_numref(x), max) > 0)
        return EVAL_LIMIT;
    fmpz_fac_ui(fmpq_numref(out), fmpz_get_ui(fmpq_numref(x)));
    fmpz_one(fmpq_denref(out));
    return EVAL_OK;
}

eval_is rational_binomial(fmpq_t out, const fmpq_t n, const fmpq_t k, ulong max)
{
    if (!fmpz_is_one(fmpq_denref(n)) || !fmpz_is_one(fmpq_denref(k)) || fmpq_sgn(n) < 0 ||
        fmpq_sgn(k) < 0)
        return EVAL_UNDEFINED;
    if (fmpz_cmp_ui(fmpq_numref(n), max) > 0)
        return EVAL_LIMIT;
    if (fmpq_cmp(k, n) > 0) {
        fmpq_zero(out);
        return EVAL_OK;
    }
    fmpz_bin_uiui(fmpq_numref(out), fmpz_get_ui(fmpq_numref(n)), fmpz_get_ui(fmpq_numref(k)));
    fmpz_one(fmpq_denref(out));
    return EVAL_OK;
}
