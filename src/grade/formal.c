/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/formal.h"

#include "answer/announcement.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "language/number_words.h"
#include "language/rule.h"

/* The bit of a letter, whatever its case. */
static uint32_t bit_of(char c)
{
    return (uint32_t)1 << ((rdv_lower(c) - 'a') & 31);
}

bool formal_is_sign(uint32_t u)
{
    return u == 0xb0 || u == 0xb1 || u == 0xb2 || u == 0xb3 || u == 0xb7 || u == 0xb9 ||
           u == 0xd7 || u == 0xf7 || (u >= 0xbc && u <= 0xbe) || (u >= 0x391 && u <= 0x3c9) ||
           (u >= 0x2030 && u <= 0x2031) || (u >= 0x2070 && u <= 0x209f) ||
           (u >= 0x2150 && u <= 0x218f) || (u >= 0x2200 && u <= 0x22ff) || u == 0x2102 ||
           u == 0x2115 || u == 0x211a || u == 0x211d || u == 0x2124;
}

/* A number in words, or what stands for one. */
static bool is_number_word(rdv_str s, size_t begin, rdv_str word)
{
    unsigned value;
    size_t end;
    return number_word(word, &value) || fraction_word(word, &value) ||
           multiple_word(word, &value) ||
           (word.len > 1 && word.len < 11 && answer_class_has(CLASS_OF_NUMBER, word)) ||
           (word.len > 2 && announcement_row_at(s, begin, 1u << EFFECT_SCALE, &end));
}

bool formal_may_be_value(rdv_str s)
{
    bool sign = rdv_starts(s, RDV_STR("-")), letter = false, single = s.len > 2;
    for (size_t i = 0, len = 1; i < s.len; i += len ? len : 1) {
        uint32_t u = rdv_utf8_at(s, i, &len);
        char c = s.p[i];
        bool begins = rdv_is_alpha(c) && (i == 0 || !rdv_is_alpha(s.p[i - 1]));
        if (rdv_is_digit(c) || formal_is_sign(u) ||
            (begins && is_number_word(s, i, rdv_slice(s, i, rdv_skip_letters(s, i)))))
            return true;
        letter = letter || rdv_is_alpha(c);
        sign = sign || (c && strchr("\\^_=+*/<>|{}", c));
        single = single && (i % 2 ? c == ' ' : rdv_is_alpha(c));
    }
    return (sign && letter) || single;
}

bool formal_has_no_words(rdv_str s)
{
    for (size_t i = 0, begin; i < s.len; i++) {
        begin = i;
        i = rdv_skip_letters(s, i);
        bool command = begin > 0 && s.p[begin - 1] == '\\';
        if (i - begin > 2 && !command && !rdv_str_ieq(rdv_slice(s, begin, i), RDV_STR("and")))
            return false;
    }
    return true;
}

/* The letters that are none of a command. */
static uint32_t letters_of(rdv_str s)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == '\\')
            i = rdv_skip_letters(s, i + 1) - 1;
        else if (rdv_is_alpha(s.p[i]))
            bits |= bit_of(s.p[i]);
    }
    return bits;
}

bool formal_same_letters(rdv_str a, rdv_str b)
{
    return letters_of(a) == letters_of(b);
}

static rdv_str next_word(rdv_str s, size_t *i)
{
    size_t begin = rdv_skip_any(s, *i, " ");
    for (*i = begin; *i < s.len && s.p[*i] != ' ';)
        ++*i;
    return rdv_slice(s, begin, *i);
}

/* Is one the beginning of the other, with a point: "C.", "Carl"? */
static bool shortens(rdv_str a, rdv_str b)
{
    rdv_str of = a.len < b.len ? a : b, whole = a.len < b.len ? b : a;
    return of.len > 1 && rdv_ends(of, RDV_STR(".")) &&
           rdv_istarts(whole, rdv_slice(of, 0, of.len - 1));
}

/* "C. F. Gauss" and "Carl Friedrich Gauss": word by word the same, or shortened. */
static bool shortens_words(rdv_str a, rdv_str b)
{
    size_t i = 0, k = 0, n = 0;
    for (;; n++) {
        rdv_str x = next_word(a, &i), y = next_word(b, &k);
        if (!x.len || !y.len)
            return n > 1 && !x.len && !y.len;
        if (!rdv_str_ieq(x, y) && !shortens(x, y))
            return false;
    }
}

bool formal_is_abbreviation(rdv_str a, rdv_str b)
{
    rdv_str of = a.len < b.len ? a : b, whole = a.len < b.len ? b : a;
    of = rdv_ends(of, RDV_STR(".")) ? rdv_slice(of, 0, of.len - 1) : of;
    bool ends = of.len && whole.len > of.len && whole.p[whole.len - of.len - 1] == ' ' &&
                rdv_str_ieq(rdv_slice(whole, whole.len - of.len, whole.len), of);
    return ends || (of.len > 1 && rdv_is_alpha(of.p[0]) && rdv_istarts(whole, of)) ||
           shortens_words(a, b);
}

bool formal_is_symbol(rdv_str a, rdv_str b)
{
    rdv_str symbol = a.len < b.len ? a : b, word = a.len < b.len ? b : a;
    bool capital = symbol.len > 0 && symbol.len < 3 && rdv_is_alpha(symbol.p[0]) &&
                   symbol.p[0] != rdv_lower(symbol.p[0]);
    bool small =
        symbol.len < 2 || (rdv_is_alpha(symbol.p[1]) && symbol.p[1] == rdv_lower(symbol.p[1]));
    return capital && small && word.len > 2 && rdv_skip_letters(word, 0) == word.len;
}

bool formal_holds(rdv_str s, rdv_str part)
{
    part = rdv_trim(part);
    for (size_t at = 0;
         part.len && part.len < 200 && (at = rdv_ifind(s, part, at)) != RDV_NOT_FOUND; at++)
        if ((at == 0 || !rdv_is_alnum(s.p[at - 1])) && !rdv_is_alnum(rdv_char_at(s, at + part.len)))
            return true;
    return false;
}

rdv_str formal_product(rdv_str s, rdv_arena *arena)
{
    rdv_buf b;
    size_t letters = 0;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == ' ')
            continue;
        if (!rdv_is_alpha(s.p[i]) || ++letters > 8)
            return s;
        rdv_buf_printf(&b, b.len ? "*%c" : "%c", s.p[i]);
    }
    return letters ? rdv_buf_str(&b) : s;
}

bool formal_is_relation(rdv_str s)
{
    static const char *const signs[] = {"<",           ">", "\\le", "\\ge", "\\ne", "\xe2\x89\xa4",
                                        "\xe2\x89\xa5"};
    bool may = false; /* most have no byte that one begins with */
    for (size_t i = 0; i < s.len && !may; i++)
        may = s.p[i] == '<' || s.p[i] == '>' || s.p[i] == '\\' || s.p[i] == '\xe2';
    return may && rdv_holds_any(s, signs, sizeof signs / sizeof *signs);
}
