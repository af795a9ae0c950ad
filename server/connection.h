/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The connections of a server's clients, and the current request of each. Everything runs on the
 * loop's thread. */
#include "server/completion.h"
#include "server/serve_options.h"

#include <microhttpd.h>
#include <uv.h>

/* Set the first members and zero-initialise the others. */
typedef struct connections {
    const serve_options *options;
    uv_loop_t *loop;
    uv_async_t *news; /* sent when the loop must run once more */
    completion_ctx completions;
    int64_t began; /* start of the server, in seconds since 1970 */
    bool stopping; /* no further requests are accepted */
    struct connection *open;
    struct connection_request *requests; /* requests in progress; NULL: none */
} connections;

/* Callbacks for libmicrohttpd; `all` is the connections. */
void connection_notify(void *all, struct MHD_Connection *mhd, void **of,
                       enum MHD_ConnectionNotificationCode what);
enum MHD_Result connection_handle(void *all, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **of);
void connection_completed(void *all, struct MHD_Connection *mhd, void **of,
                          enum MHD_RequestTerminationCode why);

/* Process the model's events and resume the connections that wait for them. */
void connections_take_events(connections *all);
/* Cut requests that exceed the time limit, or all requests. */
void connections_cut_late(connections *all, bool every);
/* Shut connections that have sent no request within the time limit; when stopping, all that wait
 * for a request; with `every`, also those that do not read their response. */
void connections_shut_slow(connections *all, bool every);
