/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the answer that a whole reply states is right. */
#include <rederive/answer.h>

#include "base/str.h"

#define BARE_MAX 1000 /* bytes of a reply that may be nothing but its answer */

/* A word of three letters that is no command of LaTeX: a reply with one is prose. */
static bool has_word(rdv_str s)
{
    size_t letters = 0;
    bool command = false;
    for (size_t i = 0; i < s.len && letters < 3; i++) {
        bool letter = rdv_is_alpha(s.p[i]);
        command = letter ? command || (letters == 0 && i > 0 && s.p[i - 1] == '\\') : false;
        letters = letter && !command ? letters + 1 : 0;
    }
    return letters == 3;
}

/* One short line. */
static bool is_short(rdv_str s)
{
    return s.len > 0 && s.len <= BARE_MAX && rdv_find_char(s, '\n', 0) == RDV_NOT_FOUND;
}

/* The answer of a reply that announces none: all of it where it is nothing but an answer, such as
 * "1/2", of which the usual place of answers would be "2". Else what stands in that place; else, in
 * a short line, all of it. */
static void read_unannounced(rdv_str text, int found, rdv_answer *answer)
{
    rdv_str whole = rdv_trim(text);
    if (is_short(whole) && (found != RDV_OK || !has_word(whole)))
        *answer = (rdv_answer){whole, 0, (size_t)(whole.p - text.p), RDV_ANSWER_BY_PLACE};
}

static rdv_answer_form form_of(const rdv_answer_form *form, rdv_str gold)
{
    rdv_question question = {.gold = gold};
    if (form) {
        question.kind = form->kind;
        question.options = (rdv_str *)form->options;
        question.n_options = form->n_options;
    }
    return rdv_answer_form_of(&question);
}

int rdv_grade_text(rdv_str text, rdv_str gold, const rdv_answer_form *form,
                   const rdv_compare_options *how, rdv_arena *arena, rdv_text_grade *out,
                   rdv_error *err)
{
    rdv_answer_form decided = form_of(form, gold);
    rdv_text_grade grade = {0};
    if (text.len > RDV_GRADE_TEXT_MAX) {
        grade.comparison = (rdv_comparison){
            .is = RDV_CANNOT_TELL,
            .why = "limit",
            .reason = RDV_STR("the text is longer than 16 MiB, so its answer was not looked for")};
        *out = grade;
        return RDV_OK;
    }
    rdv_answer answer = {.by = RDV_ANSWER_BY_PLACE};
    int found = rdv_answer_read(text, &decided, &answer);
    if (found != RDV_OK || answer.by == RDV_ANSWER_BY_PLACE)
        read_unannounced(text, found, &answer);
    grade.answer = answer.text;
    grade.by = answer.by;
    int code = rdv_answer_compare(answer.text, gold, &decided, how, arena, &grade.comparison, err);
    if (code == RDV_OK)
        *out = grade;
    return code;
}
