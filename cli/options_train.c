/* SPDX-License-Identifier: Apache-2.0 */
/* The options of train. */
#include "options.h"
#include "settings.h"

static const struct opt train_options[] = {
    OPTION_OUT("out", 'o', out, "FILE",
               "Write the model to FILE. Default: only compute the figures"),
    OPTION_FILES(
        "hold-out", 0, train.hold_out, "NAME",
        "Exclude the chains of the task or file NAME from training, and report on them. May be "
        "given several times. A chain's task is its \"task\"; without one it is derived from the "
        "form of its question, else it is the file name without path and ending"),
    OPTION_TEXT("folds", 0, train.folds, "N|tasks", "5",
                "The folds for measuring and for fitting the rule. N: N folds of questions; tasks: "
                "one fold per task",
                .words = "tasks"),
    OPTION_CHOICE(
        "post-error-labels", 0, train.post_error_labels, "HOW", "wrong|left-out|fitted", "wrong",
        "The labels of steps after the first error in training. wrong: they are wrong too; "
        "left-out: they are not used; fitted: the better of the two on the training folds"),
    OPTION_CHOICE(
        "rule", 0, train.rule, "RULE", "threshold|hazard|fitted", "threshold",
        "How probabilities become a location. threshold: the first step with P(wrong) >= t; "
        "hazard: the step most likely to be the first wrong one, unless the probability of no "
        "error exceeds t; fitted: the better of the two on the training folds"),
    OPTION_CHOICE("objective", 0, train.objective, "FIGURE", "location|f1", "location",
                  "The objective of fitting the rule, as a mean over tasks. location: the share of "
                  "chains whose first error is located exactly; f1: ProcessBench's F1, for tasks "
                  "with 20 chains of each kind"),
    OPTION_FLAG("no-position", 0, train.no_position,
                "Leave out the features of a step's position: the same as --without position"),
    OPTION_TEXT("without", 0, train.without, "FAMILY[,FAMILY]", NULL,
                "Leave out families of features: calculation, agreement, consistency, form, "
                "position, probability (docs/reward.md)"),
    OPTION_FLAG("no-cross-validation", 0, train.no_cross_validation,
                "Only train the model, without figures; this is much faster"),
    OPTION_NATURAL("trees", 0, train.trees, "N", "200", 1, 10000, "The number of trees"),
    OPTION_FLAG(
        "early-stopping", 0, train.early_stopping,
        "Choose the number of trees, up to --trees, by a fifth of the training questions: the "
        "number with the least log loss on them. The trees of that number are then grown from "
        "all training questions. With --folds tasks each task has its own number, as in Table 8 "
        "of BIG-Bench Mistake"),
    OPTION_NATURAL("depth", 0, train.depth, "N", "3", 1, 12,
                   "The maximum number of splits from the root of a tree to a leaf"),
    OPTION_NATURAL("seed", 0, seed, "N", "0", 0, 0,
                   "The seed of folds and trees; the same seed gives the same model"),
    OPTION_TEXT("name", 0, train.name, "TEXT", NULL,
                "The name of the model in its file. Default: the name of --out"),
    OPTION_TEXT("sources", 0, train.sources, "TEXT", NULL,
                "The training data and their licences, as stated in the model file"),
    {0},
};

static const struct opt train_reading[] = {
    OPTION_FILES("in", 'i', in, "FILE",
                 "Read labelled chains from FILE, as check does. May be given several times; "
                 "arguments that are not options are input files too"),
    OPTION_TEXT("format", 0, format, "NAME", NULL,
                "Read every record in this format. Default: the format is recognised by the "
                "record's members. 'rederive formats' lists the names",
                .names = OPT_FORMATS),
    OPTION_OUT("features-out", 0, train.features_out, "FILE",
               "Write the features of every labelled step to FILE, as CSV"),
    OPTION_FLAG("strict", 0, strict, "Stop at the first record that fails"),
    OPTION_FLAG("json", 0, json, "Write the figures as one JSON object"),
    {0},
};

const struct opt_group train_groups[] = {
    {"Training", train_options},
    {"Reading and writing", train_reading},
    {"Output", options_telling},
    {0},
};

const struct example train_examples[] = {
    {"Train on generated solutions, half of them with an error",
     "rederive tasks -n 60 --mistakes 0.5 | rederive train --no-cross-validation --out "
     "classifier.rdvm"},
    {"Folds of tasks, and one task held out, as in Table 7 of the paper",
     "rederive tasks -n 40 --mistakes 0.5 | rederive train --folds tasks --hold-out word_sorting "
     "--no-cross-validation --trees 40"},
    {"The number of trees that validation questions choose without each task (Table 8)",
     "rederive tasks -n 40 --mistakes 0.5 | rederive train --folds tasks --early-stopping"},
    {"Check chains with a trained model",
     "rederive check --method reward:classifier.rdvm chains.jsonl"},
    {0},
};
