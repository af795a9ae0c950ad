/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/usable.h"

#include "base/str.h"
#include "data/members.h"

/* "steps": [] turns a record with only a question into a chain. */
static bool is_chain(const rdv_record *record)
{
    rdv_str value;
    return record->kind == RDV_RECORD_CHAIN || record->chain.answer.p ||
           rdv_chain_member(&record->chain, RDV_STR("steps"), &value) == RDV_OK;
}

int usable_failed(const rdv_record *record, rdv_error *err)
{
    bool before = record->kind != RDV_RECORD_ERROR || strcmp(record->format, "rederive-error") == 0;
    return rdv_fail(err, RDV_E_INPUT, "%s%.*s", before ? "failed before: " : "",
                    RDV_FMT(record->error));
}

bool usable_lacks_solution(const rdv_record *record)
{
    bool other = record->kind == RDV_RECORD_ERROR || record->kind == RDV_RECORD_RESULT;
    return !other && !is_chain(record) && record->chain.unfinished.p;
}

int usable_chain(const rdv_record *record, rdv_error *err)
{
    if (record->kind == RDV_RECORD_ERROR)
        return usable_failed(record, err);
    if (record->kind == RDV_RECORD_RESULT)
        return rdv_fail(err, RDV_E_INPUT, "the result of a vote, where a chain is wanted");
    if (usable_lacks_solution(record))
        return rdv_fail(err, RDV_E_INPUT, "a question without a solution: %.*s",
                        RDV_FMT(record->chain.unfinished));
    if (!is_chain(record) && record->error.p)
        return usable_failed(record, err);
    if (!is_chain(record))
        return rdv_fail(err, RDV_E_INPUT,
                        "a question without steps, where a chain is wanted; --steps-from names the "
                        "member or column that holds the solution");
    return RDV_OK;
}
