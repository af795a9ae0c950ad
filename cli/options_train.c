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
     .help = "Write the model to FILE; without it nothing but the figures is made"},
    {.name = "hold-out",
     .type = OPT_FILES,
     AT(hold_out),
     .argument = "NAME",
     .help =
         "Keep the chains of the task or file NAME from training, and measure on them. May be "
         "given several times. A chain's task is its \"task\", else that of its question's form, "
         "else its file, without path and ending"},
    {.name = "folds",
     .type = OPT_TEXT,
     AT(folds),
     .argument = "N|tasks",
     .initial = "5",
     .help = "How chains are set apart to measure and to fit the rule. N: by question, into N "
             "folds; tasks: a whole task at a time"},
    {.name = "post-error-labels",
     .type = OPT_CHOICE,
     AT(post_error_labels),
     .argument = "HOW",
     .choices = "wrong|left-out|fitted",
     .initial = "wrong",
     .help = "The labels of steps after the first mistake in training. wrong: they are wrong too; "
             "left-out: they are not used; fitted: what does better on the training folds"},
    {.name = "rule",
     .type = OPT_CHOICE,
     AT(rule),
     .argument = "RULE",
     .choices = "threshold|hazard|fitted",
     .initial = "threshold",
     .help = "How chances become a location. threshold: the first step with P(wrong) >= t; hazard: "
             "the step most likely to be the first wrong one, unless none is likelier than t; "
             "fitted: what does better on the training folds"},
    {.name = "objective",
     .type = OPT_CHOICE,
     AT(objective),
     .argument = "FIGURE",
     .choices = "location|f1",
     .initial = "location",
     .help =
         "What the rule is fitted to, as a mean over tasks. location: chains whose first "
         "mistake is located exactly; f1: ProcessBench's, of tasks with 20 chains of each kind"},
    {.name = "no-position",
     AT(no_position),
     .help = "Leave out the features that tell how far the chain is: --without position"},
    {.name = "without",
     .type = OPT_TEXT,
     AT(without),
     .argument = "FAMILY[,FAMILY]",
     .help = "Leave out families of features: calculation, agreement, consistency, form, position, "
             "probability (docs/reward.md)"},
    {.name = "no-cross-validation",
     AT(no_cross_validation),
     .help = "Make the model only: a good deal faster"},
    {.name = "trees",
     .type = OPT_NATURAL,
     AT(trees),
     .argument = "N",
     .initial = "200",
     .least = 1,
     .most = 10000,
     .help = "Trees to grow"},
    {.name = "depth",
     .type = OPT_NATURAL,
     AT(depth),
     .argument = "N",
     .initial = "3",
     .least = 1,
     .most = 12,
     .help = "Splits from the root of a tree to a leaf, at most"},
    {.name = "seed",
     .type = OPT_NATURAL,
     .offset = offsetof(struct settings, seed),
     .argument = "N",
     .initial = "0",
     .help = "Other folds and other trees; the same seed gives the same model"},
    {.name = "name",
     .type = OPT_TEXT,
     AT(name),
     .argument = "TEXT",
     .help = "What the model is called in its file. Default: the name of --out"},
    {.name = "sources",
     .type = OPT_TEXT,
     AT(sources),
     .argument = "TEXT",
     .help = "What it was trained on, and under which licences, for its file"},
    {0},
};

static const struct opt train_reading[] = {
    {.name = "in",
     .letter = 'i',
     .type = OPT_FILES,
     .offset = offsetof(struct settings, in),
     .argument = "FILE",
     .help = "Read labelled chains from FILE, as check does. May be given several "
             "times; arguments that are no options are input files too"},
    {.name = "format",
     .type = OPT_TEXT,
     .offset = offsetof(struct settings, format),
     .argument = "NAME",
     .help = "Read every record as this format; without it a record is recognised by its members. "
             "'rederive formats' lists the names"},
    {.name = "features-out",
     .type = OPT_FILE,
     AT(features_out),
     .argument = "FILE",
     .help = "Write what was measured of every labelled step to FILE, as CSV"},
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
    {"A judge from solutions made by program, half of them with a mistake",
     "rederive tasks -n 60 --mistakes 0.5 | rederive train --no-cross-validation --out judge.rdvm"},
    {"The same with one task kept out, by task, as in Table 7 of the paper",
     "rederive tasks -n 40 --mistakes 0.5 | rederive train --folds tasks --hold-out word_sorting "
     "--no-cross-validation --trees 40"},
    {"Which step of a chain is wrong, by a model",
     "rederive check --method reward:judge.rdvm chains.jsonl"},
    {0},
};
