/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Texts that look like calculations and were not read as such. Nothing is decided about them: they
 * say what a check did not see. What looks like a calculation is told from the text alone (an
 * operation on numbers, a sign or word of equality, a number), whatever is read; then what was read
 * is taken away, by its place. */
#include "decide/calc_list.h"

#include <rederive/chain.h>

typedef struct unread_calculation {
    size_t begin, end; /* bytes of the step */
    rdv_unread_reason reason;
    rdv_str by; /* what the reason is about, the unit or the number; p == NULL: nothing more */
} unread_calculation;

/* Finds all such texts of the step beside its calculations, which are in the order of the text.
 * *out: in `arena`, *n_out of them, in the order of the text, possibly none; they borrow from the
 * step. RDV_OK or RDV_E_NOMEM. Linear in the step. */
int unread_calculations(rdv_str step, calc_list *calcs, rdv_arena *arena, unread_calculation **out,
                        size_t *n_out);
/* "not read (unit km/h): 150 / 2.5 = 61 km/h", in `arena`; with more than one, how many more. p ==
 * NULL: out of memory. n is at least 1. */
rdv_str unread_calculations_say(const unread_calculation *unread, size_t n, rdv_str step,
                                rdv_arena *arena);
/* Adds the list "not_read" to the map of a step's evidence; nothing if there are none. False: out
 * of memory. */
bool unread_calculations_note(const unread_calculation *unread, size_t n, rdv_str step,
                              rdv_arena *arena, rdv_evidence *map);
/* Counts the step's calculations and what was not read, by reason. */
void unread_calculations_count(calc_list *calcs, const unread_calculation *unread, size_t n,
                               rdv_coverage *coverage);
