/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The options of a server. */
#include "server/access.h"
#include "lm/lm.h"
#include <rederive/run.h>

/* The log entry of one request. Its texts are valid during the call. */
typedef struct serve_line {
    const char *method, *path;
    rdv_str model;   /* as the client named it; p == NULL: not given */
    rdv_str key;     /* the name of its key; p == NULL: none */
    int admitted;    /* 1, 0; -1: the reply was not judged */
    unsigned status; /* 0: the client disconnected before there was one */
    size_t replies;
    uint64_t prompt_tokens, completion_tokens;
    int estimated; /* these two: 1, 0 as the model's server counted them; -1: not known */
    double seconds;
} serve_line;

/* A model that is served: what clients call it, and the servers that give its replies. */
typedef struct serve_model {
    rdv_str name;
    const rdv_model_spec *servers; /* n of them; 0: it is the built-in model */
    size_t n;
    rdv_str key; /* for these servers alone; p == NULL: none */
    bool priced; /* of the next two; a model without servers costs nothing */
    uint64_t price_in, price_out; /* of a token, as usage_amount.cost */
    bool speaks[REPLY_PROTOCOLS]; /* none: its servers speak the protocol of each request */
    reply_protocol converts_to;   /* where they do not; valid if it speaks one */
} serve_model;

/* Zero-initialise, then serve_options_default(). Borrowed until serve_free(). */
typedef struct serve_options {
    const char *listen;        /* "127.0.0.1:8080"; see listen_at() */
    const serve_model *models; /* in the order in which they are listed, at least one */
    size_t n_models;
    const rdv_lm *lm; /* the built-in model; NULL: it is not served */
    const rdv_builtin *builtin; /* the same, with its file */
    const rdv_str
        *names; /* of the built-in model, all of them in `models`; the first is reported */
    size_t n_names;
    rdv_str warning;     /* stands in every reply; p == NULL: none */
    uint32_t context;    /* the model's context length in tokens */
    access_list *access; /* who may ask, and by which rules; held by the server too. Not NULL */
    /* Called on SIGHUP: the access from now on, which the server takes over; NULL: it stays as it
     * is. NULL: SIGHUP ends the server */
    access_list *(*reload)(void *payload);
    const rdv_str *origins; /* of pages that may use the server, "https://chat.example.org" */
    size_t n_origins;
    const rdv_str *hosts; /* without a key: names in Host that are accepted; http_host.h has the
                             others */
    size_t n_hosts;
    size_t max_body;     /* most bytes of a request body; default 1 MiB */
    size_t connections;  /* most open at a time; default 12,288, fewer if the limit on open files
                            requires it. One more closes the one that has waited longest for a
                            request */
    size_t requests;     /* most requests with a body at a time; default 256. One more ends the one
                            whose body has been coming longest */
    size_t replies;      /* most in progress, beyond which clients must retry; default 512 */
    uint32_t head_ms;    /* time to receive the headers of a request; default 10 s */
    uint32_t body_ms;    /* time to receive the body after them; default 60 s */
    uint32_t idle_ms;    /* time between two requests; default 15 s */
    uint32_t stall_ms;   /* time in which a client reads nothing of a response; default 30 s */
    uint32_t request_ms; /* time to complete a reply; default 600 s */
    uint32_t idle_reply_ms; /* between two pieces of a server's reply; default 60 s */
    size_t checks;          /* most that ask models at a time; others wait; default 16 */
    uint32_t beat_ms;       /* between two comments in a stream that is held; default 10 s */
    uint32_t grace_ms;      /* time for open requests when stopping; default 5 s */
    void (*log)(void *payload, const serve_line *line); /* NULL: none */
    void *payload;
} serve_options;
