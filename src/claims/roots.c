/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/roots.h"

#include "base/arena.h"
#include "base/str.h"
#include "expression/clause.h"
#include "language/number_words.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* "roots of", "solution to the equation": the token after it, or 0. */
static size_t after_phrase(const tokens *t, size_t i)
{
    static phrase_list nouns = {"@root-noun"};
    static const char *const joins[] = {"of", "to"};
    if (!tok_is_in(t, i, &nouns) || !tok_is_one_of(t, i + 1, joins, COUNT(joins)))
        return 0;
    i += 2 + tok_is_word(t, i + 2, "the");
    return i + tok_is_word(t, i, "equation");
}

/* The two sides that begin at token `i`; *i becomes the token after them. */
static int read_equation(const tokens *t, size_t *i, rdv_arena *arena, equality *out)
{
    *out = (equality){.n = 2, .clean_left = true, .clean_right = true, .at = *i};
    out->term = RDV_NEW_ARRAY(arena, expression, 2);
    out->approximate = RDV_NEW_ARRAY(arena, bool, 2);
    if (!out->term || !out->approximate)
        return RDV_E_NOMEM;
    int r = parse_expression_of_letters(t, *i, arena, &out->term[0]);
    if (r != RDV_OK || t->at[out->term[0].end].kind != TOK_EQUAL)
        return r == RDV_OK ? RDV_NONE : r;
    r = parse_expression_of_letters(t, out->term[0].end + 1, arena, &out->term[1]);
    out->approximate[0] = out->approximate[1] = false;
    *i = r == RDV_OK ? out->term[1].end : *i;
    return r;
}

/* "x = 2" or "2" at token `i`. */
static int read_value(const tokens *t, size_t i, rdv_arena *arena, expression *out)
{
    bool named = tok_kind_at(t, i) == TOK_WORD && tok_text(t, i).len == 1 &&
                 tok_kind_at(t, i + 1) == TOK_EQUAL;
    int r = parse_expression(t, named ? i + 2 : i, arena, out);
    bool plain = r == RDV_OK && !out->n_letters && !out->n_units && !out->n_words;
    return r == RDV_OK && !plain ? RDV_NONE : r;
}

static bool ends_clause(const tokens *t, size_t i)
{
    tok_kind k = tok_kind_at(t, i);
    return k == TOK_END || k == TOK_NEWLINE || k == TOK_CLOSE ||
           (k == TOK_PUNCT && t->text.p[t->at[i].begin] != '?');
}

/* "x = 2, x = 3 and 4" from token `i` on. */
static int read_values(const tokens *t, size_t i, rdv_arena *arena, roots_claim *out)
{
    for (out->n = 0; out->n < ROOTS_MAX;) {
        int r = read_value(t, i, arena, &out->value[out->n]);
        if (r != RDV_OK)
            return r;
        i = out->value[out->n++].end;
        bool comma = tok_kind_at(t, i) == TOK_COMMA;
        bool joined = tok_is_word(t, i + comma, "and") || tok_is_word(t, i + comma, "or");
        if (!comma && !joined) {
            out->end = i;
            return ends_clause(t, i) ? RDV_OK : RDV_NONE;
        }
        i += comma + joined;
    }
    return RDV_NONE;
}

/* Does a clause begin with the noun at token `i`, perhaps behind words that restrict nothing:
 * "the two real roots"? "The sum of the roots" and "the positive root" are others. *all: all
 * roots are meant; *counted: so many there are said to be, or 0. */
static bool begins_clause(const tokens *t, size_t i, bool *all, size_t *counted)
{
    static const char *const articles[] = {"a", "an", "one"};
    static phrase_list words = {"@all-of-them"};
    unsigned number;
    *all = true;
    *counted = 0;
    while (i > 0 && (tok_is_one_of(t, i - 1, articles, COUNT(articles)) ||
                     tok_is_in(t, i - 1, &words) || number_word(tok_text(t, i - 1), &number))) {
        i--;
        *all =
            (*all && !tok_is_one_of(t, i, articles, COUNT(articles))) || tok_is_word(t, i, "the");
        if (number_word(tok_text(t, i), &number) && number > 1)
            *counted = number;
        else if (tok_is_word(t, i, "both"))
            *counted = 2;
    }
    return clause_begins(t, i);
}

static int roots_at(const tokens *t, size_t i, rdv_arena *arena, roots_claim *out)
{
    static const char *const verbs[] = {"is", "are"};
    size_t at = after_phrase(t, i), counted;
    *out = (roots_claim){.begin = i};
    if (!at || !begins_clause(t, i, &out->all, &counted))
        return RDV_NONE;
    int r = read_equation(t, &at, arena, &out->equation);
    if (r != RDV_OK || !tok_is_one_of(t, at, verbs, COUNT(verbs)))
        return r == RDV_OK ? RDV_NONE : r;
    out->said = at + 1;
    r = read_values(t, at + 1, arena, out);
    return r == RDV_OK && counted && out->n != counted ? RDV_NONE : r;
}

int roots_find(const tokens *t, size_t from, rdv_arena *arena, roots_claim *out)
{
    int r = RDV_NONE;
    for (size_t i = from; tok_holds(t, TOK_EQUAL) && i + 5 < t->n && r == RDV_NONE; i++)
        if (t->at[i].kind == TOK_WORD)
            r = roots_at(t, i, arena, out);
    return r;
}

bool roots_may_be_in(rdv_str text)
{
    for (size_t i = 0; (i = rdv_find_char(text, 'o', i)) != RDV_NOT_FOUND; i++) {
        rdv_str rest = rdv_slice(text, i + 1, text.len); /* of "root" and so on, in either case */
        if (rdv_starts(rest, RDV_STR("ot")) || rdv_starts(rest, RDV_STR("lution")) ||
            (i > 1 && text.p[i - 2] == 'e' && text.p[i - 1] == 'r'))
            return true;
    }
    return false;
}
