/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The command-line settings of all commands; each uses those in its table in commands.c. */
#include "opt.h"

struct settings {
    bool help;
    bool help_short;     /* -h, of which the screen is enough */
    const char *command; /* its name */
    char **typed;        /* its arguments, n_typed of them */
    int n_typed;
    const struct opt **given; /* the options among them, n_given, in their order */
    size_t n_given;
    /* reading and writing */
    struct list in;   /* none: standard input */
    struct list join; /* further files with step scores and questions */
    const char *out;
    const char *html; /* a report: check, vote, solve, repair, eval */
    const char *format;
    const char *question_from, *steps_from, *gold_from, *id_from; /* paths within a record */
    const char *question, *separator;                             /* of plain-text files */
    const char *color;
    bool strict, json, quiet, progress;
    bool check_reasoning;
    uint64_t seed;
    /* check */
    const char *method;
    struct pair lambda;
    const char *unknown;
    struct number threshold;
    const char *list_form; /* NULL: records or views are written */
    bool view, list, list_unread, fail_on_wrong, fail_on_unknown;
    bool accepted; /* say whether each chain is accepted */
    bool as_labels, replace_labels;
    /* models: check, solve, repair, models */
    const char *model, *checker;
    const char *api_key_env;
    const char *listen; /* serve */
    uint64_t port;
    struct list allowed_hosts;
    struct list served_models, upstream_keys; /* serve */
    const char *policy, *prices, *keys, *new_key;
    struct list allowed_origins;
    bool log, log_json; /* serve */
    const char *journal;
    bool structured, no_structured, trust_unfinished, anyway, separate_samples;
    const char *profile;
    const char *question_type, *rubric;
    const char *prompt_dir, *method_dir, *rules_dir;
    struct list disabled_rules;
    uint64_t jobs, threads, retries, lookahead;
    uint64_t samples, first_steps;
    const char *math, *mathematical, *recorded_verifiers, *decimal;
    struct number first_share;
    const char *prm_layout;
    struct number prm_threshold;
    struct number rpm, tpm, temperature, timeout;
    uint64_t max_calls, max_tokens; /* 0: no limit */
    struct number max_cost, max_seconds, price_in, price_out;
    bool dry_run;
    struct {
        const char *out, *server;
        uint64_t size;
        bool again, results; /* results: journal import --batch */
        struct number discount;
    } batch;
    /* solve */
    uint64_t chains;
    const char *chains_out;
    const char *generate;
    bool beam_search;
    uint64_t beam_width, expansions, generated_tokens;
    uint64_t thoughts; /* at most; 0: as many as the library allows */
    /* tasks */
    const char *task;
    uint64_t number, min_size, max_size;
    bool traces;
    struct number mistakes;
    uint64_t annotators; /* simulated */
    /* repair */
    const char *locator, *locations, *choose, *accept;
    uint64_t resamples, rounds, max_steps;
    /* train */
    struct {
        struct list hold_out;
        const char *folds, *post_error_labels, *rule, *objective, *without, *name, *sources,
            *features_out;
        bool no_position, no_cross_validation, early_stopping;
        uint64_t trees, depth;
    } train;
    /* vote, eval, solve */
    const char *weight, *aggregate, *select, *stop, *answer_source, *correct_from;
    uint64_t subset_size; /* vote: number of chains that may vote; 0: all */
    const char *subset_by;
    bool curves;
    const char *recipe, *fit, *split, *compare;
    const char *scorers, *fit_out;
    struct number p; /* the chances of answers, and numbers of chains: selfcheck:v2bound */
    const char *q, *n;
    const char *tables; /* the folder for the tables as files */
    const char *group;  /* the member that groups chains by its value */
    const char *verifiers, *weights;
    struct number floor, power;
    const char *perplexity_over;
    const char *baseline;
    /* grade */
    struct {
        const char *answer, *text, *kind, *tolerance, *answer_from, *text_from;
        const char *answer_member, *gold_member, *require;
        struct list golds;
        bool as_shown, relations;
    } grade;
    bool assume_right; /* audit */
    bool certify;      /* check */
    /* convert */
    struct {
        const char *to, *method, *label_source, *unrelated, *span_from;
        bool labelling_config;
    } convert;
    /* annotate */
    struct list labels;
    const char *annotator, *criterion, *count_from, *ties;
    struct number right;
    bool no_target; /* convert too */
    uint64_t min_votes;
    /* sample, reproduce */
    const char *dataset;
    bool questions_only;
    struct list data, models, checkers;
    uint64_t limit, reproduced_chains;
    bool no_fit;
    struct estimate_sums *estimate; /* a dry run adds to it instead of writing; NULL: it writes */
    bool no_input;                  /* set by a command that reads no input */
};

/* Exit statuses. */
enum {
    DONE = 0,
    SOME_FAILED = 1,
    USAGE = 2,
    NOTHING_DONE = 3,
    WRONG_FOUND = 4,    /* --fail-on-wrong */
    UNDECIDED_LEFT = 5, /* --fail-on-unknown */
    WAITING = 6,        /* --batch-out: results are to be imported */
    INTERRUPTED = 130,  /* as shells report SIGINT */
    NOBODY_READS = 141  /* as shells report SIGPIPE */
};

extern const struct command commands[]; /* ends with an entry of zeros */
