/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a report, each with its data. */
#include "report/html_parts.h"

#include "base/str.h"
#include "report/curve_figure.h"
#include "report/figure.h"
#include "report/html_text.h"
#include "report/study_figure.h"
#include "score/estimate.h"

#include <math.h>
#include <string.h>

#define MAX_CSV ((size_t)1 << 20) /* bytes that are offered as a file */
#define MAX_ROWS 2000             /* of data in a table */

/* What a figure must show to be worth its place: two values of a confidence make a triangle of a
 * ROC curve, and two points of a calibration are two numbers. */
#define MIN_CURVE 5 /* points of a curve over thresholds: four different confidences */
#define MIN_BINS 3  /* tenths of the confidence with a chain */
#define MIN_STEPS 2

/* ---- one figure ------------------------------------------------------------------------------ */

static size_t points_of(const rdv_figure *figure)
{
    size_t n = 0;
    for (size_t s = 0; s < figure->n_series; s++)
        n += figure->series[s].n;
    return n;
}

static void begin_figure(rdv_buf *b, const char *name, const char *title, const char *reading)
{
    rdv_buf_printf(b, "<figure id=\"figure-%s\"><figcaption><h3>%s</h3>", name, title);
    if (reading) {
        rdv_buf_lit(b, "<p>");
        html_text(b, rdv_str_of(reading));
        rdv_buf_lit(b, "</p>");
    }
    rdv_buf_lit(b, "</figcaption>");
}

/* Append the data as a file, and begin the table that follows. */
static void put_csv(rdv_buf *b, const char *name, const rdv_buf *csv)
{
    rdv_buf_lit(b, "<details><summary>Data</summary>");
    b->failed |= csv->no_memory; /* a file that is too long is left out, and nothing else */
    if (!rdv_buf_ok(csv))
        return;
    rdv_buf_printf(b, "<p><a download=\"%s.csv\" href=\"data:text/csv;charset=utf-8,", name);
    html_percent(b, rdv_buf_str(csv));
    rdv_buf_lit(b, "\">Download as CSV</a></p>");
}

/* Append a figure with its data as a table and as a file. `arena` is for temporary data. */
static void put_figure(rdv_buf *b, const rdv_figure *figure, rdv_arena *arena)
{
    rdv_buf csv;
    begin_figure(b, figure->name, figure->title, figure->reading);
    rdv_figure_svg(figure, b);
    rdv_buf_init(&csv, arena, MAX_CSV);
    rdv_figure_csv(figure, &csv);
    put_csv(b, figure->name, &csv);
    if (points_of(figure) <= MAX_ROWS) {
        rdv_buf_lit(b, "<div class=\"wide\">");
        rdv_figure_table(figure, b);
        rdv_buf_lit(b, "</div>");
    }
    rdv_buf_lit(b, "</details></figure>");
}

void html_figure_grid(rdv_buf *b, const rdv_figure_grid *grid, rdv_arena *arena)
{
    rdv_buf csv;
    size_t n = 0;
    begin_figure(b, grid->name, grid->title, grid->reading);
    rdv_figure_grid_svg(grid, b);
    rdv_buf_init(&csv, arena, MAX_CSV);
    rdv_figure_grid_csv(grid, &csv);
    put_csv(b, grid->name, &csv);
    for (size_t i = 0; i < grid->n_panels; i++)
        n += points_of(&grid->panels[i]);
    if (n <= MAX_ROWS) {
        rdv_buf_lit(b, "<div class=\"wide\">");
        rdv_figure_grid_table(grid, b);
        rdv_buf_lit(b, "</div>");
    }
    rdv_buf_lit(b, "</details></figure>");
}

/* ---- from tables of a study ------------------------------------------------------------------ */

/* Do the confidences of a run differ enough for its curves over thresholds? */
static bool has_thresholds(const rdv_figure *curves, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(curves[i].name, "roc") == 0)
            return curves[i].series[0].n >= MIN_CURVE;
    return false;
}

/* The figures of the tables that the report shows, or else of the evaluation of its chains. */
static int study_figures(rdv_html *html, rdv_buf *b)
{
    rdv_study_tables own = {0};
    rdv_figure curves[CURVE_FIGURES];
    rdv_figure_grid *grids;
    rdv_error why = {0};
    size_t n, n_grids;
    int code = rdv_study_figures(&html->tables, html->arena, &grids, &n_grids);
    for (size_t i = 0; code == RDV_OK && i < n_grids; i++)
        if (strcmp(grids[i].name, CURVE_GRID) != 0) /* its panels follow one by one */
            html_figure_grid(b, &grids[i], html->arena);
    if (code == RDV_OK)
        code = curve_figures(&html->tables, html->arena, curves, &n);
    if (code == RDV_OK && n == 0 && html->count.chains) {
        code = rdv_study_finish(html->study, &own, &why);
        /* Any other fault means that there is nothing to draw, such as no gold answer. */
        code = code == RDV_E_NOMEM ? code : RDV_OK;
        if (code == RDV_OK)
            code = curve_figures(&own, html->arena, curves, &n);
    }
    for (size_t i = 0; code == RDV_OK && i < n; i++)
        if (strcmp(curves[i].name, "accuracy") == 0 || has_thresholds(curves, n))
            put_figure(b, &curves[i], html->arena);
    return code;
}

/* ---- from the report's own counts ------------------------------------------------------------ */

static void calibration(const html_counts *c, rdv_buf *b, rdv_arena *arena)
{
    rdv_figure_point points[HTML_BINS];
    size_t n = 0;
    for (size_t i = 0; i < HTML_BINS; i++) {
        if (!c->bin[i])
            continue;
        double share = (double)c->bin_right[i] / (double)c->bin[i];
        rdv_estimate is = rdv_estimate_unit(share, NAN, c->bin[i], c->bin[i]);
        points[n++] = (rdv_figure_point){c->bin_sum[i] / (double)c->bin[i], share, is.low, is.high};
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
    if (n >= MIN_BINS)
        put_figure(b, &figure, arena);
}

static rdv_str step_name(size_t i, rdv_arena *arena)
{
    return rdv_str_printf(arena, i + 1 == HTML_STEPS ? "%zu+" : "%zu", i);
}

static int verdicts_by_step(const html_counts *c, rdv_buf *b, rdv_arena *arena)
{
    rdv_figure_point points[N_WORDS][HTML_STEPS];
    rdv_str categories[HTML_STEPS];
    rdv_figure_series series[N_WORDS];
    size_t n = 0;
    for (size_t k = 0; k < N_WORDS; k++) {
        for (size_t i = 0; i < HTML_STEPS; i++) {
            points[k][i] = (rdv_figure_point){(double)i, (double)c->by_step[k][i], NAN, NAN};
            n = c->by_step[k][i] && i + 1 > n ? i + 1 : n;
        }
    }
    for (size_t i = 0; i < n; i++)
        if (!(categories[i] = step_name(i, arena)).p)
            return RDV_E_NOMEM;
    for (size_t k = 0; k < N_WORDS; k++)
        series[k] = (rdv_figure_series){rdv_str_of(word_row_of((word)k, !c->words.judged)->name),
                                        points[k], n};
    rdv_figure figure = {.name = "steps",
                         .title = "Findings by step",
                         .reading = "Steps count from 0; the last bar has the later ones too.",
                         .kind = RDV_FIGURE_BARS,
                         .x = {.label = "step"},
                         .y = {.label = "steps", .whole = true},
                         .categories = categories,
                         .n_categories = n,
                         .series = series,
                         .n_series = N_WORDS,
                         .palette = "verdicts"};
    if (n >= MIN_STEPS)
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
    int code = study_figures(html, b);
    calibration(&html->count, b, html->arena);
    if (code == RDV_OK)
        code = verdicts_by_step(&html->count, b, html->arena);
    if (code == RDV_OK)
        code = tokens_by_stage(html, b, html->arena);
    if (code == RDV_OK)
        code = tokens_by_length(&html->count, b, html->arena);
    return code == RDV_OK ? RDV_OK : rdv_no_memory(err);
}
