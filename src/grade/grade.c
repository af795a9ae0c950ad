/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the answer of a chain is right. */
#include <rederive/answer.h>

#include "base/str.h"
#include "grade/chain/chain_answer.h"

/* The answer that counts. */
typedef struct counted {
    rdv_str text;
    rdv_str reply; /* the steps that it was read from, which are graded; p == NULL: it was given */
    bool same;     /* is it the one that the chain came with? */
} counted;

static int answer_of(const rdv_chain *chain, const rdv_answer_form *form, bool read,
                     rdv_arena *arena, counted *out, rdv_error *err)
{
    rdv_str key, given;
    rdv_answer answer = {0};
    bool sought = read || (!chain->answer.p && chain->answer_sought);
    *out = (counted){.text = chain->answer, .same = true};
    if (chain->n_steps == 0 || chain->unfinished.p || !(read || chain->question.gold.p))
        return RDV_OK;
    int code = chain_answer_read(chain, form, arena, &answer, err);
    if (code < 0 || !(sought || (answer.text.p && rdv_str_eq(answer.text, chain->answer))))
        return code < 0 ? code : RDV_OK;
    code = code == RDV_OK ? chain_answer_with_words(chain, form, &answer, arena, &out->text, err)
                          : RDV_OK;
    if (!answer.text.p)
        out->text = (rdv_str){0};
    if (code == RDV_OK)
        code = chain_answer_reply(chain, arena, &out->reply, err);
    if (code != RDV_OK || !read)
        return code < 0 ? code : RDV_OK;
    code = rdv_answer_key(out->text, form, arena, &key, err);
    if (code == RDV_OK)
        code = rdv_answer_key(chain->answer, form, arena, &given, err);
    out->same = code == RDV_OK && rdv_str_eq(key, given);
    return code < 0 ? code : RDV_OK;
}

/* A right answer is shown as it is counted, unless that alone is not right: then as what decided,
 * "3 + 4 = 7" of the "3" that a check behind it ends with. */
static int show_right(const rdv_chain *chain, rdv_str counts, const rdv_text_grade *reply,
                      const rdv_answer_form *form, rdv_arena *arena, rdv_grade *out, rdv_error *err)
{
    bool named = form->kind == RDV_KIND_OPTION || form->kind == RDV_KIND_YESNO;
    bool right = false;
    if (reply->comparison.is != RDV_SAME || !reply->answer.p || (named && out->key.p))
        return RDV_OK;
    int code = rdv_answer_right(counts, chain->question.gold, form, arena, &right, err);
    if (code == RDV_OK && !right)
        out->shown = rdv_trim(reply->answer);
    return code < 0 ? code : RDV_OK;
}

/* As rdv_answer_compare(); of a reply, as rdv_grade_text(). */
static int compare(const rdv_chain *chain, const counted *answer, const rdv_answer_form *form,
                   rdv_arena *arena, rdv_comparison *out, rdv_grade *shown, rdv_error *err)
{
    rdv_compare_options how = {.size = sizeof how, .question = chain->question.text};
    rdv_text_grade grade;
    if (!answer->reply.p)
        return rdv_answer_compare(answer->text, chain->question.gold, form, &how, arena, out, err);
    int code =
        rdv_grade_text(answer->reply, chain->question.gold, form, &how, arena, &grade, err);
    if (code != RDV_OK)
        return code;
    *out = grade.comparison;
    return show_right(chain, answer->text, &grade, form, arena, shown, err);
}

/* Whether the answer is right. opinion: the source's, 1, 0, or -1 where it has none. */
static int grade_answer(const rdv_chain *chain, const counted *answer, int opinion,
                        bool opinion_first, const rdv_answer_form *form, rdv_arena *arena,
                        rdv_grade *out, rdv_error *err)
{
    rdv_comparison c = {.is = RDV_DIFFERENT};
    int code = compare(chain, answer, form, arena, &c, out, err);
    if (code < 0)
        return code;
    bool by_gold = code == RDV_OK && !(opinion_first && opinion >= 0);
    out->correct = by_gold ? c.is == RDV_SAME : opinion;
    bool replied = by_gold && answer->reply.p;
    if (!out->key.p && !replied && out->correct >= 0)
        out->correct = 0;
    out->untold = (replied || (by_gold && out->key.p)) && c.is == RDV_CANNOT_TELL;
    return RDV_OK;
}

int rdv_grade_chain(const rdv_chain *chain, const rdv_grading *how, rdv_arena *arena,
                    rdv_grade *out, rdv_error *err)
{
    rdv_answer_form form = rdv_answer_form_of(&chain->question);
    bool named = form.kind == RDV_KIND_OPTION || form.kind == RDV_KIND_YESNO;
    counted answer;
    *out = (rdv_grade){0};
    int code = answer_of(chain, &form, how->read_steps, arena, &answer, err);
    if (code == RDV_OK)
        code = rdv_answer_key(answer.text, &form, arena, &out->key, err);
    if (code < 0)
        return code;
    if (out->key.p)
        out->shown = named ? out->key : rdv_trim(answer.text);
    int opinion = answer.same || !out->key.p ? chain->correct : -1;
    return grade_answer(chain, &answer, opinion, how->source_first, &form, arena, out, err);
}
