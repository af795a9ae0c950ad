/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An OpenAI-compatible server (docs/serve.md): libmicrohttpd on the loop of libuv, no threads but
 * the model's. What is asked goes to one model; replies of all clients are written together. */
#include "server/serve_options.h"

typedef struct serve serve;

void serve_options_default(serve_options *options);
/* Listen. *out: released with serve_free(). Faults: those of listen_at() and
 * backend_builtin_new(). */
int serve_new(serve **out, const serve_options *options, rdv_error *err);
void serve_free(serve **s);
/* "http://127.0.0.1:8080/v1" */
rdv_str serve_url(const serve *s);
/* Serve until serve_stop(): no connection is taken any more, what is under way may end within
 * grace_ms, and then is cut. */
void serve_run(serve *s);
/* From any thread, and from signal handlers. */
void serve_stop(serve *s);
