/* SPDX-License-Identifier: Apache-2.0 */
/* Calculations in the steps of one chain. NUL bytes cut the input: the first piece is the question,
 * the others are the steps. */
#include "base/str.h"

#include <rederive/math.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* A side is a piece of the step, inside the calculation; in a step with marks it may stand in a
 * copy. */
static void check_side(rdv_str step, const rdv_calc *c, rdv_str side)
{
    require(side.p && side.len > 0 && side.len <= c->end - c->begin);
    require(rdv_find(rdv_slice(step, c->begin, c->end), side, 0) != RDV_NOT_FOUND ||
            rdv_find(step, RDV_STR("<<"), 0) != RDV_NOT_FOUND);
}

/* Whether the claim may be made of an expression that stands before the calculation, in this step
 * or in one before, so that the calculation is all right side. */
static bool may_be_of_text_before(const rdv_calc *c)
{
    static const char *const notes[] = {"of the step before", "from the equation before",
                                        "how many of one unit make another"};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (rdv_find(c->note, rdv_str_of(notes[i]), 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

static void check_sides(rdv_str step, const rdv_calc *c)
{
    check_side(step, c, c->rhs);
    if (may_be_of_text_before(c)) {
        require(c->lhs.p && c->lhs.len > 0);
        require(c->rhs.len < c->end - c->begin || !rdv_str_eq(c->lhs, c->rhs));
        return;
    }
    check_side(step, c, c->lhs);
    require(c->lhs.len < c->end - c->begin && c->rhs.len < c->end - c->begin);
}

static void check_calculation(rdv_str step, const rdv_calc *c)
{
    require(c->begin < c->end && c->end <= step.len);
    check_sides(step, c);
    require(c->kind <= RDV_CALC_UNDECIDED && rdv_calc_name(c->kind));
    require(c->kind != RDV_CALC_WRONG || (c->value.p && c->claim.p));
    require(c->kind != RDV_CALC_ROUNDED || c->value.p);
    require(c->kind != RDV_CALC_UNDECIDED || c->note.p);
}

static void check_step(rdv_calculator *calculator, rdv_str step)
{
    rdv_calc *calcs;
    size_t n;
    rdv_error err = {0};
    require(rdv_calculator_step(calculator, step, &calcs, &n, &err) == RDV_OK);
    for (size_t i = 0; i < n; i++) {
        check_calculation(step, &calcs[i]);
        require(i == 0 || calcs[i - 1].begin <= calcs[i].begin);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str text = {(const char *)data, size};
    rdv_arena *arena = rdv_arena_new(0);
    require(arena != NULL);
    size_t end = rdv_find_char(text, '\0', 0);
    rdv_calculator *calculator = rdv_calculator_new(arena, rdv_slice(text, 0, end));
    require(calculator != NULL);
    rdv_decimal sign = rdv_decimal_found(text, &text, 1);
    require(rdv_calculator_set_decimal(calculator, sign) == RDV_OK);
    while (end != RDV_NOT_FOUND) {
        size_t begin = end + 1;
        end = rdv_find_char(text, '\0', begin);
        check_step(calculator, rdv_slice(text, begin, end));
    }
    rdv_calculator_free(&calculator);
    rdv_arena_free(&arena);
    return 0;
}
