/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "chain/coverage.h"
#include "report/paint.h"
#include "report/verdicts.h"
#include "report/wrong.h"

#include <inttypes.h>
#include <math.h>

#define DEFAULT_MAX_TEXT 4000
#define MAX_OPTIONS_SHOWN 26

typedef struct view {
    rdv_paint paint;
    rdv_arena *arena;
    size_t max_text;
    size_t gutter; /* columns before the text of a step */
} view;

/* ---- texts ----------------------------------------------------------------------------------- */

static void show_text(view *v, rdv_str text, rdv_style style, const rdv_span *spans, size_t n)
{
    text = rdv_trim_end(text);
    rdv_str head = rdv_str_head(text, v->max_text);
    rdv_paint_text(&v->paint, head, style, spans, n);
    if (head.len < text.len)
        rdv_paint_textf(&v->paint, RDV_DIM, " (%zu more bytes)", text.len - head.len);
}

static void begin_block(view *v, size_t indent)
{
    v->paint.indent = indent;
    rdv_paint_to(&v->paint, indent);
}

/* ---- evidence -------------------------------------------------------------------------------- */

/* The wrong calculations of a step as spans of its text, in ascending order; entries out of order
 * are skipped. RDV_OK or RDV_E_NOMEM. */
static int find_spans(view *v, rdv_str step, const rdv_verdict *verdict, rdv_span **out, size_t *n)
{
    const rdv_evidence *at = rdv_wrong_first(verdict);
    rdv_span *spans = NULL;
    rdv_wrong wrong;
    size_t n_spans = 0, cap = 0;
    while (rdv_wrong_next(&at, step, &wrong)) {
        size_t begin = wrong.begin;
        if (n_spans && begin < spans[n_spans - 1].end)
            begin = spans[n_spans - 1].end; /* consecutive equalities share a side */
        if (begin >= wrong.end)
            continue;
        if (!RDV_PUSH_ROOM(v->arena, spans, n_spans, cap))
            return RDV_E_NOMEM;
        spans[n_spans++] = (rdv_span){begin, wrong.end};
    }
    *out = spans;
    *n = n_spans;
    return RDV_OK;
}

/* Writes a line for each wrong calculation: the calculation and its right value. */
static void show_corrections(view *v, rdv_str step, const rdv_verdict *verdict)
{
    const rdv_evidence *at = rdv_wrong_first(verdict);
    rdv_wrong wrong;
    while (rdv_wrong_next(&at, step, &wrong)) {
        rdv_str right = rdv_wrong_right(&wrong, v->arena);
        v->paint.out.failed |= wrong.value.p && !right.p;
        if (!right.p)
            continue;
        begin_block(v, v->gutter + 2);
        show_text(v, rdv_slice(step, wrong.begin, wrong.end), RDV_RED, NULL, 0);
        rdv_paint_textf(&v->paint, RDV_DIM, "  should be");
        rdv_paint_lit(&v->paint, " ", RDV_PLAIN);
        show_text(v, right, RDV_GREEN, NULL, 0);
        rdv_paint_end_line(&v->paint);
    }
}

/* ---- parts of the view ----------------------------------------------------------------------- */

static void show_head(view *v, const rdv_chain *chain, const rdv_check *check)
{
    rdv_paint *p = &v->paint;
    p->indent = 2;
    show_text(v, chain->id.p ? chain->id : RDV_STR("chain"), RDV_BOLD, NULL, 0);
    if (check) {
        rdv_paint_lit(p, "  ", RDV_PLAIN);
        show_text(v, check->method, RDV_DIM, NULL, 0);
    }
    rdv_paint_end_line(p);
}

static void show_question(view *v, const rdv_question *q)
{
    if (q->text.p) {
        begin_block(v, 2);
        show_text(v, q->text, RDV_PLAIN, NULL, 0);
        rdv_paint_end_line(&v->paint);
    }
    for (size_t i = 0; i < q->n_options && i < MAX_OPTIONS_SHOWN; i++) {
        begin_block(v, 2);
        rdv_paint_putf(&v->paint, RDV_DIM, "(%c) ", (char)('A' + i));
        v->paint.indent = 6;
        show_text(v, q->options[i], RDV_PLAIN, NULL, 0);
        rdv_paint_end_line(&v->paint);
    }
    rdv_paint_end_line(&v->paint);
}

static void show_why(view *v, const rdv_verdict *verdict)
{
    if (!verdict->why.p || verdict->why.len == 0)
        return;
    begin_block(v, v->gutter + 2);
    show_text(v, verdict->why, RDV_DIM, NULL, 0);
    rdv_paint_end_line(&v->paint);
}

static int show_step(view *v, const rdv_chain *chain, size_t step, const rdv_verdict *verdict)
{
    rdv_paint *p = &v->paint;
    rdv_span *spans = NULL;
    size_t n_spans = 0;
    if (verdict && find_spans(v, chain->steps[step], verdict, &spans, &n_spans) != RDV_OK)
        return RDV_E_NOMEM;
    if (verdict)
        rdv_paint_put(p, rdv_verdict_mark(verdict->kind, p->ascii),
                      rdv_verdict_style(verdict->kind));
    rdv_paint_to(p, 2);
    rdv_paint_putf(p, RDV_DIM, "%*zu", (int)(v->gutter - 4), step);
    begin_block(v, v->gutter);
    show_text(v, chain->steps[step], RDV_PLAIN, spans, n_spans);
    if (step < chain->n_reasoning_steps)
        rdv_paint_textf(&v->paint, RDV_DIM, "  [reasoning]");
    if (chain->label.kind == RDV_LABEL_AT && chain->label.step == step)
        rdv_paint_textf(&v->paint, RDV_DIM, "  [labelled as the first wrong step]");
    rdv_paint_end_line(p);
    if (verdict && n_spans)
        show_corrections(v, chain->steps[step], verdict);
    else if (verdict && verdict->kind != RDV_SUPPORT)
        show_why(v, verdict);
    return RDV_OK;
}

static void show_whole(view *v, const rdv_check *check)
{
    if (!check || check->n_verdicts != 1 || check->verdicts[0].step != RDV_WHOLE_CHAIN)
        return;
    const rdv_verdict *verdict = &check->verdicts[0];
    rdv_paint_put(&v->paint, rdv_verdict_mark(verdict->kind, v->paint.ascii),
                  rdv_verdict_style(verdict->kind));
    rdv_paint_putf(&v->paint, RDV_PLAIN, " the whole chain: %s", rdv_verdict_name(verdict->kind));
    rdv_paint_end_line(&v->paint);
    show_why(v, verdict);
}

static void show_answer(view *v, const rdv_chain *chain, int right)
{
    static const char *const words[] = {"", "  wrong", "  right"};
    static const rdv_style styles[] = {RDV_PLAIN, RDV_RED, RDV_GREEN};
    int known = right == 0 || right == 1 ? right + 1 : 0;
    begin_block(v, 2);
    rdv_paint_lit(&v->paint, "answer ", RDV_DIM);
    show_text(v, chain->answer.p ? chain->answer : RDV_STR("none read"),
              chain->answer.p ? RDV_BOLD : RDV_YELLOW, NULL, 0);
    if (chain->question.gold.p) {
        rdv_paint_lit(&v->paint, "  gold ", RDV_DIM);
        show_text(v, chain->question.gold, RDV_PLAIN, NULL, 0);
    }
    rdv_paint_put(&v->paint, rdv_str_of(words[known]), styles[known]);
    rdv_paint_end_line(&v->paint);
}

static void show_coverage(view *v, const rdv_coverage *coverage)
{
    rdv_str says = coverage_says(coverage, v->arena);
    bool whole = coverage->checked == coverage_all(coverage);
    if (!says.p)
        v->paint.out.failed = true;
    else
        rdv_paint_textf(&v->paint, whole ? RDV_DIM : RDV_YELLOW, "  %.*s", RDV_FMT(says));
}

static void show_result(view *v, const rdv_chain *chain, const rdv_check *check)
{
    rdv_paint *p = &v->paint;
    if (!check)
        return;
    begin_block(v, 2);
    if (check->skipped)
        rdv_paint_textf(&v->paint, RDV_DIM, "not checked: it could no longer matter");
    else if (isnan(check->confidence))
        rdv_paint_textf(&v->paint, RDV_YELLOW, "no confidence: nothing was %s",
                        check->n_verdicts > check->n_unknown ? "decided" : "read");
    else
        rdv_paint_textf(&v->paint, RDV_PLAIN, "confidence %.2f", check->confidence);
    if (check->coverage && coverage_all(check->coverage))
        show_coverage(v, check->coverage);
    if (check->first_error < RDV_STEP_UNKNOWN)
        rdv_paint_textf(&v->paint, RDV_RED, "  first error at step %zu", check->first_error);
    else if (check->first_error == RDV_STEP_UNKNOWN && check->n_verdicts > check->n_unknown)
        rdv_paint_textf(&v->paint, RDV_YELLOW, "  no error found in what was read");
    else if (check->n_verdicts && rdv_nothing_decided(check) && !isnan(check->confidence))
        rdv_paint_textf(&v->paint, RDV_YELLOW, "  nothing was decided");
    else if (!check->skipped && !isnan(check->confidence) && check->n_verdicts > check->n_unknown)
        rdv_paint_textf(&v->paint, RDV_PLAIN, "  no error found");
    if (check->n_unknown)
        rdv_paint_textf(&v->paint, RDV_YELLOW, "  %zu unknown", check->n_unknown);
    if (chain->label.kind == RDV_LABEL_NO_MISTAKE)
        rdv_paint_textf(&v->paint, RDV_DIM, "  [labelled as free of mistakes]");
    if (check->calls)
        rdv_paint_textf(&v->paint, RDV_DIM, "  %" PRIu64 " calls", check->calls);
    rdv_paint_end_line(p);
}

static size_t digits_of(size_t x)
{
    size_t n = 1;
    while (x >= 10) {
        x /= 10;
        n++;
    }
    return n;
}

int rdv_view_chain(const rdv_chain *chain, const rdv_check *check, int right,
                   const rdv_view_options *options, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    view v = {.arena = arena, .max_text = DEFAULT_MAX_TEXT};
    rdv_paint_begin(&v.paint, options, arena);
    if (options && options->max_text)
        v.max_text = options->max_text;
    v.gutter = 4 + digits_of(chain->n_steps ? chain->n_steps - 1 : 0);
    show_head(&v, chain, check);
    show_question(&v, &chain->question);
    int code = RDV_OK;
    size_t next = 0;
    for (size_t i = 0; i < chain->n_steps && code == RDV_OK; i++)
        code = show_step(&v, chain, i, rdv_verdict_on(check, i, &next));
    show_whole(&v, check);
    rdv_paint_end_line(&v.paint);
    show_result(&v, chain, check);
    show_answer(&v, chain, right);
    rdv_str text = rdv_buf_str(&v.paint.out);
    if (code != RDV_OK || !text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}
