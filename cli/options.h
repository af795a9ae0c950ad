/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Groups of options that several commands share. Each ends with an option without a name. */
#include "opt.h"

/* How the names of models begin, for completion. */
#define MODEL_WORDS "builtin|builtin:|openai:|transcript:|http://localhost:"

extern const struct opt options_files[];       /* reading and writing records */
extern const struct opt options_html[];        /* a report to look at */
extern const struct opt options_telling[];     /* summaries, progress, colours, help */
extern const struct opt options_aggregating[]; /* step scores as a weight */
extern const struct opt options_judging[];     /* source and correctness of answers */
extern const struct opt options_integrating[]; /* verdicts as a confidence */
extern const struct opt options_combining[];   /* several verifiers' scores as one */
extern const struct opt_group annotate_groups[];
extern const struct example annotate_examples[];
extern const struct opt_group audit_groups[];
extern const struct example audit_examples[];
extern const struct opt_group convert_groups[];
extern const struct example convert_examples[];
extern const struct opt_group sample_groups[];
extern const struct example sample_examples[];
extern const struct opt_group grade_groups[];
extern const struct example grade_examples[];
extern const struct opt_group reproduce_groups[];
extern const struct example reproduce_examples[];
extern const struct opt reproduce_asking[];   /* of these, what is typed goes to every stage */
extern const struct opt_group tasks_groups[]; /* all of tasks */
extern const struct example tasks_examples[];
extern const struct opt_group train_groups[]; /* all of train */
extern const struct example train_examples[];
extern const struct opt options_verifying[]; /* the verifiers themselves */
extern const struct opt options_numbers[];   /* how calculations are read */
extern const struct opt options_rules[];     /* what the words around calculations say */
extern const struct opt options_recorded[];  /* checks that chains have, as verifiers */
extern const struct opt options_extent[];    /* how much of a chain is checked */
extern const struct opt options_online[];    /* search during generation */
extern const struct opt options_model[];     /* models, and how they are asked */
extern const struct opt options_budget[];    /* what a run may spend */
extern const struct opt options_batch[];     /* a run in rounds, by files of requests */
extern const struct opt options_checker[];   /* methods that ask a model */

/* The threads of the commands that ask no model: a row of an option table. */
#define OPTION_THREADS(help_)                                                                      \
    OPTION_NATURAL("threads", 0, threads, "N", NULL, 1, 256,                                       \
                   "The number of threads" help_ ". The output does not depend on it. Default: "   \
                   "one for each processor that the program may use")

/* How fast calls are made, and when one is given up: rows of an option table. */
#define OPTIONS_PACE                                                                               \
    OPTION_NATURAL("jobs", 'j', jobs, "N", "64", 1, 100000,                                        \
                   "The maximum number of calls in flight, for each host"),                        \
        OPTION_NUMBER("rpm", 0, rpm, "N", NULL, 0.01, 1e9,                                         \
                      "Calls per minute, for each host. Default: no limit"),                       \
        OPTION_NUMBER("tpm", 0, tpm, "N", NULL, 1, 1e12,                                           \
                      "Tokens per minute, for each host. Default: no limit"),                      \
        OPTION_NUMBER("timeout", 0, timeout, "SECONDS", "600", 0.01, 86400,                        \
                      "Time limit of one call"),                                                   \
        OPTION_NATURAL("retries", 0, retries, "N", "6", 0, 1000,                                   \
                       "How often a call is retried when the server is busy or fails")
