/* SPDX-License-Identifier: Apache-2.0 */
#include "math/mismatch.h"

#include "math/claimed.h"
#include "math/compare.h"

bool mismatch_shows(const mismatch *m, const fmpq_t left)
{
    fmpq_t r;
    fmpq_init(r);
    fmpq_set(r, m->r);
    bool shows =
        compare_to_50_digits(left, r) ||
        compare_values(m->k->t, m->lhs, m->rhs, left, r, READ_LITERALLY, false) <= CLOSE_ROUNDED;
    fmpq_clear(r);
    return shows;
}

const char *mismatch_explained(const mismatch *m)
{
    const tokens *t = m->k->t;
    size_t first = m->chain->term[0].begin, last = m->chain->term[m->chain->n - 1].end - 1;
    if (m->k->marked)
        return NULL; /* a mark is a claim of the usual arithmetic */
    const char *why = claimed_not(t->text, t->at[first].begin, t->at[last].end);
    if (!why)
        why = mismatch_other_arithmetic(m);
    if (!why)
        why = mismatch_counted(m);
    if (!why)
        why = mismatch_customary(m);
    if (!why)
        why = mismatch_regrouped(m);
    if (!why)
        why = mismatch_typesetting(m);
    return why;
}
