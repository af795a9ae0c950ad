/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/angle.h"

#include "answer/degrees.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/clean.h"
#include "grade/value.h"

int angle_in_radians(rdv_str answer, rdv_arena *arena, rdv_str *out, bool *has, rdv_error *err)
{
    rdv_buf b;
    *has = false;
    if (answer.len > RDV_VALUE_MAX || clean_holds_angle(answer))
        return RDV_OK;
    if (!degrees_in(answer) && rdv_find(answer, RDV_STR(" degree"), 0) == RDV_NOT_FOUND)
        return RDV_OK;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0, len; i < answer.len; i += len ? len : 1) {
        bool word = answer.p[i] == ' ';
        len = degrees_len(rdv_slice(answer, i + word, answer.len), word);
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
