/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the answer of a chain is right. */
#include <rederive/answer.h>

#include "base/str.h"
#include "grade/turn.h"

/* The answer that counts, and in *same whether it is the one that the chain came with. */
static int answer_of(const rdv_chain *chain, const rdv_answer_form *form, bool read,
                     rdv_arena *arena, rdv_str *out, bool *same, rdv_error *err)
{
    rdv_answer answer;
    rdv_str key, given;
    *out = chain->answer;
    *same = true;
    if (!read || chain->n_steps == 0 || chain->unfinished.p)
        return RDV_OK;
    bool any = rdv_answer_read_steps(chain->steps, chain->n_steps, form, &answer) == RDV_OK;
    bool measured = any && (form->kind == RDV_KIND_NUMBER || form->kind == RDV_KIND_LATEX);
    *out = any ? answer.text : (rdv_str){0};
    int code = measured ? turn_with_words(chain->steps[answer.step], *out, chain->question.gold,
                                          chain->question.text, arena, out, err)
                        : RDV_OK;
    if (code == RDV_OK)
        code = rdv_answer_key(*out, form, arena, &key, err);
    if (code == RDV_OK)
        code = rdv_answer_key(chain->answer, form, arena, &given, err);
    *same = code == RDV_OK && rdv_str_eq(key, given);
    return code < 0 ? code : RDV_OK;
}

/* Whether `answer` is right. opinion: the source's, 1, 0, or -1 where it has none. */
static int grade_answer(const rdv_chain *chain, rdv_str answer, int opinion, bool opinion_first,
                        const rdv_answer_form *form, rdv_arena *arena, rdv_grade *out,
                        rdv_error *err)
{
    rdv_comparison c = {.is = RDV_DIFFERENT};
    rdv_compare_options how = {.size = sizeof how, .question = chain->question.text};
    int code = rdv_answer_compare(answer, chain->question.gold, form, &how, arena, &c, err);
    if (code < 0)
        return code;
    bool by_gold = code == RDV_OK && !(opinion_first && opinion >= 0);
    out->correct = by_gold ? c.is == RDV_SAME : opinion;
    if (!out->key.p && out->correct >= 0)
        out->correct = 0;
    out->untold = by_gold && out->key.p && c.is == RDV_CANNOT_TELL;
    return RDV_OK;
}

int rdv_grade_chain(const rdv_chain *chain, const rdv_grading *how, rdv_arena *arena,
                    rdv_grade *out, rdv_error *err)
{
    rdv_answer_form form = rdv_answer_form_of(&chain->question);
    bool named = form.kind == RDV_KIND_OPTION || form.kind == RDV_KIND_YESNO, same;
    rdv_str answer;
    *out = (rdv_grade){0};
    int code = answer_of(chain, &form, how->read_steps, arena, &answer, &same, err);
    if (code == RDV_OK)
        code = rdv_answer_key(answer, &form, arena, &out->key, err);
    if (code < 0)
        return code;
    if (out->key.p)
        out->shown = named ? out->key : rdv_trim(answer);
    int opinion = same || !out->key.p ? chain->correct : -1;
    return grade_answer(chain, answer, opinion, how->source_first, &form, arena, out, err);
}
