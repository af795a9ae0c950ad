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
