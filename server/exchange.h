/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An exchange: one HTTP request and its response, bytes in and bytes out. No sockets and no clock.
 * Everything runs on the loop's thread. */
#include "server/http_guard.h"
#include "server/metrics.h"
#include "server/relay.h"

typedef struct exchange exchange;

/* State that all exchanges of a server share. */
typedef struct exchange_ctx {
    const serve_options *options;
    relay_ctx relays;
    access_list *access; /* of new requests */
    metrics metrics;
    metrics_now now; /* its counts are kept by the caller */
    bool stopping;   /* no further requests are accepted */
} exchange_ctx;

typedef enum exchange_phase {
    EXCHANGE_HEAD,  /* its head is coming */
    EXCHANGE_BODY,  /* its body is coming */
    EXCHANGE_DUE,   /* the request is whole, and exchange_begin() has to be called */
    EXCHANGE_ANSWER /* the response is decided or being generated */
} exchange_phase;

/* `owner`: for relay_ctx.wake(), not NULL. NULL: out of memory. */
exchange *exchange_new(exchange_ctx *ctx, void *owner);
/* Cancels what is not complete. NULL and *NULL are accepted. */
void exchange_free(exchange **x);

exchange_phase exchange_phase_of(const exchange *x);
/* Read from `bytes`, at least one; returns how many were read. Stops after the head, where the
 * caller may look at the phase, and at the end of the request. Not from EXCHANGE_DUE on. */
size_t exchange_take(exchange *x, const char *bytes, size_t n);
/* With EXCHANGE_DUE: ask the model, or start what is computed. This may take a tenth of a
 * millisecond and more, which is why the caller says when. */
void exchange_begin(exchange *x);
/* Answer with this error, if no response has begun, and close, unless the request is complete; a
 * stream ends with it. */
void exchange_refuse(exchange *x, const api_error *f);

/* The bytes to send now, valid until exchange_sent() or exchange_refuse(); empty: none yet, or
 * none any more. */
rdv_str exchange_output(exchange *x);
void exchange_sent(exchange *x, size_t n);
/* Whether the response was sent as a whole. */
bool exchange_is_over(const exchange *x);
/* Whether another request may follow, once it is over. */
bool exchange_keeps_alive(const exchange *x);
/* Out of memory: the connection must be closed. */
bool exchange_is_broken(const exchange *x);

/* Whether a model is asked, or records are checked. */
bool exchange_is_relayed(const exchange *x);
/* The built-in model's; NULL: none. */
const completion *exchange_completion(const exchange *x);
/* For the log, without the time. `gone`: the client disconnected. */
serve_line exchange_line(const exchange *x, bool gone);
http_route exchange_route(const exchange *x);
