/* SPDX-License-Identifier: Apache-2.0 */
#include "model/reply_readers.h"
#include "base/arena.h"
#include "base/str.h"

bool reply_has(const json_t *value)
{
    if (json_is_string(value))
        return json_string_length(value) > 0;
    if (json_is_array(value))
        return json_array_size(value) > 0;
    if (json_is_object(value))
        return json_object_size(value) > 0;
    return json_is_true(value) || (json_is_number(value) && json_number_value(value) != 0);
}

reply_choice_read *reply_choice(reply_choices *r, size_t index, int *code, rdv_error *err)
{
    *code = RDV_OK;
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].index == index)
            return &r->items[i];
    if (r->n == REPLY_MOST_CHOICES) {
        *code = rdv_fail(err, RDV_E_INPUT, "more than %d choices", REPLY_MOST_CHOICES);
        return NULL;
    }
    if (!RDV_PUSH_ROOM(r->arena, r->items, r->n, r->cap)) {
        *code = rdv_no_memory(err);
        return NULL;
    }
    reply_choice_read *c = &r->items[r->n++];
    *c = (reply_choice_read){.index = index};
    rdv_buf_init(&c->text, r->arena, REPLY_MOST_TEXT);
    return c;
}

void reply_note_unread(reply_choice_read *c, const char *what)
{
    for (size_t i = 0; i < c->n_unread; i++)
        if (strcmp(c->unread[i], what) == 0)
            return;
    if (c->n_unread < REPLY_MOST_UNREAD)
        c->unread[c->n_unread++] = what;
}

void reply_add_text(reply_choice_read *c, rdv_str text)
{
    if (text.len > c->text.max - c->text.len) {
        reply_note_unread(c, "text beyond 1 MiB");
        return;
    }
    rdv_buf_add(&c->text, text);
}

void reply_repeat_text(reply_choice_read *c, size_t from, rdv_str text, const char *what)
{
    rdv_str all = rdv_buf_str(&c->text);
    rdv_str given = all.p ? rdv_slice(all, from, all.len) : RDV_STR("");
    if (given.len == 0)
        reply_add_text(c, text);
    else if (!rdv_str_eq(given, text))
        reply_note_unread(c, what);
}

bool reply_is_known(const char *name, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(name, *known) == 0)
            return true;
    return false;
}

void reply_note_unknown(reply_choice_read *c, const json_t *object, const char *const *known,
                        const char *what)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (reply_has(value) && !json_is_number(value) && !reply_is_known(name, known))
            reply_note_unread(c, what);
    }
}

int reply_keep_finish(reply_choices *r, reply_choice_read *c, const json_t *finish)
{
    if (!json_is_string(finish))
        return RDV_OK;
    c->finish = rdv_str_copy(r->arena, rdv_str_head(parse_text(finish), 64));
    return c->finish.p ? RDV_OK : RDV_E_NOMEM;
}
