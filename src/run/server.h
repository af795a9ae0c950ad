/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A model at an HTTP server: its addresses, headers, key and known abilities. backend_http.c and
 * survey_call.c use it as a backend of a run. */
#include "run/backend.h"
#include "run/context.h"
#include "run/survey/survey.h"

struct curl_slist;

/* All paths used, under the server's address. */
#define N_SERVER_PATHS 9

typedef struct server {
    backend base;     /* `host` is also set when probing */
    run_context *run; /* borrowed; NULL: probing only */
    rdv_str model;    /* borrowed */
    bool here;        /* on this machine */
    char *url[N_SERVER_PATHS];
    struct curl_slist *headers;
    char *key;       /* NULL: none */
    http_queue done; /* its finished exchanges */
    /* the survey before a run's first calls (survey_call.c) */
    survey survey;
    rdv_arena *found;       /* holds what the survey keeps */
    unsigned surveyed;      /* items already asked about */
    unsigned exchanges;     /* of surveys, so far */
    unsigned surveying;     /* items being asked about; 0: no survey is under way */
    uint64_t turn;          /* of this survey in run->surveys; 0: it is not remembered */
    bool doubtful;          /* it did not answer all: nothing more is remembered */
    bool awaits;            /* another run surveys the server */
    bool must_hold; /* a request wanted its reply held to a form, and did not only offer it */
    bool unsaid;            /* a reply came without a finish_reason */
    bool told_unsaid;       /* that none has one was told */
    http_exchange exchange; /* of the survey */
    bool out;               /* the exchange is under way */
    double expected;        /* as in call */
    token_usage held;       /* as in backend_call */
    uint32_t tries;
} server;

/* Build the addresses and headers. Faults: RDV_E_NOMEM, RDV_E_ARGUMENT (a key that is not valid in
 * a header). *s can be given to server_deinit() even then. */
int server_init(server *s, const rdv_endpoint *endpoint, host *h, rdv_error *err);
void server_deinit(server *s);
/* The message about the key for a status that concerns it, such as "refuses the API key"; otherwise
 * NULL. A key that was accepted before is not blamed: filters send 403 for single requests. */
const char *server_blames_key(const server *s, long status);
/* The URL of a path of the protocol, or of one of llama.cpp's or vLLM's additional paths. */
const char *server_url(const server *s, const char *path);
/* Whether the address lacks a version, as in "http://localhost:8080". */
bool server_lacks_version(const server *s);
/* Overwrite the key with asterisks in the bytes of a response, also where it is JSON-escaped:
 * servers quote it in error messages, and responses go to journals and messages. Keys of fewer than
 * 8 bytes are not treated as secrets. */
void server_hide_key(const server *s, char *bytes, size_t len);
/* The same of a key that stands alone; NULL: there is none. */
void server_hide_secret(const char *key, char *bytes, size_t len);
/* The same in a parsed reply, where parts that were separate in the bytes may form the key: several
 * tokens, parts of a message. Changed texts are allocated in `arena`. RDV_E_NOMEM. */
int server_hide_key_in(const server *s, rdv_reply *reply, rdv_arena *arena, rdv_error *err);
