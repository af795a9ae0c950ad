/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/result.h"

#include "answer/announcement.h"
#include "answer/formula.h"
#include "answer/lone_number.h"
#include "answer/number.h"
#include "answer/object.h"
#include "answer/solutions.h"
#include "answer/span.h"
#include "base/str.h"
#include "language/phrase.h"

/* How long an aside in brackets may be. */
#define ASIDE_MOST 200
/* So many numbers at the end of a text are looked at from the last one back. */
#define LAST_NUMBERS 16

/* "9th grade": the ordinal that ends at byte `end` names something, as "in 9th place" does not. */
static bool is_ordinal(rdv_str s, size_t end)
{
    static phrase_list nouns = {"@named-by-order"};
    size_t begin = end;
    while (begin - end < 5 && rdv_is_alpha(rdv_char_at(s, begin)))
        begin++;
    if (begin == end || rdv_char_at(s, begin) != ' ')
        return false;
    size_t stop = ++begin;
    while (stop - begin < 12 && rdv_is_alpha(rdv_char_at(s, stop)))
        stop++;
    return phrase_is(rdv_slice(s, begin, stop), &nouns);
}

/* The word before the number at byte `i`, over a blank. */
static rdv_str word_before(rdv_str s, size_t i)
{
    size_t end = i > 0 && s.p[i - 1] == ' ' ? i - 1 : 0, begin = end;
    while (begin > 0 && end - begin < 10 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    return rdv_slice(s, begin, end);
}

/* "grade 9", "page 9": the word before the number at byte `i` makes it a name. */
static bool is_numbered(rdv_str s, size_t i)
{
    static const char *const nouns[] = {"grade", "page", "chapter", "section"};
    return rdv_is_one_of(word_before(s, i), nouns, sizeof nouns / sizeof *nouns);
}

/* "Step 9", "Question 9": it numbers a part of the text or its task, and is no value of it. */
static bool is_of_text(rdv_str s, size_t i)
{
    static const char *const nouns[] = {"step", "question", "problem", "exercise"};
    return rdv_is_one_of(word_before(s, i), nouns, sizeof nouns / sizeof *nouns);
}

/* Where the last sentence or line with the byte `i` begins. */
static size_t sentence_begin(rdv_str s, size_t i)
{
    while (i > 0 && s.p[i - 1] != '\n' && !(RDV_IS_IN(s.p[i - 1], ".!?") && rdv_is_space(s.p[i])))
        i--;
    return i;
}

/* Two letters in a row. */
static bool has_word(rdv_str s)
{
    bool word = false;
    for (size_t i = 1; i < s.len && !word; i++)
        word = rdv_is_alpha(s.p[i - 1]) && rdv_is_alpha(s.p[i]);
    return word;
}

/* Where a look back for an aside's bracket ends. */
static bool bounds_aside(char c)
{
    return c == '(' || c == ')' || c == '\n' || c == '\0';
}

/* "15 students (60% of 25)", "15 left, out of 40": the number at byte `i` says more of the one that
 * stands before it in its sentence. */
static bool is_aside(rdv_str s, size_t i)
{
    size_t least = i > ASIDE_MOST ? i - ASIDE_MOST : 0, open = i;
    rdv_str before = rdv_trim_end(rdv_slice(s, 0, i));
    while (before.len && RDV_IS_IN(before.p[before.len - 1], "$\\({"))
        before = rdv_trim_end(rdv_slice(before, 0, before.len - 1));
    bool out_of = rdv_ends(before, RDV_STR(" out of"));
    while (!out_of && open > least && !bounds_aside(s.p[open - 1]))
        open--;
    if (out_of)
        open = before.len;
    else if (open < 2 || s.p[open - 1] != '(' || s.p[open - 2] != ' ' ||
             answer_is_other(s, open - 2))
        return false;
    size_t close = rdv_find_char(rdv_slice(s, 0, i + ASIDE_MOST), ')', i);
    bool words = out_of || (close != RDV_NOT_FOUND && has_word(rdv_slice(s, open, close)));
    return words && rdv_has_digit(rdv_slice(s, sentence_begin(s, open - 1), open - 1));
}

/* "[1]" behind words or a value: a citation. */
static bool is_citation(rdv_str s, size_t begin, size_t end)
{
    size_t open = begin;
    while (open > 0 && rdv_is_digit(s.p[open - 1]))
        open--;
    return end - open < 4 && open > 1 && s.p[open - 1] == '[' && rdv_char_at(s, end) == ']' &&
           strchr(" ].", s.p[open - 2]);
}

static bool is_name(rdv_str s, rdv_str number)
{
    size_t begin = (size_t)(number.p - s.p), end = begin + number.len;
    return is_ordinal(s, end) || is_numbered(s, begin) || is_aside(s, begin) ||
           is_citation(s, begin, end);
}

/* "5 is wrong", "5 is not the answer" */
static bool is_refuted(rdv_str s, size_t end)
{
    static const char *const words[] = {" is not ", " isn't ", " is wrong", " is incorrect"};
    while (end < s.len && RDV_IS_IN(s.p[end], "}$)\\*"))
        end++;
    rdv_str rest = rdv_slice(s, end, s.len);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (rdv_istarts(rest, rdv_str_of(words[k])))
            return true;
    return false;
}

/* What a number of a text is to its result. */
typedef enum bearing { NO_RESULT, A_NAME, A_VALUE } bearing;

static bearing bearing_of(rdv_str s, rdv_str number)
{
    size_t begin = (size_t)(number.p - s.p), end = begin + number.len;
    if (is_refuted(s, end) || announcement_refers(s, begin, end) || is_of_text(s, begin))
        return NO_RESULT;
    return is_name(s, number) ? A_NAME : A_VALUE;
}

/* The last value and the last name among the first `n` numbers of a text. */
static void last_of_first(rdv_str text, size_t n, rdv_str *value, rdv_str *name)
{
    rdv_str number;
    for (size_t from = 0; n > 0 && answer_next_number(text, &from, &number); n--) {
        bearing is = bearing_of(text, number);
        if (is != NO_RESULT)
            *(is == A_NAME ? name : value) = number;
    }
}

bool answer_last_value(rdv_str text, rdv_str *out)
{
    /* Bearings cost much more than finding the numbers: the last ones are asked first. */
    rdv_str last[LAST_NUMBERS], number, name = {0}, value = {0};
    size_t n = 0;
    for (size_t from = 0; answer_next_number(text, &from, &number); n++)
        last[n % LAST_NUMBERS] = number;
    size_t left = n;
    while (!value.p && left > 0 && n - left < LAST_NUMBERS) {
        number = last[--left % LAST_NUMBERS];
        bearing is = bearing_of(text, number);
        if (is == A_VALUE)
            value = number;
        else if (is == A_NAME && !name.p)
            name = number;
    }
    rdv_str first_name = {0};
    if (!value.p)
        last_of_first(text, left, &value, &first_name);
    if (!name.p)
        name = first_name;
    *out = value.p ? value : name;
    return out->p != NULL;
}

/* Is the number at byte `i` what an '=' before it gives? */
static bool is_computed(rdv_str s, size_t i)
{
    while (i > 0 && RDV_IS_IN(s.p[i - 1], " $\\\n"))
        i--;
    return i > 0 && s.p[i - 1] == '=';
}

/* The last number that an '=' gives, in `text`. */
static bool last_computed(rdv_str text, rdv_str *out)
{
    bool found = false;
    rdv_str number;
    for (size_t from = 0; answer_next_number(text, &from, &number);)
        if (is_computed(text, (size_t)(number.p - text.p))) {
            *out = number;
            found = true;
        }
    return found;
}

/* The next significant character of a number, or NUL at its end. */
static char next_digit(rdv_str number, size_t *i)
{
    while (*i < number.len) {
        char c = number.p[(*i)++];
        if (rdv_is_digit(c) || c == '.' || c == '/' || c == '-')
            return c;
    }
    return '\0';
}

/* Without zeros at its end that say nothing: "50.00". */
static rdv_str plain(rdv_str number)
{
    if (rdv_find_char(number, '.', 0) == RDV_NOT_FOUND)
        return number;
    while (rdv_ends(number, RDV_STR("0")))
        number.len--;
    number.len -= rdv_ends(number, RDV_STR("."));
    return number;
}

/* Are two numbers written with the same digits, whatever their currency and separators? */
static bool same_digits(rdv_str a, rdv_str b)
{
    size_t i = 0, k = 0;
    a = plain(a);
    b = plain(b);
    for (char c = 1; c;) {
        c = next_digit(a, &i);
        if (c != next_digit(b, &k))
            return false;
    }
    return true;
}

/* Does the text end with a formula that says what something is, and in which no number is a value,
 * "\\[ x = e^{4} \\]"? No number before it is the answer then. */
static bool ends_with_formula(rdv_str text, rdv_str *out)
{
    rdv_blocks blocks = {.text = text};
    rdv_str formula = {0}, next, number;
    for (size_t at = 0; answer_next_maths(&blocks, &at, &next);)
        formula = next;
    size_t end = formula.p ? (size_t)(formula.p - text.p) + formula.len : 0;
    size_t equals = rdv_find_last(formula, RDV_STR("="));
    *out = rdv_trim(rdv_slice(formula, equals + 1, formula.len));
    bool value = rdv_has_digit(*out) || rdv_find_char(*out, '\\', 0) != RDV_NOT_FOUND;
    size_t marks = rdv_skip_any(text, end, " \n$.\\)]");
    return formula.p && equals != RDV_NOT_FOUND && value && marks == text.len &&
           !answer_last_value(*out, &number);
}

/* *whole: it is an object that is no number, or a sentence. */
static bool last_result(const reply_span *reply, size_t i, rdv_str *out, bool *whole)
{
    rdv_str text = reply_span_step(reply, i), computed;
    *whole = ends_with_formula(text, out);
    if (*whole)
        return true;
    if (!answer_last_value(text, out))
        return false;
    *whole = object_with(text, *out, out) || solutions_with(text, *out, out);
    if (*whole)
        return true;
    size_t at = (size_t)(out->p - text.p), begin = sentence_begin(text, at);
    if (number_is_denied(text, at))
        return false;
    rdv_str sentence = rdv_slice(text, begin, text.len), number;
    rdv_str formula = formula_with(text, *out);
    size_t open = (size_t)(formula.p - text.p);
    bool part = number_is_part(text, at, at + out->len);
    if (formula.len > out->len && number_change(text, open, open + formula.len) != NUMBER_BEFORE) {
        *out = formula;
        return *whole = true;
    }
    if (part) {
        *out = answer_trim_marks(sentence);
        return true;
    }
    if (rdv_find_char(sentence, '=', 0) != RDV_NOT_FOUND)
        return true;
    bool found = last_computed(rdv_slice(text, 0, begin), &computed);
    while (!found && i-- > 0)
        found = last_computed(reply_span_step(reply, i), &computed);
    for (size_t from = 0; found && answer_next_number(sentence, &from, &number);)
        if (same_digits(number, computed)) {
            *out = number;
            break;
        }
    return true;
}

bool answer_last_result(const reply_span *reply, size_t i, rdv_str *out)
{
    rdv_str text = reply_span_step(reply, i);
    bool whole;
    if (!last_result(reply, i, out, &whole))
        return false;
    if (whole)
        return true;
    size_t begin = (size_t)(out->p - text.p), end = begin + out->len;
    number_changed is = number_change(text, begin, end);
    if (is == NUMBER_SCALED) /* "5 million" */
        *out = rdv_slice(text, begin, number_scale_end(text, end));
    else if (is != NUMBER_PLAIN) /* "at least 5", with all that is said of it */
        *out = answer_trim_marks(
            answer_first_sentence(rdv_slice(text, sentence_begin(text, begin), text.len)));
    return true;
}
