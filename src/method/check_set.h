/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Every method of a plan on one of its chains. */
#include "plan/plan.h"

typedef struct check_set check_set;

/* Can the methods check as the options say? A plan is refused before anything is spent on it.
 * RDV_OK or RDV_E_ARGUMENT. */
int check_set_possible(const rdv_plan *plan, rdv_error *err);
/* Begin. `done` is called once when all methods have concluded; the checks then stand in the chain,
 * in the order of the methods. */
int check_set_start(check_set **out, rdv_plan *plan, size_t chain_index,
                    int (*done)(rdv_plan *, size_t chain_index, void *data, rdv_error *),
                    void *data, rdv_error *err);
/* The calls that all methods made, when they have concluded: those of a method that combines once,
 * and not again as those of its parts. */
uint64_t check_set_calls(const check_set *checks);
/* None of it is needed any more: requests are cancelled and `done` is never called. */
int check_set_drop(check_set *checks, rdv_error *err);
