/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* May what stands beside an expression be a part of it, although it was not read as one? */
#include "notation/lex.h"

/* Does what stands before token `i` take part: a ratio, a broken decimal, a factor in brackets? */
bool adjacency_takes_part_before(const tokens *t, size_t i);
/* The same of what stands at token `i`, the first one after the expression. */
bool adjacency_takes_part_after(const tokens *t, size_t i);
