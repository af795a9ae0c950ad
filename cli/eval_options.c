/* SPDX-License-Identifier: Apache-2.0 */
#include "eval_options.h"
#include "no_baseline.h"
#include "options.h"

#include "base/str.h"

/* The options that some studies do not use. */
static const struct use {
    const char *option;
    unsigned uses; /* any of these: bits of rdv_study_use */
} uses[] = {
    {"threshold", RDV_USES_THRESHOLD},
    {"weight", RDV_USES_WEIGHT},
    {"lambda", RDV_USES_INTEGRATION},
    {"unknown", RDV_USES_WEIGHT | RDV_USES_UNKNOWN},
    {"aggregate", RDV_USES_WEIGHT | RDV_USES_AGGREGATE},
    {"group", RDV_USES_GROUP},
    {"verifiers", RDV_USES_VERIFIERS},
    {"weights", RDV_USES_WEIGHTS},
    {"floor", RDV_USES_AGGREGATE},
    {"perplexity-over", RDV_USES_AGGREGATE},
    {"profile", RDV_USES_AGGREGATE},
    {"perplexity-power", RDV_USES_POWER},
    {"answer-source", RDV_USES_READ_STEPS},
    {"correct-from", RDV_USES_SOURCE_FIRST},
    {"seed", RDV_USES_SEED},
    {"curves", RDV_USES_CURVES},
    {"baseline", RDV_USES_BASELINE},
};

/* What people know the study as. */
static const char *name_of(const rdv_study_info *info)
{
    return strcmp(info->name, "evaluation") == 0   ? "an evaluation without --recipe"
           : strcmp(info->name, "comparison") == 0 ? "--compare"
           : strcmp(info->name, "combined") == 0   ? "--scorers"
                                                   : info->name;
}

static int no_effect(const char *option, const char *on, rdv_error *err)
{
    return rdv_fail(err, RDV_E_ARGUMENT, "--%s has no effect on %s", option, on);
}

/* Options that have an effect with some values of the others only. */
static int check_values(const struct settings *s, const rdv_study_info *info,
                        const vote_weight *weight, rdv_error *err)
{
    bool scores = weight->is == VOTE_WEIGHT_SCORES, fits = s->fit || s->split;
    bool views = info->uses & RDV_USES_WEIGHT;
    if (views && opt_given(s, "aggregate") && !scores)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--aggregate has no effect without --weight scores:NAME");
    if (views && opt_given(s, "aggregate") && fits)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--aggregate has no effect on fitted settings; leave out --%s, or "
                        "--aggregate",
                        s->fit ? "fit" : "split");
    if (views && opt_given(s, "threshold") && fits)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--threshold has no effect on fitted settings; leave out --%s, or "
                        "--threshold",
                        s->fit ? "fit" : "split");
    if (views && opt_given(s, "unknown") && !scores && !fits && !s->lambda.given)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--unknown has no effect on recorded confidences; it needs --lambda, "
                        "--fit, --split, or --weight scores:NAME");
    if (opt_given(s, "floor") && opt_given(s, "aggregate") &&
        strcmp(s->aggregate, "geometric") != 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--floor has no effect on --aggregate %s; it is that of geometric",
                        s->aggregate);
    return RDV_OK;
}

/* What says how records are read has no effect where none are. */
static int check_reading(const struct settings *s, const rdv_study_info *info, rdv_error *err)
{
    if (!info->no_chains && !info->reports)
        return RDV_OK;
    if (info->no_chains && s->in.n)
        return rdv_fail(err, RDV_E_ARGUMENT, "%.200s: %s takes no input: it simulates",
                        s->in.items[0], name_of(info));
    for (const struct opt *o = options_files; o->name; o++) {
        bool used =
            strcmp(o->name, "out") == 0 ||
            (info->reports && (strcmp(o->name, "in") == 0 || strcmp(o->name, "strict") == 0));
        if (!used && opt_given(s, o->name))
            return no_effect(o->name, name_of(info), err);
    }
    return RDV_OK;
}

int eval_options_check(const struct settings *s, const rdv_study_info *info,
                       const vote_weight *weight, rdv_error *err)
{
    bool seeded = (info->uses & RDV_USES_SEED) || s->split;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        bool used = (info->uses & uses[i].uses) || (uses[i].uses == RDV_USES_SEED && seeded);
        if (!used && opt_given(s, uses[i].option))
            return uses[i].uses == RDV_USES_BASELINE
                       ? no_baseline(name_of(info), err)
                       : no_effect(uses[i].option, name_of(info), err);
    }
    if (s->curves && s->json && !s->tables)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--curves has no effect with --json, which has all curves");
    int code = check_reading(s, info, err);
    return code == RDV_OK ? check_values(s, info, weight, err) : code;
}
