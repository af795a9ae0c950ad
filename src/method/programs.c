/* SPDX-License-Identifier: Apache-2.0 */
/* The rule-based verifiers as methods (docs/rule-based-verifiers.md). Each follows the traces of
 * one task and stops at the first error: later steps are unknown. */
#include "method/method.h"

#include "base/arena.h"
#include "base/str.h"
#include "task/follow.h"

static int check(const follow_task *task, const rdv_chain *chain, rdv_arena *arena, rdv_check *out,
                 rdv_error *err)
{
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain->n_steps);
    if (!verdicts)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    out->verdicts = verdicts;
    out->n_verdicts = chain->n_steps;
    return follow_chain(task, chain, arena, verdicts, err);
}

#define PROGRAM(id, text, says)                                                                    \
    static int check_##id(const rdv_chain *chain, rdv_arena *arena, rdv_check *out,                \
                          rdv_error *err)                                                          \
    {                                                                                              \
        return check(&follow_##id, chain, arena, out, err);                                        \
    }                                                                                              \
    const method_entry method_##id = {                                                             \
        .method = {.name = text, .summary = says, .l1 = 1, .l0 = 0},                               \
        .check = check_##id,                                                                       \
    }

PROGRAM(dyck, "dyck", "follows brackets being closed: the stack of each step");
PROGRAM(sorting, "sorting", "follows words being sorted letter by letter");
PROGRAM(shuffled, "shuffled-objects", "follows swaps: who has what after each");
PROGRAM(arithmetic, "arithmetic", "follows an expression worked out part by part");
PROGRAM(deduction, "deduction", "follows an order of objects being deduced");
