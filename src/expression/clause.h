/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where a clause begins, and what it may state without a sign: "100 minutes is 1 hour". */
#include "notation/lex.h"

/* "100 minutes is 1 hour": is token `i` an "is" or "are" between a number with a unit and another?
 */
bool clause_states_amount(const tokens *t, size_t i);

/* May the text hold such a word? It costs far less than the tokens. */
bool clause_may_state_amount(rdv_str text);

/* True if a complete statement may begin at token `i`. "After 20 minutes" is not one. */
bool clause_begins(const tokens *t, size_t i);

/* True if an equality whose first side is a number may begin there: the number is not that of
 * "years since 1990" or "all but 3". */
bool clause_begins_equality(const tokens *t, size_t i);
