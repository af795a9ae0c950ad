/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include <rederive/answer.h>

#include "base/str.h"

/* "steps": [] makes a chain of what is otherwise only a question. */
static bool is_chain(const rdv_record *record)
{
    rdv_str value;
    return record->is == RDV_RECORD_CHAIN || record->chain.answer.p ||
           rdv_record_member(record->chain.raw, RDV_STR("steps"), &value) == RDV_OK;
}

int chain_wanted(const rdv_record *record, rdv_error *err)
{
    if (record->is == RDV_RECORD_ERROR)
        return rdv_fail(err, RDV_E_INPUT, "failed before: %.*s", RDV_FMT(record->error));
    if (record->is == RDV_RECORD_RESULT)
        return rdv_fail(err, RDV_E_INPUT, "the result of a vote, where a chain is wanted");
    if (!is_chain(record))
        return rdv_fail(err, RDV_E_INPUT, "a question without steps, where a chain is wanted");
    return RDV_OK;
}

static int judge_right(const rdv_chain *chain, const rdv_answer_form *form, rdv_arena *arena,
                       struct judged *out, rdv_error *err)
{
    bool right = false;
    int code = rdv_answer_right(chain->answer, chain->question.gold, form, arena, &right, err);
    if (code < 0)
        return code;
    out->right = chain->correct;
    if (code == RDV_OK)
        out->right = right;
    else if (!out->key.p && chain->correct >= 0)
        out->right = 0;
    return RDV_OK;
}

int judge(const rdv_chain *chain, rdv_arena *arena, struct judged *out, rdv_error *err)
{
    rdv_answer_form form = rdv_answer_form_of(&chain->question);
    bool named = form.kind == RDV_KIND_OPTION || form.kind == RDV_KIND_YESNO;
    *out = (struct judged){0};
    int code = rdv_answer_key(chain->answer, &form, arena, &out->key, err);
    if (code < 0)
        return code;
    if (out->key.p)
        out->shown = named ? out->key : rdv_trim(chain->answer);
    return judge_right(chain, &form, arena, out, err);
}
