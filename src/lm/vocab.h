/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The tokens of a model, and how text becomes tokens: SentencePiece's byte-pair encoding as
 * llama.cpp does it for `tokenizer.ggml.model = "llama"`. */
#include <rederive/base.h>

#include "lm/gguf.h"

#define VOCAB_SPACE "\xe2\x96\x81"       /* U+2581: a space in a token's text */
#define VOCAB_MAX ((size_t)1 << 18)      /* tokens */
#define VOCAB_MAX_TEXT ((size_t)1 << 30) /* bytes made into tokens at once */

typedef struct vocab_token {
    rdv_str text;  /* as the file has it, U+2581 for a space */
    rdv_str piece; /* the bytes it stands for; empty for a control token */
    float score;
    bool control; /* or unknown, or unused: never made from text */
} vocab_token;

typedef struct vocab {
    vocab_token *tokens;
    size_t n;
    rdv_map by_text;     /* of ordinary tokens */
    rdv_map by_name;     /* of control tokens */
    size_t longest;      /* bytes of the longest ordinary token's text */
    uint32_t bytes[256]; /* the token of each byte */
    uint32_t begin, end; /* RDV_LM_NO_TOKEN: none */
    bool add_begin;
    bool add_space; /* a text is read as if a space stood before it */
} vocab;

/* What the file says of its tokens. Faults: RDV_E_INPUT, RDV_E_LIMIT, RDV_E_NOMEM. */
int vocab_read(vocab *v, const gguf *g, rdv_arena *arena, rdv_error *err);

/* A list of tokens that grows in an arena. */
typedef struct token_list {
    rdv_arena *arena;
    uint32_t *items;
    size_t n, cap;
} token_list;

/* False: out of memory. */
bool vocab_list_add(token_list *list, uint32_t token);

/* Append the tokens of `text`. Faults: RDV_E_NOMEM, RDV_E_LIMIT. */
int encode_text(const vocab *v, rdv_str text, token_list *out, rdv_error *err);
