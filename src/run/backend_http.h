/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A model at an OpenAI-compatible server. A request is written for the known abilities of the
 * server; if the server refuses a part of it, it is sent in another form. Abilities that a run must
 * know before its first call are surveyed first (survey_call.h). */
#include "run/backend.h"
#include "run/context.h"

/* *out: released with backend_free(), before run->http. Everything is borrowed until then. Faults:
 * RDV_E_NOMEM, RDV_E_ARGUMENT (a key that is not valid in a header). */
int backend_http_new(backend **out, run_context *run, const rdv_endpoint *endpoint, host *h,
                     rdv_error *err);
