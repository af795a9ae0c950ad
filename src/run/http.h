/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* HTTP exchanges, any number at a time, on one event loop: libcurl's multi interface told about
 * sockets and time by libuv. What ends is put into the queue that it names, to be taken from it
 * between two turns of the loop; no callback decides anything. curl is never given more than should
 * run: it would count waiting for a connection as part of an exchange's time. */
#include <rederive/base.h>

typedef struct http http;
struct curl_slist;

typedef enum http_end {
    HTTP_DONE,        /* a whole response came: status, data */
    HTTP_UNREACHABLE, /* no connection */
    HTTP_BROKEN,      /* the connection broke before the whole response was there */
    HTTP_TIMEOUT,
    HTTP_TOO_LONG /* more than max_body */
} http_end;

/* Exchanges that have ended. Zero-initialise. */
typedef struct http_queue {
    struct http_exchange *first, *last;
} http_queue;

/* One request and its response. Zero-initialise; the storage is the caller's and stays in place
 * until it comes out of http_next() or was given to http_abort(). */
typedef struct http_exchange {
    /* what is asked; borrowed until it ends */
    const char *url;
    const struct curl_slist *headers;
    rdv_str body;                 /* p == NULL: GET, else POST */
    bool direct;                  /* not through a proxy, whatever the environment says */
    uint32_t timeout_ms, idle_ms; /* 0: no limit */
    bool streamed;    /* the response begins when its server begins to work on it, and timeout_ms
                         counts from there; it may wait before, while the server sends anything */
    uint64_t *heard;  /* when its server last sent anything, kept for all that ask it; not NULL */
    http_queue *done; /* where it goes when it ends; not NULL */
    void *owner;      /* the caller's */
    /* what came */
    http_end end;
    long status;
    char *data; /* malloc()ed; the caller frees it, or http_exchange_release() */
    size_t len, cap;
    uint64_t retry_after_ms; /* RETRY_NOT_GIVEN: nothing */
    char why[256];           /* what went wrong, for people; empty for HTTP_DONE */
    /* kept by http.c */
    void *easy;
    uint64_t started;
    uint64_t first_piece, last_piece; /* when these of the body came; 0: none yet */
    bool too_long, out_of_memory;
    http *by;
    struct http_exchange *previous, *next;
} http_exchange;

typedef struct http_options {
    size_t connections; /* kept open between exchanges */
    size_t max_body;    /* bytes */
    uint32_t connect_ms;
} http_options;

/* Faults: RDV_E_NOMEM, RDV_E_IO. */
int http_new(http **out, const http_options *options, rdv_error *err);
/* Exchanges that are still out are aborted. */
void http_free(http **h);
/* Start an exchange. Faults: RDV_E_NOMEM, RDV_E_IO. */
int http_start(http *h, http_exchange *x, rdv_error *err);
/* The next exchange of that queue, or NULL. x->out_of_memory tells that memory was short for it.
 */
http_exchange *http_next(http *h, http_queue *q);
/* Give up one that is out. It does not come out of http_next(). */
void http_abort(http *h, http_exchange *x);
/* Is it worth another try: no response came, or status 429 or 502 to 504? */
bool http_exchange_may_pass(const http_exchange *x);
/* Free what came. */
void http_exchange_release(http_exchange *x);
/* Let things happen, for at most `ms` milliseconds, until something did. */
void http_wait(http *h, uint64_t ms);
/* End http_wait() soon; from any thread, and from signal handlers. */
void http_wake(http *h);
/* Milliseconds, from an origin of its own. */
uint64_t http_now(const http *h);
