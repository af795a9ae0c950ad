/* SPDX-License-Identifier: Apache-2.0 */
/* The options of train. */
#include "options.h"
#include "settings.h"

#define AT(member) .offset = offsetof(struct settings, train.member)

static const struct opt train_options[] = {
    {.name = "out",
     .letter = 'o',
     .type = OPT_FILE,
     .offset = offsetof(struct settings, out),
     .argument = "FILE",
     .help = "Write the model to FILE. Default: only compute the figures"},
    {.name = "hold-out",
     .type = OPT_FILES,
     AT(hold_out),
     .argument = "NAME",
     .help = "Exclude the chains of the task or file NAME from training, and report on them. May "
             "be given several times. A chain's task is its \"task\"; without one it is derived "
             "from the form of its question, else it is the file name without path and ending"},
    {.name = "folds",
     .type = OPT_TEXT,
     AT(folds),
     .argument = "N|tasks",
     .initial = "5",
     .help = "The folds for measuring and for fitting the rule. N: N folds of questions; tasks: "
             "one fold per task"},
    {.name = "post-error-labels",
     .type = OPT_CHOICE,
     AT(post_error_labels),
     .argument = "HOW",
     .choices = "wrong|left-out|fitted",
     .initial = "wrong",
     .help = "The labels of steps after the first error in training. wrong: they are wrong too; "
             "left-out: they are not used; fitted: the better of the two on the training folds"},
    {.name = "rule",
     .type = OPT_CHOICE,
     AT(rule),
     .argument = "RULE",
     .choices = "threshold|hazard|fitted",
     .initial = "threshold",
     .help = "How probabilities become a location. threshold: the first step with P(wrong) >= t; "
             "hazard: the step most likely to be the first wrong one, unless the probability of no "
             "error exceeds t; fitted: the better of the two on the training folds"},
    {.name = "objective",
     .type = OPT_CHOICE,
     AT(objective),
     .argument = "FIGURE",
     .choices = "location|f1",
     .initial = "location",
     .help = "The objective of fitting the rule, as a mean over tasks. location: the share of "
             "chains whose first error is located exactly; f1: ProcessBench's F1, for tasks with "
             "20 chains of each kind"},
    {.name = "no-position",
     AT(no_position),
     .help = "Leave out the features of a step's position: the same as --without position"},
    {.name = "without",
     .type = OPT_TEXT,
     AT(without),
     .argument = "FAMILY[,FAMILY]",
     .help = "Leave out families of features: calculation, agreement, consistency, form, position, "
             "probability (docs/reward.md)"},
    {.name = "no-cross-validation",
     AT(no_cross_validation),
     .help = "Only train the model, without figures; this is much faster"},
    {.name = "trees",
     .type = OPT_NATURAL,
     AT(trees),
     .argument = "N",
     .initial = "200",
     .least = 1,
     .most = 10000,
     .help = "The number of trees"},
    {.name = "depth",
     .type = OPT_NATURAL,
     AT(depth),
     .argument = "N",
     .initial = "3",
     .least = 1,
     .most = 12,
     .help = "The maximum number of splits from the root of a tree to a leaf"},
    {.name = "seed",
     .type = OPT_NATURAL,
     .offset = offsetof(struct settings, seed),
     .argument = "N",
     .initial = "0",
     .help = "The seed of folds and trees; the same seed gives the same model"},
    {.name = "name",
     .type = OPT_TEXT,
     AT(name),
     .argument = "TEXT",
     .help = "The name of the model in its file. Default: the name of --out"},
    {.name = "sources",
     .type = OPT_TEXT,
     AT(sources),
     .argument = "TEXT",
     .help = "The training data and their licences, as stated in the model file"},
    {0},
};

static const struct opt train_reading[] = {
    {.name = "in",
     .letter = 'i',
     .type = OPT_FILES,
     .offset = offsetof(struct settings, in),
     .argument = "FILE",
     .help = "Read labelled chains from FILE, as check does. May be given several times; arguments "
             "that are not options are input files too"},
    {.name = "format",
     .type = OPT_TEXT,
     .offset = offsetof(struct settings, format),
     .argument = "NAME",
     .help = "Read every record in this format. Default: the format is recognised by the record's "
             "members. 'rederive formats' lists the names"},
    {.name = "features-out",
     .type = OPT_FILE,
     AT(features_out),
     .argument = "FILE",
     .help = "Write the features of every labelled step to FILE, as CSV"},
    {.name = "strict",
     .offset = offsetof(struct settings, strict),
     .help = "Stop at the first record that fails"},
    {.name = "json",
     .offset = offsetof(struct settings, json),
     .help = "Write the figures as one JSON object"},
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
    {"Check chains with a trained model",
     "rederive check --method reward:classifier.rdvm chains.jsonl"},
    {0},
};
