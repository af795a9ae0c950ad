/* SPDX-License-Identifier: Apache-2.0 */
/* The options of convert. */
#include "options.h"
#include "settings.h"

static const struct opt convert_options[] = {
    OPTION_CHOICE("to", 't', convert.to, "FORMAT",
                  "csv|inspect|jsonl|label-studio|phoenix|prm800k|trl", NULL,
                  "The format to write. csv: a row for each step; inspect: a log of inspect_ai; "
                  "jsonl: Rederive's own records; label-studio: tasks with predictions; phoenix: "
                  "span annotations; prm800k: PRM800K's shape; trl: stepwise supervision"),
    OPTION_CHOICE("label-source", 0, convert.label_source, "WHICH", "check|label", "check",
                  "Which part of the record says which steps are right. check: the last check, or, "
                  "without one, the labels; label: the labels, also where there is a check. The "
                  "labels are step_labels for the criterion \"correct\", or, without them, label"),
    OPTION_TEXT("method", 'm', convert.method, "NAME", NULL,
                "Use the check by this method instead of the last one", .names = OPT_METHODS),
    OPTION_CHOICE(
        "unrelated", 0, convert.unrelated, "AS", "cut|wrong|right", "cut",
        "What --to trl writes for a step that is unrelated. cut: the solution ends before "
        "it; wrong: false; right: true. The solution always ends before an unknown step"),
    OPTION_TEXT("span-from", 0, convert.span_from, "MEMBER", "span_id",
                "The member of a record that names its span, with --to phoenix"),
    OPTION_FLAG("no-target", 0, no_target,
                "Leave the right answer out of the tasks of label-studio, and out of their "
                "labelling configuration"),
    OPTION_FLAG("labelling-config", 0, convert.labelling_config,
                "Print the labelling configuration for the tasks of label-studio, and end"),
    OPTION_THREADS(""),
    {0},
};

const struct opt_group convert_groups[] = {
    {"Converting", convert_options},
    {"Reading and writing", options_files},
    {"Output", options_telling},
    {0},
};

const struct example convert_examples[] = {
    {"Training data for TRL from checked solutions",
     "rederive check -q chains.jsonl | rederive convert --to trl --unrelated right --out "
     "train.jsonl"},
    {"A log that inspect_ai's viewer opens",
     "rederive check -q chains.jsonl | rederive convert --to inspect --out checked.json"},
    {"Tasks for Label Studio, and the labelling configuration of their project",
     "rederive check -q chains.jsonl | rederive convert --to label-studio --out tasks.json && "
     "rederive convert --to label-studio --labelling-config > labels.xml"},
    {"Annotations for Phoenix; a chain read from a span has its id",
     "rederive check -q spans.jsonl | rederive convert --to phoenix --span-from id --out "
     "annotations.json"},
    {"A table for a spreadsheet",
     "rederive check -q chains.jsonl | rederive convert --to csv --out steps.csv"},
    {0},
};
