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

int rdv_without_thinking(rdv_str text, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_buf before;
    rdv_buf_init(&before, arena, 0);
    tag t;
    size_t at = 0, keep = 0;
    bool thinking = false;
    while (next_tag(text, at, &t)) {
        if (t.closing) {
            if (!thinking) /* opened in the prompt: all so far was thought */
                rdv_buf_clear(&before);
            keep = t.end;
            thinking = false;
        } else if (!thinking) {
            rdv_buf_add(&before, rdv_slice(text, keep, t.begin));
            thinking = true;
        }
        at = t.end;
    }
    rdv_str last = thinking ? rdv_slice(text, text.len, text.len) : rdv_slice(text, keep, text.len);
    if (!rdv_buf_ok(&before))
        return rdv_no_memory(err);
    if (rdv_trim(rdv_buf_str(&before)).len == 0) {
        *out = rdv_trim(last);
        return RDV_OK;
    }
    rdv_buf_add(&before, last);
    if (!rdv_buf_ok(&before))
        return rdv_no_memory(err);
    *out = rdv_trim(rdv_buf_str(&before));
    return RDV_OK;
}
