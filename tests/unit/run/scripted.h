/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A network and a clock in the place of src/run/http.c and src/run/clock.c. A test says how each
 * call is answered, and when; time passes while the run waits. */
#include "run/http.h"

#define NETWORK_CALLS 128

/* What a call is answered with. */
typedef struct response {
    http_end end;            /* HTTP_DONE: the members below */
    long status;             /* 0: 200 */
    const char *text;        /* a reply that says this; NULL: `body` */
    const char *body;        /* NULL: empty */
    const char *retry_after; /* NULL: none */
    uint64_t takes_ms;
} response;

/* Zero-initialise, and set the first two members. */
typedef struct network {
    response (*respond)(void *of, size_t call, const http_exchange *x); /* calls count from 0 */
    void *of;
    /* how queries of models and software are answered; NULL: by status 404 */
    response (*about)(void *of, const http_exchange *x);
    uint64_t now;                      /* ms since the network was made */
    size_t n_calls;                    /* of a model: POST */
    uint64_t at[NETWORK_CALLS];        /* when each was sent */
    size_t n_out, most_out;            /* calls in flight, and the most at a time */
    http_exchange *out[NETWORK_CALLS]; /* what is in flight, n_flights of them */
    response with[NETWORK_CALLS];      /* its response, */
    uint64_t due[NETWORK_CALLS];       /* and when it comes */
    size_t n_flights;
    size_t connections; /* kept open between exchanges, for the latest run */
} network;

/* The network of all runs that are created from now on. */
void network_use(network *n);
