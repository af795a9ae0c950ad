/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Tokens with their log-probabilities, in the four formats that servers use. */
#include "model/parse.h"
#include <rederive/plan.h>

typedef struct tokens {
    rdv_token *items; /* in the arena, with their texts */
    size_t n, cap;
} tokens;

/* Each function adds the tokens that it finds to *out, if any. RDV_OK or RDV_E_NOMEM. */

/* Chat: {"content":[{"token","bytes","logprob","top_logprobs":[{"token","logprob"}]}]}. "bytes"
 * takes precedence if given, since a token may be a part of a character: then the first token of
 * those that make up the character gets its text, and the others get an empty text. */
int tokens_of_chat(const json_t *logprobs, rdv_arena *arena, tokens *out);
/* Completions: {"tokens":[],"token_logprobs":[],"top_logprobs":[{TOKEN:logprob}]} */
int tokens_of_completion(const json_t *logprobs, rdv_arena *arena, tokens *out);
/* vLLM: [null,{ID:{"logprob","decoded_token"}}], the token of the text first in each object. null
 * stands for the first token, which becomes a token without text. */
int tokens_of_prompt(const json_t *prompt_logprobs, rdv_arena *arena, tokens *out);

/* Add a token without text or log-probability, for the text before the first token that has
 * them. */
int tokens_add_unknown(rdv_arena *arena, tokens *out);

/* Keep the tokens that begin in the bytes from..to of the text that all of them spell. */
void tokens_slice(tokens *t, size_t from, size_t to);
/* Whether the tokens spell exactly this text. */
bool tokens_spell(const tokens *t, rdv_str text);
/* Keep the tokens that spell `text` at the end, or before the last token. A token that overlaps the
 * beginning of the text stays, without its log-probability. A first token without text is assumed
 * to spell what the others leave. False: the tokens do not spell it. */
bool tokens_keep_tail(tokens *t, rdv_str text);
