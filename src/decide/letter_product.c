/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/letter_product.h"

#include "base/str.h"
#include "expression/variables.h"
#include "language/phrase.h"

#define LETTERS_MOST 3

/* Is the word a product of letters? */
static bool is_product(const tokens *t, size_t i)
{
    static phrase_list words = {
        "ah;am;an;and;any;are;as;at;but;by;can;do;for;get;go;got;had;has;he;her;him;his;how;i;if;"
        "in;is;it;its;let;may;me;my;new;no;nor;not;now;of;off;oh;ok;old;on;one;or;our;out;own;per;"
        "see;she;so;the;to;too;two;up;us;via;was;way;we;who;why;yes;yet;you;min;max;sum;cup;day"};
    rdv_str w = tok_text(t, i);
    unit_meaning is_unit;
    if (tok_kind_at(t, i) != TOK_WORD || t->at[i].upright || w.len < 2 || w.len > LETTERS_MOST)
        return false;
    for (size_t c = 0; c < w.len; c++)
        if (!rdv_is_alpha(w.p[c]) || (w.p[c] >= 'a') != (w.p[0] >= 'a'))
            return false;
    if (phrase_in(w, &words) || (w.len == 2 && unit_find(w, &is_unit)))
        return false;
    bool all = t->before != NULL;
    for (size_t c = 0; all && c < w.len; c++)
        all = variables_may_hold(t->before, t->text, t->at[i].begin, t->at[i].end, w.p[c]);
    return all;
}

/* "mgh", "a^2 b" */
static bool is_letters(const tokens *t, size_t i)
{
    bool power = tok_kind_at(t, i) == TOK_WORD && tok_text(t, i).len == 1 &&
                 tok_kind_at(t, i + 1) == TOK_POWER;
    return power || is_product(t, i);
}

static bool is_operator(const tokens *t, size_t i)
{
    tok_kind kind = tok_kind_at(t, i);
    return kind == TOK_PLUS || kind == TOK_MINUS || kind == TOK_TIMES || kind == TOK_DIVIDE;
}

/* Does the formula go on with one at token `i`: " bc", " - bc", "(bc)"? */
static bool goes_on(const tokens *t, size_t i)
{
    bool bracket = tok_kind_at(t, i) == TOK_OPEN && !t->at[i].space_before;
    size_t at = i + (is_operator(t, i) || bracket);
    return !t->at[i].border && is_letters(t, at) &&
           (!bracket || tok_kind_at(t, at + 1) == TOK_CLOSE);
}

/* Does one stand before token `i`: "bc 3", "2 - bc 3"? */
static bool stands_before(const tokens *t, size_t i)
{
    return i > 0 && !t->at[i].border && is_product(t, i - 1);
}

bool letter_product_in(const knowledge *k, const equality *chain, size_t i)
{
    const tokens *t = k->t;
    const expression *sides[2] = {&chain->term[i], &chain->term[i + 1]};
    if (!tok_holds(t, TOK_WORD))
        return false;
    for (size_t s = 0; s < 2; s++)
        for (size_t at = sides[s]->begin; at < sides[s]->end; at++)
            if (is_product(t, at))
                return true;
    return (i == 0 && stands_before(t, sides[0]->begin)) || goes_on(t, sides[1]->end);
}
