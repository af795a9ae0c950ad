/* SPDX-License-Identifier: Apache-2.0 */
/* The shape of PRM800K: each step is a list of one completion, rated 1 (right), 0 (neutral), -1
 * (wrong) or null (not rated). */
#include "data/export/format.h"

#include "base/arena.h"
#include "base/json.h"

static void put_step(rdv_buf *b, rdv_str text, rdv_verdict_kind is)
{
    rdv_json_item(b);
    rdv_buf_lit(b, "{\"completions\":[{");
    rdv_json_put_text(b, "text", text);
    if (is == RDV_UNKNOWN)
        rdv_json_put_null(b, "rating");
    else
        rdv_json_put_number(b, "rating", (double)is);
    rdv_buf_lit(b, ",\"flagged\":false}],\"human_completion\":null,\"chosen_completion\":0}");
}

/* PRM800K's own words for how the rating ended: at the end of the solution, or at its first wrong
 * step. null: some other steps are not rated, or the steps are not the whole solution. */
static const char *finish_reason(const rdv_chain *chain, const rdv_verdict_kind *verdicts)
{
    size_t rated = 0, n = chain->n_steps;
    while (rated < n && verdicts[rated] != RDV_UNKNOWN)
        rated++;
    if (rated == n)
        return n && !chain->unfinished.p ? "\"solution\"" : "null";
    return rated && verdicts[rated - 1] == RDV_CONTRADICT ? "\"found_error\"" : "null";
}

static int item(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_buf *b,
                rdv_error *err)
{
    const rdv_check *check = rdv_export_check(exporter, chain);
    rdv_verdict_kind *verdicts;
    rdv_str question = rdv_export_question(chain, arena);
    int code = rdv_export_verdicts(exporter, chain, arena, &verdicts, err);
    if (code != RDV_OK || !question.p)
        return rdv_no_memory(err);
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "labeler", check ? check->method : (rdv_str){0});
    rdv_json_put_null(b, "timestamp");
    rdv_json_put_null(b, "generation");
    rdv_json_put_flag(b, "is_quality_control_question", 0);
    rdv_json_put_flag(b, "is_initial_screening_question", 0);
    rdv_json_open(b, "question", '{');
    rdv_json_put_text(b, "problem", question);
    rdv_json_put_text(b, "ground_truth_answer", chain->question.gold);
    rdv_json_put_text(b, "pre_generated_answer", chain->answer);
    rdv_buf_add_char(b, '}');
    rdv_json_open(b, "label", '{');
    rdv_json_open(b, "steps", '[');
    for (size_t i = 0; i < chain->n_steps; i++)
        put_step(b, chain->steps[i], verdicts[i]);
    rdv_buf_add_char(b, ']');
    rdv_json_put_null(b, "total_time");
    rdv_buf_printf(b, ",\"finish_reason\":%s}}\n", finish_reason(chain, verdicts));
    return RDV_OK;
}

const rdv_export_format rdv_export_prm800k = {
    .name = "prm800k",
    .about = "PRM800K's shape, with a rating for each step, as lines of JSON",
    .item = item,
    .between = "",
    .tail = "",
};
