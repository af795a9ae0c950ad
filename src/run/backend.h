/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Who runs requests: an HTTP server (backend_http.h), the built-in model (backend_builtin.h) or a
 * transcript (backend_transcript.h), behind one interface:
 *
 *     b->ops->start(b, &call, err);                  any number of times
 *     while (b->ops->next(b, arena, &event, err) == RDV_OK)
 *         (the event's call is complete, or is to be started once more)
 *     b->ops->cancel(b, &call);                      what is no longer wanted
 *
 * Thread rule: one thread uses a backend. */
#include "run/host.h"
#include <rederive/run.h>

typedef struct backend backend;

/* What is wanted beside the reply of a request. Only the built-in model gives it. */
enum backend_extra {
    BACKEND_PIECES = 1,          /* a BACKEND_PIECE whenever there is more text */
    BACKEND_TEXT_LOGPROBS = 2,   /* the log-probabilities of the text that is continued, */
    BACKEND_PROMPT_LOGPROBS = 4, /* or those of the whole prompt, marks of turns included */
    BACKEND_NO_REPLY = 8         /* and nothing is to be written */
};

/* One request at a backend. Zero-initialise; the storage is the caller's and stays in place until
 * the call is complete or cancelled. */
typedef struct backend_call {
    const rdv_request *request; /* borrowed until then; the first eight bytes of its key are the
                                   seed of the built-in model's draws */
    unsigned extras;            /* of backend_extra; 0 in a run */
    size_t bytes;               /* start() sets it: how much was sent */
    void *state;                /* the backend's own; NULL: it keeps nothing of this call */
} backend_call;

/* Tokens with their numbers in the model's vocabulary. */
typedef struct backend_tokens {
    rdv_token *items; /* the texts are UTF-8, bytes that are none being U+FFFD */
    size_t n;
    const uint32_t *ids; /* of token i: ids[i * stride], of its k-th alternative: ids[i * stride +
                            1 + k] */
    size_t stride;
} backend_tokens;

typedef enum backend_event_kind {
    BACKEND_PIECE,  /* more text; the call goes on */
    BACKEND_REPLY,  /* complete: `reply` */
    BACKEND_FAILED, /* complete, with nothing: `failure`, `why` */
    BACKEND_RETRY,  /* the same may go better later: `failure`, `why`, `retry_after_ms` */
    BACKEND_AGAIN   /* to be started at once, and asked in another way; where the run has been ended
                       meanwhile, it is to be dropped */
} backend_event_kind;

typedef struct backend_event {
    backend_event_kind kind;
    backend_call *call;
    rdv_reply reply;  /* PIECE: what comes next; other kinds than REPLY: what was used, if said */
    bool recorded;    /* REPLY: of a transcript, so that it costs nothing and is kept already */
    rdv_arena *arena; /* what it holds is in this, the caller's to free; NULL: in next()'s */
    rdv_failure failure;     /* FAILED, RETRY */
    int fault;               /* FAILED, built-in: RDV_E_LIMIT: the prompt is too long; or another */
    bool throttled;          /* RETRY: it was too much at a time */
    uint64_t retry_after_ms; /* RETRY: what the server asks for, or RETRY_NOT_GIVEN */
    backend_tokens scored;   /* REPLY, with *_LOGPROBS: tokens of the text or the prompt */
    uint64_t cached_tokens;  /* REPLY, built-in: tokens of the prompt that were found computed */
    char why[RDV_ERROR_MAX]; /* FAILED, RETRY: one line */
} backend_event;

typedef struct backend_ops {
    /* Take a call on, the first time or after RETRY or AGAIN. RDV_LATER: not now, nothing was done.
     * RDV_NONE: the backend cannot do such a request, err says why. Faults: RDV_E_NOMEM,
     * RDV_E_IO. */
    int (*start)(backend *b, backend_call *c, rdv_error *err);
    /* Give a call up, out or not: no event of it comes any more, and c->state becomes NULL. */
    void (*cancel)(backend *b, backend_call *c);
    /* The next event. RDV_NONE: none is there. After REPLY or FAILED the call is the caller's
     * alone. Faults: RDV_E_NOMEM, RDV_E_IO, RDV_E_INPUT (a damaged transcript). */
    int (*next)(backend *b, rdv_arena *arena, backend_event *out, rdv_error *err);
    void (*free)(backend *b); /* no call may be used any more */
    /* Give up what it does on its own account. NULL: it does nothing so. */
    void (*end)(backend *b);
    /* What is worth saying of it, for people; false: nothing. NULL: never. */
    bool (*describe)(const backend *b, char *line, size_t size);
} backend_ops;

/* The beginning of every backend. */
struct backend {
    const backend_ops *ops;
    host *host;              /* borrowed; NULL where the caller sets no limits */
    rdv_abilities abilities; /* as far as they are known */
    const rdv_builtin *file; /* of the built-in model; NULL: it is another backend. Borrowed */
    bool at_once;            /* a call is complete as soon as it is started */
    bool held;               /* it takes no call on before something of its own has ended */
    uint64_t due;            /* when next() is to be called even if nothing came; UINT64_MAX */
};

/* NULL and *NULL are accepted. */
static inline void backend_free(backend **b)
{
    if (b && *b)
        (*b)->ops->free(*b);
    if (b)
        *b = NULL;
}
