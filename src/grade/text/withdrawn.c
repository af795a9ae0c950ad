/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/withdrawn.h"

#include "answer/number.h"
#include "base/str.h"
#include "language/phrase.h"

#define WORDS_BETWEEN 3 /* a value and the word that says that it is from before: "result of" */

/* Where the last of the phrases begins that neither the question nor gold has; the text's length:
 * there is none. *end: its end. */
static size_t last_of(rdv_str s, phrase_list *list, rdv_str question, rdv_str gold, size_t *end)
{
    size_t found = s.len;
    for (size_t i = 0, stop; (i = phrase_find(s, i, list, &stop)) < s.len; i = stop) {
        rdv_str said = rdv_slice(s, i, stop);
        if (rdv_ifind(question, said, 0) != RDV_NOT_FOUND ||
            rdv_ifind(gold, said, 0) != RDV_NOT_FOUND)
            continue;
        found = i;
        *end = stop;
    }
    return found;
}

/* Has the text more than few words, or a sign that ends what they belong to? */
static bool goes_on(rdv_str s)
{
    size_t words = 0;
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        end = rdv_skip_letters(s, i);
        words += end > i;
        if (end < s.len && RDV_IS_IN(s.p[end], ",;:.(="))
            return words > 0 || s.p[end] != ',';
    }
    return words > WORDS_BETWEEN;
}

/* What is said of a value behind it: to the end of its clause, or of one that "which" or a verb
 * goes on with, "21, which was wrong". */
static rdv_str said_of_it(rdv_str s)
{
    static phrase_list verbs = {"@being;@relative"};
    for (size_t i = 0; i < s.len; i++) {
        size_t next = rdv_skip_any(s, i + 1, " ");
        bool ends = RDV_IS_IN(s.p[i], ".!?") && next > i + 1; /* the sentence */
        if (ends || (RDV_IS_IN(s.p[i], ",;:(") && !phrase_at(s, next, &verbs)))
            return rdv_slice(s, 0, i);
    }
    return s;
}

static phrase_list wrong = {"@called-wrong"};

bool withdrawn_by(rdv_str behind, rdv_str question, rdv_str gold)
{
    size_t end;
    return !rdv_has_digit(behind) && last_of(behind, &wrong, question, gold, &end) < behind.len;
}

bool withdrawn_in(rdv_str sentence, rdv_str value, rdv_str question, rdv_str gold)
{
    static phrase_list before = {"@said-before"};
    rdv_str first = value, last = value, number;
    if (rdv_has_letter_or_beyond(value)) /* "I had miscounted 21" */
        for (size_t at = 0; answer_next_number(value, &at, &number); last = number)
            first = first.p == value.p && first.len == value.len ? number : first;
    size_t begin = (size_t)(first.p - sentence.p), stop = (size_t)(last.p - sentence.p), end;
    rdv_str left = rdv_slice(sentence, 0, begin);
    rdv_str behind = said_of_it(rdv_slice(sentence, stop + last.len, sentence.len));
    if (last_of(left, &before, question, gold, &end) < left.len &&
        !goes_on(rdv_slice(left, end, left.len)))
        return true;
    return last_of(behind, &wrong, question, gold, &end) < behind.len;
}
