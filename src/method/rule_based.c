/* SPDX-License-Identifier: Apache-2.0 */
/* The rule-based verifiers, each of which follows a trace of one task (docs/programs.md). They stop
 * at the first mistake: later steps are unknown. */
#include "method/method.h"

#include "base/arena.h"
#include "base/str.h"
#include "task/follow.h"

static int compute(const method_entry *self, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err)
{
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain->n_steps);
    if (!verdicts)
        return rdv_no_memory(err);
    int r = follow_chain(self->data, chain, arena, verdicts, err);
    return r == RDV_OK
               ? method_integrate(&self->method, options, verdicts, chain->n_steps, check, err)
               : r;
}

#define RULE_BASED(id, text, says)                                                                 \
    const method_entry method_##id = {                                                             \
        .method = {.name = text, .summary = says, .l1 = 1, .l0 = 0},                               \
        .compute = compute,                                                                        \
        .data = &follow_##id,                                                                      \
        .reads_in_full = true,                                                                     \
    }

RULE_BASED(dyck, "dyck", "follows brackets being closed: the stack of each step");
RULE_BASED(sorting, "sorting", "follows words being sorted letter by letter");
RULE_BASED(shuffled, "shuffled-objects", "follows swaps: who has what after each");
RULE_BASED(arithmetic, "arithmetic", "follows an expression worked out part by part");
RULE_BASED(deduction, "deduction", "follows an order of objects being deduced");
