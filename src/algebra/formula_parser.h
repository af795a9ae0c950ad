/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The parser's state, what the grammar of operators (formula.c) and that of functions
 * (formula_functions.c) share. A function that returns a node returns NULL if there is none;
 * p->nomem is set if memory is exhausted. */
#include "algebra/formula.h"

#define FORMULA_MAX_DEPTH 64
#define FORMULA_MAX_NODES 3000
#define FORMULA_MAX_HEIGHT 400 /* of the tree, which left-associative operators make high too */
#define FORMULA_MAX_BOUND 4    /* sums within sums */

typedef struct formula_parser {
    const tokens *t;
    size_t pos; /* the next token */
    rdv_arena *arena;
    size_t depth, n_nodes;
    unsigned bars;                    /* open |: the next one closes */
    unsigned in_angle;                /* within the argument of a trigonometric function */
    rdv_str bound[FORMULA_MAX_BOUND]; /* the indices of the sums around us */
    size_t n_bound;
    unsigned holds; /* bits of formula_holds */
    bool nomem;
} formula_parser;

/* formula.c */
const token *formula_current(formula_parser *p); /* the next token; newlines mean nothing */
bool formula_takes(formula_parser *p, tok_kind kind);
rdv_str formula_word(formula_parser *p); /* the word at the next token; p == NULL: none */
formula *formula_apply(formula_parser *p, function_id fn, formula *a, formula *b);
formula *formula_multiply(formula_parser *p, formula *a, formula *b);
formula *formula_raise(formula_parser *p, formula *a, formula *exponent);
formula *formula_named(formula_parser *p, rdv_str name); /* the letter of that name */
formula *formula_repeated(formula_parser *p, formula_is is, rdv_str name, formula *from,
                          formula *to, formula *body);
formula *formula_group(formula_parser *p);
formula *formula_operand(formula_parser *p);
formula *formula_letter(formula_parser *p);
formula *formula_exponent(formula_parser *p); /* from the sign of the power on */
formula *formula_power(formula_parser *p);
formula *formula_signed(formula_parser *p);
formula *formula_product(formula_parser *p);
formula *formula_sum(formula_parser *p);
bool formula_at_implicit_factor(formula_parser *p); /* 2x, 3(4), 2\sqrt{3} */
formula *formula_argument(formula_parser *p);       /* of \frac: a group, or one digit or letter */

/* formula_order.c */
bool formula_joins_capitals(const formula *a, const formula *b); /* "A \times B" */
bool formula_order_counts(const formula_parser *p, const formula *root);

/* formula_functions.c */
bool formula_at_function(formula_parser *p);
bool formula_at_operator(formula_parser *p); /* "mod" between its operands */
formula *formula_function_call(formula_parser *p);
formula *formula_choice_before(formula_parser *p); /* "_5C_2", from its underscore on */
