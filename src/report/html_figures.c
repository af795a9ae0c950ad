/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a report, each with its data. */
#include "report/html_parts.h"

#include "base/str.h"
#include "report/figure.h"
#include "report/html_text.h"
#include "score/estimate.h"

#include <math.h>

#define MAX_CSV ((size_t)1 << 20) /* bytes that are offered as a file */
#define MAX_ROWS 2000             /* of data in a table */

/* ---- one figure ------------------------------------------------------------------------------ */

static size_t points_of(const rdv_figure *figure)
{
    size_t n = 0;
    for (size_t s = 0; s < figure->n_series; s++)
        n += figure->series[s].n;
    return n;
}

/* Append a figure with its data as a table and as a file. `arena` is for temporary data. */
static void put_figure(rdv_buf *b, const rdv_figure *figure, rdv_arena *arena)
{
    rdv_buf csv;
    rdv_buf_printf(b, "<figure id=\"figure-%s\"><figcaption><h3>%s</h3>", figure->name,
                   figure->title);
    if (figure->reading) {
        rdv_buf_lit(b, "<p>");
        html_text(b, rdv_str_of(figure->reading));
        rdv_buf_lit(b, "</p>");
    }
    rdv_buf_lit(b, "</figcaption>");
    rdv_figure_svg(figure, b);
    rdv_buf_lit(b, "<details><summary>Data</summary>");
    rdv_buf_init(&csv, arena, MAX_CSV);
    rdv_figure_csv(figure, &csv);
    if (rdv_buf_ok(&csv)) {
        rdv_buf_printf(b, "<p><a download=\"%s.csv\" href=\"data:text/csv;charset=utf-8,",
                       figure->name);
        html_percent(b, rdv_buf_str(&csv));
        rdv_buf_lit(b, "\">Download as CSV</a></p>");
    }
    if (points_of(figure) <= MAX_ROWS) {
        rdv_buf_lit(b, "<div class=\"wide\">");
        rdv_figure_table(figure, b);
        rdv_buf_lit(b, "</div>");
    }
    rdv_buf_lit(b, "</details></figure>");
}

/* ---- from tables of a study ------------------------------------------------------------------ */

static const rdv_cell *cell_at(const rdv_study_table *t, size_t row, size_t column)
{
    return &t->cells[row * t->n_columns + column];
}

/* The points of a series of the table: its first column is x, its second the value. */
static int series_of(const rdv_study_table *t, size_t i, rdv_arena *arena, rdv_figure_series *out)
{
    size_t begin = i ? t->ends[i - 1] : 0, n = t->ends[i] - begin;
    rdv_figure_point *points = RDV_NEW_ARRAY(arena, rdv_figure_point, n + 1);
    for (size_t r = 0; points && r < n; r++) {
        const rdv_estimate *y = &cell_at(t, begin + r, 1)->is;
        points[r] =
            (rdv_figure_point){cell_at(t, begin + r, 0)->is.value, y->value, y->low, y->high};
    }
    out->points = points;
    out->n = n;
    return points ? RDV_OK : RDV_E_NOMEM;
}

/* The curves that the evaluation computes and that are shown, by their names in the table. */
static const char *const accuracies[][2] = {{"accuracy.majority", "majority"},
                                            {"accuracy.weighted", "weighted by confidence"},
                                            {"accuracy.best", "best of N"},
                                            {"accuracy.oracle", "any of them is right"}};
static const char *const rates[][2] = {{"tpr", "right chains accepted"},
                                       {"tnr", "wrong chains rejected"},
                                       {"balanced_accuracy", "mean of the two"}};
static const char *const rocs[][2] = {{"roc", "ROC"}};

static const rdv_study_table *curves_of(const rdv_study_tables *tables)
{
    for (size_t i = 0; i < tables->n; i++) {
        const rdv_study_table *t = &tables->tables[i];
        if (t->series && t->series->form == RDV_FORM_MAP && t->n_columns == 2)
            return t;
    }
    return NULL;
}

static size_t find_curve(const rdv_study_table *t, const char *name)
{
    for (size_t i = 0; i < t->series->n_rows; i++)
        if (rdv_str_eq(cell_at(t->series, i, 0)->text, rdv_str_of(name)))
            return i;
    return SIZE_MAX;
}

#define TAKE(table, names, series, n, arena)                                                       \
    take((table), (names), sizeof(names) / sizeof *(names), (series), (n), (arena))

/* Collect the named curves that the table has; `names`: pairs of a curve and its name in the
 * legend. */
static int take(const rdv_study_table *t, const char *const (*names)[2], size_t n_names,
                rdv_figure_series *series, size_t *n, rdv_arena *arena)
{
    *n = 0;
    for (size_t i = 0; t && i < n_names; i++) {
        size_t at = find_curve(t, names[i][0]);
        if (at == SIZE_MAX)
            continue;
        if (series_of(t, at, arena, &series[*n]) != RDV_OK)
            return RDV_E_NOMEM;
        series[(*n)++].name = rdv_str_of(names[i][1]);
    }
    return RDV_OK;
}

/* Leave out the points that rest on fewer than half of the questions: those with so many chains
 * are others than the rest. */
static void keep_common(const rdv_study_table *t, rdv_figure_series *series, const char *curve)
{
    size_t at = find_curve(t, curve), begin = at ? t->ends[at - 1] : 0, n = 0;
    while (n < series->n && 2 * cell_at(t, begin + n, 1)->is.n >= cell_at(t, begin, 1)->is.n)
        n++;
    series->n = n;
}

static int evaluation_figures(const rdv_study_table *t, rdv_buf *b, rdv_arena *arena)
{
    rdv_figure_series series[RDV_FIGURE_SERIES];
    size_t n;
    rdv_figure figure = {.name = "accuracy",
                         .title = "Accuracy by number of chains",
                         .reading = "The share of questions whose vote is right when that many "
                                    "chains of each vote, as far as half of the questions have "
                                    "that many; bars are 95 % intervals.",
                         .x = {.label = "chains that vote", .whole = true},
                         .y = {.label = "questions right", .low = 0, .high = 1, .percent = true},
                         .series = series};
    int code = TAKE(t, accuracies, series, &n, arena);
    figure.n_series = n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof accuracies / sizeof *accuracies; k++)
            if (rdv_str_eq(series[i].name, rdv_str_of(accuracies[k][1])))
                keep_common(t, &series[i], accuracies[k][0]);
    if (n && series[0].n > 1)
        put_figure(b, &figure, arena);
    if (code == RDV_OK)
        code = TAKE(t, rocs, series, &n, arena);
    figure = (rdv_figure){.name = "roc",
                          .title = "ROC curve",
                          .reading = "For every threshold of the confidence: how many of the right "
                                     "chains are accepted, against how many of the wrong ones. The "
                                     "diagonal is chance.",
                          .kind = RDV_FIGURE_LINES,
                          .x = {.label = "wrong chains accepted", .high = 1, .percent = true},
                          .y = {.label = "right chains accepted", .high = 1, .percent = true},
                          .series = series,
                          .n_series = n,
                          .diagonal = true};
    if (n)
        put_figure(b, &figure, arena);
    if (code == RDV_OK)
        code = TAKE(t, rates, series, &n, arena);
    figure = (rdv_figure){.name = "thresholds",
                          .title = "Rates by threshold",
                          .reading = "A chain is accepted if its confidence reaches the threshold.",
                          .x = {.label = "threshold", .high = 1},
                          .y = {.label = "chains", .high = 1, .percent = true},
                          .series = series,
                          .n_series = n};
    if (n)
        put_figure(b, &figure, arena);
    return code;
}

/* ---- from the report's own counts ------------------------------------------------------------ */

static void calibration(const html_counts *c, rdv_buf *b, rdv_arena *arena)
{
    rdv_figure_point points[HTML_BINS];
    size_t n = 0, used = 0;
    for (size_t i = 0; i < HTML_BINS; i++) {
        if (!c->bin[i])
            continue;
        double share = (double)c->bin_right[i] / (double)c->bin[i];
        rdv_estimate is = rdv_estimate_unit(share, NAN, c->bin[i], c->bin[i]);
        points[n++] = (rdv_figure_point){c->bin_sum[i] / (double)c->bin[i], share, is.low, is.high};
        used += c->bin[i];
    }
    rdv_figure_series series = {RDV_STR("chains"), points, n};
    rdv_figure figure = {.name = "calibration",
                         .title = "Calibration",
                         .reading = "Chains in tenths of their confidence: the share that has the "
                                    "right answer. On the diagonal the confidence is what it "
                                    "claims to be; bars are 95 % intervals.",
                         .x = {.label = "mean confidence", .high = 1},
                         .y = {.label = "right", .high = 1, .percent = true},
                         .series = &series,
                         .n_series = 1,
                         .diagonal = true};
    if (used)
        put_figure(b, &figure, arena);
}

static rdv_str step_name(size_t i, rdv_arena *arena)
{
    return rdv_str_printf(arena, i + 1 == HTML_STEPS ? "%zu+" : "%zu", i);
}

static int verdicts_by_step(const html_counts *c, rdv_buf *b, rdv_arena *arena)
{
    static const char *const names[] = {"support", "unrelated", "contradict", "unknown"};
    rdv_figure_point points[4][HTML_STEPS];
    rdv_str categories[HTML_STEPS];
    rdv_figure_series series[4];
    size_t n = 0;
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < HTML_STEPS; i++) {
            points[k][i] = (rdv_figure_point){(double)i, (double)c->by_step[k][i], NAN, NAN};
            n = c->by_step[k][i] && i + 1 > n ? i + 1 : n;
        }
    }
    for (size_t i = 0; i < n; i++)
        if (!(categories[i] = step_name(i, arena)).p)
            return RDV_E_NOMEM;
    for (size_t k = 0; k < 4; k++)
        series[k] = (rdv_figure_series){rdv_str_of(names[k]), points[k], n};
    rdv_figure figure = {.name = "steps",
                         .title = "Verdicts by step",
                         .reading = "Steps count from 0; the last bar has the later ones too.",
                         .kind = RDV_FIGURE_BARS,
                         .x = {.label = "step"},
                         .y = {.label = "verdicts", .whole = true},
                         .categories = categories,
                         .n_categories = n,
                         .series = series,
                         .n_series = 4,
                         .palette = "verdicts"};
    if (n)
        put_figure(b, &figure, arena);
    return RDV_OK;
}

static int tokens_by_stage(const rdv_html *html, rdv_buf *b, rdv_arena *arena)
{
    rdv_figure_point points[2][HTML_STAGES];
    rdv_str categories[HTML_STAGES];
    size_t n = html->stages.n;
    for (size_t i = 0; i < n; i++) {
        const html_usage *u = &html->usage[i];
        rdv_str stage = html->stages.texts[i];
        size_t slash = rdv_find_char(stage, '/', 0);
        categories[i] = slash == RDV_NOT_FOUND ? stage : rdv_slice(stage, slash + 1, stage.len);
        points[0][i] = (rdv_figure_point){(double)i, (double)u->prompt_tokens, NAN, NAN};
        points[1][i] = (rdv_figure_point){(double)i, (double)u->completion_tokens, NAN, NAN};
    }
    rdv_figure_series series[] = {{RDV_STR("prompt tokens"), points[0], n},
                                  {RDV_STR("completion tokens"), points[1], n}};
    rdv_figure figure = {.name = "tokens",
                         .title = "Tokens by stage",
                         .reading = "What the requests of each stage and their replies took, "
                                    "replies from the journal included.",
                         .kind = RDV_FIGURE_BARS,
                         .x = {.label = "stage"},
                         .y = {.label = "tokens", .whole = true},
                         .categories = categories,
                         .n_categories = n,
                         .series = series,
                         .n_series = 2};
    if (n)
        put_figure(b, &figure, arena);
    return RDV_OK;
}

static int tokens_by_length(const html_counts *c, rdv_buf *b, rdv_arena *arena)
{
    rdv_figure_point points[HTML_STEPS];
    size_t n = 0;
    for (size_t i = 0; i < HTML_STEPS; i++)
        if (c->chains_by_step[i])
            points[n++] = (rdv_figure_point){
                (double)i + 1, (double)c->tokens_by_step[i] / (double)c->chains_by_step[i], NAN,
                NAN};
    rdv_figure_series series = {RDV_STR("tokens"), points, n};
    rdv_figure figure = {.name = "tokens-by-steps",
                         .title = "Tokens of a check by number of steps",
                         .reading = "The mean over the chains of that many steps; the last point "
                                    "has the longer chains too.",
                         .x = {.label = "steps of the chain", .whole = true},
                         .y = {.label = "tokens", .whole = true, .from_zero = true},
                         .series = &series,
                         .n_series = 1};
    if (n && c->prompt_tokens + c->completion_tokens)
        put_figure(b, &figure, arena);
    return RDV_OK;
}

int html_figures(rdv_html *html, rdv_buf *b, rdv_error *err)
{
    rdv_study_tables own = {0};
    const rdv_study_table *curves = curves_of(&html->tables);
    rdv_error why = {0};
    int code = RDV_OK;
    if (!curves && html->count.chains) {
        code = rdv_study_finish(html->study, &own, &why);
        curves = code == RDV_OK ? curves_of(&own) : NULL;
    }
    /* Any other fault means that there is nothing to draw, such as no gold answer. */
    code = code == RDV_E_NOMEM ? code : evaluation_figures(curves, b, html->arena);
    calibration(&html->count, b, html->arena);
    if (code == RDV_OK)
        code = verdicts_by_step(&html->count, b, html->arena);
    if (code == RDV_OK)
        code = tokens_by_stage(html, b, html->arena);
    if (code == RDV_OK)
        code = tokens_by_length(&html->count, b, html->arena);
    return code == RDV_OK ? RDV_OK : rdv_no_memory(err);
}
