/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A server from inside: serve.c has its life and its loop, visit.c what a request goes through. All
 * of it runs on the loop's thread. */
#include "server/serve.h"
#include "server/talk.h"

#include <microhttpd.h>
#include <uv.h>

typedef struct visit visit;

/* A connection. */
typedef struct peer {
    int socket;
    uint64_t since; /* when it was made, or its latest request was answered */
    bool busy;      /* a whole request is here */
    struct peer *before, *next;
} peer;

struct serve {
    serve_options options;
    rdv_arena *arena;
    rdv_str url;
    uv_loop_t loop;
    uv_poll_t sockets;
    uv_timer_t due, sweep;
    uv_async_t news, stop;
    struct MHD_Daemon *daemon;
    builtin *builtin; /* NULL: another responder */
    talk_house house;
    peer *peers;
    visit *visits; /* requests under way */
    int64_t began; /* seconds since 1970 */
    bool has_loop;
    uint64_t end_by; /* when what is under way is cut; 0: the server goes on */
    bool stopping;
};

/* ---- visit.c --------------------------------------------------------------------------------- */

enum MHD_Result visit_request(void *server, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **of);
void visit_completed(void *server, struct MHD_Connection *connection, void **of,
                     enum MHD_RequestTerminationCode why);
/* Let the connection go on where there is something for it. */
void visit_advance(visit *v);
/* The visit that a talk belongs to. */
visit *visit_of(const serve *s, const talk *t);
/* Cut those that have taken longer than is allowed, or all. */
void visit_cut_late(serve *s, bool all);
