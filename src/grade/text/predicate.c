/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/predicate.h"

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

/* A text that the reply ends in, as what something is. */
static int try_predicate(const conclusion *c, rdv_arena *arena, rdv_str *answer,
                         rdv_comparison *out, rdv_error *err)
{
    rdv_str question = question_of_options(c->how), said = predicate_of(c->text), bare;
    rdv_comparison one = {.is = RDV_CANNOT_TELL};
    rdv_str s = cue_last_sentences(c->text, 1);
    size_t begin = (size_t)(said.p - c->text.p), end = begin + said.len;
    if (!said.len || answer_is_denied(c->text, begin) ||
        hedge_of(hedge_with(c->text, said), &bare) != HEDGE_NONE ||
        assertion_not_of_answer(c->text, begin, end, false) || restated_turns(s, question) ||
        (formal_holds(s, RDV_STR("if")) && formal_holds(s, RDV_STR("would"))))
        return RDV_OK;
    int code = compare_answers(said, c->gold, c->form, c->how, arena, &one, err);
    bool names = said.p[0] != rdv_lower(said.p[0]) && /* "is Saturn", not "is the gas giant" */
                 rdv_char_at(c->gold, 0) != rdv_lower(rdv_char_at(c->gold, 0)) && said.len < 40;
    names = names || restated_opposite(said, c->gold);
    if (code == RDV_OK && (one.is == RDV_SAME || (names && one.is == RDV_DIFFERENT))) {
        *out = one;
        *answer = said;
    }
    return code < 0 ? code : RDV_OK;
}

int predicate_weigh(const conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                    rdv_error *err)
{
    rdv_str s = answer_trim_marks(cue_last_sentences(c->text, 1)), bare;
    rdv_str question = question_of_options(c->how), clause = restated_conclusion(s);
    size_t begin = (size_t)(clause.p - c->text.p);
    rdv_same is;
    if (!clause.len || hedge_of(hedge_with(c->text, clause), &bare) != HEDGE_NONE ||
        assertion_not_of_answer(c->text, begin, begin + clause.len, false))
        return RDV_OK;
    if (clause.len < s.len && rdv_str_ieq(clause, c->gold))
        is = RDV_SAME; /* "Nobody is taller, so Jack." */
    else if (!restated_says(clause, c->gold, question, &is))
        return try_predicate(c, arena, answer, out, err);
    *answer = is == RDV_CANNOT_TELL ? *answer : clause;
    *out = (rdv_comparison){.is = is,
                            .why = is == RDV_CANNOT_TELL ? "unread" : "text",
                            .answer_as = clause,
                            .gold_as = c->gold};
    if (is != RDV_SAME)
        out->reason = is == RDV_DIFFERENT ? RDV_STR("the sentence says another one")
                                          : RDV_STR("which one the sentence says is not read");
    return is == RDV_CANNOT_TELL ? try_predicate(c, arena, answer, out, err) : RDV_OK;
}
