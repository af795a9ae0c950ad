/* SPDX-License-Identifier: Apache-2.0 */
#include "text/step_text.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

int step_close_emphasis(rdv_str mark, rdv_arena *arena, rdv_str *text, rdv_error *err)
{
    rdv_str bold = RDV_STR("**"), rest = *text, line = *text;
    size_t opened = rdv_find(mark, bold, 0);
    if (opened == RDV_NOT_FOUND || rdv_find(mark, bold, opened + 2) != RDV_NOT_FOUND)
        return RDV_OK;
    rdv_next_line(&rest, &line);
    size_t closed = rdv_find(line, bold, 0);
    if (closed == RDV_NOT_FOUND)
        return RDV_OK;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, rdv_slice(*text, 0, closed));
    rdv_buf_add(&b, rdv_slice(*text, closed + bold.len, text->len));
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    *text = rdv_trim(rdv_buf_str(&b));
    return RDV_OK;
}

/* Is the letter at byte `i` a name ("Let x be 3."), standing alone and no word of English? */
static bool is_name(rdv_str text, size_t i)
{
    char c = text.p[i];
    if (!rdv_is_alpha(c) || c == 'a' || c == 'A' || c == 'I')
        return false;
    if (i > 0 && !rdv_is_space(text.p[i - 1]))
        return false;
    size_t next = i + 1;
    if (next < text.len && text.p[next] && strchr(",.;:", text.p[next]))
        next++;
    return next == text.len || rdv_is_space(text.p[next]);
}

int step_holds_reasoning(rdv_str text, rdv_arena *arena, bool *yes, rdv_error *err)
{
    rdv_str *sentences;
    size_t n;
    *yes = true;
    text = rdv_trim(text);
    for (size_t i = 0; i < text.len; i++)
        if (rdv_is_digit(text.p[i]) || text.p[i] == '=' || text.p[i] == '$' || text.p[i] == '\\' ||
            is_name(text, i))
            return RDV_OK;
    int rc = rdv_split_sentences(text, arena, &sentences, &n, err);
    if (rc == RDV_OK)
        *yes = n >= 3;
    return rc;
}
