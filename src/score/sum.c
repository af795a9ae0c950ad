/* SPDX-License-Identifier: Apache-2.0 */
#include "score/sum.h"

#include <math.h>
#include <string.h>

#define POINT 1074 /* the smallest positive double is 2^-1074: bit 0 */
#define MANTISSA 52

bool rdv_sum_takes(double x)
{
    return fabs(x) <= RDV_SUM_MAX;
}

/* Add or subtract `word` at limb `i`, with carry or borrow. */
static void add_word(rdv_sum *sum, size_t i, uint64_t word)
{
    for (bool carry = false; i < RDV_SUM_LIMBS && (word || carry); i++, word = 0) {
        bool over = __builtin_add_overflow(sum->limb[i], word, &sum->limb[i]);
        carry = __builtin_add_overflow(sum->limb[i], (uint64_t)carry, &sum->limb[i]) || over;
    }
}

static void subtract_word(rdv_sum *sum, size_t i, uint64_t word)
{
    for (bool borrow = false; i < RDV_SUM_LIMBS && (word || borrow); i++, word = 0) {
        bool under = __builtin_sub_overflow(sum->limb[i], word, &sum->limb[i]);
        borrow = __builtin_sub_overflow(sum->limb[i], (uint64_t)borrow, &sum->limb[i]) || under;
    }
}

void rdv_sum_add(rdv_sum *sum, double x)
{
    /* The bits of a double are its sign, its exponent and its mantissa, whose leading one is left
     * out but for subnormal numbers. Exponents 0 and 1 both place it at bit 0. */
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA) - 1);
    unsigned exponent = (unsigned)(bits >> MANTISSA) & 0x7ff;
    if (exponent > 0)
        mantissa |= UINT64_C(1) << MANTISSA;
    if (mantissa == 0)
        return;
    unsigned shift = exponent > 0 ? exponent - 1 : 0, within = shift % 64;
    size_t i = shift / 64;
    uint64_t low = mantissa << within;
    uint64_t high = within ? mantissa >> (64 - within) : 0;
    void (*apply)(rdv_sum *, size_t, uint64_t) = bits >> 63 ? subtract_word : add_word;
    apply(sum, i, low);
    apply(sum, i + 1, high);
}

void rdv_sum_add_times(rdv_sum *sum, double x, uint64_t times)
{
    if (fabs(x) <= 0)
        return;
    for (int bit = 0; times; bit++, times >>= 1)
        if (times & 1)
            rdv_sum_add(sum, ldexp(x, bit));
}

void rdv_sum_join(rdv_sum *sum, const rdv_sum *other)
{
    for (size_t i = 0; i < RDV_SUM_LIMBS; i++)
        add_word(sum, i, other->limb[i]);
}

void rdv_sum_subtract(rdv_sum *sum, const rdv_sum *other)
{
    for (size_t i = 0; i < RDV_SUM_LIMBS; i++)
        subtract_word(sum, i, other->limb[i]);
}

static bool negative(const rdv_sum *sum)
{
    return sum->limb[RDV_SUM_LIMBS - 1] >> 63;
}

int rdv_sum_sign(const rdv_sum *sum)
{
    if (negative(sum))
        return -1;
    for (size_t i = 0; i < RDV_SUM_LIMBS; i++)
        if (sum->limb[i])
            return 1;
    return 0;
}

int rdv_sum_cmp(const rdv_sum *a, const rdv_sum *b)
{
    if (negative(a) != negative(b))
        return negative(a) ? -1 : 1;
    for (size_t i = RDV_SUM_LIMBS; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* The value of a non-negative sum. The 64 leading bits are gathered into one word whose lowest bit
 * is also set when any lower bit is set: rounding that word to 53 bits then rounds the whole sum
 * correctly. */
static double magnitude(const rdv_sum *sum)
{
    size_t top = RDV_SUM_LIMBS;
    while (top > 0 && sum->limb[top - 1] == 0)
        top--;
    if (top == 0)
        return 0;
    int exponent = ((int)top - 1) * 64 - POINT;
    uint64_t word = sum->limb[top - 1];
    int zeros = __builtin_clzll(word);
    if (top == 1) /* no lower limbs: exact, including subnormal results */
        return ldexp((double)word, exponent);
    if (zeros)
        word = word << zeros | sum->limb[top - 2] >> (64 - zeros);
    bool below = (sum->limb[top - 2] << zeros) != 0;
    for (size_t i = 0; i + 2 < top; i++)
        below = below || sum->limb[i] != 0;
    return ldexp((double)(word | below), exponent - zeros);
}

double rdv_sum_value(const rdv_sum *sum)
{
    if (!negative(sum))
        return magnitude(sum);
    rdv_sum positive = {{0}};
    rdv_sum_subtract(&positive, sum);
    return -magnitude(&positive);
}
