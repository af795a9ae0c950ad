/* SPDX-License-Identifier: Apache-2.0 */
/* The options that most commands share. */
#include "options.h"
#include "settings.h"

#define AT(member) .offset = offsetof(struct settings, member)

const struct opt options_files[] = {
    {.name = "in",
     .letter = 'i',
     .type = OPT_FILES,
     AT(in),
     .argument = "FILE",
     .help = "Read records from FILE: JSON Lines, JSON, or either in .gz; '-' is standard input. "
             "May be given several times; arguments that are no options are input files too"},
    {.name = "join",
     .type = OPT_FILES,
     AT(join),
     .argument = "FILE",
     .help = "Join the step scores or questions in FILE to the records read, by their ids. May be "
             "given several times"},
    {.name = "format",
     .type = OPT_TEXT,
     AT(format),
     .argument = "NAME",
     .help = "Read every record as this format; without it a record is recognised by its members. "
             "'rederive formats' lists the names"},
    {.name = "out",
     .letter = 'o',
     .type = OPT_FILE,
     AT(out),
     .argument = "FILE",
     .help = "Write to FILE instead of standard output. It appears when it is complete; what an "
             "interrupted run had done is left in FILE.partial"},
    {.name = "strict", AT(strict), .help = "Stop at the first record that fails"},
    {0},
};

const struct opt options_telling[] = {
    {.name = "quiet", .letter = 'q', AT(quiet), .help = "No summary and no progress, only faults"},
    {.name = "progress",
     AT(progress),
     .help = "Show progress also where standard error is not a terminal"},
    {.name = "color",
     .type = OPT_CHOICE,
     AT(color),
     .argument = "WHEN",
     .choices = "auto|always|never",
     .initial = "auto",
     .help = "Use colours; auto: on terminals, unless NO_COLOR is set"},
    {.name = "help", .letter = 'h', AT(help), .help = "Show this text"},
    {0},
};

const struct opt options_aggregating[] = {
    {.name = "aggregate",
     .letter = 'a',
     .type = OPT_CHOICE,
     AT(aggregate),
     .argument = "HOW",
     .choices = "min|product|geometric|mean|last",
     .initial = "min",
     .help = "How the scores of a chain's steps become one weight"},
    {0},
};

const struct opt options_judging[] = {
    {.name = "answer-source",
     .type = OPT_CHOICE,
     AT(answer_source),
     .argument = "WHICH",
     .choices = "given|read",
     .initial = "given",
     .help =
         "Which answer of a chain counts. given: the record's, read from the steps where it has "
         "none; read: always the one read from the steps"},
    {.name = "correct-from",
     .type = OPT_CHOICE,
     AT(correct_from),
     .argument = "WHOSE",
     .choices = "gold|source",
     .initial = "gold",
     .help =
         "What decides whether an answer is right. gold: comparison with the gold answer, else the "
         "record's own \"correct\"; source: that \"correct\", else the comparison"},
    {0},
};

const struct opt options_combining[] = {
    {.name = "verifiers",
     .type = OPT_TEXT,
     AT(verifiers),
     .argument = "LIST",
     .help = "Which verifiers take part: relevance, math, consistency, perplexity, with commas "
             "between them. Default: all that there are"},
    {.name = "weights",
     .type = OPT_TEXT,
     AT(weights),
     .argument = "LIST",
     .help = "What a verifier weighs in their mean: perplexity=3,math=0.5. Default: perplexity 2, "
             "the others 1"},
    {.name = "floor",
     .type = OPT_NUMBER,
     AT(floor),
     .argument = "X",
     .least = 0,
     .most = 1,
     .help = "A step's score below X counts as X in the geometric mean over steps. 0 is the "
             "paper's, where one failed step outweighs all others. Default: 0.01"},
    {.name = "perplexity-power",
     .type = OPT_NUMBER,
     AT(power),
     .argument = "P",
     .initial = "1",
     .least = 0.001,
     .most = 1000,
     .help = "A perplexity becomes the score perplexity^-P"},
    {0},
};

const struct opt options_integrating[] = {
    {.name = "lambda",
     .type = OPT_PAIR,
     AT(lambda),
     .argument = "L1,L0",
     .least = 0,
     .help = "What a contradicted and an unrelated step cost: confidence = 2 sigmoid(-L1 "
             "contradicted - L0 unrelated), L1 > L0 >= 0. Default: the method's own"},
    {.name = "unknown",
     .type = OPT_CHOICE,
     AT(unknown),
     .argument = "AS",
     .choices = "neutral|contradict|null",
     .initial = "neutral",
     .help = "What a step that could not be decided counts as. neutral: an unrelated one; null: "
             "the chain gets no confidence"},
    {0},
};
