/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The built-in model on a separate thread, so that an event loop never waits for it: calls go in,
 * events come out, and `wake` reports that there are events. Up to BACKEND_BUILTIN_SEQUENCES calls
 * are computed together; further calls wait in order.
 *
 *
 * The result of a call depends only on the call: not on other calls, threads or time. */
#include "lm/lm.h"
#include "run/backend.h"
#include "run/context.h"

/* Sequences computed together, and memory for their keys and values; keys and values beyond it are
 * recomputed. */
#define BACKEND_BUILTIN_SEQUENCES 64
#define BACKEND_BUILTIN_CACHE_BYTES ((uint64_t)256 << 20)

typedef struct backend_builtin_options {
    const rdv_lm *lm;
    void (*wake)(void *payload); /* called from the thread */
    void *payload;
    run_context *run; /* its budget and its time limit apply; NULL: none, in a server */
} backend_builtin_options;

/* Start the thread. *out: released with backend_free(), which ends calls in flight without an
 * event; `options` is copied, and what it points to is borrowed until then. Faults: RDV_E_NOMEM,
 * RDV_E_IO. */
int backend_builtin_new(backend **out, const backend_builtin_options *options, rdv_error *err);
