/* SPDX-License-Identifier: Apache-2.0 */
#include "repair_record.h"

#include "base/json.h"
#include "base/str.h"
#include "search/repair.h"

#include <math.h>

static void text(rdv_buf *b, const char *name, rdv_str value)
{
    rdv_json_name(b, rdv_str_of(name));
    rdv_json_text(b, value); /* null where there is none */
}

static void texts(rdv_buf *b, const char *name, const rdv_str *values, size_t n)
{
    rdv_json_name(b, rdv_str_of(name));
    rdv_buf_add_char(b, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            rdv_buf_add_char(b, ',');
        rdv_json_text(b, values[i]);
    }
    rdv_buf_add_char(b, ']');
}

static void flag(rdv_buf *b, const char *name, bool value)
{
    rdv_json_name(b, rdv_str_of(name));
    rdv_buf_add(b, value ? RDV_STR("true") : RDV_STR("false"));
}

static void round_members(rdv_buf *b, const rdv_repair *r)
{
    rdv_buf_add_char(b, '{');
    rdv_json_field(b, "round", (double)r->round);
    rdv_json_field(b, "step", (double)r->from_step);
    text(b, "outcome", rdv_str_of(rdv_repair_name(r->is)));
    flag(b, "accepted", r->is == RDV_REPAIR_DONE);
    rdv_json_field(b, "n_samples", (double)r->tried);
    rdv_json_field(b, "n_different", (double)r->different);
    if (r->chosen_by)
        text(b, "selection", rdv_str_of(r->chosen_by));
    if (r->chosen_by && !isnan(r->logprob))
        rdv_json_field(b, "logprob", r->logprob);
    if (!isnan(r->confidence_before))
        rdv_json_field(b, "confidence_before", r->confidence_before);
    if (!isnan(r->confidence_after))
        rdv_json_field(b, "confidence_after", r->confidence_after);
    texts(b, "steps_before", r->before, r->n_before);
    text(b, "answer_before", r->answer_before);
    if (r->is != RDV_REPAIR_DONE && r->after) {
        texts(b, "steps_after", r->after, r->n_after);
        text(b, "answer_after", r->answer_after);
    }
    if (r->is == RDV_REPAIR_FAILED)
        text(b, "explanation", r->why);
    rdv_buf_add_char(b, '}');
}

void repair_members(rdv_buf *b, const rdv_repaired *repaired, const rdv_chain *was, rdv_str locator)
{
    rdv_json_name(b, RDV_STR("repair"));
    rdv_buf_add_char(b, '{');
    text(b, "locator", locator);
    text(b, "stop_reason", rdv_str_of(rdv_repair_end_name(repaired->end)));
    if (repaired->why.p)
        text(b, "explanation", repaired->why);
    flag(b, "changed", repaired->changed);
    text(b, "answer_before", was->answer);
    rdv_json_field(b, "n_steps_before", (double)was->n_steps);
    rdv_json_field(b, "n_calls", (double)repaired->calls);
    rdv_json_field(b, "prompt_tokens", (double)repaired->prompt_tokens);
    rdv_json_field(b, "completion_tokens", (double)repaired->completion_tokens);
    rdv_buf_add_char(b, '}');
    rdv_json_name(b, RDV_STR("repairs"));
    rdv_buf_add_char(b, '[');
    for (size_t i = 0; i < repaired->n_rounds; i++) {
        if (i)
            rdv_buf_add_char(b, ',');
        round_members(b, &repaired->rounds[i]);
    }
    rdv_buf_add_char(b, ']');
}
