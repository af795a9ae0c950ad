/* SPDX-License-Identifier: Apache-2.0 */
/* The scales and axes of a figure's panel. */
#include "report/figure_plot.h"

#include "base/str.h"
#include "report/html_text.h"
#include "report/paint.h"

#include <math.h>

#define SLANT 50.0    /* degrees of names that do not fit side by side */
#define MIN_SLOT 14.0 /* between two slanted names */

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

double plot_x(const plot *p, double x)
{
    return p->left + (x - p->x.low) / (p->x.high - p->x.low) * (p->right - p->left);
}

double plot_y(const plot *p, double y)
{
    return p->bottom - (y - p->y.low) / (p->y.high - p->y.low) * (p->bottom - p->top);
}

bool figure_has_categories(const rdv_figure *figure)
{
    return figure->kind >= RDV_FIGURE_BARS || figure->n_categories;
}

static void widen(rdv_figure_axis *axis, double x)
{
    if (!isfinite(x))
        return;
    axis->low = isnan(axis->low) || x < axis->low ? x : axis->low;
    axis->high = isnan(axis->high) || x > axis->high ? x : axis->high;
}

/* Round the range outwards to ticks. */
void plot_round(rdv_figure_axis *axis)
{
    if (isnan(axis->low)) {
        axis->low = 0;
        axis->high = 1;
    }
    if (axis->low == axis->high)
        axis->high = axis->low + 1;
    for (double step = 0, next;
         step < (next = rdv_figure_tick(axis->low, axis->high, 5, axis->whole));
         step = next) { /* a wider range may have fewer ticks */
        axis->low = floor(axis->low / next + 1e-9) * next;
        axis->high = ceil(axis->high / next - 1e-9) * next;
    }
}

static double height_of_bar(const plot *p, size_t category)
{
    double sum = 0;
    for (size_t s = 0; s < p->n_series; s++)
        if (category < p->figure->series[s].n && p->figure->series[s].points[category].y > 0)
            sum += p->figure->series[s].points[category].y;
    return sum;
}

void plot_find_ranges(plot *p)
{
    const rdv_figure *f = p->figure;
    bool stacked = f->kind == RDV_FIGURE_BARS, categories = figure_has_categories(f),
         free_x = f->x.low == f->x.high, free_y = f->y.low == f->y.high;
    p->x = f->x;
    p->y = f->y;
    if (free_x)
        p->x.low = p->x.high = NAN;
    if (free_y)
        p->y.low = p->y.high = NAN;
    if (free_y && (f->kind >= RDV_FIGURE_BARS || p->y.from_zero))
        p->y.low = p->y.high = 0;
    for (size_t s = 0; s < p->n_series && !stacked; s++) {
        for (size_t i = 0; i < f->series[s].n; i++) {
            const rdv_figure_point *point = &f->series[s].points[i];
            const double ys[] = {point->y, point->low, point->high};
            if (free_x)
                widen(&p->x, point->x);
            for (size_t k = 0; k < 3 && free_y && isfinite(point->y); k++)
                widen(&p->y, ys[k]);
        }
    }
    if (categories) {
        p->x.low = -0.5;
        p->x.high = (double)f->n_categories - 0.5;
        for (size_t i = 0; i < f->n_categories && free_y && stacked; i++)
            widen(&p->y, height_of_bar(p, i));
    } else if (free_x && !p->x.whole) {
        plot_round(&p->x);
    }
    if (free_y)
        plot_round(&p->y);
    if (isnan(p->x.low) || p->x.low == p->x.high) {
        p->x.low = isnan(p->x.low) ? 0 : p->x.low - 0.5;
        p->x.high = p->x.low + 1;
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* The bytes of `text` that fit, with room for "…" if it is cut. *used: their columns. */
static size_t fitting(rdv_str text, size_t columns, size_t *used)
{
    bool whole = rdv_columns(text) <= columns;
    size_t i = 0, len;
    for (*used = 0; i < text.len; i += len) {
        char shown[16];
        size_t n = rdv_shown(text, i, &len, shown), width = rdv_columns((rdv_str){shown, n});
        if (!whole && *used + width + 1 > columns)
            break;
        *used += width;
    }
    return i;
}

void figure_short_text(rdv_buf *b, rdv_str text, size_t columns)
{
    size_t used, end = fitting(text, columns, &used);
    html_text(b, rdv_slice(text, 0, end));
    if (end < text.len)
        rdv_buf_lit(b, "…");
}

size_t figure_short_columns(rdv_str text, size_t columns)
{
    size_t used, end = fitting(text, columns, &used);
    return used + (end < text.len);
}

static void number(rdv_buf *b, const rdv_figure_axis *axis, double x)
{
    x = fabs(x) < 1e-12 ? 0 : x;
    if (axis->percent)
        rdv_buf_printf(b, "%.4g%%", 100 * x);
    else if (axis->points)
        rdv_buf_printf(b, x > 0 ? "+%.4g" : "%.4g", 100 * x);
    else if (fabs(x) >= 1e4)
        rdv_buf_printf(b, "%.3g%s", x / (fabs(x) >= 1e6 ? 1e6 : 1e3), fabs(x) >= 1e6 ? "M" : "k");
    else
        rdv_buf_printf(b, "%.4g", x);
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void y_axis(const plot *p)
{
    rdv_buf *b = p->out;
    double step = rdv_figure_tick(p->y.low, p->y.high, 5, p->y.whole);
    for (double y = p->y.low; y <= p->y.high + step * 1e-6; y += step) {
        rdv_buf_printf(b,
                       "<line class=\"grid\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\" "
                       "stroke=\"#ddd\"/><text class=\"tick\" x=\"%g\" y=\"%.1f\" "
                       "text-anchor=\"end\">",
                       p->left, p->right, plot_y(p, y), plot_y(p, y), p->left - 6,
                       plot_y(p, y) + 4);
        number(b, &p->y, y);
        rdv_buf_lit(b, "</text>");
    }
    double middle = (p->top + p->bottom) / 2, x = p->left - 45;
    rdv_buf_printf(b,
                   "<text class=\"label\" x=\"%g\" y=\"%.1f\" text-anchor=\"middle\" "
                   "transform=\"rotate(-90 %g %.1f)\">",
                   x, middle, x, middle);
    html_text(b, rdv_str_of(p->y.label));
    rdv_buf_lit(b, "</text>");
}

static double slot_of(const rdv_figure *figure, double width)
{
    return width / (double)(figure->n_categories ? figure->n_categories : 1);
}

static size_t longest_category(const rdv_figure *figure)
{
    size_t longest = 0;
    for (size_t i = 0; i < figure->n_categories; i++) {
        size_t n = figure_short_columns(figure->categories[i], FIGURE_LABEL);
        longest = n > longest ? n : longest;
    }
    return longest;
}

static bool is_slanted(const rdv_figure *figure, double width)
{
    double slot = slot_of(figure, width);
    return (double)longest_category(figure) * FIGURE_CHARACTER + 6 > slot &&
           (figure->n_categories <= 16 || longest_category(figure) > 3);
}

void plot_category_room(const rdv_figure *figure, double width, double *below, double *left)
{
    const double angle = SLANT * M_PI / 180, slot = slot_of(figure, width);
    *below = *left = 0;
    if (!figure_has_categories(figure) || !is_slanted(figure, width))
        return;
    for (size_t i = 0; i < figure->n_categories; i++) {
        size_t columns = figure_short_columns(figure->categories[i], FIGURE_LABEL);
        double length = (double)columns * FIGURE_CHARACTER;
        *below = fmax(*below, length * sin(angle));
        *left = fmax(*left, length * cos(angle) - slot * ((double)i + 0.5) + 8);
    }
}

static void x_tick(const plot *p, double x)
{
    rdv_buf_printf(p->out,
                   "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\" "
                   "stroke=\"#555\"/>",
                   plot_x(p, x), plot_x(p, x), p->bottom, p->bottom + 4);
}

static void tick_text(const plot *p, double x)
{
    rdv_buf_printf(p->out,
                   "<text class=\"tick\" x=\"%.1f\" y=\"%g\" "
                   "text-anchor=\"middle\">",
                   plot_x(p, x), p->bottom + 17);
}

static void categories(const plot *p)
{
    const rdv_figure *f = p->figure;
    double width = p->right - p->left, slot = slot_of(f, width), y = p->bottom + 12;
    bool slanted = is_slanted(f, width);
    size_t every = slanted ? (size_t)(MIN_SLOT / slot) + 1 : f->n_categories / 16 + 1;
    for (size_t i = 0; i < f->n_categories; i += every) {
        double x = plot_x(p, (double)i) + 4;
        x_tick(p, (double)i);
        if (slanted)
            rdv_buf_printf(p->out,
                           "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" "
                           "transform=\"rotate(-%g %.1f %.1f)\">",
                           x, y, SLANT, x, y);
        else
            tick_text(p, (double)i);
        figure_short_text(p->out, f->categories[i], FIGURE_LABEL);
        rdv_buf_lit(p->out, "</text>");
    }
}

static void numbers(const plot *p)
{
    double step = rdv_figure_tick(p->x.low, p->x.high, 6, p->x.whole);
    double first = ceil(p->x.low / step - 1e-9) * step;
    for (double x = first; x <= p->x.high + step * 1e-6; x += step) {
        x_tick(p, x);
        tick_text(p, x);
        number(p->out, &p->x, x);
        rdv_buf_lit(p->out, "</text>");
    }
}

static void x_axis(const plot *p)
{
    const rdv_figure *f = p->figure;
    rdv_buf *b = p->out;
    double below, left;
    plot_category_room(f, p->right - p->left, &below, &left);
    rdv_buf_printf(b,
                   "<line class=\"axis\" x1=\"%g\" x2=\"%g\" y1=\"%g\" y2=\"%g\" "
                   "stroke=\"#555\"/>",
                   p->left, p->right, p->bottom, p->bottom);
    (figure_has_categories(f) ? categories : numbers)(p);
    rdv_buf_printf(b, "<text class=\"label\" x=\"%g\" y=\"%g\" text-anchor=\"middle\">",
                   (p->left + p->right) / 2, p->bottom + below + (below > 0 ? 30 : 38));
    html_text(b, rdv_str_of(p->x.label));
    rdv_buf_lit(b, "</text>");
}

void plot_axes(const plot *p)
{
    y_axis(p);
    x_axis(p);
    if (p->y.low < 0 && p->y.high > 0)
        rdv_buf_printf(p->out,
                       "<line class=\"axis\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\" "
                       "stroke=\"#555\"/>",
                       p->left, p->right, plot_y(p, 0), plot_y(p, 0));
    if (p->figure->diagonal)
        rdv_buf_printf(p->out,
                       "<line class=\"diagonal\" stroke=\"#888\" stroke-dasharray=\"3 3\" "
                       "x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                       plot_x(p, p->x.low), plot_y(p, p->y.low), plot_x(p, p->x.high),
                       plot_y(p, p->y.high));
}
