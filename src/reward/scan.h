/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A text as tokens: words, numbers and single marks, in the order of the text. */
#include "base/arena.h"
#include "base/str.h"

#define MAX_TOKENS ((size_t)20000) /* of one text; what comes after is not looked at */

typedef enum token_is { TOKEN_WORD, TOKEN_NUMBER, TOKEN_MARK } token_is;

typedef struct token {
    token_is is;
    rdv_str text;
    uint64_t hash; /* of the text in lower case */
    double number; /* TOKEN_NUMBER */
    bool quoted;   /* between double quotes; the quotes are no tokens */
    bool last;     /* the last one of its quotation */
    bool capital;  /* begins with a capital */
    bool opens;    /* begins a sentence */
    bool decimal;  /* a number with a point */
} token;

typedef struct tokens {
    token *of;
    size_t n;
} tokens;

/* Into *out, in `arena`, borrowing from `text`. RDV_OK or RDV_E_NOMEM. */
int scan_text(rdv_str text, rdv_arena *arena, tokens *out);
static inline bool is_mark(const token *t, char c)
{
    return t->is == TOKEN_MARK && t->text.p[0] == c;
}
/* Whether it is the word, which is in lower case. */
static inline bool is_word(const token *t, const char *lower)
{
    size_t n = t->text.len;
    if (t->is != TOKEN_WORD || rdv_lower(t->text.p[0]) != lower[0])
        return false;
    for (size_t i = 1; i < n; i++)
        if (rdv_lower(t->text.p[i]) != lower[i])
            return false;
    return lower[n] == 0;
}
/* Whether the token is one of the words in the list, which ends in NULL. */
bool scan_is_word_of(const token *t, const char *const *list);
