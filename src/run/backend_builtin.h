/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The built-in model on a thread of its own, so that an event loop never waits for it: calls go in,
 * events come out, and `wake` tells that there are some. All calls are computed together, up to
 * BACKEND_BUILTIN_SEQUENCES at a time; further ones wait in their order.
 *
 * What a call gives depends on nothing but the call: not on its company, not on threads or time. */
#include "lm/lm.h"
#include "run/backend.h"
#include "run/context.h"

/* Sequences computed together, and memory for their keys and values; what is over it is computed
 * again. */
#define BACKEND_BUILTIN_SEQUENCES 64
#define BACKEND_BUILTIN_CACHE_BYTES ((uint64_t)256 << 20)

typedef struct backend_builtin_options {
    const rdv_lm *lm;
    void (*wake)(void *payload); /* called from the thread */
    void *payload;
    run_context *run; /* for its budget and its limit of time; NULL: none, in a server */
} backend_builtin_options;

/* Start the thread. *out: released with backend_free(), which ends calls that are out without an
 * event; `options` is copied, and what it names borrowed until then.
 * Faults: RDV_E_NOMEM, RDV_E_IO. */
int backend_builtin_new(backend **out, const backend_builtin_options *options, rdv_error *err);
