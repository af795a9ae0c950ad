/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of expressions: the same text has the same key again, and a key that is a number is a text
 * that has itself as its key. */
#include "base/str.h"

#include <rederive/math.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* "p" or "p/q" with an optional sign, not longer than a literal may be. */
static bool is_number(rdv_str key)
{
    for (size_t i = 0; i < key.len; i++)
        if (!rdv_is_digit(key.p[i]) && key.p[i] != '/' && key.p[i] != '-')
            return false;
    return key.len < 4000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str text = {(const char *)data, size}, key, again;
    rdv_error err = {0};
    require(arena != NULL);
    int r = rdv_math_key(text, arena, &key, &err);
    require(r == RDV_OK || r == RDV_NONE);
    if (r == RDV_OK) {
        require(key.p && key.len > 0);
        require(rdv_math_key(text, arena, &again, &err) == RDV_OK && rdv_str_eq(key, again));
        if (is_number(key))
            require(rdv_math_key(key, arena, &again, &err) == RDV_OK && rdv_str_eq(key, again));
    }
    rdv_arena_free(&arena);
    return 0;
}
