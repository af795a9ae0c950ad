/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/letter_product.h"

#include "base/str.h"
#include "claims/verbal_grammar.h"
#include "expression/variables.h"

#define LETTERS_MOST 3
#define PLAIN_LETTERS 2 /* of a word that is rarely a thing */

static bool is_letter(const tokens *t, size_t i)
{
    return tok_kind_at(t, i) == TOK_WORD && tok_text(t, i).len == 1;
}

/* The word at token `i`; that of "4mgh" is three tokens, since each letter may be a unit. */
static rdv_str word_at(const tokens *t, size_t i)
{
    size_t end = i + 1;
    while (is_letter(t, i) && is_letter(t, end) && !t->at[end].space_before)
        end++;
    return rdv_slice(t->text, t->at[i].begin, t->at[end - 1].end);
}

/* "48 (hay)", "157 (CD burner)": a bracket that says what was counted. */
static bool is_aside(const tokens *t, size_t i)
{
    tok_kind next = tok_kind_at(t, i + 1);
    return i > 0 && tok_kind_at(t, i - 1) == TOK_OPEN && t->at[i - 1].space_before &&
           (next == TOK_CLOSE || next == TOK_WORD);
}

/* Three letters with a vowel are mostly a word: "cat", but not "abc". */
static bool may_be_word(rdv_str w)
{
    bool vowel = false;
    for (size_t c = 0; c < w.len; c++)
        vowel |= strchr("eiouEIOU", w.p[c]) || (c > 0 && rdv_lower(w.p[c]) == 'a');
    return vowel && w.len > PLAIN_LETTERS;
}

/* Is the word a product of letters? */
static bool is_product(const tokens *t, size_t i)
{
    if (tok_kind_at(t, i) != TOK_WORD || t->at[i].upright || (tok_class(t, i) & WORD_FUNCTION))
        return false;
    const verbal_grammar *g = verbal_grammar_built_in();
    rdv_str w = word_at(t, i);
    unit_meaning is_unit;
    if (w.len < 2 || w.len > LETTERS_MOST)
        return false;
    for (size_t c = 0; c < w.len; c++)
        if (!rdv_is_alpha(w.p[c]) || (w.p[c] >= 'a') != (w.p[0] >= 'a'))
            return false;
    bool split = w.len > tok_text(t, i).len;
    if (!g || is_aside(t, i) || may_be_word(w) ||
        cue_is_one_of(&(cue_token){.text = w}, g->list[LIST_SHORT]) ||
        (!split && unit_find(w, &is_unit)))
        return false;
    bool all = t->before != NULL;
    for (size_t c = 0; all && c < w.len; c++)
        all = variables_hold_beside(t->before, t->text, t->at[i].begin, t->at[i].begin + w.len,
                                    w.p[c]);
    return all;
}

/* "a^2 b" */
static bool is_power(const tokens *t, size_t i)
{
    return is_letter(t, i) && tok_kind_at(t, i + 1) == TOK_POWER;
}

static bool is_operator(const tokens *t, size_t i)
{
    tok_kind kind = tok_kind_at(t, i);
    return kind == TOK_PLUS || kind == TOK_MINUS || kind == TOK_TIMES || kind == TOK_DIVIDE;
}

bool letter_product_after(const tokens *t, const expression *side, bool alone)
{
    size_t i = side->end;
    bool bracket = tok_kind_at(t, i) == TOK_OPEN && !t->at[i].space_before;
    if (t->at[i].border)
        return false;
    bool whole = !expression_is_plain(side) || (alone && tok_text(t, i).len == PLAIN_LETTERS);
    if (!bracket && !is_operator(t, i))
        return is_power(t, i) || (whole && is_product(t, i));
    return (is_power(t, i + 1) || is_product(t, i + 1)) &&
           (!bracket || tok_kind_at(t, i + 2) == TOK_CLOSE);
}

/* Does a product of at most so many letters stand in the side? */
static bool holds_product(const tokens *t, const expression *side, size_t most)
{
    bool holds = false;
    for (size_t at = side->begin; at < side->end && !holds; at++)
        holds = t->at[at].kind == TOK_WORD && is_product(t, at) && word_at(t, at).len <= most;
    return holds;
}

bool letter_product_in(const tokens *t, const equality *chain, size_t i)
{
    return tok_holds(t, TOK_WORD) && (holds_product(t, &chain->term[i], LETTERS_MOST) ||
                                      holds_product(t, &chain->term[i + 1], LETTERS_MOST) ||
                                      letter_product_after(t, &chain->term[i + 1], false));
}

bool letter_product_on_one_side(const tokens *t, const equality *chain, size_t i)
{
    const expression *l = &chain->term[i], *r = &chain->term[i + 1];
    return tok_holds(t, TOK_WORD) && !l->n_letters && !r->n_letters &&
           holds_product(t, l, PLAIN_LETTERS) != holds_product(t, r, PLAIN_LETTERS);
}
