/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/factorization.h"

#include "base/arena.h"
#include "base/str.h"
#include "claims/adjacency.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* "factorization of 60 is": the token of the number into *number, that of the product into
 * *product. */
static bool named(const tokens *t, size_t i, size_t *number, size_t *product)
{
    static const char *const names[] = {"factorization", "factorisation"};
    *number = i + 2;
    *product = i + 4;
    return tok_is_one_of(t, i, names, COUNT(names)) && tok_is_word(t, i + 1, "of") &&
           (tok_is_word(t, i + 3, "is") || tok_kind_at(t, i + 3) == TOK_EQUAL);
}

/* "factor 60 as", "60 factors as", "60 can be factored as": likewise. */
static bool factored(const tokens *t, size_t i, size_t *number, size_t *product)
{
    static const char *const verbs[] = {"factor", "factorize", "factorise", "factoring"},
                             *const as[] = {"as", "into"},
                             *const done[] = {"factors", "factored", "factorized"};
    static phrase_list modals = {"@modal"};
    if (tok_is_one_of(t, i, verbs, COUNT(verbs)) && tok_is_one_of(t, i + 2, as, COUNT(as))) {
        *number = i + 1;
        *product = i + 3;
        return true;
    }
    bool passive = tok_is_word(t, i - 1, "be") && tok_is_in(t, i - 2, &modals);
    *number = i - (passive ? 3 : 1);
    *product = i + 2;
    return tok_is_one_of(t, i, done, COUNT(done)) && tok_is_one_of(t, i + 1, as, COUNT(as));
}

/* May the number at token `i` stand alone? */
static bool stands_alone(const tokens *t, size_t i)
{
    if (tok_kind_at(t, i) != TOK_NUMBER)
        return false;
    tok_kind before = i ? t->at[i - 1].kind : TOK_PUNCT, after = tok_kind_at(t, i + 1);
    return (before == TOK_WORD || before == TOK_PUNCT || before == TOK_NEWLINE ||
            before == TOK_COMMA) &&
           (after == TOK_WORD || after == TOK_EQUAL) && !adjacency_takes_part_before(t, i);
}

/* Does the product end a clause before token `i`? */
static bool ends(const tokens *t, size_t i)
{
    static phrase_list joining = {"@concluding;@of-a-reason;@joins-a-clause"};
    tok_kind k = tok_kind_at(t, i);
    bool stops = k == TOK_END || k == TOK_NEWLINE || k == TOK_PUNCT || k == TOK_COMMA ||
                 (k == TOK_OPEN && t->at[i].space_before) || tok_is_in(t, i, &joining);
    return stops && !adjacency_takes_part_after(t, i) &&
           !(k == TOK_PUNCT && t->text.p[t->at[i].begin] == '?') &&
           !(k == TOK_COMMA && tok_kind_at(t, i + 1) == TOK_NUMBER);
}

/* The statement that the word at token `i` names. */
static int read_one(const tokens *t, size_t i, rdv_arena *arena, equalities *out)
{
    expression sides[2];
    size_t number, next;
    if ((!named(t, i, &number, &next) && !factored(t, i, &number, &next)) ||
        !stands_alone(t, number))
        return RDV_NONE;
    int r = parse_expression(t, number, arena, &sides[0]);
    if (r == RDV_OK)
        r = parse_expression(t, next, arena, &sides[1]);
    if (r != RDV_OK)
        return r;
    const expression *product = &sides[1];
    bool read =
        !product->n_letters && !product->n_units && !product->n_words && ends(t, product->end);
    return read ? equalities_append(arena, sides, false, false, out) : RDV_NONE;
}

int factorization_find(const tokens *t, rdv_arena *arena, equalities *out)
{
    if (!(t->words & WORD_DIVISIBILITY))
        return RDV_OK;
    for (size_t i = 0; i + 3 < t->n; i++) {
        if (!(t->at[i].word & WORD_DIVISIBILITY))
            continue;
        rdv_mark mark = rdv_arena_mark(arena);
        int r = read_one(t, i, arena, out);
        if (r < 0)
            return r;
        if (r == RDV_NONE)
            rdv_arena_rewind(arena, mark);
    }
    return RDV_OK;
}

bool factorization_may_be_in(rdv_str text)
{
    static phrase_list words = {"factor*"};
    return phrase_in(text, &words);
}
