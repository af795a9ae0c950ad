/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Does the last step of a chain assert its answer? */
#include <rederive/base.h>

/* Does `step` assert the answer? Its calculations end at byte `calculated`; 0: it has none. Only a
 * closed form of text asserts (docs/certificates.md): the result of the last calculation, or a
 * sentence that states the number, in words of the question and plain ones. RDV_E_NOMEM. */
int answer_sentence_asserts(rdv_str step, size_t calculated, rdv_str answer, rdv_str question,
                            rdv_arena *arena, bool *asserts, rdv_error *err);
