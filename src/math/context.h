/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the words around an equality say about it. */
#include "math/lex.h"

/* Does the text from byte `from` on deny what stands before ("which is false", "no solution")? An
 * equality that the step itself takes back is not a claim. */
bool text_denies(rdv_str text, size_t from);
/* Does it say that numbers are approximate, before byte `to`? */
bool text_approximates(rdv_str text, size_t to);
/* Does it count in thousands or millions? */
bool text_counts_in(rdv_str text, unsigned *power_of_ten);
/* Does it count modulo something? */
bool text_counts_modulo(rdv_str text);
/* Does the question give the usual signs another meaning ("the operation a * b is defined as")? */
bool question_redefines(rdv_str question);
