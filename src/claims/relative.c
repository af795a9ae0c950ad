/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/relative.h"

#include "claims/adjacency.h"
#include "claims/connective.h"
#include "language/number_words.h"
#include "language/phrase.h"
#include "language/word_class.h"

bool relative_ends(const tokens *t, size_t i)
{
    static phrase_list comparing = {"@comparative;@relative-to"};
    unsigned number;
    for (size_t words = 0; words < 3; words++, i++) {
        tok_kind k = tok_kind_at(t, i);
        if (k == TOK_END || k == TOK_NEWLINE || k == TOK_CLOSE)
            return true;
        if (k == TOK_COMMA || k == TOK_PUNCT)
            return t->text.p[t->at[i].begin] != '?' && !adjacency_takes_part_after(t, i);
        if (k != TOK_WORD || scale_word(tok_text(t, i), &number) ||
            factor_word(tok_text(t, i), &number) || tok_is_in(t, i, &comparing))
            return false;
    }
    return false;
}

static bool number_begins(const tokens *t, size_t i)
{
    i += tok_kind_at(t, i) == TOK_MINUS;
    i += tok_kind_at(t, i) == TOK_CURRENCY;
    return tok_kind_at(t, i) == TOK_NUMBER || tok_kind_at(t, i) == TOK_FRAC;
}

bool relative_sign_at(const tokens *t, size_t i, size_t *len)
{
    size_t k = i + (t->at[i].kind == TOK_COMMA);
    if (!tok_is_word(t, k, "which"))
        return false;
    bool difference = false; /* what is left may be left of something that was said before */
    size_t words = tok_kind_at(t, k + 1) == TOK_WORD ? connective_equality_words(t, k + 1) : 0;
    words = words ? words : connective_verb(t, k + 1, &difference);
    *len = k + 1 + words - i;
    return words && !difference && number_begins(t, i + *len);
}
