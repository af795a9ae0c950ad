/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that were copied from a page lose what stood above or below the line: 89^2 becomes 892, and
 * 120/100 becomes 120100. One way of reading whole numbers so must make both sides equal exactly,
 * so that few errors can hide behind it. */
#include "explain/checks.h"

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

static bool with_lost(const mismatch *m, unsigned lost, unsigned most)
{
    if (m->k->wordless) /* it was not copied from a page */
        return false;
    const unsigned counts[] = {digit_counts(m->k->t, m->lhs->root),
                               digit_counts(m->k->t, m->rhs->root)};
    for (unsigned longest = 0; longest <= READ_LOST_LONGEST; longest += READ_LOST_LONGEST)
        for (unsigned times = 1; times <= most; times++)
            if (equal_with(m, counts, (times * lost) | longest))
                return true;
    return false;
}

bool check_lost_exponents(const mismatch *m)
{
    return with_lost(m, READ_LOST_POWERS, 1);
}

bool check_lost_fraction_lines(const mismatch *m)
{
    return with_lost(m, READ_LOST_BARS, 3);
}
