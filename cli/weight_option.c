/* SPDX-License-Identifier: Apache-2.0 */
#include "weight_option.h"

#include "base/str.h"
#include "score/score.h"

int weight_option_read(const struct settings *settings, vote_weight *out, rdv_error *err)
{
    rdv_aggregate_kind aggregate = RDV_AGGREGATE_MIN;
    rdv_aggregate_named(rdv_str_of(settings->aggregate), &aggregate);
    rdv_error why = {0};
    int code = vote_weight_read(rdv_str_of(settings->weight), aggregate, out, &why);
    return code == RDV_OK ? code : rdv_fail(err, code, "--weight %s", why.msg);
}
