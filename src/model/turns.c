/* SPDX-License-Identifier: Apache-2.0 */
#include "model/turns.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/notes.h"

/* Two texts with a blank line between them; p == NULL: out of memory. */
static rdv_str join(rdv_str a, rdv_str b, rdv_arena *arena)
{
    if (a.len == 0)
        return b;
    rdv_buf text;
    rdv_buf_init(&text, arena, 0);
    rdv_buf_add(&text, a);
    rdv_buf_lit(&text, "\n\n");
    rdv_buf_add(&text, b);
    return rdv_buf_str(&text);
}

static bool has_system(const turns *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].role == RDV_SYSTEM)
            return true;
    return false;
}

/* Move a system turn to the beginning of the next user's turn; if none follows, make it a user's
 * turn. */
static int fold_system(turns *t, rdv_arena *arena)
{
    rdv_str system = {0};
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++) {
        rdv_message m = t->items[i];
        if (m.role == RDV_SYSTEM) {
            system = join(system, m.text, arena);
            if (!system.p)
                return RDV_E_NOMEM;
            continue;
        }
        if (m.role == RDV_USER && system.p) {
            m.text = join(system, m.text, arena);
            if (!m.text.p)
                return RDV_E_NOMEM;
            system = (rdv_str){0};
        }
        t->items[kept++] = m;
    }
    if (system.p)
        t->items[kept++] = (rdv_message){RDV_USER, system};
    t->n = kept;
    return RDV_OK;
}

static bool has_repeats(const turns *t)
{
    for (size_t i = 1; i < t->n; i++)
        if (t->items[i].role == t->items[i - 1].role)
            return true;
    return false;
}

/* Join the texts of `n` turns of one role. Each is copied once, so many short turns take linear
 * time. */
static rdv_str merge_run(const rdv_message *first, size_t n, rdv_arena *arena)
{
    rdv_buf text;
    rdv_buf_init(&text, arena, 0);
    for (size_t i = 0; i < n; i++) {
        if (i)
            rdv_buf_lit(&text, "\n\n");
        rdv_buf_add(&text, first[i].text);
    }
    return rdv_buf_str(&text);
}

static int merge_repeats(turns *t, rdv_arena *arena)
{
    size_t kept = 0;
    for (size_t i = 0, end; i < t->n; i = end) {
        rdv_message m = t->items[i];
        for (end = i + 1; end < t->n && t->items[end].role == m.role;)
            end++;
        if (end - i > 1)
            m.text = merge_run(t->items + i, end - i, arena);
        if (end - i > 1 && !m.text.p)
            return RDV_E_NOMEM;
        t->items[kept++] = m;
    }
    t->n = kept;
    return RDV_OK;
}

int turns_shape(const rdv_message *messages, size_t n, const rdv_abilities *abilities,
                rdv_arena *arena, turns *out, rdv_buf *notes)
{
    /* Room for one more: see turns_say(). */
    *out = (turns){RDV_NEW_ARRAY(arena, rdv_message, n + 1), n, 0};
    if (!out->items)
        return RDV_E_NOMEM;
    if (n)
        memcpy(out->items, messages, n * sizeof *messages);
    if (has_system(out)) {
        if (abilities->system != RDV_CANNOT) {
            out->uses |= ABILITY_BIT(ABILITY_SYSTEM);
        } else {
            note_lit(notes, "system turn put into the user's");
            if (fold_system(out, arena) != RDV_OK)
                return RDV_E_NOMEM;
        }
    }
    if (!has_repeats(out))
        return RDV_OK;
    if (abilities->free_turns != RDV_CANNOT) {
        out->uses |= ABILITY_BIT(ABILITY_FREE_TURNS);
        return RDV_OK;
    }
    note_lit(notes, "turns of one role joined");
    return merge_repeats(out, arena);
}

int turns_say(turns *t, rdv_str text, rdv_arena *arena)
{
    if (t->n == 0 || t->items[t->n - 1].role != RDV_USER) {
        t->items[t->n++] = (rdv_message){RDV_USER, text};
        return RDV_OK;
    }
    rdv_str *last = &t->items[t->n - 1].text;
    *last = join(*last, text, arena);
    return last->p ? RDV_OK : RDV_E_NOMEM;
}

rdv_str turns_join(const turns *t, rdv_str last, rdv_arena *arena)
{
    rdv_buf text;
    rdv_buf_init(&text, arena, 0);
    for (size_t i = 0; i < t->n; i++) {
        rdv_buf_add(&text, t->items[i].text);
        rdv_buf_lit(&text, "\n\n");
    }
    rdv_buf_add(&text, last);
    return rdv_buf_str(&text);
}

size_t turns_before(const rdv_request *request, rdv_str *text)
{
    size_t n = request->n_messages;
    *text = request->text;
    if (!text->p && n && request->messages[n - 1].role == RDV_ASSISTANT)
        *text = request->messages[--n].text;
    if (!text->p)
        *text = RDV_STR("");
    return n;
}
