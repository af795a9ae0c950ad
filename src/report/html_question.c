/* SPDX-License-Identifier: Apache-2.0 */
/* A question and the vote on it. */
#include "report/html_parts.h"

#include "base/str.h"
#include "report/html_markdown.h"
#include "report/html_text.h"

#include <math.h>

#define MAX_OPTIONS 26

#define HEADING_MAX 160 /* bytes of a question that is set as a heading; a longer one is text */

/* The question is the heading; its id stands above it, if it is more than the text again. */
void html_question_head(rdv_buf *b, const rdv_question *question)
{
    bool named = question->id.p && question->text.p && !rdv_str_eq(question->id, question->text);
    if (named) {
        rdv_buf_lit(b, "<p class=\"qid\">");
        html_prose(b, question->id);
        rdv_buf_lit(b, "</p>");
    }
    if (question->text.p && question->text.len > HEADING_MAX)
        rdv_buf_lit(b, "<h2 class=\"ask long\">");
    else
        rdv_buf_add(b, question->text.p ? RDV_STR("<h2 class=\"ask\">") : RDV_STR("<h2>"));
    if (question->text.p)
        html_markdown_inline(b, rdv_trim_end(question->text));
    else
        html_prose(b, question->id);
    rdv_buf_lit(b, "</h2>");
    if (question->n_options) {
        rdv_buf_lit(b, "<ul class=\"options\">");
        for (size_t i = 0; i < question->n_options && i < MAX_OPTIONS; i++) {
            rdv_buf_printf(b, "<li>(%c) ", (char)('A' + i));
            html_markdown_inline(b, question->options[i]);
            rdv_buf_lit(b, "</li>");
        }
        rdv_buf_lit(b, "</ul>");
    }
    if (question->gold.p) {
        rdv_buf_lit(b, "<p class=\"gold\">gold answer <b>");
        html_prose(b, question->gold);
        rdv_buf_lit(b, "</b></p>");
    }
}

/* ---- votes ----------------------------------------------------------------------------------- */

static void right_or_wrong(rdv_buf *b, int correct)
{
    if (correct == 1)
        rdv_buf_lit(b, " <span class=\"badge right\">✓ right</span>");
    else if (correct == 0)
        rdv_buf_lit(b, " <span class=\"badge wrong\">✗ wrong</span>");
}

static void conclusion(rdv_buf *b, const rdv_result *result, size_t majority, const int8_t *right)
{
    bool turned = majority != SIZE_MAX && result->answer.p &&
                  !rdv_str_eq(result->answers[majority].answer, result->answer);
    rdv_buf_lit(b, "<p class=\"outcome\">The vote: ");
    if (result->answer.p) {
        rdv_buf_lit(b, "<b>");
        html_prose(b, result->answer);
        rdv_buf_lit(b, "</b>");
    } else {
        rdv_buf_add(b, result->unanswered
                           ? RDV_STR("<b>no answer</b>: calls failed")
                           : RDV_STR("<b>no answer</b>: no chain had one that could be read and "
                                     "weighed"));
    }
    right_or_wrong(b, result->answer.p ? result->correct : -1);
    if (turned) {
        rdv_buf_lit(b, " <span class=\"badge turned\">⇄ turned</span> the majority says <b>");
        html_prose(b, result->answers[majority].answer);
        rdv_buf_lit(b, "</b>");
        right_or_wrong(b, right[majority]);
    }
    if (result->n_tied)
        rdv_buf_printf(b, " <span class=\"badge undecided\">tie of %zu</span>", result->n_tied);
    rdv_buf_printf(b, "</p><p class=\"fine\">%zu of %zu chains used", result->chains_used,
                   result->chains);
    if (result->unread)
        rdv_buf_printf(b, ", %zu without a readable answer", result->unread);
    rdv_buf_lit(b, "</p>");
}

/* A question's head stands in each part of a packed report, so it may not grow with its answers. */
#define ANSWERS_SHOWN 100

static void answer_row(rdv_buf *b, const rdv_answer_count *a, double sum, bool wins, int8_t right)
{
    rdv_buf_add(b, wins ? RDV_STR("<tr class=\"wins\"><td>") : RDV_STR("<tr><td>"));
    html_prose(b, a->answer);
    right_or_wrong(b, right);
    rdv_buf_printf(b, "</td><td class=\"num\">%zu</td><td class=\"num\">", a->chains);
    if (isnan(a->weight))
        rdv_buf_lit(b, "none");
    else
        rdv_buf_printf(b, "%.3g", a->weight);
    rdv_buf_lit(b, "</td><td>");
    if (sum > 0 && a->weight >= 0) {
        rdv_buf_printf(b, "%.0f%%", 100 * a->weight / sum);
        html_share(b, a->weight / sum, wins ? "wins" : "");
    }
    rdv_buf_lit(b, "</td></tr>");
}

static void answer_table(rdv_buf *b, const rdv_result *result, size_t majority, const int8_t *right)
{
    double sum = 0;
    size_t shown = 0;
    for (size_t i = 0; i < result->n_answers; i++)
        sum += result->answers[i].weight > 0 ? result->answers[i].weight : 0;
    rdv_buf_lit(b, "<div class=\"wide\"><table><thead><tr><th>answer</th>"
                   "<th class=\"num\">chains</th><th class=\"num\">weight</th><th>share</th>"
                   "</tr></thead><tbody>");
    for (size_t i = 0; i < result->n_answers; i++) {
        const rdv_answer_count *a = &result->answers[i];
        bool wins = result->answer.p && rdv_str_eq(a->answer, result->answer);
        if (i >= ANSWERS_SHOWN && !wins && i != majority)
            continue;
        answer_row(b, a, sum, wins, right[i]);
        shown++;
    }
    rdv_buf_lit(b, "</tbody></table></div>");
    if (shown < result->n_answers)
        rdv_buf_printf(b, "<p class=\"fine\">and %zu more answers</p>", result->n_answers - shown);
}

void html_result(rdv_buf *b, const rdv_result *result, size_t majority, const int8_t *right)
{
    rdv_buf_lit(b, "<div class=\"vote\">");
    conclusion(b, result, majority, right);
    if (result->n_answers)
        answer_table(b, result, majority, right);
    rdv_buf_lit(b, "</div>");
}
