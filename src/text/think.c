/* SPDX-License-Identifier: Apache-2.0 */
/* Taking out what a reasoning model thought aloud before its solution. */
#include <rederive/text.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "text/think.h"

typedef struct tag {
    size_t begin, end; /* bytes of the text */
    bool closing;
} tag;

/* The next <think>, </think>, <thinking> or </thinking> from byte `from` on. */
static bool next_tag(rdv_str text, size_t from, tag *out)
{
    while ((from = rdv_find_char(text, '<', from)) != RDV_NOT_FOUND) {
        rdv_str rest = rdv_slice(text, from, from + sizeof("</thinking>") - 1);
        bool closing = rdv_starts(rest, RDV_STR("</"));
        size_t name = closing ? 2 : 1;
        rdv_str word = rdv_slice(rest, name, rest.len);
        size_t len = rdv_istarts(word, RDV_STR("think>"))      ? name + 6
                     : rdv_istarts(word, RDV_STR("thinking>")) ? name + 9
                                                               : 0;
        if (len) {
            *out = (tag){from, from + len, closing};
            return true;
        }
        from++;
    }
    return false;
}

/* Add a piece of thinking on lines of its own, so that the steps of two pieces stay apart. */
static void add_thought(rdv_buf *thought, rdv_str piece)
{
    piece = rdv_trim(piece);
    if (thought->len && piece.len)
        rdv_buf_lit(thought, "\n\n");
    rdv_buf_add(thought, piece);
}

int rdv_split_thinking(rdv_str text, rdv_arena *arena, rdv_str *out, rdv_str *thinking,
                       rdv_error *err)
{
    rdv_buf before, thought;
    rdv_buf_init(&before, arena, 0);
    rdv_buf_init(&thought, arena, 0);
    tag t;
    size_t at = 0, keep = 0, first = 0; /* thought without an opening tag ends at `first` */
    bool inside = false;
    while (next_tag(text, at, &t)) {
        if (t.closing) {
            if (inside) {
                add_thought(&thought, rdv_slice(text, keep, t.begin));
            } else { /* opened in the prompt: all so far was thought */
                rdv_buf_clear(&before);
                rdv_buf_clear(&thought);
                first = t.begin;
            }
            keep = t.end;
            inside = false;
        } else if (!inside) {
            rdv_buf_add(&before, rdv_slice(text, keep, t.begin));
            keep = t.end;
            inside = true;
        }
        at = t.end;
    }
    if (inside)
        add_thought(&thought, rdv_slice(text, keep, text.len));
    rdv_str last = inside ? rdv_slice(text, text.len, text.len) : rdv_slice(text, keep, text.len);
    bool several = rdv_trim(rdv_buf_str(&before)).len > 0;
    if (several)
        rdv_buf_add(&before, last);
    rdv_str rest = rdv_buf_str(&thought);
    rdv_buf all;
    rdv_buf_init(&all, arena, 0);
    add_thought(&all, rdv_slice(text, 0, first));
    add_thought(&all, rest);
    if (!rdv_buf_ok(&before) || !rdv_buf_ok(&thought) || !rdv_buf_ok(&all))
        return rdv_no_memory(err);
    *out = rdv_trim(several ? rdv_buf_str(&before) : last);
    if (thinking)
        *thinking = rdv_buf_str(&all);
    return RDV_OK;
}

int rdv_without_thinking(rdv_str text, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    return rdv_split_thinking(text, arena, out, NULL, err);
}
