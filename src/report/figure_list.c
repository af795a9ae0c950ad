/* SPDX-License-Identifier: Apache-2.0 */
#include "report/figure_list.h"

#include <string.h>

#define BARS "Bars are 95 % intervals."
#define SHARE(label_)                                                                              \
    {                                                                                              \
        .label = (label_), .percent = true                                                         \
    }
#define FROM_ZERO(label_)                                                                          \
    {                                                                                              \
        .label = (label_), .percent = true, .from_zero = true                                      \
    }
#define UNIT(label_)                                                                               \
    {                                                                                              \
        .label = (label_), .percent = true, .high = 1                                              \
    }
#define POINTS(label_)                                                                             \
    {                                                                                              \
        .label = (label_), .points = true, .from_zero = true                                       \
    }
#define COUNTED(label_)                                                                            \
    {                                                                                              \
        .label = (label_), .whole = true                                                           \
    }
#define LABEL(label_)                                                                              \
    {                                                                                              \
        .label = (label_)                                                                          \
    }
#define GAIN_ROW(column_, name_)                                                                   \
    {                                                                                              \
        POINTS("gain (points)"),                                                                   \
        {                                                                                          \
            {                                                                                      \
                (column_), (name_)                                                                 \
            }                                                                                      \
        }                                                                                          \
    }

static const figure_entry entries[] = {
    /* ---- SelfCheck ---- */
    {.tables = {"selfcheck:table1"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "generator",
     .second_x = "checker",
     .x_axis = LABEL("generator, checker"),
     .rows = {{FROM_ZERO("accuracy"),
               {{"accuracy.majority", "majority"}, {"accuracy.weighted", "weighted"}}}},
     .reading = "Two chains a question. " BARS},
    {.tables = {"selfcheck:table2"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "check",
     .x_axis = LABEL("check"),
     .rows = {{UNIT("rate"),
               {{"tpr", "true positive rate"},
                {"tnr", "true negative rate"},
                {"balanced_accuracy", "verification accuracy"}}}},
     .reading = BARS},
    {.tables = {"selfcheck:fig2", "selfcheck:fig5"},
     .x = "n_chains",
     .x_axis = COUNTED("chains per question"),
     .rows = {{SHARE("accuracy"),
               {{"accuracy.majority", "majority"}, {"accuracy.weighted", "weighted"}}},
              GAIN_ROW("gain.weighted", "weighted")},
     .reading = "Above: the accuracy of the majority vote and of the vote weighted by the "
                "confidence. Below: the difference of the two, question by question. " BARS},
    {.tables = {"selfcheck:fig6"},
     .x = "n_chains",
     .x_axis = COUNTED("chains per question"),
     .together = "check",
     .rows = {{SHARE("accuracy"),
               {{"accuracy.majority", "majority", .shared = true},
                {"accuracy.weighted", "weighted"}}},
              GAIN_ROW("gain.weighted", "weighted")},
     .reading = "Votes weighted by the confidence of each check. Below: the gain over the "
                "majority vote. " BARS},
    {.tables = {"selfcheck:fig3"},
     .x = "threshold",
     .x_axis = LABEL("threshold"),
     .rows = {{SHARE("right among accepted"), {{"precision_accepted", "accepted"}}}},
     .reading = "Of the chains whose confidence reaches the threshold, the share with the right "
                "answer (real + in pred +). The band is the 95 % interval."},
    {.tables = {"selfcheck:fig4"},
     .x = "fpr",
     .x_axis = UNIT("wrong chains accepted"),
     .value = "auc",
     .rows = {{UNIT("right chains accepted"), {{"tpr", "confidence"}}}},
     .diagonal = true,
     .reading = "For every threshold of the confidence: how many right chains are accepted, "
                "against how many wrong ones. The diagonal is chance."},
    {.tables = {"selfcheck:v2fig3"},
     .x = "threshold",
     .x_axis = LABEL("threshold"),
     .rows = {{UNIT("share of chains"), {{"tpr", "pred + in real +"}, {"tnr", "pred − in real −"}}},
              {SHARE("mean of both"), {{"balanced_accuracy", "mean of both"}}}},
     .reading = "The share of right chains that are accepted, and of wrong ones that are "
                "rejected. The band is the 95 % interval."},
    {.tables = {"selfcheck:v2fig4"},
     .x = "threshold",
     .x_axis = LABEL("threshold"),
     .rows = {{UNIT("share of chains"),
               {{"precision_accepted", "real + in pred +"},
                {"precision_rejected", "real − in pred −"}}}},
     .reading = "The share of right chains among those accepted, and of wrong ones among those "
                "rejected. The band is the 95 % interval."},
    {.tables = {"selfcheck:v2bound"},
     .x = "n_chains",
     .x_axis = COUNTED("chains that vote"),
     .rows = {{UNIT("failure"),
               {{"failure", "exact"}, {"stated_bound", "stated bound"}, {"bound", "bound"}}}},
     .reading = "How often majority voting fails, exactly and by the bounds. The band is the 95 % "
                "interval."},
    {.tables = {"verdict_positions"},
     .kind = RDV_FIGURE_BARS,
     .x = "position",
     .x_axis = LABEL("position of the step"),
     .own_categories = true,
     .rows = {{COUNTED("verdicts"),
               {{"n_distinguishing", "contradicted, in a wrong chain"},
                {"n_misleading.contradict", "contradicted, in a right chain"},
                {"n_misleading.support", "supported, in a wrong chain without contradiction"}}}},
     .reading = "Where the verdicts stand that tell wrong chains from right ones, and, above them, "
                "those that mislead."},
    /* ---- general-purpose verification ---- */
    {.tables = {"general:table1"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "selection",
     .x_axis = LABEL("choice of the chain"),
     .rows = {{FROM_ZERO("accuracy"), {{"accuracy", "accuracy"}}}},
     .reading = BARS},
    {.tables = {"general:table2", "general:table4"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "verifiers",
     .x_axis = LABEL("verifiers"),
     .rows = {{FROM_ZERO("accuracy"), {{"accuracy", "accuracy"}}}},
     .reading = BARS},
    {.tables = {"general:fig8", "general:table5"},
     .x = "first_steps",
     .x_axis = LABEL("first steps that are scored"),
     .rows = {{SHARE("accuracy"), {{"accuracy", "accuracy"}}}},
     .reading = BARS},
    {.tables = {"general:fig4"},
     .x = "first_share",
     .x_axis = UNIT("first steps that are scored"),
     .rows = {{SHARE("accuracy"), {{"accuracy", "accuracy"}}}},
     .reading = BARS},
    {.tables = {"general:fig3", "general:fig6"},
     .x = "n_chains",
     .x_axis = COUNTED("chains that vote"),
     .rows = {{SHARE("accuracy"),
               {{"accuracy.random", "random"},
                {"accuracy.perplexity", "lowest perplexity"},
                {"accuracy.best", "best score"}}}},
     .reading = "The chains that vote are drawn at random, or are those of the lowest perplexity "
                "or of the best score, whose votes are weighted by it. " BARS},
    {.tables = {"general:fig7"},
     .x = "n_chains",
     .x_axis = COUNTED("chains that vote"),
     .rows = {{SHARE("accuracy"),
               {{"accuracy.majority", "majority"}, {"accuracy.weighted", "weighted by score"}}}},
     .reading = "The same random chains. " BARS},
    {.tables = {"general:fig5", "general:fig14"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "score",
     .x_axis = LABEL("score"),
     .without = "criterion",
     .rows = {{LABEL("correlation"), {{"pearson_r", "Pearson's r"}}}},
     .reading = "Pearson's r of the scores of steps and the annotators' mean judgement. " BARS},
    {.tables = {"general:fig13"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "score",
     .x_axis = LABEL("score"),
     .together = "annotator",
     .without = "criterion",
     .rows = {{LABEL("correlation"), {{"pearson_r", "Pearson's r"}}}},
     .reading = "Pearson's r of the scores of steps and each annotator's judgement. " BARS},
    {.tables = {"general:fig9", "general:fig10", "general:fig11", "general:fig12",
                "agreement.pairs"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "annotator",
     .second_x = "other_annotator",
     .x_axis = LABEL("annotators"),
     .rows = {{LABEL("agreement"), {{"agreement", "share of agreement"}, {"kappa", "kappa"}}}},
     .reading = "Agreement on the steps that both annotators judged. " BARS},
    {.tables = {"general:errors"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "detector",
     .x_axis = LABEL("detector"),
     .rows = {{FROM_ZERO("errors not explained"), {{"miss_rate", "miss rate"}}}},
     .reading = BARS},
    {.tables = {"general:table6"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "correlation",
     .x_axis = LABEL("correlation with the human score"),
     .rows = {{UNIT("score"), {{"score", "simulated"}, {"paper", "paper"}}}},
     .reading = "The share of right chains among those that the simulated verifier chooses, beside "
                "the paper's. " BARS},
    /* ---- BIG-Bench Mistake ---- */
    {.tables = {"mistakes:table3"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "task",
     .x_axis = LABEL("task"),
     .rows = {{LABEL("Krippendorff's alpha"),
               {{"alpha.location", "locations"}, {"alpha.steps", "steps"}}}},
     .reading = BARS},
    {.tables = {"mistakes:table4"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "task",
     .x_axis = LABEL("task"),
     .rows = {{FROM_ZERO("location accuracy"), {{"location", "location"}}}},
     .reading = "The share of traces whose first mistake is located exactly. " BARS},
    {.tables = {"mistakes:table5"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "task",
     .x_axis = LABEL("task"),
     .rows = {{FROM_ZERO("weighted F1"),
               {{"always_wrong", "always \"wrong\"", .shared = true},
                {"weighted_f1", "weighted F1"}}}},
     .together = "check",
     .reading = BARS},
    {.tables = {"mistakes:table7"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "task",
     .x_axis = LABEL("task"),
     .rows = {{UNIT("value"),
               {{"location", "location"},
                {"best_constant", "best constant"},
                {"weighted_f1", "weighted F1"},
                {"step_auc", "AUC of steps"}}}},
     .reading = BARS},
    {.tables = {"mistakes:table9"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "task",
     .x_axis = LABEL("task"),
     .rows = {{FROM_ZERO("location accuracy"),
               {{"without_mistake", "without a mistake"}, {"with_mistake", "with a mistake"}}}},
     .reading = BARS},
    {.tables = {"mistakes:fig1"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "check",
     .x_axis = LABEL("check"),
     .rows = {{FROM_ZERO("location accuracy"),
               {{"without_mistake", "without a mistake"}, {"with_mistake", "with a mistake"}}}},
     .reading = "The share of traces, without and with a mistake, that are located exactly: means "
                "over tasks. " BARS},
    {.tables = {"mistakes:table6"},
     .kind = RDV_FIGURE_GROUPS,
     .x = "task",
     .x_axis = LABEL("task"),
     .rows = {{POINTS("change (points)"),
               {{"delta.correct", "traces that were right"},
                {"delta.incorrect", "traces that were wrong"}}}},
     .reading = "The change in accuracy by backtracking. " BARS},
    {.tables = {"mistakes:fig2"},
     .x = "accuracy",
     .x_axis = SHARE("accuracy of the locator"),
     .without = "locator",
     .rows = {{POINTS("change (points)"),
               {{"delta.correct", "traces that were right"},
                {"delta.incorrect", "traces that were wrong"}}}},
     .reading = "The change in accuracy by backtracking, against the accuracy of a simulated "
                "locator. " BARS},
};

const figure_entry *figure_entry_of(const char *table)
{
    for (size_t i = 0; table && i < sizeof entries / sizeof *entries; i++)
        for (size_t k = 0; k < FIGURE_TABLES_MAX && entries[i].tables[k]; k++)
            if (strcmp(entries[i].tables[k], table) == 0)
                return &entries[i];
    return NULL;
}
