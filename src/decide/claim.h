/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One calculation that somebody else took from a step: two sides and the sign between them. */
#include "decide/calc_list.h"

typedef struct math_claimed {
    rdv_calc_kind kind;
    rdv_str value; /* wrong: the exact value of the left side; p == NULL: it should not be shown */
    rdv_str claim; /* wrong: the exact value of the right side; likewise */
} math_claimed;

/* Decide "lhs op rhs" with what the calculator knows from the steps before; it remembers nothing of
 * it. op: = == equals is; ≈ ~ ~= approx; < > <= >= ≤ ≥ != ≠. A side may itself be a chain of
 * equalities; then all of them have to be right.
 * RDV_OK with *out, whose texts are in the calculator's arena; RDV_NONE: no calculation (another
 * sign, a definition, nothing to evaluate). Faults: RDV_E_NOMEM. */
int math_claim(rdv_calculator *calculator, rdv_str lhs, rdv_str op, rdv_str rhs, math_claimed *out,
               rdv_error *err);

/* As rdv_calculator_step(), with the calculations of a long step in little memory. All changes of
 * *out are kept (calc_list_keep()). */
int calculator_step(rdv_calculator *calculator, rdv_str step, calc_list *out, rdv_error *err);
/* The calculations of a text as rdv_calculator_step() finds them, but remembering nothing. */
int rdv_calculator_try(rdv_calculator *calculator, rdv_str text, rdv_calc **out, size_t *n,
                       rdv_error *err);
/* The text as the calculator reads it, of the same length: where the chain has decimal commas,
 * with decimal points (notation/decimal_comma.h). *out is `text` itself or a copy in the
 * calculator's arena. RDV_OK or RDV_E_NOMEM. */
int rdv_calculator_fold(const rdv_calculator *calculator, rdv_str text, rdv_str *out);
/* The processor time that this thread has taken, in nanoseconds. */
uint64_t calculator_thread_ns(void);
/* A step may take this much processor time of its thread, after which it fails with RDV_E_LIMIT; 0:
 * no limit (default). The calculator goes on with the next step. */
void rdv_calculator_set_limit(rdv_calculator *calculator, uint64_t step_ns);
/* Are the next steps reasoning that a model gave apart from its answer (`thought`), and may the
 * numbers of a step be worked out by hand (`by_hand`), as in reasoning and in the reply that takes
 * them over, so that they may differ in their last digit? Default: no. */
void rdv_calculator_set_reasoning(rdv_calculator *calculator, bool thought, bool by_hand);
/* The calculator's arena, for results. */
rdv_arena *rdv_calculator_arena(const rdv_calculator *calculator);
