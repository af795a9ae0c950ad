/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/compare.h"

#include "base/str.h"
#include "expression/dimension.h"

static void times_power_of_ten(fmpq_t x, slong e)
{
    fmpq_t ten;
    fmpq_init(ten);
    fmpq_set_ui(ten, 10, 1);
    fmpq_pow_si(ten, ten, e);
    fmpq_mul(x, x, ten);
    fmpq_clear(ten);
}

/* "10^5" and "10^{-3}": the exponent into *e. */
static bool power_of_ten(const tokens *t, const node *n, slong *e)
{
    while (n->is == N_UNIT) /* "6 x 10^-4 m" */
        n = n->a;
    bool negative = n->is == N_POWER && n->b->is == N_NEGATE;
    const node *exponent = negative ? n->b->a : n->b;
    if (n->is != N_POWER || n->a->is != N_NUMBER || exponent->is != N_NUMBER ||
        !rdv_str_eq(tok_text(t, n->a->end - 1), RDV_STR("10")))
        return false;
    fmpq_t value;
    long decimals;
    fmpq_init(value);
    bool ok = literal_value(t, exponent->end - 1, value, &decimals) &&
              fmpz_is_one(fmpq_denref(value)) && fmpz_cmp_ui(fmpq_numref(value), 400) < 0;
    if (ok)
        *e = negative ? -fmpz_get_si(fmpq_numref(value)) : fmpz_get_si(fmpq_numref(value));
    fmpq_clear(value);
    return ok;
}

/* What a program adds to the weight of the last digit, "1.4e3": the exponent less the decimals
 * before it. 0: there is none, or it leaves decimals. */
static slong weight_above_one(rdv_str number)
{
    size_t e = rdv_find_char(number, 'e', 0), point = rdv_find_char(number, '.', 0);
    e = e == RDV_NOT_FOUND ? rdv_find_char(number, 'E', 0) : e;
    if (e == RDV_NOT_FOUND)
        return 0;
    slong exponent = 0, decimals = point < e ? (slong)(e - point - 1) : 0;
    for (size_t i = e + 1; i < number.len; i++) {
        if (number.p[i] == '-')
            return 0;
        if (rdv_is_digit(number.p[i]))
            exponent = 10 * exponent + (number.p[i] - '0');
    }
    return exponent > decimals ? exponent - decimals : 0;
}

static bool literal_ulp(const tokens *t, const node *n, fmpq_t ulp)
{
    size_t i = n->end - 1;
    uint64_t num, den;
    long decimals;
    bool is_short = literal_small(t, i, &num, &den, &decimals);
    if (!is_short && (t->at[i].vulgar || !literal_value(t, i, ulp, &decimals)))
        return false;
    slong weight = decimals ? -decimals : weight_above_one(tok_text(t, i));
    fmpz_t power;
    fmpz_init_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)(weight < 0 ? -weight : weight));
    fmpq_one(ulp);
    fmpz_swap(weight < 0 ? fmpq_denref(ulp) : fmpq_numref(ulp), power);
    fmpz_clear(power);
    return true;
}

/* Is the tree one number as shown (with sign, percent, unit, or times a power of ten), or an amount
 * in several units, "1 hour 20 minutes"? Then *ulp is the weight of its last digit, in its unit. */
static bool shown_number(const tokens *t, const node *n, unsigned readings, fmpq_t ulp)
{
    slong e;
    switch (n->is) {
    case N_NUMBER:
        return literal_ulp(t, n, ulp);
    case N_NEGATE:
    case N_UNIT:
        return shown_number(t, n->a, readings, ulp);
    case N_PERCENT:
        if (!shown_number(t, n->a, readings, ulp))
            return false;
        if (!(readings & READ_PERCENT_AS_NUMBER))
            times_power_of_ten(ulp, -2);
        return true;
    case N_MULTIPLY:
        if (!power_of_ten(t, n->b, &e) || !shown_number(t, n->a, readings, ulp))
            return false;
        times_power_of_ten(ulp, e);
        return true;
    case N_ADD:
        return node_is_amount(n) && (readings & READ_UNITS) && shown_number(t, n->b, readings, ulp);
    default:
        return false;
    }
}

const measure *compare_unit(const tokens *t, const expression *lhs, const expression *rhs,
                            unsigned readings)
{
    fmpq_t ulp;
    fmpq_init(ulp);
    bool right = shown_number(t, rhs->root, readings, ulp);
    const node *n = right                                       ? rhs->root
                    : shown_number(t, lhs->root, readings, ulp) ? lhs->root
                                                                : NULL;
    fmpq_clear(ulp);
    while (n && (n->is == N_NEGATE || node_is_amount(n)))
        n = n->is == N_NEGATE ? n->a : n->b;
    return n && n->is == N_UNIT && n->a->is != N_UNIT ? dimension_unit(n, readings) : NULL;
}

/* |x| <= |y| * 10^-p ? */
static bool is_within(const fmpq_t x, const fmpq_t y, slong p)
{
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_abs(a, x);
    fmpq_abs(b, y);
    times_power_of_ten(b, -p);
    bool within = fmpq_cmp(a, b) <= 0;
    fmpq_clear(a);
    fmpq_clear(b);
    return within;
}

/* Is x less than `units` times y, or as much? Both are positive. */
static bool at_most(const fmpq_t x, ulong units, const fmpq_t y)
{
    fmpq_t most;
    fmpq_init(most);
    fmpq_mul_ui(most, y, units);
    bool is = fmpq_cmp(x, most) <= 0;
    fmpq_clear(most);
    return is;
}

/* Is a number whose last digit weighs `ulp` the nearest one to an exact value (a half either way),
 * or what is left when the rest is cut off? `difference`: how much they differ; `cut`: the number
 * shown is nearer to zero. */
static bool rounds(const fmpq_t difference, bool cut, const fmpq_t ulp)
{
    if (fmpq_cmp(difference, ulp) >= 0) /* most do */
        return false;
    fmpq_t twice;
    fmpq_init(twice);
    fmpq_add(twice, difference, difference);
    bool nearest = fmpq_cmp(twice, ulp) <= 0;
    fmpq_clear(twice);
    return nearest || cut;
}

/* 1.4 * 10^3 and 1400 show digits of the same weight where zeros may stand for digits. */
static void leave_out_zeros(const tokens *t, const node *n, fmpq_t ulp)
{
    while (n->is == N_NEGATE || n->is == N_UNIT)
        n = n->a;
    rdv_str s = n->is == N_NUMBER ? tok_text(t, n->end - 1) : (rdv_str){0};
    if (rdv_find_char(s, '.', 0) != RDV_NOT_FOUND)
        return;
    slong zeros = 0;
    for (size_t i = s.len; i > 1 && (s.p[i - 1] == '0' || s.p[i - 1] == ','); i--)
        zeros += s.p[i - 1] == '0';
    times_power_of_ten(ulp, zeros);
}

#define BITS_OF_12_DIGITS 40  /* 10^12 is more than 2^39 */
#define BITS_OF_50_DIGITS 166 /* 10^50 is a little more than 2^166 */

/* Printed by a computer: 12 or more decimals, whose last ones carry the error of binary arithmetic,
 * as in 0.1 + 0.2 = 0.30000000000000004. */
static bool is_floating_point(const fmpq_t difference, const fmpq_t shown, const fmpq_t ulp)
{
    return fmpz_bits(fmpq_denref(ulp)) >= BITS_OF_12_DIGITS && is_within(difference, shown, 12);
}

static bool agree_within(const fmpq_t l, const fmpq_t r, slong p)
{
    fmpq_t difference;
    fmpq_init(difference);
    fmpq_sub(difference, l, r);
    bool agree = is_within(difference, l, p);
    fmpq_clear(difference);
    return agree;
}

bool compare_to_one_percent(const fmpq_t l, const fmpq_t r)
{
    return agree_within(l, r, 2);
}

bool compare_to_50_digits(const fmpq_t l, const fmpq_t r)
{
    /* Fractions that differ do so by at least one over the product of their denominators. */
    if (!fmpq_equal(l, r) &&
        fmpz_bits(fmpq_numref(l)) + fmpz_bits(fmpq_denref(r)) <= BITS_OF_50_DIGITS)
        return false;
    return agree_within(l, r, 50);
}

/* How near a number as shown is to an exact value, from which `difference` leads to it. `shown`:
 * its tree, of which the last digit weighs `ulp`; NULL: neither side is one number. */
static closeness nearness(const tokens *t, const node *shown, fmpq_t difference, const fmpq_t exact,
                          const fmpq_t number, fmpq_t ulp, tolerance near)
{
    bool cut = fmpq_sgn(difference) == fmpq_sgn(exact);
    fmpq_abs(difference, difference);
    bool one_percent = is_within(difference, exact, 2), about = near == TOLERANCE_ABOUT;
    if (shown && is_floating_point(difference, number, ulp))
        return CLOSE_ROUNDED;
    bool rounded = shown && rounds(difference, cut, ulp);
    if (rounded && (one_percent || about))
        return CLOSE_ROUNDED;
    if (near == TOLERANCE_CONVERTED && is_within(difference, exact, 1))
        return one_percent ? CLOSE_ROUNDED : CLOSE_ROUGH;
    if (rounded)
        return CLOSE_FAR;
    if (!about || (!shown && !one_percent))
        return CLOSE_NOT;
    bool near_digit = shown && at_most(difference, 5, ulp);
    if (shown)
        leave_out_zeros(t, shown, ulp);
    if (shown && one_percent && rounds(difference, cut, ulp))
        return CLOSE_ROUNDED;
    bool near_zeros = is_within(difference, exact, 1) && at_most(difference, 5, ulp);
    return one_percent || near_digit || near_zeros ? CLOSE_ROUGH : CLOSE_NOT;
}

closeness compare_values(const tokens *t, const expression *lhs, const expression *rhs,
                         const fmpq_t l, const fmpq_t r, unsigned readings, tolerance near)
{
    if (fmpq_equal(l, r))
        return CLOSE_EQUAL;
    fmpq_t difference, ulp;
    fmpq_init(difference);
    fmpq_init(ulp);
    fmpq_sub(difference, l, r);
    const node *shown = shown_number(t, rhs->root, readings, ulp) ? rhs->root : NULL;
    bool right = shown != NULL;
    if (!right && shown_number(t, lhs->root, readings, ulp)) {
        shown = lhs->root;
        fmpq_neg(difference, difference);
    }
    closeness is = right || !shown ? nearness(t, shown, difference, l, r, ulp, near)
                                   : nearness(t, shown, difference, r, l, ulp, near);
    fmpq_clear(difference);
    fmpq_clear(ulp);
    return is;
}

int compare_neighbour(const tokens *t, const expression *lhs, const expression *rhs, const fmpq_t l,
                      const fmpq_t r)
{
    fmpq_t difference, ulp;
    fmpq_init(difference);
    fmpq_init(ulp);
    bool right = shown_number(t, rhs->root, READ_LITERALLY, ulp);
    int side = 0;
    if (right || shown_number(t, lhs->root, READ_LITERALLY, ulp)) {
        right ? fmpq_sub(difference, r, l) : fmpq_sub(difference, l, r);
        side = fmpq_sgn(difference);
        fmpq_abs(difference, difference);
        side = fmpq_cmp(difference, ulp) < 0 ? side : 0;
    }
    fmpq_clear(difference);
    fmpq_clear(ulp);
    return side;
}

bool compare_differ_by_factor(const tokens *t, const expression *lhs, const expression *rhs,
                              const fmpq_t l, const fmpq_t r, ulong num, ulong den)
{
    fmpq_t factor, scaled;
    fmpq_init(factor);
    fmpq_init(scaled);
    fmpq_set_ui(factor, num, den);
    fmpq_mul(scaled, l, factor);
    bool by =
        compare_to_50_digits(scaled, r) ||
        compare_values(t, lhs, rhs, scaled, r, READ_LITERALLY, TOLERANCE_NONE) <= CLOSE_ROUNDED;
    fmpq_clear(factor);
    fmpq_clear(scaled);
    return by;
}
