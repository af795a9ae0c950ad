/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The HTTP guard: whether a request is allowed, by its address, method, key, type and length. */
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

/* *model: the text after /v1/models/; borrowed from `path`. */
http_route http_guard_route(const char *path, const char **model);
bool http_guard_takes_post(http_route r);
/* A static string; "?" for an unknown method. */
const char *http_guard_method(const char *method);

/* Length of the body in bytes, as stated by the client; 0: not stated. */
size_t http_guard_length(struct MHD_Connection *connection);
/* Set *f to 413. */
void http_guard_set_too_long(const serve_options *o, api_error *f);
/* False: the request is refused and *f is the error. */
bool http_guard_check(struct MHD_Connection *connection, const serve_options *o, http_route r,
                      const char *method, api_error *f);
