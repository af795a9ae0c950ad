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
     .help = "Join the annotations in FILE to the chains, by id: lines of JSON, or a table with "
             "commas. May be given several times; '-' is standard input"},
    {.name = "annotator",
     .type = OPT_TEXT,
     AT(annotator),
     .argument = "NAME",
     .help = "The annotator of annotations that name none, and in the column of a sheet"},
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
     .help = "How annotations and sheets count steps"},
    {.name = "min-votes",
     .type = OPT_NATURAL,
     AT(min_votes),
     .argument = "N",
     .initial = "3",
     .least = 1,
     .most = 1000,
     .help =
         "A chain gets a label when at least N annotators located its first wrong step, or found "
         "none"},
    {.name = "ties",
     .type = OPT_CHOICE,
     AT(ties),
     .argument = "HOW",
     .choices = "unknown|first|last",
     .initial = "unknown",
     .help = "What the label is when the most frequent ones are equally frequent. unknown: there "
             "is none; first, last: the earliest or latest of their steps, no mistake being the "
             "latest"},
    {.name = "seed",
     .type = OPT_NATURAL,
     AT(seed),
     .argument = "N",
     .initial = "0",
     .help = "Seed of the bootstrap of the intervals"},
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
    {"A sheet to be filled in: y, n or a in the column \"label\", up to the first wrong step",
     "rederive annotate sheet chains.jsonl --annotator ann --out ann.csv"},
    {"Put three people's marks into the chains, with the majority label",
     "rederive annotate merge chains.jsonl -l ann.csv -l ben.csv -l marks.jsonl --out "
     "labelled.jsonl"},
    {"How well they agree, by task",
     "rederive annotate agreement chains.jsonl -l ann.csv -l ben.csv -l marks.jsonl"},
    {"The annotations of chains that have them, a line each",
     "rederive annotate merge chains.jsonl -l marks.jsonl --min-votes 1 | rederive annotate "
     "export"},
    {0},
};
