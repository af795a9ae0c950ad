/* SPDX-License-Identifier: Apache-2.0 */
#include "report/figure.h"

#include "base/str.h"
#include "report/html_text.h"

#include <math.h>

/* Lengths are in the units of the view box; text is 12 units high. */
#define WIDTH 480.0
#define HEIGHT 330.0
#define LEFT 58.0
#define RIGHT 22.0
#define BOTTOM 46.0
#define LINE 18.0      /* of the legend */
#define CHARACTER 6.6  /* the mean width of a character */
#define MANY_POINTS 16 /* from here on, intervals are a band and points have no marks */

/* Colours that people with any colour vision tell apart (Okabe and Ito 2008), in an order in which
 * neighbours also differ in lightness; the dashes are for those who print in grey. */
static const char *const colours[RDV_FIGURE_SERIES] = {"#0072b2", "#d55e00", "#009e73", "#8a5a83",
                                                       "#e69f00", "#56b4e9", "#000000", "#999999"};
static const char *const dashes[RDV_FIGURE_SERIES] = {"none", "6 3",     "2 2", "8 3 2 3",
                                                      "10 4", "4 2 1 2", "1 3", "12 3"};

typedef struct plot {
    const rdv_figure *figure;
    rdv_buf *out;
    rdv_figure_axis x, y; /* with their ranges */
    double top;           /* of the area of the plot, below the legend */
    size_t n_series;
} plot;

/* ---- scales ---------------------------------------------------------------------------------- */

double rdv_figure_tick(double low, double high, int n, bool whole)
{
    double raw = (high - low) / n;
    if (!(raw > 0) || !isfinite(raw))
        return 1;
    double power = pow(10, floor(log10(raw))), times = raw / power;
    double step = (times <= 1.001 ? 1 : times <= 2.001 ? 2 : times <= 5.001 ? 5 : 10) * power;
    return whole && step < 1 ? 1 : step;
}

static double at_x(const plot *p, double x)
{
    return LEFT + (x - p->x.low) / (p->x.high - p->x.low) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const plot *p, double y)
{
    double bottom = HEIGHT - BOTTOM;
    return bottom - (y - p->y.low) / (p->y.high - p->y.low) * (bottom - p->top);
}

static void widen(rdv_figure_axis *axis, double x)
{
    if (!isfinite(x))
        return;
    axis->low = isnan(axis->low) || x < axis->low ? x : axis->low;
    axis->high = isnan(axis->high) || x > axis->high ? x : axis->high;
}

/* Round the range outwards to ticks. */
static void round_range(rdv_figure_axis *axis)
{
    if (isnan(axis->low)) {
        axis->low = 0;
        axis->high = 1;
    }
    if (axis->low == axis->high)
        axis->high = axis->low + 1;
    double step = rdv_figure_tick(axis->low, axis->high, 5, axis->whole);
    axis->low = floor(axis->low / step + 1e-9) * step;
    axis->high = ceil(axis->high / step - 1e-9) * step;
}

static double height_of_bar(const plot *p, size_t category)
{
    double sum = 0;
    for (size_t s = 0; s < p->n_series; s++)
        if (category < p->figure->series[s].n && p->figure->series[s].points[category].y > 0)
            sum += p->figure->series[s].points[category].y;
    return sum;
}

static void find_ranges(plot *p)
{
    const rdv_figure *f = p->figure;
    bool bars = f->kind == RDV_FIGURE_BARS, free_x = f->x.low == f->x.high,
         free_y = f->y.low == f->y.high;
    p->x = f->x;
    p->y = f->y;
    if (free_x)
        p->x.low = p->x.high = NAN;
    if (free_y)
        p->y.low = p->y.high = NAN;
    if (free_y && (bars || p->y.from_zero))
        p->y.low = p->y.high = 0;
    for (size_t s = 0; s < p->n_series && !bars; s++) {
        for (size_t i = 0; i < f->series[s].n; i++) {
            const rdv_figure_point *point = &f->series[s].points[i];
            const double ys[] = {point->y, point->low, point->high};
            if (free_x)
                widen(&p->x, point->x);
            for (size_t k = 0; k < 3 && free_y; k++)
                widen(&p->y, ys[k]);
        }
    }
    if (bars) {
        p->x.low = -0.5;
        p->x.high = (double)f->n_categories - 0.5;
        for (size_t i = 0; i < f->n_categories && free_y; i++)
            widen(&p->y, height_of_bar(p, i));
    } else if (free_x && !p->x.whole) {
        round_range(&p->x);
    }
    if (free_y)
        round_range(&p->y);
    if (isnan(p->x.low) || p->x.low == p->x.high) {
        p->x.low = isnan(p->x.low) ? 0 : p->x.low - 0.5;
        p->x.high = p->x.low + 1;
    }
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void number(rdv_buf *b, const rdv_figure_axis *axis, double x)
{
    x = fabs(x) < 1e-12 ? 0 : x;
    if (axis->percent)
        rdv_buf_printf(b, "%.4g%%", 100 * x);
    else if (fabs(x) >= 1e4)
        rdv_buf_printf(b, "%.3g%s", x / (fabs(x) >= 1e6 ? 1e6 : 1e3), fabs(x) >= 1e6 ? "M" : "k");
    else
        rdv_buf_printf(b, "%.4g", x);
}

static void y_axis(const plot *p)
{
    rdv_buf *b = p->out;
    double step = rdv_figure_tick(p->y.low, p->y.high, 5, p->y.whole);
    for (double y = p->y.low; y <= p->y.high + step * 1e-6; y += step) {
        rdv_buf_printf(b,
                       "<line class=\"grid\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\" "
                       "stroke=\"#ddd\"/><text class=\"tick\" x=\"%g\" y=\"%.1f\" "
                       "text-anchor=\"end\">",
                       LEFT, WIDTH - RIGHT, at_y(p, y), at_y(p, y), LEFT - 6, at_y(p, y) + 4);
        number(b, &p->y, y);
        rdv_buf_lit(b, "</text>");
    }
    double middle = (p->top + HEIGHT - BOTTOM) / 2;
    rdv_buf_printf(b,
                   "<text class=\"label\" x=\"13\" y=\"%.1f\" text-anchor=\"middle\" "
                   "transform=\"rotate(-90 13 %.1f)\">",
                   middle, middle);
    html_text(b, rdv_str_of(p->y.label));
    rdv_buf_lit(b, "</text>");
}

static void x_tick(const plot *p, double x)
{
    double bottom = HEIGHT - BOTTOM;
    rdv_buf_printf(p->out,
                   "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\" "
                   "stroke=\"#555\"/><text class=\"tick\" x=\"%.1f\" y=\"%g\" "
                   "text-anchor=\"middle\">",
                   at_x(p, x), at_x(p, x), bottom, bottom + 4, at_x(p, x), bottom + 17);
}

static void x_axis(const plot *p)
{
    const rdv_figure *f = p->figure;
    rdv_buf *b = p->out;
    double bottom = HEIGHT - BOTTOM;
    rdv_buf_printf(b,
                   "<line class=\"axis\" x1=\"%g\" x2=\"%g\" y1=\"%g\" y2=\"%g\" "
                   "stroke=\"#555\"/>",
                   LEFT, WIDTH - RIGHT, bottom, bottom);
    size_t every = f->n_categories / 16 + 1;
    for (size_t i = 0; i < f->n_categories && f->kind == RDV_FIGURE_BARS; i += every) {
        x_tick(p, (double)i);
        html_text(b, f->categories[i]);
        rdv_buf_lit(b, "</text>");
    }
    double step = rdv_figure_tick(p->x.low, p->x.high, 6, p->x.whole);
    double first = ceil(p->x.low / step - 1e-9) * step;
    for (double x = first; x <= p->x.high + step * 1e-6 && f->kind != RDV_FIGURE_BARS; x += step) {
        x_tick(p, x);
        number(b, &p->x, x);
        rdv_buf_lit(b, "</text>");
    }
    rdv_buf_printf(b, "<text class=\"label\" x=\"%g\" y=\"%g\" text-anchor=\"middle\">",
                   (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
    html_text(b, rdv_str_of(p->x.label));
    rdv_buf_lit(b, "</text>");
}

/* ---- series ---------------------------------------------------------------------------------- */

static void mark(const plot *p, size_t s, double x, double y)
{
    static const char *const shapes[] = {"M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
                                         "M-3.2-3.2h6.4v6.4h-6.4z", "M0-4L4 3.2H-4z",
                                         "M0-4.4L4.4 0L0 4.4L-4.4 0z"};
    rdv_buf_printf(p->out,
                   "<path class=\"s%zu\" fill=\"%s\" transform=\"translate(%.1f %.1f)\" d=\"%s\"/>",
                   s, colours[s], x, y, shapes[s % 4]);
}

static bool has_interval(const rdv_figure_point *point)
{
    return isfinite(point->low) && isfinite(point->high) && isfinite(point->y);
}

static void bars_of_intervals(const plot *p, size_t s)
{
    const rdv_figure_series *series = &p->figure->series[s];
    for (size_t i = 0; i < series->n; i++) {
        const rdv_figure_point *at = &series->points[i];
        if (!has_interval(at))
            continue;
        /* Series that share an x are set apart by a little, so that no interval hides another. */
        double x = at_x(p, at->x) + 3 * ((double)s - (double)(p->n_series - 1) / 2);
        rdv_buf_printf(p->out,
                       "<path class=\"s%zu interval\" stroke=\"%s\" fill=\"none\" "
                       "d=\"M%.1f %.1fV%.1fm-3 0h6M%.1f %.1fh6\"/>",
                       s, colours[s], x, at_y(p, at->low), at_y(p, at->high), x - 3,
                       at_y(p, at->low));
    }
}

static void band(const plot *p, size_t s)
{
    const rdv_figure_series *series = &p->figure->series[s];
    rdv_buf *b = p->out;
    bool begun = false;
    for (size_t i = 0; i < series->n; i++) {
        const rdv_figure_point *at = &series->points[i];
        if (!has_interval(at))
            continue;
        if (!begun)
            rdv_buf_printf(b, "<path class=\"s%zu band\" fill=\"%s\" fill-opacity=\"0.1\" d=\"", s,
                           colours[s]);
        rdv_buf_printf(b, "%c%.1f %.1f", begun ? 'L' : 'M', at_x(p, at->x), at_y(p, at->high));
        begun = true;
    }
    for (size_t i = series->n; i-- > 0 && begun;)
        if (has_interval(&series->points[i]))
            rdv_buf_printf(b, "L%.1f %.1f", at_x(p, series->points[i].x),
                           at_y(p, series->points[i].low));
    if (begun)
        rdv_buf_lit(b, "z\"/>");
}

static void line(const plot *p, size_t s)
{
    const rdv_figure_series *series = &p->figure->series[s];
    rdv_buf *b = p->out;
    bool begun = false, steps = p->figure->kind == RDV_FIGURE_STEPS;
    rdv_buf_printf(b,
                   "<path class=\"s%zu line\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\" "
                   "stroke-dasharray=\"%s\" d=\"M",
                   s, colours[s], dashes[s]);
    for (size_t i = 0; i < series->n; i++) {
        const rdv_figure_point *at = &series->points[i];
        if (!isfinite(at->x) || !isfinite(at->y))
            continue;
        if (begun && steps)
            rdv_buf_printf(b, "H%.1fV%.1f", at_x(p, at->x), at_y(p, at->y));
        else
            rdv_buf_printf(b, "%s%.1f %.1f", begun ? "L" : "", at_x(p, at->x), at_y(p, at->y));
        begun = true;
    }
    rdv_buf_add(b, begun ? RDV_STR("\"/>") : RDV_STR("0 0\"/>"));
}

static void draw_lines(const plot *p)
{
    for (size_t s = 0; s < p->n_series; s++) {
        const rdv_figure_series *series = &p->figure->series[s];
        bool many = series->n >= MANY_POINTS;
        (many ? band : bars_of_intervals)(p, s);
        line(p, s);
        for (size_t i = 0; i < series->n && !many; i++)
            if (isfinite(series->points[i].x) && isfinite(series->points[i].y))
                mark(p, s, at_x(p, series->points[i].x), at_y(p, series->points[i].y));
    }
}

/* Bars differ by a pattern over their colour. */
static const char *const hatches[] = {"", "M3 0V6", "M0 6L6 0M-1 1L1-1M5 7L7 5", "M0 3H6M3 0V6"};

static const char *hatch_of(size_t s)
{
    return hatches[s % (sizeof hatches / sizeof *hatches)];
}

static void define_hatches(const plot *p)
{
    rdv_buf_lit(p->out, "<defs>");
    for (size_t s = 0; s < p->n_series; s++)
        if (*hatch_of(s))
            rdv_buf_printf(p->out,
                           "<pattern id=\"hatch-%s-%zu\" width=\"6\" height=\"6\" "
                           "patternUnits=\"userSpaceOnUse\"><path class=\"hatch\" d=\"%s\" "
                           "stroke=\"#fff\" stroke-opacity=\"0.6\"/></pattern>",
                           p->figure->name, s, hatch_of(s));
    rdv_buf_lit(p->out, "</defs>");
}

static void bar(const plot *p, size_t s, double x, double y, double width, double height)
{
    rdv_buf_printf(p->out,
                   "<rect class=\"s%zu bar\" fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                   "height=\"%.1f\" stroke=\"#fff\"/>",
                   s, colours[s], x, y, width, height);
    if (*hatch_of(s))
        rdv_buf_printf(p->out,
                       "<rect class=\"hatch\" fill=\"url(#hatch-%s-%zu)\" x=\"%.1f\" y=\"%.1f\" "
                       "width=\"%.1f\" height=\"%.1f\"/>",
                       p->figure->name, s, x, y, width, height);
}

static void draw_bars(const plot *p)
{
    double width =
        (WIDTH - LEFT - RIGHT) / (double)(p->figure->n_categories + !p->figure->n_categories);
    for (size_t i = 0; i < p->figure->n_categories; i++) {
        double from = 0;
        for (size_t s = 0; s < p->n_series; s++) {
            const rdv_figure_series *series = &p->figure->series[s];
            double y = i < series->n ? series->points[i].y : 0;
            if (!(y > 0))
                continue;
            bar(p, s, at_x(p, (double)i) - 0.39 * width, at_y(p, from + y), 0.78 * width,
                at_y(p, from) - at_y(p, from + y));
            from += y;
        }
    }
}

/* ---- the legend ------------------------------------------------------------------------------ */

static void sample(const plot *p, size_t s, double x, double y)
{
    if (p->figure->kind == RDV_FIGURE_BARS) {
        bar(p, s, x + 6, y - 10, 14, 12);
        return;
    }
    rdv_buf_printf(p->out,
                   "<path class=\"s%zu line\" stroke=\"%s\" stroke-width=\"2\" "
                   "fill=\"none\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fh20\"/>",
                   s, colours[s], dashes[s], x, y - 4);
    if (p->figure->series[s].n < MANY_POINTS)
        mark(p, s, x + 10, y - 4);
}

/* Write the names of the series in lines; a single series needs none. *top: below the legend. */
static void legend(plot *p)
{
    double x = LEFT, y = 16;
    p->top = 10;
    if (p->n_series < 2)
        return;
    for (size_t s = 0; s < p->n_series; s++) {
        rdv_str name = p->figure->series[s].name;
        double width = 42 + CHARACTER * (double)name.len;
        if (x > LEFT && x + width > WIDTH - RIGHT) {
            x = LEFT;
            y += LINE;
        }
        sample(p, s, x, y);
        rdv_buf_printf(p->out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">", x + 26, y);
        html_text(p->out, name);
        rdv_buf_lit(p->out, "</text>");
        x += width;
    }
    p->top = y + 14;
}

void rdv_figure_svg(const rdv_figure *figure, rdv_buf *out)
{
    plot p = {.figure = figure, .out = out, .n_series = figure->n_series};
    if (p.n_series > RDV_FIGURE_SERIES)
        p.n_series = RDV_FIGURE_SERIES;
    rdv_buf_printf(out,
                   "<svg class=\"plot %s\" viewBox=\"0 0 %g %g\" role=\"img\" "
                   "font-family=\"system-ui,sans-serif\" font-size=\"12\" "
                   "xmlns=\"http://www.w3.org/2000/svg\"><title>",
                   figure->palette ? figure->palette : "series", WIDTH, HEIGHT);
    html_text(out, rdv_str_of(figure->title));
    rdv_buf_lit(out, "</title>");
    if (figure->kind == RDV_FIGURE_BARS)
        define_hatches(&p);
    legend(&p);
    find_ranges(&p);
    y_axis(&p);
    x_axis(&p);
    if (figure->diagonal)
        rdv_buf_printf(out,
                       "<line class=\"diagonal\" stroke=\"#888\" stroke-dasharray=\"3 3\" "
                       "x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                       at_x(&p, p.x.low), at_y(&p, p.y.low), at_x(&p, p.x.high),
                       at_y(&p, p.y.high));
    (figure->kind == RDV_FIGURE_BARS ? draw_bars : draw_lines)(&p);
    rdv_buf_lit(out, "</svg>");
}
