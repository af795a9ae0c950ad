/* SPDX-License-Identifier: Apache-2.0 */
/* The recipes, as a table. */
#include "score/recipe.h"

#include "base/str.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const selfcheck[] = {"selfcheck", NULL};
/* SelfCheck, section 5.2, in the order of Table 2. */
static const char *const variants[] = {"selfcheck",         "global", "single-stage", "error-check",
                                       "error-check-1shot", NULL};

static const size_t two[] = {2};
static const size_t to_10[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static const size_t to_50[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 40, 50};

static const rdv_column of_two[] = {
    {"n_chains", RDV_COLUMN_NUMBER},         {"correct.none", RDV_COLUMN_SHARE},
    {"correct.some", RDV_COLUMN_SHARE},      {"correct.all", RDV_COLUMN_SHARE},
    {"accuracy.majority", RDV_COLUMN_SHARE}, {"accuracy.weighted", RDV_COLUMN_SHARE},
    {"gain.weighted", RDV_COLUMN_GAIN},
};
static const rdv_column accuracies[] = {
    {"n_chains", RDV_COLUMN_NUMBER},
    {"accuracy.majority", RDV_COLUMN_SHARE},
    {"accuracy.weighted", RDV_COLUMN_SHARE},
    {"gain.weighted", RDV_COLUMN_GAIN},
};
static const rdv_column verification[] = {
    {"tpr", RDV_COLUMN_SHARE},
    {"tnr", RDV_COLUMN_SHARE},
    {"balanced_accuracy", RDV_COLUMN_SHARE},
};
static const rdv_column accepted[] = {
    {"threshold", RDV_COLUMN_NUMBER},
    {"precision_accepted", RDV_COLUMN_SHARE},
};
static const rdv_column roc[] = {
    {"threshold", RDV_COLUMN_NUMBER},
    {"fpr", RDV_COLUMN_SHARE},
    {"tpr", RDV_COLUMN_SHARE},
};
static const rdv_column rates[] = {
    {"threshold", RDV_COLUMN_NUMBER},
    {"tpr", RDV_COLUMN_SHARE},
    {"tnr", RDV_COLUMN_SHARE},
    {"balanced_accuracy", RDV_COLUMN_SHARE},
};
static const rdv_column precisions[] = {
    {"threshold", RDV_COLUMN_NUMBER},
    {"precision_accepted", RDV_COLUMN_SHARE},
    {"precision_rejected", RDV_COLUMN_SHARE},
};

#define VOTES(counts_, columns_)                                                                   \
    .votes = true, .shape = RDV_SHAPE_CURVES, .x = "chains", .columns = (columns_),                \
    .n_columns = LENGTH(columns_), .counts = (counts_), .n_counts = LENGTH(counts_)
#define AGAINST_THRESHOLD(columns_)                                                                \
    .shape = RDV_SHAPE_CURVES, .x = "threshold", .columns = (columns_),                            \
    .n_columns = LENGTH(columns_)

static const rdv_recipe recipes[RDV_N_RECIPES] = {
    [RDV_SELFCHECK_TABLE1] = {"selfcheck:table1",
                              "2 chains a question: how many are right, accuracies, gain",
                              selfcheck, VOTES(two, of_two)},
    [RDV_SELFCHECK_TABLE2] = {"selfcheck:table2",
                              "verification accuracy of SelfCheck and its variants", variants,
                              .shape = RDV_SHAPE_FIGURES, .columns = verification,
                              .n_columns = LENGTH(verification)},
    [RDV_SELFCHECK_FIG2] = {"selfcheck:fig2",
                            "accuracies and gain against the number of chains, 1 to 10", selfcheck,
                            VOTES(to_10, accuracies)},
    [RDV_SELFCHECK_FIG3] = {"selfcheck:fig3", "real + in pred + against the threshold", selfcheck,
                            AGAINST_THRESHOLD(accepted)},
    [RDV_SELFCHECK_FIG4] = {"selfcheck:fig4", "ROC and the area under it", selfcheck,
                            .shape = RDV_SHAPE_ROC, .columns = roc, .n_columns = LENGTH(roc)},
    [RDV_SELFCHECK_FIG5] = {"selfcheck:fig5",
                            "accuracies and gain against the number of chains, 1 to 50", selfcheck,
                            VOTES(to_50, accuracies)},
    [RDV_SELFCHECK_FIG6] = {"selfcheck:fig6", "accuracies and gain of SelfCheck and its variants",
                            variants, VOTES(to_10, accuracies)},
    [RDV_SELFCHECK_V2FIG3] =
        {"selfcheck:v2fig3",
         "pred + in real +, pred - in real -, their mean, against the threshold", selfcheck,
         AGAINST_THRESHOLD(rates)},
    [RDV_SELFCHECK_V2FIG4] = {"selfcheck:v2fig4",
                              "real + in pred +, real - in pred -, against the threshold",
                              selfcheck, AGAINST_THRESHOLD(precisions)},
};

const rdv_recipe *rdv_recipe_of(rdv_recipe_is is)
{
    return &recipes[is];
}

const char *rdv_recipe_name(rdv_recipe_is is, const char **about)
{
    if (about)
        *about = recipes[is].about;
    return recipes[is].name;
}

int rdv_recipe_named(rdv_str name, rdv_recipe_is *out)
{
    for (size_t i = 0; i < RDV_N_RECIPES; i++) {
        if (rdv_str_eq(name, rdv_str_of(recipes[i].name))) {
            *out = (rdv_recipe_is)i;
            return RDV_OK;
        }
    }
    return RDV_NONE;
}

const char *rdv_recipe_method(rdv_recipe_is is, size_t i)
{
    const char *const *method = recipes[is].methods;
    while (*method && i > 0) {
        method++;
        i--;
    }
    return *method;
}
