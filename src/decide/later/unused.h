/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* False equalities of reasoning of which the reply uses nothing: a trial, a branch that was given
 * up, a check beside the way (docs/adr/0098). */
#include "decide/later/chain_text.h"

/* Mark in a whole chain each wrong calculation of its first `n_thought` steps, which are reasoning,
 * as RDV_CALC_UNUSED if neither the numbers that it states nor any that follow from them stand in
 * the reply, the steps behind. A number follows from those of its sentence, and of the sentence
 * before in its step, if it stands there for the first time; one that rounds it to three digits or
 * more stands for it. Nothing is marked where the reply takes over no number of two digits or more,
 * since nobody can follow it then, and where there is no reply. Linear in the text. RDV_OK or
 * RDV_E_NOMEM. */
int unused_mark(step_calcs *steps, size_t n, size_t n_thought, rdv_arena *arena);
