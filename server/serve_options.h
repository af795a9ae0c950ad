/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a server is told. */
#include "lm/lm.h"

/* What happened to one request. Texts are valid during the call. */
typedef struct serve_line {
    const char *method, *path;
    unsigned status; /* 0: the client went away before there was one */
    size_t replies;
    uint64_t prompt_tokens, completion_tokens;
    double seconds;
} serve_line;

/* Zero-initialise, then serve_options_default(). Borrowed until serve_free(). */
typedef struct serve_options {
    const char *listen; /* "127.0.0.1:8080"; see listen_at() */
    const rdv_lm *lm;
    const rdv_str *names; /* of the model: what it may be called; the first is the one told */
    size_t n_names;
    uint32_t context;    /* of the model; tokens */
    rdv_str key;         /* wanted as "Authorization: Bearer KEY"; p == NULL: nothing is */
    size_t max_body;     /* bytes of a request; default 1 MiB */
    size_t connections;  /* at a time; default 256 */
    size_t replies;      /* asked for at a time, more are told to come back; default 512 */
    uint32_t receive_ms; /* until a connection has brought a whole request; default 60 s */
    uint32_t request_ms; /* until a reply is there; default 600 s */
    uint32_t grace_ms;   /* for what is under way when the server is to end; default 5 s */
    void (*log)(void *payload, const serve_line *line); /* NULL: none */
    void *payload;
} serve_options;
