/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Scoring a text with llama.cpp, whose server gives log-probabilities only for the text that it
 * generates: a grammar of tokens ("root ::= <[3512]> <[216]>") allows only one text. The
 * log-probabilities are those of the model before the grammar is applied. A grammar of characters
 * is not enough: it does not determine which tokens spell them. */
#include <rederive/base.h>

typedef struct token_grammar {
    rdv_str prompt;  /* JSON: the tokens before those that are forced */
    rdv_str grammar; /* the grammar's text */
    size_t n;        /* number of tokens that it forces, at least 1 */
} token_grammar;

#define TOKEN_GRAMMAR_ALL SIZE_MAX

/* Make a grammar that forces the tokens of `text` from byte `from` on, as listed by the body of a
 * response to /tokenize (with pieces). If there is a prompt, the very first token is never forced,
 * because nothing precedes it. TOKEN_GRAMMAR_ALL: every token is forced, and there is no prompt.
 * *out: in `arena`. RDV_NONE: the tokens do not spell the text, or none would be forced; err says
 * so. Faults: RDV_E_NOMEM. */
int token_grammar_make(rdv_str tokenized, rdv_str text, size_t from, rdv_arena *arena,
                       token_grammar *out, rdv_error *err);
