/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Scoring a text with llama.cpp, whose server gives log-probabilities of what it writes and of
 * nothing else: a grammar of tokens ("root ::= <[3512]> <[216]>") leaves it one text to write. The
 * log-probabilities are those of the model before the grammar speaks. A grammar of characters would
 * not do: it leaves open which tokens spell them. */
#include <rederive/base.h>

typedef struct token_grammar {
    rdv_str prompt;  /* JSON: the tokens that stand before those that are forced */
    rdv_str grammar; /* the grammar's text */
    size_t n;        /* tokens that it forces, at least 1 */
} token_grammar;

#define TOKEN_GRAMMAR_ALL SIZE_MAX

/* Make a grammar that forces the tokens of `text` from byte `from` on, as the body of a response to
 * /tokenize (with pieces) lists them. The first token of all is never forced where there is a
 * prompt: nothing stands before it. TOKEN_GRAMMAR_ALL: every token is, and there is no prompt.
 * *out: in `arena`. RDV_NONE: the tokens do not spell the text, or none would be forced; err says
 * so. Faults: RDV_E_NOMEM. */
int token_grammar_make(rdv_str tokenized, rdv_str text, size_t from, rdv_arena *arena,
                       token_grammar *out, rdv_error *err);
