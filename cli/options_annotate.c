/* SPDX-License-Identifier: Apache-2.0 */
/* The options of annotate. */
#include "options.h"
#include "settings.h"

#define AT(member) .offset = offsetof(struct settings, member)

static const struct opt annotate_options[] = {
    {.name = "labels",
     .letter = 'l',
     .type = OPT_FILES,
     AT(labels),
     .argument = "FILE",
     .help = "Join the annotations in FILE to the chains, by id: lines of JSON, or a CSV table. "
             "May be given several times; '-' is standard input"},
    {.name = "annotator",
     .type = OPT_TEXT,
     AT(annotator),
     .argument = "NAME",
     .help = "The annotator of annotations that name none, and of a sheet"},
    {.name = "criterion",
     .type = OPT_TEXT,
     AT(criterion),
     .argument = "CRITERION",
     .initial = "correct",
     .help = "The criterion of annotations that name none, of a sheet, and of the label that merge "
             "writes"},
    {.name = "count-from",
     .type = OPT_CHOICE,
     AT(count_from),
     .argument = "N",
     .choices = "0|1",
     .initial = "0",
     .help = "The number of the first step in annotations and sheets"},
    {.name = "min-votes",
     .type = OPT_NATURAL,
     AT(min_votes),
     .argument = "N",
     .initial = "3",
     .least = 1,
     .most = 1000,
     .help = "A chain gets a label if at least N annotators located its first wrong step, or found "
             "none"},
    {.name = "ties",
     .type = OPT_CHOICE,
     AT(ties),
     .argument = "HOW",
     .choices = "unknown|first|last",
     .initial = "unknown",
     .help = "The label if the most frequent ones are tied. unknown: none; first, last: the "
             "earliest or latest of their steps, where no error counts as the latest"},
    {.name = "seed",
     .type = OPT_NATURAL,
     AT(seed),
     .argument = "N",
     .initial = "0",
     .help = "Seed of the bootstrap for the confidence intervals"},
    {.name = "json", AT(json), .help = "Write the report as one JSON object"},
    {0},
};

const struct opt_group annotate_groups[] = {
    {"Annotating", annotate_options},
    {"Reading and writing", options_files},
    {"Output", options_telling},
    {0},
};

const struct example annotate_examples[] = {
    {"Write a sheet; enter y, n or a in \"label\" up to the first wrong step",
     "rederive annotate sheet chains.jsonl --annotator ann --out ann.csv"},
    {"Add the marks of three annotators to the chains, with the majority label",
     "rederive annotate merge chains.jsonl -l ann.csv -l ben.csv -l marks.jsonl --out "
     "labelled.jsonl"},
    {"Compute their agreement by task",
     "rederive annotate agreement chains.jsonl -l ann.csv -l ben.csv -l marks.jsonl"},
    {"Write the annotations of chains, one per line",
     "rederive annotate merge chains.jsonl -l marks.jsonl --min-votes 1 | rederive annotate "
     "export"},
    {0},
};
