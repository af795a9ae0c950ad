/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/formula.h"

#include "answer/number.h"
#include "answer/span.h"
#include "base/str.h"
#include "language/word_class.h"
#include "notation/units.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define SENTENCE_MOST                                                                              \
    400 /* bytes on each side of the number, where nothing sets the formula apart */

/* What parts the sides of a formula, where no brackets are open. */
static const char *const separators[] = {"=",           "\\\\",         "&",
                                         "\\approx",    "\xe2\x89\x88", "\\equiv",
                                         "\\sim",       "\\Rightarrow", "\\rightarrow",
                                         "\\implies",   "\\therefore",  "\\to",
                                         "\\quad",      "\\qquad",      "\\iff",
                                         "\xe2\x87\x92"};

/* The bytes of the separator at byte `i`; 0: none is there. */
static size_t separator_at(rdv_str s, size_t i)
{
    for (size_t k = 0; k < COUNT(separators); k++) {
        rdv_str sign = rdv_str_of(separators[k]);
        bool word = sign.p[0] == '\\' && rdv_is_alpha(sign.p[1]);
        bool goes_on = word && rdv_is_alpha(rdv_char_at(s, i + sign.len));
        bool bound = *separators[k] == '=' && i > 0 && strchr("<>!:", s.p[i - 1]);
        if (rdv_starts(rdv_slice(s, i, s.len), sign) && !goes_on && !bound)
            return sign.len;
    }
    return 0;
}

/* The side of formula `s` that bytes `begin` to `end` stand in. */
static rdv_str side_with(rdv_str s, size_t begin, size_t end)
{
    size_t from = 0, to = s.len, depth = 0;
    for (size_t i = 0, len; i < s.len && to == s.len; i += len) {
        len = depth ? 0 : separator_at(s, i);
        if (len && i + len <= begin)
            from = i + len;
        else if (len && i >= end)
            to = i;
        depth += RDV_IS_IN(s.p[i], "{([");
        depth -= depth && RDV_IS_IN(s.p[i], "})]");
        len = len ? len : 1;
    }
    return rdv_trim(rdv_slice(s, from, to));
}

/* The bytes of the command at byte `i` that leaves a number what it is, "\\," or "\\text{ cm}"; 0:
 * another one. */
static size_t plain_command_len(rdv_str s, size_t i)
{
    static const char *const texts[] = {"text",   "mathrm", "textrm", "mathit",
                                        "textit", "mbox",   "rm"};
    static const char *const fonts[] = {"mathbf",       "textbf",    "bf",       "bm",
                                        "displaystyle", "checkmark", "end",      "begin",
                                        "circ",         "degree",    "underline"};
    if (RDV_IS_IN(rdv_char_at(s, i + 1), ",;:! $%#[]()"))
        return 2;
    size_t end = rdv_skip_letters(s, i + 1);
    rdv_str name = rdv_slice(s, i + 1, end);
    if (rdv_is_one_of(name, fonts, COUNT(fonts)))
        return end - i;
    if (!rdv_is_one_of(name, texts, COUNT(texts)))
        return 0;
    size_t close = rdv_char_at(s, end) == '{' ? rdv_find_char(s, '}', end) : end;
    return close == RDV_NOT_FOUND ? 0 : end - i + (rdv_char_at(s, end) == '{');
}

/* Is the word a unit or one of prose, and no name that a formula has? */
static bool is_plain_word(rdv_str word)
{
    static const char *const names[] = {"pi",  "sqrt", "sin", "cos", "tan",
                                        "log", "ln",   "exp", "mod"};
    unit_meaning m;
    if (rdv_is_one_of(word, names, COUNT(names)) || (word_class(word) & WORD_FUNCTION))
        return false;
    return word.len > 1 || unit_find_in_prose(word, &m);
}

/* Is what stands beside the number nothing but its unit, its currency, words and marks? */
static bool is_plain(rdv_str s)
{
    size_t opened = 0;
    bool measured = false; /* does a unit end here, which may have an exponent? */
    for (size_t i = 0, len; i < s.len; i += len) {
        char c = s.p[i];
        size_t letters = rdv_skip_letters(s, i);
        len = 1;
        if (letters > i) {
            if (!is_plain_word(rdv_slice(s, i, letters)))
                return false;
            len = letters - i;
            measured = true;
        } else if (c == '\\') {
            if (!(len = plain_command_len(s, i)))
                return false;
            opened += s.p[i + len - 1] == '{';
        } else if (c == '^') {
            size_t digits = rdv_skip_digits(s, i + 1 + (rdv_char_at(s, i + 1) == '{'));
            bool degree =
                rdv_find(rdv_slice(s, i, i + 8), RDV_STR("\\circ"), 0) != RDV_NOT_FOUND ||
                rdv_find(rdv_slice(s, i, i + 10), RDV_STR("\\degree"), 0) != RDV_NOT_FOUND;
            if (!degree && (!measured || digits == s.len || !rdv_is_digit(s.p[digits - 1])))
                return false;
            len = degree ? 1 : digits - i + (rdv_char_at(s, digits) == '}');
        } else if (c == '{' || c == '}') {
            measured = measured || c == '}';
            opened += c == '{';
            if (c == '}' && opened-- == 0)
                return false;
        } else if (c == '/') {
            if (!measured)
                return false;
        } else if (c && !(c & 0x80) && !strchr(" \t\n$.,;:?*~'\"#%", c)) {
            return false;
        }
    }
    return true;
}

/* The maths of `text` that bytes `begin` to `end` stand in. */
static bool maths_with(rdv_str text, size_t begin, size_t end, rdv_str *out)
{
    rdv_blocks blocks = {.text = text};
    for (size_t at = 0; answer_next_maths(&blocks, &at, out);) {
        size_t from = (size_t)(out->p - text.p);
        if (from > begin)
            return false;
        if (end <= from + out->len)
            return true;
    }
    return false;
}

/* Is the word of the sentence, from one blank to another, no word of prose, label or mark? */
static bool is_notation(rdv_str word)
{
    if (rdv_starts(word, RDV_STR("##")) || rdv_ends(word, RDV_STR(":")))
        return false;
    for (size_t i = 0, begin; i < word.len; i++) {
        for (begin = i; i < word.len && rdv_is_alpha(word.p[i]);)
            i++;
        bool command = begin > 0 && word.p[begin - 1] == '\\';
        if (i > begin + 1 && !command && !rdv_is_digit(rdv_char_at(word, i)))
            return false;
    }
    return true;
}

/* Is there a command of LaTeX, and is every brace closed? */
static bool has_command(rdv_str s)
{
    bool command = false;
    size_t depth = 0;
    for (size_t i = 0; i < s.len; i++) {
        command = command || (s.p[i] == '\\' && rdv_is_alpha(rdv_char_at(s, i + 1)));
        depth += s.p[i] == '{';
        depth -= s.p[i] == '}';
    }
    return command && depth == 0;
}

/* The notation around bytes `begin` to `end` that no words part, if LaTeX is in it. */
static bool bare_with(rdv_str text, size_t begin, size_t end, rdv_str *out)
{
    size_t from = begin, to = end;
    for (size_t i = from; i > 0 && begin - i < SENTENCE_MOST; from = i) {
        while (i > 0 && text.p[i - 1] == ' ')
            i--;
        size_t word = i;
        while (i > 0 && !rdv_is_space(text.p[i - 1]))
            i--;
        if (i == word || !is_notation(rdv_slice(text, i, word)))
            break;
    }
    for (size_t i = to; i < text.len && i - end < SENTENCE_MOST; to = i) {
        if (i > end && text.p[i - 1] == '.')
            break;
        while (i < text.len && text.p[i] == ' ')
            i++;
        size_t word = i;
        while (i < text.len && !rdv_is_space(text.p[i]))
            i++;
        if (i == word || !is_notation(rdv_slice(text, word, i)))
            break;
    }
    *out = rdv_slice(text, from, to);
    while (rdv_ends(*out, RDV_STR(".")) || rdv_ends(*out, RDV_STR(",")))
        out->len--;
    return has_command(*out);
}

rdv_str formula_with(rdv_str text, rdv_str number)
{
    size_t begin = (size_t)(number.p - text.p), end = begin + number.len;
    rdv_str formula;
    if (!answer_may_hold_maths(text))
        return number; /* no formula can be told from prose */
    begin += rdv_char_at(number, 0) == '$'; /* which may open the formula */
    if (!maths_with(text, begin, end, &formula) && !bare_with(text, begin, end, &formula))
        return number;
    rdv_str bare = rdv_slice(text, begin, end);
    begin = (size_t)(bare.p - formula.p);
    rdv_str side = side_with(formula, begin, begin + bare.len);
    size_t before = (size_t)(bare.p - side.p);
    bool plain = is_plain(rdv_slice(side, 0, before)) &&
                 is_plain(rdv_slice(side, before + bare.len, side.len));
    return plain ? number : side;
}
