/* SPDX-License-Identifier: Apache-2.0 */
/* A path in the first line, a record in the rest: what the path leads to is taken as the question,
 * the steps and the gold answer, and what comes of it is read again. */
#include "base/str.h"
#include <rederive/data.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_come_back(const rdv_chain *chain, rdv_arena *arena)
{
    rdv_record *again;
    size_t n;
    if (rdv_record_read(chain->raw, NULL, arena, &again, &n, NULL) != RDV_OK || n != 1 ||
        again->chain.n_steps != chain->n_steps)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_arena *arena = rdv_arena_new(64 << 20);
    rdv_str rest = {(const char *)data, size}, line;
    rdv_next_line(&rest, &line);
    const char *path = rdv_cstring(arena, line);
    rdv_read_options options = {.size = sizeof options,
                                .question_from = path,
                                .steps_from = path,
                                .gold_from = path,
                                .max_steps = 64};
    rdv_record *records;
    size_t n;
    if (path && rdv_record_read(rest, &options, arena, &records, &n, NULL) == RDV_OK)
        for (size_t i = 0; i < n; i++)
            must_come_back(&records[i].chain, arena);
    rdv_arena_free(&arena);
    return 0;
}
