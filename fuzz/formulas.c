/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing formulas: the text up to its first newline and what follows it. The order does not
 * matter, no formula differs from itself, and two formulas with one key are the same. */
#include "base/str.h"
#include "algebra/same.h"

#include <rederive/math.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static bool have_one_key(rdv_str a, rdv_str b, rdv_arena *arena)
{
    rdv_str keys[2];
    return rdv_math_key(a, arena, &keys[0], NULL) == RDV_OK &&
           rdv_math_key(b, arena, &keys[1], NULL) == RDV_OK && rdv_str_eq(keys[0], keys[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str text = {(const char *)data, size};
    size_t end = rdv_find_char(text, '\n', 0);
    rdv_str a = rdv_slice(text, 0, end == RDV_NOT_FOUND ? size : end);
    rdv_str b = rdv_slice(text, a.len + 1, size);
    rdv_arena *arena = rdv_arena_new(0);
    math_sameness one, other, self;
    require(arena != NULL);
    int rc = math_same(a, b, NULL, &one, NULL);
    require(rc == RDV_OK || rc == RDV_NONE);
    require(math_same(b, a, NULL, &other, NULL) == rc);
    if (rc == RDV_OK) {
        bool opposite = one.is + other.is == MATH_SAME + MATH_DIFFERENT && one.is != other.is;
        require(!opposite);
        require(math_same(a, a, NULL, &self, NULL) == RDV_OK && self.is != MATH_DIFFERENT);
        require(one.is != MATH_DIFFERENT || !have_one_key(a, b, arena));
    }
    rdv_arena_free(&arena);
    return 0;
}
