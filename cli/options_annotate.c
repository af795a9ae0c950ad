/* SPDX-License-Identifier: Apache-2.0 */
/* The options of annotate. */
#include "options.h"
#include "settings.h"

static const struct opt annotate_options[] = {
    OPTION_FILES("labels", 'l', labels, "FILE",
                 "Join the annotations in FILE to the chains, by id: lines of JSON, or a CSV "
                 "table. May be given several times; '-' is standard input"),
    OPTION_TEXT("annotator", 0, annotator, "NAME", NULL,
                "The annotator of annotations that name none, and of a sheet"),
    OPTION_TEXT("criterion", 0, criterion, "CRITERION", "correct",
                "The criterion of annotations that name none, of a sheet, of the label that merge "
                "writes, and of guidelines: correct, overall, math, consistency or relevance"),
    OPTION_NATURAL("limit", 0, limit, "N", NULL, 1, 1000000,
                   "sample: the number of traces of each task, as 300 in the paper"),
    OPTION_NUMBER("right", 0, right, "SHARE", NULL, 0, 1,
                  "sample: the share of traces whose answer is right, that is exactly the gold "
                  "answer. Default: 0.15, as in the paper"),
    OPTION_FLAG("no-target", 0, no_target, "sheet: leave out the right answer"),
    OPTION_CHOICE("count-from", 0, count_from, "N", "0|1", "0",
                  "The number of the first step in annotations and sheets"),
    OPTION_NATURAL("min-votes", 0, min_votes, "N", "3", 1, 1000,
                   "A chain gets a label if at least N annotators located its first wrong step, or "
                   "found none"),
    OPTION_CHOICE("ties", 0, ties, "HOW", "unknown|first|last", "unknown",
                  "The label if the most frequent ones are tied. unknown: none; first, last: the "
                  "earliest or latest of their steps, where no error counts as the latest"),
    OPTION_NATURAL("seed", 0, seed, "N", "0", 0, 0,
                   "Seed of a sample, and of the bootstrap for the confidence intervals"),
    OPTION_FLAG("json", 0, json, "Write the report as one JSON object"),
    {0},
};

const struct opt_group annotate_groups[] = {
    {"Annotating", annotate_options},
    {"Reading and writing", options_files},
    {"Output", options_telling},
    {0},
};

const struct example annotate_examples[] = {
    {"Draw traces for annotators: of each task two, of which half have the right answer",
     "rederive annotate sample traces.jsonl --limit 2 --right 0.5 --out sample.jsonl"},
    {"Write the instructions for annotators", "rederive annotate guidelines --out guidelines.md"},
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
