/* SPDX-License-Identifier: Apache-2.0 */
/* The series of a figure's panel: lines, steps, bars, and their intervals. */
#include "report/figure_plot.h"

#include "base/str.h"

#include <math.h>

#define WIDEST_BAR 60.0
#define MANY_POINTS 16 /* from here on, intervals are a band and points have no marks */

/* Colours that people with any colour vision tell apart (Okabe and Ito 2008), in an order in which
 * neighbours also differ in lightness; the dashes are for those who print in grey. */
static const char *const colours[RDV_FIGURE_SERIES] = {"#0072b2", "#d55e00", "#009e73", "#8a5a83",
                                                       "#e69f00", "#56b4e9", "#000000", "#999999"};
static const char *const dashes[RDV_FIGURE_SERIES] = {"none", "6 3",     "2 2", "8 3 2 3",
                                                      "10 4", "4 2 1 2", "1 3", "12 3"};

static size_t colour_of(size_t style)
{
    return style % RDV_FIGURE_SERIES;
}

/* Styles beyond the eighth have the colours again, with other dashes. */
static const char *dash_of(size_t style)
{
    return dashes[(style + style / RDV_FIGURE_SERIES) % RDV_FIGURE_SERIES];
}

static bool is_drawn(const rdv_figure_point *point)
{
    return isfinite(point->x) && isfinite(point->y);
}

bool figure_series_is_empty(const rdv_figure_series *series)
{
    for (size_t i = 0; i < series->n; i++)
        if (is_drawn(&series->points[i]))
            return false;
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void mark(rdv_buf *b, size_t style, double x, double y)
{
    static const char *const shapes[] = {"M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
                                         "M-3.2-3.2h6.4v6.4h-6.4z", "M0-4L4 3.2H-4z",
                                         "M0-4.4L4.4 0L0 4.4L-4.4 0z"};
    size_t c = colour_of(style);
    rdv_buf_printf(b,
                   "<path class=\"s%zu\" fill=\"%s\" transform=\"translate(%.1f %.1f)\" d=\"%s\"/>",
                   c, colours[c], x, y, shapes[style % 4]);
}

static bool has_interval(const rdv_figure_point *point)
{
    return isfinite(point->low) && isfinite(point->high) && isfinite(point->y);
}

static void bars_of_intervals(const plot *p, size_t s)
{
    const rdv_figure_series *series = &p->figure->series[s];
    size_t c = colour_of(p->style[s]);
    for (size_t i = 0; i < series->n; i++) {
        const rdv_figure_point *at = &series->points[i];
        if (!has_interval(at))
            continue;
        /* Series that share an x are set apart by a little, so that no interval hides another. */
        double x = plot_x(p, at->x) + 3 * ((double)s - (double)(p->n_series - 1) / 2);
        rdv_buf_printf(p->out,
                       "<path class=\"s%zu interval\" stroke=\"%s\" fill=\"none\" "
                       "d=\"M%.1f %.1fV%.1fm-3 0h6M%.1f %.1fh6\"/>",
                       c, colours[c], x, plot_y(p, at->low), plot_y(p, at->high), x - 3,
                       plot_y(p, at->low));
    }
}

static void band(const plot *p, size_t s)
{
    const rdv_figure_series *series = &p->figure->series[s];
    rdv_buf *b = p->out;
    size_t c = colour_of(p->style[s]);
    bool begun = false;
    for (size_t i = 0; i < series->n; i++) {
        const rdv_figure_point *at = &series->points[i];
        if (!has_interval(at))
            continue;
        if (!begun)
            rdv_buf_printf(b, "<path class=\"s%zu band\" fill=\"%s\" fill-opacity=\"0.1\" d=\"", c,
                           colours[c]);
        rdv_buf_printf(b, "%c%.1f %.1f", begun ? 'L' : 'M', plot_x(p, at->x), plot_y(p, at->high));
        begun = true;
    }
    for (size_t i = series->n; i-- > 0 && begun;)
        if (has_interval(&series->points[i]))
            rdv_buf_printf(b, "L%.1f %.1f", plot_x(p, series->points[i].x),
                           plot_y(p, series->points[i].low));
    if (begun)
        rdv_buf_lit(b, "z\"/>");
}

static void line(const plot *p, size_t s)
{
    const rdv_figure_series *series = &p->figure->series[s];
    rdv_buf *b = p->out;
    size_t c = colour_of(p->style[s]);
    bool begun = false, steps = p->figure->kind == RDV_FIGURE_STEPS;
    if (figure_series_is_empty(series))
        return;
    rdv_buf_printf(b,
                   "<path class=\"s%zu line\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\" "
                   "stroke-dasharray=\"%s\" d=\"M",
                   c, colours[c], dash_of(p->style[s]));
    for (size_t i = 0; i < series->n; i++) {
        const rdv_figure_point *at = &series->points[i];
        if (!is_drawn(at))
            continue;
        if (begun && steps)
            rdv_buf_printf(b, "H%.1fV%.1f", plot_x(p, at->x), plot_y(p, at->y));
        else
            rdv_buf_printf(b, "%s%.1f %.1f", begun ? "L" : "", plot_x(p, at->x), plot_y(p, at->y));
        begun = true;
    }
    rdv_buf_lit(b, "\"/>");
}

static void draw_lines(const plot *p)
{
    for (size_t s = 0; s < p->n_series; s++) {
        const rdv_figure_series *series = &p->figure->series[s];
        bool many = series->n >= MANY_POINTS;
        (many ? band : bars_of_intervals)(p, s);
        line(p, s);
        for (size_t i = 0; i < series->n && !many; i++)
            if (is_drawn(&series->points[i]))
                mark(p->out, p->style[s], plot_x(p, series->points[i].x),
                     plot_y(p, series->points[i].y));
    }
}

/* ---- bars ------------------------------------------------------------------------------------ */

/* Bars differ by a pattern over their colour. */
static const char *const hatches[RDV_FIGURE_SERIES] = {"",
                                                       "M3 0V6",
                                                       "M0 6L6 0M-1 1L1-1M5 7L7 5",
                                                       "M0 3H6M3 0V6",
                                                       "M0 3H6",
                                                       "M0 0L6 6M-1 5L1 7M5-1L7 1",
                                                       "M0 0L6 6M0 6L6 0",
                                                       "M3 2v2M0 0v1M6 0v1"};

void plot_define_patterns(const char *name, size_t n, rdv_buf *out)
{
    rdv_buf_lit(out, "<defs>");
    for (size_t s = 0; s < n && s < RDV_FIGURE_SERIES; s++)
        if (*hatches[s])
            rdv_buf_printf(out,
                           "<pattern id=\"hatch-%s-%zu\" width=\"6\" height=\"6\" "
                           "patternUnits=\"userSpaceOnUse\"><path class=\"hatch\" d=\"%s\" "
                           "stroke=\"#fff\" stroke-opacity=\"0.6\"/></pattern>",
                           name, s, hatches[s]);
    rdv_buf_lit(out, "</defs>");
}

static void bar(const plot *p, size_t style, double x, double y, double width, double height)
{
    size_t c = colour_of(style);
    rdv_buf_printf(p->out,
                   "<rect class=\"s%zu bar\" fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                   "height=\"%.1f\" stroke=\"#fff\"/>",
                   c, colours[c], x, y, width, height);
    if (*hatches[c])
        rdv_buf_printf(p->out,
                       "<rect class=\"hatch\" fill=\"url(#hatch-%s-%zu)\" x=\"%.1f\" y=\"%.1f\" "
                       "width=\"%.1f\" height=\"%.1f\"/>",
                       p->name, c, x, y, width, height);
}

static double slot_of(const plot *p)
{
    size_t n = p->figure->n_categories;
    return (p->right - p->left) / (double)(n ? n : 1);
}

static void draw_stacks(const plot *p)
{
    double width = slot_of(p);
    for (size_t i = 0; i < p->figure->n_categories; i++) {
        double from = 0;
        for (size_t s = 0; s < p->n_series; s++) {
            const rdv_figure_series *series = &p->figure->series[s];
            double y = i < series->n ? series->points[i].y : 0;
            if (!(y > 0))
                continue;
            bar(p, p->style[s], plot_x(p, (double)i) - 0.39 * width, plot_y(p, from + y),
                0.78 * width, plot_y(p, from) - plot_y(p, from + y));
            from += y;
        }
    }
}

/* The interval of a bar, with a light edge, so that it is seen on a dark bar too. */
static void whisker(const plot *p, const rdv_figure_point *at, double x)
{
    static const char *const strokes[][2] = {{"halo", "#fff\" stroke-width=\"3"},
                                             {"whisker", "#000"}};
    for (size_t i = 0; i < 2; i++)
        rdv_buf_printf(p->out,
                       "<path class=\"%s\" stroke=\"%s\" fill=\"none\" "
                       "d=\"M%.1f %.1fV%.1fm-3 0h6M%.1f %.1fh6\"/>",
                       strokes[i][0], strokes[i][1], x, plot_y(p, at->low), plot_y(p, at->high),
                       x - 3, plot_y(p, at->low));
}

static void draw_groups(const plot *p)
{
    double width = 0.8 * slot_of(p) / (double)(p->n_series ? p->n_series : 1);
    width = width < WIDEST_BAR ? width : WIDEST_BAR;
    double zero = plot_y(p, p->y.low > 0 ? p->y.low : p->y.high < 0 ? p->y.high : 0);
    for (size_t s = 0; s < p->n_series; s++) {
        const rdv_figure_series *series = &p->figure->series[s];
        double shift = ((double)s - (double)p->n_series / 2) * width;
        for (size_t i = 0; i < series->n; i++) {
            const rdv_figure_point *at = &series->points[i];
            if (!is_drawn(at))
                continue;
            double x = plot_x(p, at->x) + shift, y = plot_y(p, at->y);
            bar(p, p->style[s], x, fmin(y, zero), width, fabs(zero - y));
            if (has_interval(at))
                whisker(p, at, x + width / 2);
        }
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void plot_series(const plot *p)
{
    bool empty = true;
    for (size_t s = 0; s < p->n_series; s++)
        empty = empty && figure_series_is_empty(&p->figure->series[s]);
    if (empty)
        rdv_buf_printf(p->out,
                       "<text class=\"tick\" x=\"%g\" y=\"%g\" text-anchor=\"middle\">no "
                       "data</text>",
                       (p->left + p->right) / 2, (p->top + p->bottom) / 2);
    switch (p->figure->kind) {
    case RDV_FIGURE_LINES:
    case RDV_FIGURE_STEPS:
        draw_lines(p);
        break;
    case RDV_FIGURE_BARS:
        draw_stacks(p);
        break;
    case RDV_FIGURE_GROUPS:
        draw_groups(p);
        break;
    }
}

void plot_sample(const plot *p, const rdv_figure_series *series, size_t style, double x, double y)
{
    size_t c = colour_of(style);
    if (p->figure->kind >= RDV_FIGURE_BARS) {
        bar(p, style, x + 6, y - 10, 14, 12);
        return;
    }
    rdv_buf_printf(p->out,
                   "<path class=\"s%zu line\" stroke=\"%s\" stroke-width=\"2\" "
                   "fill=\"none\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fh20\"/>",
                   c, colours[c], dash_of(style), x, y - 4);
    if (series->n < MANY_POINTS)
        mark(p->out, style, x + 10, y - 4);
}
