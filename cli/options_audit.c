/* SPDX-License-Identifier: Apache-2.0 */
/* The options of audit. */
#include "options.h"
#include "settings.h"

static const struct opt audit_options[] = {
    OPTION_TEXT("method", 'm', method, "METHOD", "auto",
                "What proves: calculations, or dyck, sorting, shuffled-objects, arithmetic or "
                "deduction, which follow a task. auto: the one that follows the task of the "
                "question, if there is one, else calculations",
                .words = "auto|calculations|dyck|sorting|shuffled-objects|arithmetic|deduction"),
    OPTION_FLAG("assume-right", 0, assume_right,
                "Count chains without a label as labelled free of errors, such as published "
                "solutions"),
    OPTION_FLAG("fail-on-wrong", 0, fail_on_wrong,
                "Exit with 4 if a label contradicts what is proven"),
    OPTION_FLAG("json", 0, json, "Write a record for each conflict, and the summary as JSON"),
    {0},
};

const struct opt_group audit_groups[] = {{"Auditing", audit_options},
                                         {"Reading and writing", options_files},
                                         {"Output", options_telling},
                                         {0}};

const struct example audit_examples[] = {
    {"List the labels of a data set that contradict what is proven", "rederive audit chains.jsonl"},
    {"Audit solutions without labels, as if labelled free of errors",
     "rederive audit --assume-right "
     "chains.jsonl"},
    {"Print the ids whose label comes after a step that is proven wrong",
     "rederive audit -q --json chains.jsonl | jq -r 'select(.conflict == \"earlier\").id'"},
    {0},
};
