/* SPDX-License-Identifier: Apache-2.0 */
#include "report/verdicts.h"

size_t rdv_verdict_index(rdv_verdict_kind kind)
{
    switch (kind) {
    case RDV_SUPPORT:
        return 0;
    case RDV_UNRELATED:
        return 1;
    case RDV_CONTRADICT:
        return 2;
    case RDV_UNKNOWN:
        break;
    }
    return 3;
}

const rdv_verdict *rdv_verdict_on(const rdv_check *check, size_t step, size_t *next)
{
    while (check && *next < check->n_verdicts && check->verdicts[*next].step < step)
        (*next)++;
    if (!check || *next >= check->n_verdicts || check->verdicts[*next].step != step)
        return NULL;
    return &check->verdicts[*next];
}

bool rdv_nothing_decided(const rdv_check *check)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].kind != RDV_UNRELATED)
            return false;
    return !check->skipped && check->first_error == RDV_NO_STEP;
}
