/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/model.h - naming a model, and what the server behind it can do.
 *
 * Plain data and no I/O: rederive/run.h asks. Thread rule: see rederive/base.h. */
#include <rederive/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- naming a model -------------------------------------------------------------------------- */

typedef enum rdv_model_kind {
    RDV_MODEL_SERVER,     /* an OpenAI-compatible server */
    RDV_MODEL_TRANSCRIPT, /* recorded replies, nothing is asked */
    RDV_MODEL_BUILTIN     /* a model file that is run here */
} rdv_model_kind;

typedef struct rdv_model_spec {
    rdv_model_kind kind;
    rdv_str url;  /* server: "https://api.openai.com/v1", without a slash at the end */
    rdv_str host; /* server: "https://api.openai.com", what limits are counted by */
    bool here;    /* server: on this machine, and so never asked through a proxy */
    rdv_str path; /* transcript, built-in: the file; p == NULL: the default one (built-in only) */
    rdv_str name; /* the model's; p == NULL: not said (a server's must be) */
} rdv_model_spec;

/* Read "openai:NAME", "http://HOST[:PORT][/PATH]#NAME", "https://...#NAME",
 * "transcript:FILE[#NAME]", "builtin" or "builtin:FILE[#NAME]".
 * *out: texts in `arena`; untouched on failure. A user name or password in the address is refused:
 * keys come from the environment. Faults: RDV_E_ARGUMENT, RDV_E_NOMEM. */
RDV_API int rdv_model_parse(rdv_str spec, rdv_arena *arena, rdv_model_spec *out, rdv_error *err);

/* ---- what a server can do -------------------------------------------------------------------- */

/* Unknown is tried, and becomes one of the others by what the server says. */
typedef enum rdv_can { RDV_CAN_UNKNOWN = 0, RDV_CAN, RDV_CANNOT } rdv_can;

/* One model of one server. Zero-initialised: nothing is known yet. */
typedef struct rdv_abilities {
    rdv_can chat;            /* POST /chat/completions */
    rdv_can completions;     /* POST /completions: continues a text */
    rdv_can echo;            /* scores a text: completions with echo and logprobs */
    rdv_can prompt_logprobs; /* scores a text: vLLM's prompt_logprobs */
    rdv_can token_grammar;   /* scores a text: llama.cpp's grammar of tokens, which forces it */
    rdv_can logprobs;        /* the log-probabilities of a reply */
    rdv_can many;            /* `n` gives as many choices; only told, never used */
    rdv_can system;          /* a system turn */
    rdv_can free_turns;      /* two turns of one role in a row */
    rdv_can prefix;      /* continues an assistant's turn; RDV_CANNOT: starts again, or refuses */
    rdv_can prefix_back; /* and gives that turn's text back before what it adds (llama.cpp) */
    rdv_can max_tokens;  /* RDV_CANNOT: wants max_completion_tokens */
    rdv_can no_tokens;   /* max_tokens 0, with echo; RDV_CANNOT: 1 */
    rdv_can temperature, top_p, stop;
    rdv_can schema; /* holds a reply to a JSON schema (response_format) */
    rdv_can choice; /* holds a reply to one of a few texts (llama.cpp's grammar, vLLM's
                       structured_outputs) */
    rdv_can top_k;  /* top_k and min_p beside OpenAI's settings. RDV_CAN: the server has defaults of
                       its own for them, so they are sent to turn them off */
    rdv_can stream; /* sends a reply piece by piece, with its usage at the end */
} rdv_abilities;

/* Which program a server is, as far as GET /models tells ("owned_by"). */
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
