/* SPDX-License-Identifier: Apache-2.0 */
/* A ratio to an amount of the text, written as an amount: "Earth has 5.5 g/cm³. The density is 5 /
 * 1.62^3 ≈ 6.47 g/cm³." */
#include "explain/checks.h"

#include "base/str.h"
#include "notation/literal.h"

#define MAX_UNIT 16 /* bytes of a unit, without what typesets it */

/* The unit from byte `i` on, behind a number, without blanks and commands; how many bytes. */
static size_t unit_at(rdv_str s, size_t i, char out[static MAX_UNIT])
{
    size_t n = 0;
    for (; i < s.len && n < MAX_UNIT; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '\\') /* "\\, \\text{" */
            i += rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\\text")) ? 4 : 1;
        else if (rdv_is_alnum((char)c) || c == '/' || c == '^' || c >= 0x80)
            out[n++] = (char)c;
        else if (!strchr(" {}~", c) || (n && c == ' '))
            break;
    }
    return n;
}

/* Is the right side an amount that is the left one, a number, of an amount that the text gives? */
bool check_amount_beside(const mismatch *m)
{
    const tokens *t = m->k->t;
    const node *r = m->rhs->root;
    char its[MAX_UNIT], other[MAX_UNIT];
    if (!m->chain->approximate[m->i + 1] || m->lhs->n_units || m->lhs->n_words || r->is != N_UNIT ||
        r->a->is != N_NUMBER || expression_is_plain(m->lhs))
        return false;
    size_t n = unit_at(t->text, t->at[r->a->end - 1].end, its);
    bool found = false;
    fmpq_t amount;
    fmpq_init(amount);
    for (size_t i = 0; i < t->n && n && n < MAX_UNIT && !found; i++) {
        long decimals = 0;
        bool inside = i >= m->lhs->begin && i < m->rhs->end;
        if (inside || t->at[i].kind != TOK_NUMBER || unit_at(t->text, t->at[i].end, other) != n ||
            memcmp(its, other, n) != 0 || !literal_value(t, i, amount, &decimals) || decimals < 1)
            continue;
        fmpq_mul(amount, amount, m->l);
        found = mismatch_shows(m, amount);
    }
    fmpq_clear(amount);
    return found;
}
