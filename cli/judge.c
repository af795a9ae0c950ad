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

int answer_judge(const rdv_chain *chain, rdv_arena *arena, rdv_str *key, int *right, rdv_error *err)
{
    rdv_answer_form form = rdv_answer_form_of(&chain->question);
    bool is_right = false;
    *key = (rdv_str){0};
    *right = chain->correct;
    int code = rdv_answer_key(chain->answer, &form, arena, key, err);
    if (code < 0)
        return code;
    code = rdv_answer_right(chain->answer, chain->question.gold, &form, arena, &is_right, err);
    if (code < 0)
        return code;
    if (code == RDV_OK)
        *right = is_right;
    else if (!key->p && chain->correct >= 0)
        *right = 0;
    return RDV_OK;
}
