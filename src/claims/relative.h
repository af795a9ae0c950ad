/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A relative clause that says what a calculation is: "2 * 18, which is 36". */
#include "notation/lex.h"

/* True if words that equate the text before them with a number begin at token `i`: ", which is".
 * *len becomes their number of tokens. */
bool relative_sign_at(const tokens *t, size_t i, size_t *len);

/* Most texts have no such words. */
static inline bool relative_may_be_in(const tokens *t)
{
    const unsigned words = WORD_POINTS_BACK | WORD_RESULT;
    return (t->words & words) == words;
}

/* relative_sign_at(), with a fast test that most texts and tokens fail. */
static inline bool relative_sign(const tokens *t, size_t i, size_t *len)
{
    tok_kind k = t->at[i].kind;
    return relative_may_be_in(t) && (k == TOK_WORD || k == TOK_COMMA) &&
           relative_sign_at(t, i, len);
}

/* Does the clause end before token `i`, perhaps after a word or two that name what is counted? What
 * compares ("4 more than 32") does not end it. */
bool relative_ends(const tokens *t, size_t i);
