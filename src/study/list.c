/* SPDX-License-Identifier: Apache-2.0 */
/* The table of studies and their implementations. The implementations never call the list. */
#include "study/list.h"

#include "base/str.h"

/* What an answer counts as is used wherever chains are told right or wrong. */
#define USES_ANSWERS (RDV_USES_READ_STEPS | RDV_USES_SOURCE_FIRST)
#define USES_VIEWS (USES_ANSWERS | RDV_USES_WEIGHT | RDV_USES_INTEGRATION | RDV_USES_GROUP)
#define USES_STEPS                                                                                 \
    (RDV_USES_GROUP | RDV_USES_VERIFIERS | RDV_USES_WEIGHTS | RDV_USES_POWER | RDV_USES_UNKNOWN)
#define USES_CHAINS (USES_ANSWERS | USES_STEPS | RDV_USES_AGGREGATE)
#define USES_TRACES (RDV_USES_SEED | RDV_USES_SOURCE_FIRST | RDV_USES_GROUP)
#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define COLUMNS(columns_) .columns = (columns_), .n_columns = LENGTH(columns_)

/* The check that others are compared with, and a difference to it. */
#define BASELINE COLUMN_OPTIONAL("baseline", "baseline", TEXT)
#define DELTA(of_) COLUMN_OPTIONAL("delta." of_, "delta." of_, GAIN)

/* ---- SelfCheck ------------------------------------------------------------------------------- */

static const char *const selfcheck[] = {"selfcheck", NULL};
/* SelfCheck, section 5.2, in the order of Table 2. */
static const char *const variants[] = {"selfcheck",         "global", "single-stage", "error-check",
                                       "error-check-1shot", NULL};

static const size_t two[] = {2};
static const size_t to_10[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static const size_t to_50[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 40, 50};

/* For programs, the rows follow the members that the series has in common. */
#define SERIES(last_, ...)                                                                         \
    COLUMN_PEOPLE("check", TEXT), COLUMN_PEOPLE("group", TEXT), COLUMN_PEOPLE("generator", TEXT),  \
        COLUMN_PEOPLE("checker", TEXT), COLUMN_PEOPLE("profile", TEXT), __VA_ARGS__,               \
        COLUMN_PEOPLE(last_, COUNT)

static const rdv_column of_two[] = {
    SERIES("questions", COLUMN("n_chains", COUNT), COLUMN("correct.none", SHARE),
           COLUMN("correct.some", SHARE), COLUMN("correct.all", SHARE),
           COLUMN("accuracy.majority", SHARE), COLUMN("accuracy.weighted", SHARE),
           COLUMN("gain.weighted", GAIN)),
    BASELINE, DELTA("accuracy.weighted")};
static const rdv_column accuracies[] = {
    SERIES("questions", COLUMN("n_chains", COUNT), COLUMN("accuracy.majority", SHARE),
           COLUMN("accuracy.weighted", SHARE), COLUMN("gain.weighted", GAIN)),
    BASELINE, DELTA("accuracy.weighted")};
static const rdv_column verification[] = {
    SERIES("n", COLUMN("tpr", SHARE), COLUMN("tnr", SHARE), COLUMN("balanced_accuracy", SHARE)),
    BASELINE, DELTA("tpr"), DELTA("tnr"),
    COLUMN_OPTIONAL("delta.balanced_accuracy", "delta.balanced", GAIN)};
static const rdv_column accepted[] = {
    SERIES("n", COLUMN("threshold", NUMBER), COLUMN("precision_accepted", SHARE))};
static const rdv_column roc[] = {
    SERIES("n", COLUMN("threshold", NUMBER), COLUMN("fpr", SHARE), COLUMN("tpr", SHARE))};
static const rdv_column rates[] = {SERIES("n", COLUMN("threshold", NUMBER), COLUMN("tpr", SHARE),
                                          COLUMN("tnr", SHARE),
                                          COLUMN("balanced_accuracy", SHARE))};
static const rdv_column failures[] = {
    COLUMN("group", TEXT),
    COLUMN("generator", TEXT),
    COLUMN("n_chains", COUNT),
    COLUMN("p", SHARE),
    COLUMN("q", SHARE),
    COLUMN("failure", SHARE),
    COLUMN("stated_bound", SHARE),
    COLUMN("bound", SHARE),
    COLUMN_AS("stated_holds", "stated holds", SHARE),
};
static const rdv_column precisions[] = {SERIES("n", COLUMN("threshold", NUMBER),
                                               COLUMN("precision_accepted", SHARE),
                                               COLUMN("precision_rejected", SHARE))};

#define SELFCHECK(name_, uses_, section_, summary_, columns_, ...)                                 \
    {                                                                                              \
        .info = {"selfcheck:" name_, section_,       summary_,                                     \
                 .fits = true,       .splits = true, .uses = USES_VIEWS | (uses_)},                \
        .family = &study_selfcheck, COLUMNS(columns_), .selfcheck = {                              \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define VOTES(methods_, counts_)                                                                   \
    .methods = (methods_), .votes = true, .counts = (counts_), .n_counts = LENGTH(counts_)

/* ---- general-purpose verification ------------------------------------------------------------ */

#define OF_ONE_CHAIN(what_, kind_)                                                                 \
    COLUMN("group", TEXT), SOURCE_COLUMNS, COLUMN(what_, kind_), COLUMN("accuracy", SHARE),        \
        COLUMN("std", PERCENT), COLUMN("gain", GAIN)

static const rdv_column of_choices[] = {OF_ONE_CHAIN("selection", TEXT), BASELINE,
                                        DELTA("accuracy")};
static const rdv_column of_subsets[] = {OF_ONE_CHAIN("verifiers", TEXT), BASELINE,
                                        DELTA("accuracy")};
static const rdv_column of_steps[] = {OF_ONE_CHAIN("first_steps", TEXT)};
static const rdv_column of_shares[] = {OF_ONE_CHAIN("first_share", PERCENT)};
static const rdv_column of_chosen[] = {
    COLUMN("group", TEXT),
    SOURCE_COLUMNS,
    COLUMN("n_chains", COUNT),
    COLUMN("accuracy.random", SHARE),
    COLUMN("std.random", PERCENT),
    COLUMN("accuracy.perplexity", SHARE),
    COLUMN("std.perplexity", PERCENT),
    COLUMN("accuracy.best", SHARE),
    COLUMN("std.best", PERCENT),
    COLUMN("gain.best", GAIN),
};
static const rdv_column of_weights[] = {
    COLUMN("group", TEXT),           SOURCE_COLUMNS,
    COLUMN("n_chains", COUNT),       COLUMN("accuracy.majority", SHARE),
    COLUMN("std.majority", PERCENT), COLUMN("accuracy.weighted", SHARE),
    COLUMN("std.weighted", PERCENT), COLUMN("gain.weighted", GAIN),
};
static const rdv_column of_people[] = {
    COLUMN("group", TEXT),      SOURCE_COLUMNS,
    COLUMN("score", TEXT),      COLUMN("criterion", TEXT),
    COLUMN("annotator", TEXT),  COLUMN("pearson_r", VALUE),
    COLUMN("p_value", P_VALUE), COLUMN("p_value.questions", P_VALUE),
    COLUMN("n_steps", COUNT),   COLUMN("n_questions", COUNT),
};
static const rdv_column of_errors[] = {
    COLUMN("group", TEXT),     SOURCE_COLUMNS, COLUMN("detector", TEXT), COLUMN("miss_rate", SHARE),
    COLUMN("n_errors", COUNT),
};
static const rdv_column of_simulation[] = {
    COLUMN("correlation", NUMBER),
    COLUMN("score", VALUE),
    COLUMN("paper", NUMBER),
    COLUMN("difference", NUMBER),
    COLUMN("pearson_r", NUMBER),
    COLUMN("score.pearson", VALUE),
    COLUMN("difference.pearson", NUMBER),
};
static const rdv_column of_agreement[] = {
    COLUMN("group", TEXT),          COLUMN("criterion", TEXT),  COLUMN("unit", TEXT),
    COLUMN("n_annotators", COUNT),  COLUMN("agreement", SHARE), COLUMN("alpha.nominal", VALUE),
    COLUMN("alpha.ordinal", VALUE), COLUMN("kappa", VALUE),     COLUMN("n_units", COUNT),
};

#define GENERAL(name_, uses_, section_, summary_, columns_, ...)                                   \
    {                                                                                              \
        .info = {"general:" name_, section_, summary_, .fits = true, .uses = (uses_)},             \
        .family = &study_general, COLUMNS(columns_), .general = {                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

#define AGREEMENT(name_, section_, what_, criterion_)                                              \
    {                                                                                              \
        .info = {"general:" name_, section_, "agreement between annotators, two by two, " what_,   \
                 .uses = RDV_USES_GROUP},                                                          \
        .family = &study_agreement, .agreement = {                                                 \
            .criterion = (criterion_),                                                             \
            .by_member = true                                                                      \
        }                                                                                          \
    }

/* ---- BIG-Bench Mistake ----------------------------------------------------------------------- */

#define TRACES(...)                                                                                \
    COLUMN("group", TEXT), SOURCE_COLUMNS, COLUMN_PROGRAM("task", TEXT),                           \
        COLUMN_PEOPLE("task", TEXT), COLUMN_PROGRAM("subsampled", FLAG),                           \
        COLUMN_PROGRAM("n", COUNT), COLUMN_PROGRAM("n_excluded", COUNT), __VA_ARGS__,              \
        COLUMN_PEOPLE("n", COUNT)
#define REPAIRS                                                                                    \
    COLUMN("delta.correct", GAIN), COLUMN("delta.incorrect", GAIN), COLUMN("n_correct", NUMBER),   \
        COLUMN("n_incorrect", NUMBER), COLUMN("mean_steps", NUMBER), COLUMN("mean_calls", NUMBER), \
        BASELINE, DELTA("accuracy")

static const rdv_column traces_counted[] = {TRACES(
    COLUMN("n_correct", COUNT), COLUMN("n_incorrect", COUNT), COLUMN("n_with_mistake", COUNT),
    COLUMN("n_traces", COUNT), COLUMN("mean_steps", NUMBER))};
static const rdv_column traces_agreed[] = {TRACES(
    COLUMN("alpha.location", SHARE), COLUMN("alpha.steps", SHARE), COLUMN("n_annotators", COUNT))};
static const rdv_column traces_located[] = {
    COLUMN("check", TEXT), TRACES(COLUMN("location", SHARE), COLUMN("n_no_prediction", NUMBER),
                                  BASELINE, DELTA("location"))};
static const rdv_column traces_answered[] = {
    COLUMN("check", TEXT), TRACES(COLUMN("weighted_f1", SHARE), COLUMN("always_wrong", SHARE),
                                  BASELINE, DELTA("weighted_f1"))};
static const rdv_column traces_repaired[] = {COLUMN("locator", TEXT), TRACES(REPAIRS)};
static const rdv_column traces_simulated[] = {COLUMN("locator", TEXT),
                                              TRACES(COLUMN("accuracy", NUMBER), REPAIRS)};
static const rdv_column traces_rewarded[] = {
    COLUMN("check", TEXT),
    TRACES(COLUMN("location", SHARE), COLUMN("best_constant", SHARE), COLUMN("weighted_f1", SHARE),
           COLUMN("step_auc", SHARE), BASELINE, DELTA("location"))};
static const rdv_column traces_split[] = {
    COLUMN("check", TEXT), TRACES(COLUMN("without_mistake", SHARE), COLUMN("with_mistake", SHARE),
                                  BASELINE, DELTA("without_mistake"), DELTA("with_mistake"))};

static const rdv_column of_training[] = {
    COLUMN_AS("task", "held-out task", TEXT),
    COLUMN("training_steps", COUNT),
    COLUMN("n", COUNT),
};

static const rdv_column of_prmbench[] = {
    COLUMN("check", TEXT),      COLUMN("group", TEXT),      SOURCE_COLUMNS,
    COLUMN("error_type", TEXT), COLUMN("prm_score", SHARE), COLUMN("f1.right", SHARE),
    COLUMN("f1.wrong", SHARE),  COLUMN("n_steps", COUNT),   COLUMN("n_unread", COUNT),
};

#define CHECKS "a check of traces whose first mistake is labelled"
#define MISTAKES(name_, uses_, section_, summary_, columns_, ...)                                  \
    {                                                                                              \
        .info = {"mistakes:" name_, section_, summary_, .uses = USES_TRACES | (uses_)},            \
        .family = &study_mistakes, COLUMNS(columns_), .mistakes = {                                \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* ---- the list -------------------------------------------------------------------------------- */

static const study_entry entries[] = {
    SELFCHECK("table1", RDV_USES_BASELINE, "Table 1",
              "2 chains a question: how many are right, accuracies, gain", of_two,
              VOTES(selfcheck, two)),
    SELFCHECK("table2", RDV_USES_THRESHOLD | RDV_USES_BASELINE, "Table 2",
              "verification accuracy of SelfCheck and its variants", verification,
              .methods = variants, .shape = SELFCHECK_FIGURES),
    SELFCHECK("fig2", RDV_USES_SEED | RDV_USES_BASELINE, "Fig. 2",
              "accuracies and gain against the number of chains, 1 to 10", accuracies,
              VOTES(selfcheck, to_10)),
    SELFCHECK("fig3", RDV_USES_THRESHOLD, "Fig. 3", "real + in pred + against the threshold",
              accepted, .methods = selfcheck, .quotes = true),
    SELFCHECK("fig4", RDV_USES_THRESHOLD, "Fig. 4", "ROC and the area under it", roc,
              .methods = variants, .shape = SELFCHECK_ROC, .quotes = true, .positions = true,
              .beside = true),
    SELFCHECK("fig5", RDV_USES_SEED | RDV_USES_BASELINE, "Fig. 5",
              "accuracies and gain against the number of chains, 1 to 50", accuracies,
              VOTES(selfcheck, to_50)),
    SELFCHECK("fig6", RDV_USES_SEED | RDV_USES_BASELINE, "Fig. 6",
              "accuracies and gain of SelfCheck and its variants", accuracies,
              VOTES(variants, to_10)),
    SELFCHECK("v2fig3", RDV_USES_THRESHOLD, "v2 Fig. 3",
              "pred + in real +, pred - in real -, their mean, against the threshold", rates,
              .methods = selfcheck, .quotes = true),
    SELFCHECK("v2fig4", RDV_USES_THRESHOLD, "v2 Fig. 4",
              "real + in pred +, real - in pred -, against the threshold", precisions,
              .methods = selfcheck, .quotes = true),

    {.info = {"selfcheck:v2bound", "v2 section 5.1",
              "how often majority voting fails, exactly and by the stated bound",
              .uses = USES_ANSWERS},
     .family = &study_majority,
     COLUMNS(failures)},

    GENERAL("table1", USES_CHAINS | RDV_USES_BASELINE, "Table 1",
            "one chain: random, of lowest perplexity, of best score", of_choices,
            .pool = general_choices, .data_sets = true),
    GENERAL("table2", USES_CHAINS | RDV_USES_BASELINE, "Table 2",
            "one chain by each verifier and by all", of_subsets, .pool = general_subsets, .most = 1,
            .data_sets = true),
    GENERAL("table4", USES_CHAINS | RDV_USES_BASELINE, "Table 4",
            "one chain by every subset of the verifiers", of_subsets, .pool = general_subsets,
            .most = RDV_MOST_VERIFIERS),
    GENERAL("table5", USES_CHAINS, "Table 5", "one chain by its first 0 to 5 steps, and by all",
            of_steps, .pool = general_first_steps, .most = 5, .data_sets = true),
    {.info = {"general:table6", "Table 6", "simulated scores that correlate with the truth",
              .no_chains = true, .uses = RDV_USES_SEED},
     .family = &study_simulation,
     COLUMNS(of_simulation)},
    GENERAL("fig3", USES_CHAINS | RDV_USES_SEED, "Fig. 3",
            "votes of 1 to 10 chains: random, of lowest perplexity, of best score", of_chosen,
            .pool = general_votes_chosen),
    GENERAL("fig4", USES_CHAINS, "Fig. 4", "one chain by the first X % of its steps", of_shares,
            .pool = general_first_share),
    GENERAL("fig5", USES_STEPS, "Fig. 5",
            "scores of steps against people, by verifier and over all", of_people,
            .group = general_fig5),
    GENERAL("fig6", USES_CHAINS | RDV_USES_SEED, "Fig. 6", "as fig3, for every data set", of_chosen,
            .pool = general_votes_chosen),
    GENERAL("fig7", USES_CHAINS | RDV_USES_SEED, "Fig. 7",
            "the same random chains: majority and weighted votes", of_weights,
            .pool = general_votes_weighted, .data_sets = true),
    GENERAL("fig8", USES_CHAINS, "Fig. 8", "one chain by its first 0 to 10 steps, and by all",
            of_steps, .pool = general_first_steps, .most = 10),
    AGREEMENT("fig9", "Fig. 9", "of relevance", "relevance"),
    AGREEMENT("fig10", "Fig. 10", "of mathematical accuracy", "math"),
    AGREEMENT("fig11", "Fig. 11", "of logical consistency", "consistency"),
    AGREEMENT("fig12", "Fig. 12", "of overall correctness", "correct"),
    GENERAL("fig13", USES_STEPS, "Fig. 13", "scores of steps against each annotator", of_people,
            .group = general_fig13),
    GENERAL("fig14", USES_STEPS, "Fig. 14",
            "scores of steps against people, over all with and without perplexity", of_people,
            .group = general_fig14),
    {.info = {"general:errors", "section 4.6", "errors that no principle, and no verifier, covers",
              .uses = RDV_USES_GROUP | RDV_USES_VERIFIERS | RDV_USES_THRESHOLD},
     .family = &study_general,
     COLUMNS(of_errors),
     .general = {.group = general_errors}},

    MISTAKES("table2", 0, "Table 2", "traces by answer and by mistake, and their steps on average",
             traces_counted, .needs = "labelled traces", .fill = trace_row_counts),
    MISTAKES("table3", 0, "Table 3", "agreement between annotators", traces_agreed,
             .needs = "\"step_labels\" of two annotators", .fill = trace_row_agreement),
    MISTAKES("table4", RDV_USES_BASELINE, "Table 4",
             "how often the first mistake is located exactly", traces_located, MISTAKES_BY_CHECK,
             .means = true, .needs = CHECKS, .fill = trace_row_location),
    MISTAKES("table5", RDV_USES_BASELINE, "Table 5",
             "weighted F1 of a mistake as the sign of a wrong answer", traces_answered,
             MISTAKES_BY_CHECK,
             .needs = "a check of traces whose answer is known to be right or wrong",
             .fill = trace_row_answers),
    MISTAKES("table6", RDV_USES_BASELINE, "Table 6",
             "change in accuracy by backtracking, of traces that were right and that were wrong",
             traces_repaired, MISTAKES_BY_LOCATOR, .means = true, .projects = true,
             .needs = "traces that 'rederive repair' wrote", .fill = trace_row_repairs),
    MISTAKES("table7", RDV_USES_BASELINE, "Table 7",
             "checks beside the best constant location, and how well they tell steps apart",
             traces_rewarded, MISTAKES_BY_CHECK, .means = true, .to_zero_shot = true,
             .needs = CHECKS, .fill = trace_row_rewards),
    {.info = {"mistakes:table8", "Table 8",
              "how long the classifiers of table 7 were trained, by their reports",
              .reports = true},
     .family = &study_training,
     COLUMNS(of_training)},
    MISTAKES("table9", RDV_USES_BASELINE, "Table 9",
             "location accuracy of traces without and with a mistake", traces_split,
             MISTAKES_BY_CHECK, .needs = CHECKS, .fill = trace_row_split),
    MISTAKES("fig1", RDV_USES_BASELINE, "Fig. 1",
             "location accuracy of traces without and with a mistake, over tasks", traces_split,
             MISTAKES_BY_CHECK, .means = true, .only_means = true, .needs = CHECKS,
             .fill = trace_row_split),
    MISTAKES("fig2", RDV_USES_BASELINE, "Fig. 2",
             "change in accuracy against the accuracy of simulated locators", traces_simulated,
             MISTAKES_BY_SIMULATED, .needs = "traces repaired with --locator simulated:X",
             .fill = trace_row_simulated),

    {.info = {"prmbench:table3", "Table 3",
              "PRMScore of checks of steps, by the type of the error (Song and others 2025)",
              .uses = RDV_USES_GROUP | RDV_USES_THRESHOLD},
     .family = &study_prmbench,
     COLUMNS(of_prmbench)},

    {.info = {"evaluation", "", "every figure that the chains allow", .fits = true, .splits = true,
              .uses = (USES_VIEWS & ~RDV_USES_GROUP) | RDV_USES_SEED | RDV_USES_THRESHOLD |
                      RDV_USES_CURVES},
     .family = &study_evaluation},
    {.info = {"comparison", "", "two runs over the same questions, side by side",
              .uses = USES_ANSWERS | RDV_USES_WEIGHT | RDV_USES_CURVES},
     .family = &study_comparison},
    {.info = {"combined", "", "votes by several scorers fitted together", .fits = true,
              .splits = true, .uses = USES_ANSWERS | RDV_USES_SEED | RDV_USES_CURVES},
     .family = &study_combined},
    {.info = {"agreement", "", "between annotators, of steps and of first wrong steps",
              .uses = RDV_USES_SEED},
     .family = &study_agreement,
     COLUMNS(of_agreement)},
};

const study_entry *list_entry(rdv_str name)
{
    for (size_t i = 0; i < LENGTH(entries); i++)
        if (rdv_str_eq(name, rdv_str_of(entries[i].info.name)))
            return &entries[i];
    return NULL;
}

const rdv_study_info *rdv_study_at(size_t i)
{
    return i < LENGTH(entries) ? &entries[i].info : NULL;
}

const rdv_study_info *rdv_study_named(rdv_str name)
{
    const study_entry *entry = list_entry(name);
    return entry ? &entry->info : NULL;
}
