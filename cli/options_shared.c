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
     .help =
         "Read records from FILE: JSON Lines or JSON, also compressed with gzip; '-' is standard "
         "input. May be given several times; arguments that are not options are input files too"},
    {.name = "join",
     .type = OPT_FILES,
     AT(join),
     .argument = "FILE",
     .help = "Join the step scores or questions in FILE to the input records, by their ids. May be "
             "given several times"},
    {.name = "format",
     .type = OPT_TEXT,
     AT(format),
     .argument = "NAME",
     .help = "Read every record in this format. Default: the format is recognised by the record's "
             "members. 'rederive formats' lists the names"},
    {.name = "out",
     .letter = 'o',
     .type = OPT_FILE,
     AT(out),
     .argument = "FILE",
     .help = "Write to FILE instead of standard output. FILE appears when it is complete; an "
             "interrupted run leaves its results in FILE.partial"},
    {.name = "strict", AT(strict), .help = "Stop at the first record that fails"},
    {0},
};

const struct opt options_telling[] = {
    {.name = "quiet",
     .letter = 'q',
     AT(quiet),
     .help = "Print no summary and no progress, only faults"},
    {.name = "progress",
     AT(progress),
     .help = "Show progress even if standard error is not a terminal"},
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
     .help = "The aggregate of a chain's step scores, used as its weight"},
    {0},
};

const struct opt options_judging[] = {
    {.name = "answer-source",
     .type = OPT_CHOICE,
     AT(answer_source),
     .argument = "WHICH",
     .choices = "given|read",
     .initial = "given",
     .help = "Which answer of a chain counts. given: the record's own, or, without one, the one "
             "read from the steps; read: always the one read from the steps"},
    {.name = "correct-from",
     .type = OPT_CHOICE,
     AT(correct_from),
     .argument = "WHOSE",
     .choices = "gold|source",
     .initial = "gold",
     .help = "What decides whether an answer is correct. gold: comparison with the gold answer, "
             "or, without one, the record's own \"correct\"; source: the record's \"correct\", or, "
             "without it, the comparison"},
    {0},
};

const struct opt options_combining[] = {
    {.name = "verifiers",
     .type = OPT_TEXT,
     AT(verifiers),
     .argument = "LIST",
     .help = "The verifiers to combine: relevance, math, consistency, perplexity, separated by "
             "commas. Default: all"},
    {.name = "weights",
     .type = OPT_TEXT,
     AT(weights),
     .argument = "LIST",
     .help = "The weights of verifiers in the mean, such as perplexity=3,math=0.5. Default: "
             "perplexity 2, the others 1"},
    {.name = "floor",
     .type = OPT_NUMBER,
     AT(floor),
     .argument = "X",
     .least = 0,
     .most = 1,
     .help = "A step's score below X counts as X in the geometric mean over steps. The paper uses "
             "0, with which one failed step outweighs all others. Default: 0.01"},
    {.name = "perplexity-power",
     .type = OPT_NUMBER,
     AT(power),
     .argument = "P",
     .initial = "1",
     .least = 0.001,
     .most = 1000,
     .help = "The score of a perplexity is perplexity^-P"},
    {0},
};

const struct opt options_integrating[] = {
    {.name = "lambda",
     .type = OPT_PAIR,
     AT(lambda),
     .argument = "L1,L0",
     .least = 0,
     .help = "The costs of a contradicted and of an unrelated step: confidence = 2 sigmoid(-L1 "
             "contradicted - L0 unrelated), L1 > L0 >= 0. Default: the method's own"},
    {.name = "unknown",
     .type = OPT_CHOICE,
     AT(unknown),
     .argument = "AS",
     .choices = "neutral|contradict|null",
     .initial = "neutral",
     .help = "How an undecided step counts. neutral: as unrelated; contradict: as contradicted; "
             "null: the chain gets no confidence"},
    {0},
};
