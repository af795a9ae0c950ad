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

/* A file (SQLite) of replies, keyed by request. A reply is written before a plan sees it, so a run
 * that is killed at any moment and started again sends no request twice. The latest replies can be
 * lost if the machine loses power. */
typedef struct rdv_journal rdv_journal;

typedef enum rdv_journal_mode {
    RDV_JOURNAL_WRITE, /* created if missing; no other process may have it open. ":memory:" is one
                          that ends when it is closed */
    RDV_JOURNAL_READ   /* must exist; may also be an export in JSON Lines, which is held in
                          memory */
} rdv_journal_mode;

/* Open the journal at `path` (NUL-terminated) and read it completely: every reply must match its
 * checksum, and none may be missing. Each checksum is verified again when the reply is used.
 * *journal: owned by the caller, released with rdv_journal_close(); NULL on failure. Faults:
 * RDV_E_INPUT: the file is not a journal, has another version, or is damaged, or a line of an
 * export is invalid; RDV_E_IO: it cannot be opened, or another process has it; RDV_E_NOMEM. */
RDV_API int rdv_journal_open(const char *path, rdv_journal_mode mode, rdv_journal **journal,
                             rdv_error *err);
/* Close and set *journal to NULL. NULL and *NULL are accepted. No run may be using it. */
RDV_API void rdv_journal_close(rdv_journal **journal);

/* ---- the built-in model ---------------------------------------------------------------------- */

/* The weights and the vocabulary of a model file. */
typedef struct rdv_lm rdv_lm;

/* An open model file. */
typedef struct rdv_builtin {
    rdv_lm *lm;
    rdv_str name; /* "rederive-1@0123456789ab": the model's name and the beginning of the SHA-256
                     of its file. It is part of the keys, so another file never answers from an
                     old journal */
    const rdv_str *prompts; /* ids of the prompts that it was trained on; n_prompts 0: not given */
    size_t n_prompts;
} rdv_builtin;

/* Open the model file at `path` (NUL-terminated). `name` replaces the model's own name; p == NULL:
 * it does not. *out: released with rdv_builtin_close(), after every run that uses it; its texts are
 * in `arena`; all zero on failure. Faults: RDV_E_IO (it cannot be read); RDV_E_INPUT (not a GGUF
 * file, truncated, or not supported by the engine); RDV_E_LIMIT (larger than a stated limit);
 * RDV_E_NOMEM.
 *
 * A run computes requests on a separate thread, up to 64 together, with 256 MiB for their keys and
 * values. A draw's seed is part of the request's key: the same request has the same reply, whatever
 * runs beside it. The default of temperature and top_p is 1; max_tokens 0 extends to the end of the
 * context. A prompt that does not fit fails with RDV_FAIL_REFUSED, a reward request with
 * RDV_FAIL_UNAVAILABLE. No request is retried, because it would fail in the same way. */
RDV_API int rdv_builtin_open(const char *path, rdv_str name, rdv_arena *arena, rdv_builtin *out,
                             rdv_error *err);

/* Close the file; *model becomes all zero and may be all zero before. No run may use it any
 * more. */
RDV_API void rdv_builtin_close(rdv_builtin *model);

/* ---- options --------------------------------------------------------------------------------- */

typedef enum rdv_run_mode {
    RDV_RUN_ASK,    /* journal first, then the server */
    RDV_RUN_REPLAY, /* journal only: a missing reply fails with RDV_FAIL_MISSING */
    RDV_RUN_BATCH   /* journal first; what it lacks is written to files, see rdv_batch */
} rdv_run_mode;

/* What runs the batch, which decides the form of requests, because nothing is asked before. */
typedef enum rdv_batch_server {
    RDV_BATCH_OPENAI = 0,       /* OpenAI's chat models, and providers with the same interface */
    RDV_BATCH_OPENAI_REASONING, /* models that take max_completion_tokens, and no temperature,
                                   top_p, stop or logprobs */
    RDV_BATCH_VLLM              /* vllm run-batch */
} rdv_batch_server;

/* A run in rounds, each of which writes all requests that are ready to files in OpenAI's Batch
 * format (docs/batch.md). The results are imported into the journal, and the same run is started
 * again, until it ends with RDV_END_DONE. A plan that waits for a result is closed with
 * RDV_FAIL_CANCELLED and handed back partial: it is to be left out. */
typedef struct rdv_batch {
    const char *path; /* "requests.jsonl" stands for "requests-001.jsonl" and so on, counted by
                         the journal. No existing file is replaced. Borrowed until
                         rdv_run_free() */
    rdv_batch_server server; /* default RDV_BATCH_OPENAI */
    uint64_t max_requests;   /* in a file; default 50000 */
    uint64_t max_bytes;      /* of a file; default 200 million */
    bool again;              /* also write what earlier rounds wrote and has no result, and what
                                failed for good; default false */
} rdv_batch;

/* The endpoint of one model role. */
typedef struct rdv_endpoint {
    rdv_model_spec spec;        /* ignored in modes that send nothing */
    const rdv_builtin *builtin; /* the built-in model; borrowed until rdv_run_free(). NULL: a
                                   server is asked */
    rdv_str api_key;            /* p == NULL: none is sent. Never logged, journalled or shown */
    rdv_abilities abilities;    /* known from rdv_run_probe(); zeros: determined during the run */
} rdv_endpoint;

/* The limits of a run's usage. 0: no limit. After one is reached no further call starts, calls in
 * flight may complete, and plans that need more calls are closed with RDV_FAIL_BUDGET. What a call
 * may use is reserved before it is sent, so tokens and cost are not exceeded by requests that limit
 * their reply, at servers that keep to it; docs/cli.md says how. A call that does not fit is left
 * out, and those that fit go on. */
typedef struct rdv_budget {
    uint64_t calls;         /* calls sent, including retries */
    uint64_t tokens;        /* prompt and completion */
    uint64_t cost_microusd; /* from the prices in the options */
    double seconds;         /* since rdv_run_plans() */
} rdv_budget;

/* A snapshot of a run. */
typedef struct rdv_run_totals {
    uint64_t plans_open, plans_done;
    uint64_t answered;                         /* requests that got a reply from any source */
    uint64_t cached;                           /* of those, replies from the journal */
    uint64_t failed;                           /* requests that got none */
    uint64_t in_flight;                        /* calls now in flight */
    uint64_t retrying;                         /* calls waiting to be retried */
    uint64_t sent;                             /* calls sent, tries included */
    uint64_t retries;                          /* tries after the first */
    uint64_t prompt_tokens, completion_tokens; /* of this run's own calls; bytes/4 if the server
                                                  does not report them */
    uint64_t cost_microusd;
    double seconds;  /* since rdv_run_plans() */
    double waits;    /* seconds until a server that requested a long pause may be asked again; 0:
                        none did */
    size_t capacity; /* calls that may now be in flight, all hosts together */
    uint64_t failures[RDV_FAIL_MISSING + 1]; /* `failed` by rdv_failure */
    uint64_t batch_round;                    /* RDV_RUN_BATCH: from 1; 0: another mode */
    uint64_t batch_files, batch_written;     /* files and requests written by this run */
    uint64_t batch_again;    /* of those requests: written by an earlier round too */
    uint64_t batch_expected; /* needed, and expected from an earlier round */
} rdv_run_totals;

/* What one server did in a run; the sums over all servers are those of rdv_run_totals. */
typedef struct rdv_server_totals {
    rdv_str url;       /* borrowed from the options; p == NULL: not a server */
    uint64_t calls;    /* sent to it, tries and those of its survey included */
    uint64_t answered; /* with a reply that was used */
    uint64_t failed;   /* without one */
    uint64_t prompt_tokens, completion_tokens;
    double seconds; /* the sum of the times of the replies, each from its call on */
    bool aside;     /* it fails, so it is asked only now and then */
    bool left_out;  /* it refused every request, so it is asked no more */
} rdv_server_totals;

/* Fill with rdv_run_options_default(), then set members. Texts are borrowed until
 * rdv_run_free(). */
typedef struct rdv_run_options {
    size_t size;                     /* sizeof(rdv_run_options) */
    rdv_run_mode mode;               /* default RDV_RUN_ASK */
    rdv_endpoint generator, checker; /* the same host shares its limits */
    rdv_journal *journal;            /* NULL: none. Borrowed until rdv_run_free() */
    bool journal_requests;           /* store the request beside each reply; default true */
    size_t jobs;                     /* calls in flight per host; default 64 */
    double rpm, tpm;                 /* calls and tokens per minute and host; 0: no limit
                                        (default) */
    uint32_t timeout_ms;             /* for one complete try; default 600 s */
    uint32_t idle_ms;                /* between two pieces of a reply; default 60 s */
    uint32_t connect_ms;             /* until connected; default 15 s */
    uint32_t retries;                /* after the first try; default 6 */
    uint32_t backoff_ms;             /* of the first retry, doubled with each; default 1 s */
    size_t max_body;                 /* bytes of a reply; default 16 MiB */
    size_t max_plans;                /* open at a time; 0: four per job (default) */
    rdv_budget budget;
    double price_in, price_out; /* US dollars per million tokens; default 0 */
    uint64_t seed;              /* of the waiting times' jitter */
    uint32_t progress_ms;       /* between two calls of `progress`; default 1 s */
    void (*progress)(void *payload, const rdv_run_totals *totals); /* NULL: none */
    /* Called for the first request of a run whose prompt the built-in model was not trained on.
     * NULL: none. */
    void (*untrained)(void *payload, const rdv_request *request);
    /* A message for the user during the run, for example that the server does not list the model,
     * or requests a pause of an hour: one line, borrowed for the call. NULL: none. */
    void (*notice)(void *payload, const char *line);
    void *payload; /* given to `progress`, `untrained` and `notice` */
    /* Further servers of the two models (rdv_model_parse_servers() reads them): a request goes to
     * the server that is expected to reply first, and to another if that one fails. Limits apply to
     * each host, budgets to all. At most RDV_MODEL_MOST_SERVERS - 1 each; NULL, 0: none (default).
     * Borrowed until rdv_run_free(). */
    const rdv_endpoint *more_generators, *more_checkers;
    size_t n_more_generators, n_more_checkers;
    rdv_batch batch; /* for RDV_RUN_BATCH, which also needs a journal that is open to be written,
                        and uses no further servers. `retries` is then the number of results that
                        may fail after the first; of the budget, `calls` limits the requests that
                        are written */
    bool trust_unfinished; /* read the replies of servers that give none a finish_reason
                              (RDV_FINISH_UNSAID) as if they were whole; default false */
    bool anyway; /* ask by chat although the server says that its model has no chat template;
                    default false: the run ends with RDV_END_REFUSED before its first such call */
    /* Called before each exchange that asks a server what it can do, with its number from 1: a
     * server may take seconds for each. NULL: none. */
    void (*surveyed)(void *payload, rdv_str host, unsigned exchange);
    bool separate_samples; /* each sample and each chain is a call of its own, also at a server
                              that gives several replies to one call (`n`); default false */
} rdv_run_options;

/* Sets every member: `size` to sizeof(rdv_run_options), the others to the defaults stated above,
 * otherwise zero. Cannot fail, owns nothing. */
RDV_API void rdv_run_options_default(rdv_run_options *options, size_t size);

/* ---- running --------------------------------------------------------------------------------- */

#define RDV_LATER 2 /* returned by a source's `next` */

/* The source and the sink of plans. rdv_run_plans() calls both functions on its own thread; a fault
 * ends the run. */
typedef struct rdv_plan_source {
    /* The next plan, owned by the run until it is handed back. RDV_NONE: there is no further plan.
     * RDV_LATER, while plans are open: none yet, ask again soon. At most max_plans are taken ahead,
     * so memory does not grow with the input. */
    int (*next)(void *payload, rdv_plan **plan, rdv_error *err);
    /* A plan that is handed back, in the order of `next`; the caller owns it again, to read and
     * free. It is done, but after a fault of the run: then rdv_plan_done() tells. */
    int (*done)(void *payload, rdv_plan *plan, rdv_error *err);
    void *payload;
} rdv_plan_source;

/* Why a run ended. */
typedef enum rdv_run_end {
    RDV_END_DONE,    /* every plan is complete */
    RDV_END_BUDGET,  /* a budget was reached, or held not every call; every plan was handed back */
    RDV_END_STOPPED, /* rdv_run_stop() */
    RDV_END_REFUSED, /* the server refuses every request: a wrong key, an unknown model */
    RDV_END_UNREACHABLE, /* the server never answered */
    RDV_END_WAITING      /* RDV_RUN_BATCH: results are to be imported first */
} rdv_run_end;

typedef struct rdv_run rdv_run;

/* *run: owned by the caller, released with rdv_run_free(); NULL on failure.
 * Faults: RDV_E_ARGUMENT, RDV_E_NOMEM, RDV_E_IO. */
RDV_API int rdv_run_new(const rdv_run_options *options, rdv_run **run, rdv_error *err);
/* NULL and *NULL are accepted; *run becomes NULL. */
RDV_API void rdv_run_free(rdv_run **run);

/* Drive the plans of `source` to completion. May be called again with another source: budgets and
 * totals continue. When the run ends early, calls in flight are abandoned (after a budget:
 * awaited), and every open plan is closed and handed back. Further plans are taken only after a
 * budget is reached, and are answered from the journal where possible. RDV_OK however the run
 * ended, see rdv_run_ended(). Faults: those of the source, RDV_E_IO (the journal), RDV_E_NOMEM;
 * plans that are still open are then closed and handed back by `done`. */
RDV_API int rdv_run_plans(rdv_run *run, const rdv_plan_source *source, rdv_error *err);
/* The reason for the end; *why (may be NULL): one line for people, borrowed from the run. */
RDV_API rdv_run_end rdv_run_ended(const rdv_run *run, const char **why);
/* End the run soon. May be called from any thread and from signal handlers. */
RDV_API void rdv_run_stop(rdv_run *run);

/* Fill in *totals with the current totals of all sources so far. Cannot fail. Called on the run's
 * own thread, also from its callbacks. */
RDV_API void rdv_run_totals_now(const rdv_run *run, rdv_run_totals *totals);

/* The totals of server number `i`, from 0, those of the generator first. RDV_NONE: there is no such
 * server. Called as rdv_run_totals_now(). */
RDV_API int rdv_run_server_totals(const rdv_run *run, size_t i, rdv_server_totals *totals);

/* ---- estimating ------------------------------------------------------------------------------ */

typedef struct rdv_estimate_calls {
    /* A call that the plan would make, with the approximate numbers of tokens. `joins`: a server
     * that gives several replies to one call is asked for this one by the call before. */
    void (*call)(void *payload, const rdv_request *request, bool joins, uint64_t prompt_tokens,
                 uint64_t completion_tokens);
    void *payload;
} rdv_estimate_calls;

/* Drive a plan, made with options.bound = `bound`, to completion with replies from the journal
 * (NULL: none), otherwise with dry replies, and report each call. Requests of one key share a call;
 * a request that the journal answers makes none. With RDV_BOUND_MOST a reply is as long as its
 * prompt allows. Nothing is sent or written. Faults: those of the journal and RDV_E_NOMEM. */
RDV_API int rdv_plan_estimate(rdv_plan *plan, rdv_bound bound, rdv_journal *journal,
                              const rdv_estimate_calls *calls, rdv_error *err);

/* ---- probing --------------------------------------------------------------------------------- */

typedef struct rdv_probe {
    rdv_str *models; /* listed by GET /models; n_models 0: none */
    size_t n_models;
    rdv_software software; /* the server's software, as far as it is reported */
    size_t slots;          /* replies computed at a time; 0: not reported */
    bool no_template;      /* the model has no chat template: it is a base model */
    rdv_abilities abilities;
    rdv_str why; /* the response to the first chat request if it was refused; p == NULL: none */
} rdv_probe;

/* Determine the abilities of the endpoint's server, with one small call for each ability (about
 * fifteen, of a few tokens each). Where its model has no name (of length 0), no model is asked:
 * only the server's models and software are determined. *out: texts in `arena`. Only mode,
 * timeouts, retries and `notice` of `options` are used. RDV_OK also when every call was refused:
 * see the abilities and `why`. Faults: RDV_E_IO: the server cannot be reached or refuses the key;
 * RDV_E_NOMEM. */
RDV_API int rdv_run_probe(const rdv_endpoint *endpoint, const rdv_run_options *options,
                          rdv_arena *arena, rdv_probe *out, rdv_error *err);

#ifdef __cplusplus
}
#endif
