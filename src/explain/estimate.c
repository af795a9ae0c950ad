/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates with rounded numbers: "4,286 × 390 ≈ 4,000 × 400". */
#include "explain/checks.h"

#include "base/str.h"

/* The place of the last digit that is shown, without the zeros that end a whole number: 100 of
 * "4,300", 0.01 of "3.10". */
static void place_of(rdv_str shown, fmpq_t out)
{
    slong ten = 0;
    bool point = rdv_find_char(shown, '.', 0) != RDV_NOT_FOUND;
    for (size_t i = shown.len; i > 0 && shown.p[i - 1] != '.'; i--) {
        if (!point && shown.p[i - 1] != '0' && shown.p[i - 1] != ',')
            break;
        ten += rdv_is_digit(shown.p[i - 1]);
    }
    fmpq_set_si(out, 10, 1);
    fmpq_pow_si(out, out, point ? -ten : ten);
}

/* Is the second number the first one, rounded to the digits that it shows? */
static bool is_rounded(const mismatch *m, const node *exact, const node *shown)
{
    fmpq_t e, r, place;
    fmpq_init(e);
    fmpq_init(r);
    fmpq_init(place);
    bool is = mismatch_value(m, exact, e) && mismatch_value(m, shown, r) && !fmpq_is_zero(r);
    if (is) {
        place_of(tok_text(m->k->t, shown->end - 1), place);
        fmpq_sub(e, e, r);
        fmpq_abs(e, e);
        fmpq_mul_ui(e, e, 2);
        is = fmpq_cmp(e, place) <= 0;
    }
    fmpq_clear(e);
    fmpq_clear(r);
    fmpq_clear(place);
    return is;
}

static bool is_operation(node_is is)
{
    return is == N_NEGATE || is == N_ADD || is == N_SUBTRACT || is == N_MULTIPLY ||
           is == N_DIVIDE || is == N_PERCENT || is == N_UNIT;
}

/* The tree without a sign of money, which may open the formula: "$3,286 \\times 390$". */
static const node *without_sign(const node *n)
{
    return n && n->is == N_UNIT && n->sign ? n->a : n;
}

/* Are they the same operations, of numbers and of the same numbers rounded? */
static bool is_same_rounded(const mismatch *m, const node *exact, const node *shown)
{
    exact = without_sign(exact);
    shown = without_sign(shown);
    if (!exact || !shown)
        return exact == shown;
    if (exact->is == N_NUMBER && shown->is == N_NUMBER)
        return is_rounded(m, exact, shown);
    return exact->is == shown->is && is_operation(exact->is) &&
           is_same_rounded(m, exact->a, shown->a) && is_same_rounded(m, exact->b, shown->b);
}

bool check_rounded_numbers(const mismatch *m)
{
    return m->chain->approximate[m->i + 1] && is_same_rounded(m, m->lhs->root, m->rhs->root);
}
