/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that were copied from a page lose what stood above or below the line: 89^2 becomes 892, and
 * 120/100 becomes 120100. One way of reading whole numbers so must make both sides equal exactly,
 * so that few errors can hide behind it. */
#include "explain/mismatch.h"

#include "base/str.h"
#include "explain/separators.h"
#include "expression/reading_eval.h"
#include "expression/small_eval.h"

/* Bit i: a whole number of the tree has i digits. */
static unsigned digit_counts(const tokens *t, const node *n)
{
    uint64_t num, den;
    long decimals;
    unsigned counts = 0;
    if (!n)
        return 0;
    if (n->is == N_NUMBER && literal_small(t, n->end - 1, &num, &den, &decimals) && den == 1) {
        unsigned digits = 1;
        for (; num >= 10; num /= 10)
            digits++;
        counts = 1u << digits;
    }
    return counts | digit_counts(t, n->a) | digit_counts(t, n->b);
}

/* Can numbers with so many digits, three at least, be read so? Where all have one length, the
 * longest are all. */
static bool may_read(unsigned counts, unsigned lost)
{
    unsigned below = lost / READ_LOST_BARS % 4,
             short_ones = (1u << (below > 1 ? below + 1 : 3)) - 1;
    counts &= ~3u;
    return counts & ~short_ones && !((lost & READ_LOST_LONGEST) && (counts & (counts - 1)) == 0);
}

static bool read_as(const mismatch *m, const expression *e, unsigned lost, fmpq_t out)
{
    evaluation ev = reading_eval_evaluation(m->k, lost);
    return small_eval(&ev, e->root, out);
}

/* Are the sides equal where either of them, or both, have lost it? */
static bool equal_with(const mismatch *m, const unsigned counts[2], unsigned lost)
{
    bool left = may_read(counts[0], lost), right = may_read(counts[1], lost);
    if (!left && !right)
        return false;
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    left = left && read_as(m, m->lhs, lost, l);
    right = right && read_as(m, m->rhs, lost, r);
    bool equal = (left && fmpq_equal(l, m->r)) || (right && fmpq_equal(m->l, r)) ||
                 (left && right && fmpq_equal(l, r));
    fmpq_clear(l);
    fmpq_clear(r);
    return equal;
}

/* The digits of a whole number, the last one as an exponent of the `base_digits` before it; false:
 * it is another number. */
static bool split_power(const mismatch *m, const node *n, size_t base_digits, slong *base,
                        slong *exponent)
{
    rdv_str s = n->is == N_NUMBER ? tok_text(m->k->t, n->end - 1) : (rdv_str){0};
    if (s.len != base_digits + 1)
        return false;
    *base = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!rdv_is_digit(s.p[i]))
            return false;
        if (i < base_digits)
            *base = *base * 10 + (s.p[i] - '0');
    }
    *exponent = s.p[base_digits] - '0';
    return *base > 1 && *exponent > 1;
}

/* The sum where every number, of two digits, is a power. */
static bool sum_of_powers(const mismatch *m, const node *n, fmpq_t out)
{
    slong base, exponent;
    if (n->is != N_ADD && n->is != N_SUBTRACT) {
        if (!split_power(m, n, 1, &base, &exponent))
            return false;
        fmpq_set_si(out, base, 1);
        fmpq_pow_si(out, out, exponent);
        return true;
    }
    fmpq_t b;
    fmpq_init(b);
    bool is = sum_of_powers(m, n->a, out) && sum_of_powers(m, n->b, b);
    is = is && mismatch_combine(out, n->is, b);
    fmpq_clear(b);
    return is;
}

/* "32 + 42 = 25", "32 + 42 = 52" */
static bool adds_powers(const mismatch *m)
{
    const node *n = m->lhs->root;
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    bool sum = (n->is == N_ADD || n->is == N_SUBTRACT) && sum_of_powers(m, n, l);
    bool is =
        sum && (fmpq_equal(l, m->r) || (sum_of_powers(m, m->rhs->root, r) && fmpq_equal(l, r)));
    fmpq_clear(l);
    fmpq_clear(r);
    return is;
}

/* Is the product of `before` (NULL: 1) and base^exponent the right side? */
static bool gives(const mismatch *m, const node *before, const fmpq_t base, slong exponent)
{
    fmpq_t value, power;
    fmpq_init(value);
    fmpq_init(power);
    fmpq_one(value);
    bool is = !fmpq_is_zero(base) &&
              (!before || reading_eval_term_value(m->k, &(expression){.root = (node *)before},
                                                  value) == EVAL_OK);
    if (is) {
        fmpq_pow_si(power, base, exponent);
        fmpq_mul(value, value, power);
        is = fmpq_equal(value, m->r);
    }
    fmpq_clear(value);
    fmpq_clear(power);
    return is;
}

/* "2 x 103 = 2000": the last factor is a power of ten. */
static bool multiplies_by_power(const mismatch *m)
{
    const node *n = m->lhs->root;
    slong base, exponent;
    if (n->is != N_MULTIPLY || !split_power(m, n->b, 2, &base, &exponent) || base != 10)
        return false;
    fmpq_t ten;
    fmpq_init(ten);
    fmpq_set_ui(ten, 10, 1);
    bool is = gives(m, n->a, ten, exponent);
    fmpq_clear(ten);
    return is;
}

/* "5 x 10-3 = 0.005", "2-1 = 0.5": the hyphen is the sign of an exponent. */
static bool ends_in_negative_exponent(const mismatch *m)
{
    const tokens *t = m->k->t;
    const node *n = m->lhs->root;
    if (n->is != N_SUBTRACT || n->b->is != N_NUMBER || n->b->grouped ||
        t->at[n->b->begin].space_before || t->at[n->b->begin - 1].space_before)
        return false;
    const node *last = n->a->is == N_MULTIPLY && !n->a->grouped ? n->a->b : n->a;
    rdv_str digits = tok_text(t, n->b->end - 1);
    if (last->is != N_NUMBER || digits.len > 2 || !rdv_is_digit(digits.p[0]) ||
        !rdv_is_digit(digits.p[digits.len - 1]))
        return false;
    slong exponent = digits.p[0] - '0';
    if (digits.len > 1)
        exponent = exponent * 10 + (digits.p[1] - '0');
    fmpq_t base;
    fmpq_init(base);
    bool is = reading_eval_term_value(m->k, &(expression){.root = (node *)last}, base) == EVAL_OK &&
              gives(m, last == n->a ? NULL : n->a->a, base, -exponent);
    fmpq_clear(base);
    return is;
}

/* "3√8 = 2": the number before the root is its index. */
static bool takes_index_for_factor(const mismatch *m)
{
    const node *n = m->lhs->root;
    if (n->is != N_MULTIPLY || !n->implicit || n->aside || n->b->is != N_ROOT || n->b->b ||
        n->a->is != N_NUMBER)
        return false;
    rdv_str s = tok_text(m->k->t, n->a->end - 1);
    slong index = s.len == 1 ? s.p[0] - '0' : 0;
    if (index < 3)
        return false;
    fmpq_t below, power;
    fmpq_init(below);
    fmpq_init(power);
    fmpq_pow_si(power, m->r, index);
    bool is = reading_eval_term_value(m->k, &(expression){.root = n->b->a}, below) == EVAL_OK &&
              fmpq_equal(below, power);
    fmpq_clear(below);
    fmpq_clear(power);
    return is;
}

/* The value of the tree with `first` in place of its first number; false: it is no plain
 * arithmetic.
 */
static bool value_with_first(const mismatch *m, const node *n, const fmpq_t first, fmpq_t out)
{
    n = mismatch_bare(n);
    if (n->is == N_NUMBER) {
        fmpq_set(out, first);
        return true;
    }
    if (n->is != N_ADD && n->is != N_SUBTRACT && n->is != N_MULTIPLY && n->is != N_DIVIDE)
        return false;
    fmpq_t b;
    fmpq_init(b);
    bool ok = value_with_first(m, n->a, first, out) && mismatch_value(m, n->b, b) &&
              mismatch_combine(out, n->is, b);
    fmpq_clear(b);
    return ok;
}

/* "0. 5 * 4 = 2", "12 . 5 * 2 = 25": the first number stands behind a point and a blank. */
static bool begins_behind_a_point(const mismatch *m)
{
    const tokens *t = m->k->t;
    size_t i = m->lhs->begin;
    if (m->i > 0 || i < 2 || t->at[i - 1].kind != TOK_PUNCT ||
        !rdv_str_eq(tok_text(t, i - 1), RDV_STR(".")))
        return false;
    slong whole = mismatch_whole_at(t, i - 2), part = mismatch_whole_at(t, i), ten = 1;
    if (whole < 0 || part < 0)
        return false;
    for (size_t n = tok_text(t, i).len; n > 0; n--) /* four digits at most */
        ten *= 10;
    fmpq_t first, value;
    fmpq_init(first);
    fmpq_init(value);
    fmpq_set_si(first, whole * ten + part, (ulong)ten);
    bool is = value_with_first(m, m->lhs->root, first, value) && fmpq_equal(value, m->r);
    fmpq_clear(first);
    fmpq_clear(value);
    return is;
}

const char *mismatch_typesetting(const mismatch *m)
{
    if (begins_behind_a_point(m))
        return "the number may go on before the point";
    if (adds_powers(m) || multiplies_by_power(m) || ends_in_negative_exponent(m))
        return "the last digits of a number may be its exponent";
    if (takes_index_for_factor(m))
        return "the number before the root may be its index";
    if (separators_may_be_the_other(m))
        return "the sign before three digits may be the other one, of thousands or of decimals";
    if (m->k->wordless) /* it was not copied from a page */
        return NULL;
    const unsigned counts[] = {digit_counts(m->k->t, m->lhs->root),
                               digit_counts(m->k->t, m->rhs->root)};
    for (unsigned longest = 0; longest <= READ_LOST_LONGEST; longest += READ_LOST_LONGEST) {
        if (equal_with(m, counts, READ_LOST_POWERS | longest))
            return "the last digit of a number may be its exponent";
        for (unsigned digits = 1; digits <= 3; digits++)
            if (equal_with(m, counts, (digits * READ_LOST_BARS) | longest))
                return "the last digits of a number may be its denominator";
    }
    return NULL;
}
