/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the server computes itself, on a thread of its own and not on the loop's: /rederive/check,
 * /rederive/grade, /rederive/vote, /mcp and the guardrail. */
#include "server/access.h"
#include "server/http_guard.h"
#include "server/relay.h"

typedef struct own_job own_job;

typedef struct own_result {
    unsigned status;
    const char *type; /* of the body. Static */
    rdv_str body;     /* borrowed from the job */
} own_result;

/* Start; what it needs of the request is copied. `holder`, who asks, outlives the job. `done` is
 * called on the loop's thread, unless own_job_free() was called before. NULL: *e is the error. */
own_job *own_job_new(http_route route, const http_request *request, access_holder *holder,
                     const relay_ctx *ctx, void (*done)(void *payload), void *payload,
                     api_error *e);
/* Whether it is done. Then: */
bool own_job_is_done(const own_job *j);
/* False: *e is the error. */
bool own_job_result(const own_job *j, own_result *out, api_error *e);
/* Also while it runs. NULL and *NULL are accepted. */
void own_job_free(own_job **j);
