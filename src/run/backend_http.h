/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A model at an OpenAI-compatible server. A request is written by what is known of the server, and
 * what it refuses is asked in another way; what a run needs to know first it asks by itself, before
 * the first call (survey_call.h). */
#include "run/backend.h"
#include "run/context.h"

/* *out: released with backend_free(), before run->http. All is borrowed until then.
 * Faults: RDV_E_NOMEM, RDV_E_ARGUMENT (a key that cannot stand in a header). */
int backend_http_new(backend **out, run_context *run, const rdv_endpoint *endpoint, host *h,
                     rdv_error *err);
