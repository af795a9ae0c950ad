/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A backend runs requests: an HTTP server (backend_http.h), the built-in model (backend_builtin.h),
 * a transcript (backend_transcript.h) or a batch (backend_batch.h), behind one interface:
 *
 *     b->ops->start(b, &call, err);                  any number of times
 *     while (b->ops->next(b, arena, &event, err) == RDV_OK)
 *         (the event's call is complete, or is to be started once more)
 *     b->ops->cancel(b, &call);                      what is no longer wanted
 *
 * Thread rule: one thread uses a backend. */
#include "run/host.h"
#include "run/usage.h"
#include <rederive/run.h>

typedef struct backend backend;
typedef struct pool pool;

/* Data that is wanted in addition to the reply. Only the built-in model gives it. */
enum backend_extra {
    BACKEND_PIECES = 1,          /* a BACKEND_PIECE whenever there is new text */
    BACKEND_TEXT_LOGPROBS = 2,   /* the log-probabilities of the text that is continued */
    BACKEND_PROMPT_LOGPROBS = 4, /* or those of the whole prompt, including the turn markers */
    BACKEND_NO_REPLY = 8         /* no text is to be generated */
};

/* One request at a backend. Zero-initialise. The caller owns the storage, which stays in place
 * until the call is complete or cancelled. */
typedef struct backend_call {
    const rdv_request *request; /* borrowed until then; the first eight bytes of its key seed the
                                   built-in model's draws */
    unsigned extras;            /* bits of backend_extra; 0 in a run */
    bool as_is;                 /* a backend that must change the request for its server refuses
                                   it: another may not need to */
    size_t wanted;              /* choices wanted: replies to the request, each a draw; 0: one */
    size_t n;                   /* choices asked for; start() may raise it from 1 to `wanted` */
    size_t bytes;               /* bytes sent; set by start(), as are the next three */
    uint64_t limit;             /* of the reply's tokens, all choices together; USAGE_NO_LIMIT:
                                   none */
    token_usage held;           /* reserved in the run's budget; the driver releases it */
    bool too_dear;              /* no budget will ever hold it */
    void *state;                /* the backend's own; NULL: it keeps no state for this call */
} backend_call;

/* Tokens with their numbers in the model's vocabulary. */
typedef struct backend_tokens {
    rdv_token *items; /* the texts are UTF-8; invalid bytes become U+FFFD */
    size_t n;
    const uint32_t *ids; /* token i has ids[i * stride]; its k-th alternative has ids[i * stride
                            + 1 + k] */
    size_t stride;
} backend_tokens;

typedef enum backend_event_kind {
    BACKEND_PIECE,   /* more text; the call continues */
    BACKEND_REPLY,   /* complete: `reply` */
    BACKEND_FAILED,  /* complete, without a reply: `failure`, `why` */
    BACKEND_RETRY,   /* may succeed later: `failure`, `why`, `retry_after_ms` */
    BACKEND_AGAIN,   /* to be started again at once, in another form; to be dropped if the run has
                        ended meanwhile */
    BACKEND_DEFERRED /* left for a later run, whose journal may have the reply */
} backend_event_kind;

typedef struct backend_event {
    backend_event_kind kind;
    backend_call *call;
    rdv_reply reply;     /* PIECE: the new text; other kinds except REPLY: the usage, if reported */
    rdv_reply **choices; /* REPLY to a call for several: `reply` has their usage together, and
                            these are those that came, n_choices of them, in the arena of
                            `reply`; NULL in the place of one that is no reply. NULL: one was
                            asked for */
    size_t n_choices;
    bool recorded;       /* REPLY: from a transcript, so it costs nothing and is recorded already */
    rdv_arena *arena;    /* holds what the event points to; freed by the caller; NULL: next()'s
                            arena does */
    rdv_failure failure; /* FAILED, RETRY */
    int fault;           /* FAILED, built-in: RDV_E_LIMIT: the prompt is too long; or another
                            fault */
    bool throttled;      /* RETRY: too many requests at a time */
    uint64_t retry_after_ms; /* RETRY: the server's request, or RETRY_NOT_GIVEN */
    backend_tokens scored;   /* REPLY, with *_LOGPROBS: tokens of the text or the prompt */
    uint64_t cached_tokens;  /* REPLY, built-in: tokens of the prompt that were already computed */
    char why[RDV_ERROR_MAX]; /* FAILED, RETRY: one line */
} backend_event;

typedef struct backend_ops {
    /* Take a call, the first time or after RETRY or AGAIN. RDV_LATER: not now, nothing was done;
     * never, if `too_dear` is set. RDV_NONE: the backend does not support such a request, err says
     * why. Faults: RDV_E_NOMEM, RDV_E_IO. */
    int (*start)(backend *b, backend_call *c, rdv_error *err);
    /* Cancel a call in any state: no further event of it comes, and c->state becomes NULL. */
    void (*cancel)(backend *b, backend_call *c);
    /* The next event. RDV_NONE: there is none. After REPLY or FAILED the backend no longer uses the
     * call. Faults: RDV_E_NOMEM, RDV_E_IO, RDV_E_INPUT (a damaged transcript). */
    int (*next)(backend *b, rdv_arena *arena, backend_event *out, rdv_error *err);
    void (*free)(backend *b); /* no call may be used afterwards */
    /* Cancel the backend's own activity. NULL: it has none. */
    void (*end)(backend *b);
    /* A description for people; false: there is nothing to report. NULL: never anything. */
    bool (*describe)(const backend *b, char *line, size_t size);
} backend_ops;

/* The first member of every backend. */
struct backend {
    const backend_ops *ops;
    host *host;              /* borrowed; NULL if the caller sets no limits */
    rdv_abilities abilities; /* as far as known */
    const rdv_builtin *file; /* the built-in model's file, borrowed; NULL: another backend */
    bool at_once;            /* a call is complete as soon as start() returns */
    pool *pool;              /* of which it is a member; NULL: of none */
    size_t place;            /* in the pool */
    bool left_out;           /* it refuses every request, and others of the pool go on */
    usage_seen seen;         /* what its replies used */
    bool asks_many;          /* it may be asked for several choices at once, */
    size_t most_choices;     /* at most this number, as far as is known; 0: any */
    double reply_ms;         /* running mean of the time of a reply; 0: none came */
    rdv_server_totals totals;
    bool held;    /* takes no call before an exchange of its own has ended */
    uint64_t due; /* when next() must be called even without an event; UINT64_MAX:
                     never */
};

/* NULL and *NULL are accepted. */
static inline void backend_free(backend **b)
{
    if (b && *b)
        (*b)->ops->free(*b);
    if (b)
        *b = NULL;
}
