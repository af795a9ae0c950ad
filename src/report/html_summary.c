/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of a report: what was found, in numbers and with the meaning of each word. */
#include "report/html_parts.h"

#include "base/str.h"
#include "chain/coverage.h"
#include "report/html_text.h"

#include <inttypes.h>
#include <math.h>

static void card_open(rdv_buf *b, const char *title)
{
    rdv_buf_printf(b, "<section class=\"card\"><h3>%s</h3>", title);
}

static void card_close(rdv_buf *b)
{
    rdv_buf_lit(b, "</section>");
}

static void big(rdv_buf *b, uint64_t n, const char *what, const char *class)
{
    rdv_buf_printf(b, "<p class=\"big %s\"><b>%" PRIu64 "</b> %s</p>", class, n, what);
}

/* One row of a list of counts, with its share as a bar. */
static void row(rdv_buf *b, const char *class, const char *sign, const char *name, uint64_t n,
                uint64_t of, const char *means)
{
    rdv_buf_printf(b,
                   "<li class=\"%s\"><span class=\"name\"><span class=\"sign\">%s</span> %s</span>"
                   "<span class=\"num\">%" PRIu64 "</span>",
                   class, sign, name, n);
    if (of)
        html_share(b, (double)n / (double)of, class);
    if (means)
        rdv_buf_printf(b, "<span class=\"means\">%s</span>", means);
    rdv_buf_lit(b, "</li>");
}

static void chains(rdv_buf *b, const html_counts *c)
{
    uint64_t checked = c->with_error + c->without_error + c->undecided + c->error_unknown;
    card_open(b, "Chains");
    big(b, c->chains, c->chains == 1 ? "chain" : "chains", "");
    if (checked) {
        rdv_buf_lit(b, "<ul class=\"counts\">");
        row(b, "contradict", "✗", "with a wrong step", c->with_error, checked, NULL);
        row(b, "support", "✓", "no wrong step found", c->without_error, checked, NULL);
        row(b, "unrelated", "·", "nothing decided", c->undecided, checked,
            "No step has anything that the check decides.");
        row(b, "unknown", "?", "first error unknown", c->error_unknown, checked,
            "No wrong step was found, but not every step could be decided.");
        rdv_buf_lit(b, "</ul>");
    }
    if (c->skipped)
        rdv_buf_printf(b,
                       "<p class=\"fine\">%" PRIu64 " not checked, because they could no longer "
                       "change the vote</p>",
                       c->skipped);
    if (c->partial)
        rdv_buf_printf(b, "<p class=\"fine\">%" PRIu64 " not finished: the run ended before</p>",
                       c->partial);
    card_close(b);
}

static void steps(rdv_buf *b, const html_counts *c)
{
    uint64_t all = c->verdicts[0] + c->verdicts[1] + c->verdicts[2] + c->verdicts[3];
    if (!all)
        return;
    card_open(b, "Verdicts on steps");
    big(b, all, all == 1 ? "verdict" : "verdicts", "");
    rdv_buf_lit(b, "<ul class=\"counts\">");
    row(b, "support", "✓", "support", c->verdicts[0], all, "The check agrees with the step.");
    row(b, "unrelated", "·", "unrelated", c->verdicts[1], all,
        "There was nothing to check, or the check is not sure.");
    row(b, "contradict", "✗", "contradict", c->verdicts[2], all, "The step is wrong.");
    row(b, "unknown", "?", "unknown", c->verdicts[3], all,
        "It could not be decided. It never counts as right.");
    rdv_buf_lit(b, "</ul>");
    card_close(b);
}

static void calculations(rdv_buf *b, const html_counts *c)
{
    const rdv_coverage *is = &c->coverage;
    size_t all = coverage_all(is);
    if (!all)
        return;
    card_open(b, "Calculations");
    rdv_buf_printf(b, "<p class=\"big\"><b>%zu</b> of %zu checked</p><ul class=\"counts\">",
                   is->checked, all);
    if (is->undecided)
        row(b, "unknown", "?", "undecided", is->undecided, all, NULL);
    if (coverage_unread(is))
        row(b, "unknown", "?", "not read", coverage_unread(is), all,
            "It looks like a calculation; nothing was decided about it.");
    for (size_t i = 0; i < RDV_N_UNREAD_REASONS; i++)
        if (is->unread[i])
            row(b, "unknown", "·", coverage_reason_words((rdv_unread_reason)i, is->unread[i] != 1),
                is->unread[i], all, NULL);
    rdv_buf_lit(b, "</ul>");
    card_close(b);
}

static void answers(rdv_buf *b, const html_counts *c)
{
    uint64_t graded = c->answer_right + c->answer_wrong;
    if (!graded)
        return;
    card_open(b, "Answers of chains");
    rdv_buf_printf(b, "<p class=\"big\"><b>%" PRIu64 "</b> of %" PRIu64 " right</p>",
                   c->answer_right, graded);
    rdv_buf_lit(b, "<ul class=\"counts\">");
    row(b, "support", "✓", "right", c->answer_right, graded, NULL);
    row(b, "contradict", "✗", "wrong", c->answer_wrong, graded, NULL);
    if (c->answer_unknown)
        row(b, "unknown", "?", "not known", c->answer_unknown, 0,
            "There is no gold answer to compare with.");
    rdv_buf_lit(b, "</ul>");
    card_close(b);
}

static void votes(rdv_buf *b, const html_counts *c)
{
    if (!c->results)
        return;
    card_open(b, "Votes");
    if (c->result_graded)
        rdv_buf_printf(b, "<p class=\"big\"><b>%" PRIu64 "</b> of %" PRIu64 " questions right</p>",
                       c->result_right, c->result_graded);
    else
        big(b, c->results, c->results == 1 ? "question" : "questions", "");
    rdv_buf_lit(b, "<ul class=\"counts\">");
    if (c->majority_graded)
        row(b, "unrelated", "=", "right by majority alone", c->majority_right, c->majority_graded,
            NULL);
    row(b, "turned", "⇄", "turned", c->turned, c->results,
        "The vote chose another answer than the majority.");
    if (c->result_answered && c->result_answered < c->result_graded)
        row(b, "support", "✓", "right of those answered", c->result_right, c->result_answered,
            NULL);
    if (c->no_answer)
        row(b, "unknown", "?", "no answer", c->no_answer, c->results,
            "No chain had an answer that could be read and weighed.");
    if (c->no_reply)
        row(b, "unknown", "?", "calls failed", c->no_reply, c->results,
            "There is no answer, since calls got no whole reply.");
    rdv_buf_lit(b, "</ul>");
    if (c->turned)
        rdv_buf_printf(b,
                       "<p class=\"fine\">of the turned votes %" PRIu64 " became right and "
                       "%" PRIu64 " became wrong</p>",
                       c->turned_right, c->turned_wrong);
    card_close(b);
}

static void repairs(rdv_buf *b, const html_counts *c)
{
    if (!c->repaired)
        return;
    card_open(b, "Repairs");
    rdv_buf_printf(b, "<p class=\"big\"><b>%" PRIu64 "</b> of %" PRIu64 " chains changed</p>",
                   c->changed, c->repaired);
    if (c->repair_graded)
        rdv_buf_printf(b,
                       "<p>right before <b>%" PRIu64 "</b>, after <b>%" PRIu64 "</b> of %" PRIu64
                       "</p><p class=\"fine\">%" PRIu64 " became right, %" PRIu64
                       " became wrong</p>",
                       c->before_right, c->after_right, c->repair_graded, c->won, c->lost);
    card_close(b);
}

static void failures(rdv_buf *b, const rdv_html *html)
{
    const html_counts *c = &html->count;
    card_open(b, "Failed or unread");
    uint64_t all = c->failed + c->unread;
    big(b, all, all == 1 ? "record" : "records", all ? "bad" : "");
    if (all) {
        rdv_buf_lit(b, "<ul class=\"counts\">");
        row(b, "unknown", "?", "not read", c->unread, all, "The input is not a record.");
        row(b, "unknown", "?", "failed", c->failed, all, "The record could not be processed.");
        rdv_buf_lit(b, "</ul><p class=\"fine\">They are not counted as wrong.</p>");
    } else {
        rdv_buf_lit(b, "<p class=\"fine\">Every record was read and processed.</p>");
    }
    card_close(b);
}

/* ---- the run --------------------------------------------------------------------------------- */

static void fact(rdv_buf *b, const char *name, rdv_str value)
{
    rdv_buf_printf(b, "<dt>%s</dt><dd>", name);
    html_prose(b, value);
    rdv_buf_lit(b, "</dd>");
}

static void fact_names(rdv_buf *b, const char *name, const interner *in)
{
    rdv_buf_printf(b, "<dt>%s</dt><dd>", name);
    for (size_t i = 0; i < in->n && i < 50; i++) {
        if (i)
            rdv_buf_lit(b, ", ");
        html_prose(b, in->texts[i]);
    }
    rdv_buf_lit(b, "</dd>");
}

static void facts(const rdv_html *html, const rdv_html_run *run, rdv_buf *b)
{
    rdv_buf_lit(b, "<section class=\"card facts\"><h3>This run</h3><dl>");
    if (run->command.p) {
        rdv_buf_lit(b, "<dt>command</dt><dd><code>");
        html_prose(b, run->command);
        rdv_buf_lit(b, "</code></dd>");
    }
    fact(b, "input", run->title);
    if (html->methods.n)
        fact_names(b, "methods", &html->methods);
    if (html->datasets.n > 1)
        fact_names(b, "data sets", &html->datasets);
    if (run->models.p) {
        fact(b, "models", run->models);
        rdv_buf_printf(b, "<dt>calls</dt><dd>%" PRIu64, run->n_calls);
        if (run->n_cached)
            rdv_buf_printf(b, ", %" PRIu64 " more answered by the journal", run->n_cached);
        if (run->n_failed)
            rdv_buf_printf(b, ", <b>%" PRIu64 " without a reply</b>", run->n_failed);
        rdv_buf_printf(b, "</dd><dt>tokens</dt><dd>%" PRIu64 " prompt, %" PRIu64 " completion</dd>",
                       run->prompt_tokens, run->completion_tokens);
    }
    if (!isnan(run->cost))
        rdv_buf_printf(b, "<dt>cost</dt><dd>$%.4f</dd>", run->cost);
    rdv_buf_printf(b, "<dt>time</dt><dd>%.2f s</dd>", run->seconds);
    rdv_buf_lit(b, "</dl></section>");
}

void html_summary(const rdv_html *html, const rdv_html_run *run, rdv_buf *b)
{
    const html_counts *c = &html->count;
    if (run->incomplete)
        rdv_buf_lit(b, "<p class=\"banner\"><b>Incomplete.</b> The run ended before its end; this "
                       "report has what was done until then.</p>");
    rdv_buf_lit(b, "<div class=\"cards\">");
    votes(b, c);
    repairs(b, c);
    if (c->chains)
        chains(b, c);
    steps(b, c);
    calculations(b, c);
    answers(b, c);
    failures(b, html);
    facts(html, run, b);
    rdv_buf_lit(b, "</div>");
}
