/* SPDX-License-Identifier: Apache-2.0 */
#include "report/wrong.h"

#include "base/str.h"

/* A byte offset that a note holds, or RDV_NOT_FOUND. */
static size_t note_offset(const rdv_evidence *calc, rdv_str name, size_t max)
{
    const rdv_evidence *note = rdv_evidence_get(calc, name);
    if (!note || note->type != RDV_EVIDENCE_NUMBER || !(note->number >= 0) ||
        note->number > (double)max)
        return RDV_NOT_FOUND;
    return (size_t)note->number;
}

static bool is_wrong(const rdv_evidence *calc)
{
    const rdv_evidence *is = rdv_evidence_get(calc, RDV_STR("outcome"));
    return is && is->type == RDV_EVIDENCE_TEXT && rdv_str_eq(is->text, RDV_STR("wrong"));
}

const rdv_evidence *rdv_wrong_first(const rdv_verdict *verdict)
{
    const rdv_evidence *list = rdv_evidence_get(verdict->evidence, RDV_STR("calculations"));
    return list ? list->first : NULL;
}

bool rdv_wrong_next(const rdv_evidence **at, rdv_str step, rdv_wrong *out)
{
    for (const rdv_evidence *calc = *at; calc; calc = calc->next) {
        const rdv_evidence *value = rdv_evidence_get(calc, RDV_STR("value"));
        size_t begin = note_offset(calc, RDV_STR("start"), step.len);
        size_t end = note_offset(calc, RDV_STR("end"), step.len);
        if (!is_wrong(calc) || begin == RDV_NOT_FOUND || end == RDV_NOT_FOUND || begin >= end)
            continue;
        bool stated = value && value->type == RDV_EVIDENCE_TEXT;
        *out = (rdv_wrong){begin, end, stated ? value->text : (rdv_str){0}};
        *at = calc->next;
        return true;
    }
    *at = NULL;
    return false;
}
