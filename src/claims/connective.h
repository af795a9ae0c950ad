/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The words and signs of equality: a sign or a verb, then "us" where the verb takes it, then a word
 * for how exact the value is, "gives us about". No other file lists them or their combinations. */
#include "base/buf.h"
#include "notation/lex.h"

/* How many tokens from `i` on are a sign of equality, or words that say no less ("equals", "is
 * about equal to"), with such a word; 0: none. */
size_t connective_equality_words(const tokens *t, size_t i);
static inline size_t connective_equality(const tokens *t, size_t i)
{
    tok_kind k = t->at[i].kind;
    bool sign = k == TOK_EQUAL || k == TOK_APPROX;
    if (sign && !(t->words & WORD_ABOUT))
        return 1;
    return sign || (k == TOK_WORD && (t->words & WORD_EQUAL)) ? connective_equality_words(t, i) : 0;
}

/* The same for a verb that claims only what an operation comes to: "is", "gives us", "comes to".
 * *difference: it says so of a difference only, "leaves". */
size_t connective_verb(const tokens *t, size_t i, bool *difference);

/* Append the first words of all these, with ";" before each. */
void connective_add_words(rdv_buf *b);

/* How many tokens from `i` on say that a number is not meant exactly: "about", "approx."; 0: none.
 */
size_t connective_hedge(const tokens *t, size_t i);

/* Does one of the `n` tokens from `i` on, which connect, say that the sides are only about equal?
 */
bool connective_is_about(const tokens *t, size_t i, size_t n);
