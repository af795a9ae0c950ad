/* SPDX-License-Identifier: Apache-2.0 */
#include "data/notes.h"

#include <stdio.h>

void rdv_note(rdv_notes *notes, rdv_note_of of, const char *text)
{
    char message[RDV_ERROR_MAX];
    if (!notes || !notes->tell || (notes->told & of))
        return;
    notes->told |= of;
    if (notes->path)
        snprintf(message, sizeof message, "%s:%zu: %s", notes->path, notes->line, text);
    else
        snprintf(message, sizeof message, "%s", text);
    notes->tell(notes->payload, message);
}

bool rdv_note_wanted(const rdv_notes *notes, rdv_note_of of)
{
    return notes && notes->tell && notes->left_out && !(notes->told & of);
}
