/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The inference engine of the built-in language model.
 *
 * A model is a GGUF file (version 3) of the plain llama architecture with a "llama" (SentencePiece
 * BPE) tokenizer inside; weights are f32, f16, bf16 or q8_0. It may have a step head, a linear
 * function of the last states that says how likely a step is wrong. An engine runs many jobs on it
 * together:
 *
 *     rdv_lm_open(&lm, "models/rederive.gguf", err);
 *     rdv_lm_engine_new(&engine, lm, NULL, err);
 *     rdv_lm_submit(engine, &job, &id, err);                     any number of times, at any time
 *     while (rdv_lm_step(engine, err) == RDV_OK)                 some milliseconds of computing
 *         while (rdv_lm_poll(engine, &event) == RDV_OK)
 *             use(&event);
 *
 * Same job, same result, to the last bit of each log-probability: whatever else is in the batch,
 * whatever the number of threads, the size of the chunks, and what was cached. docs/model-engine.md
 * says what holds between machines.
 *
 * Thread rule: an rdv_lm is constant once it is open and may be shared by threads and engines; an
 * engine is used by one thread at a time. An engine starts threads of its own, which work inside
 * rdv_lm_step() only and sleep between. Nothing here reads a clock or the environment. */
#include <rederive/base.h>

/* ---- the model ------------------------------------------------------------------------------- */

typedef struct rdv_lm rdv_lm;

/* Map the file at `path` and check all of it: a file that opens can be run. *lm is released with
 * rdv_lm_close(); NULL on failure. Faults: RDV_E_IO (cannot be read); RDV_E_INPUT (not a GGUF file,
 * cut off, or not what this engine runs); RDV_E_LIMIT (larger than a stated limit); RDV_E_NOMEM. */
int rdv_lm_open(rdv_lm **lm, const char *path, rdv_error *err);
/* The same for a file that is in memory; `bytes` is borrowed until rdv_lm_close(). */
int rdv_lm_read(rdv_lm **lm, rdv_str bytes, rdv_error *err);
/* No engine of it may be left. NULL and *NULL are accepted; *lm becomes NULL. */
void rdv_lm_close(rdv_lm **lm);

/* Borrowed from the model. */
typedef struct rdv_lm_info {
    rdv_str name;          /* general.name; empty where the file has none */
    rdv_str chat_template; /* as the file has it; p == NULL: none */
    rdv_str weights;       /* "f32", "f16", "bf16", "q8_0": the embedding's type */
    uint32_t context;      /* tokens, prompt and reply together */
    uint32_t vocab;        /* tokens there are */
    uint32_t width, layers, heads, kv_heads, feed_forward;
    uint64_t params;       /* weights there are, norms included */
    uint64_t file_bytes;   /* mapped */
    uint64_t packed_bytes; /* weights laid out for this machine, in memory beside the file */
    bool chat;             /* has the tokens that rdv_lm_chat_tokens() needs */
    bool step_head;        /* has a head that judges steps: rdv_lm_job.step_ends */
} rdv_lm_info;

/* Fills in *info; its texts are borrowed from `lm`, until rdv_lm_close(). Cannot fail, from any
 * thread. */
void rdv_lm_about(const rdv_lm *lm, rdv_lm_info *info);

/* ---- tokens ---------------------------------------------------------------------------------- */

#define RDV_LM_NO_TOKEN UINT32_MAX

/* The tokens of any bytes, as llama.cpp makes them (without its parsing of special tokens: control
 * tokens never come from text). `begin`: as at the start of a prompt, that is with the file's
 * begin-of-text token before it where the file says so. *tokens in `arena`. Faults: RDV_E_NOMEM;
 * RDV_E_LIMIT: more than 2^30 bytes. */
int rdv_lm_tokens(const rdv_lm *lm, rdv_str text, bool begin, rdv_arena *arena, uint32_t **tokens,
                  size_t *n, rdv_error *err);
/* The bytes that tokens stand for, in `arena`: exactly the text that they were made from (but that
 * U+2581, by which the tokenizer writes a space, comes back as a space). Control tokens have no
 * bytes. Faults: RDV_E_NOMEM; RDV_E_ARGUMENT: no such token. */
int rdv_lm_text(const rdv_lm *lm, const uint32_t *tokens, size_t n, rdv_arena *arena, rdv_str *text,
                rdv_error *err);
/* The bytes of one token, borrowed from the model: part of a character for a byte token, empty for
 * a control token; p == NULL: no such token. */
rdv_str rdv_lm_piece(const rdv_lm *lm, uint32_t token);
/* The control token of this name ("<|end|>"); RDV_LM_NO_TOKEN: there is none. */
uint32_t rdv_lm_control(const rdv_lm *lm, rdv_str name);

/* The file's begin-of-text token where it asks for one, then <|ROLE|>, the tokens of the text and
 * <|end|> for each turn, then <|assistant|>. With `open`, the last turn, which must be the
 * assistant's, is left open for the model to go on with. What a text says of control tokens stays
 * text. */
typedef struct rdv_lm_turn {
    rdv_str role; /* "system", "user", "assistant" */
    rdv_str text;
} rdv_lm_turn;

/* *tokens in `arena`. Faults: RDV_E_ARGUMENT (no turn, an unknown role, `open` after another's
 * turn); RDV_E_INPUT (the model has no such control token); RDV_E_LIMIT; RDV_E_NOMEM. */
int rdv_lm_chat_tokens(const rdv_lm *lm, const rdv_lm_turn *turns, size_t n_turns, bool open,
                       rdv_arena *arena, uint32_t **tokens, size_t *n, rdv_error *err);

/* ---- the engine ------------------------------------------------------------------------------ */

typedef struct rdv_lm_engine rdv_lm_engine;

/* Zero-initialise; 0 means the default. */
typedef struct rdv_lm_options {
    uint32_t threads;     /* that compute, the caller's included; default: one a processor that this
                             process may use; at most 64 */
    uint32_t sequences;   /* computed together; default 32, at most 1024. Further jobs wait */
    uint32_t chunk;       /* prompt tokens computed in a step; default 256, at most 4096 */
    uint64_t cache_bytes; /* for keys and values, running and kept; default 256 MiB; raised to what
                             one full context needs. Taken from the system as it is used */
    bool forget;          /* keep nothing of one job for another */
} rdv_lm_options;

/* `options` may be NULL (all defaults); `lm` is borrowed until rdv_lm_engine_free(). On failure
 * *engine is NULL. Faults: RDV_E_ARGUMENT, RDV_E_NOMEM (no memory, or a thread cannot be made). */
int rdv_lm_engine_new(rdv_lm_engine **engine, const rdv_lm *lm, const rdv_lm_options *options,
                      rdv_error *err);
/* Ends its threads; running jobs end without an event. NULL and *NULL are accepted. */
void rdv_lm_engine_free(rdv_lm_engine **engine);

#define RDV_LM_MAX_TOP 20            /* most top_logprobs */
#define RDV_LM_MAX_STOPS 64          /* most stop strings, */
#define RDV_LM_MAX_STOP_BYTES 1024   /* and bytes of one */
#define RDV_LM_TO_THE_END UINT32_MAX /* max_tokens: no other limit than the context */

/* Zero-initialise, and set what is wanted: a zeroed job is greedy, scores and generates nothing.
 * Everything is copied by rdv_lm_submit(). */
typedef struct rdv_lm_job {
    const uint32_t *prompt; /* n_prompt >= 1 tokens, at most the context */
    size_t n_prompt;
    bool score;          /* the log-probabilities of the prompt's tokens are wanted, */
    size_t score_from;   /* from this one on; the first token of a prompt has none (NaN) */
    uint32_t max_tokens; /* to generate; 0: only score; RDV_LM_TO_THE_END */
    double temperature;  /* >= 0; 0: always the most probable token (of equals the lowest id) */
    double top_p;        /* in (0,1]: drawn from the most probable tokens that make up this share,
                            after the temperature; 0 is taken as 1 */
    uint64_t seed;       /* each draw is a function of the seed and the place in the context */
    const rdv_str *stop; /* the reply ends before any of these; none empty */
    size_t n_stop;
    uint32_t top_logprobs; /* alternatives at each place, at most RDV_LM_MAX_TOP */
    bool stream;           /* pieces are wanted as they come */
    /* Places of the prompt, ascending, at which the step head's logit is wanted; n_step_ends > 0:
     * nothing is scored or generated. */
    const size_t *step_ends;
    size_t n_step_ends;
    void *user; /* given back with each event */
} rdv_lm_job;

/* Log-probabilities are natural and of the model itself: before temperature and top_p. */
typedef struct rdv_lm_choice {
    uint32_t token;
    double logprob;
} rdv_lm_choice;

typedef struct rdv_lm_token {
    uint32_t token;           /* its bytes: rdv_lm_piece() */
    double logprob;           /* NaN: the first token of a prompt */
    const rdv_lm_choice *top; /* n_top of them, most probable first, equals by id */
    size_t n_top;
} rdv_lm_token;

typedef enum rdv_lm_finish {
    RDV_LM_STOP,  /* by itself (an end-of-text or other control token) or at a stop string */
    RDV_LM_LENGTH /* at max_tokens (so with nothing to generate), or the context is full */
} rdv_lm_finish;

typedef enum rdv_lm_event_kind {
    RDV_LM_PIECE, /* more text; only with `stream` */
    RDV_LM_DONE   /* the job has ended; its last event */
} rdv_lm_event_kind;

typedef struct rdv_lm_event {
    rdv_lm_event_kind kind;
    uint64_t id;
    void *user;
    /* Valid UTF-8: bytes of the model that are none become U+FFFD. PIECE: what comes next, whole
     * characters, never what a stop string may take back; DONE: all of it, which is the pieces one
     * after another. */
    rdv_str text;
    /* Tokens generated; PIECE: those whose bytes begin in its text; DONE: all. Where a stop string
     * begins within a token that token is the last. The token that ended the reply by itself is not
     * among them. */
    const rdv_lm_token *tokens;
    size_t n_tokens;
    /* DONE only, below. Prompt tokens from score_from on. */
    const rdv_lm_token *scored;
    size_t n_scored;
    const double *step_logits; /* of "this step is wrong", one for each of step_ends */
    size_t n_step_logits;
    rdv_lm_finish finish;
    rdv_str stopped_by;     /* the stop string; p == NULL: none */
    uint64_t prompt_tokens; /* of the prompt, */
    uint64_t cached_tokens; /* and of them found computed by an earlier job or this one's twin */
    uint64_t completion_tokens; /* generated, the token that ended it included */
} rdv_lm_event;

/* Take on a job; *id names it, counted from 1. Faults: RDV_E_ARGUMENT (a setting; no such token; a
 * model without a step head);
 * RDV_E_LIMIT (the prompt is longer than the context); RDV_E_NOMEM. */
int rdv_lm_submit(rdv_lm_engine *engine, const rdv_lm_job *job, uint64_t *id, rdv_error *err);
/* Compute one batch: a token of every job that is generating and some of the prompts that wait.
 * RDV_NONE: no job is left to compute. After a fault (RDV_E_NOMEM) the engine can only be freed. */
int rdv_lm_step(rdv_lm_engine *engine, rdv_error *err);
/* The next event, borrowed until the next call with this engine. RDV_NONE: none is there.
 * A job's events are in order; those of different jobs come in any order. */
int rdv_lm_poll(rdv_lm_engine *engine, rdv_lm_event *event);
/* End a job: no event of it comes any more. RDV_NONE: it has ended, or never was. */
int rdv_lm_cancel(rdv_lm_engine *engine, uint64_t id);

/* Counts since the engine was made, and what it holds. */
typedef struct rdv_lm_stats {
    uint64_t steps, prompt_tokens, cached_tokens, generated_tokens;
    uint64_t recomputed_tokens;         /* given up for want of cache, and computed again */
    uint64_t cache_bytes;               /* the bound */
    uint64_t used_bytes, kept_bytes;    /* held by running jobs; kept for later ones */
    uint64_t work_bytes;                /* activations and tables */
    uint32_t running, waiting, threads; /* jobs; threads that compute */
    const char *kernels;                /* "avx512", "avx2", "plain": a static string */
} rdv_lm_stats;

/* Fills in *stats; cannot fail. By the thread that runs the engine, as rdv_lm_step(). */
void rdv_lm_engine_stats(const rdv_lm_engine *engine, rdv_lm_stats *stats);
