/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A conversation brought into the shape that a server takes. */
#include "base/buf.h"
#include "model/abilities.h"
#include <rederive/plan.h>

typedef struct turns {
    rdv_message *items; /* in the arena; texts borrowed where they are unchanged */
    size_t n;
    unsigned uses; /* abilities that this shape still rests on */
} turns;

/* The turns of `messages`, without a system turn or two turns of one role in a row where the
 * abilities say that the server takes none; what was changed goes to `notes`. RDV_OK, RDV_E_NOMEM.
 */
int turns_shape(const rdv_message *messages, size_t n, const rdv_abilities *abilities,
                rdv_arena *arena, turns *out, rdv_buf *notes);
/* Add `text` to the end of the last turn where that is the user's, else as a user's turn.
 * `items` has room for one more. */
int turns_say(turns *t, rdv_str text, rdv_arena *arena);
/* All turns as one text, in paragraphs. p == NULL: out of memory. */
rdv_str turns_join(const turns *t, rdv_str last, rdv_arena *arena);
/* How many messages of a request stand before the text that it wants continued or scored, which is
 * *text: the last message where that is the assistant's and there is no other text. */
size_t turns_before(const rdv_request *request, rdv_str *text);
