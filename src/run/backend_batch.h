/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The backend that writes requests to files in OpenAI's Batch format, to be run elsewhere. A
 * request that was written, or is expected from an earlier round, is left for a later run
 * (BACKEND_DEFERRED); one whose results failed too often fails, as a call does after its tries. */
#include "run/backend.h"
#include "run/context.h"

/* For the model of that endpoint. *out: owned by the caller, released with backend_free(). Options
 * are those of the run: `batch` and `journal`. Faults: RDV_E_NOMEM, RDV_E_IO, RDV_E_INPUT (the
 * journal). */
int backend_batch_new(backend **out, run_context *run, const rdv_endpoint *endpoint, host *h,
                      rdv_error *err);
/* Give the open file its name. The requests in it are then expected. Call it when no call follows;
 * without it what was written last is taken back. Faults: RDV_E_IO, RDV_E_NOMEM. */
int backend_batch_finish(backend *b, rdv_error *err);
