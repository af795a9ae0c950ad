/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a client asks, read from the body of its request: JSON from outside, in OpenAI's form with
 * the members that vLLM adds for continuing and scoring. No sockets. */
#include <rederive/plan.h>

/* Limits; what is over them is refused. */
#define ASK_MAX_MESSAGES 1000
#define ASK_MAX_CHOICES 64 /* n times the prompts */
#define ASK_MAX_STOPS 4
#define ASK_MAX_STOP_BYTES 256
#define ASK_MAX_TOP 20 /* alternatives at a place */

typedef enum ask_form { ASK_CHAT, ASK_TEXT } ask_form;

typedef struct ask {
    ask_form form;
    rdv_str model; /* p == NULL: not said */
    rdv_message *messages;
    size_t n_messages;
    bool continues;   /* the last message, which is the assistant's, is left open */
    rdv_str *prompts; /* ASK_TEXT */
    size_t n_prompts;
    bool echo;             /* ASK_TEXT: the prompt comes back before the reply */
    rdv_sampling sampling; /* temperature and top_p are set; max_tokens 0: as far as there is room,
                              unless `no_reply` */
    bool no_reply;         /* max_tokens is 0: nothing is to be written */
    bool prompt_logprobs;  /* the log-probabilities of the prompt, in vLLM's form */
    uint32_t top_prompt;   /* and so many alternatives */
    size_t n;              /* replies to each prompt */
    uint64_t seed;
    bool seeded; /* the client gave one */
    bool stream, stream_usage;
} ask;

/* Why a request is refused. */
typedef struct fault {
    unsigned status;   /* 400 */
    const char *param; /* the member that is at fault; NULL: none. A static string */
    const char *code;  /* "model_not_found"; NULL: none. A static string */
    char message[256]; /* one sentence */
} fault;

/* Set *f and return false. */
bool fault_set(fault *f, unsigned status, const char *param, const char *fmt, ...) RDV_PRINTF(4, 5);

/* Read the body of a POST to /chat/completions or /completions. *out: in `arena`, nothing borrowed
 * from `body`. False: *f says why (status 400; 500 when memory is short). */
bool ask_read(ask_form form, rdv_str body, rdv_arena *arena, ask *out, fault *f);
