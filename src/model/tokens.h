/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Tokens with their log-probabilities, in the four ways in which servers write them. */
#include "model/parse.h"
#include <rederive/plan.h>

typedef struct tokens {
    rdv_token *items; /* in the arena, with their texts */
    size_t n, cap;
} tokens;

/* Each adds what it finds to *out; nothing where there is nothing. RDV_OK or RDV_E_NOMEM. */

/* Chat: {"content":[{"token","bytes","logprob","top_logprobs":[{"token","logprob"}]}]}. Where
 * "bytes" are given they count, since a token may be a part of a character: then the first token of
 * those that make up the character has its text, and the others have an empty one. */
int tokens_of_chat(const json_t *logprobs, rdv_arena *arena, tokens *out);
/* Completions: {"tokens":[],"token_logprobs":[],"top_logprobs":[{TOKEN:logprob}]} */
int tokens_of_completion(const json_t *logprobs, rdv_arena *arena, tokens *out);
/* vLLM: [null,{ID:{"logprob","decoded_token"}}], the token of the text first in each. null stands
 * for the first token, which becomes one without text. */
int tokens_of_prompt(const json_t *prompt_logprobs, rdv_arena *arena, tokens *out);

/* One without text or log-probability, for what stands before the first that has them. */
int tokens_add_unknown(rdv_arena *arena, tokens *out);

/* Keep those that begin in the bytes from..to of what all of them spell. */
void tokens_slice(tokens *t, size_t from, size_t to);
/* Do they spell exactly this text? */
bool tokens_spell(const tokens *t, rdv_str text);
/* Keep those that spell `text` at the end, or before the last token. One that reaches over the
 * beginning of the text stays, without its log-probability. A first token without text is taken to
 * spell what the others leave. False: they do not spell it. */
bool tokens_keep_tail(tokens *t, rdv_str text);
