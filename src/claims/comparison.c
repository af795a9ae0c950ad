/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/comparison.h"

#include "base/arena.h"
#include "base/str.h"

#define MAX_LEFT 40 /* tokens looked at before the sign; keeps the work linear */
#define MAX_SIDES 4 /* of a chain of equalities before it */

/* Is it a number or a calculation of numbers, that can be read in one way? A "$" is a dollar or
 * begins a formula, and is the same on both sides. */
static bool is_of_numbers(const expression *e)
{
    return !e->n_letters && !e->letter_units && !e->glued_letters && !e->n_units && !e->n_words &&
           !(e->readings & ~READ_DOLLARS);
}

/* The longest expression that ends right before the sign. RDV_NONE: none is whole. */
static int left_side(const tokens *t, size_t sign, rdv_arena *arena, expression *out)
{
    size_t i = sign > MAX_LEFT ? sign - MAX_LEFT : 0;
    for (size_t k = sign; k > i; k--)
        if (t->at[k - 1].kind == TOK_EQUAL || t->at[k - 1].kind == TOK_APPROX ||
            t->at[k - 1].kind == TOK_RELATION || t->at[k - 1].kind == TOK_NEWLINE ||
            t->at[k - 1].kind == TOK_PUNCT)
            i = k;
    while (i < sign) {
        int r = find_may_begin(t, i) ? parse_expression(t, i, arena, out) : RDV_NONE;
        if (r < 0)
            return r;
        if (r == RDV_OK && out->end == sign)
            return find_is_whole_before(t, i) ? RDV_OK : RDV_NONE;
        i = r == RDV_OK && out->end > i ? out->end : i + 1;
    }
    return RDV_NONE;
}

/* Is what begins at token `i` the result of a calculation of numbers: "3 + 4 = 7"? RDV_NONE: no. */
static int result_at(const tokens *t, size_t i, rdv_arena *arena)
{
    for (size_t n = 0; n < MAX_SIDES && i > 1; n++) {
        expression e;
        bool equal = t->at[i - 1].kind == TOK_EQUAL || t->at[i - 1].kind == TOK_APPROX;
        int r = equal ? left_side(t, i - 1, arena, &e) : RDV_NONE;
        if (r != RDV_OK || (e.n_operators && is_of_numbers(&e)))
            return r;
        i = e.begin;
    }
    return RDV_NONE;
}

/* The comparison whose sign is token `sign`. RDV_NONE: there is none. */
static int read_one(const tokens *t, size_t sign, rdv_arena *arena, comparison *out)
{
    int r = left_side(t, sign, arena, &out->side[0]);
    if (r == RDV_OK)
        r = parse_expression(t, sign + 1, arena, &out->side[1]);
    if (r != RDV_OK)
        return r;
    out->sign = sign;
    if (!is_of_numbers(&out->side[0]) || !is_of_numbers(&out->side[1]) ||
        !find_is_whole_after(t, out->side[1].end))
        return RDV_NONE;
    r = result_at(t, out->side[0].begin, arena);
    out->of_result = r == RDV_OK;
    out->bare = r == RDV_NONE && !out->side[0].n_operators && !out->side[1].n_operators;
    return r == RDV_NONE ? RDV_OK : r;
}

int comparison_find(const tokens *t, rdv_arena *arena, comparisons *out)
{
    if (!tok_holds(t, TOK_RELATION))
        return RDV_OK;
    for (size_t i = 1; i + 1 < t->n; i++) {
        comparison one;
        int r = t->at[i].kind == TOK_RELATION ? read_one(t, i, arena, &one) : RDV_NONE;
        if (r == RDV_OK && !RDV_PUSH_ROOM(arena, out->at, out->n, out->cap))
            r = RDV_E_NOMEM;
        if (r < 0)
            return r;
        if (r == RDV_OK)
            out->at[out->n++] = one;
    }
    return RDV_OK;
}

bool comparison_may_be_in(rdv_str text)
{
    return rdv_find_char(text, '<', 0) != RDV_NOT_FOUND ||
           rdv_find_char(text, '>', 0) != RDV_NOT_FOUND;
}
