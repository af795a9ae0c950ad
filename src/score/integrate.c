/* SPDX-License-Identifier: Apache-2.0 */

#include "base/str.h"
#include "score/score.h"

#include <math.h>

/* The cost of an unknown verdict where an unrelated one costs nothing. */
#define UNKNOWN_COST 0.3

rdv_integration rdv_integration_default(void)
{
    return (rdv_integration){.l1 = 1, .l0 = 0.3, .unknown = RDV_UNKNOWN_NEUTRAL};
}

int rdv_integration_check(const rdv_integration *how, rdv_error *err)
{
    if (isfinite(how->l1) && how->l1 > how->l0 && how->l0 >= 0)
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT, "lambda must satisfy L1 > L0 >= 0, not %g and %g", how->l1,
                    how->l0);
}

int rdv_unknown_named(rdv_str name, rdv_unknown_as *out)
{
    static const char *const names[] = {"neutral", "contradict", "null"};
    int i = rdv_named(name, names, sizeof names / sizeof *names);
    if (i >= 0)
        *out = (rdv_unknown_as)i;
    return i < 0 ? RDV_NONE : RDV_OK;
}

rdv_verdict_counts rdv_count_verdicts(const rdv_verdict *verdicts, size_t n)
{
    rdv_verdict_counts c = {0};
    for (size_t i = 0; i < n; i++) {
        switch (verdicts[i].kind) {
        case RDV_CONTRADICT:
            c.contradict++;
            break;
        case RDV_UNRELATED:
            c.unrelated++;
            break;
        case RDV_SUPPORT:
            c.support++;
            break;
        case RDV_UNKNOWN:
            c.unknown++;
            break;
        }
    }
    return c;
}

static double cost_of_unknown(const rdv_integration *how)
{
    if (how->unknown == RDV_UNKNOWN_CONTRADICT)
        return how->l1;
    return how->l0 > 0 ? how->l0 : fmin(UNKNOWN_COST, how->l1);
}

double rdv_integrate(const rdv_integration *how, rdv_verdict_counts c)
{
    if (c.contradict == 0 && c.unrelated == 0 && c.support == 0)
        return NAN;
    if (c.unknown > 0 && how->unknown == RDV_UNKNOWN_NULL)
        return NAN;
    double cost = how->l1 * (double)c.contradict + how->l0 * (double)c.unrelated;
    if (c.unknown > 0)
        cost += cost_of_unknown(how) * (double)c.unknown;
    return 2 / (1 + exp(cost));
}

int rdv_classify(double confidence, double t)
{
    if (isnan(confidence))
        return -1;
    return confidence >= t;
}
