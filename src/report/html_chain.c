/* SPDX-License-Identifier: Apache-2.0 */
/* One chain: its answer, its steps with their verdicts, and what these rest on. */
#include "report/html_parts.h"

#include <rederive/data.h>

#include "base/str.h"
#include "data/members.h"
#include "chain/coverage.h"
#include "chain/evidence.h"
#include "report/html_markdown.h"
#include "report/html_text.h"
#include "report/verdicts.h"
#include "report/wrong.h"
#include "text/block.h"

#include <math.h>

typedef struct view {
    rdv_buf *b;
    size_t n_reasoning; /* the first steps are those of the reasoning */
    const rdv_html_chain *of;
    const rdv_chain *chain;
    const rdv_check *check; /* the last one, or NULL */
    const html_found *found;
    rdv_str anchor;
    rdv_arena *scratch;
} view;

/* ---- verdicts -------------------------------------------------------------------------------- */

/* The mark and the word of a verdict, as an element. */
static void put_verdict(rdv_buf *b, const rdv_check *check, const rdv_verdict *verdict)
{
    const word_row *row = word_row_of(word_of(check, verdict), word_proves(check));
    rdv_buf_printf(b,
                   "<span class=\"verdict %s\" title=\"%s\"><span class=\"sign\">%s</span> "
                   "<span class=\"word\">%s</span></span>",
                   row->id, row->means, row->mark, row->name);
}

void html_share(rdv_buf *b, double share, const char *class)
{
    if (isnan(share))
        return;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    rdv_buf_printf(b,
                   "<svg class=\"share %s\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
                   "aria-hidden=\"true\"><rect class=\"rest\" width=\"100\" height=\"8\"/>"
                   "<rect class=\"part\" width=\"%.1f\" height=\"8\"/></svg>",
                   class, 100 * share);
}

/* ---- wrong calculations ---------------------------------------------------------------------- */

/* The text of a step, in which wrong calculations are marked. */
static void marked(const view *v, rdv_str step, const rdv_verdict *verdict)
{
    const rdv_evidence *at = verdict ? rdv_wrong_first(verdict) : NULL, *from = at;
    rdv_wrong wrong;
    size_t n = 0, done = 0;
    while (rdv_wrong_next(&at, step, &wrong))
        n++;
    rdv_span *marks = RDV_NEW_ARRAY(v->scratch, rdv_span, n + 1);
    v->b->failed |= !marks;
    for (n = 0; marks && rdv_wrong_next(&from, step, &wrong);) {
        size_t begin = wrong.begin < done ? done : wrong.begin; /* equalities share a side */
        if (begin >= wrong.end)
            continue;
        marks[n++] = (rdv_span){begin, wrong.end};
        done = wrong.end;
    }
    html_markdown(v->b, step, marks, n);
}

/* Is it LaTeX that stands in a formula, without the signs around it? */
static bool is_inside_formula(rdv_str text)
{
    for (size_t i = rdv_find_char(text, '\\', 0); i != RDV_NOT_FOUND;
         i = rdv_find_char(text, '\\', i + 1))
        if (rdv_is_alpha(rdv_char_at(text, i + 1)))
            return rdv_find_char(text, '$', 0) == RDV_NOT_FOUND && !text_holds_words(text) &&
                   html_is_plain(text);
    return false;
}

/* A calculation or a value: a formula is drawn as one, in one line whatever its lines were. */
static void put_mathematics(rdv_buf *b, rdv_str text)
{
    if (!is_inside_formula(text)) {
        html_prose(b, text);
        return;
    }
    rdv_buf_lit(b, HTML_FORMULA "\">");
    for (size_t i = 0, end; i < text.len; i = end) {
        size_t row = rdv_find(text, RDV_STR("\\\\"), i), cell = rdv_find_char(text, '&', i);
        end = row < cell ? row : cell;
        html_prose(b, rdv_slice(text, i, end));
        end = end == RDV_NOT_FOUND ? text.len : end + (row < cell ? 2 : 1);
    }
    rdv_buf_lit(b, "</span>");
}

/* "17 × 24 = 398, should be 408". */
static size_t corrections(const view *v, rdv_str step, const rdv_verdict *verdict)
{
    const rdv_evidence *at = verdict ? rdv_wrong_first(verdict) : NULL;
    rdv_wrong wrong;
    size_t n = 0;
    while (rdv_wrong_next(&at, step, &wrong)) {
        rdv_str right = rdv_wrong_right(&wrong, v->scratch);
        v->b->failed |= wrong.value.p && !right.p;
        if (!right.p)
            continue;
        rdv_buf_lit(v->b, "<p class=\"fix\"><del>");
        rdv_str said = rdv_wrong_said(&wrong, step, v->scratch);
        v->b->failed |= !said.p;
        put_mathematics(v->b, said);
        rdv_buf_printf(v->b, "</del>%s<ins>", rdv_wrong_joins(&wrong));
        put_mathematics(v->b, right);
        rdv_buf_lit(v->b, "</ins></p>");
        n++;
    }
    return n;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void anchor_of(const view *v, size_t step)
{
    rdv_buf_add(v->b, v->anchor);
    if (step != RDV_WHOLE_CHAIN)
        rdv_buf_printf(v->b, ":%zu", step);
}

/* The verdicts of the other methods, in a line. */
static void other_checks(const view *v, size_t step, size_t *next)
{
    const rdv_chain *chain = v->chain;
    bool begun = false;
    for (size_t i = 0; i + 1 < chain->n_checks; i++) {
        const rdv_check *check = &chain->checks[i];
        const rdv_verdict *verdict = rdv_verdict_on(check, step, &next[i]);
        if (!verdict || rdv_check_is_replaced(chain, check))
            continue;
        rdv_buf_add(v->b, begun ? RDV_STR(" ") : RDV_STR("<p class=\"others\">"));
        begun = true;
        rdv_buf_lit(v->b, "<span class=\"other\">");
        html_text(v->b, check->method);
        rdv_buf_lit(v->b, " ");
        put_verdict(v->b, check, verdict);
        if (!isnan(verdict->score) && !word_proves(check))
            rdv_buf_printf(v->b, " %.2f", verdict->score);
        rdv_buf_lit(v->b, "</span>");
    }
    if (begun)
        rdv_buf_lit(v->b, "</p>");
}

static bool has_evidence(const rdv_verdict *verdict)
{
    return verdict && verdict->evidence && verdict->evidence->first;
}

static bool is_asked_about(const view *v, size_t step)
{
    return html_asked(v->of->exchanges, v->of->n_exchanges, step);
}

static void evidence(const view *v, const rdv_verdict *verdict, size_t step)
{
    bool asked = is_asked_about(v, step);
    if (!has_evidence(verdict) && !asked)
        return;
    rdv_buf_add(v->b, verdict ? RDV_STR("<details class=\"evidence\"><summary>Evidence</summary>")
                              : RDV_STR("<details class=\"evidence\"><summary>Requests and "
                                        "replies</summary>"));
    if (has_evidence(verdict))
        html_evidence(v->b, verdict->evidence);
    if (asked)
        html_exchanges(v->b, v->of->exchanges, v->of->n_exchanges, step);
    rdv_buf_lit(v->b, "</details>");
}

static void reason(const view *v, const rdv_verdict *verdict)
{
    if (!verdict || verdict->why.len == 0)
        return;
    rdv_buf_lit(v->b, "<p class=\"why\">");
    html_prose(v->b, verdict->why);
    rdv_buf_lit(v->b, "</p>");
}

static void step(const view *v, size_t i, const rdv_verdict *verdict, size_t *next)
{
    rdv_buf *b = v->b;
    rdv_buf_printf(b, "<li class=\"step %s\" id=\"",
                   verdict ? word_row_of(word_of(v->check, verdict), word_proves(v->check))->id
                           : "nothing");
    anchor_of(v, i);
    rdv_buf_lit(b, "\"><div class=\"side\"><a class=\"n\" href=\"#");
    anchor_of(v, i);
    rdv_buf_printf(b, "\">%zu</a> ", i);
    if (verdict)
        put_verdict(b, v->check, verdict);
    if (i < v->n_reasoning)
        rdv_buf_lit(b, " <span class=\"reasoning\">reasoning</span>");
    rdv_buf_lit(b, "</div><div class=\"body\"><div class=\"text\">");
    rdv_str text = rdv_trim_end(v->chain->steps[i]);
    marked(v, text.len ? text : RDV_STR("(empty)"), verdict);
    rdv_buf_lit(b, "</div>");
    if (corrections(v, v->chain->steps[i], verdict) == 0)
        reason(v, verdict);
    if (v->chain->label.kind == RDV_LABEL_AT && v->chain->label.step == i)
        rdv_buf_lit(b, "<p class=\"label\">labelled as the first wrong step</p>");
    other_checks(v, i, next);
    evidence(v, verdict, i);
    rdv_buf_lit(b, "</div></li>");
}

/* Long stretches of steps without a finding are folded, but for those beside one. */
#define FOLD_MIN 8
#define FOLD_BESIDE 1

static bool is_finding(const view *v, size_t i, const rdv_verdict *verdict)
{
    word is = verdict ? word_of(v->check, verdict) : WORD_NOTHING;
    bool labelled = v->chain->label.kind == RDV_LABEL_AT && v->chain->label.step == i;
    return labelled || (is != WORD_NOTHING && is != WORD_RIGHT);
}

/* The first step from i on that is a finding, or the number of steps. at: see rdv_verdict_on(). */
static size_t next_finding(const view *v, size_t i, size_t at)
{
    while (i < v->chain->n_steps && !is_finding(v, i, rdv_verdict_on(v->check, i, &at)))
        i++;
    return i;
}

static void fold_open(const view *v, size_t first, size_t end, size_t at)
{
    size_t right = 0;
    for (size_t i = first; i < end; i++) {
        const rdv_verdict *verdict = rdv_verdict_on(v->check, i, &at);
        right += verdict && verdict->kind == RDV_SUPPORT;
    }
    size_t nothing = end - first - right;
    rdv_buf_printf(v->b, "<li class=\"fold\"><details><summary>steps %zu to %zu: ", first, end - 1);
    if (right)
        rdv_buf_printf(v->b, "%zu %s%s", right, word_row_of(WORD_RIGHT, v->found->proves)->name,
                       nothing ? ", " : "");
    if (nothing)
        rdv_buf_printf(v->b, "%zu with nothing to check", nothing);
    rdv_buf_printf(v->b, "</summary><ol class=\"steps\" start=\"%zu\">", first);
}

static void steps(const view *v, size_t *next)
{
    size_t n = v->chain->n_steps, at = 0, fold = n, fold_end = n;
    size_t finding = next_finding(v, 0, 0);
    bool folds = finding < n;
    rdv_buf_lit(v->b, "<ol class=\"steps\" start=\"0\">");
    for (size_t i = 0; i < n; i++) {
        if (folds && (i == 0 || i == finding + 1)) { /* a stretch begins, up to the next finding */
            finding = next_finding(v, i, at);
            fold = i ? i + FOLD_BESIDE : 0;
            fold_end = finding < n ? finding - (finding < FOLD_BESIDE ? finding : FOLD_BESIDE) : n;
            if (fold + FOLD_MIN > fold_end)
                fold = fold_end = n;
        }
        if (i == fold)
            fold_open(v, fold, fold_end, at);
        step(v, i, rdv_verdict_on(v->check, i, &at), next);
        if (i + 1 == fold_end && fold < n)
            rdv_buf_lit(v->b, "</ol></details></li>");
    }
    rdv_buf_lit(v->b, "</ol>");
}

/* A verdict on the chain as a whole. */
static void whole(const view *v)
{
    const rdv_check *check = v->check;
    bool is = check && check->n_verdicts == 1 && check->verdicts[0].step == RDV_WHOLE_CHAIN;
    const rdv_verdict *verdict = is ? &check->verdicts[0] : NULL;
    if (!verdict && !is_asked_about(v, RDV_WHOLE_CHAIN))
        return;
    rdv_buf_lit(v->b, "<div class=\"whole\">");
    if (verdict) {
        rdv_buf_lit(v->b, "<p>The whole chain: ");
        put_verdict(v->b, check, verdict);
        rdv_buf_lit(v->b, "</p>");
    }
    reason(v, verdict);
    evidence(v, verdict, RDV_WHOLE_CHAIN);
    rdv_buf_lit(v->b, "</div>");
}

/* ---- the head -------------------------------------------------------------------------------- */

/* What is proven wrong is said to be so, and not by a number. */
static void confidence(const view *v)
{
    rdv_buf *b = v->b;
    bool proven = v->found->is == HTML_IS_WRONG && v->found->proves;
    if (v->check && !isnan(v->check->confidence) && !proven) {
        rdv_buf_printf(b, "<span class=\"fact\">confidence <b>%.2f</b>", v->check->confidence);
        html_share(b, v->check->confidence, "");
        rdv_buf_lit(b, "</span>");
    }
    if (v->check && v->check->coverage && coverage_all(v->check->coverage)) {
        rdv_str says = coverage_says(v->check->coverage, v->scratch);
        b->failed |= !says.p;
        rdv_buf_printf(b, "<span class=\"fact\">%.*s</span>", RDV_FMT(says));
    }
    if (!isnan(v->of->weight))
        rdv_buf_printf(b, "<span class=\"fact\">weight in the vote <b>%.3g</b></span>",
                       v->of->weight);
}

static void answer(const view *v, const rdv_grade *grade)
{
    static const char *const words[] = {"", " <span class=\"badge wrong\">✗ wrong</span>",
                                        " <span class=\"badge right\">✓ right</span>",
                                        " <span class=\"badge undecided\">? cannot be told</span>"};
    rdv_buf *b = v->b;
    rdv_buf_lit(b, "<span class=\"fact\">answer <b>");
    if (grade->shown.p)
        html_prose(b, grade->shown);
    else if (v->chain->answer.p)
        html_prose(b, v->chain->answer);
    else
        rdv_buf_lit(b, "none read");
    rdv_buf_lit(b, "</b>");
    if (v->chain->question.gold.p && grade->correct == 0) {
        rdv_buf_lit(b, ", gold <b>");
        html_prose(b, v->chain->question.gold);
        rdv_buf_lit(b, "</b>");
    }
    rdv_buf_add(b, rdv_str_of(words[grade->untold ? 3 : grade->correct + 1]));
    rdv_buf_lit(b, "</span>");
}

static void head(const view *v, const rdv_grade *grade)
{
    rdv_buf *b = v->b;
    rdv_buf_lit(b, "<header><h3><a href=\"#");
    anchor_of(v, RDV_WHOLE_CHAIN);
    rdv_buf_lit(b, "\">");
    html_prose(b, v->chain->id.p ? v->chain->id : RDV_STR("chain"));
    rdv_buf_lit(b, "</a></h3>");
    html_badge(b, v->found, v->chain, v->anchor);
    answer(v, grade);
    confidence(v);
    if (v->check) {
        rdv_buf_lit(b, "<span class=\"fact method\">");
        html_text(b, v->check->method);
        rdv_buf_lit(b, "</span>");
    }
    rdv_buf_lit(b, "</header>");
}

/* A whole number of a record; 0 where it is none. */
static size_t count_of(rdv_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len && n < RDV_MAX_STEPS; i++) {
        if (!rdv_is_digit(text.p[i]))
            return 0;
        n = 10 * n + (size_t)(text.p[i] - '0');
    }
    return n;
}

/* What a reasoning model wrote before its answer. Its steps are among the chain's if it was
 * checked; else it is shown as it is, folded. */
static void reasoning(view *v)
{
    rdv_str text = {0}, count;
    if (!v->chain->raw.p)
        return;
    if (rdv_chain_member(v->chain, RDV_STR("n_reasoning_steps"), &count) == RDV_OK)
        v->n_reasoning = count_of(count);
    if (v->n_reasoning ||
        rdv_chain_text(v->chain, RDV_STR("reasoning"), v->scratch, &text) != RDV_OK || !text.len)
        return;
    rdv_buf_lit(v->b, "<details class=\"evidence\"><summary>Reasoning, not checked</summary><pre>");
    html_prose(v->b, text);
    rdv_buf_lit(v->b, "</pre></details>");
}

void html_chain(rdv_buf *b, const rdv_html_chain *chain, const html_found *found,
                const rdv_grade *grade, rdv_str anchor, rdv_arena *scratch)
{
    const rdv_chain *of = chain->chain;
    view v = {
        .b = b, .of = chain, .chain = of, .found = found, .anchor = anchor, .scratch = scratch};
    v.check = of->n_checks ? &of->checks[of->n_checks - 1] : NULL;
    size_t *next = RDV_NEW_ARRAY(scratch, size_t, of->n_checks + 1);
    if (!next) {
        b->failed = true;
        return;
    }
    head(&v, grade);
    if (of->unfinished.p) {
        rdv_buf_lit(b, "<p class=\"why\">Incomplete: ");
        html_prose(b, of->unfinished);
        rdv_buf_lit(b, "</p>");
    }
    reasoning(&v);
    if (chain->repaired)
        html_repair(b, chain);
    whole(&v);
    steps(&v, next);
}

void html_article_open(rdv_buf *b, const html_entry *entry, rdv_str anchor, size_t question)
{
    rdv_buf_lit(b, "<article class=\"chain\" id=\"");
    rdv_buf_add(b, anchor);
    rdv_buf_printf(b, "\" data-flags=\"%d\" data-set=\"%d\" data-method=\"%d\">", entry->flags,
                   entry->dataset, entry->method);
}
