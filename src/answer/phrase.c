/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/phrase.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* How many bytes of punctuation are at byte `i`: ASCII's, or a dash or quote beyond it; else 0. */
static size_t punctuation_len(rdv_str s, size_t i)
{
    unsigned char c = (unsigned char)s.p[i];
    if (c == 0xe2 && i + 2 < s.len && (unsigned char)s.p[i + 1] == 0x80 &&
        (unsigned char)s.p[i + 2] >= 0x90 && (unsigned char)s.p[i + 2] <= 0x9f)
        return 3;
    return c > ' ' && c < 0x7f && !rdv_is_alnum(s.p[i]);
}

static bool is_article(rdv_str word)
{
    return rdv_str_eq(word, RDV_STR("a")) || rdv_str_eq(word, RDV_STR("an")) ||
           rdv_str_eq(word, RDV_STR("the"));
}

int answer_phrase_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    rdv_buf word, out;
    rdv_buf_init(&word, arena, 0);
    rdv_buf_init(&out, arena, 0);
    for (size_t i = 0; i <= answer.len;) {
        bool ends = i == answer.len || rdv_is_space(answer.p[i]);
        size_t punctuation = ends ? 0 : punctuation_len(answer, i);
        if (!ends && !punctuation)
            rdv_buf_add_char(&word, rdv_lower(answer.p[i]));
        i += punctuation ? punctuation : 1;
        rdv_str text = rdv_buf_str(&word);
        if (!text.p)
            return rdv_no_memory(err);
        if (!ends || text.len == 0)
            continue;
        if (!is_article(text)) {
            if (rdv_buf_str(&out).len)
                rdv_buf_add_char(&out, ' ');
            rdv_buf_add(&out, text);
        }
        rdv_buf_clear(&word);
    }
    if (!rdv_buf_ok(&out))
        return rdv_no_memory(err);
    *key = rdv_buf_str(&out);
    return key->len ? RDV_OK : RDV_NONE;
}
