/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive reproduce: from data and a model to a table of a paper (docs/reproduce.md).
 *
 * A table rests on a set of chains. The set says what is done, as a graph of stages. Each stage is
 * a command line of this program that writes one file; tables with the same set share its stages.
 */
#include "estimate.h"
#include "settings.h"

/* ---- the list -------------------------------------------------------------------------------- */

enum chain_source {
    NO_CHAINS,        /* the recipe simulates */
    GENERATED_CHAINS, /* questions, solved by the model, and checked */
    LABELLED_TRACES,  /* traces whose first mistake is known, checked by `methods` if any */
    ANNOTATED_CHAINS, /* chains with step_labels of several annotators, checked if `methods` */
    REPAIRED_TRACES,  /* labelled traces, repaired from the locations of `locators` */
    HELD_OUT_TRACES,  /* labelled traces; a classifier is trained on all tasks but one */
    TRAINING_FIGURES  /* what the training of those classifiers reports */
};

/* A set of chains with the paper's sizes. */
struct chain_set {
    const char *name; /* of its files */
    enum chain_source source;
    const char *methods; /* of check, separated by commas, the last on top; NULL: no check */
    bool own_methods;    /* --method replaces them */
    const char *generate;
    const char *generate_method; /* of solve: perplexity keeps the log-probabilities; NULL: none */
    const char *locators;        /* separated by spaces */
    uint64_t chains;             /* of each question */
    uint64_t questions;          /* of each data set; 0: all */
    uint64_t made;               /* questions (for each task: traces) where they are generated */
    uint64_t calls;              /* of one chain of five steps, its generation included */
};

struct reproduction {
    const char *name; /* the recipe of eval: "selfcheck:table2" */
    const struct chain_set *set;
    bool fits; /* --split half */
};

extern const struct reproduction reproductions[]; /* ends with an entry of zeros */
/* The reproductions that `names` choose ("all", "selfcheck:all" or a name each), in the order of
 * the list, in `arena`. RDV_E_ARGUMENT: there is no such name. */
int reproductions_named(const struct list *names, rdv_arena *arena,
                        const struct reproduction ***out, size_t *n, rdv_error *err);
/* --list. Returns the exit status. */
int reproductions_list(const struct settings *settings, const struct reproduction **of, size_t n);

/* ---- the papers' figures --------------------------------------------------------------------- */

/* The figures that the paper prints for `name`, one line each, beside ours: `table` is the text of
 * eval's table.json; p == NULL: none. *out, in `arena`, is empty if the paper prints none. Faults:
 * RDV_E_NOMEM; RDV_E_INPUT: `table` is no JSON. */
int paper_figures(const char *name, rdv_str table, rdv_arena *arena, rdv_str *out, rdv_error *err);

/* Where two tables of the same recipe have different figures, one line each. Rows are matched by
 * their texts, `profile` aside. In `arena`. Faults: RDV_E_NOMEM; RDV_E_INPUT: no JSON. */
int profile_figures(rdv_str paper, rdv_str robust, rdv_arena *arena, rdv_str *out, rdv_error *err);

/* ---- stages ---------------------------------------------------------------------------------- */

enum stage_state { STAGE_OPEN, STAGE_COMPLETE, STAGE_INCOMPLETE, STAGE_FAILED };

struct arguments {
    char **items;
    size_t n, cap;
};

struct stage {
    const char *name;
    const char *out;           /* the file that it writes */
    struct arguments command;  /* after "rederive" */
    struct arguments estimate; /* of a dry run where the inputs do not exist yet; n == 0: none */
    const char *print_to;      /* its standard output; NULL: as it is */
    struct stage **inputs;
    size_t n_inputs, cap_inputs;
    bool asks;                            /* a model */
    const struct reproduction *for_table; /* it makes the table in the folder `table`; NULL: none */
    const char *table;
    const char *beside; /* the folder of the same table in the first profile; NULL: it is that */
    bool skips_dry_run;
    enum stage_state state;
    bool ran; /* in this run */
};

struct stages {
    const struct settings *settings;
    rdv_arena *arena;
    const char *dir, *dry_dir; /* --out; a temporary folder of a dry run, or NULL */
    struct stage **items;
    size_t n, cap;
    const char *profile; /* of the stages that are being added */
    bool second;         /* it is the second profile, so files have its name */
    bool failed;         /* out of memory */
};

/* Add the stages of the reproduction; `dir` is where its table goes. RDV_E_ARGUMENT: the settings
 * do not suffice for it; RDV_E_NOMEM. */
int stages_add(struct stages *stages, const struct reproduction *of, const char *dir,
               rdv_error *err);
/* Run what is not complete, in order. Returns the exit status. */
int stages_run(struct stages *stages);
/* Add the requests of all stages that are not complete to `sums`. Returns the exit status. */
int stages_estimate(struct stages *stages, struct estimate_sums *sums);
/* The commands of all stages as a script for sh, in stages->arena. RDV_E_NOMEM. */
int stages_script(const struct stages *stages, rdv_str *out, rdv_error *err);

/* ---- the folder ------------------------------------------------------------------------------ */

/* The folder of the table of that name: `out` itself, or where there are several tables, one below
 * it. In `arena`; NULL: out of memory. */
char *reproduce_table_folder(const char *out, const char *name, size_t n_tables, rdv_arena *arena);
/* Create the folder and its reproduce.json, or check that the settings are those in it. Whether
 * something is fitted may change: the tables that it concerns are then computed again.
 * RDV_E_ARGUMENT: another setting; RDV_E_IO, RDV_E_INPUT, RDV_E_NOMEM. */
int manifest_open(const struct settings *settings, const struct reproduction **of, size_t n,
                  rdv_arena *arena, rdv_error *err);
/* Write a file that appears when it is complete. */
int reproduce_write(const char *path, rdv_str text, rdv_arena *arena, rdv_error *err);
/* The whole of a file of at most 256 MiB. RDV_NONE: there is none. */
int reproduce_read(const char *path, rdv_arena *arena, rdv_str *out, rdv_error *err);
#define STAGE_MARK ".incomplete"
/* The file beside a stage's output that says that a run left it incomplete; in stages->arena. NULL:
 * out of memory. */
char *stage_mark(const struct stages *stages, const char *out);
/* Whether the stage's output is there, and no run left it incomplete. */
bool stage_is_done(const struct stages *stages, const char *out);
/* The index page of several tables. */
int reproduce_index(const struct stages *stages, rdv_error *err);
