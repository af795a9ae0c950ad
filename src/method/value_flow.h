/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where the numbers of a chain come from (docs/adr/0064). A number of a step is *found* if it
 * stands in the question, with digits or in words, if an earlier calculation that is right resulted
 * in it, or if it belongs to a unit that is mentioned (7 to weeks, 100 to percent). Whether it is
 * the number of the right thing is not decided: 48 boxes and 48 dollars are one number. */
#include "decide/calc_list.h"

typedef struct value_flow value_flow;

/* question: borrowed, must live as long as `arena`. decimal: of the question's and the steps'
 * numbers; RDV_DECIMAL_FOUND is RDV_DECIMAL_POINT. NULL: out of memory. */
value_flow *value_flow_new(rdv_arena *arena, rdv_str question, rdv_decimal decimal);

typedef enum value_fault_kind {
    VALUE_NO_FAULT = 0,
    VALUE_WRONG,     /* a calculation is wrong */
    VALUE_UNDECIDED, /* a calculation could not be decided */
    VALUE_UNREAD,    /* a text that looks like a calculation or an equality was not read */
    VALUE_NOT_FOUND  /* a number comes from nowhere */
} value_fault_kind;

typedef struct value_fault {
    value_fault_kind is;
    rdv_calc calc; /* VALUE_WRONG, VALUE_UNDECIDED */
    rdv_str text;  /* VALUE_UNREAD, VALUE_NOT_FOUND: a slice of the step */
    bool unasked;  /* there is no question in which it could stand */
} value_fault;

/* Follow the next step, whose calculations are in the order of the text; its results are found
 * for the steps behind it. *out: the first fault. The step must live as long as the arena.
 * RDV_E_NOMEM. Linear in the step. */
int value_flow_step(value_flow *flow, rdv_str step, calc_list *calcs, value_fault *out,
                    rdv_error *err);
/* Is what a wrong calculation should say the value of its right side: "15 = 25 - 5" is not, as 25 -
 * 5 is 20? */
bool wrong_calculation_is_turned(const rdv_calc *c);
/* A wrong calculation in a line, in `arena`: "3x + 4x is 14, not 16 (with x = 2)". p == NULL: out
 * of memory. */
rdv_str wrong_calculation_says(const rdv_calc *c, rdv_arena *arena);
/* The fault in a line, in `arena`. before: the latest result before its step; p == NULL: none. p ==
 * NULL: out of memory. */
rdv_str value_fault_says(const value_fault *fault, rdv_str before, rdv_arena *arena);
/* The latest result as written; p == NULL: there was no calculation. */
rdv_str value_flow_last(const value_flow *flow);
/* The same with its unit and what else stands beside it. */
rdv_str value_flow_last_side(const value_flow *flow);
/* Is the text the latest result, as the grader compares answers: "$18" and "18.00 dollars" are 18;
 * -18, "18 thousand", "more than 18" and, where it is in minutes, "18 hours" are not? RDV_E_NOMEM.
 */
int value_flow_is_last(const value_flow *flow, rdv_str text, bool *is, rdv_error *err);
