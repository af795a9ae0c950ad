/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/derive_words.h"

#include "base/str.h"
#include "language/phrase.h"
#include "text/heading.h"

#define MAX_WORDS 240 /* bytes between the equations */

/* Words for what is done to an equation. */
static phrase_list operations = {"@rearranging;@collecting;@dividing;@works-out;@operation"};

/* The same, with the other words that stand around them. */
static phrase_list known = {
    "@rearranging;@collecting;@dividing;@works-out;@operation;@around-operations"};

static bool is_word_part(char c)
{
    return rdv_is_alpha(c) || c == '\'';
}

/* "'x'" is the word in quotation marks. */
static rdv_str unquoted(rdv_str word)
{
    bool quoted = word.len > 2 && word.p[0] == '\'' && word.p[word.len - 1] == '\'';
    return quoted ? rdv_slice(word, 1, word.len - 1) : word;
}

/* Does the word belong to what is done to an equation? A letter alone names a value. */
static bool is_known(rdv_str word)
{
    return word.len == 1 || phrase_in(word, &known);
}

/* "equation 1", "(2)": a number that names another equation. */
static bool names_an_equation(rdv_str words)
{
    static phrase_list names = {"equation;equations;eq"};
    for (size_t i = 0; i < words.len; i++) {
        if (!rdv_is_digit(words.p[i]))
            continue;
        rdv_str before = rdv_trim_end(rdv_slice(words, 0, i));
        if (before.len && before.p[before.len - 1] == '(')
            before = rdv_trim_end(rdv_slice(before, 0, before.len - 1));
        size_t begin = before.len;
        while (begin > 0 && rdv_is_alpha(before.p[begin - 1]))
            begin--;
        if (phrase_is(rdv_slice(before, begin, before.len), &names))
            return true;
    }
    return false;
}

/* A sign of equality that is no arrow. */
static bool holds_equality(rdv_str words)
{
    size_t i = rdv_find_char(words, '=', 0);
    while (i != RDV_NOT_FOUND && i + 1 < words.len && words.p[i + 1] == '>')
        i = rdv_find_char(words, '=', i + 1);
    return i != RDV_NOT_FOUND;
}

bool derive_words_operates(rdv_str words)
{
    return phrase_in(words, &operations);
}

bool derive_words_are_known(rdv_str words)
{
    if (words.len > MAX_WORDS || names_an_equation(words) || holds_equality(words) ||
        rdv_find_char(words, '?', 0) != RDV_NOT_FOUND)
        return false;
    for (size_t i = 0; i < words.len; i++) {
        size_t begin = i;
        while (i < words.len && is_word_part(words.p[i]))
            i++;
        bool command = begin > 0 && words.p[begin - 1] == '\\';
        if (i > begin && !command && !is_known(unquoted(rdv_slice(words, begin, i))))
            return false;
    }
    return true;
}

bool derive_words_goes_on_after(rdv_str step)
{
    return derive_words_are_known(step) && phrase_in(step, &operations);
}

size_t derive_words_label(rdv_str step)
{
    rdv_heading heading;
    rdv_str premises;
    bool numbered =
        text_heading_parse(step, &heading, &premises) && heading.kind == RDV_HEADING_STEP;
    return numbered ? heading.mark.len : 0;
}
