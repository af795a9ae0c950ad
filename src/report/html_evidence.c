/* SPDX-License-Identifier: Apache-2.0 */
/* What a verdict rests on: the results of the stages, and what was asked and replied. */
#include "report/html_parts.h"

#include "base/str.h"
#include "report/html_text.h"

#include <math.h>

/* Names of evidence in words; others are shown as they are. */
static const struct {
    const char *name, *words;
} in_words[] = {
    {"calculations", "Calculations"},
    {"samples", "Samples"},
    {"variables", "Variables"},
    {"target", "What the step sets out to do"},
    {"collected", "What it rests on"},
    {"information", "sentences of the question"},
    {"steps", "steps"},
    {"regenerated", "The step done again without seeing it"},
    {"comparison", "Comparison of the two"},
    {"check", "Reply to the direct question"},
    {"response", "Reply"},
    {"conclusion", "conclusion"},
    {"satisfied", "satisfied"},
    {"error_probability", "Probability that the step is wrong"},
    {"contributions", "What the probability rests on"},
    {"native_calculations", "Calculations found without a model"},
    {"lhs", "left side"},
    {"op", ""},
    {"rhs", "right side"},
    {"value", "value"},
    {"outcome", "outcome"},
    {"text", "calculation"},
    {"n_tokens", "tokens"},
    {"logprob", "log-probability"},
    {"n_unparsed", "samples that could not be read"},
    {"n_undecided", "samples that decide nothing"},
    {"n_dropped", "left out"},
    {"corrected_step", "corrected in step"},
};

static rdv_str words_of(rdv_str name)
{
    for (size_t i = 0; i < sizeof in_words / sizeof *in_words; i++)
        if (rdv_str_eq(name, rdv_str_of(in_words[i].name)))
            return rdv_str_of(in_words[i].words);
    return name;
}

/* ---- evidence -------------------------------------------------------------------------------- */

#define MAX_DEPTH 8
#define MAX_COLUMNS 8

static void number(rdv_buf *b, double x)
{
    if (isnan(x))
        rdv_buf_lit(b, "not known");
    else
        rdv_buf_printf(b, "%.6g", x);
}

static void tree(rdv_buf *b, const rdv_evidence *e, int depth);

static void leaf(rdv_buf *b, const rdv_evidence *e)
{
    switch (e->type) {
    case RDV_EVIDENCE_TEXT:
        rdv_buf_lit(b, "<span class=\"said\">");
        html_prose(b, e->text);
        rdv_buf_lit(b, "</span>");
        break;
    case RDV_EVIDENCE_NUMBER:
        number(b, e->number);
        break;
    case RDV_EVIDENCE_FLAG:
        rdv_buf_add(b, e->number != 0 ? RDV_STR("yes") : RDV_STR("no"));
        break;
    case RDV_EVIDENCE_NULL:
        rdv_buf_lit(b, "not decided");
        break;
    case RDV_EVIDENCE_MAP:
    case RDV_EVIDENCE_LIST:
        break;
    }
}

static bool is_leaf(const rdv_evidence *e)
{
    return e->type != RDV_EVIDENCE_MAP && e->type != RDV_EVIDENCE_LIST;
}

/* Positions in a text are for programs: the text itself is marked. */
static bool is_position(const rdv_evidence *e)
{
    static const char *const names[] = {"start", "end", "corrected_start", "corrected_end"};
    return rdv_is_one_of(e->name, names, sizeof names / sizeof *names);
}

/* The columns of a list of maps of leaves; 0: it is something else. */
static size_t columns_of(const rdv_evidence *list, rdv_str columns[MAX_COLUMNS])
{
    size_t n = 0;
    for (const rdv_evidence *row = rdv_evidence_first(list); row; row = row->next) {
        if (row->type != RDV_EVIDENCE_MAP)
            return 0;
        for (const rdv_evidence *cell = rdv_evidence_first(row); cell; cell = cell->next) {
            size_t c = 0;
            while (c < n && !rdv_str_eq(columns[c], cell->name))
                c++;
            if (!is_leaf(cell) || (c == n && n == MAX_COLUMNS))
                return 0;
            if (c == n && !is_position(cell))
                columns[n++] = cell->name;
        }
    }
    return n;
}

static void rows(rdv_buf *b, const rdv_evidence *list, const rdv_str *columns, size_t n)
{
    rdv_buf_lit(b, "<div class=\"wide\"><table><thead><tr>");
    for (size_t c = 0; c < n; c++) {
        rdv_buf_lit(b, "<th>");
        html_text(b, words_of(columns[c]));
        rdv_buf_lit(b, "</th>");
    }
    rdv_buf_lit(b, "</tr></thead><tbody>");
    for (const rdv_evidence *row = rdv_evidence_first(list); row; row = row->next) {
        rdv_buf_lit(b, "<tr>");
        for (size_t c = 0; c < n; c++) {
            const rdv_evidence *cell = rdv_evidence_get(row, columns[c]);
            rdv_buf_lit(b, "<td>");
            if (cell)
                leaf(b, cell);
            rdv_buf_lit(b, "</td>");
        }
        rdv_buf_lit(b, "</tr>");
    }
    rdv_buf_lit(b, "</tbody></table></div>");
}

/* Leaves in one line: "0, 2". */
static bool all_leaves(const rdv_evidence *list)
{
    for (const rdv_evidence *e = rdv_evidence_first(list); e; e = e->next)
        if (!is_leaf(e) || e->type == RDV_EVIDENCE_TEXT)
            return false;
    return true;
}

static void items(rdv_buf *b, const rdv_evidence *list, int depth)
{
    rdv_str columns[MAX_COLUMNS];
    size_t n = columns_of(list, columns);
    if (!rdv_evidence_first(list)) {
        rdv_buf_lit(b, "none");
    } else if (n) {
        rows(b, list, columns, n);
    } else if (all_leaves(list)) {
        for (const rdv_evidence *e = rdv_evidence_first(list); e; e = e->next) {
            leaf(b, e);
            if (e->next)
                rdv_buf_lit(b, ", ");
        }
    } else {
        rdv_buf_lit(b, "<ol start=\"0\">");
        for (const rdv_evidence *e = rdv_evidence_first(list); e; e = e->next) {
            rdv_buf_lit(b, "<li>");
            tree(b, e, depth + 1);
            rdv_buf_lit(b, "</li>");
        }
        rdv_buf_lit(b, "</ol>");
    }
}

static void tree(rdv_buf *b, const rdv_evidence *e, int depth)
{
    if (depth > MAX_DEPTH) {
        rdv_buf_lit(b, "…");
    } else if (e->type == RDV_EVIDENCE_LIST) {
        items(b, e, depth);
    } else if (e->type == RDV_EVIDENCE_MAP) {
        rdv_buf_lit(b, "<dl>");
        for (const rdv_evidence *child = rdv_evidence_first(e); child; child = child->next) {
            if (is_position(child))
                continue;
            rdv_buf_lit(b, "<dt>");
            html_text(b, words_of(child->name));
            rdv_buf_lit(b, "</dt><dd>");
            tree(b, child, depth + 1);
            rdv_buf_lit(b, "</dd>");
        }
        rdv_buf_lit(b, "</dl>");
    } else {
        leaf(b, e);
    }
}

void html_evidence(rdv_buf *b, const rdv_evidence *evidence)
{
    tree(b, evidence, 0);
}

/* ---- requests and replies -------------------------------------------------------------------- */

static void exchange(rdv_buf *b, const rdv_exchange *e)
{
    rdv_buf_lit(b, "<details class=\"exchange\"><summary><span class=\"stage\">");
    html_text(b, e->stage);
    rdv_buf_lit(b, "</span> ");
    rdv_buf_add(b, e->reply.p ? RDV_STR("asked and replied") : RDV_STR("asked, no reply"));
    if (e->why.p)
        rdv_buf_lit(b, ", <strong>not read</strong>");
    rdv_buf_lit(b, "</summary><h5>Asked</h5><pre>");
    html_prose(b, e->asked);
    rdv_buf_lit(b, "</pre><h5>Replied</h5><pre>");
    html_prose(b, e->reply.p ? e->reply : RDV_STR("(nothing)"));
    rdv_buf_lit(b, "</pre>");
    if (e->why.p) {
        rdv_buf_lit(b, "<p class=\"why\">Not read: ");
        html_prose(b, e->why);
        rdv_buf_lit(b, "</p>");
    }
    rdv_buf_lit(b, "</details>");
}

/* The first exchange about a step or a later one. */
static size_t first_about(const rdv_exchange *exchanges, size_t n, size_t step)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (exchanges[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool html_asked(const rdv_exchange *exchanges, size_t n, size_t step)
{
    size_t i = first_about(exchanges, n, step);
    return i < n && exchanges[i].step == step;
}

void html_exchanges(rdv_buf *b, const rdv_exchange *exchanges, size_t n, size_t step)
{
    for (size_t i = first_about(exchanges, n, step); i < n && exchanges[i].step == step; i++)
        exchange(b, &exchanges[i]);
}
