/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One round of a run by OpenAI's Batch format: its options, and what it says at its end. */
#include "model_session.h"

/* Read the options of the round into session->options, after the models and the journal.
 * RDV_E_ARGUMENT: they do not fit together, or one has no effect. */
int batch_round_read(struct model_session *session, rdv_error *err);
/* Say what was written, what is expected, and what to do next. */
void batch_round_tell(const struct model_session *session);
