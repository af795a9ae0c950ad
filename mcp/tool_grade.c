/* SPDX-License-Identifier: Apache-2.0 */
/* grade: whether an answer is the same as the right one. */
#include "base/json.h"
#include "base/str.h"
#include "mcp/arguments.h"
#include "mcp/tools.h"

#include <rederive/answer.h>

typedef struct grading {
    rdv_str gold, answer, reply, question;
    rdv_str options[MCP_MAX_ITEMS];
    size_t n_options;
} grading;

static bool read_arguments(const json_t *arguments, grading *g, mcp_result *result)
{
    const mcp_argument known[] = {
        {.name = "gold", .text = &g->gold, .required = true},
        {.name = "answer", .text = &g->answer},
        {.name = "reply", .text = &g->reply},
        {.name = "question", .text = &g->question},
        {.name = "options", .items = g->options, .n_items = &g->n_options}};
    if (!mcp_arguments_read(arguments, known, sizeof known / sizeof *known, result))
        return false;
    if (!g->answer.p == !g->reply.p)
        mcp_result_fail(result, "One of 'answer' and 'reply' is required.");
    return !g->answer.p != !g->reply.p;
}

static int compare(const grading *g, rdv_arena *arena, rdv_text_grade *out, rdv_error *err)
{
    const rdv_question question = {.text = g->question,
                                   .gold = g->gold,
                                   .options = (rdv_str *)g->options,
                                   .n_options = g->n_options};
    const rdv_answer_form form = rdv_answer_form_of(&question);
    const rdv_compare_options how = {.size = sizeof how, .question = g->question};
    *out = (rdv_text_grade){.answer = g->answer};
    if (g->reply.p)
        return rdv_grade_text(g->reply, g->gold, &form, &how, arena, out, err);
    return rdv_answer_compare(g->answer, g->gold, &form, &how, arena, &out->comparison, err);
}

static rdv_str says(const grading *g, const rdv_text_grade *grade, rdv_arena *arena)
{
    static const char *const words[] = {[RDV_DIFFERENT] = "Different",
                                        [RDV_SAME] = "The same",
                                        [RDV_CANNOT_TELL] =
                                            "Cannot tell, so take it as neither right nor wrong"};
    const rdv_comparison *is = &grade->comparison;
    if (!grade->answer.p)
        return RDV_STR("Different: the reply states no answer.");
    return rdv_str_printf(arena, "%s (%s): %.*s against %.*s%s%.*s", words[is->is], is->why,
                          RDV_FMT(mcp_shown(grade->answer, arena)),
                          RDV_FMT(mcp_shown(g->gold, arena)), is->reason.p ? "; " : ".",
                          RDV_FMT(mcp_shown(is->reason, arena)));
}

int mcp_tool_grade(const json_t *arguments, mcp_result *result, rdv_error *err)
{
    grading g = {0};
    rdv_text_grade grade;
    if (!read_arguments(arguments, &g, result))
        return RDV_OK;
    int code = compare(&g, result->arena, &grade, err);
    if (code == RDV_NONE)
        mcp_result_fail(result, "Undecided: 'gold' cannot be read as an answer.");
    if (code != RDV_OK)
        return code < 0 ? code : RDV_OK;
    rdv_json_put_text(&result->structured, "outcome",
                      rdv_str_of(rdv_same_name(grade.comparison.is)));
    rdv_json_put_text(&result->structured, "why", rdv_str_of(grade.comparison.why));
    if (grade.answer.p)
        mcp_result_put(result, "answer", grade.answer);
    else
        rdv_json_put_null(&result->structured, "answer");
    if (g.reply.p && grade.answer.p)
        mcp_result_put(result, "found",
                       rdv_str_of(rdv_answer_found_name(rdv_answer_found_of(grade.by))));
    mcp_result_put(result, "note", grade.comparison.reason);
    mcp_result_line(result, says(&g, &grade, result->arena));
    return RDV_OK;
}
