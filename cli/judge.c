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

struct judging judging_of(const struct settings *settings)
{
    return (struct judging){.read = strcmp(settings->answer_source, "read") == 0,
                            .source = strcmp(settings->correct_from, "source") == 0};
}

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
    *out = any ? answer.text : (rdv_str){0};
    int code = rdv_answer_key(*out, form, arena, &key, err);
    if (code == RDV_OK)
        code = rdv_answer_key(chain->answer, form, arena, &given, err);
    *same = code == RDV_OK && rdv_str_eq(key, given);
    return code < 0 ? code : RDV_OK;
}

/* Whether `answer` is right. opinion: the source's, 1, 0, or -1 where it has none. */
static int judge_right(const rdv_chain *chain, rdv_str answer, int opinion, bool opinion_first,
                       const rdv_answer_form *form, rdv_arena *arena, struct judged *out,
                       rdv_error *err)
{
    bool right = false;
    int code = rdv_answer_right(answer, chain->question.gold, form, arena, &right, err);
    if (code < 0)
        return code;
    bool by_gold = code == RDV_OK && !(opinion_first && opinion >= 0);
    out->right = by_gold ? right : opinion;
    if (!out->key.p && out->right >= 0)
        out->right = 0;
    return RDV_OK;
}

int judge(const rdv_chain *chain, const struct judging *how, rdv_arena *arena, struct judged *out,
          rdv_error *err)
{
    rdv_answer_form form = rdv_answer_form_of(&chain->question);
    bool named = form.kind == RDV_KIND_OPTION || form.kind == RDV_KIND_YESNO, same;
    rdv_str answer;
    *out = (struct judged){0};
    int code = answer_of(chain, &form, how->read, arena, &answer, &same, err);
    if (code == RDV_OK)
        code = rdv_answer_key(answer, &form, arena, &out->key, err);
    if (code < 0)
        return code;
    if (out->key.p)
        out->shown = named ? out->key : rdv_trim(answer);
    int opinion = same || !out->key.p ? chain->correct : -1;
    return judge_right(chain, answer, opinion, how->source, &form, arena, out, err);
}
