/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a client is given to read in the replies of a server, in any of the protocols, whole or as
 * the events of a stream: the text of each choice, how it ended, and what else there is. Whatever
 * is given and not known here is named as unread. No sockets. */
#include "base/buf.h"
#include "model/parse.h"

#define REPLY_MOST_CHOICES 128
#define REPLY_MOST_TEXT ((size_t)1 << 20) /* bytes of a choice that are kept */
#define REPLY_MOST_UNREAD 8               /* remarks that are kept for a choice */

typedef enum reply_protocol {
    REPLY_CHAT,      /* OpenAI's chat completions */
    REPLY_TEXT,      /* OpenAI's completions */
    REPLY_RESPONSES, /* OpenAI's Responses */
    REPLY_MESSAGES   /* Anthropic's Messages */
} reply_protocol;
#define REPLY_PROTOCOLS 4

typedef struct reply_choice_read {
    size_t index;
    rdv_buf text;
    rdv_str finish;           /* the server's word for how it ended; p == NULL: not said */
    size_t n_reasoning_bytes; /* given apart from the text */
    size_t n_tool_calls;
    bool refused;                          /* the model refused */
    const char *unread[REPLY_MOST_UNREAD]; /* what is given and was not read: static texts */
    size_t n_unread;
    size_t part, item; /* of Responses: where the present part and item begin in the text */
} reply_choice_read;

typedef struct reply_choices {
    reply_protocol protocol;
    rdv_arena *arena;
    reply_choice_read *items;
    size_t n, cap;
    uint64_t limit;    /* tokens that the request allows; 0: not known. Set by the caller */
    uint64_t n_tokens; /* that the server says that it generated; 0: not said */
    bool failed; /* the server reported an error in place of a reply */
    bool ended;  /* a stream: nothing more of the reply may follow */
} reply_choices;

/* Initialise, without choices. */
void reply_choices_init(reply_choices *r, reply_protocol protocol, rdv_arena *arena);
/* Read a whole body. RDV_OK; RDV_E_INPUT: it is no reply in that protocol, err says why;
 * RDV_E_NOMEM. */
int reply_choices_whole(reply_choices *r, const json_t *body, rdv_error *err);
/* Read the next event of a stream. As reply_choices_whole(). */
int reply_choices_event(reply_choices *r, const json_t *event, rdv_error *err);
/* A choice is continued in place of its server: `keep` bytes of its text stay, and what the server
 * said of its end and its tokens is forgotten. */
void reply_choices_rewind(reply_choices *r, size_t i, size_t keep);
/* Add text to such a choice. False: it is too long, or memory ran out. */
bool reply_choices_continue(reply_choices *r, size_t i, rdv_str text);
/* It ends, complete or cut off, in the words of the protocol. */
void reply_choices_end(reply_choices *r, size_t i, bool complete);
/* Whether a single choice has as many tokens as the request allows: some servers say of such a
 * reply that it is complete. */
bool reply_choices_reach_limit(const reply_choices *r);
/* Whether the choice ended as a whole reply does, by its own word. */
bool reply_choice_is_whole(const reply_choices *r, const reply_choice_read *c);
