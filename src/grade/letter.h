/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Letters whose name is arbitrary: constants of integration, counters of solutions. */
#include <rederive/base.h>

/* The answer with gold's letter for a constant of integration, "x^2 + c" for gold "x^2 + C", and
 * for a whole number that counts solutions, "k\\pi, k \\in \\mathbb{Z}" for gold "n\\pi, n \\in
 * \\mathbb{Z}"; the answer itself where there is nothing to rename. p == NULL: out of memory. */
rdv_str letter_as_in_gold(rdv_str answer, rdv_str gold, rdv_arena *arena);
/* Gold with `letter`, which the answer calls any constant, for its own C or K, where neither the
 * question nor another place of gold gives these a meaning; gold itself: there is nothing to
 * rename. p == NULL: out of memory. */
rdv_str letter_for_constant(rdv_str gold, char letter, rdv_str question, rdv_arena *arena);
/* A text without the clause at its end that says that a letter is any constant, ", where $c$ is any
 * constant", and the letter; all of it, and 0: there is none. */
rdv_str letter_without_clause(rdv_str s, char *letter);
/* Both without their clauses, and gold's constant with the letter of the answer's. *other: one was
 * renamed. RDV_E_NOMEM. */
int letter_of_clauses(rdv_str *answer, rdv_str *gold, rdv_str question, rdv_arena *arena,
                      bool *other);
