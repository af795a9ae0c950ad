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

#define MOST_NAMES 6
#define NAME_BYTES 30

/* Whether the record has our members because it was read as a format of others, which has its own.
 */
static bool is_of_others(const rdv_record *record)
{
    return record->format && strncmp(record->format, "rederive", 8) != 0 &&
           strcmp(record->format, "question-answer") != 0;
}

/* " (members: a, b)" of the record as it was read, " (read as math)" of a format of others; or
 * nothing. */
static const char *put_names(const rdv_record *record, char *text, size_t size)
{
    if (is_of_others(record)) {
        snprintf(text, size, " (read as %s)", record->format);
        return text;
    }
    const rdv_raw_members *of = rdv_noted_members(&record->chain);
    size_t len = 0;
    text[0] = '\0';
    for (size_t i = 0; of && i < of->n && i < MOST_NAMES && len < size; i++)
        len += (size_t)snprintf(text + len, size - len, "%s%.*s", i ? ", " : " (members: ",
                                RDV_FMT(rdv_str_head(of->items[i].name, NAME_BYTES)));
    if (len && len < size)
        snprintf(text + len, size - len, ")");
    return text;
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
    if (is_chain(record))
        return RDV_OK;
    char names[MOST_NAMES * (NAME_BYTES + 4) + 16];
    return rdv_fail(err, RDV_E_INPUT,
                    "a question without steps%s, where a chain is wanted; --steps-from names the "
                    "member or column that holds the solution",
                    put_names(record, names, sizeof names));
}

int usable_answered(const rdv_record *record, rdv_error *err)
{
    bool asks = record->kind == RDV_RECORD_QUESTION && !record->chain.unfinished.p &&
                !record->error.p && !is_chain(record);
    char names[MOST_NAMES * (NAME_BYTES + 4) + 16];
    if (!asks)
        return usable_chain(record, err);
    return rdv_fail(err, RDV_E_INPUT,
                    "no answer beside a gold answer%s; --answer-from names the member or column of "
                    "the answer, or --text-from that of the reply, --gold-from that of the gold "
                    "answer",
                    put_names(record, names, sizeof names));
}
