/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/small_eval.h"

#include "base/str.h"

/* A fraction in lowest terms with 0 < den; den == 0: there is no value, or none of this size. */
typedef struct fraction {
    int64_t num, den;
} fraction;

typedef struct small {
    const tokens *t;
    const evaluation *ev; /* NULL: only signs of calculation, no powers and letters */
    uint64_t bits;        /* of the values so far, as eval_exact() takes them from the budget */
    unsigned lost;        /* READ_LOST_POWERS, or a multiple of READ_LOST_BARS */
    uint64_t least;       /* of the numbers that are read so */
    bool used;            /* a number of three digits or more was read so */
} small;

static const fraction none = {0, 0};

static uint64_t magnitude(int64_t x)
{
    return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

/* num / den in lowest terms; den > 0. */
static fraction reduced(int64_t num, int64_t den)
{
    uint64_t a = magnitude(num), b = (uint64_t)den;
    if (b == 1)
        return (fraction){num, 1};
    while (a) { /* to their greatest common divisor */
        uint64_t rest = b % a;
        b = a;
        a = rest;
    }
    return (fraction){num / (int64_t)b, den / (int64_t)b};
}

static fraction negative(fraction a)
{
    int64_t num;
    return __builtin_sub_overflow(0, a.num, &num) ? none : (fraction){num, a.den};
}

static fraction plus(fraction a, fraction b)
{
    int64_t x, y, num, den;
    if (__builtin_mul_overflow(a.num, b.den, &x) || __builtin_mul_overflow(b.num, a.den, &y) ||
        __builtin_add_overflow(x, y, &num) || __builtin_mul_overflow(a.den, b.den, &den))
        return none;
    return reduced(num, den);
}

static fraction times(fraction a, fraction b)
{
    int64_t num, den;
    if (__builtin_mul_overflow(a.num, b.num, &num) || __builtin_mul_overflow(a.den, b.den, &den))
        return none;
    return reduced(num, den);
}

static fraction over(fraction a, fraction b)
{
    fraction sign = b.num < 0 ? negative(a) : a, size = b.num < 0 ? negative(b) : b;
    return b.num && sign.den && size.den ? times(sign, (fraction){size.den, size.num}) : none;
}

#define MAX_EXPONENT 64
#define LARGEST_LOST 999999999 /* of the numbers that may have lost their typesetting */

/* The digits as a power of which the last one is the exponent. */
static fraction lost_power(uint64_t digits)
{
    uint64_t base = digits / 10, exponent = digits % 10;
    if (base < 2 || exponent < 2)
        return none;
    fraction x = {1, 1}, b = {(int64_t)base, 1};
    while (exponent-- && x.den)
        x = times(x, b);
    return x;
}

/* The digits as a fraction with so many in its denominator, of which the first is no 0. */
static fraction lost_bar(uint64_t digits, unsigned below)
{
    uint64_t tens = 1;
    while (below--)
        tens *= 10;
    uint64_t num = digits / tens, den = digits % tens;
    return num && den > 1 && den >= tens / 10 ? reduced((int64_t)num, (int64_t)den) : none;
}

static fraction literal(small *s, const node *n)
{
    uint64_t num, den;
    long decimals;
    const token *number = &s->t->at[n->end - 1];
    if (number->whole && !s->lost)
        return (fraction){number->value, 1};
    if (!literal_small(s->t, n->end - 1, &num, &den, &decimals))
        return none;
    if (s->lost && den == 1 && num >= s->least && num <= LARGEST_LOST) {
        fraction x =
            s->lost == READ_LOST_POWERS ? lost_power(num) : lost_bar(num, s->lost / READ_LOST_BARS);
        s->used |= x.den && num >= 100;
        if (x.den)
            return x;
    }
    return reduced((int64_t)num, (int64_t)den);
}

static fraction note(small *s, fraction x)
{
    s->bits += 16 + FLINT_BIT_COUNT(magnitude(x.num)) + FLINT_BIT_COUNT((uint64_t)x.den);
    return x;
}

static fraction value_of_tree(small *s, const node *n);

/* Most nodes are numbers. */
static inline fraction value(small *s, const node *n)
{
    return n->is == N_NUMBER ? note(s, literal(s, n)) : value_of_tree(s, n);
}

static fraction operation(small *s, const node *n)
{
    fraction a = value(s, n->a), b = a.den ? value(s, n->b) : none;
    if (!b.den)
        return none;
    switch (n->is) {
    case N_ADD:
        return plus(a, b);
    case N_SUBTRACT:
        b = negative(b);
        return b.den ? plus(a, b) : none;
    case N_MULTIPLY:
        return times(a, b);
    default:
        return over(a, b);
    }
}

static fraction with_sign(small *s, const node *n)
{
    fraction a = value(s, n->a);
    if (!a.den || n->is == N_UNIT)
        return a;
    return n->is == N_NEGATE ? negative(a) : times(a, (fraction){1, 100});
}

static fraction power(small *s, const node *n)
{
    fraction a = value(s, n->a), b = a.den ? value(s, n->b) : none, x = {1, 1};
    if (b.den != 1 || b.num > MAX_EXPONENT || b.num < -MAX_EXPONENT || (!a.num && b.num <= 0))
        return none; /* a root, or too large, or without a value */
    for (int64_t i = b.num; i && x.den; i += i < 0 ? 1 : -1)
        x = i < 0 ? over(x, a) : times(x, a);
    return x;
}

static fraction letter(const small *s, const node *n)
{
    rdv_str name = rdv_slice(s->t->text, s->t->at[n->begin].begin, s->t->at[n->end - 1].end);
    for (size_t i = 0; i < s->ev->n_bindings; i++) {
        const binding *b = &s->ev->bindings[i];
        const fmpz *num = fmpq_numref(b->value), *den = fmpq_denref(b->value);
        if (rdv_str_eq(b->name, name) && !b->several)
            return COEFF_IS_MPZ(*num) || COEFF_IS_MPZ(*den) ? none : (fraction){*num, *den};
    }
    return none;
}

static fraction value_of_tree(small *s, const node *n)
{
    switch (n->is) {
    case N_UNIT: /* read literally, it changes nothing */
    case N_NEGATE:
    case N_PERCENT:
        return note(s, with_sign(s, n));
    case N_ADD:
    case N_SUBTRACT:
    case N_MULTIPLY:
    case N_DIVIDE:
        return note(s, operation(s, n));
    case N_POWER:
        return s->ev && !s->lost ? note(s, power(s, n)) : none;
    case N_LETTER:
        return s->ev && !s->lost ? note(s, letter(s, n)) : none;
    default:
        return none;
    }
}

/* The least number with as many digits as the longest whole number of the tree, or *least. */
static void find_longest(const tokens *t, const node *n, uint64_t *least)
{
    uint64_t num, den;
    long decimals;
    if (!n)
        return;
    if (n->is == N_NUMBER && literal_small(t, n->end - 1, &num, &den, &decimals) && den == 1)
        while (*least <= num / 10)
            *least *= 10;
    find_longest(t, n->a, least);
    find_longest(t, n->b, least);
}

bool small_eval(evaluation *ev, const node *n, fmpq_t out)
{
    small s = {.t = ev->t, .ev = ev, .least = 10};
    s.lost = ev->reading & (READ_LOST_POWERS | 3 * READ_LOST_BARS);
    if ((ev->reading != s.lost && ev->reading != (s.lost | READ_LOST_LONGEST)) || ev->rounds)
        return false;
    if (ev->reading & READ_LOST_LONGEST)
        find_longest(ev->t, n, &s.least);
    fraction x = value(&s, n);
    if (!x.den || s.bits > *ev->budget || s.used != (s.lost != 0))
        return false;
    *ev->budget -= s.bits;
    fmpz_set_si(fmpq_numref(out), x.num);
    fmpz_set_si(fmpq_denref(out), x.den);
    return true;
}

bool small_eval_agree(const tokens *t, const node *a, const node *b, uint64_t *budget)
{
    small s = {.t = t};
    fraction x = value(&s, a), y = x.den ? value(&s, b) : none;
    if (!y.den || x.num != y.num || x.den != y.den || s.bits > *budget)
        return false;
    *budget -= s.bits;
    return true;
}

bool small_eval_fraction(const tokens *t, const node *n, int64_t *num, int64_t *den, uint64_t *bits)
{
    small s = {.t = t};
    fraction x = value(&s, n);
    *num = x.num;
    *den = x.den;
    *bits += s.bits;
    return x.den;
}
