/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/stated.h"

#include "answer/announcement.h"
#include "answer/hedge.h"
#include "answer/span.h"
#include "base/str.h"
#include "grade/compare.h"
#include "grade/form_with_question.h"
#include "grade/formal.h"
#include "grade/text/restated.h"
#include "language/assertion.h"
#include "language/cue.h"
#include "language/ordinal.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

rdv_str predicate_of(rdv_str text)
{
    static const char *const verbs[] = {"be", "called", "named"};
    static const char *const fill[] = {"written as ", "written ", "given by ", "equal to "};
    rdv_str end = answer_trim_marks(cue_last_sentences(text, 1));
    for (size_t i = end.len; i > 0; i--) {
        bool begins = rdv_is_alpha(end.p[i - 1]) && (i == 1 || !rdv_is_alpha(end.p[i - 2]));
        size_t stop = begins ? rdv_skip_letters(end, i - 1) : i;
        rdv_str word = rdv_slice(end, i - 1, stop);
        if (!begins ||
            !(answer_class_has(CLASS_BEING, word) || rdv_is_one_of(word, verbs, COUNT(verbs))))
            continue;
        rdv_str said = rdv_trim(rdv_slice(end, stop, end.len));
        for (size_t k = 0; k < COUNT(fill); k++)
            if (rdv_istarts(said, rdv_str_of(fill[k])))
                return rdv_slice(said, strlen(fill[k]), said.len);
        return said;
    }
    return (rdv_str){0};
}

int stated_weigh(const conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                 rdv_error *err)
{
    stated_phrase said[STATED_MOST];
    rdv_str question = question_of_options(c->how), bare;
    rdv_str text = rdv_answer_found_of(c->by) == RDV_FOUND_LAST ? c->text : c->read;
    rdv_str s = restated_conclusion(answer_trim_marks(cue_last_sentences(text, 1)));
    size_t begin = (size_t)(s.p - text.p);
    unsigned place;
    bool alone; /* "one eleventh" is no place */
    if (!s.len || (ordinal_of(c->gold, &place, &alone) && alone) ||
        hedge_of(hedge_with(text, s), &bare) != HEDGE_NONE ||
        assertion_not_of_answer(text, begin, begin + s.len, false))
        return RDV_OK;
    size_t n = restated_phrases(text, c->gold, question, said);
    for (size_t i = 0; i < n && out->is != RDV_SAME; i++) {
        rdv_comparison one = {.is = said[i].is,
                              .why = "text",
                              .answer_as = s,
                              .gold_as = c->gold,
                              .reason = RDV_STR("the sentence says another one")};
        begin = (size_t)(said[i].text.p - text.p);
        if (rdv_lies_in(said[i].text, text) && answer_is_denied(text, begin))
            continue;
        bool chosen = one.is != RDV_CANNOT_TELL || (said[i].alone && !said[i].differs);
        int code = chosen
                       ? RDV_OK
                       : compare_answers(said[i].text, c->gold, c->form, c->how, arena, &one, err);
        if (code != RDV_OK)
            return code < 0 ? code : RDV_OK;
        if (!chosen && one.is == RDV_DIFFERENT && formal_holds(s, c->gold))
            one.is = RDV_CANNOT_TELL; /* "ethyl alcohol, whose short name is ethanol" */
        if (one.is == RDV_SAME) {
            one.reason = (rdv_str){0};
            *answer = said[i].text;
            *out = one;
        } else if (said[i].alone ||
                   (one.is == RDV_DIFFERENT && said[i].differs && out->is == RDV_CANNOT_TELL)) {
            one.why = one.is == RDV_CANNOT_TELL ? "unread" : one.why;
            if (one.is == RDV_CANNOT_TELL)
                one.reason = RDV_STR("which one the sentence says is not read");
            *out = one;
            *answer = one.is == RDV_DIFFERENT ? said[i].text : *answer;
        }
    }
    return RDV_OK;
}
