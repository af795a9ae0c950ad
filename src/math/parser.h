/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Between the parts of the parser: its state, and what each part offers to the others. Every
 * function that returns a node returns NULL where none can be made; p->nomem tells why. */
#include "math/parse.h"

#include "base/str.h"

typedef struct parser {
    const tokens *t;
    size_t pos; /* the next token */
    rdv_arena *arena;
    expression *e;
    size_t depth, n_nodes;
    size_t inside; /* brackets around us: newlines mean nothing there */
    bool nomem;
} parser;

#define PARSE_MAX_DEPTH 64
#define PARSE_MAX_NODES 3000 /* also the depth of a tree of left-associative operators */

static inline const token *parse_tok(const parser *p, size_t i)
{
    return &p->t->at[i < p->t->n ? i : p->t->n - 1];
}

/* The next token; newlines inside brackets are passed over. */
static inline const token *parse_current(parser *p)
{
    while (p->inside && parse_tok(p, p->pos)->kind == TOK_NEWLINE)
        p->pos++;
    return parse_tok(p, p->pos);
}

static inline bool parse_word_is(const parser *p, size_t i, const char *word)
{
    return parse_tok(p, i)->kind == TOK_WORD && rdv_str_ieq(tok_text(p->t, i), rdv_str_of(word));
}

/* parse_node.c */
node *parse_node(parser *p, node_is is, node *a, node *b);
node *parse_operator(parser *p, node_is is, node *a, node *b); /* counted as an operator */
/* A number, a letter or pi: the tokens from `first` up to where the parser is. */
node *parse_leaf(parser *p, node_is is, size_t first);

/* parse_words.c */
bool parse_is_times(const parser *p, size_t i);  /* "times", "5 x 3" */
bool parse_is_letter(const parser *p, size_t i); /* "x", "\\alpha" */
/* "xy" in "3xy": letters written together right after a number, if they are no unit. They count as
 * one letter of that name. */
bool parse_is_glued_letters(const parser *p, size_t i);
/* The words after a number or a bracket that only say what is counted. */
node *parse_units(parser *p, node *n);
void parse_note_unit(parser *p, const unit *u);

/* parse_factor.c */
node *parse_number(parser *p);
node *parse_power(parser *p); /* a primary with what stands after it: 5!, 20%, x^2, 3 apples */
node *parse_unary(parser *p);

/* parse.c */
node *parse_sum(parser *p);
