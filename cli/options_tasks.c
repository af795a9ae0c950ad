/* SPDX-License-Identifier: Apache-2.0 */
/* The options of tasks. */
#include "options.h"
#include "settings.h"

static const struct opt tasks_options[] = {
    OPTION_CHOICE("task", 't', task, "NAME",
                  "all|word_sorting|tracking_shuffled_objects|logical_deduction|multistep_"
                  "arithmetic|dyck_languages|coin_flip|last_letters",
                  "all", "The task of the questions; all: N questions of each task"),
    OPTION_NATURAL("number", 'n', number, "N", "10", 1, 1e9,
                   "The number of different questions to generate for each task"),
    OPTION_NATURAL(
        "min-size", 0, min_size, "N", NULL, 2, 400,
        "The minimum size of a question, in the unit of its task: words, people and swaps, "
        "objects, inner brackets, brackets, people, words. Default: the task's own"),
    OPTION_NATURAL("max-size", 0, max_size, "N", NULL, 2, 400,
                   "The maximum size of a question. Default: the task's own"),
    OPTION_FLAG("traces", 0, traces,
                "Add the correct stepwise solution, with its answer and a label of no error"),
    OPTION_NUMBER("mistakes", 0, mistakes, "SHARE", NULL, 0, 1,
                  "Add solutions of which this share has an error at one step, which is their "
                  "label; the later steps continue from the error"),
    OPTION_NATURAL(
        "annotators", 0, annotators, "N", NULL, 1, 100,
        "Also add the \"step_labels\" of N simulated annotators, simulated-1 and so on, who know "
        "the true label and slip at one step in 50: for trials of what people's labels are for. "
        "Needs --traces or --mistakes"),
    OPTION_NATURAL(
        "seed", 0, seed, "N", "0", 0, 0,
        "The seed of the questions; the same seed gives the same questions on every machine"),
    OPTION_OUT("out", 'o', out, "FILE", "Write to FILE instead of standard output"),
    {0},
};

const struct opt_group tasks_groups[] = {
    {"Task generation", tasks_options}, {"Output", options_telling}, {0}};

const struct example tasks_examples[] = {
    {"Ten questions of each task", "rederive tasks > questions-made.jsonl"},
    {"A hundred lists of four to six words to sort",
     "rederive tasks --task word_sorting -n 100 --min-size 4 --max-size 6"},
    {"The accuracy of a rule-based verifier on solutions with known errors",
     "rederive tasks -t dyck_languages -n 50 --mistakes 0.85 | rederive check -q -m dyck | "
     "rederive eval"},
    {"The agreement of three simulated annotators",
     "rederive tasks -t word_sorting -n 20 --mistakes 0.5 --annotators 3 | rederive eval --recipe "
     "mistakes:table3"},
    {0},
};
