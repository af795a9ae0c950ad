/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Functions that are written by name: gcd(12, 18), \log_2 8, \sin 30^\circ, \sum_{i=1}^{3} i,
 * 17 mod 5. The nodes N_CALL, N_SUM and N_MOD. */
#include "expression/parser.h"
#include "notation/call_name.h"

/* Is token `i` the name of a function with a bracket, or a command of LaTeX? */
bool call_begins(const parser *p, size_t i);
/* The call at the current token; NULL: it cannot be read. `sum` reads an expression, `factor` one
 * factor of a product. */
node *call_parse(parser *p, node *(*sum)(parser *), node *(*factor)(parser *));
/* Length in tokens of "mod" at the current one, or 0. */
size_t call_mod_sign(const parser *p);
