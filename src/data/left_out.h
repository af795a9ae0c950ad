/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What of a record is no part of its chain, told once a file, with what changes it. */
#include "data/chain_builder.h"

/* Of a chat whose reply is message `n`: earlier replies, and what tools returned. */
void left_out_of_chat(rdv_chain_builder *m, const json_t *messages, size_t n);
/* What is no reply of a model in the log of an application or agent. */
void left_out_of_session(rdv_chain_builder *m);
/* Steps whose question is not known. */
void left_out_question(rdv_chain_builder *m);
/* A plain text without a question: what asks in it, if anything does, is taken for a step. */
void left_out_question_of_text(rdv_notes *notes);
/* Reasoning that is not checked, and words of another language. */
void left_out_of_chain(rdv_chain_builder *m, bool reasoning);
