/* SPDX-License-Identifier: Apache-2.0 */

#include "base/arena.h"
#include "base/str.h"
#include "chain/note.h"

static rdv_note *new_note(rdv_arena *arena, rdv_note *parent, rdv_note_type type, rdv_str name)
{
    rdv_note *note = RDV_NEW(arena, rdv_note);
    if (!note)
        return NULL;
    note->type = type;
    note->name = name;
    if (!parent)
        return note;
    if (parent->last)
        parent->last->next = note;
    else
        parent->first = note;
    parent->last = note;
    return note;
}

rdv_note *rdv_note_map(rdv_arena *arena, rdv_note *parent, rdv_str name)
{
    return new_note(arena, parent, RDV_NOTE_MAP, name);
}

rdv_note *rdv_note_list(rdv_arena *arena, rdv_note *parent, rdv_str name)
{
    return new_note(arena, parent, RDV_NOTE_LIST, name);
}

rdv_note *rdv_note_text(rdv_arena *arena, rdv_note *parent, rdv_str name, rdv_str text)
{
    rdv_note *note = new_note(arena, parent, RDV_NOTE_TEXT, name);
    if (note)
        note->text = text;
    return note;
}

rdv_note *rdv_note_number(rdv_arena *arena, rdv_note *parent, rdv_str name, double number)
{
    rdv_note *note = new_note(arena, parent, RDV_NOTE_NUMBER, name);
    if (note)
        note->number = number;
    return note;
}

rdv_note *rdv_note_flag(rdv_arena *arena, rdv_note *parent, rdv_str name, bool flag)
{
    rdv_note *note = new_note(arena, parent, RDV_NOTE_FLAG, name);
    if (note)
        note->number = flag;
    return note;
}

rdv_note *rdv_note_null(rdv_arena *arena, rdv_note *parent, rdv_str name)
{
    return new_note(arena, parent, RDV_NOTE_NULL, name);
}

const rdv_note *rdv_note_get(const rdv_note *map, rdv_str name)
{
    for (const rdv_note *n = map ? map->first : NULL; n; n = n->next)
        if (n->name.p && rdv_str_eq(n->name, name))
            return n;
    return NULL;
}
