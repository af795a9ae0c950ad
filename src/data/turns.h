/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Chats: messages with roles, as APIs, data sets and traces write them. */
#include "data/chain_builder.h"

/* What a message says. The texts are in the arena; p == NULL: the message has none. */
typedef struct rdv_said {
    rdv_str text;
    rdv_str reasoning; /* what the message keeps apart from its text */
    rdv_str refusal;
    bool calls_tool;
} rdv_said;

typedef enum rdv_role {
    RDV_ROLE_OTHER = 0,
    RDV_ROLE_USER,
    RDV_ROLE_ASSISTANT,
    RDV_ROLE_SYSTEM
} rdv_role;

/* The role in `role` or `from`: "user" and "human", "assistant" and "gpt" and their like. */
rdv_role rdv_turn_role(const json_t *message);
/* What a message says: its `content`, `parts`, `value` or `text`, which is a text or a list of
 * parts, and the reasoning beside it. A text is a message too. Anything else says nothing. */
void rdv_turn_said(rdv_chain_builder *m, const json_t *message, rdv_said *said);
/* Index of the list's last message by the assistant; the list's length if there is none. */
size_t rdv_turns_last_reply(const json_t *messages);
/* The texts of the first `n` messages with that role, one after the other with an empty line
 * between; p == NULL: none. */
rdv_str rdv_turns_by(rdv_chain_builder *m, const json_t *messages, size_t n, rdv_role role);
