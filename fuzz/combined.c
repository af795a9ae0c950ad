/* SPDX-License-Identifier: Apache-2.0 */
/* A file of combined scorers: what is read is written, and read again as the same. */
#include "base/str.h"
#include "data/combined.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_arena *arena = rdv_arena_new(64 << 20);
    combined_model model, again;
    scorer_values values[COMBINED_SCORERS_MAX] = {0};
    if (combined_read((rdv_str){(const char *)data, size}, arena, &model, NULL) == RDV_OK) {
        rdv_str text = combined_write(&model, arena);
        if (!text.p || combined_read(text, arena, &again, NULL) != RDV_OK ||
            !rdv_str_eq(text, combined_write(&again, arena)))
            abort();
        double weight = combined_weight(&model, values);
        if (!isnan(weight) && !(weight >= 0 && weight <= 1))
            abort();
    }
    rdv_arena_free(&arena);
    return 0;
}
