/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/comparison.h"

#include "base/arena.h"
#include "base/str.h"

#define MAX_LEFT 40  /* tokens looked at before the sign; keeps the work linear */
#define MAX_SIDES 4  /* of a chain of equalities before it */
#define MAX_NAMES 30 /* that are put in order */

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

/* The whole number at token `i`; 0: none is there, or one of more than two digits. */
static size_t small_number(const tokens *t, size_t i)
{
    rdv_str s = tok_kind_at(t, i) == TOK_NUMBER ? tok_text(t, i) : (rdv_str){0};
    size_t number = 0;
    for (size_t k = 0; k < s.len; k++)
        number = rdv_is_digit(s.p[k]) && s.len <= 2 ? 10 * number + (size_t)(s.p[k] - '0') : 0;
    return number;
}

/* "4 < 2 < 6 < 3 < 1 < 5": do the numbers from 1 on, each once and not in their own order, name
 * things that are put in order? Two and three may be numbers that are compared. */
static bool ranks_names(const tokens *t, size_t sign)
{
    uint64_t named = 0;
    size_t first = sign, n = 0;
    while (first > 2 && small_number(t, first - 1) && t->at[first - 2].kind == TOK_RELATION &&
           sign - first < 2 * MAX_NAMES)
        first -= 2;
    for (size_t i = first - 1; n < MAX_NAMES && small_number(t, i) && small_number(t, i) < 64;
         i += 2) {
        named |= UINT64_C(1) << small_number(t, i);
        n++;
        if (tok_kind_at(t, i + 1) != TOK_RELATION)
            break;
    }
    return n > 3 && named == ((UINT64_C(2) << n) - 2);
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
    if (out->bare && ranks_names(t, sign))
        return RDV_NONE;
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
