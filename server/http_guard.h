/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Whether a request may come in: its address, method, key, type and length. */
#include "server/api_error.h"
#include "server/serve_options.h"

struct MHD_Connection;

typedef enum http_route {
    HTTP_ROUTE_NONE,
    HTTP_ROUTE_CHAT,
    HTTP_ROUTE_TEXT,
    HTTP_ROUTE_MODELS,
    HTTP_ROUTE_MODEL,
    HTTP_ROUTE_HEALTH
} http_route;

/* *model: what stands behind /v1/models/; borrowed from `path`. */
http_route http_guard_route(const char *path, const char **model);
bool http_guard_takes_post(http_route r);
/* A static string; "?" for what is not known. */
const char *http_guard_method(const char *method);

/* Bytes of the body, as the client says it; 0: it does not. */
size_t http_guard_length(struct MHD_Connection *connection);
/* Set *f to 413. */
void http_guard_set_too_long(const serve_options *o, api_error *f);
/* False: *f says why it may not come in. */
bool http_guard_check(struct MHD_Connection *connection, const serve_options *o, http_route r,
                      const char *method, api_error *f);
