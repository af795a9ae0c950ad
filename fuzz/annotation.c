/* SPDX-License-Identifier: Apache-2.0 */
/* Files of annotations, of any bytes: reading comes to an end, and what is put into a chain fits
 * it. What is written of the chain is read again and is the same. */
#include "base/str.h"
#include "data/annotation/annotations.h"
#include "data/source.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static rdv_annotations *read_all(rdv_str text, rdv_arena *arena)
{
    static const rdv_annotation_options options = {.by = "ann"};
    rdv_annotations *a = rdv_annotations_new(arena, &options);
    if (a)
        rdv_annotations_read_source(a, rdv_source_of(&text), "in", NULL, NULL, NULL, NULL);
    return a;
}

static rdv_str written(const rdv_chain *chain, rdv_arena *arena)
{
    rdv_str lines;
    return rdv_annotations_write(chain, arena, &lines, NULL) == RDV_OK ? lines : (rdv_str){0};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_arena *arena = rdv_arena_new(64 << 20);
    rdv_annotations *a = read_all((rdv_str){(const char *)data, size}, arena);
    rdv_str steps[3] = {RDV_STR("one"), RDV_STR("two"), RDV_STR("three")};
    rdv_chain chain = {.id = RDV_STR("q"), .steps = steps, .n_steps = 3};
    rdv_chain again = chain;
    if (a && rdv_annotations_apply(a, &chain, arena, NULL, NULL, NULL, NULL) == RDV_OK) {
        for (size_t i = 0; i < chain.n_step_labels; i++)
            if (chain.step_labels[i].n != 3)
                abort();
        rdv_str lines = written(&chain, arena);
        a = read_all(lines, arena);
        if (lines.len && a &&
            rdv_annotations_apply(a, &again, arena, NULL, NULL, NULL, NULL) == RDV_OK) {
            rdv_str second = written(&again, arena);
            if (second.p && !rdv_str_eq(lines, second))
                abort();
        }
    }
    rdv_arena_free(&arena);
    return 0;
}
