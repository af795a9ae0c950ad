/* SPDX-License-Identifier: Apache-2.0 */
#include "method/unread/unread_calculation.h"

#include "base/arena.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "language/phrase.h"
#include "notation/braces.h"
#include "notation/units.h"

#define WINDOW 120     /* bytes that are looked at on each side of the sign */
#define UNIT_MAX 15    /* bytes of a unit behind a number */
#define TEXT_SHOWN 120 /* bytes of a text in a line for people */

/* Most texts differ in their first bytes, which costs less to see here than a call. */
static bool starts_at(rdv_str s, size_t i, const char *what)
{
    for (; *what; what++, i++)
        if (i >= s.len || s.p[i] != *what)
            return false;
    return true;
}

static size_t skip_blanks(rdv_str s, size_t i)
{
    while (i < s.len && (s.p[i] == ' ' || s.p[i] == '$' || s.p[i] == '(' || s.p[i] == '-'))
        i++;
    return i;
}

static bool number_follows(rdv_str s, size_t i)
{
    i = skip_blanks(s, i);
    return i < s.len && rdv_is_digit(s.p[i]);
}

/* Does a number end before byte `i`, or its unit: "7", "7 kg", "7 €"? */
static bool amount_ends(rdv_str s, size_t i)
{
    static const char *const moneys[] = {"\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5"};
    size_t begin = i;
    unit_meaning means;
    if (i == 0 || rdv_is_digit(s.p[i - 1]))
        return i > 0;
    while (begin > 0 && i - begin < UNIT_MAX && s.p[begin - 1] != ' ')
        begin--;
    if (begin < 2 || s.p[begin - 1] != ' ' || !rdv_is_digit(s.p[begin - 2]))
        return false;
    rdv_str word = rdv_slice(s, begin, i);
    for (size_t k = 0; k < sizeof moneys / sizeof *moneys; k++)
        if (rdv_str_eq(word, rdv_str_of(moneys[k])))
            return true;
    return unit_find_in_prose(word, &means);
}

/* "100 : 4", a division as it is written in many schools; "Step 3: 4" is none. */
static bool is_colon_of_division(rdv_str s, size_t i)
{
    return s.p[i] == ':' && i > 1 && s.p[i - 1] == ' ' && i + 2 < s.len && s.p[i + 1] == ' ' &&
           rdv_is_digit(s.p[i + 2]) && amount_ends(s, i - 1);
}

/* ---- signs ----------------------------------------------------------------------------------- */

/* The length of an operator at `i`; 0: there is none. Words stand between blanks. */
static size_t operator_at(rdv_str s, size_t i)
{
    static phrase_list signs = {
        "+;-;***;/;\u00d7;\u00f7;\u2212;\u00b7;\\times;\\cdot;\\div;% of;% off"};
    static phrase_list words = {
        "@operator;@operator-of-numbers;x;percent of;more than;less than;fewer than"};
    bool blank = s.p[i] == ' ';
    size_t n = blank || rdv_is_alnum(s.p[i]) ? 0 : phrase_at(s, i, &signs), end;
    if (n || is_colon_of_division(s, i))
        return n ? n : 1;
    if (s.p[i] == '%' && rdv_char_at(s, i + 1) == ' ') { /* "20% discount on" */
        end = rdv_skip_letters(s, i + 2);
        return end > i + 2 && starts_at(s, end, " on ") ? end + 4 - i : 0;
    }
    n = blank ? phrase_at(s, i + 1, &words) : 0;
    return n && rdv_char_at(s, i + 1 + n) == ' ' ? n + 2 : 0;
}

typedef enum equality_kind { SIGN_EQUALS, SIGN_APPROXIMATE, SIGN_ARROW, SIGN_WORD } equality_kind;

typedef struct equality {
    size_t begin, end; /* with the blanks of a word */
    equality_kind is;
    bool plain; /* "is" */
} equality;

/* The first sign of equality from byte *at on, which moves to it. Words have a blank before and
 * behind them, and stand behind a number or its unit. */
static bool next_equality(rdv_str s, size_t *at, equality *out)
{
    static phrase_list signs = {"@states-a-result;, which is;=;=>;\u2248;\\approx;\u2261;\u2192;"
                                "\u21d2;\\to;\\rightarrow;\\Rightarrow;->"};
    static phrase_list equal = {"=;\u2261"}, near = {"\\approx;\u2248"};
    for (;; ++*at) {
        size_t i = *at = phrase_find(s, *at, &signs, &out->end);
        if (i == s.len)
            return false;
        rdv_str sign = rdv_slice(s, i, out->end);
        bool letters = rdv_is_alpha(sign.p[0]), word = letters || sign.p[0] == ',';
        out->begin = i - (letters && i > 0);
        out->is = word                      ? SIGN_WORD
                  : phrase_is(sign, &equal) ? SIGN_EQUALS
                  : phrase_is(sign, &near)  ? SIGN_APPROXIMATE
                                            : SIGN_ARROW;
        out->plain = rdv_str_eq(sign, RDV_STR("is"));
        out->end += word;
        if (word ? rdv_char_at(s, out->end - 1) == ' ' && (!letters || s.p[out->begin] == ' ') &&
                       amount_ends(s, out->begin)
                 : sign.p[0] != '=' || i == 0 || !strchr("<>!=:", s.p[i - 1]))
            return true;
    }
}

/* The length of a word that says "nearly" at `i`, with the blank behind it; 0: there is none. */
static size_t nearly_at(rdv_str s, size_t i)
{
    static phrase_list words = {"about;around;@nearly"};
    size_t n = phrase_at(s, i, &words);
    return n && rdv_char_at(s, i + n) == ' ' ? n + 1 : 0;
}

/* ---- both sides ------------------------------------------------------------------------------ */

static bool is_letter(rdv_str s, size_t i)
{
    return i < s.len && ((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= 'A' && s.p[i] <= 'Z'));
}

/* Is the byte the last one of a mark that ends a clause or a formula? */
static bool ends_clause(rdv_str s, size_t i)
{
    static const bool may_end[256] = {['('] = true,  [')'] = true,  ['['] = true, [']'] = true,
                                      [0x88] = true, ['\n'] = true, [';'] = true, [':'] = true,
                                      ['='] = true,  ['?'] = true,  ['.'] = true, [','] = true,
                                      [' '] = true};
    char c = s.p[i];
    if (!may_end[(unsigned char)c])
        return false;
    if (i > 0 && s.p[i - 1] == '\\' && strchr("()[]", c))
        return true;
    if (c == '\x88' && i > 1 && starts_at(s, i - 2, "\xe2\x89\x88"))
        return true;
    return c == '\n' || c == ';' || (c == ':' && !is_colon_of_division(s, i)) || c == '=' ||
           c == '?' || ((c == '.' || c == ',') && i + 1 < s.len && s.p[i + 1] == ' ') ||
           (c == ' ' && i > 3 && starts_at(s, i - 3, " or "));
}

/* A digit that begins a number; in x2 and x_2 it is part of a name. */
static bool begins_number(rdv_str s, size_t i)
{
    if (!rdv_is_digit(s.p[i]) || i == 0)
        return rdv_is_digit(s.p[i]);
    char before = s.p[i - 1];
    return !rdv_is_digit(before) && !is_letter(s, i - 1) && before != '_' &&
           !((before == '.' || before == ',') && i > 1 && rdv_is_digit(s.p[i - 2]));
}

static size_t number_end(rdv_str s, size_t i)
{
    while (i < s.len && (rdv_is_digit(s.p[i]) ||
                         (strchr(".,", s.p[i]) && i + 1 < s.len && rdv_is_digit(s.p[i + 1]))))
        i++;
    if (i + 1 < s.len && (s.p[i] == 'e' || s.p[i] == 'E')) { /* 6.6e-34 */
        size_t digit = i + 1 + (s.p[i + 1] == '-' || s.p[i + 1] == '+');
        if (digit < s.len && rdv_is_digit(s.p[digit]))
            return number_end(s, digit);
    }
    return i;
}

/* Bytes beside which a letter that stands alone is an operand, with the last ones of a dot, a
 * cross and a minus. */
static bool joins_operands(char c)
{
    return c && strchr("+-*/^=({|)}_\xb7\x97", c);
}

/* Do the letters from `i` to `end`, which touch a number, name unknown numbers: 2x, 3xy? */
static bool are_factors(rdv_str s, size_t i, size_t end)
{
    if (end - i == 2)
        return strchr("abcnxyz", s.p[i]) && strchr("abcnxyz", s.p[i + 1]);
    return end - i == 1 && !(end + 1 < s.len && s.p[end] == '/' && is_letter(s, end + 1));
}

/* Do the letters from `i` to `end` name an unknown number? A letter behind a number and a blank may
 * be a unit, a capital behind a word is a name; between two numbers x is a product; "a" is a word.
 */
static bool are_unknown(rdv_str s, size_t begin, size_t i, size_t end)
{
    size_t next = end, last = i;
    while (next < s.len && s.p[next] == ' ')
        next++;
    while (last > begin && s.p[last - 1] == ' ')
        last--;
    bool behind_number = last > begin && rdv_is_digit(s.p[last - 1]);
    char after = next < s.len ? s.p[next] : ' ';
    bool between = (last == i) == (next == end); /* 2x3 and 2 x 3, but not 10x 3 */
    if (s.p[i] == 'x' && end - i == 1 && behind_number && between &&
        (rdv_is_digit(after) || after == '$'))
        return false;
    if (behind_number && last == i)
        return are_factors(s, i, end);
    if (i > begin && (unsigned char)s.p[i - 1] >= 0x80 && !joins_operands(s.p[i - 1]))
        return false; /* the C of degrees */
    if (end - i > 1 || (i > begin + 1 && strchr("/*", s.p[i - 1]) && is_letter(s, i - 2)))
        return false; /* m/s */
    if (i > begin + 2 && ((s.p[i - 1] == '\xb7' && is_letter(s, i - 3)) ||
                          (s.p[i - 1] == '-' && is_letter(s, i - 2) && is_letter(s, i - 3))))
        return false; /* J·s, ft-s */
    if (behind_number && strchr("mshgdluLJNWVAKCFGHTM", s.p[i]))
        return false;
    if (next == end && after == '(')
        return true;
    bool named = s.p[i] < 'a' && last > begin + 1 && last < i && is_letter(s, last - 1);
    bool joined = joins_operands(after) || (last > begin && joins_operands(s.p[last - 1]));
    return joined && !named && !(behind_number && s.p[i] == 'a');
}

/* Does the name of LaTeX at `i`, behind its backslash, stand for a number that is not known? */
static bool is_unknown_markup(rdv_str s, size_t i)
{
    static const char *const plain[] = {
        "times",      "cdot",       "div",          "frac",     "dfrac",  "tfrac",
        "text",       "left",       "right",        "approx",   "quad",   "sqrt",
        "circ",       "pi",         "boxed",        "overline", "mathrm", "to",
        "rightarrow", "Rightarrow", "displaystyle", "bigl",     "bigr",   "big"};
    rdv_str name = rdv_slice(s, i, rdv_skip_letters(s, i));
    if (name.len == 0)
        return false;
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        if (rdv_str_eq(name, rdv_str_of(plain[k])))
            return false;
    return true;
}

/* The end of the words in braces behind the name of LaTeX at `i`: \text{ kg/m}, {\rm kg}; `i`: it
 * has none. */
static size_t words_end(rdv_str s, size_t i)
{
    static const char *const names[] = {"text", "mathrm", "textbf", "mbox", "textrm", "rm"};
    size_t end = rdv_skip_letters(s, i);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (rdv_str_eq(rdv_slice(s, i, end), rdv_str_of(names[k]))) {
            size_t close = rdv_find_char(s, '}', end);
            return close == RDV_NOT_FOUND ? i : close;
        }
    return i;
}

/* A Greek letter but pi, and those of micro and ohm. */
static bool is_greek(rdv_str s, size_t i)
{
    unsigned char c = (unsigned char)s.p[i];
    return (c == 0xce || c == 0xcf) && !starts_at(s, i, "\xcf\x80") &&
           !starts_at(s, i, "\xce\xbc") && !starts_at(s, i, "\xce\xa9");
}

/* "He works M + 4 + 2 = 8 hours": a letter before an operator and a number. */
static bool is_first_operand(rdv_str s, size_t i, size_t end)
{
    size_t sign = end + (end < s.len && s.p[end] == ' ');
    size_t n = end == i + 1 && sign < s.len && s.p[i] != 'x' ? operator_at(s, sign) : 0;
    return n && strchr("+-*/", s.p[sign]) && number_follows(s, sign + n);
}

/* What stands between `begin` and `end`. */
typedef struct contents {
    size_t first; /* the first number of the first operation; `end`: there is no operation */
    size_t last;  /* behind the last number */
    bool weak;    /* each operation may be a range, a date or a fraction: 2-3, 3/4 */
    bool words;   /* two letters or more stand behind the last number */
    bool unknown; /* a letter stands for a number; no more is looked at */
} contents;

static bool is_weak(rdv_str s, size_t i)
{
    bool apart = i > 0 && s.p[i - 1] == ' ' && i + 1 < s.len && s.p[i + 1] == ' ';
    return s.p[i] == '-' || (s.p[i] == '/' && !apart);
}

/* Does the operand at `i` begin with a function in words: "2 * ( square root of 9 )"? */
static bool function_follows(rdv_str s, size_t i)
{
    static const char *const names[] = {"sqrt", "square", "cube"};
    i = skip_blanks(s, i);
    rdv_str name = rdv_slice(s, i, rdv_skip_letters(s, i));
    return rdv_is_one_of(name, names, sizeof names / sizeof *names);
}

/* Is the operand behind the operator that ends at `i` in words: "3 * number of books"? A word that
 * touches a unit and its sign is part of the unit: kg*m, km/hour. */
static bool operand_in_words(rdv_str s, size_t begin, size_t sign, size_t i)
{
    if (sign > begin && is_letter(s, sign - 1))
        return false;
    while (i < s.len && strchr(" ($", s.p[i]))
        i++;
    return s.p[sign] != '-' && strchr("+*/", s.p[sign]) && rdv_skip_letters(s, i) > i + 1;
}

static contents look_between(rdv_str s, size_t begin, size_t end)
{
    contents c = {.first = end, .last = begin, .weak = true};
    rdv_str before = rdv_slice(s, 0, end);
    size_t number = end;
    for (size_t i = begin; i < end && !c.unknown; i++) {
        size_t n = number < i ? operator_at(s, i) : 0;
        if (begins_number(s, i)) {
            number = i;
            c.last = number_end(before, i);
            c.words = false;
            i = c.last - 1;
        } else if (n && (number_follows(before, i + n) || function_follows(before, i + n))) {
            c.first = c.first < end ? c.first : number;
            c.weak = c.weak && is_weak(s, i);
        } else if (n && operand_in_words(before, begin, i, i + n)) {
            c.unknown = true;
        } else if (is_letter(s, i)) {
            size_t word = rdv_skip_letters(before, i);
            bool markup = i > 0 && s.p[i - 1] == '\\';
            size_t braced = markup ? words_end(before, i) : i;
            if (braced > i) {
                i = braced;
                continue;
            }
            c.words |= word > i + 1 && !markup;
            c.unknown |= markup ? is_unknown_markup(before, i) : are_unknown(s, begin, i, word);
            c.unknown |= number == end && is_first_operand(before, i, word);
            i = word - 1;
        } else {
            c.unknown |= is_greek(s, i);
        }
    }
    return c;
}

/* Where the clause begins that the sign stands in, at most so far before it. */
static size_t clause_begin(rdv_str s, size_t sign)
{
    size_t begin = sign;
    while (begin > 0 && sign - begin < WINDOW && !ends_clause(s, begin - 1))
        begin--;
    return begin;
}

/* An operation on numbers that ends before `sign`: the place of its first number; `sign`: there is
 * none, or not on numbers alone. */
static size_t operation_before(rdv_str s, size_t sign, equality_kind is)
{
    contents c = look_between(s, clause_begin(s, sign), sign);
    if (c.first == sign || c.unknown)
        return sign;
    if (c.weak && c.words && is == SIGN_WORD) /* "pages 2-3 of the book is" */
        return sign;
    rdv_str ahead = rdv_slice(s, 0, c.first), of = rdv_slice(s, c.last, sign);
    if (c.weak && (rdv_ends(ahead, RDV_STR(" by ")) || rdv_starts(of, RDV_STR(" of ")) ||
                   rdv_starts(of, RDV_STR(" as ")))) /* "1/4 of the pens = 3", "by 17/40 gives" */
        return sign;
    /* "1/4 and water = 3/4", "divided by 11/20 we get 12": the sign is of something else */
    static phrase_list others = {"and;get"};
    return phrase_in(of, &others) ? sign : c.first;
}

/* ---- the result ------------------------------------------------------------------------------ */

static bool is_compound(rdv_str word)
{
    return word.len > 1 && (rdv_find_char(word, '/', 0) != RDV_NOT_FOUND ||
                            rdv_find(word, RDV_STR("\xc2"), 0) != RDV_NOT_FOUND);
}

/* The word behind the number that ends at `i`, without the blank before it. */
static rdv_str word_behind(rdv_str s, size_t i)
{
    size_t begin = i + (i < s.len && s.p[i] == ' '), end = begin;
    while (end < s.len && end - begin < UNIT_MAX && !rdv_is_space(s.p[end]) &&
           !strchr(".,;:!?)\"=$", s.p[end]))
        end++;
    return rdv_slice(s, begin, end);
}

static bool closes(rdv_str s, size_t i)
{
    return i < s.len && (s.p[i] == ')' || s.p[i] == '}');
}

/* The end of the result whose number begins at `i`: with what it is worked out from, "3 * (4 + 5)",
 * and a unit of several parts or of one letter. */
static size_t result_end(rdv_str s, size_t i)
{
    size_t end = number_end(s, i), at = end, n;
    rdv_str word = word_behind(s, end);
    bool letter = word.len == 1 && is_letter(word, 0) && word.p[0] != 'x';
    if (is_compound(word) || letter)
        end = (size_t)(word.p - s.p) + word.len;
    for (;;) {
        while (at < s.len && (s.p[at] == ' ' || closes(s, at)))
            at++;
        n = at < s.len ? operator_at(s, at) : 0;
        if (!n || !number_follows(s, at + n))
            return closes(s, end) && end + 1 == at ? at : end;
        at = end = number_end(s, skip_blanks(s, at + n));
    }
}

/* Does the result that begins at `i` go on as an equation, "= 2x" or "= 3 + 4y", or as a list of
 * coordinates, "= (1, 2)"? */
static bool is_no_result(rdv_str s, size_t i, size_t number)
{
    size_t end = number_end(s, number), clause = number;
    bool bracket = rdv_find_char(rdv_slice(s, i, number), '(', 0) != RDV_NOT_FOUND;
    if (bracket && (rdv_find_char(rdv_slice(s, number, end), ',', 0) != RDV_NOT_FOUND ||
                    (end < s.len && s.p[end] == ',')))
        return true;
    size_t slash = end + (end < s.len && s.p[end] == ' ');
    if (rdv_skip_letters(s, slash + 1) == slash + 2 && s.p[slash] == '/' &&
        strchr("hsmgLld", s.p[slash + 1])) /* 61 /h */
        return false;
    bool one = rdv_skip_letters(s, end) == end + 1; /* a letter touches the number */
    if (one && (strchr("mshgJNWVAKCL", s.p[end]) || !are_factors(s, end, end + 1)))
        number = end + 1; /* it is a unit */
    for (clause = number; clause < s.len && clause - number < WINDOW; clause++) {
        if (ends_clause(s, clause) || (starts_at(s, clause, " (") && is_letter(s, clause + 2)) ||
            rdv_skip_letters(s, clause) > clause + 2)
            break;
        if (s.p[clause] == '\\' && is_letter(s, clause + 1))
            clause = rdv_skip_letters(s, clause + 1) - 1;
    }
    return look_between(s, number, clause).unknown;
}

/* ---- reasons --------------------------------------------------------------------------------- */

/* A comma that divides no thousands, 4,50 and 0,125, and has no point behind it, as 1,051.8 has. */
static rdv_str decimal_comma_in(rdv_str s, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (!begins_number(s, i))
            continue;
        rdv_str number = rdv_slice(s, i, number_end(s, i));
        size_t comma = rdv_find_char(number, ',', 0);
        if (comma != RDV_NOT_FOUND && (number.len - comma != 4 || number.p[0] == '0') &&
            rdv_find_char(number, ',', comma + 1) == RDV_NOT_FOUND &&
            rdv_find_char(number, '.', comma + 1) == RDV_NOT_FOUND)
            return number;
        i += number.len - 1;
    }
    return (rdv_str){0};
}

static rdv_str unit_in(rdv_str s, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (!begins_number(s, i))
            continue;
        i = number_end(s, i);
        rdv_str word = word_behind(s, i--);
        bool letter = word.len && (is_letter(word, 0) || (unsigned char)word.p[0] >= 0x80 ||
                                   (word.p[0] == '/' && is_letter(word, 1)));
        if (letter && is_compound(word))
            return word;
    }
    return (rdv_str){0};
}

/* The first letter that stands alone, or the first word of two letters or more. */
static rdv_str letters_in(rdv_str s, size_t begin, size_t end, bool words)
{
    for (size_t i = begin, n; i < end; i += n) {
        for (n = 0; is_letter(s, i + n); n++)
            ;
        bool is = words ? n > 1 : n == 1 && s.p[i] != 'x';
        if (is && i + n <= end)
            return rdv_slice(s, i, i + n);
        n += n == 0;
    }
    return (rdv_str){0};
}

static void give_reason(unread_calculation *u, rdv_str s, equality_kind sign)
{
    u->by = decimal_comma_in(s, u->begin, u->end);
    u->reason = RDV_UNREAD_DECIMAL_COMMA;
    if (u->by.p)
        return;
    u->reason = sign == SIGN_ARROW ? RDV_UNREAD_ARROW : RDV_UNREAD_APPROXIMATE;
    if (sign == SIGN_ARROW || sign == SIGN_APPROXIMATE)
        return;
    u->by = unit_in(s, u->begin, u->end);
    u->reason = RDV_UNREAD_UNIT;
    if (u->by.p)
        return;
    u->reason = RDV_UNREAD_MARKUP;
    if (rdv_find_char(rdv_slice(s, u->begin, u->end), '\\', 0) != RDV_NOT_FOUND)
        return;
    u->by = letters_in(s, u->begin, u->end, false);
    u->reason = RDV_UNREAD_LETTERS;
    if (u->by.p)
        return;
    u->reason = letters_in(s, u->begin, u->end, true).p ? RDV_UNREAD_WORDS : RDV_UNREAD_OTHER;
}

/* ---- the step -------------------------------------------------------------------------------- */

static bool is_read(calc_list *calcs, size_t *next, size_t at)
{
    while (*next < calcs->n && calc_list_see(calcs, *next)->end <= at)
        ++*next;
    return *next < calcs->n && calc_list_see(calcs, *next)->begin <= at;
}

/* Does a unit, or a word that counts, stand behind the number at `i`? */
static bool has_unit(rdv_str s, size_t i)
{
    rdv_str word = word_behind(s, number_end(s, i));
    return word.len && (is_letter(word, 0) || word.p[0] == '\\' || (word.p[0] & 0x80));
}

/* "45 + 110 = 155 min = 2.35 h": where the last side begins of the calculation that was read up to
 * the sign at `i`, if that side goes on in another unit, as the number at `number`; `i`: it does
 * not. Without units it is the same number in another form, "= 0.68 = 68%". */
static size_t side_before(rdv_str s, size_t i, size_t number, calc_list *calcs, size_t next)
{
    if (next == 0)
        return i;
    size_t end = calc_list_see(calcs, next - 1)->end, begin = clause_begin(s, end);
    while (end < i && strchr(" $})", s.p[end]))
        end++;
    while (begin < i && !begins_number(s, begin))
        begin++;
    return end == i && begin < i && has_unit(s, begin) && has_unit(s, number) ? begin : i;
}

/* The text around the sign, which was not read. False: it is no calculation. */
static bool look_at(rdv_str step, const equality *sign, calc_list *calcs, size_t *next,
                    unread_calculation *out)
{
    size_t i = sign->begin, near = nearly_at(step, sign->end), right = sign->end + near;
    if (!number_follows(step, right))
        return false;
    size_t number = skip_blanks(step, right);
    if (sign->is == SIGN_WORD && !near && !sign->plain && is_read(calcs, next, number))
        return false; /* "20% of 50, which is 0.2 * 50 = 10": it is said in another way */
    size_t begin = operation_before(step, i, sign->is);
    if (begin == i && (sign->is == SIGN_EQUALS || sign->is == SIGN_APPROXIMATE))
        begin = side_before(step, i, number, calcs, *next);
    if (begin == i || is_no_result(step, right, number))
        return false;
    *out = (unread_calculation){.begin = begin, .end = result_end(step, number)};
    braces_close(step, &out->begin, &out->end);
    give_reason(out, step, near ? SIGN_APPROXIMATE : sign->is);
    return true;
}

int unread_calculations(rdv_str step, calc_list *calcs, rdv_arena *arena, unread_calculation **out,
                        size_t *n_out)
{
    unread_calculation *list = NULL, one;
    size_t n_list = 0, cap = 0, next = 0, end = step.len;
    while (end > 0 && !rdv_is_digit(step.p[end - 1]))
        end--;
    /* Numbers stand on both sides of the sign. */
    rdv_str between = rdv_slice(step, 0, end);
    equality sign;
    for (size_t i = rdv_find_digit(step, 0) + 1; next_equality(between, &i, &sign); i++) {
        if (is_read(calcs, &next, sign.begin)) {
            i = calc_list_see(calcs, next)->end - 1;
            continue;
        }
        if (!look_at(step, &sign, calcs, &next, &one))
            continue;
        if (!RDV_PUSH_ROOM(arena, list, n_list, cap))
            return RDV_E_NOMEM;
        list[n_list++] = one;
    }
    *out = list;
    *n_out = n_list;
    return RDV_OK;
}

rdv_str unread_calculations_say(const unread_calculation *unread, size_t n, rdv_str step,
                                rdv_arena *arena)
{
    const char *reason = coverage_reason_words(unread->reason, false);
    rdv_str text = rdv_str_head(rdv_slice(step, unread->begin, unread->end), TEXT_SHOWN);
    rdv_str line = {0};
    if (unread->reason == RDV_UNREAD_OTHER)
        line = rdv_str_printf(arena, "not read: %.*s", RDV_FMT(text));
    else if (unread->reason == RDV_UNREAD_UNIT)
        line =
            rdv_str_printf(arena, "not read (unit %.*s): %.*s", RDV_FMT(unread->by), RDV_FMT(text));
    else
        line = rdv_str_printf(arena, "not read (%s): %.*s", reason, RDV_FMT(text));
    return line.p && n > 1 ? rdv_str_printf(arena, "%.*s; and %zu more", RDV_FMT(line), n - 1)
                           : line;
}

static bool note_one(const unread_calculation *u, rdv_str step, rdv_arena *arena,
                     rdv_evidence *list)
{
    rdv_evidence *map = rdv_evidence_map(arena, list, (rdv_str){0});
    rdv_str reason = rdv_str_of(coverage_reason_name(u->reason));
    return map &&
           rdv_evidence_text(arena, map, RDV_STR("text"), rdv_slice(step, u->begin, u->end)) &&
           rdv_evidence_text(arena, map, RDV_STR("reason"), reason) &&
           rdv_evidence_number(arena, map, RDV_STR("start"), (double)u->begin) &&
           rdv_evidence_number(arena, map, RDV_STR("end"), (double)u->end);
}

bool unread_calculations_note(const unread_calculation *unread, size_t n, rdv_str step,
                              rdv_arena *arena, rdv_evidence *map)
{
    rdv_evidence *list = n ? rdv_evidence_list(arena, map, RDV_STR("not_read")) : map;
    bool ok = list != NULL;
    for (size_t i = 0; i < n && ok; i++)
        ok = note_one(&unread[i], step, arena, list);
    return ok;
}

void unread_calculations_count(calc_list *calcs, const unread_calculation *unread, size_t n,
                               rdv_coverage *coverage)
{
    for (size_t i = 0; i < calcs->n; i++)
        if (calc_list_see(calcs, i)->kind == RDV_CALC_UNDECIDED)
            coverage->undecided++;
        else
            coverage->checked++;
    for (size_t i = 0; i < n; i++)
        coverage->unread[unread[i].reason]++;
}
