/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a client asks, read from the body of its request: JSON from outside, in OpenAI's form with
 * the members that vLLM adds for continuing and scoring. No sockets. */
#include "server/api_error.h"
#include <rederive/plan.h>

/* Limits; what is over them is refused. */
#define COMPLETION_MAX_MESSAGES 1000
#define COMPLETION_MAX_CHOICES 64 /* n times the prompts */
#define COMPLETION_MAX_STOPS 4
#define COMPLETION_MAX_STOP_BYTES 256
#define COMPLETION_MAX_TOP 20 /* alternatives to a token */

typedef enum completion_form { COMPLETION_CHAT, COMPLETION_TEXT } completion_form;

typedef struct completion_request {
    completion_form form;
    rdv_str model;       /* p == NULL: not said */
    rdv_request request; /* what every reply is asked with, but for the prompt and the seed: is,
                            messages, sampling. temperature and top_p are set; max_tokens 0: as far
                            as there is room, unless `no_reply` */
    rdv_str *prompts;    /* COMPLETION_TEXT */
    size_t n_prompts;
    bool echo;            /* COMPLETION_TEXT: the prompt comes back before the reply */
    bool no_reply;        /* max_tokens is 0: nothing is to be written */
    bool prompt_logprobs; /* the log-probabilities of the prompt, in vLLM's form, */
    uint32_t top_prompt;  /* and of so many alternatives */
    size_t n;             /* replies to each prompt */
    uint64_t seed;
    bool seeded; /* the client gave one */
    bool stream, stream_usage;
} completion_request;

/* Read the body of a POST to /chat/completions or /completions. *out: in `arena`, nothing borrowed
 * from `body`. False: *e says why (status 400; 500 when memory is short). */
bool completion_request_read(completion_form form, rdv_str body, rdv_arena *arena,
                             completion_request *out, api_error *e);
