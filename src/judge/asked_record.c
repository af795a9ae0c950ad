/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/asked_record.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/members.h"
#include "method/question_type.h"

rdv_str record_question_type(const rdv_record *record, rdv_arena *arena)
{
    static const char *const members[] = {"dataset", "task"};
    rdv_str type = {0}, name;
    if (record->format)
        type = question_type_named(rdv_str_of(record->format));
    for (size_t i = 0; i < 2 && !type.p; i++)
        if (rdv_chain_text(&record->chain, rdv_str_of(members[i]), arena, &name) == RDV_OK)
            type = question_type_named(name);
    return type;
}

int record_keep_makers(const rdv_chain *chain, size_t first, const record_makers *by,
                       rdv_arena *arena, rdv_error *err)
{
    rdv_str checker = {0}, profile = {0};
    if (rdv_chain_text(chain, RDV_STR("checker"), arena, &checker) < 0 ||
        rdv_chain_text(chain, RDV_STR("profile"), arena, &profile) < 0)
        return rdv_no_memory(err);
    bool same =
        rdv_str_eq(checker, by->checker) && (!profile.p || rdv_str_eq(profile, by->profile));
    for (size_t i = 0; i < first && checker.p && !same; i++) {
        rdv_check *check = &chain->checks[i];
        if (check->calls > 0 && !check->checker.p) {
            check->checker = checker;
            check->profile = profile;
        }
    }
    return RDV_OK;
}

void record_put_makers(const record_makers *by, rdv_buf *b)
{
    rdv_json_put_text(b, "checker", by->checker);
    rdv_json_put_text(b, "profile", by->profile);
}

void record_put_partial(const rdv_chain *chain, bool partial, rdv_buf *b)
{
    rdv_str was;
    if (partial || rdv_chain_member(chain, RDV_STR("partial"), &was) == RDV_OK)
        rdv_json_put_flag(b, "partial", partial);
}
