/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Who is asked: a host, which has limits, and a model there, which has abilities. The built-in
 * model is a host without addresses. */
#include "run/limit.h"
#include <rederive/run.h>

struct builtin;
struct call;
struct curl_slist;

typedef struct call_queue {
    struct call *first, *last;
    size_t n;
} call_queue;

typedef struct host {
    rdv_str name; /* "https://api.openai.com", borrowed */
    limit limit;
    call_queue queue;
    uint64_t responses; /* of any kind */
    uint64_t answers;   /* that could be read */
} host;

typedef struct server {
    struct builtin *builtin; /* borrowed; NULL: it is asked over HTTP */
    const rdv_builtin *file; /* of `builtin`; borrowed */
    rdv_str model;           /* borrowed */
    rdv_abilities abilities;
    host *host;
    bool here;                                                /* on this machine */
    char *chat, *completions, *embeddings, *pooling, *models; /* addresses */
    struct curl_slist *headers;
    char *key; /* NULL: none */
} server;

/* The built-in model. */
void server_init_builtin(server *s, const rdv_endpoint *endpoint, struct builtin *b, host *h);
/* Build the addresses and headers. Faults: RDV_E_NOMEM, RDV_E_ARGUMENT (a key that cannot stand in
 * a header). *s can be given to server_deinit() even then. */
int server_init(server *s, const rdv_endpoint *endpoint, host *h, rdv_error *err);
void server_deinit(server *s);
/* What to say of the key where a status is about it, "refuses the API key" say; NULL where it is
 * not. A key that was taken before is not at fault: filters say 403 to a single request. */
const char *server_blames_key(const server *s, long status);
/* The address for a path of the protocol. */
const char *server_url(const server *s, const char *path);
/* Overwrite the key with asterisks where it stands in these bytes: servers quote it in complaints,
 * and what they send goes to journals and messages. Keys of fewer than 8 bytes are no secrets. */
void server_hide_key(const server *s, char *bytes, size_t len);
