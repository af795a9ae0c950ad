/* SPDX-License-Identifier: Apache-2.0 */
#include "data/notes.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdio.h>

/* Without memory the note is lost. */
static void keep_note(rdv_kept_notes *keep, rdv_note_of of, const char *message)
{
    rdv_kept_note *note = RDV_NEW(keep->arena, rdv_kept_note);
    const char *copy = rdv_cstring(keep->arena, rdv_str_of(message));
    if (!note || !copy)
        return;
    *note = (rdv_kept_note){.of = of, .message = copy};
    if (keep->last)
        keep->last->next = note;
    else
        keep->first = note;
    keep->last = note;
}

void rdv_note_tell(rdv_notes *notes, rdv_note_of of, const char *message)
{
    if (!notes->tell || (notes->told & of))
        return;
    notes->told |= of;
    if (notes->keep)
        keep_note(notes->keep, of, message);
    else
        notes->tell(notes->payload, message);
}

void rdv_note(rdv_notes *notes, rdv_note_of of, const char *text)
{
    char message[RDV_ERROR_MAX];
    if (!notes || !notes->tell || (notes->told & of))
        return;
    if (notes->path)
        snprintf(message, sizeof message, "%s:%zu: %s", notes->path, notes->line, text);
    else
        snprintf(message, sizeof message, "%s", text);
    rdv_note_tell(notes, of, message);
}

bool rdv_note_wanted(const rdv_notes *notes, rdv_note_of of)
{
    return notes && notes->tell && notes->left_out && !(notes->told & of);
}
