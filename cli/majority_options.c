/* SPDX-License-Identifier: Apache-2.0 */
#include "majority_options.h"

#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

#define MAX_WRONG 100
#define MAX_CHAINS 400

bool majority_is_given(const struct settings *settings)
{
    return settings->p.given || settings->q;
}

static int read_chances(const struct settings *settings, rdv_arena *arena, rdv_study_options *out,
                        rdv_error *err)
{
    double *q = RDV_NEW_ARRAY(arena, double, MAX_WRONG), sum = settings->p.is;
    const char *at = settings->q;
    char *end = NULL;
    size_t n = 0;
    if (!q)
        return rdv_no_memory(err);
    if (!settings->p.given || !at)
        return rdv_fail(err, RDV_E_ARGUMENT, "--p and --q are given together");
    for (;; at = end + 1) {
        if (n == MAX_WRONG)
            return rdv_fail(err, RDV_E_ARGUMENT, "--q: more than %d wrong answers", MAX_WRONG);
        q[n] = strtod(at, &end);
        if (end == at || !(q[n] >= 0 && q[n] <= 1) || (*end && *end != ','))
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "--q %.64s: must be chances from 0 to 1, separated by commas",
                            settings->q);
        sum += q[n++];
        if (!*end)
            break;
    }
    if (sum > 1 + 1e-9)
        return rdv_fail(err, RDV_E_ARGUMENT, "--p and --q add up to %g, more than 1", sum);
    out->p = settings->p.is;
    out->q = q;
    out->n_q = n;
    return RDV_OK;
}

/* "1:20" or "11". */
static int read_counts(const char *text, rdv_study_options *out, rdv_error *err)
{
    char *end;
    unsigned long from = strtoul(text, &end, 10), to = from;
    bool good = rdv_is_digit(text[0]);
    if (good && *end == ':' && rdv_is_digit(end[1]))
        to = strtoul(end + 1, &end, 10);
    if (!good || *end || from < 1 || from > to || to > MAX_CHAINS)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--n %.64s: must be a number of chains, or a range such as 1:20, from 1 to "
                        "%d",
                        text, MAX_CHAINS);
    out->n_from = from;
    out->n_to = to;
    return RDV_OK;
}

int majority_options(const struct settings *settings, const rdv_study_info *info, rdv_arena *arena,
                     rdv_study_options *out, rdv_error *err)
{
    const char *option = settings->p.given ? "--p"
                         : settings->q     ? "--q"
                         : settings->n     ? "--n"
                                           : NULL;
    if (option && strcmp(info->name, "selfcheck:v2bound") != 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "%s has no effect without --recipe selfcheck:v2bound",
                        option);
    if (strcmp(info->name, "selfcheck:v2bound") == 0 && strcmp(settings->weight, "confidence") != 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "--weight has no effect on selfcheck:v2bound");
    int code = majority_is_given(settings) ? read_chances(settings, arena, out, err) : RDV_OK;
    return code == RDV_OK && settings->n ? read_counts(settings->n, out, err) : code;
}
