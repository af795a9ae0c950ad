/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The parser's state, what its grammar (parse.c) and its rules for words (parse_words.c) share,
 * and the rules for words, which the grammar calls. A function that returns a node returns NULL if
 * there is none; p->nomem is set if memory is exhausted. */
#include "expression/parse.h"

#include "base/arena.h"
#include "base/str.h"

typedef struct parser {
    const tokens *t;
    const token *at; /* t->at */
    size_t pos;      /* the next token */
    rdv_arena *arena;
    expression *e;
    size_t depth, n_nodes;
    size_t inside; /* brackets around us: newlines mean nothing there */
    bool letters;  /* letters are never units */
    bool exponent; /* in an exponent, which has no unit: 10^8 m */
    bool nomem;
} parser;

#define PARSE_MAX_DEPTH 64
#define PARSE_MAX_NODES 3000 /* also the depth of a tree of left-associative operators */

/* Token `i`, which is at most TOK_AHEAD tokens past the last one. */
static inline const token *parse_tok(const parser *p, size_t i)
{
    return &p->at[i];
}

/* The next token; newlines inside brackets are skipped. */
static inline const token *parse_current(parser *p)
{
    while (p->inside && parse_tok(p, p->pos)->kind == TOK_NEWLINE)
        p->pos++;
    return parse_tok(p, p->pos);
}

/* Does a factor end before such a token? No unit, and no sign after a number, begins with it. */
static inline bool parse_ends_factor(tok_kind kind)
{
    const uint64_t kinds = UINT64_C(1) << TOK_PLUS | UINT64_C(1) << TOK_MINUS |
                           UINT64_C(1) << TOK_TIMES | UINT64_C(1) << TOK_EQUAL |
                           UINT64_C(1) << TOK_APPROX | UINT64_C(1) << TOK_RELATION |
                           UINT64_C(1) << TOK_CLOSE | UINT64_C(1) << TOK_COMMA |
                           UINT64_C(1) << TOK_PUNCT | UINT64_C(1) << TOK_END;
    return kinds >> kind & 1;
}

static inline bool parse_word_is(const parser *p, size_t i, const char *word)
{
    return parse_tok(p, i)->kind == TOK_WORD && rdv_str_ieq(tok_text(p->t, i), rdv_str_of(word));
}

/* A node with these children. */
static inline node *parse_node(parser *p, node_is is, node *a, node *b)
{
    if (p->n_nodes == PARSE_MAX_NODES)
        return NULL;
    node *n = rdv_alloc(p->arena, sizeof *n);
    if (!n) {
        p->nomem = true;
        return NULL;
    }
    p->n_nodes++;
    *n = (node){.is = is, .a = a, .b = b};
    return n;
}

/* parse.c: a number, perhaps mixed, without a unit. */
node *parse_plain_number(parser *p);

/* parse_words.c */
bool parse_is_times(const parser *p, size_t i);  /* "times", "5 x 3" */
bool parse_is_letter(const parser *p, size_t i); /* "x", "\\alpha" */
/* "xy" in "3xy" and "\\frac{1}{2}xy": letters written together right after a number, if they are no
 * unit. They count as one letter of that name. */
bool parse_is_glued_letters(const parser *p, size_t i);
/* The unit after a number or a bracket, and the words that only name what is counted. */
node *parse_units(parser *p, node *n);
/* The number with its "$". */
node *parse_after_currency(parser *p, node *n, rdv_str sign);
/* What parse_units() does where no unit and no word follows: it looks for a "$" before the number.
 */
static inline node *parse_sign_before(parser *p, node *n)
{
    if (p->exponent)
        return n;
    size_t begin = n->is == N_NUMBER && !n->grouped ? parse_tok(p, n->begin)->begin : 0;
    if (begin && p->t->text.p[begin - 1] == '$') {
        size_t end = parse_tok(p, n->end - 1)->end;                  /* "$5$" is a formula */
        bool escaped = begin > 1 && p->t->text.p[begin - 2] == '\\'; /* "\$5$" */
        bool formula = !escaped && end < p->t->text.len && p->t->text.p[end] == '$';
        return formula ? n : parse_after_currency(p, n, RDV_STR("$"));
    }
    bool sign = begin && n->begin && parse_tok(p, n->begin - 1)->kind == TOK_CURRENCY;
    return sign ? parse_after_currency(p, n, tok_text(p->t, n->begin - 1)) : n;
}
bool parse_is_unit(const parser *p, size_t i);
/* `n` with a unit around it, in its first and second meaning; `letter`: it may be a variable. */
node *parse_with_unit(parser *p, node *n, const measure meanings[2], bool letter);
void parse_note_unit(parser *p, const measure *m);

/* parse_measure.c */
/* The longest unit of measurement that begins at token `i`, in its first and second meaning; the
 * token after it, or `i`: there is none. `rate`: it begins with "/" or "per". *letter: it holds a
 * symbol of one letter that may be a variable. */
size_t parse_measure(const parser *p, size_t i, bool rate, measure meanings[2], bool *letter);
/* "50 ¢" */
bool parse_is_cent_sign(const parser *p, size_t i);
/* "5 €": does the sign of a currency stand at `i`, and belong to the number before it? A "$" may
 * end a formula. */
bool parse_is_money_behind(const parser *p, size_t i);
