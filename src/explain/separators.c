/* SPDX-License-Identifier: Apache-2.0 */
/* "1.250 + 250 = 1500": the sign before three digits read the other way. */
#include "explain/checks.h"

#include "base/str.h"

/* The signs that are read the other way: bits. */
enum { POINTS = 1, COMMAS = 2 };

/* Both sides while they are read so. */
typedef struct other_sides {
    const mismatch *m;
    unsigned signs;
    bool any;      /* a number differs */
    long decimals; /* of the number that is read last */
} other_sides;

/* The value of a literal; false: its sign can only be read one way ("0.5", "12.50", "1,250,000"),
 * and not that way. */
static bool other_number(other_sides *o, const node *n, fmpq_t out)
{
    rdv_str s = tok_text(o->m->k->t, n->end - 1);
    size_t point = rdv_find_char(s, '.', 0), comma = rdv_find_char(s, ',', 0);
    size_t sign = point == RDV_NOT_FOUND ? comma : point;
    if (!mismatch_value(o->m, n, out))
        return false;
    o->decimals = point == RDV_NOT_FOUND ? 0 : (long)(s.len - point - 1);
    if (!((point != RDV_NOT_FOUND && o->signs & POINTS) ||
          (comma != RDV_NOT_FOUND && o->signs & COMMAS)))
        return true;
    if (sign == 0 || sign > 3 || s.len != sign + 4 || s.p[0] == '0')
        return false;
    o->any = true;
    if (sign == point) {
        o->decimals = 0;
        fmpq_mul_ui(out, out, 1000);
        return true;
    }
    o->decimals = 3;
    fmpq_t thousand;
    fmpq_init(thousand);
    fmpq_set_ui(thousand, 1000, 1);
    fmpq_div(out, out, thousand);
    fmpq_clear(thousand);
    return true;
}

static bool other_value(other_sides *o, const node *n, fmpq_t out)
{
    n = mismatch_bare(n);
    if (n->is == N_NUMBER)
        return other_number(o, n, out);
    if (n->is != N_ADD && n->is != N_SUBTRACT && n->is != N_MULTIPLY && n->is != N_DIVIDE)
        return false;
    fmpq_t b;
    fmpq_init(b);
    bool is =
        other_value(o, n->a, out) && other_value(o, n->b, b) && mismatch_combine(out, n->is, b);
    fmpq_clear(b);
    return is;
}

/* Are they nearer than a unit of the last of the decimals, and a hundredth of the right one? */
static bool are_near(const fmpq_t l, const fmpq_t r, long decimals)
{
    fmpq_t off, most;
    fmpq_init(off);
    fmpq_init(most);
    fmpq_sub(off, l, r);
    fmpq_abs(off, off);
    fmpq_mul_ui(most, off, 100);
    bool near = fmpq_cmp(most, r) <= 0;
    for (long i = 0; i < decimals; i++)
        fmpq_mul_ui(off, off, 10);
    near = near && fmpq_cmp_ui(off, 1) < 0;
    fmpq_clear(off);
    fmpq_clear(most);
    return near;
}

static bool are_same(const mismatch *m, unsigned signs)
{
    other_sides o = {.m = m, .signs = signs};
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    bool is = other_value(&o, m->lhs->root, l) && other_value(&o, m->rhs->root, r) && o.any &&
              (fmpq_equal(l, r) || are_near(l, r, o.decimals));
    fmpq_clear(l);
    fmpq_clear(r);
    return is;
}

bool check_other_separators(const mismatch *m)
{
    return are_same(m, POINTS | COMMAS) || are_same(m, POINTS) || are_same(m, COMMAS);
}
