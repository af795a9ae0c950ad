/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A model at an HTTP server: its addresses, headers and key, and what is found out about it. As a
 * backend of a run it is used by backend_http.c and survey_call.c. */
#include "run/backend.h"
#include "run/context.h"
#include "run/survey.h"

struct curl_slist;

/* Every path that is asked for, under the server's address. */
#define N_SERVER_PATHS 7

typedef struct server {
    backend base;     /* `host` is set in probing, too */
    run_context *run; /* borrowed; NULL: it is only probed */
    rdv_str model;    /* borrowed */
    bool here;        /* on this machine */
    char *url[N_SERVER_PATHS];
    struct curl_slist *headers;
    char *key;       /* NULL: none */
    http_queue done; /* its exchanges that have ended */
    /* what a run finds out first (survey_call.c) */
    survey survey;
    rdv_arena *found;       /* what the survey keeps */
    unsigned surveyed;      /* items that have been asked about */
    unsigned surveying;     /* those that are; 0: no survey is under way */
    http_exchange exchange; /* of the survey */
    bool out;               /* the exchange is under way */
    double expected;        /* as in call */
    uint32_t tries;
} server;

/* Build the addresses and headers. Faults: RDV_E_NOMEM, RDV_E_ARGUMENT (a key that cannot stand in
 * a header). *s can be given to server_deinit() even then. */
int server_init(server *s, const rdv_endpoint *endpoint, host *h, rdv_error *err);
void server_deinit(server *s);
/* What to say of the key where a status is about it, "refuses the API key" say; NULL where it is
 * not. A key that was taken before is not at fault: filters say 403 to a single request. */
const char *server_blames_key(const server *s, long status);
/* The address for a path of the protocol, or one of llama.cpp's or vLLM's beside it. */
const char *server_url(const server *s, const char *path);
/* Does its address end without a version, as in "http://localhost:8080"? */
bool server_lacks_version(const server *s);
/* Overwrite the key with asterisks where it stands in the bytes of a response, also escaped as JSON
 * may escape it: servers quote it in complaints, and what they send goes to journals and messages.
 * Keys of fewer than 8 bytes are no secrets. */
void server_hide_key(const server *s, char *bytes, size_t len);
/* The same in a reply that was read, where parts may have become the key that were not in the
 * bytes: several tokens, parts of a message. Texts that change are made anew in `arena`.
 * RDV_E_NOMEM. */
int server_hide_key_in(const server *s, rdv_reply *reply, rdv_arena *arena, rdv_error *err);
