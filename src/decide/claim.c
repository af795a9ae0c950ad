/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/claim.h"

#include "algebra/sign.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "decide/order.h"

#define MAX_SIDE 1000 /* bytes */

/* ---- the sign -------------------------------------------------------------------------------- */

/* Does it say that the sides are equal, or about equal? */
static bool says_equal(rdv_str op)
{
    static const char *const signs[] = {"=", "==", "===", "equals", "equal", "is"};
    return rdv_is_one_of(op, signs, sizeof signs / sizeof *signs);
}

static bool says_about(rdv_str op)
{
    static const char *const signs[] = {"\xe2\x89\x88", "~", "~=", "approx", "\\approx"};
    return rdv_is_one_of(op, signs, sizeof signs / sizeof *signs);
}

/* ---- equalities ------------------------------------------------------------------------------ */

/* The worst of several outcomes; undecided is worse than right. */
static void take_worst(const rdv_calc *calcs, size_t n, math_claimed *out)
{
    *out = (math_claimed){.kind = RDV_CALC_RIGHT};
    for (size_t i = 0; i < n && out->kind != RDV_CALC_WRONG; i++) {
        if (calcs[i].kind == RDV_CALC_RIGHT ||
            (calcs[i].kind == RDV_CALC_ROUNDED && out->kind == RDV_CALC_UNDECIDED))
            continue;
        *out = (math_claimed){calcs[i].kind, calcs[i].value, calcs[i].claim};
    }
}

static int decide_equality_of(rdv_calculator *c, rdv_str lhs, rdv_str rhs, bool about,
                              math_claimed *out, rdv_error *err)
{
    rdv_calc *calcs;
    size_t n;
    rdv_str text = rdv_str_printf(rdv_calculator_arena(c), "%.*s %s %.*s", RDV_FMT(lhs),
                                  about ? "\xe2\x89\x88" : "=", RDV_FMT(rhs));
    if (!text.p)
        return rdv_no_memory(err);
    int r = rdv_calculator_try(c, text, &calcs, &n, err);
    if (r < 0 || n == 0)
        return r < 0 ? r : RDV_NONE;
    take_worst(calcs, n, out);
    return RDV_OK;
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* "40€" is 40: what remains says whether it is more. Formulas read "$40". */
static void add_side(rdv_buf *b, rdv_str side)
{
    static const char *const currencies[] = {"\xe2\x82\xac", "\xc2\xa3"};
    rdv_buf_add_char(b, '(');
    for (size_t i = 0; i < side.len;) {
        size_t skip = 0;
        for (size_t k = 0; k < sizeof currencies / sizeof *currencies && !skip; k++)
            if (rdv_starts(rdv_slice(side, i, side.len), rdv_str_of(currencies[k])))
                skip = strlen(currencies[k]);
        if (!skip)
            rdv_buf_add_char(b, side.p[i]);
        i += skip ? skip : 1;
    }
    rdv_buf_add_char(b, ')');
}

/* The sign of lhs - rhs into *order: -1, 0, 1. RDV_NONE: it has none. */
static int compare(rdv_arena *arena, rdv_str lhs, rdv_str rhs, int *order, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    add_side(&b, lhs);
    rdv_buf_lit(&b, " - ");
    add_side(&b, rhs);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    return math_sign(rdv_buf_str(&b), order, err);
}

int math_claim(rdv_calculator *calculator, rdv_str lhs, rdv_str op, rdv_str rhs, math_claimed *out,
               rdv_error *err)
{
    op = rdv_trim(op);
    bool about = says_about(op), equal = about || says_equal(op);
    order_is is = order_of_sign(op);
    lhs = rdv_trim(lhs);
    rhs = rdv_trim(rhs);
    if ((!equal && !is) || !lhs.len || !rhs.len || lhs.len > MAX_SIDE || rhs.len > MAX_SIDE)
        return RDV_NONE;
    if (equal)
        return decide_equality_of(calculator, lhs, rhs, about, out, err);
    int order = 0; /* gcc does not see that compare() sets it */
    int r = compare(rdv_calculator_arena(calculator), lhs, rhs, &order, err);
    if (r == RDV_OK)
        *out = (math_claimed){.kind = order_holds(is, order) ? RDV_CALC_RIGHT : RDV_CALC_WRONG};
    return r;
}
