/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Could adjacent text belong to an expression, although it was not read as a part of it? */
#include "notation/lex.h"

/* True if the text before token `i` may belong to the expression that begins there: a ratio, a
 * broken decimal, a factor in brackets. */
bool adjacency_takes_part_before(const tokens *t, size_t i);
/* The same for the text from token `i` on, the first token after the expression. */
bool adjacency_takes_part_after(const tokens *t, size_t i);
/* True if what stands right before the equality that begins at token `i` is an operator, a factor
 * or a number, so that the equality is a part of something that was not read: "2(3 * 4 = 12)". */
bool adjacency_joined_before(const tokens *t, size_t i);
/* The same for token `i`, the first one after the equality: "3 * 4 = 12 × days", "= 12 5". A number
 * that begins a formula or an item is no part. */
bool adjacency_joined_after(const tokens *t, size_t i);
/* "An average of 24 / 4 = 6 pages": does the word at token `of` only say what the number behind it
 * is? "The average of 2 + 4" may be taken of what follows. */
bool adjacency_names_mean(const tokens *t, size_t of);
/* Does a word that is no letter and no function stand in the bracket that ends at token `close`?
 * False for TOK_NO_PAIR. */
bool adjacency_holds_words(const tokens *t, size_t close);
/* Symbols: Greek letters and their names, functions and commands. They have a value, and one that
 * was not read makes it unknown. True if one stands in the tokens `begin` to `end`. */
bool adjacency_symbol_in(const tokens *t, size_t begin, size_t end);
/* The same right before token `i`, and at token `i`, the first one after an expression. */
bool adjacency_symbol_before(const tokens *t, size_t i);
bool adjacency_symbol_after(const tokens *t, size_t i);
/* True if an operator and then words alone stand before token `i`, "2 * rate 3": the operand that
 * the expression there belongs to was not read. */
bool adjacency_follows_operand(const tokens *t, size_t i);
