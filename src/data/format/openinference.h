/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Spans with the attributes of OpenInference. */
#include "data/conversation.h"

/* What the span's attributes say was asked and replied, into *x; `attributes`: an object, flat
 * ("llm.output_messages.0.message.content") or nested. false: it is no call of a model. */
bool openinference_take(rdv_chain_builder *m, const json_t *attributes, rdv_conversation *x);
/* Whether the attributes are those of a call of a model. */
bool openinference_is_llm(const json_t *attributes);
