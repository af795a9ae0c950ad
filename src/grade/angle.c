/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/angle.h"

#include "base/arena.h"
#include "base/str.h"
#include "grade/clean.h"
#include "grade/value.h"

static const char *const signs[] = {"^\\circ",  "^{\\circ}", "^ \\circ", "^\\degree",
                                    "\\degree", "\xc2\xb0",  "degrees",  "degree"};
#define SIGNS (sizeof signs / sizeof *signs)

size_t angle_degrees_len(rdv_str s, bool words)
{
    for (size_t i = 0; i < SIGNS - (words ? 0 : 2); i++)
        if (rdv_istarts(s, rdv_str_of(signs[i])))
            return strlen(signs[i]);
    return 0;
}

bool angle_has_degrees(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (strchr("^\\\xc2", s.p[i] ? s.p[i] : ' ') &&
            angle_degrees_len(rdv_slice(s, i, s.len), false))
            return true;
    return false;
}

bool angle_ends_in_degrees(rdv_str s)
{
    for (size_t i = s.len > 12 ? s.len - 12 : 0; i < s.len; i++) {
        size_t len = angle_degrees_len(rdv_slice(s, i, s.len), false);
        if (len && rdv_skip_any(s, i + len, "}$. )") == s.len)
            return true;
    }
    return false;
}

rdv_str angle_without_degrees(rdv_str s)
{
    s = rdv_trim(s);
    return rdv_trim(rdv_slice(s, angle_degrees_len(s, true), s.len));
}

int angle_in_radians(rdv_str answer, rdv_arena *arena, rdv_str *out, bool *has, rdv_error *err)
{
    rdv_buf b;
    *has = false;
    if (answer.len > RDV_VALUE_MAX || clean_holds_angle(answer))
        return RDV_OK;
    if (!angle_has_degrees(answer) && rdv_find(answer, RDV_STR(" degree"), 0) == RDV_NOT_FOUND)
        return RDV_OK;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0, len; i < answer.len; i += len ? len : 1) {
        bool word = answer.p[i] == ' ';
        len = angle_degrees_len(rdv_slice(answer, i + word, answer.len), word);
        len += word && len;
        *has = *has || len;
        if (len)
            rdv_buf_lit(&b, "\\cdot\\frac{\\pi}{180}");
        else
            rdv_buf_add_char(&b, answer.p[i]);
    }
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : rdv_no_memory(err);
}
