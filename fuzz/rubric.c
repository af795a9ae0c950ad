/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a rubric: its criteria are texts of one line within the limits. */
#include "prompt/rubric.h"

#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_arena *arena = rdv_arena_new(8 << 20);
    rdv_str text = {(const char *)data, size}, *criteria;
    size_t n;
    rdv_error err = {0};
    if (rubric_read(text, arena, &criteria, &n, &err) == RDV_OK) {
        if (n == 0 || n > RUBRIC_MAX_CRITERIA)
            abort();
        for (size_t i = 0; i < n; i++)
            if (!criteria[i].len || criteria[i].len > RUBRIC_MAX_LENGTH ||
                rdv_find_char(criteria[i], '\n', 0) != RDV_NOT_FOUND)
                abort();
    } else if (!err.msg[0]) {
        abort();
    }
    rdv_arena_free(&arena);
    return 0;
}
