/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/value_single.h"

#include "algebra/key.h"
#include "answer/announcement.h"
#include "answer/number.h"
#include "answer/number_words.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/clean.h"
#include "grade/formal.h"
#include "grade/split.h"
#include "grade/unit.h"
#include "grade/value_build.h"
#include "language/rule.h"
#include "language/word_class.h"

#include <inttypes.h>

/* Three letters or more and no sign of mathematics: words, whatever their case. "x y" is a product,
 * and so are four letters without a vowel, "kqr". */
static bool is_words(rdv_str s)
{
    bool word = false, vowel = s.len > 4;
    for (size_t i = 0; i < s.len; i++) {
        if (!rdv_is_alpha(s.p[i]) && s.p[i] != ' ' && s.p[i] != '-' && s.p[i] != '\'')
            return false;
        word = word || (i > 0 && rdv_is_alpha(s.p[i]) && rdv_is_alpha(s.p[i - 1]));
        vowel = vowel || strchr("aeiouyAEIOUY -'", s.p[i]);
    }
    return s.len >= 3 && word && vowel;
}

int value_number_words(value_reader *r, rdv_str s, answer_value **out)
{
    uint64_t number, of = 1;
    bool may = s.len > 0 && (rdv_is_alpha(s.p[0]) || rdv_is_digit(s.p[0]));
    bool below = rdv_istarts(s, RDV_STR("negative ")) || rdv_istarts(s, RDV_STR("minus "));
    if (below)
        s = rdv_trim(rdv_slice(s, rdv_istarts(s, RDV_STR("minus ")) ? 6 : 9, s.len));
    rdv_str percent = rdv_ends(s, RDV_STR(" percent")) ? RDV_STR(" percent") : RDV_STR(" per cent");
    bool share = may && rdv_ends(s, percent) && rdv_is_alpha(s.p[0]);
    if (share)
        s = rdv_trim(rdv_slice(s, 0, s.len - percent.len));
    bool whole = may && rdv_is_alpha(s.p[0]) && number_words_read(s, &number);
    if (!may || (!whole && !fraction_words_read(s, &number, &of)))
        return RDV_NONE;
    const char *sign = below ? "-" : "";
    rdv_str digits = whole ? rdv_str_printf(r->arena, "%s%" PRIu64, sign, number)
                           : rdv_str_printf(r->arena, "%s%" PRIu64 "/%" PRIu64, sign, number, of);
    answer_value v = {.is = VALUE_EXPRESSION, .text = digits, .key = digits};
    if (digits.p && share && r->how.shares)
        digits = rdv_str_printf(r->arena, "(%.*s)/100", RDV_FMT(digits));
    v.text = v.key = digits;
    int rc = digits.p ? RDV_OK : rdv_no_memory(r->err);
    if (rc == RDV_OK && (!whole || below || share))
        rc = math_key(digits, r->how.work, r->arena, &v.key, r->err);
    return rc ? rc : (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* In lower case, each run of blanks one. */
static int words_value(value_reader *r, rdv_str s, answer_value **out)
{
    rdv_str copy = rdv_str_copy(r->arena, s);
    if (!copy.p)
        return rdv_no_memory(r->err);
    for (size_t i = 0; i < copy.len; i++)
        ((char *)copy.p)[i] = rdv_lower(copy.p[i]);
    answer_value v = {.is = VALUE_WORDS, .text = copy, .key = copy};
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* What words and signs stand for: a key of its own. */
typedef struct meaning {
    const char *text, *key;
    value_is is;
} meaning;

static const meaning meanings[] = {
    {"empty set", "{}", VALUE_EMPTY},
    {"the empty set", "{}", VALUE_EMPTY},
    {"no solution", "{}", VALUE_EMPTY},
    {"no solutions", "{}", VALUE_EMPTY},
    {"no real solution", "{}", VALUE_EMPTY},
    {"no real solutions", "{}", VALUE_EMPTY},
    {"no solution exists", "{}", VALUE_EMPTY},
    {"there is no solution", "{}", VALUE_EMPTY},
    {"there are no solutions", "{}", VALUE_EMPTY},
    {"none", "{}", VALUE_EMPTY},
    {"undefined", "undefined", VALUE_EMPTY},
    {"not defined", "undefined", VALUE_EMPTY},
    {"does not exist", "undefined", VALUE_EMPTY},
    {"dne", "undefined", VALUE_EMPTY},
    {"\\infty", "oo", VALUE_EXPRESSION},
    {"+\\infty", "oo", VALUE_EXPRESSION},
    {"infinity", "oo", VALUE_EXPRESSION},
    {"+infinity", "oo", VALUE_EXPRESSION},
    {"positive infinity", "oo", VALUE_EXPRESSION},
    {"-\\infty", "-oo", VALUE_EXPRESSION},
    {"-infinity", "-oo", VALUE_EXPRESSION},
    {"negative infinity", "-oo", VALUE_EXPRESSION},
    {"\\mathbb{R}", "(-oo,oo)", VALUE_TUPLE},
    {"\\mathbb R", "(-oo,oo)", VALUE_TUPLE},
    {"\\mathbf{R}", "(-oo,oo)", VALUE_TUPLE},
    {"\\R", "(-oo,oo)", VALUE_TUPLE},
    {"\\mathbb{N}", "\\mathbb{N}", VALUE_WORDS},
    {"\\mathbb{Z}", "\\mathbb{Z}", VALUE_WORDS},
    {"\\mathbb{Q}", "\\mathbb{Q}", VALUE_WORDS},
    {"\\mathbb{C}", "\\mathbb{C}", VALUE_WORDS},
    {"all real numbers", "(-oo,oo)", VALUE_TUPLE},
    {"all reals", "(-oo,oo)", VALUE_TUPLE},
    {"the real numbers", "(-oo,oo)", VALUE_TUPLE},
    {"real numbers", "(-oo,oo)", VALUE_TUPLE},
};

static int real_line(value_reader *r, answer_value v, answer_value **out)
{
    values ends = {0};
    answer_value *low =
        value_new(r, (answer_value){.text = RDV_STR("-\\infty"), .key = RDV_STR("-oo")});
    answer_value *high =
        value_new(r, (answer_value){.text = RDV_STR("\\infty"), .key = RDV_STR("oo")});
    int rc = low && high ? value_push(r, &ends, low) : RDV_E_NOMEM;
    if (rc == RDV_OK)
        rc = value_push(r, &ends, high);
    v.items = ends.at;
    v.n = ends.n;
    v.open = '(';
    v.close = ')';
    return rc ? rc : (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* RDV_NONE: the text means no such thing. */
static int meaning_value(value_reader *r, rdv_str s, answer_value **out)
{
    bool sign = s.len == 1 && s.p[0] == RDV_EMPTY_SET;
    rdv_str said = sign ? RDV_STR("empty set") : s;
    char first = rdv_lower(rdv_char_at(said, 0));
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        const char *text = meanings[i].text;
        if (rdv_lower(*text) != first || !rdv_str_ieq(said, rdv_str_of(text)))
            continue;
        answer_value v = {.is = meanings[i].is, .text = s, .key = rdv_str_of(meanings[i].key)};
        return v.is == VALUE_TUPLE        ? real_line(r, v, out)
               : (*out = value_new(r, v)) ? RDV_OK
                                          : RDV_E_NOMEM;
    }
    return RDV_NONE;
}

/* A number in another base, "52_8", "52_{8}", ".1_2", is its digits with the base. */
static bool is_based(rdv_str s, rdv_str *digits, rdv_str *base)
{
    size_t mark = rdv_find_char(s, '_', 0);
    if (mark == RDV_NOT_FOUND)
        return false;
    *digits = rdv_slice(s, 0, mark);
    *base = rdv_slice(s, mark + 1, s.len);
    if (split_is_bracketed(*base))
        *base = rdv_slice(*base, 1, base->len - 1);
    bool letters = mark > 1 && rdv_str_eq(*base, RDV_STR("16")); /* "FF_{16}" */
    if (!letters && !rdv_is_digit(s.p[s.p[0] == '.']))
        return false;
    for (size_t i = 0; i < base->len; i++)
        if (!rdv_is_digit(base->p[i]))
            return false;
    for (size_t i = 0; i < mark; i++)
        if ((!rdv_is_alnum(s.p[i]) && s.p[i] != '.') || (letters && rdv_lower(s.p[i]) > 'f'))
            return false;
    return base->len > 0;
}

/* In one form: small letters, no zeros before it but one before a point, none at the end after a
 * point. */
static rdv_str plain_digits(value_reader *r, rdv_str s)
{
    rdv_str copy = rdv_str_printf(r->arena, "0%.*s", RDV_FMT(s));
    for (size_t i = 0; copy.p && i < copy.len; i++)
        ((char *)copy.p)[i] = rdv_lower(copy.p[i]);
    while (copy.len > 1 && copy.p[0] == '0' && copy.p[1] != '.')
        copy = rdv_slice(copy, 1, copy.len);
    bool point = rdv_find_char(copy, '.', 0) != RDV_NOT_FOUND;
    while (point && copy.p[copy.len - 1] == '0')
        copy.len--;
    if (point && copy.p[copy.len - 1] == '.')
        copy.len--;
    return copy;
}

/* "007" without the zeros before it. */
static rdv_str without_zeros(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!rdv_is_digit(s.p[i]) && s.p[i] != '.')
            return s;
    while (s.len > 1 && s.p[0] == '0' && rdv_is_digit(s.p[1]))
        s = rdv_slice(s, 1, s.len);
    return s;
}

/* "7:32", "1:2:3": its parts are expressions; the key is the text, because it may be a time. */
static int ratio_value(value_reader *r, rdv_str s, answer_value **out)
{
    values items = {0};
    if (split_find(s, ":", 0) == RDV_NOT_FOUND)
        return RDV_NONE;
    for (size_t begin = 0; begin <= s.len;) {
        size_t end = split_find(s, ":", begin);
        rdv_str part = without_zeros(rdv_trim(rdv_slice(s, begin, end))), key;
        int rc = part.len ? math_key(part, r->how.work, r->arena, &key, r->err) : RDV_NONE;
        answer_value *v =
            rc == RDV_OK
                ? value_new(r, (answer_value){.is = VALUE_EXPRESSION, .text = part, .key = key})
                : NULL;
        if (rc == RDV_OK)
            rc = v ? value_push(r, &items, v) : RDV_E_NOMEM;
        if (rc != RDV_OK)
            return rc;
        begin = end == RDV_NOT_FOUND ? s.len + 1 : end + 1;
    }
    int rc = value_text(r, s, out);
    if (rc == RDV_OK) {
        (*out)->is = VALUE_RATIO;
        (*out)->items = items.at;
        (*out)->n = items.n;
        (*out)->unread = false;
    }
    return rc;
}

/* "-42": most answers are whole numbers, which are their own keys. */
static bool is_whole(rdv_str s)
{
    size_t i = s.len > 1 && s.p[0] == '-' && s.p[1] != '0';
    for (size_t k = i; k < s.len; k++)
        if (!rdv_is_digit(s.p[k]))
            return false;
    return s.len > i;
}

/* "12 345.6": blanks between groups of three digits. */
static bool is_grouped(rdv_str s)
{
    size_t i = rdv_starts(s, RDV_STR("-")), digits = 0, groups = 0;
    for (; i < s.len && s.p[i] != '.'; i++) {
        if (rdv_is_digit(s.p[i])) {
            digits++;
        } else if (s.p[i] == ' ' && (groups ? digits == 3 : digits >= 1 && digits <= 3)) {
            groups++;
            digits = 0;
        } else {
            return false;
        }
    }
    for (size_t k = i + 1; k < s.len; k++)
        if (!rdv_is_digit(s.p[k]))
            return false;
    return groups > 0 && digits == 3;
}

/* The same without its blanks. */
static int without_blanks(value_reader *r, rdv_str *s)
{
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    for (size_t i = 0; i < s->len; i++)
        if (s->p[i] != ' ')
            rdv_buf_add_char(&b, s->p[i]);
    *s = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : rdv_no_memory(r->err);
}

/* "2.5 million voters" is 2.5 times 10^6, with what follows as its unit. RDV_NONE: it has no such
 * word after a plain number. */
static int scaled_value(value_reader *r, rdv_str s, answer_value **out)
{
    size_t end = rdv_starts(s, RDV_STR("-")), begin, number_end, behind;
    while (end < s.len && (rdv_is_digit(s.p[end]) || s.p[end] == '.' || s.p[end] == '/' ||
                           (s.p[end] == ',' && rdv_skip_digits(s, end + 1) == end + 4)))
        end++;
    rdv_str number = answer_without_separators(rdv_slice(s, 0, end), r->arena);
    if (end && !number.p)
        return rdv_no_memory(r->err);
    number_end = end;
    begin = rdv_skip_any(s, end, " ");
    bool word = number.len && begin < s.len && (unsigned char)s.p[begin] > '@';
    const rule *row = word ? announcement_row_at(s, begin, 1u << EFFECT_SCALE, &behind) : NULL;
    bool glued = begin == number_end && row && rdv_is_alpha(s.p[begin]);
    if (!row || glued)
        return RDV_NONE;
    end = behind + (rdv_char_at(s, behind) == '.' && rdv_is_alpha(s.p[begin])); /* "mln." */
    rdv_str rest = rdv_trim(rdv_slice(s, end, s.len));
    size_t after = 0;
    while (after < rest.len && rdv_is_alpha(rest.p[after]))
        after++;
    bool plain = after == rest.len || rest.p[after] == ' ';
    bool of = rdv_istarts(rest, RDV_STR("of ")) || rdv_istarts(rest, RDV_STR("de "));
    if (!plain || (word_class(rdv_slice(rest, 0, after)) && !of)) /* "5 million million" */
        return RDV_NONE;
    answer_value v = {.is = VALUE_EXPRESSION, .unit = rest};
    v.text = rdv_str_printf(r->arena, "%.*s*%.*s", RDV_FMT(number), RDV_FMT(row->says));
    int rc =
        v.text.p ? math_key(v.text, r->how.work, r->arena, &v.key, r->err) : rdv_no_memory(r->err);
    return rc ? rc : (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* "2021-05-01" subtracts nothing. */
static bool is_iso_date(rdv_str s)
{
    if (s.len != 10 || s.p[4] != '-' || s.p[7] != '-')
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (i != 4 && i != 7 && !rdv_is_digit(s.p[i]))
            return false;
    return true;
}

/* A value without its unit. */
static int bare_value(value_reader *r, rdv_str s, answer_value **out)
{
    if (is_iso_date(s)) {
        int rc = value_text(r, s, out);
        if (rc == RDV_OK)
            (*out)->text = (rdv_str){0}; /* no formula */
        return rc;
    }
    s = without_zeros(s);
    if (is_words(s))
        return words_value(r, s, out);
    bool letters = s.len > 2 && rdv_skip_letters(s, 0) == s.len; /* "kqr" */
    if (letters && !(s = formal_product(s, r->arena)).p)
        return rdv_no_memory(r->err);
    if (is_grouped(s) && without_blanks(r, &s))
        return RDV_E_NOMEM;
    bool point_first = rdv_find_char(s, '.', 0) < rdv_find_char(s, ',', 0);
    if (s.len && (rdv_find_char(s, ',', 0) == RDV_NOT_FOUND || point_first) &&
        !(s = answer_without_separators(s, r->arena)).p)
        return rdv_no_memory(r->err);
    rdv_str digits, base;
    answer_value v = {.is = VALUE_EXPRESSION, .text = s, .key = s};
    if (is_whole(s))
        return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
    if (is_based(s, &digits, &base)) {
        digits = plain_digits(r, digits);
        if (!digits.p)
            return rdv_no_memory(r->err);
        v.key = rdv_str_printf(r->arena, "%.*s_%.*s", RDV_FMT(digits), RDV_FMT(base));
        return !v.key.p ? rdv_no_memory(r->err) : (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
    }
    int rc = ratio_value(r, s, out);
    if (rc != RDV_NONE)
        return rc;
    rc = math_key(s, r->how.work, r->arena, &v.key, r->err);
    if (rc == RDV_NONE)
        return value_text(r, s, out);
    return rc ? rc : (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

int value_single(value_reader *r, rdv_str s, answer_value **out)
{
    int rc = meaning_value(r, s, out);
    if (rc != RDV_NONE)
        return rc;
    rc = scaled_value(r, s, out);
    if (rc != RDV_NONE)
        return rc;
    rdv_str bare = unit_strip(s);
    rc = bare_value(r, bare, out);
    if (rc == RDV_OK && (*out)->unread && bare.len < s.len) /* "\angle ABC" has no unit */
        return value_text(r, s, out);
    if (rc == RDV_OK)
        (*out)->unit = rdv_slice(s, bare.len, s.len);
    return rc;
}
