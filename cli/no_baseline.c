/* SPDX-License-Identifier: Apache-2.0 */
#include "no_baseline.h"

#include "base/str.h"

#define THRESHOLDS                                                                                 \
    "its figures are at thresholds, and one threshold accepts different shares of the chains of "  \
    "two checks"
#define PARTS "it compares parts of a chain by the same verifiers, and has the gain over none"
#define VOTES "it has the gain over the vote beside it"
#define PEOPLE "it compares checks with annotators, and not with each other"

static const struct reason {
    const char *table, *why;
} reasons[] = {
    {"selfcheck:fig3", THRESHOLDS},
    {"selfcheck:fig4", "it shows curves; 'rederive eval --compare' has the difference of the areas "
                       "under two of them"},
    {"selfcheck:v2fig3", THRESHOLDS},
    {"selfcheck:v2fig4", THRESHOLDS},
    {"selfcheck:v2bound", "it is about majorities, without checks"},
    {"general:table5", PARTS},
    {"general:table6", "it simulates"},
    {"general:fig3", VOTES},
    {"general:fig4", PARTS},
    {"general:fig5", PEOPLE},
    {"general:fig6", VOTES},
    {"general:fig7", VOTES},
    {"general:fig8", PARTS},
    {"general:fig9", PEOPLE},
    {"general:fig10", PEOPLE},
    {"general:fig11", PEOPLE},
    {"general:fig12", PEOPLE},
    {"general:fig13", PEOPLE},
    {"general:fig14", PEOPLE},
    {"general:errors", "it counts the errors of steps that verifiers cover together"},
    {"mistakes:table2", "it counts traces, without checks"},
    {"mistakes:table3", "it compares annotators, without checks"},
    {"mistakes:table8", "it has one number of each training, and nothing is paired"},
};

int no_baseline(const char *table, rdv_error *err)
{
    const char *why = NULL;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        why = strcmp(reasons[i].table, table) == 0 ? reasons[i].why : why;
    return rdv_fail(err, RDV_E_ARGUMENT, "--baseline has no effect on %s%s%s", table,
                    why ? ": " : "", why ? why : "");
}
