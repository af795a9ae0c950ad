/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Conversations in the shape that a server accepts. */
#include "base/buf.h"
#include "model/abilities.h"
#include <rederive/plan.h>

typedef struct turns {
    rdv_message *items; /* in the arena; unchanged texts are borrowed */
    size_t n;
    unsigned uses; /* abilities that this shape still depends on */
} turns;

/* The turns of `messages`; if the abilities exclude system turns or two turns of one role in a row,
 * those are merged. Changes are listed in `notes`. RDV_OK, RDV_E_NOMEM. */
int turns_shape(const rdv_message *messages, size_t n, const rdv_abilities *abilities,
                rdv_arena *arena, turns *out, rdv_buf *notes);
/* Append `text` to the last turn if it is the user's, otherwise add it as a user's turn. `items`
 * has room for one more. */
int turns_say(turns *t, rdv_str text, rdv_arena *arena);
/* All turns as one text, in paragraphs. p == NULL: out of memory. */
rdv_str turns_join(const turns *t, rdv_str last, rdv_arena *arena);
/* The number of messages of a request before the text that is to be continued or scored. *text:
 * that text, which is the last message if that is the assistant's and there is no other text. */
size_t turns_before(const rdv_request *request, rdv_str *text);
