/* SPDX-License-Identifier: Apache-2.0 */
/* The options that most commands share. */
#include "options.h"
#include "settings.h"

const struct opt options_files[] = {
    OPTION_FILES(
        "in", 'i', in, "FILE",
        "Read records from FILE: JSON Lines, JSON, CSV, TSV, plain text or a log of inspect_ai, "
        "also compressed with gzip; a folder stands for all such files in it; '-' is standard "
        "input. May be given several times; arguments "
        "that are not options are input files too"),
    OPTION_FILES("join", 0, join, "FILE",
                 "Join the step scores, questions or requests of a batch in FILE to the input "
                 "records, by their ids. May be given several times"),
    OPTION_TEXT("format", 0, format, "NAME", NULL,
                "Read every record in this format. Default: the format is recognised by the "
                "record's members. 'rederive formats' lists the names",
                .names = OPT_FORMATS),
    OPTION_TEXT("question-from", 0, question_from, "PATH", NULL,
                "Where a record has its question: a JSON Pointer such as /doc/question, or names "
                "with points such as doc.question or messages[0].content. For tables, a column"),
    OPTION_TEXT(
        "steps-from", 0, steps_from, "PATH", NULL,
        "Where a record has its steps: a list of texts, or one text, which is split into steps"),
    OPTION_TEXT("gold-from", 0, gold_from, "PATH", NULL, "Where a record has its gold answer"),
    OPTION_TEXT("id-from", 0, id_from, "PATH", NULL, "Where a record has its id"),
    OPTION_TEXT("question", 0, question, "TEXT", NULL,
                "The question of the solutions in plain-text files"),
    OPTION_TEXT("separator", 0, separator, "LINE", NULL,
                "The line that stands between two solutions of a plain-text file, such as ---. "
                "Default: a file is one solution"),
    OPTION_OUT("out", 'o', out, "FILE",
               "Write to FILE instead of standard output. FILE appears when it is complete; an "
               "interrupted run leaves its results in FILE.partial"),
    OPTION_FLAG("strict", 0, strict, "Stop at the first record that fails"),
    {0},
};

const struct opt options_html[] = {
    OPTION_OUT("html", 0, html, "FILE",
               "Also write a report to FILE: one HTML page with every chain, the evidence of each "
               "verdict, and figures. It needs no network and no other file"),
    {0},
};

const struct opt options_telling[] = {
    OPTION_FLAG("quiet", 'q', quiet, "Print no summary and no progress, only faults"),
    OPTION_FLAG("progress", 0, progress, "Show progress even if standard error is not a terminal"),
    OPTION_CHOICE("color", 0, color, "WHEN", "auto|always|never", "auto",
                  "Use colours; auto: on terminals, unless NO_COLOR is set"),
    OPTION_FLAG("help", 'h', help, "Show this text. -h: the part of it that fits a screen"),
    {0},
};

const struct opt options_aggregating[] = {
    OPTION_CHOICE("aggregate", 'a', aggregate, "HOW", "min|product|geometric|mean|last", "min",
                  "The aggregate of a chain's step scores, used as its weight"),
    {0},
};

const struct opt options_judging[] = {
    OPTION_CHOICE("answer-source", 0, answer_source, "WHICH", "given|read", "given",
                  "Which answer of a chain counts. given: the record's own, or, without one, the "
                  "one read from the steps; read: always the one read from the steps"),
    OPTION_CHOICE("correct-from", 0, correct_from, "WHOSE", "gold|source", "gold",
                  "What decides whether an answer is correct. gold: comparison with the gold "
                  "answer, or, without one, the record's own \"correct\"; source: the record's "
                  "\"correct\", or, without it, the comparison"),
    {0},
};

const struct opt options_combining[] = {
    OPTION_TEXT("verifiers", 0, verifiers, "LIST", NULL,
                "The verifiers to combine: relevance, math, consistency, perplexity, separated by "
                "commas; none: none of them. eval also takes other checks that the chains have, at "
                "most four, alone or beside all: all,mine. Default: all"),
    OPTION_TEXT("weights", 0, weights, "LIST", NULL,
                "The weights of verifiers in the mean, such as perplexity=3,math=0.5. Default: "
                "perplexity 2, the others 1"),
    OPTION_NUMBER("floor", 0, floor, "X", NULL, 0, 1,
                  "A step's score below X counts as X in the geometric mean over steps. The paper "
                  "uses 0, with which one failed step outweighs all others. Default: 0.01"),
    OPTION_CHOICE(
        "perplexity-over", 0, perplexity_over, "WHAT", "tokens|steps", NULL,
        "What the perplexity of a chain is over. tokens: all its tokens; steps: its steps, "
        "whose scores are aggregated like those of the other verifiers, as in the paper. "
        "Default: tokens; steps with --profile paper, and with an --aggregate other than "
        "geometric"),
    OPTION_NUMBER("perplexity-power", 0, power, "P", "1", 0.001, 1000,
                  "The score of a perplexity is perplexity^-P"),
    {0},
};

const struct opt options_integrating[] = {
    OPTION_PAIR("lambda", 0, lambda, "L1,L0", 0,
                "The costs of a contradicted and of an unrelated step: confidence = 2 sigmoid(-L1 "
                "contradicted - L0 unrelated), L1 > L0 >= 0. Default: the method's own"),
    OPTION_CHOICE("unknown", 0, unknown, "AS", "neutral|contradict|null", "neutral",
                  "How an undecided step counts. neutral: as unrelated; contradict: as "
                  "contradicted; null: the chain gets no confidence"),
    {0},
};
