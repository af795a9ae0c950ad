/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the answer of a chain is right. */
#include <rederive/answer.h>

#include "answer/measure.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/chain/chain_answer.h"
#include "grade/grade_text.h"
#include "grade/turn.h"

/* The answer that counts. */
typedef struct counted {
    rdv_str text;
    bool replied; /* is it read from the steps, which are graded as one reply? */
    bool same;    /* is it the one that the chain came with? */
    int code;     /* of the reply: RDV_OK, or RDV_NONE: there is no gold answer to grade it by */
    rdv_text_grade reply;
} counted;

static rdv_compare_options options_of(const rdv_chain *chain)
{
    return (rdv_compare_options){.size = sizeof(rdv_compare_options),
                                 .question = chain->question.text};
}

/* May the chain's answer be, byte for byte, what its steps end with? A sum of measures may stand
 * there with marks between its parts. */
static bool may_be_read(const rdv_chain *chain)
{
    bool stands = measure_is_sum(chain->answer);
    if (!chain->answer.p)
        return false;
    for (size_t i = chain->n_reasoning_steps; i < chain->n_steps && !stands; i++)
        stands = rdv_find(chain->steps[i], chain->answer, 0) != RDV_NOT_FOUND;
    return stands;
}

/* Where the chain's answer is, byte for byte, what its steps state as one reply: grade that.
 * RDV_NONE: it is not. */
static int grade_as_one(const rdv_chain *chain, const rdv_answer_form *form, rdv_arena *arena,
                        counted *out, rdv_error *err)
{
    rdv_compare_options how = options_of(chain);
    whole_reply reply;
    rdv_str all, sum;
    int code = chain_answer_reply(chain, arena, &all, err);
    if (code != RDV_OK || !all.p || all.len > RDV_GRADE_TEXT_MAX)
        return code == RDV_OK ? RDV_NONE : code;
    code = grade_text_read(all, chain->question.gold, form, &how, arena, &reply, err);
    if (code != RDV_OK)
        return code;
    rdv_str read = reply.first.answer.text;
    if (reply.first.found != RDV_OK || reply.form.kind != form->kind ||
        !rdv_str_eq(read, chain->answer))
        return RDV_NONE;
    bool maths = form->kind == RDV_KIND_NUMBER || form->kind == RDV_KIND_LATEX;
    code = maths ? turn_with_sum(all, read, arena, &sum, err) : RDV_OK;
    if (code != RDV_OK || (maths && sum.len != read.len))
        return code == RDV_OK ? RDV_NONE : code;
    out->code = grade_text_weigh(&reply, arena, &out->reply, err);
    if (out->code < 0)
        return out->code;
    out->replied = true;
    out->text = maths ? reply.first.stated : read;
    return maths && !out->text.p ? turn_with_words(all, read, chain->question.gold,
                                                   chain->question.text, arena, &out->text, err)
                                 : RDV_OK;
}

/* The same where its steps end with it one by one, or `sought`: whatever they end with. */
static int grade_steps(const rdv_chain *chain, const rdv_answer_form *form, bool sought,
                       rdv_arena *arena, counted *out, rdv_error *err)
{
    rdv_answer answer = {0};
    rdv_compare_options how = options_of(chain);
    rdv_str all = {0};
    int code = chain_answer_read(chain, form, arena, &answer, err);
    if (code < 0 || !(sought || (answer.text.p && rdv_str_eq(answer.text, chain->answer))))
        return code < 0 ? code : RDV_OK;
    out->text = (rdv_str){0};
    code = code == RDV_OK ? chain_answer_with_words(chain, form, &answer, arena, &out->text, err)
                          : RDV_OK;
    if (code == RDV_OK)
        code = chain_answer_reply(chain, arena, &all, err);
    if (code != RDV_OK || !all.p)
        return code;
    out->replied = true;
    out->code = rdv_grade_text(all, chain->question.gold, form, &how, arena, &out->reply, err);
    return out->code < 0 ? out->code : RDV_OK;
}

static int answer_of(const rdv_chain *chain, const rdv_answer_form *form, bool read,
                     rdv_arena *arena, counted *out, rdv_error *err)
{
    rdv_str key, given;
    bool sought = read || (!chain->answer.p && chain->answer_sought);
    *out = (counted){.text = chain->answer, .same = true};
    if (chain->n_steps == 0 || chain->unfinished.p || !(read || chain->question.gold.p) ||
        !(sought || may_be_read(chain)))
        return RDV_OK;
    int code = sought ? RDV_NONE : grade_as_one(chain, form, arena, out, err);
    if (code == RDV_NONE)
        code = grade_steps(chain, form, sought, arena, out, err);
    if (code != RDV_OK || !read)
        return code;
    code = rdv_answer_key(out->text, form, arena, &key, err);
    if (code == RDV_OK)
        code = rdv_answer_key(chain->answer, form, arena, &given, err);
    out->same = code == RDV_OK && rdv_str_eq(key, given);
    return code < 0 ? code : RDV_OK;
}

/* A right answer is shown as it is counted, unless that alone is not right: then as what decided,
 * "3 + 4 = 7" of the "3" that a check behind it ends with. */
static int show_right(const rdv_chain *chain, const counted *answer, const rdv_answer_form *form,
                      rdv_arena *arena, rdv_grade *out, rdv_error *err)
{
    const rdv_text_grade *reply = &answer->reply;
    bool named = form->kind == RDV_KIND_OPTION || form->kind == RDV_KIND_YESNO;
    bool right = false;
    if (reply->comparison.is != RDV_SAME || !reply->answer.p || (named && out->key.p) ||
        rdv_str_eq(rdv_trim(reply->answer), out->shown))
        return RDV_OK;
    int code = rdv_answer_right(answer->text, chain->question.gold, form, arena, &right, err);
    if (code == RDV_OK && !right)
        out->shown = rdv_trim(reply->answer);
    return code < 0 ? code : RDV_OK;
}

/* As rdv_answer_compare(); of a reply, as rdv_grade_text(). */
static int compare(const rdv_chain *chain, const counted *answer, const rdv_answer_form *form,
                   rdv_arena *arena, rdv_comparison *out, rdv_grade *shown, rdv_error *err)
{
    rdv_compare_options how = options_of(chain);
    if (!answer->replied)
        return rdv_answer_compare(answer->text, chain->question.gold, form, &how, arena, out, err);
    if (answer->code != RDV_OK)
        return answer->code;
    *out = answer->reply.comparison;
    return show_right(chain, answer, form, arena, shown, err);
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
    bool replied = by_gold && answer->replied;
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
