/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/lex_letters.h"

#include "base/str.h"
#include "notation/formula_names.h"
#include "notation/units.h"

#include <string.h>

#define NEAR 256 /* bytes on each side that are looked at; keeps the work linear */

/* The byte before byte `begin`, perhaps behind a space; '\0': there is none. */
static char sign_before(rdv_str s, size_t begin)
{
    size_t i = begin > 1 && s.p[begin - 1] == ' ' ? begin - 1 : begin;
    return i > 0 ? s.p[i - 1] : '\0';
}

/* The byte after byte `end`, in the same way. */
static char sign_after(rdv_str s, size_t end)
{
    end += end + 1 < s.len && s.p[end] == ' ';
    return end < s.len ? s.p[end] : '\0';
}

/* Do the letters from byte `begin` to `end` stand in a calculation: beside a sign that
 * calculates, or written to a number or bracket, and with nothing of prose on the other side? */
static bool is_in_calculation(rdv_str s, size_t begin, size_t end)
{
    char before = sign_before(s, begin), after = sign_after(s, end);
    bool space_before = begin > 0 && s.p[begin - 1] == ' ';
    bool space_after = end < s.len && s.p[end] == ' ';
    bool glued = !space_before && (rdv_is_digit(before) || (before && strchr(")}", before)));
    bool sign = before && strchr("+-*/^", before);
    bool opens = !before || strchr("=($[{:,\n", before);
    bool hyphen = after == '-' && !space_after && end + 1 < s.len && rdv_is_alpha(s.p[end + 1]);
    bool calculated = after && strchr("=+-*/^", after) && !(opens && hyphen);
    bool closed = after && !space_after && strchr(")}]$\\", after);
    bool ends = !after || strchr(".,;:\n", after);
    if (before == '(' && after == ')' && !space_before && !space_after) { /* "(ab)^2", "1/(xy)" */
        char outer = sign_before(s, begin - 1);
        return sign_after(s, end + 1) == '^' || (outer && strchr("/*", outer));
    }
    if (glued || sign)
        return calculated || closed || ends;
    return opens && (calculated || (before == '=' && (closed || ends) && end - begin == 2));
}

bool lex_letter_is_in(rdv_str s, char letter)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == letter && (i == 0 || !rdv_is_alpha(s.p[i - 1])) &&
            (i + 1 == s.len || !rdv_is_alpha(s.p[i + 1])))
            return true;
    return false;
}

bool lex_few_letters_are_product(rdv_str s, size_t begin, size_t end)
{
    static const char *const others[] = {"st", "nd", "rd", "th", "am", "pm", "dx",
                                         "dy", "dt", "lg", "ln", "pi", "re", "ii",
                                         "iv", "vi", "ad", "ed", "eq", "no"};
    rdv_str w = rdv_slice(s, begin, end);
    unit_meaning m;
    bool alone = true;
    for (size_t i = 0; i < w.len; i++)
        if (w.p[i] < 'a' || w.p[i] > 'z')
            return false;
    if (!is_in_calculation(s, begin, end))
        return false;
    rdv_str near = rdv_slice(s, begin > NEAR ? begin - NEAR : 0, begin + NEAR);
    if (unit_find(w, &m) || rdv_is_one_of(w, others, sizeof others / sizeof *others))
        for (size_t i = 0; i < w.len; i++)
            alone = alone && lex_letter_is_in(near, w.p[i]);
    return alone && !formula_name_prefix(w);
}
