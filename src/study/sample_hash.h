/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The hash by which `sample`, `annotate sample` and `reproduce --limit` draw: the ids with the
 * smallest hashes are taken, so a sample does not depend on the order of the input, and a larger
 * sample holds a smaller one. */
#include "base/map.h"
#include "base/str.h"

/* Not the seed itself: `eval --split` draws by hashes of ids and seeds too, and a sample must not
 * be all in one of its parts. */
#define SAMPLE_SALT 0x73616d706c65u /* "sample" */

static inline uint64_t sample_hash(rdv_str id, uint64_t seed)
{
    return rdv_hash(id.p ? id : RDV_STR(""), seed ^ SAMPLE_SALT);
}
