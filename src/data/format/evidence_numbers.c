/* SPDX-License-Identifier: Apache-2.0 */
#include "data/format/evidence_numbers.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "data/scan.h"

/* Adds the numbers among the members of the object at byte `i`; the byte after the object. */
static size_t add_numbers(rdv_buf *out, rdv_str s, size_t i)
{
    bool any = false;
    rdv_buf_lit(out, "{");
    for (i = rdv_skip_any(s, i + 1, ", \t\r\n"); rdv_char_at(s, i) == '"';) {
        size_t name = i, value = rdv_skip_any(s, rdv_scan_text(s, i), ": \t\r\n");
        size_t end = rdv_scan_value(s, value, RDV_MAX_DEPTH);
        char first = rdv_char_at(s, value);
        if (rdv_is_digit(first) || first == '-') {
            if (any)
                rdv_buf_lit(out, ",");
            any = true;
            rdv_buf_add(out, rdv_slice(s, name, end));
        }
        i = rdv_skip_any(s, end, ", \t\r\n");
    }
    rdv_buf_lit(out, "}");
    return i + 1;
}

/* The byte where the next object of evidence begins, from byte `i` on; RDV_NOT_FOUND: there is
 * none. */
static size_t next_evidence(rdv_str s, size_t i)
{
    static const rdv_str name = {"\"evidence\"", 10};
    while ((i = rdv_find_char(s, '"', i)) != RDV_NOT_FOUND) {
        size_t end = rdv_scan_text(s, i), value = rdv_skip_blanks(s, end);
        bool is_name = rdv_char_at(s, value) == ':' && rdv_str_eq(rdv_slice(s, i, end), name);
        i = end;
        value = is_name ? rdv_skip_blanks(s, value + 1) : s.len;
        if (rdv_char_at(s, value) == '{')
            return value;
    }
    return RDV_NOT_FOUND;
}

int rdv_evidence_numbers(rdv_str text, rdv_arena *arena, rdv_str *out)
{
    rdv_buf b;
    size_t done = 0, at = next_evidence(text, 0);
    *out = text;
    if (at == RDV_NOT_FOUND)
        return RDV_OK;
    rdv_buf_init(&b, arena, 0);
    for (; at != RDV_NOT_FOUND; at = next_evidence(text, done)) {
        rdv_buf_add(&b, rdv_slice(text, done, at));
        done = add_numbers(&b, text, at);
    }
    rdv_buf_add(&b, rdv_slice(text, done, text.len));
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : RDV_E_NOMEM;
}
