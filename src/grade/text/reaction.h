/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Chemistry in answers: formulas, "Fe³⁺", equations of reactions, "2H2 + O2 -> 2H2O", and electron
 * configurations, "1s^2 2s^2 2p^4". */
#include <rederive/answer.h>

/* Is what an answer says what gold is, where gold is one of these as a whole? The answer is one
 * too, or a sentence that states one. *same*: the same formula; the same terms on both sides of a
 * reaction, in any order; the same subshells. *different*: other atoms, terms or counts. Two
 * formulas of the same atoms, and one multiple of a reaction, cannot be told. RDV_NONE: gold is
 * none of these, or the answer states none, several, or denies it. RDV_E_NOMEM. */
int reaction_compare(rdv_str answer, rdv_str gold, rdv_arena *arena, rdv_same *is);
