/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A client's request, read from its body: untrusted JSON in OpenAI's form, with the members that
 * vLLM adds for continuing and scoring. No sockets. */
#include "server/api_error.h"
#include <rederive/plan.h>

/* Limits; larger requests are refused. */
#define COMPLETION_MAX_MESSAGES 1000
#define COMPLETION_MAX_CHOICES 64 /* n times the prompts */
#define COMPLETION_MAX_STOPS 4
#define COMPLETION_MAX_STOP_BYTES 256
#define COMPLETION_MAX_TOP 20 /* alternatives to a token */

typedef enum completion_form { COMPLETION_CHAT, COMPLETION_TEXT } completion_form;

typedef struct completion_request {
    completion_form form;
    rdv_str model;       /* p == NULL: not given */
    rdv_request request; /* common to all replies, except the prompt and the seed: kind, messages,
                            sampling. temperature and top_p are set; max_tokens 0: as many as fit,
                            unless `no_reply` */
    rdv_str *prompts;    /* COMPLETION_TEXT */
    size_t n_prompts;
    bool echo;            /* COMPLETION_TEXT: the response repeats the prompt */
    bool no_reply;        /* the client's max_tokens is 0: no text is generated */
    bool prompt_logprobs; /* return the prompt's log-probabilities in vLLM's form, */
    uint32_t top_prompt;  /* with this many alternatives */
    size_t n;             /* number of replies per prompt */
    uint64_t seed;
    bool seeded; /* the client gave one */
    bool stream, stream_usage;
} completion_request;

/* Read the body of a POST to /chat/completions or /completions. *out: in `arena`, nothing borrowed
 * from `body`. False: *e is the error (status 400; 500 when out of memory). */
bool completion_request_read(completion_form form, rdv_str body, rdv_arena *arena,
                             completion_request *out, api_error *e);
