/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Models of servers to which the requests of others are passed on as they are, on a loop that the
 * caller runs. Not a run: nothing is counted, repeated or kept, except that a server that cannot be
 * reached is passed over where the model has another. A server's key is sent to it alone. No
 * redirection is followed. */
#include "run/http.h"
#include <rederive/model.h>

typedef struct upstreams upstreams;
typedef struct upstream_call upstream_call;

typedef struct upstream_options {
    struct uv_loop_s *loop; /* runs once more after upstreams_free() */
    size_t connections;     /* kept open between calls */
    size_t max_body;        /* bytes of a response that is not taken piece by piece */
    uint32_t timeout_ms;    /* of a response, from its beginning; the same for its beginning */
    uint32_t idle_ms;       /* between two pieces of it */
    uint32_t connect_ms;
    void (*wake)(void *payload); /* upstream_next() has something */
    void *payload;
} upstream_options;

/* Faults: RDV_E_NOMEM, RDV_E_IO. */
int upstreams_new(upstreams **out, const upstream_options *options, rdv_error *err);
/* Its calls must have been freed. NULL and *NULL are accepted. */
void upstreams_free(upstreams **u);
/* Add a model; *number: counts from 0. The specs are borrowed. Faults: RDV_E_NOMEM, RDV_E_ARGUMENT
 * (a key that is not valid in a header). */
int upstreams_add(upstreams *u, const rdv_model_spec *servers, size_t n, rdv_str key,
                  size_t *number, rdv_error *err);
/* The servers' own name of the model; of several servers that of the one asked next. */
rdv_str upstreams_name(const upstreams *u, size_t number);

/* A request. Everything is borrowed until the call is freed, except the lines. */
typedef struct upstream_request {
    size_t model;         /* its number */
    const char *path;     /* "/chat/completions", "/completions", "/responses", "/messages" */
    rdv_str body;         /* JSON */
    const rdv_str *lines; /* further headers, "name: value", n_lines of them */
    size_t n_lines;
    void *owner; /* not NULL */
} upstream_request;

/* Faults: RDV_E_NOMEM, RDV_E_IO. */
int upstream_start(upstreams *u, const upstream_request *request, upstream_call **out,
                   rdv_error *err);
/* A call that has not ended is aborted. NULL and *NULL are accepted. */
void upstream_free(upstream_call **call);
/* The owner of a call of which something has come since the last time; NULL: of none. */
void *upstream_next(upstreams *u);

/* Whether the response's head has come, or the call has ended. */
bool upstream_has_head(const upstream_call *call);
/* 0: no response came. */
unsigned upstream_status(const upstream_call *call);
/* The value of a header of the response, without spaces around it; p == NULL: there is none, or it
 * holds what no header may. The first of that name. */
rdv_str upstream_header(const upstream_call *call, const char *name);
/* The next line of the head from *at on, as name and value; false: there is none. */
bool upstream_header_line(const upstream_call *call, size_t *at, rdv_str *name, rdv_str *value);
/* The bytes of the body that have come, valid until upstream_took(), which must follow: they count
 * as taken, all of them. */
rdv_str upstream_bytes(upstream_call *call);
void upstream_took(upstream_call *call);
/* Star the server's key in bytes that came from it, which may be joined pieces. */
void upstream_hide_key(const upstream_call *call, char *bytes, size_t len);
/* Whether nothing follows upstream_bytes(). */
bool upstream_is_over(const upstream_call *call);
/* How it ended; and in a line why, empty for HTTP_DONE. */
http_end upstream_end(const upstream_call *call);
const char *upstream_why(const upstream_call *call);
