/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/reply.h"
#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"

/* The table of Knuth, Morris and Pratt, so that a byte costs the same however long a stop is. */
static bool prepare_stop(stop_state *s, rdv_arena *arena, rdv_str text)
{
    s->text = rdv_str_copy(arena, text);
    s->back = RDV_NEW_ARRAY(arena, uint32_t, text.len);
    if (!s->text.p || !s->back)
        return false;
    for (uint32_t i = 1, k = 0; i < text.len; i++) {
        while (k > 0 && text.p[i] != text.p[k])
            k = s->back[k - 1];
        k += text.p[i] == text.p[k];
        s->back[i] = k;
    }
    return true;
}

bool reply_init(reply_text *r, rdv_arena *arena, const rdv_str *stops, size_t n_stops)
{
    *r = (reply_text){.n_stops = n_stops};
    rdv_buf_init(&r->raw, arena, 0);
    rdv_buf_init(&r->text, arena, 0);
    r->stops = RDV_NEW_ARRAY(arena, stop_state, n_stops);
    if (!r->stops)
        return false;
    for (size_t i = 0; i < n_stops; i++)
        if (!prepare_stop(&r->stops[i], arena, stops[i]))
            return false;
    return true;
}

/* The next byte of the text; true: the stop string is complete. */
static bool follow(stop_state *s, char c)
{
    while (s->matched > 0 && s->text.p[s->matched] != c)
        s->matched = s->back[s->matched - 1];
    s->matched += s->text.p[s->matched] == c;
    return s->matched == s->text.len;
}

void reply_add(reply_text *r, rdv_str bytes)
{
    for (size_t i = 0; i < bytes.len && !r->stopped_by.p; i++) {
        rdv_buf_add_char(&r->raw, bytes.p[i]);
        for (size_t s = 0; s < r->n_stops; s++)
            if (follow(&r->stops[s], bytes.p[i]) && r->stops[s].text.len > r->stopped_by.len)
                r->stopped_by = r->stops[s].text;
    }
    if (r->stopped_by.p && reply_ok(r))
        r->raw.len -= r->stopped_by.len;
}

/* Bytes at the end of raw that may turn out to begin a stop string. */
static size_t held_back(const reply_text *r)
{
    size_t most = 0;
    for (size_t i = 0; i < r->n_stops; i++)
        if (r->stops[i].matched > most)
            most = r->stops[i].matched;
    return most;
}

/* Can the bytes from `at` on, fewer than a character has, still become one? */
static bool may_become_character(rdv_str s, size_t at)
{
    /* Complete it with the least and the largest byte that can follow, and ask. */
    for (int fill = 0x80; fill <= 0xbf; fill += 0x10) {
        char whole[4];
        size_t have = s.len - at;
        for (size_t i = 0; i < 4; i++)
            whole[i] = i < have ? s.p[at + i] : (char)fill;
        if (rdv_utf8_len((rdv_str){whole, 4}, 0) > have)
            return true;
    }
    return false;
}

void reply_settle(reply_text *r, bool end)
{
    rdv_str raw = {r->raw.p, r->raw.len};
    if (!reply_ok(r))
        return; /* the stops have consumed bytes that were not stored */
    end = end || r->stopped_by.p;
    size_t limit = end ? raw.len : raw.len - held_back(r);
    while (r->done < limit) {
        size_t len = rdv_utf8_len(raw, r->done);
        bool cut = len == 0 && raw.len - r->done < 4 && may_become_character(raw, r->done);
        if (!end && (cut || r->done + len > limit))
            break;
        if (len)
            rdv_buf_add(&r->text, rdv_slice(raw, r->done, r->done + len));
        else
            rdv_buf_lit(&r->text, "\xef\xbf\xbd");
        r->done += len ? len : 1;
    }
}

bool reply_ok(const reply_text *r)
{
    return rdv_buf_ok(&r->raw) && rdv_buf_ok(&r->text);
}
