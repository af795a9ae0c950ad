/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <rederive/plan.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "chain/coverage.h"
#include "chain/evidence.h"
#include "report/paint.h"
#include "report/verdicts.h"
#include "report/words.h"
#include "report/wrong.h"

#include <inttypes.h>
#include <math.h>

#define DEFAULT_MAX_TEXT 4000
#define MAX_OPTIONS_SHOWN 26

/* A check that is shown: each step has its mark in a column. */
typedef struct shown_check {
    const rdv_check *is;
    size_t next;                /* as for rdv_verdict_on() */
    const rdv_verdict *verdict; /* of the current step; NULL: none */
} shown_check;

typedef struct view {
    rdv_paint paint;
    rdv_arena *arena;
    size_t max_text;
    size_t gutter; /* columns before the text of a step */
    /* Those that no later one by the same method replaces; the check that the view is of is the
     * last. */
    shown_check *checks;
    size_t n_checks;
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
        rdv_str said = rdv_wrong_said(&wrong, step, v->arena);
        v->paint.out.failed |= !said.p;
        show_text(v, said, RDV_RED, NULL, 0);
        rdv_paint_put(&v->paint, rdv_str_of(rdv_wrong_joins(&wrong)), RDV_DIM);
        show_text(v, right, wrong.of.p ? RDV_PLAIN : RDV_GREEN, NULL, 0);
        rdv_paint_end_line(&v->paint);
    }
}

/* ---- parts of the view ----------------------------------------------------------------------- */

static void show_head(view *v, const rdv_chain *chain)
{
    rdv_paint *p = &v->paint;
    p->indent = 2;
    show_text(v, chain->id.p ? chain->id : RDV_STR("chain"), RDV_BOLD, NULL, 0);
    for (size_t i = 0; i < v->n_checks; i++) {
        rdv_paint_put(p, i ? RDV_STR(", ") : RDV_STR("  "), RDV_DIM);
        show_text(v, v->checks[i].is->method, RDV_DIM, NULL, 0);
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

static void show_mark(view *v, const word_row *row)
{
    rdv_paint_put(&v->paint, rdv_str_of(v->paint.ascii ? row->ascii : row->mark), row->style);
}

static void show_why(view *v, const rdv_verdict *verdict)
{
    if (!verdict->why.p || verdict->why.len == 0)
        return;
    begin_block(v, v->gutter + 2);
    show_text(v, verdict->why, RDV_DIM, NULL, 0);
    rdv_paint_end_line(&v->paint);
}

/* What the checks but the last say of the step, a line each; that it is right, its mark says. */
static void show_others(view *v)
{
    for (size_t i = 0; i + 1 < v->n_checks; i++) {
        const rdv_check *other = v->checks[i].is;
        const rdv_verdict *verdict = v->checks[i].verdict;
        word is = verdict ? word_of(other, verdict) : WORD_NOTHING;
        if (is == WORD_NOTHING || is == WORD_RIGHT)
            continue;
        begin_block(v, v->gutter + 2);
        show_text(v, other->method, RDV_DIM, NULL, 0);
        const word_row *row = word_row_of(is, word_proves(other));
        rdv_paint_textf(&v->paint, row->style, ": %s", row->name);
        if (verdict->why.len) {
            rdv_paint_lit(&v->paint, ": ", RDV_DIM);
            show_text(v, verdict->why, RDV_DIM, NULL, 0);
        }
        rdv_paint_end_line(&v->paint);
    }
}

/* Columns of marks. */
static size_t marks_of(const view *v)
{
    return v->n_checks ? v->n_checks : 1;
}

/* The mark of each check, in the order in which the head names them. */
static void show_marks(view *v, size_t step)
{
    for (size_t i = 0; i < v->n_checks; i++) {
        shown_check *check = &v->checks[i];
        check->verdict = rdv_verdict_on(check->is, step, &check->next);
        rdv_paint_to(&v->paint, i);
        if (check->verdict)
            show_mark(v, word_row_of(word_of(check->is, check->verdict), word_proves(check->is)));
    }
}

static int show_step(view *v, const rdv_chain *chain, size_t step)
{
    rdv_paint *p = &v->paint;
    rdv_span *spans = NULL;
    size_t n_spans = 0, marks = marks_of(v);
    show_marks(v, step);
    const rdv_verdict *verdict = v->n_checks ? v->checks[v->n_checks - 1].verdict : NULL;
    if (verdict && find_spans(v, chain->steps[step], verdict, &spans, &n_spans) != RDV_OK)
        return RDV_E_NOMEM;
    rdv_paint_to(p, marks + 1);
    rdv_paint_putf(p, RDV_DIM, "%*zu", (int)(v->gutter - marks - 3), step);
    begin_block(v, v->gutter);
    show_text(v, chain->steps[step], RDV_PLAIN, spans, n_spans);
    if (step < chain->n_reasoning_steps)
        rdv_paint_textf(&v->paint, RDV_DIM, "  [reasoning]");
    rdv_paint_end_line(p);
    if (chain->label.kind == RDV_LABEL_AT && chain->label.step == step) {
        begin_block(v, v->gutter + 2);
        rdv_paint_textf(p, RDV_DIM, "labelled as the first wrong step");
        rdv_paint_end_line(p);
    }
    if (verdict && n_spans)
        show_corrections(v, chain->steps[step], verdict);
    else if (verdict && verdict->kind != RDV_SUPPORT)
        show_why(v, verdict);
    show_others(v);
    return RDV_OK;
}

static void show_whole(view *v, const rdv_check *check)
{
    if (!check || check->n_verdicts != 1 || check->verdicts[0].step != RDV_WHOLE_CHAIN)
        return;
    const rdv_verdict *verdict = &check->verdicts[0];
    const word_row *row = word_row_of(word_of(check, verdict), word_proves(check));
    show_mark(v, row);
    rdv_paint_putf(&v->paint, RDV_PLAIN, " the whole solution: %s", row->name);
    rdv_paint_end_line(&v->paint);
    show_why(v, verdict);
}

static void show_answer(view *v, const rdv_chain *chain, const rdv_grade *grade)
{
    static const char *const words[] = {"", "  wrong", "  right", "  cannot be told"};
    static const rdv_style styles[] = {RDV_PLAIN, RDV_RED, RDV_GREEN, RDV_YELLOW};
    int known = grade->untold ? 3 : grade->correct + 1;
    begin_block(v, 2);
    rdv_paint_lit(&v->paint, "answer ", RDV_DIM);
    rdv_str answer = grade->shown.p ? grade->shown : chain->answer;
    show_text(v, answer.p ? answer : RDV_STR("none read"), answer.p ? RDV_BOLD : RDV_YELLOW, NULL,
              0);
    if (chain->question.gold.p) {
        rdv_paint_lit(&v->paint, "  gold ", RDV_DIM);
        show_text(v, chain->question.gold, RDV_PLAIN, NULL, 0);
    }
    rdv_paint_put(&v->paint, rdv_str_of(words[known]), styles[known]);
    rdv_paint_end_line(&v->paint);
}

/* Why the solution ends before its end. */
static void show_unfinished(view *v, const rdv_chain *chain)
{
    if (!chain->unfinished.p)
        return;
    begin_block(v, 2);
    rdv_paint_lit(&v->paint, "incomplete: ", RDV_YELLOW);
    show_text(v, chain->unfinished, RDV_YELLOW, NULL, 0);
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

/* Steps of the check with that word. */
static size_t count_of(const rdv_check *check, word wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < check->n_verdicts; i++)
        n += word_of(check, &check->verdicts[i]) == wanted;
    return n;
}

static void show_verdict(view *v, const rdv_check *check)
{
    rdv_paint *p = &v->paint;
    bool wrong = check->first_error < RDV_STEP_UNKNOWN;
    size_t nothing = count_of(check, WORD_NOTHING), right = count_of(check, WORD_RIGHT);
    size_t open = check->n_verdicts - nothing - right;
    bool some_checked = check->coverage && check->coverage->checked;
    if (check->skipped)
        rdv_paint_textf(p, RDV_DIM, "not checked: it could no longer matter");
    else if (check->n_verdicts == 0 && !wrong)
        rdv_paint_textf(p, RDV_YELLOW, "no step was checked");
    else if (wrong)
        rdv_paint_textf(p, RDV_RED, "step %zu (counted from 0) is %s wrong", check->first_error,
                        word_proves(check) ? "proven" : "judged");
    else if (count_of(check, WORD_WRONG))
        rdv_paint_textf(p, RDV_RED, "judged wrong");
    else if (!right)
        rdv_paint_textf(p, RDV_YELLOW, "%s",
                        !open          ? "nothing to check"
                        : some_checked ? "no step was decided as a whole"
                                       : "nothing was decided");
    else
        rdv_paint_textf(p, open ? RDV_YELLOW : RDV_PLAIN, "no %s%s",
                        word_proves(check) ? "wrong step" : "step judged wrong",
                        open                 ? " in what was decided"
                        : word_proves(check) ? " found"
                                             : "");
    /* A proof is no matter of degree, and nothing is none. */
    bool decided = wrong || right || count_of(check, WORD_WRONG);
    if (!isnan(check->confidence) && decided && !(wrong && word_proves(check)))
        rdv_paint_textf(p, RDV_PLAIN, "  confidence %.2f", check->confidence);
}

/* What the verdicts that are missing are missing for: the name of the failure that ended the check,
 * "timed out"; NULL: none ended it. */
static const char *ended_by(const rdv_check *check)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        for (rdv_failure f = RDV_FAIL_REFUSED; f <= RDV_FAIL_MISSING; f++)
            if (check->verdicts[i].kind == RDV_UNKNOWN &&
                rdv_starts(check->verdicts[i].why, rdv_str_of(rdv_failure_name(f))))
                return rdv_failure_name(f);
    return NULL;
}

static void show_undecided(view *v, const rdv_check *check)
{
    const char *by = ended_by(check);
    if (by)
        rdv_paint_textf(&v->paint, RDV_YELLOW, "  %zu of %zu undecided: the check did not end (%s)",
                        check->n_unknown, check->n_verdicts, by);
    else if (!check->coverage)
        rdv_paint_textf(&v->paint, RDV_YELLOW, "  %zu of %zu undecided",
                        count_of(check, WORD_UNDECIDED) + count_of(check, WORD_UNREAD),
                        check->n_verdicts);
}

static void show_result(view *v, const rdv_chain *chain, const rdv_check *check)
{
    begin_block(v, 2);
    if (v->n_checks > 1) {
        show_text(v, check->method, RDV_DIM, NULL, 0);
        rdv_paint_lit(&v->paint, ": ", RDV_DIM);
    }
    show_verdict(v, check);
    if (check->coverage && coverage_all(check->coverage))
        show_coverage(v, check->coverage);
    if (count_of(check, WORD_UNDECIDED) + count_of(check, WORD_UNREAD))
        show_undecided(v, check);
    if (chain->label.kind == RDV_LABEL_NO_MISTAKE)
        rdv_paint_textf(&v->paint, RDV_DIM, "  [labelled as free of mistakes]");
    if (check->calls)
        rdv_paint_textf(&v->paint, RDV_DIM, "  %" PRIu64 " call%s", check->calls,
                        check->calls == 1 ? "" : "s");
    rdv_paint_end_line(&v->paint);
}

/* The checks that are shown. RDV_OK or RDV_E_NOMEM. */
static int choose_checks(view *v, const rdv_chain *chain, const rdv_check *check)
{
    v->checks = RDV_NEW_ARRAY(v->arena, shown_check, chain->n_checks + 1);
    if (!v->checks)
        return RDV_E_NOMEM;
    for (size_t i = 0; check && i < chain->n_checks; i++) {
        const rdv_check *other = &chain->checks[i];
        if (other != check && !rdv_check_is_replaced(chain, other))
            v->checks[v->n_checks++].is = other;
    }
    if (check)
        v->checks[v->n_checks++].is = check;
    return RDV_OK;
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

int rdv_view_chain(const rdv_chain *chain, const rdv_check *check, const rdv_grade *grade,
                   const rdv_view_options *options, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    view v = {.arena = arena, .max_text = DEFAULT_MAX_TEXT};
    rdv_paint_begin(&v.paint, options, arena);
    if (options && options->max_text)
        v.max_text = options->max_text;
    int code = choose_checks(&v, chain, check);
    v.gutter = 3 + marks_of(&v) + digits_of(chain->n_steps ? chain->n_steps - 1 : 0);
    show_head(&v, chain);
    show_question(&v, &chain->question);
    for (size_t i = 0; i < chain->n_steps && code == RDV_OK; i++)
        code = show_step(&v, chain, i);
    show_whole(&v, check);
    rdv_paint_end_line(&v.paint);
    for (size_t i = 0; i < v.n_checks; i++)
        show_result(&v, chain, v.checks[i].is);
    show_unfinished(&v, chain);
    show_answer(&v, chain, grade);
    rdv_str text = rdv_buf_str(&v.paint.out);
    if (code != RDV_OK || !text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}
