/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/mismatch.h"

#include "expression/compare.h"
#include "expression/reading_eval.h"

bool mismatch_shows(const mismatch *m, const fmpq_t left)
{
    fmpq_t r;
    fmpq_init(r);
    fmpq_set(r, m->r);
    bool shows = compare_to_50_digits(left, r) ||
                 compare_values(m->k->t, m->lhs, m->rhs, left, r, READ_LITERALLY, TOLERANCE_NONE) <=
                     CLOSE_ROUNDED;
    fmpq_clear(r);
    return shows;
}

rdv_str mismatch_before(const mismatch *m, size_t bytes)
{
    size_t begin = m->k->t->at[m->lhs->begin].begin;
    return rdv_slice(m->k->t->text, begin > bytes ? begin - bytes : 0, begin);
}

rdv_str mismatch_after(const mismatch *m, size_t bytes)
{
    size_t end = m->k->t->at[m->rhs->end - 1].end;
    return rdv_slice(m->k->t->text, end, end + bytes);
}

const node *mismatch_bare(const node *n)
{
    while (n->is == N_UNIT)
        n = n->a;
    return n;
}

bool mismatch_value(const mismatch *m, const node *n, fmpq_t out)
{
    return reading_eval_term_value(m->k, &(expression){.root = (node *)n}, out) == EVAL_OK;
}

bool mismatch_combine(fmpq_t a, node_is sign, const fmpq_t b)
{
    switch (sign) {
    case N_ADD:
        fmpq_add(a, a, b);
        return true;
    case N_SUBTRACT:
        fmpq_sub(a, a, b);
        return true;
    case N_MULTIPLY:
        fmpq_mul(a, a, b);
        return true;
    default:
        if (fmpq_is_zero(b))
            return false;
        fmpq_div(a, a, b);
        return true;
    }
}
