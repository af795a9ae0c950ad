/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A client's request to a model that is served, in any of the protocols: which model it is for, and
 * how its reply is judged. What else it has is for the model's server. No sockets. */
#include "judge/rule.h"
#include "server/api_error.h"
#include "server/serve_options.h"

/* Before the name of a model whose replies are to be judged. */
#define RELAY_CHECK "rederive/check/"

/* Reserved for a reply whose request states no limit. */
#define RELAY_REPLY_TOKENS 4096

typedef struct relay_request {
    reply_protocol protocol;
    size_t model; /* its place in options->models */
    bool judged;
    judge_rule rule;  /* valid where it is judged; rule.asking.checker names the next */
    size_t checker;   /* the model that checks, where the method asks one */
    rdv_str question; /* the last that the user says; p == NULL: none. At most 64 KiB */
    uint64_t limit;   /* tokens of the reply; 0: not said */
    uint64_t most;    /* tokens of all replies to it, by the largest limit that it states, or else
                         RELAY_REPLY_TOKENS each */
    bool limited;     /* it states one */
    bool shaped;      /* the reply is to have a form, or may call tools: it is more than a text */
    bool shows_usage; /* chat completions: a chunk with the usage is asked for */
    rdv_str asked;    /* the model's name as the client wrote it; p == NULL: not given */
} relay_request;

/* The place in o->models of the model of that name, which may begin with RELAY_CHECK (then
 * *checked); SIZE_MAX: there is none. */
size_t relay_request_model(const serve_options *o, rdv_str name, bool *checked);
/* Read a body, for a client whose replies are judged by that rule. *out: in `arena`, and may borrow
 * from `body`. False: *e is the error. */
bool relay_request_read(const serve_options *o, const judge_rule *rule, reply_protocol protocol,
                        rdv_str body, rdv_arena *arena, relay_request *out, api_error *e);
/* The body for the model's server, which calls the model `name`: all other bytes are the client's,
 * except that its member `rederive` is left out. Same as above. */
bool relay_request_body(rdv_str body, rdv_str name, rdv_arena *arena, rdv_str *out, api_error *e);
