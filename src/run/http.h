/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* HTTP exchanges, any number at a time, on one event loop: libuv drives libcurl's multi interface
 * with socket and timer events. A finished exchange is put into the queue that it names and is
 * taken from there between two turns of the loop; callbacks make no decisions. curl is never given
 * more exchanges than may run, because it would count waiting for a connection as part of an
 * exchange's time. */
#include <rederive/base.h>

typedef struct http http;
struct curl_slist;
struct uv_loop_s;

typedef enum http_end {
    HTTP_DONE,        /* a complete response arrived: status, data */
    HTTP_UNREACHABLE, /* no connection */
    HTTP_BROKEN,      /* the connection broke before the response was complete */
    HTTP_TIMEOUT,
    HTTP_TOO_LONG /* longer than max_body */
} http_end;

/* Finished exchanges. Zero-initialise. */
typedef struct http_queue {
    struct http_exchange *first, *last;
} http_queue;

/* One request and its response. Zero-initialise. The caller owns the storage, which stays in place
 * until http_next() returns it or it was given to http_abort(). */
typedef struct http_exchange {
    /* the request; borrowed until the exchange ends */
    const char *url;
    const struct curl_slist *headers;
    rdv_str body;                 /* p == NULL: GET, else POST */
    bool direct;                  /* never through a proxy, whatever the environment says */
    uint32_t timeout_ms, idle_ms; /* 0: no limit */
    bool streamed;    /* the response begins when the server starts to work on it, and timeout_ms
                         counts from there; before that it may wait as long as the server sends
                         any data */
    uint64_t *heard;  /* when its server last sent data, shared by all exchanges with that
                         server; not NULL */
    http_queue *done; /* the queue for the finished exchange; not NULL */
    /* Called when a piece of the body has come, and when the exchange has ended; it may only take
     * note of it. NULL: none */
    void (*news)(struct http_exchange *x);
    size_t most_held; /* with more bytes in `data` nothing is received until http_took() says that
                         some were taken out; 0: no limit but max_body */
    bool keeps_head;  /* the response's headers in `head` */
    bool sends_once;  /* where a kept connection closes without a byte of response, the request is
                         not sent again: the server may have worked on it */
    void *owner;      /* the caller's */
    /* the response */
    http_end end;
    long status;
    char *data; /* malloc()ed; freed by the caller or by http_exchange_release() */
    size_t len, cap;
    char *head; /* with keeps_head: the lines of the response's headers, each with its end;
                      malloc()ed and freed as `data`, complete with the first piece or the end */
    size_t head_len;
    uint64_t retry_after_ms; /* RETRY_NOT_GIVEN: not given */
    char why[256];           /* the cause of a failure, for people; empty for HTTP_DONE */
    /* private to http.c */
    void *easy;
    uint64_t started;
    uint64_t first_piece, last_piece; /* when these pieces of the body arrived; 0: none yet */
    bool too_long, out_of_memory, paused, sent;
    http *by;
    struct http_exchange *previous, *next;
} http_exchange;

/* Append to the queue; take the first, or NULL; take out one that is in it. */
void http_queue_push(http_queue *q, http_exchange *x);
http_exchange *http_queue_pop(http_queue *q);
void http_queue_remove(http_queue *q, http_exchange *x);

typedef struct http_options {
    size_t connections; /* kept open between exchanges */
    size_t max_body;    /* bytes */
    uint32_t connect_ms;
    size_t receive_bytes;   /* at a time; 0: 4 KiB, for replies of a few kilobytes */
    struct uv_loop_s *loop; /* NULL: one of its own; else one that the caller runs, and that runs
                               once more after http_free(). Then http_wait() is not called */
} http_options;

/* Faults: RDV_E_NOMEM, RDV_E_IO. */
int http_new(http **out, const http_options *options, rdv_error *err);
/* Exchanges that have not ended are aborted. */
void http_free(http **h);
/* Start an exchange. Faults: RDV_E_NOMEM, RDV_E_IO. */
int http_start(http *h, http_exchange *x, rdv_error *err);
/* The next exchange in that queue, or NULL. x->out_of_memory: memory ran out for it. */
http_exchange *http_next(http *h, http_queue *q);
/* Abort an exchange that has not ended. http_next() does not return it. */
void http_abort(http *h, http_exchange *x);
/* The caller has taken bytes out of the `data` of an exchange that has not ended. */
void http_took(http_exchange *x);
/* Whether a retry may succeed: no response came, or status 429 or 502 to 504. */
bool http_exchange_may_pass(const http_exchange *x);
/* Free the response. */
void http_exchange_release(http_exchange *x);
/* Run the event loop until something happened, for at most `ms` milliseconds. */
void http_wait(http *h, uint64_t ms);
/* End http_wait() soon. May be called from any thread and from signal handlers. */
void http_wake(http *h);
/* Milliseconds from an arbitrary origin. */
uint64_t http_now(const http *h);

/* The file of authorities' certificates that libcurl is told to trust; NULL: that of its own, or
 * none was found. `named`: what the variable SSL_CERT_FILE says, as for curl and OpenSSL, or NULL;
 * it comes first, readable or not. `usual`: the file that libcurl was built with, or NULL; if it
 * cannot be read, the bundles of the usual distributions are looked for. */
const char *http_certificates(const char *named, const char *usual);
