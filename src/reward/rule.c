/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/model.h"
#include "reward/reward.h"

#include <math.h>

#define LEAST 1e-9

static size_t first_at_least(double at, const double *wrong, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (wrong[i] >= at)
            return i;
    return RDV_NO_STEP;
}

static size_t most_likely_first(double at, const double *wrong, size_t n)
{
    double none = 0, best = -INFINITY; /* logarithms */
    size_t step = RDV_NO_STEP;
    for (size_t i = 0; i < n; i++) {
        double p = wrong[i] < LEAST ? LEAST : wrong[i] > 1 - LEAST ? 1 - LEAST : wrong[i];
        if (none + log(p) > best) {
            best = none + log(p);
            step = i;
        }
        none += log1p(-p);
    }
    return exp(none) > at ? RDV_NO_STEP : step;
}

size_t rule_locate(rdv_reward_rule rule, double at, const double *wrong, size_t n)
{
    return rule == RDV_RULE_HAZARD ? most_likely_first(at, wrong, n) : first_at_least(at, wrong, n);
}

const char *rdv_reward_rule_name(rdv_reward_rule rule)
{
    return rule == RDV_RULE_HAZARD ? "hazard" : rule == RDV_RULE_THRESHOLD ? "threshold" : "fitted";
}

const char *rdv_reward_after_name(rdv_reward_after after)
{
    return after == RDV_AFTER_LEFT_OUT ? "left-out" : after == RDV_AFTER_WRONG ? "wrong" : "fitted";
}
