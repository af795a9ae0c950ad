/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The built-in model on a thread of its own, so that an event loop never waits for it: jobs go in,
 * events come out, and `wake` tells that there are some. All jobs are computed together, up to
 * BUILTIN_SEQUENCES at a time; further ones wait in their order.
 *
 * What a job gives depends on nothing but the job: not on its company, not on threads or time. */
#include "lm/lm.h"
#include <rederive/model.h>
#include <rederive/plan.h>

/* Sequences computed together, and memory for their keys and values; what is over it is computed
 * again. */
#define BUILTIN_SEQUENCES 64
#define BUILTIN_CACHE_BYTES ((uint64_t)256 << 20)

typedef struct builtin builtin;
typedef struct builtin_job builtin_job;

typedef struct builtin_ask {
    const rdv_message *messages;
    size_t n_messages;
    rdv_str text;   /* after messages: the assistant's turn, left open; alone: a plain text, whose
                       continuation is wanted; p == NULL: none */
    bool score;     /* the log-probabilities of `text` are wanted, */
    bool score_all; /* or those of the whole prompt, marks of turns included */
    bool generate;
    rdv_sampling sampling; /* temperature and top_p NaN: 1; max_tokens 0: as far as there is room */
    uint64_t seed;
    bool stream; /* a BUILTIN_PIECE whenever there is more text */
} builtin_ask;

/* Tokens as a reply has them, with their numbers in the model's vocabulary. */
typedef struct builtin_tokens {
    rdv_token *items; /* the texts are UTF-8, bytes that are none being U+FFFD */
    size_t n;
    const uint32_t *ids; /* of token i: ids[i * stride], of its k-th alternative: ids[i * stride +
                            1 + k] */
    size_t stride;
} builtin_tokens;

typedef enum builtin_is { BUILTIN_PIECE, BUILTIN_REPLY, BUILTIN_FAILED } builtin_is;

typedef struct builtin_event {
    builtin_is is;
    void *owner;
    rdv_str text;               /* PIECE: what comes next; REPLY: all */
    builtin_tokens tokens;      /* as many as were generated for that */
    builtin_tokens scored;      /* REPLY; ... of the text or the prompt */
    rdv_finish finish;          /* REPLY */
    rdv_str stopped_by;         /* REPLY: the stop text; p == NULL: none */
    uint64_t prompt_tokens;     /* REPLY */
    uint64_t cached_tokens;     /* REPLY: of them found computed */
    uint64_t completion_tokens; /* REPLY */
    int fault;                  /* FAILED: RDV_E_LIMIT: the prompt is too long; or another */
    rdv_failure failure;        /* FAILED */
    char why[256];              /* FAILED: one line */
    /* kept by builtin.c */
    rdv_arena *arena;
    builtin_job *job;
    struct builtin_event *next;
} builtin_event;

/* Start the thread. `lm` is borrowed until builtin_free(); `wake(payload)` is called from the
 * thread. Faults: RDV_E_NOMEM, RDV_E_IO. */
int builtin_new(builtin **out, const rdv_lm *lm, void (*wake)(void *), void *payload,
                rdv_error *err);
/* Jobs that are out end without an event. NULL and *NULL are accepted. */
void builtin_free(builtin **b);
/* Take on a job; what is asked is copied. *job names it until its last event came out of
 * builtin_next(). Faults: RDV_E_NOMEM. */
int builtin_start(builtin *b, const builtin_ask *ask, void *owner, builtin_job **job,
                  rdv_error *err);
/* The next event, the caller's; NULL: none is there. After BUILTIN_REPLY or BUILTIN_FAILED the job
 * is gone. */
builtin_event *builtin_next(builtin *b);
void builtin_event_free(builtin_event **event);
/* No event of that job will come. */
void builtin_cancel(builtin *b, builtin_job *job);

/* A request of a plan as it is asked here; borrowed from the request. The seed of its draws is part
 * of its key, so that the same request gives the same reply. RDV_NONE: a kind that the model cannot
 * do, err says why. */
int builtin_ask_of(const rdv_request *request, builtin_ask *out, rdv_error *err);
/* What came as the reply to a request, borrowed from the event. RDV_OK or RDV_E_NOMEM. */
int builtin_reply(const builtin_event *event, const rdv_request *request, rdv_reply *out);
