/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/lone_number.h"

#include "answer/announcement.h"
#include "answer/number.h"
#include "answer/number_words.h"
#include "answer/span.h"
#include "base/str.h"
#include "base/utf8.h"
#include "language/phrase.h"
#include "language/rule.h"
#include "language/word_class.h"
#include "notation/units.h"

#define IS_ONE_OF(word, list) rdv_is_one_of(word, list, sizeof(list) / sizeof *(list))

/* After the number, at any distance. */
static const char *const additions[] = {"half", "halves", "or", "quarter"};
/* Before "of" and the number, with the words of language/word_class.h. */
static phrase_list parts = {"@function-in-words"};
/* Of several numbers, before "of": "the sum of 5 and 12". */
static phrase_list of_several = {"@of-several"};
/* Letters that are units and factors as well as names: "3 M". */
static const char *const letters[] = {"C", "K", "M"};
/* Numbers with such a word are read as mathematics: "5 million". */
static const char *const scales[] = {"percent", "times"};
/* What may stand at a number without a blank, but units. */
static const char *const endings[] = {"st", "nd", "rd", "th"};

/* How many bytes of a character that changes no number begin at byte `i`; 0: another one. */
static size_t plain_len(rdv_str s, size_t i)
{
    static const char *const beyond[] = {
        "\xc2\xa3",     "\xc2\xa5",     "\xc2\xa0",     "\xe2\x82\xac", "\xe2\x80\xaf",
        "\xe2\x80\x89", "\xe2\x80\x98", "\xe2\x80\x99", "\xe2\x80\x9c", "\xe2\x80\x9d"};
    char c = s.p[i];
    bool letter = i > 0 && rdv_is_alpha(s.p[i - 1]);
    if (rdv_is_alpha(c) || RDV_IS_IN(c, " \t\r\n$,.;:?#\"'"))
        return 1;
    if (c == '!')
        return letter;
    if (c == '-')
        return i > 0 && rdv_is_alnum(s.p[i - 1]) && rdv_is_alpha(rdv_char_at(s, i + 1));
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++)
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(beyond[k])))
            return strlen(beyond[k]);
    return 0;
}

/* Is all from `begin` to `end` such characters? */
static bool is_plain(rdv_str s, size_t begin, size_t end)
{
    for (size_t i = begin, len; i < end; i += len)
        if (!(len = plain_len(s, i)))
            return false;
    return true;
}

/* The next word from byte *i on; *gap: are there only blanks, hyphens and points before it? Empty
 * at the end. */
static rdv_str next_word(rdv_str s, size_t *i, bool *gap)
{
    for (*gap = true; *i < s.len && !rdv_is_alpha(s.p[*i]); (*i)++)
        *gap = *gap && (rdv_is_space(s.p[*i]) || s.p[*i] == '-' || s.p[*i] == '.');
    size_t begin = *i;
    while (*i < s.len && rdv_is_alpha(s.p[*i]))
        (*i)++;
    return rdv_slice(s, begin, *i);
}

/* A letter by itself is a name, but in "a total" and "I have". */
static bool is_article(rdv_str s, size_t begin)
{
    while (++begin < s.len && rdv_is_space(s.p[begin])) {
    }
    return rdv_is_alpha(rdv_char_at(s, begin));
}

static lone before_number(rdv_str s)
{
    rdv_str last = {0}, behind = {0}, further = {0};
    bool gap;
    size_t i = 0;
    for (rdv_str word; (word = next_word(s, &i, &gap)).len; last = word) {
        if (answer_class_has(CLASS_DENYING, word) || answer_class_has(CLASS_NEARLY, word))
            return LONE_CHANGED;
        if (word.len == 1 && (!strchr("aAI", word.p[0]) || !is_article(s, i - 1)))
            return LONE_NO;
        further = behind;
        behind = last;
    }
    for (size_t k = last.p ? (size_t)(last.p - s.p) + last.len : s.len; k < s.len; k++)
        if (!rdv_is_space(s.p[k]))
            return LONE_NUMBER; /* "The sum: 3" */
    unsigned is = word_class(last);
    if (is & WORD_FUNCTION)
        return LONE_NO;
    bool spanish = rdv_str_ieq(last, RDV_STR("es")) || rdv_str_ieq(last, RDV_STR("son"));
    if (spanish && rdv_str_ieq(behind, RDV_STR("no"))) /* "no es 3" */
        return LONE_CHANGED;
    if ((is & (WORD_BINDS_AFTER | WORD_PART)) || answer_class_has(CLASS_BOUND, last))
        return LONE_CHANGED;
    bool of = rdv_str_ieq(last, RDV_STR("of")), the = rdv_str_ieq(last, RDV_STR("the"));
    if (the && rdv_str_ieq(behind, RDV_STR("of"))) /* "half of the 3" */
        behind = further;
    bool part = (word_class(behind) & (WORD_BINDS_AFTER | WORD_PART | WORD_FUNCTION)) ||
                phrase_is(behind, &parts);
    return (of || the) && part ? LONE_CHANGED : LONE_NUMBER;
}

static bool is_unit(rdv_str word)
{
    unit_meaning m;
    return unit_find_in_prose(word, &m);
}

/* "3 fifths", "3 quarters"; not "16 quarters", which are things. */
static bool makes_fraction(rdv_str number, rdv_str word)
{
    bool below_four = number.len == 1 && number.p[0] < '4';
    return answer_class_has(CLASS_FRACTIONS, word) &&
           (below_four || !rdv_str_ieq(word, RDV_STR("quarters")));
}

/* The word right after the number; `i` is its end. */
static lone first_after(rdv_str number, rdv_str s, rdv_str word, size_t i)
{
    bool glued = word.p == s.p, gap;
    unsigned is = word_class(word);
    bool per_cent =
        rdv_str_ieq(word, RDV_STR("per")) && rdv_istarts(rdv_slice(s, i, s.len), RDV_STR(" cent"));
    size_t scaled;
    if (IS_ONE_OF(word, scales) || per_cent ||
        (!glued && announcement_row_at(s, i - word.len, 1u << EFFECT_SCALE, &scaled)) ||
        rdv_str_ieq(word, RDV_STR("pi")))
        return LONE_NO;
    if (is_unit(word) || (glued && IS_ONE_OF(word, endings)))
        return LONE_NUMBER;
    if (rdv_named(word, letters, 3) >= 0)
        return LONE_CHANGED;
    if (glued || word.len == 1)
        return LONE_NO;
    if ((is & WORD_BINDS_BEFORE) || makes_fraction(number, word))
        return LONE_CHANGED;
    bool of = rdv_str_ieq(next_word(s, &i, &gap), RDV_STR("of"));
    return of && (is & WORD_PART) ? LONE_CHANGED : LONE_NUMBER;
}

static lone after_number(rdv_str number, rdv_str s)
{
    size_t i = 0;
    bool gap, first = true;
    for (rdv_str word; (word = next_word(s, &i, &gap)).len; first = false) {
        lone is = first && gap ? first_after(number, s, word, i) : LONE_NUMBER;
        if (is != LONE_NUMBER)
            return is;
        if (answer_class_has(CLASS_DENYING, word) || IS_ONE_OF(word, additions))
            return LONE_CHANGED;
        if (word.len == 1 && !is_unit(word) && !is_article(s, i - 1))
            return LONE_NO;
    }
    return LONE_NUMBER;
}

lone lone_number(rdv_str answer, rdv_str *number)
{
    size_t from = 0;
    rdv_str second;
    if (!answer_next_number(answer, &from, number) || answer_next_number(answer, &from, &second))
        return LONE_NO;
    size_t begin = (size_t)(number->p - answer.p);
    rdv_str rest = rdv_slice(answer, begin + number->len, answer.len);
    if (rdv_starts(rest, RDV_STR("...")) || rdv_starts(rest, RDV_STR("\xe2\x80\xa6")))
        return LONE_NO; /* a decimal that goes on */
    rdv_str before = rdv_slice(answer, 0, begin);
    rdv_str after = rdv_slice(answer, begin + number->len, answer.len);
    for (size_t i = 0; i < answer.len; i++)
        if (rdv_is_digit(answer.p[i]) && (i < begin || i >= begin + number->len))
            return LONE_NO;
    if (!is_plain(answer, 0, begin) || !is_plain(answer, begin + number->len, answer.len))
        return LONE_NO;
    lone is = before_number(before), behind = after_number(*number, after);
    return is == LONE_CHANGED || behind == LONE_NUMBER ? is : behind;
}

/* ---- the words beside a number of a sentence ---------------------------------------------------
 */

/* How far the words that deny a number may begin before it. */
#define CLAUSE_MAX 80

/* Between "or" and a number. */
static phrase_list hedges = {"@doubting;even;probably"};

/* The word that ends before byte *end, over blanks and marks, which is moved before it; *comma:
 * does a comma stand after it? */
static rdv_str word_behind(rdv_str s, size_t *end, bool *comma)
{
    size_t i = *end;
    *comma = false;
    while (i > 0 && RDV_IS_IN(s.p[i - 1], " $\\(*_\"'`,{")) {
        *comma = *comma || s.p[i - 1] == ',';
        i--;
    }
    size_t stop = i;
    for (size_t len; i > 0; i -= len) {
        len = i > 1 && s.p[i - 2] == '\xc3' ? 2 : rdv_is_alpha(s.p[i - 1]); /* an umlaut */
        if (!len)
            break;
    }
    *end = i;
    return rdv_slice(s, i, stop);
}

/* The part of a sentence before byte `begin` that belongs to what stands there: after another
 * number, a comma or '='. */
static rdv_str clause_before(rdv_str s, size_t begin)
{
    size_t from = begin;
    while (from > 0 && begin - from < CLAUSE_MAX && !rdv_is_digit(s.p[from - 1]) && s.p[from - 1] &&
           !RDV_IS_IN(s.p[from - 1], ",;:=?!"))
        from--;
    return rdv_slice(s, from, begin);
}

/* "half of", "the square of", "sum of" before a number; not "an average of 6". */
static bool is_part(rdv_str of, rdv_str behind, rdv_str further)
{
    bool one = rdv_str_ieq(further, RDV_STR("a")) || rdv_str_ieq(further, RDV_STR("an"));
    return rdv_str_ieq(of, RDV_STR("of")) && !(one && phrase_is(behind, &of_several)) &&
           ((word_class(behind) & (WORD_PART | WORD_FUNCTION)) || phrase_is(behind, &parts));
}

/* "sum of 5" of "the sum of 5 and 12", from its beginning on. */
static bool gathers(rdv_str s)
{
    size_t i = 0;
    bool gap;
    rdv_str word = next_word(s, &i, &gap);
    return word.p == s.p && phrase_is(word, &of_several) &&
           rdv_istarts(rdv_slice(s, i, s.len), RDV_STR(" of "));
}

/* "4 or 5", "between 4 and 5", "the sum of 4 and 5", "4 to 5", "up to 5", but not ", or 5" nor
 * "adds up to 5". */
static bool is_joined(rdv_str s, rdv_str word, size_t at, bool comma)
{
    bool after_comma, or = rdv_str_ieq(word, RDV_STR("or")) || rdv_str_ieq(word, RDV_STR("oder")),
                      and = rdv_str_ieq(word, RDV_STR("and"));
    bool to = rdv_str_ieq(word, RDV_STR("to"));
    if (comma || !(or || and || to))
        return false;
    rdv_str before = rdv_slice(s, 0, at);
    bool number = false, between = false;
    size_t i = at;
    rdv_str behind = word_behind(s, &i, &after_comma), further = word_behind(s, &i, &number);
    if (to && rdv_str_ieq(behind, RDV_STR("up")))
        return !rdv_istarts(further, RDV_STR("add")) && !rdv_istarts(further, RDV_STR("sum"));
    number = false;
    for (i = before.len; i > 0 && before.len - i < CLAUSE_MAX; i--) {
        number = number || rdv_is_digit(before.p[i - 1]);
        rdv_str from = rdv_slice(before, i - 1, before.len);
        between = between || rdv_istarts(from, RDV_STR("between ")) || gathers(from);
    }
    bool direct = behind.len == 0 && number;
    return or ? number && !after_comma : to ? direct : number && between;
}

bool number_is_denied(rdv_str s, size_t begin)
{
    rdv_str clause = clause_before(s, begin);
    return answer_is_not(clause, clause.len);
}

/* "x < 5", "x \\leq 5", U+2260: a sign between something and the number says that it is a bound or
 * not the number; but "-> 5" and "=> 5" are arrows, and "<<2+3=5>>5" is a calculation's mark. */
static bool is_bound(rdv_str s, size_t begin)
{
    static const char *const signs[] = {
        "<",    ">",    "<=",    ">=",    "!=",    "\\lt",         "\\gt",         "\\le",
        "\\ge", "\\ne", "\\leq", "\\geq", "\\neq", "\xe2\x89\xa4", "\xe2\x89\xa5", "\xe2\x89\xa0"};
    while (begin > 0 && RDV_IS_IN(s.p[begin - 1], " $({"))
        begin--;
    rdv_str before = rdv_slice(s, 0, begin);
    char end = rdv_char_at(before, begin - 1);
    bool equals = end == '=' && RDV_IS_IN(rdv_char_at(before, begin - 2), "<>!");
    bool may = equals || end == '<' || end == '>' || rdv_is_alpha(end) || (end & 0x80);
    for (size_t k = 0; may && k < sizeof signs / sizeof *signs; k++) {
        rdv_str sign = rdv_str_of(signs[k]);
        if (!rdv_ends(before, sign))
            continue;
        char left = rdv_char_at(before, before.len - sign.len - 1);
        bool quote = *signs[k] == '>'; /* at the beginning of a text it may be one */
        return left != '-' && left != '=' && left != *signs[k] &&
               (!quote || rdv_trim(rdv_slice(before, 0, before.len - sign.len)).len > 0);
    }
    return false;
}

/* "4-5", "4 - 5": a hyphen, or a dash U+2013, between two numbers makes a range of them. */
static bool ends_range(rdv_str s, size_t begin)
{
    rdv_str before = rdv_trim_end(rdv_slice(s, 0, begin));
    size_t dash = rdv_ends(before, RDV_STR("-")) ? 1 : 0;
    dash = rdv_ends(before, RDV_STR("\xe2\x80\x93")) ? 3 : dash;
    rdv_str first = rdv_trim_end(rdv_slice(before, 0, before.len - dash));
    char last = rdv_char_at(first, first.len - 1);
    return dash && (rdv_is_digit(last) || last == ')' || last == '%');
}

/* Does a letter that is no part of a word end at byte `end`? */
static bool ends_letter(rdv_str s, size_t end)
{
    return end > 0 && rdv_is_alpha(s.p[end - 1]) && (end == 1 || !rdv_is_alnum(s.p[end - 2]));
}

bool number_is_operand(rdv_str s, size_t begin)
{
    /* A word may stand before the first ones. */
    static phrase_list behind_words = {
        "@operator;power of;+;\u00d7;\\times;\u00b7;\\cdot;\u00f7;\\div"};
    static phrase_list operators = {"@operator-of-numbers;x;choose;modulo;***;/"};
    char glued = begin > 0 ? s.p[begin - 1] : '\0';
    if (glued == ':' && begin > 1 && rdv_is_digit(s.p[begin - 2]))
        return true;
    if (rdv_char_at(s, begin) == '+' || rdv_char_at(s, begin) == '-') /* its own sign: "50%+4" */
        return RDV_IS_IN(glued, ")}%");
    while (begin > 0 && RDV_IS_IN(s.p[begin - 1], " $({"))
        begin--;
    rdv_str before = rdv_slice(s, 0, begin);
    if (rdv_char_at(s, begin - 1) == '=') /* as most results */
        return false;
    size_t sign = phrase_before(before, &behind_words);
    bool after_word = sign < begin;
    sign = after_word ? sign : phrase_before(before, &operators);
    if (sign < begin) {
        rdv_str left = rdv_trim_end(rdv_slice(before, 0, sign));
        char last = rdv_char_at(left, left.len - 1);
        bool word = rdv_is_alpha(before.p[sign]);
        return rdv_is_digit(last) || RDV_IS_IN(last, ")}%$") ||
               (after_word && (rdv_is_alpha(last) || (last == ',' && word)));
    }
    return begin > 0 && s.p[begin - 1] == '-' && ends_letter(s, begin - 1);
}

/* "f(4)", "C(5, 4)": an argument of a function that is called by a letter. */
static bool is_argument(rdv_str s, size_t begin)
{
    while (begin > 0 && RDV_IS_IN(s.p[begin - 1], "0123456789 ,;.-"))
        begin--;
    return begin > 0 && s.p[begin - 1] == '(' && ends_letter(s, begin - 1);
}

/* "is - 5", "equal to - 5": a hyphen between a verb and the number may be a minus or a dash. */
static bool follows_verb_and_hyphen(rdv_str s, size_t begin)
{
    static phrase_list verbs = {"@being;be;@leads-to;equals;to;of"};
    rdv_str before = rdv_trim_end(rdv_slice(s, 0, begin));
    bool colon = rdv_ends(before, RDV_STR(": -"));
    if (before.len == begin || !rdv_ends(before, RDV_STR(" -")))
        return false;
    bool comma;
    size_t i = before.len - 2;
    return colon || phrase_is(word_behind(s, &i, &comma), &verbs);
}

/* "5 10^3": only blanks are between a number and the one before it. */
static bool follows_number(rdv_str s, size_t begin)
{
    size_t end = begin;
    while (end > 0 && s.p[end - 1] == ' ')
        end--;
    return end < begin && end > 0 && rdv_is_digit(s.p[end - 1]);
}

static bool changes_before(rdv_str s, size_t begin)
{
    bool comma, any;
    size_t i = begin;
    rdv_str word = word_behind(s, &i, &comma);
    if (number_is_denied(s, begin) || is_bound(s, begin) || ends_range(s, begin) ||
        number_is_operand(s, begin) || is_argument(s, begin) || follows_number(s, begin) ||
        follows_verb_and_hyphen(s, begin))
        return true;
    if (word.len == 0 || comma)
        return false;
    if (phrase_is(word, &hedges)) /* "5 or possibly 6" */
        word = word_behind(s, &i, &comma);
    size_t at = i;
    rdv_str behind = word_behind(s, &i, &any), further = word_behind(s, &i, &any);
    bool the = rdv_str_ieq(word, RDV_STR("the"));
    rdv_str beyond = word_behind(s, &i, &any);
    bool part =
        is_part(behind, further, beyond) || (word_class(behind) & (WORD_BINDS_AFTER | WORD_PART));
    return answer_class_has(CLASS_LIMIT, word) || is_joined(s, word, at, comma) ||
           is_part(word, behind, further) || (the && part);
}

size_t number_scale_end(rdv_str s, size_t end)
{
    for (size_t i = end, next; end < s.len; end = i) {
        i = rdv_skip_any(s, end, " -");
        bool percent = rdv_istarts(rdv_slice(s, i, s.len), RDV_STR("percent")) &&
                       !rdv_is_alpha(rdv_char_at(s, i + 7));
        const rule *row = i > end || (unsigned char)rdv_char_at(s, i) >= 0x80
                              ? announcement_row_at(s, i, 1u << EFFECT_SCALE, &next)
                              : NULL;
        if (!(percent && i > end) && !(row && !announcement_counts(row)))
            return end;
        i = percent ? i + 7 : next;
    }
    return end;
}

/* Does an exponent or a subscript with a number stand at byte `i`: "2", "{-3}", "(2)"? */
static bool is_of_number(rdv_str s, size_t i)
{
    i += rdv_char_at(s, i) == '{' || rdv_char_at(s, i) == '(';
    i += rdv_char_at(s, i) == '-' || rdv_char_at(s, i) == '+';
    i += rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x88\x92")) ? 3 : 0;
    return rdv_is_digit(rdv_char_at(s, i));
}

/* "$5!$": in a formula it is a factorial. */
static bool is_factorial(rdv_str s, size_t end)
{
    char next = rdv_char_at(s, end + 1), after = rdv_char_at(s, end + 2);
    return rdv_char_at(s, end) == '!' &&
           (next == '$' || next == '}' || (next == '\\' && (after == ')' || after == ']')));
}

/* "5^2", "10^{-3}", "5_8", "5x", "5k", "$5!$", "5+", but not "5^\\circ", "5th", "5m", and "5x
 * faster". */
static bool has_glued(rdv_str s, size_t end)
{
    char c = rdv_char_at(s, end), next = rdv_char_at(s, end + 1);
    if (c == '^' || c == '_')
        return is_of_number(s, end + 1) ||
               rdv_starts(rdv_slice(s, end + 1, s.len), RDV_STR("{\\text{")) ||
               (rdv_is_alpha(next) && !rdv_is_alpha(rdv_char_at(s, end + 2)));
    size_t len;
    bool or_more = c == '+' && (!next || strchr(" .,;)$*\n", next)) &&
                   !rdv_is_digit(rdv_char_at(s, rdv_skip_any(s, end + 1, " $\\(")));
    if (or_more || is_factorial(s, end) || rdv_superscript_at(s, end, &len))
        return true;
    bool word = rdv_is_alnum(next) || (next == ' ' && rdv_is_alpha(rdv_char_at(s, end + 2)));
    return rdv_is_alpha(c) && !word && !strchr("cpCFA", c) && !is_unit(rdv_slice(s, end, end + 1));
}

/* "sqrt(5)", "log 5", U+221A before 5. */
static bool has_function(rdv_str s, size_t begin)
{
    static const char *const names[] = {"sqrt", "log", "ln", "sin", "cos", "tan", "exp", "cbrt"};
    bool comma;
    size_t i = begin;
    rdv_str word = word_behind(s, &i, &comma);
    return rdv_ends(rdv_slice(s, 0, begin), RDV_STR("\xe2\x88\x9a")) ||
           (!comma && ((word_class(word) & WORD_FUNCTION) || IS_ONE_OF(word, names)));
}

static rdv_str after_blanks(rdv_str s, size_t i)
{
    while (rdv_char_at(s, i) == ' ')
        i++;
    return rdv_slice(s, i, s.len);
}

/* "x" alone, but not "a", "I", nor "h" of "$5/h". */
static bool is_letter_alone(rdv_str rest, bool per)
{
    char c = rdv_char_at(rest, 0);
    return rdv_is_alpha(c) && !rdv_is_alnum(rdv_char_at(rest, 1)) && !strchr("aAI", c) &&
           !(per && is_unit(rdv_str_head(rest, 1)));
}

/* "5\\pi", "5 pi", "5/x", "5 + x": pi as a factor, or a sign and then a letter alone. */
static bool goes_on(rdv_str s, size_t end)
{
    static const char *const signs[] = {"+", "-", "/", "*", "\\cdot", "\\times", "\xc3\x97"};
    rdv_str rest = after_blanks(s, end);
    if (rdv_starts(rest, RDV_STR("\\pi")) || rdv_starts(rest, RDV_STR("\xcf\x80")) ||
        (rdv_starts(rest, RDV_STR("pi")) && !rdv_is_alnum(rdv_char_at(rest, 2))))
        return true;
    bool may = rest.len && !rdv_is_alnum(rest.p[0]);
    for (size_t i = 0; may && i < sizeof signs / sizeof *signs; i++)
        if (rdv_starts(rest, rdv_str_of(signs[i])))
            return is_letter_alone(after_blanks(rest, strlen(signs[i])), *signs[i] == '/');
    return false;
}

/* Does a value begin there, perhaps with an article: "the square root", "x", "pi", "ten"? */
static bool begins_value(rdv_str s)
{
    static const unsigned values = WORD_BINDS_AFTER | WORD_PART | WORD_FUNCTION | WORD_SYMBOL |
                                   WORD_NUMBER | WORD_FRACTION | WORD_MULTIPLE;
    size_t i = rdv_skip_any(s, 0, " $\\(");
    bool gap;
    rdv_str rest = rdv_slice(s, i, s.len), word = next_word(s, &i, &gap);
    static const char *const articles[] = {"the", "a", "an"};
    if (IS_ONE_OF(word, articles))
        word = next_word(s, &i, &gap);
    return is_letter_alone(rest, false) || rdv_str_ieq(word, RDV_STR("pi")) ||
           (word.len > 1 && (word_find(word) & values));
}

/* "5 times x", "5 squared", "5 more than a dozen": words that make another number of it. "5 times",
 * "5 more than Bob" and "It is 5 times the width" are 5, "5 times the width" alone is not. */
bool number_is_calculated_with(rdv_str s, size_t begin, size_t end)
{
    static const char *const relations[] = {"more", "less", "fewer"};
    static const char *const alone[] = {"squared", "cubed", "factorial"};
    size_t i = end;
    bool gap, blank;
    rdv_str word = next_word(s, &i, &gap), rest = rdv_slice(s, i, s.len);
    if (!gap || word.len < 2 || word.p == s.p + end)
        return false;
    if (IS_ONE_OF(word, alone))
        return true;
    if (rdv_istarts(after_blanks(s, end), RDV_STR("to the ")))
        return rdv_ifind(rest, RDV_STR(" power"), 0) != RDV_NOT_FOUND;
    if (IS_ONE_OF(word, relations))
        return rdv_str_ieq(next_word(s, &i, &blank), RDV_STR("than")) && blank &&
               begins_value(rdv_slice(s, i, s.len));
    size_t behind = i;
    rdv_str second = next_word(s, &behind, &blank);
    bool binds = word_class(word) & WORD_BINDS_BEFORE;
    bool second_binds = blank && (word_class(second) & WORD_BINDS_BEFORE);
    bool of_unit = (binds || second_binds) && word.len > 2 && is_unit(word);
    if (!(of_unit ? second_binds : binds))
        return false;
    if (of_unit) { /* "3 dollars times the number of guests" */
        word = second;
        i = behind;
    }
    rest = rdv_slice(s, i, s.len);
    bool times = rdv_str_ieq(word, RDV_STR("times"));
    if (rdv_istarts(rest, RDV_STR(" by")))
        rest = rdv_slice(rest, 3, rest.len);
    rdv_str before = rdv_trim_end(rdv_slice(s, 0, begin)), next = next_word(s, &i, &blank);
    return begins_value(rest) ||
           (times && (!before.len || of_unit) && rdv_str_ieq(next, RDV_STR("the"))) ||
           (rdv_ends(before, RDV_STR("=")) && next.len > 0);
}

bool number_is_part(rdv_str s, size_t begin, size_t end)
{
    return has_function(s, begin) || has_glued(s, end) || goes_on(s, end);
}

/* "0.(3)": the digits that repeat. */
static bool is_repetend(rdv_str s, size_t begin)
{
    return begin > 2 && s.p[begin - 1] == '(' && s.p[begin - 2] == '.' &&
           rdv_is_digit(s.p[begin - 3]);
}

bool number_adds_fraction(rdv_str s, size_t end)
{
    rdv_str join = RDV_STR(" and ");
    size_t from = end + join.len, stop = from;
    uint64_t part, of;
    for (int words = 0; words < 2 && rdv_istarts(rdv_slice(s, end, s.len), join); words++) {
        stop = rdv_skip_letters(s, stop + (words > 0));
        if (fraction_words_read(rdv_slice(s, from, stop), &part, &of) && part < of)
            return true;
    }
    return false;
}

number_changed number_change(rdv_str s, size_t begin, size_t end)
{
    if (changes_before(s, begin) || has_function(s, begin) || is_repetend(s, begin) ||
        announcement_parts(s, begin, end))
        return NUMBER_BEFORE;
    if (has_glued(s, end) || goes_on(s, end))
        return NUMBER_AFTER;
    if (number_scale_end(s, end) > end)
        return NUMBER_SCALED;
    bool more = number_adds_fraction(s, end) ||
                rdv_istarts(rdv_slice(s, end, s.len), RDV_STR(" or more")) ||
                rdv_istarts(rdv_slice(s, end, s.len), RDV_STR(" or less"));
    size_t i = end;
    bool gap;
    rdv_str word = next_word(s, &i, &gap);
    bool part =
        gap && word.len > 1 && word.p > s.p + end && makes_fraction(rdv_slice(s, begin, end), word);
    return more || part || number_is_calculated_with(s, begin, end) ? NUMBER_AFTER : NUMBER_PLAIN;
}
