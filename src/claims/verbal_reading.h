/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Inside of the reader of claims in words: what the files verbal*.c share. */
#include "claims/verbal_grammar.h"
#include "expression/parser.h"
#include "language/rule.h"

/* One claim while it is read. A function that reads something returns false or NULL and may leave
 * `pos` anywhere if it is not there; the caller keeps its own. */
typedef struct reading {
    parser p; /* its `pos` is the next token, its `e` the side that is read */
    const verbal_grammar *g;
    const rule_set *rules;     /* NULL: no row is switched off */
    const verbal_set *in_text; /* the patterns that may be in it; NULL: any, in a statement */
    unit_meaning unit;         /* of the noun after the numbers; all zero: it is no known unit */
    bool units_differ;
    char symbol;   /* of the unit of numbers, "7 g"; it may be a variable: the result has it, too */
    bool in_words; /* a fraction is said in words: "two fifths"; of nothing that is named */
    bool in_list;  /* "and" joins two numbers, and is in none: "the sum of two and a half" */
    bool named;    /* some number counts something: "3 pens", "$3" */
    bool money;    /* some number is money */
    bool about;    /* the result is not meant exactly */
    unsigned depth; /* of rows within each other: "twice the sum of 5 and 6" */
    size_t noun;    /* what the last number counts; 0: nothing is named */
    size_t counted; /* the result counts this or names nothing; 0: it counts anything */
} reading;

/* May token `i`, which may be past the last one, be one of a list? */
static inline bool verbal_is_text(const tokens *t, size_t i)
{
    const uint64_t one = 1, kinds = one << TOK_WORD | one << TOK_EQUAL | one << TOK_DIVIDE |
                                    one << TOK_COMMA | one << TOK_PUNCT;
    return kinds >> tok_kind_at(t, i) & 1;
}

/* Is the word at token `i` one of the list? */
bool verbal_is_one_of(const tokens *t, size_t i, const cue_words *list);
bool verbal_is_listed(const verbal_grammar *g, const tokens *t, size_t i, verbal_list list);
static inline bool verbal_is_in(const reading *r, size_t i, verbal_list list)
{
    return verbal_is_listed(r->g, r->p.t, i, list);
}
/* Those of the patterns that may be in the text: what they need begins as words of it do. */
verbal_set verbal_in_text(const verbal_index *x, const tokens *t);
/* May one of the patterns begin with the word at token `i`? */
static inline bool verbal_begins_with_word(const verbal_index *x, const verbal_set *patterns,
                                           const tokens *t, size_t i)
{
    return t->at[i].kind == TOK_WORD && verbal_set_share(&x->by_word[tok_slot(t, i)], patterns);
}
/* May something be captured at token `i`? */
static inline bool verbal_is_captured(const tokens *t, size_t i)
{
    const unsigned numeric = WORD_NUMBER | WORD_FRACTION | WORD_MULTIPLE | WORD_FUNCTION;
    const uint64_t one = 1, kinds = one << TOK_NUMBER | one << TOK_CURRENCY | one << TOK_OPEN |
                                    one << TOK_FRAC;
    if (t->at[i].kind != TOK_WORD)
        return kinds >> t->at[i].kind & 1;
    return (t->at[i].word & numeric) ||
           (t->at[i].slot == word_slot(RDV_STR("negative")) && tok_is_word(t, i, "negative"));
}
/* May the symbol stand for what begins at token `i`? */
bool verbal_may_stand_for(const tokens *t, verbal_symbol is, size_t i);
/* The patterns that may begin at token `i`. A first number ends before token `behind`; 0: none
 * begins there. */
verbal_set verbal_candidates(const verbal_index *x, const tokens *t, size_t i, size_t behind);
/* Is it the next token? Then it is passed. */
bool verbal_next_is(reading *r, const char *word);
/* Does the token name what is counted? */
bool verbal_is_noun(const reading *r, size_t i);
/* The expression at the next token, which is not passed; false: there is none. */
bool verbal_expression(reading *r, expression *out);
/* Nodes; NULL when out of memory or over the limit of nodes. */
node *verbal_constant(reading *r, unsigned value);
node *verbal_operation(reading *r, node_is is, node *a, node *b);

/* verbal_number.c: NULL: there is none. */
/* "48", "-48", "$48", "48 pens", "twelve pens", "9/2", "two fifths", "negative three", "two and a
 * half" */
node *verbal_number(reading *r);
/* "48", "twelve": without a noun. */
node *verbal_bare(reading *r);
/* "5%", "five percent" as a hundredth of it */
node *verbal_percentage(reading *r);
/* "3/4", "\\frac{3}{4}" without what follows */
node *verbal_fraction(reading *r);
/* "third", "10th" */
node *verbal_ordinal(reading *r);

#define VERBAL_ITEMS_MOST 40 /* of a list */

/* What the letters of a pattern stand for. */
typedef struct verbal_captures {
    node *of[26];
    size_t noun[26]; /* the token that says what it counts; 0: nothing is named */
    node *item[VERBAL_ITEMS_MOST];
    size_t n_items;
    size_t begin; /* of the pattern */
    size_t end;   /* of the last letter */
    char last;    /* the letter before */
    bool denied;  /* "not" stands there */
} verbal_captures;

/* verbal_claim.c */
/* May the pattern begin at the next token? Its first words stand there, or those behind a first
 * number, which ends before token `behind`. */
bool verbal_may_begin(const reading *r, const verbal_pattern *p, size_t behind);
/* Do the elements from `from` on stand at the next token? Then they are passed. */
bool verbal_match(reading *r, const verbal_pattern *p, size_t from, verbal_captures *c);
/* May a claim begin at token `i`: at the beginning of a clause? */
bool verbal_clause_begins(const verbal_grammar *g, const tokens *t, size_t i, size_t last_end);
bool verbal_clause_ends(const reading *r);
/* Passes "each" and "per person" after a result. */
void verbal_pass_each(reading *r);
typedef struct verbal_claim {
    expression sides[2];
    const verbal_row *row;
    bool about;    /* they are only about equal */
    bool inverted; /* its result stands first */
} verbal_claim;
/* The first one of the text, wherever it stands; RDV_NONE: there is none. For the examples of rows.
 */
int verbal_first_claim(const verbal_grammar *g, const tokens *t, rdv_arena *arena,
                       verbal_claim *out);
/* The claim at the next token of `at`; `begins`: a clause begins there. RDV_NONE: there is none. */
int verbal_claim_at(const reading *at, bool begins, verbal_claim *out);
