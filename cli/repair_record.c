/* SPDX-License-Identifier: Apache-2.0 */
#include "repair_record.h"

#include <rederive/data.h>

#include "base/json.h"
#include "base/str.h"
#include "data/members.h"
#include "search/repair.h"

#include <math.h>

static void round_members(rdv_buf *b, const rdv_repair *r)
{
    rdv_buf_add_char(b, '{');
    rdv_json_put_number(b, "round", (double)r->round);
    rdv_json_put_number(b, "step", (double)r->from_step);
    rdv_json_put_text(b, "outcome", rdv_str_of(rdv_repair_name(r->kind)));
    rdv_json_put_flag(b, "accepted", r->kind == RDV_REPAIR_DONE);
    rdv_json_put_number(b, "n_samples", (double)r->tried);
    rdv_json_put_number(b, "n_different", (double)r->different);
    if (r->chosen_by)
        rdv_json_put_text(b, "selection", rdv_str_of(r->chosen_by));
    if (r->chosen_by && !isnan(r->logprob))
        rdv_json_put_number(b, "logprob", r->logprob);
    if (!isnan(r->confidence_before))
        rdv_json_put_number(b, "confidence_before", r->confidence_before);
    if (!isnan(r->confidence_after))
        rdv_json_put_number(b, "confidence_after", r->confidence_after);
    rdv_json_name(b, RDV_STR("steps_before"));
    rdv_json_texts(b, r->before, r->n_before);
    rdv_json_put_text(b, "answer_before", r->answer_before);
    if (r->kind != RDV_REPAIR_DONE && r->after) {
        rdv_json_name(b, RDV_STR("steps_after"));
        rdv_json_texts(b, r->after, r->n_after);
        rdv_json_put_text(b, "answer_after", r->answer_after);
    }
    if (r->why.p)
        rdv_json_put_text(b, "explanation", r->why);
    rdv_buf_add_char(b, '}');
}

/* Who wrote the trace before its first repair, whose steps up to the repaired one are kept: the
 * record's "generator" names the repairer once they changed. */
static void put_first_generator(rdv_buf *b, const rdv_chain *was)
{
    rdv_str repair, found = {0};
    int code = rdv_chain_member(was, RDV_STR("repair"), &repair);
    if (code == RDV_OK)
        code = rdv_record_text(repair, RDV_STR("first_generator"), b->arena, &found);
    if (code == RDV_NONE)
        code = rdv_chain_text(was, RDV_STR("generator"), b->arena, &found);
    b->failed |= code < 0;
    if (found.len)
        rdv_json_put_text(b, "first_generator", found);
}

void repair_members(rdv_buf *b, const rdv_repaired *repaired, const rdv_chain *was, rdv_str locator,
                    rdv_str generator, rdv_str profile, rdv_keep_kind keep)
{
    rdv_json_open(b, "repair", '{');
    rdv_json_put_text(b, "locator", locator);
    rdv_json_put_text(b, "generator", generator);
    if (repaired->changed)
        put_first_generator(b, was);
    rdv_json_put_text(b, "profile", profile);
    rdv_json_put_text(b, "accept", keep == RDV_KEEP_NEW ? RDV_STR("new") : RDV_STR("better"));
    rdv_json_put_text(b, "stop_reason", rdv_str_of(rdv_repair_end_name(repaired->end)));
    if (repaired->why.p)
        rdv_json_put_text(b, "explanation", repaired->why);
    rdv_json_put_flag(b, "changed", repaired->changed);
    rdv_json_put_text(b, "answer_before", was->answer);
    rdv_json_put_number(b, "n_steps_before", (double)was->n_steps);
    rdv_json_put_number(b, "n_calls", (double)repaired->calls);
    rdv_json_put_number(b, "prompt_tokens", (double)repaired->prompt_tokens);
    rdv_json_put_number(b, "completion_tokens", (double)repaired->completion_tokens);
    rdv_buf_add_char(b, '}');
    rdv_json_open(b, "repairs", '[');
    for (size_t i = 0; i < repaired->n_rounds; i++) {
        rdv_json_item(b);
        round_members(b, &repaired->rounds[i]);
    }
    rdv_buf_add_char(b, ']');
}
