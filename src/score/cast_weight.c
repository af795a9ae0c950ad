/* SPDX-License-Identifier: Apache-2.0 */
#include "score/cast_weight.h"

double cast_weight(cast_standing is, double confidence)
{
    switch (is) {
    case CAST_UNDECIDED:
        return CAST_NEUTRAL;
    case CAST_SUPPORTED:
        return CAST_NEUTRAL + (1 - CAST_NEUTRAL) * confidence;
    case CAST_CONTRADICTED:
        return CAST_NEUTRAL * confidence;
    case CAST_BY_CONFIDENCE:
        break;
    }
    return confidence;
}
