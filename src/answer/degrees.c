/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/degrees.h"

#include "base/str.h"

static const char *const signs[] = {"^\\circ",  "^{\\circ}", "^ \\circ", "^\\degree",
                                    "\\degree", "\xc2\xb0",  "degrees",  "degree"};
#define SIGNS (sizeof signs / sizeof *signs)

size_t degrees_len(rdv_str s, bool words)
{
    char first = rdv_char_at(s, 0);
    for (size_t i = 0; i < SIGNS - (words ? 0 : 2); i++)
        if (rdv_lower(first) == *signs[i] && rdv_istarts(s, rdv_str_of(signs[i])))
            return strlen(signs[i]);
    return 0;
}

bool degrees_in(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (strchr("^\\\xc2", s.p[i] ? s.p[i] : ' ') && degrees_len(rdv_slice(s, i, s.len), false))
            return true;
    return false;
}

bool degrees_end(rdv_str s)
{
    for (size_t i = s.len > 12 ? s.len - 12 : 0; i < s.len; i++) {
        size_t len = degrees_len(rdv_slice(s, i, s.len), false);
        if (len && rdv_skip_any(s, i + len, "}$. )") == s.len)
            return true;
    }
    return false;
}

rdv_str degrees_skip(rdv_str s)
{
    s = rdv_trim(s);
    return rdv_trim(rdv_slice(s, degrees_len(s, true), s.len));
}
