/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/align_to_gold.h"

#include "base/str.h"

rdv_str align_exact_part(rdv_str answer)
{
    size_t at = rdv_find(answer, RDV_STR("\\approx"), 0);
    size_t sign = rdv_find(answer, RDV_STR("\xe2\x89\x88"), 0);
    rdv_str part = rdv_trim(rdv_slice(answer, 0, at < sign ? at : sign));
    size_t open = 0, closed = 0;
    bool digit = false;
    for (size_t i = 0; i < part.len; i++) {
        digit = digit || rdv_is_digit(part.p[i]);
        open += part.p[i] == '{';
        closed += part.p[i] == '}';
    }
    return digit && open == closed ? part : answer;
}

/* Of "m + n = 5" the 5; p == NULL: it is nothing of that form. */
static rdv_str after_sum(rdv_str answer)
{
    size_t equals = rdv_find_char(answer, '=', 0), letters = 0, signs = 0;
    rdv_str name = rdv_trim(rdv_slice(answer, 0, equals));
    if (equals == RDV_NOT_FOUND || rdv_find_char(answer, '=', equals + 1) != RDV_NOT_FOUND)
        return (rdv_str){0};
    for (size_t i = 0; i < name.len; i++) {
        bool letter = rdv_is_alpha(name.p[i]) && letters == signs;
        bool sign = name.p[i] == '+' && letters == signs + 1;
        if ((!letter && !sign && name.p[i] != ' ') ||
            (letter && rdv_find_char(name, name.p[i], i + 1) != RDV_NOT_FOUND))
            return (rdv_str){0};
        letters += letter;
        signs += sign;
    }
    bool sum = signs > 0 && letters == signs + 1;
    return sum ? rdv_trim(rdv_slice(answer, equals + 1, answer.len)) : (rdv_str){0};
}

/* Of "x \\equiv 7 \\pmod{10}" the 7; p == NULL: no modulus is named. */
static rdv_str residue(rdv_str answer)
{
    static const char *const signs[] = {"\\pmod", "(mod", "(\\mod", "\\bmod", "\\mod"};
    size_t end = RDV_NOT_FOUND;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        size_t at = rdv_find(answer, rdv_str_of(signs[k]), 0);
        end = at < end ? at : end;
    }
    if (end == RDV_NOT_FOUND)
        return (rdv_str){0};
    rdv_str part = rdv_slice(answer, 0, end);
    size_t congruent = rdv_find(part, RDV_STR("\\equiv"), 0);
    size_t sign = rdv_find(part, RDV_STR("\xe2\x89\xa1"), 0);
    if (congruent != RDV_NOT_FOUND)
        part = rdv_slice(part, congruent + 6, part.len);
    else if (sign != RDV_NOT_FOUND)
        part = rdv_slice(part, sign + 3, part.len);
    return rdv_trim(part);
}

rdv_str align_to_gold(rdv_str answer, rdv_str gold)
{
    bool modulus = rdv_find(gold, RDV_STR("mod"), 0) != RDV_NOT_FOUND;
    bool equation = rdv_find_char(gold, '=', 0) != RDV_NOT_FOUND;
    rdv_str part = modulus ? (rdv_str){0} : residue(answer);
    if (!part.len && !equation)
        part = after_sum(answer);
    return part.len ? part : align_exact_part(answer);
}
