/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/form_with_question.h"

#include "answer/option.h"
#include "answer/question_options.h"
#include "answer/span.h"
#include "base/arena.h"
#include "base/str.h"

/* "(B) green", "B. green": the letter of the option whose text stands behind it; empty: it is no
 * such text. */
static rdv_str letter_of(rdv_str gold, const rdv_str *options, size_t n)
{
    rdv_str s = rdv_trim(gold);
    size_t at = rdv_char_at(s, 0) == '(', k = (size_t)(rdv_char_at(s, at) - 'A');
    size_t behind = rdv_skip_any(s, at + 1, ").: ");
    rdv_str text = answer_trim_marks(rdv_slice(s, behind, s.len));
    return k < n && behind > at + 1 && rdv_str_ieq(text, options[k]) ? rdv_slice(s, at, at + 1)
                                                                     : (rdv_str){0};
}

/* "(B) 12 km", "\\text{(E)}\\ 17", "B. 12": its letter, with the text behind it in *text; empty: it
 * is no such text. "J. Smith" is none. */
static rdv_str letter_before_text(rdv_str gold, rdv_str *text)
{
    static const char *const opens[] = {"\\text{(", "\\textbf{(", "\\mathrm{(", "\\mathbf{(", "("};
    static const char *const blanks[] = {" ", "~", "\\ ", "\\quad", "\\,", "\\;"};
    rdv_str s = answer_trim_marks(gold);
    char opener = rdv_char_at(s, 0);
    size_t k = opener == '\\' || opener == '(' ? 0 : 5;
    while (k < 5 && !rdv_starts(s, rdv_str_of(opens[k])))
        k++;
    size_t at = k < 5 ? strlen(opens[k]) : 0;
    if ((size_t)(rdv_char_at(s, at) - 'A') >= 10)
        return (rdv_str){0};
    size_t end = at + 1;
    bool point = !at && rdv_char_at(s, end) == '.';
    bool closed = point || rdv_char_at(s, end) == ')';
    closed = closed && (k > 3 || rdv_char_at(s, end + 1) == '}');
    size_t behind = end + 1 + (k < 4), begin = behind;
    for (size_t j = 0; j < 6; j++)
        while (rdv_starts(rdv_slice(s, begin, s.len), rdv_str_of(blanks[j])))
            begin += strlen(blanks[j]);
    char first = rdv_char_at(s, begin);
    bool starts =
        rdv_is_digit(first) || (first && strchr("$\\-", first)) || (!point && rdv_is_alpha(first));
    *text = rdv_slice(s, begin, s.len);
    return closed && starts && begin > behind ? rdv_slice(s, at, at + 1) : (rdv_str){0};
}

rdv_str question_of_options(const rdv_compare_options *how)
{
    return how && how->size > offsetof(rdv_compare_options, question) ? how->question
                                                                      : (rdv_str){0};
}

/* Of "5:12": does the question ask for a ratio or a duration? */
static bool asks_for_no_time_of_day(rdv_str question)
{
    static const char *const words[] = {"ratio ", "how long", "min:sec", "mm:ss", "duration"};
    return rdv_holds_any(question, words, sizeof words / sizeof *words);
}

int form_with_question(rdv_answer_form *form, rdv_str *gold, rdv_str question, rdv_arena *arena,
                       rdv_error *err)
{
    if (form->kind == RDV_KIND_TIME && asks_for_no_time_of_day(question))
        form->kind = RDV_KIND_LATEX;
    rdv_str text,
        own = form->kind == RDV_KIND_OPTION ? (rdv_str){0} : letter_before_text(*gold, &text);
    bool lettered = own.p || rdv_char_at(rdv_trim(*gold), 0) == '(' || form->kind == RDV_KIND_TEXT;
    if ((!question.p && !own.p) || form->n_options || (form->kind != RDV_KIND_OPTION && !lettered))
        return RDV_OK;
    rdv_str *options = RDV_NEW_ARRAY(arena, rdv_str, RDV_OPTIONS_MAX);
    if (!options)
        return rdv_no_memory(err);
    size_t n = question_options(question, options, RDV_OPTIONS_MAX);
    rdv_str letter = letter_of(*gold, options, n);
    if (!letter.p && own.p && n == 0) { /* the other texts are not known */
        n = RDV_OPTIONS_UNKNOWN;
        options[own.p[0] - 'A'] = text;
        letter = own;
    }
    rdv_str bare = answer_trim_marks(*gold);
    bool one = (size_t)(rdv_char_at(bare, rdv_char_at(bare, 0) == '(') - 'A') < n;
    if (!letter.p && (form->kind != RDV_KIND_OPTION || !one))
        return RDV_OK;
    *gold = letter.p ? letter : *gold;
    form->kind = RDV_KIND_OPTION;
    form->any_case = false;
    form->options = options;
    form->n_options = n;
    return RDV_OK;
}
