/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Asking models for a command: which ones, the journal, the budget, and how it went. */
#include "ledger.h"
#include "run.h"

#include "base/buf.h"

#include <rederive/run.h>

struct asking {
    const struct settings *settings;
    rdv_arena *arena; /* names, keys, prompts */
    rdv_run_options options;
    rdv_prompts *prompts;   /* of every plan */
    rdv_plan_options plan;  /* for every plan; its methods, chains and votes are the command's */
    rdv_builtin builtin[2]; /* models that are run here: the generator, the checker where it is
                               another file */
    rdv_journal *journal;   /* NULL: none */
    const char *journal_path;
    rdv_run *run;
    struct ledger ledger;     /* of the calls that were asked, or would be (--dry-run) */
    rdv_run_totals totals;    /* once asking_plans() has returned */
    uint64_t expected;        /* plans there will be; 0: not known yet. The command sets it */
    const struct run *teller; /* who says whether progress is shown */
};

enum asking_for { ASKING_CHECKS, ASKING_SOLUTIONS };

/* Read the settings. `wanted_by` is who needs a model, for the message when there is none.
 * On failure asking_end() must still be called. RDV_E_ARGUMENT: the command line; RDV_E_IO,
 * RDV_E_INPUT, RDV_E_LIMIT: --prompt-dir; RDV_E_NOMEM. */
int asking_read(struct asking *asking, const struct settings *settings, enum asking_for what,
                const char *wanted_by, rdv_error *err);
/* Open the files of built-in models; asking_begin() does it too. Faults: those of builtin_open().
 */
int asking_open_models(struct asking *asking, rdv_error *err);
/* Open models and the journal and be ready to run. Faults: those of both;
 * RDV_E_ARGUMENT: a transcript of several models, none of them named. */
int asking_begin(struct asking *asking, const struct run *teller, rdv_error *err);
/* Have what a run or a probe says while it goes on shown, unless --quiet; asking_begin() does it
 * too.
 */
void asking_take_notices(struct asking *asking);
/* Drive all plans of `feed` to their end; Ctrl-C ends it. As rdv_run_plans(). */
int asking_plans(struct asking *asking, const rdv_plan_feed *feed, rdv_error *err);
/* Say why it ended early and how to go on, and set how `run` ends. */
void asking_conclude(struct asking *asking, struct run *run);
bool asking_priced(const struct asking *asking);
/* Put into `b` the members of a record that say whose words it rests on: "generator" and "checker",
 * each only where that model was asked for this record. */
void asking_put_models(const struct asking *asking, bool generated, bool checked, rdv_buf *b);
/* Release everything. A zeroed one is accepted. */
void asking_end(struct asking *asking);
