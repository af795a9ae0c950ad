/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The connections of a server's clients, and on each the request that is under way. All of it runs
 * on the loop's thread. */
#include "server/completion.h"
#include "server/serve_options.h"

#include <microhttpd.h>
#include <uv.h>

/* Set the first members, zero-initialise the others. */
typedef struct connections {
    const serve_options *options;
    uv_loop_t *loop;
    uv_async_t *news; /* sent where the loop has to turn once more */
    completion_ctx completions;
    int64_t began; /* the server's, in seconds since 1970 */
    bool stopping; /* no further request is taken */
    struct connection *open;
    struct connection_request *requests; /* NULL: none is under way */
} connections;

/* For libmicrohttpd; `all` is the connections. */
void connection_notify(void *all, struct MHD_Connection *mhd, void **of,
                       enum MHD_ConnectionNotificationCode what);
enum MHD_Result connection_handle(void *all, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **of);
void connection_completed(void *all, struct MHD_Connection *mhd, void **of,
                          enum MHD_RequestTerminationCode why);

/* Take in what the model has done, and let connections go on that wait for it. */
void connections_take_events(connections *all);
/* Cut requests that have taken longer than is allowed, or all. */
void connections_cut_late(connections *all, bool every);
/* Shut connections that have brought no request for too long; when stopping all that wait for one,
 * and with `every` those too that do not read what they are told. */
void connections_shut_slow(connections *all, bool every);
