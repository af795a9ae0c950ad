/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the server counts, and tells under /metrics in the format of Prometheus. Labels are routes,
 * statuses and the names of keys: a client can invent none. */
#include "base/buf.h"
#include "server/http_guard.h"

#define METRICS_STATUSES 600 /* from 0, a client that went away, to 599 */
#define METRICS_BUCKETS 12

typedef struct metrics {
    uint64_t requests[HTTP_ROUTES][METRICS_STATUSES];
    uint64_t judged[2];               /* not admitted, admitted */
    uint64_t within[METRICS_BUCKETS]; /* requests to models that took at most so long */
    uint64_t timed;
    double seconds;
} metrics;

/* What is counted from time to time: now. */
typedef struct metrics_now {
    size_t connections, requests; /* open; of these, to models */
    int64_t began;                /* start of the server, in seconds since 1970 */
} metrics_now;

/* Count a request that has ended. */
void metrics_count(metrics *m, http_route route, const serve_line *line);
/* `of`: its keys are told by their names, which are the operator's. */
void metrics_write(rdv_buf *b, const metrics *m, const metrics_now *now, const access_list *of);
