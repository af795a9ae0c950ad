/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that were copied from a page lose what stood above or below the line: 89^2 becomes 892, and
 * 120/100 becomes 120100. One way of reading whole numbers so must make both sides equal exactly,
 * so that few errors can hide behind it. */
#include "math/mismatch.h"

#include "math/small_eval.h"
#include "math/trial.h"

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

static bool read_as(const mismatch *m, const expression *e, unsigned counts, unsigned lost,
                    fmpq_t out)
{
    evaluation ev = trial_evaluation(m->k, lost);
    return may_read(counts, lost) && small_eval(&ev, e->root, out);
}

/* Are the sides equal where either of them, or both, have lost it? */
static bool equal_with(const mismatch *m, const unsigned counts[2], unsigned lost)
{
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    bool left = read_as(m, m->lhs, counts[0], lost, l);
    bool right = read_as(m, m->rhs, counts[1], lost, r);
    bool equal = (left && fmpq_equal(l, m->r)) || (right && fmpq_equal(m->l, r)) ||
                 (left && right && fmpq_equal(l, r));
    fmpq_clear(l);
    fmpq_clear(r);
    return equal;
}

const char *mismatch_typesetting(const mismatch *m)
{
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
