/* SPDX-License-Identifier: Apache-2.0 */
/* The options of tasks. */
#include "options.h"
#include "settings.h"

#define AT(member) .offset = offsetof(struct settings, member)

static const struct opt tasks_options[] = {
    {.name = "task",
     .letter = 't',
     .type = OPT_CHOICE,
     AT(task),
     .argument = "NAME",
     .choices = "all|word_sorting|tracking_shuffled_objects|logical_deduction|multistep_arithmetic|"
                "dyck_languages|coin_flip|last_letters",
     .initial = "all",
     .help = "The task of the questions; all: N questions of each task"},
    {.name = "number",
     .letter = 'n',
     .type = OPT_NATURAL,
     AT(number),
     .argument = "N",
     .initial = "10",
     .least = 1,
     .most = 1e9,
     .help = "The number of different questions to generate for each task"},
    {.name = "min-size",
     .type = OPT_NATURAL,
     AT(min_size),
     .argument = "N",
     .least = 2,
     .most = 400,
     .help = "The minimum size of a question, in the unit of its task: words, people and swaps, "
             "objects, inner brackets, brackets, people, words. Default: the task's own"},
    {.name = "max-size",
     .type = OPT_NATURAL,
     AT(max_size),
     .argument = "N",
     .least = 2,
     .most = 400,
     .help = "The maximum size of a question. Default: the task's own"},
    {.name = "traces",
     AT(traces),
     .help = "Add the correct stepwise solution, with its answer and a label of no error"},
    {.name = "mistakes",
     .type = OPT_NUMBER,
     AT(mistakes),
     .argument = "SHARE",
     .least = 0,
     .most = 1,
     .help = "Add solutions of which this share has an error at one step, which is their label; "
             "the later steps continue from the error"},
    {.name = "seed",
     .type = OPT_NATURAL,
     AT(seed),
     .argument = "N",
     .initial = "0",
     .help = "The seed of the questions; the same seed gives the same questions on every machine"},
    {.name = "out",
     .letter = 'o',
     .type = OPT_FILE,
     AT(out),
     .argument = "FILE",
     .help = "Write to FILE instead of standard output"},
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
    {0},
};
