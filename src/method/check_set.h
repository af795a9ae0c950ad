/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* All methods of a plan on one of its chains. */
#include "plan/plan.h"

typedef struct check_set check_set;

/* Checks that the methods can run with the options. A plan is refused before anything is spent on
 * it. RDV_OK or RDV_E_ARGUMENT. */
int check_set_possible(const rdv_plan *plan, rdv_error *err);
/* Begins the checks. `done` is called once when all methods have concluded; the chain then holds
 * the checks, in the order of the methods. */
int check_set_start(check_set **out, rdv_plan *plan, size_t chain_index,
                    int (*done)(rdv_plan *, size_t chain_index, void *data, rdv_error *),
                    void *data, rdv_error *err);
/* The calls that all methods made, once they have concluded. Those of a method that combines others
 * are counted once, not again for its parts. */
uint64_t check_set_calls(const check_set *checks);
/* Drops checks that are no longer needed: requests are cancelled and `done` is never called. */
int check_set_drop(check_set *checks, rdv_error *err);
