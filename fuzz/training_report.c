/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of training for mistakes:table8, one a line: every row is of a task that was held out. */
#include "base/str.h"

#include <rederive/study.h>

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const rdv_study_tables *tables)
{
    for (size_t r = 0; r < tables->tables->n_rows; r++) {
        const rdv_cell *cells = tables->tables->cells + r * tables->tables->n_columns;
        bool counted = cells[1].kind != RDV_CELL_ABSENT;
        if (!cells[0].text.p || (counted && !(cells[1].is.value >= 0)))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_arena *arena = rdv_arena_new(64 << 20), *scratch = rdv_arena_new(64 << 20);
    rdv_str text = {(const char *)data, size};
    rdv_study *study;
    rdv_study_tables tables;
    if (rdv_study_new(RDV_STR("mistakes:table8"), NULL, arena, &study, NULL) != RDV_OK)
        abort();
    for (size_t at = 0; at < text.len;) {
        size_t end = rdv_find_char(text, '\n', at);
        end = end == RDV_NOT_FOUND ? text.len : end;
        rdv_study_add_report(study, rdv_slice(text, at, end), scratch, NULL);
        rdv_arena_reset(scratch);
        at = end + 1;
    }
    if (rdv_study_finish(study, &tables, NULL) == RDV_OK)
        check(&tables);
    rdv_arena_free(&scratch);
    rdv_arena_free(&arena);
    return 0;
}
