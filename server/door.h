/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Whether a request may come in: its address, method, key, type and length. */
#include "server/ask.h"
#include "server/serve.h"

struct MHD_Connection;

typedef enum route {
    ROUTE_NONE,
    ROUTE_CHAT,
    ROUTE_TEXT,
    ROUTE_MODELS,
    ROUTE_MODEL,
    ROUTE_HEALTH
} route;

/* *model: what stands behind /v1/models/; borrowed from `path`. */
route door_route(const char *path, const char **model);
bool door_takes_post(route r);
/* A static string; "?" for what is not known. */
const char *door_method(const char *method);

/* Bytes of the body, as the client says it; 0: it does not. */
size_t door_length(struct MHD_Connection *connection);
/* Set *f to 413. */
void door_say_too_long(const serve_options *o, fault *f);
/* False: *f says why it may not come in. */
bool door_check(struct MHD_Connection *connection, const serve_options *o, route r,
                const char *method, fault *f);
