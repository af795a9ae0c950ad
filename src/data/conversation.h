/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A conversation with a model, in the form of any API or tool, and the chain that it becomes: what
 * was asked, what was replied and thought, and why the reply ended. */
#include "data/turns.h"

typedef struct rdv_conversation {
    rdv_str id;       /* of the reply in its source; p == NULL: none */
    bool unique_id;   /* no other reply of the record has it, so it gets no number */
    rdv_str asked_id; /* of the request, by which its question is joined; p == NULL: none */
    rdv_str question, system;
    rdv_str model;
    rdv_said said;
    bool earlier;   /* `said` is of an earlier message than the last, so it has no answer */
    rdv_str ended;  /* the source's word for why the reply ended: "stop", "max_tokens" */
    rdv_str failed; /* why there is no reply; p == NULL: there is one */
} rdv_conversation;

/* The members in which APIs state why a reply ended. */
#define RDV_ENDING_MEMBERS "finish_reason", "stop_reason", "done_reason"

/* What is asked, from a list of messages, a text, or the body of a request to a chat, Responses,
 * completions or Anthropic API. Takes only what *x does not have yet. */
void rdv_conversation_ask(rdv_chain_builder *m, const json_t *request, rdv_conversation *x);
/* How many replies the value holds: the choices of a chat completion, the elements of a list. 1 for
 * anything else, also for an empty list, so that a record without a reply is told of. */
size_t rdv_conversation_count(const json_t *reply);
/* Reply number `index`: of an API's response, a message, a list of messages, or a text. */
void rdv_conversation_reply(rdv_chain_builder *m, const json_t *reply, size_t index,
                            rdv_conversation *x);
/* Why the request failed, from an API's error, in *x; nothing where it is null or empty. `status`:
 * of HTTP, 0 if it is not known. */
void rdv_conversation_error(rdv_chain_builder *m, const json_t *error, long status,
                            rdv_conversation *x);
/* The chain of m from *x: question, steps, and members for what has no place in a chain. A reply
 * without a text gives a record of the kind RDV_RECORD_ERROR with the reason, never a chain. */
void rdv_conversation_build(rdv_chain_builder *m, const rdv_conversation *x);
