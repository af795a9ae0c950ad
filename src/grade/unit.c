/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/unit.h"

#include "base/str.h"
#include "language/word_class.h"

static const char *const functions[] = {"pi",  "sqrt", "sin", "cos", "tan", "cot", "sec",
                                        "csc", "log",  "ln",  "exp", "inf", "mod"};

static bool is_function(rdv_str word)
{
    return rdv_is_one_of(word, functions, sizeof functions / sizeof *functions);
}

static size_t letters_end(rdv_str s, size_t i)
{
    while (rdv_is_alpha(rdv_char_at(s, i)))
        i++;
    return i;
}

/* "^2" and "^{3}" after a unit, with or without a blank before. */
static size_t exponent_end(rdv_str s, size_t i)
{
    size_t end = rdv_skip_any(s, i, " ");
    if (rdv_char_at(s, end) != '^')
        return i;
    end = rdv_skip_any(s, end + 1, "{- ");
    if (!rdv_is_digit(rdv_char_at(s, end)))
        return i;
    return rdv_skip_any(s, end + 1, "}");
}

/* "than x": a letter alone at the end. */
static bool is_than_letter(rdv_str s)
{
    return rdv_istarts(s, RDV_STR("than ")) && s.len == 6 && rdv_is_alpha(s.p[5]);
}

/* Does the word, with what follows it, change the number before it: "5 million", "5 cubed",
 * "5 percent of x", "5 more than x", but not "5 times"? */
static bool changes_number(rdv_str s, size_t i, size_t end)
{
    if (rdv_str_ieq(rdv_slice(s, i, end), RDV_STR("not")))
        return true;
    unsigned is = end - i > 1 ? word_class(rdv_slice(s, i, end)) : 0;
    rdv_str rest = rdv_trim(rdv_slice(s, end, s.len));
    bool times = rdv_str_ieq(rdv_slice(s, i, end), RDV_STR("times")) && rest.len == 0;
    bool of = rdv_istarts(rest, RDV_STR("of")) && !rdv_is_alpha(rdv_char_at(rest, 2));
    bool part = (is & WORD_PART) && !(is & WORD_BINDS_AFTER) &&
                !rdv_str_ieq(rdv_slice(s, i, end), RDV_STR("percent")); /* "5 thirds" */
    return ((is & WORD_BINDS_BEFORE) && !times) || part || ((is & WORD_PART) && of) ||
           is_than_letter(rest);
}

/* Is all from byte `i` on words of a unit? */
static bool is_unit(rdv_str s, size_t i)
{
    size_t end = letters_end(s, i);
    if (is_function(rdv_slice(s, i, end)) || (end - i < 2 && rdv_char_at(s, end) != '/'))
        return false;
    while (end > i) {
        i = rdv_skip_any(s, exponent_end(s, end), " ./-");
        end = letters_end(s, i);
    }
    return i == s.len;
}

/* "12th", "12^{ th }" without the ordinal's ending. */
static rdv_str without_ordinal(rdv_str s)
{
    static const char *const endings[] = {"st", "nd", "rd", "th"};
    size_t digits = 0;
    while (rdv_is_digit(rdv_char_at(s, digits)))
        digits++;
    size_t begin = rdv_skip_any(s, digits, "^{ "), end = letters_end(s, begin);
    rdv_str ending = rdv_slice(s, begin, end);
    for (size_t i = 0; digits && i < sizeof endings / sizeof *endings; i++)
        if (rdv_str_ieq(ending, rdv_str_of(endings[i])) && rdv_skip_any(s, end, "} ") == s.len)
            return rdv_slice(s, 0, digits);
    return s;
}

/* "12.5 m^2" at its letter: an area or a volume behind a plain number, and words behind it. */
static bool is_metres(rdv_str s, size_t i)
{
    size_t end = exponent_end(s, i + 1);
    bool power = end > i + 1 && s.p[i] == 'm';
    bool plain = power && (end == s.len || is_unit(s, rdv_skip_any(s, end, " ")));
    for (size_t k = 0; k < i && plain; k++)
        plain = rdv_is_digit(s.p[k]) || (s.p[k] && strchr(" .,-", s.p[k]));
    return plain && s.len > i + 1;
}

rdv_str unit_strip(rdv_str s)
{
    bool value = false; /* is there a digit or a command before byte i? */
    for (size_t i = 1; i < s.len; i++) {
        value = value || rdv_is_digit(s.p[i - 1]) || s.p[i - 1] == '\\';
        if (!value || !rdv_is_alpha(s.p[i]) || s.p[i - 1] != ' ')
            continue;
        if (changes_number(s, i, letters_end(s, i)))
            return s;
        if (is_unit(s, i) || is_metres(s, i))
            return without_ordinal(rdv_trim(rdv_slice(s, 0, i)));
    }
    return without_ordinal(s);
}
