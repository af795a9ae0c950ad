/* SPDX-License-Identifier: Apache-2.0 */
#include "language/own_sign.h"

#include "base/str.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define HEAD 1600 /* bytes of a text that are looked at; keeps the work linear */

static bool is_filler(char c)
{
    return rdv_is_space(c) || c == '$' || c == '(' || c == ')' || c == '{' || c == '}';
}

static size_t skip_back(rdv_str s, size_t i)
{
    while (i > 0 && is_filler(s.p[i - 1]))
        i--;
    return i;
}

static bool is_single_letter(rdv_str s, size_t i)
{
    return rdv_is_alpha(s.p[i]) && (i == 0 || !rdv_is_alpha(s.p[i - 1])) &&
           (i + 1 == s.len || !rdv_is_alpha(s.p[i + 1]));
}

static bool names_letter(rdv_str s, char letter)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == letter)
            return true;
    return false;
}

/* A sign that the usual arithmetic does not have between two letters, or the star and the cross. */
static bool is_own_sign(rdv_str op)
{
    static const char *const usual[] = {"\\cdot", "\\times", "\\div",   "\\le",   "\\leq", "\\ge",
                                        "\\geq",  "\\ne",    "\\neq",   "\\mid",  "\\in",  "\\to",
                                        "\\pm",   "\\quad",  "\\qquad", "\\text", "\\sin", "\\cos",
                                        "\\tan",  "\\log",   "\\ln",    "\\sqrt", "\\frac"};
    if (!op.len || rdv_named(op, usual, COUNT(usual)) >= 0)
        return false;
    if (op.p[0] == '\\')
        return true;
    for (size_t i = 0; i < op.len; i++)
        if (rdv_is_digit(op.p[i]) || strchr("+-/^_=<>.,:;'\"|[]", op.p[i]))
            return false;
    return op.len <= 4;
}

/* The sign that is neither + nor - nor a space between two letters before byte `equal`, where both
 * letters stand after it: "a * b = 2a + 3b". Empty: there is none. */
static rdv_str sign_defined(rdv_str s, size_t equal)
{
    static const rdv_str none = {0};
    size_t i = skip_back(s, equal), sign;
    if (i == 0 || !is_single_letter(s, i - 1))
        return none;
    char second = s.p[i - 1];
    sign = skip_back(s, i - 1);
    i = sign;
    while (i > 0 && sign - i < 16 && !is_filler(s.p[i - 1]) &&
           !(is_single_letter(s, i - 1) && sign > i))
        i--;
    rdv_str op = rdv_slice(s, i, sign);
    i = skip_back(s, i);
    if (!is_own_sign(op) || i == 0 || !is_single_letter(s, i - 1))
        return none;
    rdv_str right = rdv_slice(s, equal + 1, equal + 60);
    bool both = names_letter(right, s.p[i - 1]) && names_letter(right, second);
    return s.p[i - 1] != second && both ? op : none;
}

/* The sign of "the operation $*$", "the operation a * b", behind byte `i`, where the word ends. */
static rdv_str sign_named(rdv_str s, size_t i)
{
    while (i < s.len && (is_filler(s.p[i]) || is_single_letter(s, i)))
        i++;
    size_t end = i + (i < s.len && s.p[i] == '\\');
    while (end < s.len && (s.p[i] == '\\' ? rdv_is_alpha(s.p[end]) : !rdv_is_alnum(s.p[end])) &&
           !is_filler(s.p[end]) && s.p[end] != ',')
        end++;
    rdv_str sign = rdv_slice(s, i, end);
    return is_own_sign(sign) ? sign : (rdv_str){0};
}

/* The usual sign that is said to mean another one before byte `i`, where the verb stands. */
static rdv_str sign_read_as(rdv_str s, size_t i)
{
    static const char *const usual[] = {"+", "-", "*", "/", "\xc3\x97", "\xc3\xb7", "\xe2\x88\x92"};
    rdv_str left = rdv_trim_end(rdv_slice(s, 0, i));
    while (left.len && strchr("'\"$", left.p[left.len - 1]))
        left.len--;
    for (size_t k = 0; k < COUNT(usual); k++)
        if (rdv_ends(left, rdv_str_of(usual[k])))
            return rdv_slice(left, left.len - strlen(usual[k]), left.len);
    return (rdv_str){0};
}

/* A star is written in several ways. */
static bool stands_in(rdv_str sign, rdv_str sides)
{
    static phrase_list stars = {"\\star;\\ast;\xe2\x98\x85;\xe2\x98\x86;\xe2\x8b\x86;\xe2\x88\x97"};
    if (!sign.len)
        return false;
    bool star = phrase_in(sign, &stars) || rdv_str_eq(sign, RDV_STR("*"));
    return rdv_find(sides, sign, 0) != RDV_NOT_FOUND ||
           (star && (phrase_in(sides, &stars) || rdv_find_char(sides, '*', 0) != RDV_NOT_FOUND));
}

bool own_sign_in(rdv_str text, rdv_str sides)
{
    static phrase_list operations = {"operation;operator;symbol"};
    static phrase_list verbs = {"@defines-a-sign"};
    text = rdv_slice(text, 0, HEAD);
    for (size_t i = 0; i < text.len; i++) {
        rdv_str sign = {0};
        size_t length;
        if (text.p[i] == '=')
            sign = sign_defined(text, i);
        else if (!rdv_is_alpha(text.p[i]) || (i > 0 && rdv_is_alpha(text.p[i - 1])))
            continue; /* no word begins */
        else if ((length = phrase_at(text, i, &operations)))
            sign = sign_named(text, i + length);
        else if (phrase_at(text, i, &verbs))
            sign = sign_read_as(text, i);
        if (stands_in(sign, sides))
            return true;
    }
    return false;
}

bool own_sign_is_unusual(rdv_str sides)
{
    static phrase_list signs = {
        "\\star;\\oplus;\\otimes;\\odot;\\ominus;\\diamond;\\clubsuit;\\bullet;\\heartsuit;"
        "\\spadesuit;\\&;\\#;\\nabla;\xe2\x8a\x95;\xe2\x8a\x97;\xe2\x8a\x99;\xe2\x98\x85;"
        "\xe2\x98\x86;\xe2\x97\x87;\xe2\x97\x86;\xe2\x99\xa0;\xe2\x99\xa3;\xe2\x88\x87"};
    for (size_t i = 0; i < sides.len; i++)
        if (rdv_starts(rdv_slice(sides, i, sides.len), RDV_STR("\\\\")))
            i++; /* the line break of "\\\\&=" holds no "\\&" */
        else if (phrase_at(sides, i, &signs))
            return true;
    return false;
}
