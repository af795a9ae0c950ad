/* SPDX-License-Identifier: Apache-2.0 */
/* Any question and any steps to all programs that follow a trace. NUL bytes cut the input: the
 * first piece is the question, the others are the steps. */
#include "task/follow.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_STEPS 64

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check(const follow_task *task, const rdv_chain *chain)
{
    rdv_verdict verdicts[MAX_STEPS];
    rdv_arena *arena = rdv_arena_new(0);
    bool wrong = false;
    require(arena && follow_chain(task, chain, arena, verdicts, NULL) == RDV_OK);
    for (size_t i = 0; i < chain->n_steps; i++) {
        const rdv_verdict *v = &verdicts[i];
        require(v->step == i && rdv_verdict_name(v->kind));
        require(!wrong || v->kind == RDV_UNKNOWN); /* nothing is said behind the first mistake */
        require((v->kind == RDV_UNKNOWN) == (isnan(v->score) != 0));
        require((v->kind == RDV_UNKNOWN || v->kind == RDV_CONTRADICT) == (v->why.len > 0));
        wrong |= v->kind == RDV_CONTRADICT;
    }
    rdv_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const follow_task *const tasks[] = {&follow_dyck, &follow_sorting, &follow_shuffled,
                                               &follow_arithmetic, &follow_deduction};
    rdv_str text = {(const char *)data, size}, steps[MAX_STEPS];
    size_t end = rdv_find_char(text, '\0', 0);
    rdv_chain chain = {.question = {.text = rdv_slice(text, 0, end)}, .steps = steps};
    while (end != RDV_NOT_FOUND && chain.n_steps < MAX_STEPS) {
        size_t begin = end + 1;
        end = rdv_find_char(text, '\0', begin);
        steps[chain.n_steps++] = rdv_slice(text, begin, end);
    }
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        check(tasks[i], &chain);
    return 0;
}
