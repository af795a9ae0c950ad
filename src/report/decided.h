/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Whether a check says anything for a chain. A check that finds no error because it decided
 * nothing must not look like one that found the steps right. */
#include <rederive/chain.h>

/* No step is contradicted, supported or unknown: nothing was decided. */
static inline bool rdv_nothing_decided(const rdv_check *check)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].kind != RDV_UNRELATED)
            return false;
    return !check->skipped && check->first_error == RDV_NO_STEP;
}
