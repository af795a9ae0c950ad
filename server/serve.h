/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An OpenAI-compatible server (docs/serve.md): libuv's sockets and llhttp's parser, with no threads
 * but the model's. All requests go to one model, which writes the replies of all clients in
 * batches. */
#include "server/serve_options.h"

typedef struct serve serve;

void serve_options_default(serve_options *options);
/* Start listening. *out: released with serve_free(). Faults: those of listen_at() and
 * backend_builtin_new(). */
int serve_new(serve **out, const serve_options *options, rdv_error *err);
void serve_free(serve **s);
/* For example "http://127.0.0.1:8080/v1". */
rdv_str serve_url(const serve *s);
/* Serve until serve_stop(). Then no connection is accepted, and requests are cut after grace_ms. */
void serve_run(serve *s);
/* Callable from any thread and from signal handlers. */
void serve_stop(serve *s);
