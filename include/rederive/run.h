/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/run.h - driving plans: servers, limits, retries, budgets, and the journal.
 *
 *     rdv_journal *journal;                             replies, kept as they come
 *     rdv_run *run;
 *     rdv_journal_open(path, RDV_JOURNAL_WRITE, &journal, err);
 *     rdv_run_options_default(&options, sizeof options);
 *     options.generator.spec = ...; options.journal = journal;
 *     rdv_run_new(&options, &run, err);
 *     rdv_run_plans(run, &source, err);                   until all plans are handed back
 *     rdv_run_totals_now(run, &totals);
 *     rdv_run_free(&run);
 *     rdv_journal_close(&journal);
 *
 * Thread rule: a run and its journal are used by one thread; only rdv_run_stop() may be called from
 * another thread or a signal handler. Nothing here prints. */
#include <rederive/model.h>
#include <rederive/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the journal ----------------------------------------------------------------------------- */

/* A file of replies by the key of their request (SQLite). A reply is in the file before a plan sees
 * it, so a run that is killed at any moment and started again asks nothing twice. The last ones can
 * be lost when the machine itself loses power. */
typedef struct rdv_journal rdv_journal;

typedef enum rdv_journal_mode {
    RDV_JOURNAL_WRITE, /* made where it is missing; no other process may have it open */
    RDV_JOURNAL_READ   /* must exist; may also be an export in JSON Lines, held in memory then */
} rdv_journal_mode;

/* Open the journal at `path` (NUL-terminated) and read it through: every reply has to match its
 * checksum, and none may be missing; each is seen to match again when it is used.
 * *journal: owned by the caller, released with rdv_journal_close(); NULL on failure.
 * Faults: RDV_E_INPUT: the file is something else, of another version, or damaged, or a line of an
 * export is bad; RDV_E_IO: it cannot be opened, or another process has it; RDV_E_NOMEM. */
RDV_API int rdv_journal_open(const char *path, rdv_journal_mode mode, rdv_journal **journal,
                             rdv_error *err);
/* Close and set *journal to NULL. NULL and *NULL are accepted. Not while a run uses it. */
RDV_API void rdv_journal_close(rdv_journal **journal);

/* ---- the built-in model ---------------------------------------------------------------------- */

/* The weights and the vocabulary of a model file. */
typedef struct rdv_lm rdv_lm;

/* A model file that is open. */
typedef struct rdv_builtin {
    rdv_lm *lm;
    rdv_str name; /* "rederive-1@0123456789ab": the model's and the beginning of the SHA-256 of its
                     file; what keys are made of, so that another file never answers from an old
                     journal */
    const rdv_str *prompts; /* ids of those that it was trained on; n_prompts 0: not said */
    size_t n_prompts;
} rdv_builtin;

/* Open the model file at `path` (NUL-terminated). `name` stands in the place of the model's own
 * name; p == NULL: it does not. *out: released with rdv_builtin_close(), after every run that uses
 * it; its texts are in `arena`; all zero on failure. Faults: RDV_E_IO
 * (it cannot be read); RDV_E_INPUT (not a GGUF file, cut off, or not what the engine runs);
 * RDV_E_LIMIT (larger than a stated limit); RDV_E_NOMEM.
 *
 * A run asks it on a thread of its own, up to 64 requests together, with 256 MiB for their keys and
 * values. A draw's seed is part of the request's key: the same request has the same reply, whatever
 * is asked beside it. Temperature and top_p that are not said are 1; max_tokens 0 is as far as the
 * context goes. A prompt that does not fit fails with RDV_FAIL_REFUSED, a reward with
 * RDV_FAIL_UNAVAILABLE. Nothing is tried again, since it would go the same way. */
RDV_API int rdv_builtin_open(const char *path, rdv_str name, rdv_arena *arena, rdv_builtin *out,
                             rdv_error *err);

/* Close the file; *model becomes all zero, and may be so before. After every run that uses it. */
RDV_API void rdv_builtin_close(rdv_builtin *model);

/* ---- options --------------------------------------------------------------------------------- */

typedef enum rdv_run_mode {
    RDV_RUN_ASK,   /* journal first, then the server */
    RDV_RUN_REPLAY /* journal only: what is missing fails with RDV_FAIL_MISSING */
} rdv_run_mode;

/* Who answers for one party. */
typedef struct rdv_endpoint {
    rdv_model_spec spec;        /* not looked at in the modes that ask nobody */
    const rdv_builtin *builtin; /* asked here; borrowed until rdv_run_free(). NULL: a server is */
    rdv_str api_key;            /* p == NULL: none is sent. Never logged, journalled or shown */
    rdv_abilities abilities; /* what is known from rdv_run_probe(); zeros: found out on the way */
} rdv_endpoint;

/* What a run may spend. 0: no limit. When one is reached no further call starts, calls in flight
 * may end, and plans that need more are closed with RDV_FAIL_BUDGET. */
typedef struct rdv_budget {
    uint64_t calls;         /* sent, tries included */
    uint64_t tokens;        /* prompt and completion */
    uint64_t cost_microusd; /* by the prices of the options */
    double seconds;         /* since rdv_run_plans() */
} rdv_budget;

/* A picture of a run at one moment. */
typedef struct rdv_run_totals {
    uint64_t plans_open, plans_done;
    uint64_t answered;                         /* requests that got a reply, from wherever */
    uint64_t cached;                           /* of those, from the journal */
    uint64_t failed;                           /* requests that got none */
    uint64_t in_flight;                        /* calls out now */
    uint64_t retrying;                         /* waiting to be tried again */
    uint64_t sent;                             /* calls sent, tries included */
    uint64_t retries;                          /* tries after the first */
    uint64_t prompt_tokens, completion_tokens; /* of this run's own calls; bytes/4 where the server
                                                  did not say */
    uint64_t cost_microusd;
    double seconds;  /* since rdv_run_plans() */
    double waits;    /* seconds until a server that asked to be left alone for long may be asked
                        again; 0: none did */
    size_t capacity; /* calls that may now be out at a time, all hosts together */
    uint64_t failures[RDV_FAIL_MISSING + 1]; /* `failed` by rdv_failure */
} rdv_run_totals;

/* Fill with rdv_run_options_default(), then set. Texts are borrowed until rdv_run_free(). */
typedef struct rdv_run_options {
    size_t size;                     /* sizeof(rdv_run_options) */
    rdv_run_mode mode;               /* default RDV_RUN_ASK */
    rdv_endpoint generator, checker; /* the same host shares its limits */
    rdv_journal *journal;            /* NULL: none. Borrowed until rdv_run_free() */
    bool journal_requests;           /* keep what was asked beside each reply; default true */
    size_t jobs;                     /* calls in flight a host; default 64 */
    double rpm, tpm;                 /* calls and tokens a minute a host; 0: no limit (default) */
    uint32_t timeout_ms;             /* of one try, whole; default 600 s */
    uint32_t idle_ms;                /* between two pieces of a reply; default 60 s */
    uint32_t connect_ms;             /* until connected; default 15 s */
    uint32_t retries;                /* after the first try; default 6 */
    uint32_t backoff_ms;             /* of the first retry, doubled with each; default 1 s */
    size_t max_body;                 /* bytes of a reply; default 16 MiB */
    size_t max_plans;                /* open at a time; 0: four a job (default) */
    rdv_budget budget;
    double price_in, price_out; /* US dollars a million tokens; default 0 */
    uint64_t seed;              /* of the waiting times' jitter */
    uint32_t progress_ms;       /* between two calls of `progress`; default 1 s */
    void (*progress)(void *payload, const rdv_run_totals *totals); /* NULL: none */
    /* The built-in model is asked with a prompt that it was not trained on: called for the first
     * such request of a run. NULL: none. */
    void (*untrained)(void *payload, const rdv_request *request);
    /* Something that its user should know while the run goes on, such as that the server does not
     * list the model, or asks to be left alone for an hour: one line, borrowed for the call. NULL:
     * none. */
    void (*notice)(void *payload, const char *line);
    void *payload; /* given to `progress`, `untrained` and `notice` */
} rdv_run_options;

/* Sets every member: `size`, which is sizeof(rdv_run_options), what is said above of each,
 * otherwise zero. Cannot fail, owns nothing. */
RDV_API void rdv_run_options_default(rdv_run_options *options, size_t size);

/* ---- running --------------------------------------------------------------------------------- */

#define RDV_LATER 2 /* of a source's `next` */

/* Where plans come from and go to. Both are called by rdv_run_plans() on its own thread; a fault
 * ends the run. */
typedef struct rdv_plan_source {
    /* The next plan, the run's until it is handed back; RDV_NONE: there is no further one;
     * RDV_LATER, while plans are open: none yet, ask again soon. Called only as far ahead as
     * max_plans, so memory does not grow with the input. */
    int (*next)(void *payload, rdv_plan **plan, rdv_error *err);
    /* A plan that is done, in the order they came; the caller's again, to read and free. */
    int (*done)(void *payload, rdv_plan *plan, rdv_error *err);
    void *payload;
} rdv_plan_source;

/* Why a run ended. */
typedef enum rdv_run_end {
    RDV_END_DONE,       /* every plan ran to its end */
    RDV_END_BUDGET,     /* a budget was reached; every plan was still handed back */
    RDV_END_STOPPED,    /* rdv_run_stop() */
    RDV_END_REFUSED,    /* the server refuses everything: a wrong key, a model it does not know */
    RDV_END_UNREACHABLE /* the server never answered */
} rdv_run_end;

typedef struct rdv_run rdv_run;

/* *run: owned by the caller, released with rdv_run_free(); NULL on failure.
 * Faults: RDV_E_ARGUMENT, RDV_E_NOMEM, RDV_E_IO. */
RDV_API int rdv_run_new(const rdv_run_options *options, rdv_run **run, rdv_error *err);
/* NULL and *NULL are accepted; *run becomes NULL. */
RDV_API void rdv_run_free(rdv_run **run);

/* Drive the plans of `source` to their end. May be called again with another source: budgets and
 * totals go on. When the run ends early, calls in flight are given up (after a budget: awaited),
 * every open plan is closed and handed back; further plans are taken only after a budget, and
 * answered from the journal as far as it goes. RDV_OK however the run ended: rdv_run_ended() says;
 * a fault is one of the source's, the journal's (RDV_E_IO) or RDV_E_NOMEM, and then plans that are
 * still open are handed back by `done` all the same, closed. */
RDV_API int rdv_run_plans(rdv_run *run, const rdv_plan_source *source, rdv_error *err);
/* Why it ended; *why (may be NULL): one line for people, borrowed from the run. */
RDV_API rdv_run_end rdv_run_ended(const rdv_run *run, const char **why);
/* End soon: from any thread, and from signal handlers. */
RDV_API void rdv_run_stop(rdv_run *run);

/* Fills in *totals as they stand: of all sources so far. Cannot fail. By the run's own thread, from
 * its callbacks too. */
RDV_API void rdv_run_totals_now(const rdv_run *run, rdv_run_totals *totals);

/* ---- estimating ------------------------------------------------------------------------------ */

typedef struct rdv_estimate_calls {
    /* A call that the plan would make, with about so many tokens. */
    void (*call)(void *payload, const rdv_request *request, uint64_t prompt_tokens,
                 uint64_t completion_tokens);
    void *payload;
} rdv_estimate_calls;

/* Drive a plan, made with options.bound = `bound`, to its end with dry replies, or with those that
 * the journal (NULL: none) has, and tell of each call. Requests of one key share a call; what the
 * journal answers is none. With RDV_BOUND_MOST a reply is as long as its prompt allows. Nothing is
 * sent or written. Faults: those of the journal and RDV_E_NOMEM. */
RDV_API int rdv_plan_estimate(rdv_plan *plan, rdv_bound bound, rdv_journal *journal,
                              const rdv_estimate_calls *calls, rdv_error *err);

/* ---- probing --------------------------------------------------------------------------------- */

typedef struct rdv_probe {
    rdv_str *models; /* what GET /models names; n_models 0: it says nothing */
    size_t n_models;
    rdv_software software; /* which program it is, as far as it tells */
    size_t slots;          /* replies that it works on at a time; 0: not said */
    bool no_template;      /* the model has no chat template: it is a base model */
    rdv_abilities abilities;
    rdv_str
        why; /* what came in answer to the first chat, when it was refused; p == NULL: nothing */
} rdv_probe;

/* Find out what the endpoint's server can do, with one small call for each ability (about fifteen,
 * a few tokens each). *out: texts in `arena`. Only mode, timeouts, retries and `notice` of
 * `options` are used. RDV_OK also when every call was refused: see the abilities and `why`. Faults:
 * RDV_E_IO: the server cannot be reached or refuses the key; RDV_E_NOMEM. */
RDV_API int rdv_run_probe(const rdv_endpoint *endpoint, const rdv_run_options *options,
                          rdv_arena *arena, rdv_probe *out, rdv_error *err);

#ifdef __cplusplus
}
#endif
