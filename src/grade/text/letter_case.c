/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/letter_case.h"

#include "answer/question_options.h"
#include "base/str.h"
#include "notation/units.h"

#define SYMBOL_MAX 3 /* letters of a symbol that is no word: "mW", "kPa" */

/* Is it letters in pairs of the same one, "aa", "AaBb"? */
static bool is_genotype(rdv_str s)
{
    for (size_t i = 0; i + 1 < s.len; i += 2)
        if (!rdv_is_alpha(s.p[i]) || rdv_lower(s.p[i]) != rdv_lower(s.p[i + 1]))
            return false;
    return s.len && s.len % 2 == 0;
}

/* Has it a capital behind a small letter, "mW"? */
static bool is_mixed(rdv_str s)
{
    for (size_t i = 1; i < s.len; i++)
        if (s.p[i] != rdv_lower(s.p[i]) && s.p[i - 1] == rdv_lower(s.p[i - 1]))
            return true;
    return false;
}

static bool has_capital(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] != rdv_lower(s.p[i]))
            return true;
    return false;
}

/* Two words of the same letters. */
static bool word_tells(rdv_str a, rdv_str b)
{
    unit_meaning x, y;
    bool symbols = a.len <= SYMBOL_MAX && has_capital(a) && has_capital(b);
    bool prefix =
        a.len <= SYMBOL_MAX && rdv_lower(a.p[0]) == 'm' && (unit_find(a, &x) || unit_find(b, &y));
    return is_genotype(a) || (symbols && (is_mixed(a) || is_mixed(b))) || prefix;
}

bool letter_case_tells(rdv_str a, rdv_str b, rdv_str question)
{
    rdv_str option[2];
    if (a.len == 1 && b.len == 1) {
        bool listed = !question.p || question_options(question, option, 2);
        return *a.p != *b.p && rdv_is_alpha(*a.p) && (rdv_lower(*a.p) > 'e' || !listed);
    }
    for (size_t i = 0, end; i < a.len && a.len == b.len; i = end + (end == i)) {
        end = rdv_skip_letters(a, i);
        rdv_str x = rdv_slice(a, i, end), y = rdv_slice(b, i, end);
        if (x.len > 1 && !rdv_str_eq(x, y) && word_tells(x, y))
            return true;
    }
    return false;
}
