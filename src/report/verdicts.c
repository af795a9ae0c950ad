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
