/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Asking models for a command: which ones, the journal, the budget, and how it went. */
#include "usage_table.h"
#include "run.h"

#include "base/buf.h"

#include <rederive/run.h>

struct model_session {
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
    rdv_run_totals totals;    /* once session_plans() has returned */
    uint64_t expected;        /* plans there will be; 0: not known yet. The command sets it */
    const struct run *teller; /* who says whether progress is shown */
};

enum session_purpose { SESSION_CHECKS, SESSION_SOLUTIONS };

/* Read the settings. `wanted_by` is who needs a model, for the message when there is none.
 * On failure session_end() must still be called. RDV_E_ARGUMENT: the command line; RDV_E_IO,
 * RDV_E_INPUT, RDV_E_LIMIT: --prompt-dir; RDV_E_NOMEM. */
int session_options_read(struct model_session *session, const struct settings *settings,
                         enum session_purpose what, const char *wanted_by, rdv_error *err);
/* Open the files of built-in models; session_begin() does it too. Faults: those of builtin_open().
 */
int session_open_models(struct model_session *session, rdv_error *err);
/* Open models and the journal and be ready to run. Faults: those of both;
 * RDV_E_ARGUMENT: a transcript of several models, none of them named. */
int session_begin(struct model_session *session, const struct run *teller, rdv_error *err);
/* Have what a run or a probe says while it goes on shown, unless --quiet; session_begin() does it
 * too.
 */
void session_take_notices(struct model_session *session);
/* Drive all plans of `source` to their end; Ctrl-C ends it. As rdv_run_plans(). */
int session_plans(struct model_session *session, const rdv_plan_source *source, rdv_error *err);
/* Say why it ended early and how to go on, and set how `run` ends. */
void session_conclude(struct model_session *session, struct run *run);
bool session_priced(const struct model_session *session);
/* Put into `b` the members of a record that say whose words it rests on: "generator" and "checker",
 * each only where that model was asked for this record. */
void session_put_models(const struct model_session *session, bool generated, bool checked,
                        rdv_buf *b);
/* Release everything. A zeroed one is accepted. */
void session_end(struct model_session *session);
