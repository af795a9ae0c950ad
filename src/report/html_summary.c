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

/* A link to the chains that a filter shows; flag == 0: none. */
static void link_open(rdv_buf *b, int flag)
{
    if (flag)
        rdv_buf_printf(b, "<a href=\"#chains\" data-show=\"%d\">", flag);
}

static void link_close(rdv_buf *b, int flag)
{
    if (flag)
        rdv_buf_lit(b, "</a>");
}

/* One row of a list of counts, with its share as a bar, and a link to its chains. */
static void row(rdv_buf *b, const char *class, const char *sign, const char *name, uint64_t n,
                uint64_t of, int flag, const char *means)
{
    flag = n ? flag : 0;
    rdv_buf_printf(b, "<li class=\"%s\"><span class=\"name\"><span class=\"sign\">%s</span> ",
                   class, sign);
    link_open(b, flag);
    rdv_buf_add(b, rdv_str_of(name));
    link_close(b, flag);
    rdv_buf_printf(b, "</span><span class=\"num\">%" PRIu64 "</span>", n);
    if (of)
        html_share(b, (double)n / (double)of, class);
    if (means)
        rdv_buf_printf(b, "<span class=\"means\">%s</span>", means);
    rdv_buf_lit(b, "</li>");
}

static void chains(rdv_buf *b, const html_counts *c)
{
    static const struct {
        html_finding is;
        word word;
        int flag;
        const char *name, *means, *judged; /* judged: the name where nothing is proven, or NULL */
    } rows[] = {{HTML_IS_WRONG, WORD_WRONG, HTML_WRONG, "with a wrong step", NULL,
                 "with a step judged wrong"},
                {HTML_IS_RIGHT, WORD_RIGHT, HTML_RIGHT, "all right that was checked", NULL,
                 "all that was checked judged right"},
                {HTML_IS_GAPS, WORD_UNDECIDED, HTML_UNREAD | HTML_UNDECIDED, "no wrong step found",
                 "But not all could be read and decided, or was used.", "no step judged wrong"},
                {HTML_IS_UNREAD, WORD_UNREAD, HTML_UNREAD, "not read", NULL, NULL},
                {HTML_IS_UNDECIDED, WORD_UNDECIDED, HTML_UNDECIDED, "undecided", NULL, NULL},
                {HTML_IS_UNUSED, WORD_UNUSED, HTML_UNUSED, "not used", NULL, NULL},
                {HTML_IS_CORRECTED, WORD_CORRECTED, HTML_CORRECTED, "corrected later", NULL, NULL},
                {HTML_IS_NOTHING, WORD_NOTHING, HTML_NOTHING, "nothing to check", NULL, NULL}};
    uint64_t checked = 0;
    for (size_t i = HTML_IS_WRONG; i < HTML_N_FINDINGS; i++)
        checked += c->found[i];
    card_open(b, "Solutions");
    big(b, c->chains, c->chains == 1 ? "solution" : "solutions", "");
    rdv_buf_lit(b, "<ul class=\"counts\">");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const word_row *of = word_row_of(rows[i].word, !c->words.judged);
        const char *name = c->words.judged && rows[i].judged ? rows[i].judged : rows[i].name;
        if (c->found[rows[i].is])
            row(b, of->id, of->mark, name, c->found[rows[i].is], checked, rows[i].flag,
                rows[i].means);
    }
    rdv_buf_lit(b, "</ul>");
    if (c->found[HTML_SKIPPED])
        rdv_buf_printf(b,
                       "<p class=\"fine\">%" PRIu64 " not checked, because they could no longer "
                       "change the vote</p>",
                       c->found[HTML_SKIPPED]);
    if (c->partial)
        rdv_buf_printf(b, "<p class=\"fine\">%" PRIu64 " not finished: the run ended before</p>",
                       c->partial);
    card_close(b);
}

static void steps(rdv_buf *b, const html_counts *c)
{
    static const int flags[N_WORDS] = {[WORD_WRONG] = HTML_WRONG,
                                       [WORD_UNREAD] = HTML_UNREAD,
                                       [WORD_CORRECTED] = HTML_CORRECTED,
                                       [WORD_UNUSED] = HTML_UNUSED,
                                       [WORD_UNDECIDED] = HTML_UNDECIDED};
    uint64_t all = 0;
    for (size_t i = 0; i < N_WORDS; i++)
        all += c->words.is[i];
    if (!all)
        return;
    card_open(b, "Steps");
    big(b, all, all == 1 ? "step" : "steps", "");
    rdv_buf_lit(b, "<ul class=\"counts\">");
    for (size_t i = 0; i < N_WORDS; i++) {
        const word_row *of = word_row_of((word)i, !c->words.judged);
        if (c->words.is[i])
            row(b, of->id, of->mark, of->name, c->words.is[i], all, flags[i], of->means);
    }
    rdv_buf_lit(b, "</ul>");
    card_close(b);
}

static void calculations(rdv_buf *b, const html_counts *c)
{
    const rdv_coverage *is = &c->words.coverage;
    size_t all = coverage_all(is);
    if (!all)
        return;
    card_open(b, "Calculations");
    rdv_buf_printf(b, "<p class=\"big\"><b>%zu</b> of %zu checked</p><ul class=\"counts\">",
                   is->checked, all);
    if (is->undecided)
        row(b, "undecided", "?", "undecided", is->undecided, all, HTML_UNDECIDED, NULL);
    if (coverage_unread(is))
        row(b, "unread", "∅", "not read", coverage_unread(is), all, HTML_UNREAD,
            "It looks like a calculation; nothing was decided about it.");
    for (size_t i = 0; i < RDV_N_UNREAD_REASONS; i++)
        if (is->unread[i])
            row(b, "of", "", coverage_reason_words((rdv_unread_reason)i, is->unread[i] != 1),
                is->unread[i], 0, 0, NULL);
    rdv_buf_lit(b, "</ul>");
    card_close(b);
}

static void answers(rdv_buf *b, const html_counts *c)
{
    uint64_t graded = c->answer_right + c->answer_wrong + c->answer_untold;
    if (!graded)
        return;
    card_open(b, "Answers");
    rdv_buf_printf(b, "<p class=\"big\"><b>%" PRIu64 "</b> of %" PRIu64 " right</p>",
                   c->answer_right, graded);
    rdv_buf_lit(b, "<ul class=\"counts\">");
    row(b, "right", "✓", "right", c->answer_right, graded, HTML_ANSWER_RIGHT, NULL);
    row(b, "wrong", "✗", "wrong", c->answer_wrong, graded, HTML_ANSWER_WRONG, NULL);
    if (c->answer_untold)
        row(b, "undecided", "?", "cannot be told", c->answer_untold, graded, 0,
            "Whether the answer is the gold answer cannot be told.");
    if (c->answer_unknown)
        row(b, "undecided", "?", "not known", c->answer_unknown, 0, 0,
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
        row(b, "nothing", "=", "right by majority alone", c->majority_right, c->majority_graded, 0,
            NULL);
    row(b, "turned", "⇄", "turned", c->turned, c->results, HTML_TURNED,
        "The vote chose another answer than the majority.");
    if (c->result_answered && c->result_answered < c->result_graded)
        row(b, "right", "✓", "right of those answered", c->result_right, c->result_answered, 0,
            NULL);
    if (c->no_answer)
        row(b, "undecided", "?", "no answer", c->no_answer, c->results, 0,
            "No chain had an answer that could be read and weighed.");
    if (c->no_reply)
        row(b, "undecided", "?", "calls failed", c->no_reply, c->results, 0,
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

static void failures(rdv_buf *b, const html_counts *c)
{
    uint64_t all = c->failed + c->unread;
    if (!all)
        return;
    card_open(b, "Failed or unread");
    big(b, all, all == 1 ? "record" : "records", "bad");
    rdv_buf_lit(b, "<ul class=\"counts\">");
    row(b, "unread", "∅", "not read", c->unread, all, HTML_FAILED, "The input is not a record.");
    row(b, "undecided", "?", "failed", c->failed, all, HTML_FAILED,
        "The record could not be processed.");
    rdv_buf_lit(b, "</ul><p class=\"fine\">They are not counted as wrong.</p>");
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

/* ---- the headline ---------------------------------------------------------------------------- */

/* The filter that a part of the sentence counts: first what is wrong, then what was not checked. */
static int flag_of_part(const rdv_html *html, size_t part)
{
    static const int flags[2][2] = {{HTML_WRONG, 0}, {HTML_UNREAD, HTML_UNDECIDED}};
    for (size_t i = 0; part < 2 && i < 2; i++)
        if (flags[part][i] && html_count_flag(html, flags[part][i]))
            return flags[part][i];
    return 0;
}

/* A sentence whose parts, divided by ";", are links to the chains that they count. */
static void sentence(const rdv_html *html, rdv_str text, rdv_buf *b)
{
    rdv_buf_lit(b, "<p class=\"headline\">");
    for (size_t at = 0, part = 0; at < text.len; part++) {
        size_t end = rdv_find(text, RDV_STR("; "), at);
        size_t to = end == RDV_NOT_FOUND ? text.len : end;
        bool point = to > at && text.p[to - 1] == '.';
        int flag = flag_of_part(html, part);
        link_open(b, flag);
        html_text(b, rdv_slice(text, at, to - point));
        link_close(b, flag);
        rdv_buf_add(b, end == RDV_NOT_FOUND ? RDV_STR(".") : RDV_STR("; "));
        at = end == RDV_NOT_FOUND ? text.len : end + 2;
    }
    rdv_buf_lit(b, "</p>");
}

/* "4 undecided; 12 not read: 9 decimal commas": what was not checked, if anything. */
static void not_checked(const html_counts *c, rdv_buf *b, rdv_arena *arena)
{
    rdv_str lacks = coverage_lacks(&c->words.coverage, arena);
    b->failed |= !lacks.p;
    if (!lacks.len)
        return;
    rdv_buf_lit(b, "<p class=\"lacks\">");
    html_text(b, lacks);
    rdv_buf_lit(b, "</p>");
}

#define NOTES_OPEN 3

/* What was told of the input, such as words of another language; many are folded. */
static void notes(const rdv_html_run *run, rdv_buf *b)
{
    bool fold = run->n_notes > NOTES_OPEN;
    if (fold)
        rdv_buf_printf(b, "<details class=\"notes\"><summary>%zu notes on the input</summary>",
                       run->n_notes);
    for (size_t i = 0; i < run->n_notes; i++) {
        rdv_buf_lit(b, "<p class=\"note\">");
        html_prose(b, run->notes[i]);
        rdv_buf_lit(b, "</p>");
    }
    if (fold)
        rdv_buf_lit(b, "</details>");
}

static void vote_line(const html_counts *c, rdv_buf *b)
{
    if (!c->results)
        return;
    rdv_buf_printf(b, "<p class=\"%s\">", c->words.solutions ? "second" : "headline");
    if (c->result_graded)
        rdv_buf_printf(b, "The vote is right on %" PRIu64 " of %" PRIu64 " question%s",
                       c->result_right, c->result_graded, c->result_graded == 1 ? "" : "s");
    else
        rdv_buf_printf(b, "A vote on %" PRIu64 " question%s", c->results,
                       c->results == 1 ? "" : "s");
    if (c->majority_graded)
        rdv_buf_printf(b, "; the majority alone on %" PRIu64, c->majority_right);
    rdv_buf_lit(b, ".</p>");
}

static void repair_line(const html_counts *c, rdv_buf *b)
{
    if (!c->repaired)
        return;
    rdv_buf_printf(b,
                   "<p class=\"second\">The repair changed %" PRIu64 " of %" PRIu64 " solution%s",
                   c->changed, c->repaired, c->repaired == 1 ? "" : "s");
    if (c->repair_graded)
        rdv_buf_printf(b, "; right before: %" PRIu64 ", after: %" PRIu64, c->before_right,
                       c->after_right);
    rdv_buf_lit(b, ".</p>");
}

void html_headline(const rdv_html *html, const rdv_html_run *run, rdv_buf *b)
{
    const html_counts *c = &html->count;
    uint64_t failed = c->failed + c->unread;
    if (run->incomplete)
        rdv_buf_lit(b, "<p class=\"banner\"><b>Incomplete.</b> The run ended before its end; this "
                       "report has what was done until then.</p>");
    rdv_str says = word_counts_sentence(&c->words, html->scratch);
    b->failed |= !says.p;
    if (says.len)
        sentence(html, says, b);
    else if (!c->results)
        rdv_buf_printf(b, "<p class=\"headline\">%" PRIu64 " solution%s, none of them checked.</p>",
                       c->chains, c->chains == 1 ? "" : "s");
    vote_line(c, b);
    repair_line(c, b);
    not_checked(c, b, html->scratch);
    notes(run, b);
    if (failed)
        rdv_buf_printf(b,
                       "<p class=\"lacks\"><a href=\"#chains\" data-show=\"%d\">%" PRIu64
                       " record%s</a> failed or could not be read.</p>",
                       HTML_FAILED, failed, failed == 1 ? "" : "s");
}

void html_summary(const rdv_html *html, const rdv_html_run *run, rdv_buf *b)
{
    const html_counts *c = &html->count;
    rdv_buf_lit(b, "<div class=\"cards\">");
    votes(b, c);
    repairs(b, c);
    if (c->chains)
        chains(b, c);
    steps(b, c);
    calculations(b, c);
    answers(b, c);
    failures(b, c);
    facts(html, run, b);
    rdv_buf_lit(b, "</div>");
}
