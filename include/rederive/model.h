/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/model.h - names of models, and the abilities of the servers behind them.
 *
 * Plain data without I/O; rederive/run.h sends requests. Thread rule: see rederive/base.h. */
#include <rederive/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- names of models ------------------------------------------------------------------------- */

typedef enum rdv_model_kind {
    RDV_MODEL_SERVER,     /* an OpenAI-compatible server */
    RDV_MODEL_TRANSCRIPT, /* recorded replies; no request is sent */
    RDV_MODEL_BUILTIN     /* a model file that runs in this process */
} rdv_model_kind;

typedef struct rdv_model_spec {
    rdv_model_kind kind;
    rdv_str url;  /* server: "https://api.openai.com/v1", without a slash at the end */
    rdv_str host; /* server: "https://api.openai.com"; limits apply per host */
    bool here;    /* server: on this machine; never contacted through a proxy */
    rdv_str path; /* transcript, built-in: the file; p == NULL: the default file (built-in only) */
    rdv_str name; /* the model's name; p == NULL: not given (required for a server) */
} rdv_model_spec;

/* Read "openai:NAME", "http://HOST[:PORT][/PATH]#NAME", "https://...#NAME",
 * "transcript:FILE[#NAME]", "builtin" or "builtin:FILE[#NAME]".
 * *out: texts in `arena`; untouched on failure. A user name or password in the address is refused:
 * keys come from the environment. Faults: RDV_E_ARGUMENT, RDV_E_NOMEM. */
RDV_API int rdv_model_parse(rdv_str spec, rdv_arena *arena, rdv_model_spec *out, rdv_error *err);

#define RDV_MODEL_MOST_SERVERS 64 /* servers of one model */

/* Read what rdv_model_parse() reads, or several servers of one model, separated by commas:
 * "http://one:8000/v1#m,http://two:8000/v1#m". In such a list "#m=x" is the model m, which this
 * server calls x: (*specs)[i].name is the server's own name of the model. *name: the model's name,
 * part of the keys of a journal (p == NULL: not given); *specs: *n >= 1 of them, in `arena`. All
 * are untouched on failure. Faults: RDV_E_ARGUMENT, also for an address that occurs twice, models
 * of different names, and more than RDV_MODEL_MOST_SERVERS servers; RDV_E_NOMEM. */
RDV_API int rdv_model_parse_servers(rdv_str spec, rdv_arena *arena, rdv_str *name,
                                    rdv_model_spec **specs, size_t *n, rdv_error *err);

/* ---- abilities of servers -------------------------------------------------------------------- */

/* An unknown ability is tried; the server's response makes it one of the others. */
typedef enum rdv_can { RDV_CAN_UNKNOWN = 0, RDV_CAN, RDV_CANNOT } rdv_can;

/* The abilities of one model of one server. Zero-initialised: all are unknown. */
typedef struct rdv_abilities {
    rdv_can chat;            /* POST /chat/completions */
    rdv_can completions;     /* POST /completions: continues a text */
    rdv_can echo;            /* scores a text: completions with echo and logprobs */
    rdv_can prompt_logprobs; /* scores a text: vLLM's prompt_logprobs */
    rdv_can token_grammar;   /* scores a text: llama.cpp's token grammar, which forces the text */
    rdv_can logprobs;        /* the log-probabilities of a reply */
    rdv_can many;            /* `n` gives this many choices */
    rdv_can system;          /* accepts a system turn */
    rdv_can free_turns;      /* accepts two turns of one role in a row */
    rdv_can prefix;          /* continues an assistant's turn; RDV_CANNOT: starts a new turn, or
                                refuses */
    rdv_can prefix_back;     /* the continuation begins with that turn's text (llama.cpp) */
    rdv_can max_tokens;      /* RDV_CANNOT: requires max_completion_tokens */
    rdv_can no_tokens;       /* accepts max_tokens 0, with echo; RDV_CANNOT: 1 is sent */
    rdv_can temperature, top_p, stop;
    rdv_can schema; /* structured output by a JSON schema (response_format) */
    rdv_can choice; /* structured output as one of a few texts (llama.cpp's grammar, vLLM's
                       structured_outputs) */
    rdv_can top_k;  /* accepts top_k and min_p in addition to OpenAI's settings. RDV_CAN: the
                       server has its own defaults for them, so they are sent to turn them off */
    rdv_can stream; /* streams a reply, with its usage at the end */
    rdv_can finish; /* says how a reply ended (finish_reason). RDV_CANNOT: of no reply */
} rdv_abilities;

/* The server's software, as far as GET /models reports it ("owned_by"). */
typedef enum rdv_software {
    RDV_SOFTWARE_UNKNOWN = 0,
    RDV_SOFTWARE_LLAMA_CPP,
    RDV_SOFTWARE_VLLM,
    RDV_SOFTWARE_SGLANG,
    RDV_SOFTWARE_OLLAMA,
    RDV_SOFTWARE_REDERIVE /* rederive serve */
} rdv_software;

#ifdef __cplusplus
}
#endif
