/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/name.h"

#include "base/str.h"
#include "grade/split.h"

bool name_is_plain(rdv_str s)
{
    size_t words = 0, open = rdv_find_char(s, '(', 0);
    if (open != RDV_NOT_FOUND && split_is_bracketed(rdv_slice(s, open, s.len)))
        s = rdv_slice(s, 0, open);
    if (rdv_starts(s, RDV_STR("\\frac")) || rdv_starts(s, RDV_STR("\\sqrt")))
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (rdv_is_digit(c) &&
            (i == 0 || (s.p[i - 1] != '_' && s.p[i - 1] != '{' && !rdv_is_digit(s.p[i - 1]))))
            return false;
        if (!rdv_is_alnum(c) && !(c && strchr("_\\(){}' ", c)))
            return false;
        words += rdv_is_alpha(c) && (i == 0 || !rdv_is_alpha(s.p[i - 1]));
    }
    return words > 0;
}

/* "\frac{A}{B}": both names into *a and *b. */
static bool is_fraction(rdv_str s, rdv_str *a, rdv_str *b)
{
    rdv_str frac = RDV_STR("\\frac");
    if (!rdv_starts(s, frac))
        return false;
    s = rdv_trim(rdv_slice(s, frac.len, s.len));
    size_t close = RDV_NOT_FOUND, depth = 0;
    for (size_t i = 0; i < s.len && close == RDV_NOT_FOUND; i++) {
        depth += s.p[i] == '{';
        if (s.p[i] == '}' && depth-- <= 1)
            close = i;
    }
    if (close == RDV_NOT_FOUND)
        return false;
    *a = rdv_slice(s, 0, close + 1);
    *b = rdv_trim(rdv_slice(s, close + 1, s.len));
    return split_is_bracketed(*a) && split_is_bracketed(*b);
}

bool name_is_quantity(rdv_str s)
{
    rdv_str a, b;
    s = rdv_trim(s);
    if (s.len > 2 && s.p[0] == '|' && s.p[s.len - 1] == '|')
        return name_is_plain(rdv_slice(s, 1, s.len - 1));
    if (!is_fraction(s, &a, &b)) {
        size_t at = split_find(s, ":/", 0);
        if (at == RDV_NOT_FOUND)
            return false;
        a = rdv_slice(s, 0, at);
        b = rdv_slice(s, at + 1, s.len);
    }
    if (s.p[0] != '\\' && rdv_find_char(b, ':', 0) != RDV_NOT_FOUND) /* A:B:C */
        return name_is_plain(rdv_trim(a)) && name_is_quantity(b);
    return name_is_plain(rdv_trim(a)) && name_is_plain(rdv_trim(b));
}

bool name_has_letters(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == '\\')
            while (i + 1 < s.len && rdv_is_alpha(s.p[i + 1]))
                i++;
        else if (rdv_is_alpha(s.p[i]))
            return true;
    }
    return false;
}
