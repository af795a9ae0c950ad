/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A model session: models, journal, limits and budgets of one command, and how its run ended. */
#include "usage_table.h"
#include "run.h"

#include "base/buf.h"

#include <rederive/run.h>

struct model_session {
    const struct settings *settings;
    rdv_arena *arena; /* names, keys, prompts */
    rdv_run_options options;
    rdv_str generator, checker; /* the models' names; p == NULL: not given */
    rdv_prompts *prompts;       /* for every plan */
    rdv_plan_options plan;      /* for every plan; the command sets methods, chains and votes */
    rdv_builtin builtin[2];     /* built-in: generator, and checker if another file */
    rdv_journal *journal;       /* NULL: none */
    const char *journal_path;
    rdv_run *run;
    rdv_run_totals totals;    /* set when session_plans() has returned */
    uint64_t waiting;         /* plans that wait for results of a batch */
    uint64_t expected;        /* number of plans, set by the command; 0: not known yet */
    struct progress progress; /* of the plans */
    struct run *teller;       /* decides whether progress is shown */
    struct timespec surveyed; /* when a survey was told of last; 0: not yet */
    bool survey_shown;        /* on the terminal's last line */
};

enum session_purpose { SESSION_CHECKS, SESSION_SOLUTIONS };

/* Read the settings. `wanted_by`: what needs a model, for the message when there is none.
 * On failure session_end() must still be called. RDV_E_ARGUMENT: the command line; RDV_E_IO,
 * RDV_E_INPUT, RDV_E_LIMIT: --prompt-dir; RDV_E_NOMEM. */
int session_options_read(struct model_session *session, const struct settings *settings,
                         enum session_purpose what, const char *wanted_by, rdv_error *err);
/* Open the files of built-in models; session_begin() does this too. Faults: those of
 * builtin_open(). */
int session_open_models(struct model_session *session, rdv_error *err);
/* Open the models and the journal and prepare the run. Faults: those of both;
 * RDV_E_ARGUMENT: a transcript of several models, with none of them named. */
int session_begin(struct model_session *session, struct run *teller, rdv_error *err);
/* Show notices of a run or a probe as they come, unless --quiet, and how far a survey is: on a
 * terminal in a line that is overwritten, else a line each ten seconds. session_begin() does this
 * too. */
void session_take_notices(struct model_session *session);
/* Take the line of a survey off the terminal. */
void session_end_survey(struct model_session *session);
/* Run all plans of `source` to their end; Ctrl-C ends the run early. Returns as rdv_run_plans(). */
int session_plans(struct model_session *session, const rdv_plan_source *source, rdv_error *err);
/* Report why the run ended early and how to resume, and set how `run` ends. */
void session_conclude(struct model_session *session, struct run *run);
/* Write the usage of the run, and of each server where a model has several; as JSON: members after
 * others of an object. */
void session_usage(const struct model_session *session, FILE *out);
void session_usage_json(const struct model_session *session, FILE *out);
static inline bool session_priced(const struct model_session *session)
{
    return session->options.price_in > 0 || session->options.price_out > 0;
}

/* Put into `b` the record members that name the models it rests on: "generator" and "checker", each
 * only if that model was asked for this record, and with the checker the "profile". */
void session_put_models(const struct model_session *session, bool generated, bool checked,
                        rdv_buf *b);
/* The name of the profile. Static. */
rdv_str session_profile(const struct model_session *session);
/* Before "checker" and "profile" replace those of the record: the `first` checks, which were made
 * with those, keep them as their own. RDV_OK or RDV_E_NOMEM. */
int session_keep_makers(const struct model_session *session, const rdv_chain *chain, size_t first,
                        rdv_arena *arena, rdv_error *err);
/* Release everything. A zero-initialised session is accepted. */
void session_end(struct model_session *session);
