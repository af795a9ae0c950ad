/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/print.h"

#include "base/arena.h"
#include "base/str.h"

#define MAX_PRINTED 200
#define MAX_PLACES 12

#define MAX_DIGITS 19 /* of an int64_t */

static rdv_str print_small(int64_t x, rdv_arena *arena)
{
    char digits[MAX_DIGITS + 1];
    size_t begin = sizeof digits;
    for (uint64_t rest = x < 0 ? 0 - (uint64_t)x : (uint64_t)x; rest || begin == sizeof digits;
         rest /= 10)
        digits[--begin] = (char)('0' + rest % 10);
    if (x < 0)
        digits[--begin] = '-';
    return rdv_str_copy(arena, (rdv_str){digits + begin, sizeof digits - begin});
}

static rdv_str print_integer(const fmpz_t x, rdv_arena *arena)
{
    if (!COEFF_IS_MPZ(*x))
        return print_small(*x, arena);
    size_t size = fmpz_sizeinbase(x, 10) + 2; /* sign and NUL */
    char *p = rdv_alloc(arena, size);
    if (!p)
        return (rdv_str){0};
    fmpz_get_str(p, 10, x);
    return rdv_str_of(p);
}

/* The texts one after another. */
static rdv_str join(const rdv_str *texts, size_t n, rdv_arena *arena)
{
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        len += texts[i].len;
    char *p = rdv_alloc(arena, len + 1);
    if (!p)
        return (rdv_str){0};
    rdv_str all = {p, len};
    for (size_t i = 0; i < n; i++) {
        memcpy(p, texts[i].p, texts[i].len);
        p += texts[i].len;
    }
    *p = '\0';
    return all;
}

rdv_str print_fraction(const fmpq_t x, rdv_arena *arena)
{
    rdv_str num = print_integer(fmpq_numref(x), arena);
    if (!num.p || fmpz_is_one(fmpq_denref(x)))
        return num;
    rdv_str den = print_integer(fmpq_denref(x), arena);
    if (!den.p)
        return den;
    return join((const rdv_str[]){num, RDV_STR("/"), den}, 3, arena);
}

/* The number of decimal places that shows x exactly, or -1 when it is more than MAX_PLACES. */
static int places(const fmpq_t x)
{
    fmpz_t rest, five;
    fmpz_init(rest);
    fmpz_init_set_ui(five, 5);
    slong twos = fmpz_val2(fmpq_denref(x));
    fmpz_tdiv_q_2exp(rest, fmpq_denref(x), (ulong)twos);
    slong fives = fmpz_remove(rest, rest, five), n = twos > fives ? twos : fives;
    bool divides = fmpz_is_one(rest);
    fmpz_clear(rest);
    fmpz_clear(five);
    return divides && n <= MAX_PLACES ? (int)n : -1;
}

/* x * 10^shift rounded to the nearest integer, halves away from zero. */
static void scaled(fmpz_t out, const fmpq_t x, long shift)
{
    fmpz_t num, den;
    fmpz_init_set(num, fmpq_numref(x));
    fmpz_init_set(den, fmpq_denref(x));
    fmpz_t ten;
    fmpz_init_set_ui(ten, 10);
    fmpz_pow_ui(ten, ten, (ulong)(shift < 0 ? -shift : shift));
    if (shift >= 0)
        fmpz_mul(num, num, ten);
    else
        fmpz_mul(den, den, ten);
    fmpz_abs(out, num);
    fmpz_mul_ui(out, out, 2);
    fmpz_add(out, out, den);
    fmpz_mul_ui(den, den, 2);
    fmpz_fdiv_q(out, out, den);
    if (fmpz_sgn(num) < 0)
        fmpz_neg(out, out);
    fmpz_clear(num);
    fmpz_clear(den);
    fmpz_clear(ten);
}

/* Put a point before the last `n` digits, with zeros in front where there are too few. */
static rdv_str point_before(rdv_str digits, size_t n, rdv_arena *arena)
{
    bool negative = digits.p[0] == '-';
    if (negative)
        digits = rdv_slice(digits, 1, digits.len);
    rdv_str sign = negative ? RDV_STR("-") : RDV_STR("");
    if (digits.len > n)
        return join((const rdv_str[]){sign, rdv_slice(digits, 0, digits.len - n), RDV_STR("."),
                                      rdv_slice(digits, digits.len - n, digits.len)},
                    4, arena);
    rdv_str zeros = rdv_slice(RDV_STR("00000000000000000000"), 0, n - digits.len);
    return join((const rdv_str[]){sign, RDV_STR("0."), zeros, digits}, 4, arena);
}

rdv_str print_value(const fmpq_t x, rdv_arena *arena)
{
    size_t digits = fmpz_sizeinbase(fmpq_numref(x), 10);
    if (fmpz_sizeinbase(fmpq_denref(x), 10) > digits)
        digits = fmpz_sizeinbase(fmpq_denref(x), 10);
    if (digits > MAX_PRINTED)
        return rdv_str_printf(arena, "a number of %zu digits", digits);
    int n = places(x);
    if (n <= 0)
        return print_fraction(x, arena);
    fmpz_t whole;
    fmpz_init(whole);
    scaled(whole, x, n);
    rdv_str text = print_integer(whole, arena);
    fmpz_clear(whole);
    return text.p ? point_before(text, (size_t)n, arena) : text;
}

/* The exponent e with 10^e <= |x| < 10^(e+1); x is not 0. */
static long decimal_exponent(const fmpq_t x)
{
    long e = (long)fmpz_sizeinbase(fmpq_numref(x), 10) - (long)fmpz_sizeinbase(fmpq_denref(x), 10);
    fmpq_t magnitude, power;
    fmpq_init(magnitude);
    fmpq_init(power);
    fmpq_abs(magnitude, x);
    for (e -= 2;; e++) {
        fmpq_set_ui(power, 10, 1);
        fmpq_pow_si(power, power, e + 1);
        if (fmpq_cmp(magnitude, power) < 0)
            break;
    }
    fmpq_clear(magnitude);
    fmpq_clear(power);
    return e;
}

rdv_str print_digits(const fmpq_t x, unsigned digits, rdv_arena *arena)
{
    if (fmpq_is_zero(x))
        return rdv_str_copy(arena, RDV_STR("0"));
    long e = decimal_exponent(x);
    fmpz_t whole;
    fmpz_init(whole);
    scaled(whole, x, (long)digits - 1 - e);
    rdv_str text = print_integer(whole, arena);
    fmpz_clear(whole);
    if (!text.p)
        return text;
    size_t sign = text.p[0] == '-';
    if (text.len - sign > digits) /* 9.99.. was rounded up to 10 */
        e++;
    return rdv_str_printf(arena, "%.*s.%.*se%ld", (int)sign + 1, text.p, (int)digits - 1,
                          text.p + sign + 1, e);
}

rdv_str print_real(const fmpq_t x, rdv_arena *arena)
{
    long e = fmpq_is_zero(x) ? 0 : decimal_exponent(x);
    if (e < -4 || e > 11)
        return print_digits(x, 12, arena);
    fmpz_t whole;
    fmpz_init(whole);
    scaled(whole, x, 11 - e);
    rdv_str text = print_integer(whole, arena);
    fmpz_clear(whole);
    return text.p ? point_before(text, (size_t)(11 - e), arena) : text;
}
