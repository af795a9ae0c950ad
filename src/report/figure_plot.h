/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The parts of a figure's panel: its scales, its axes and its series. Lengths are in the units of
 * the view box; text is 12 units high. */
#include "report/figure.h"

#define FIGURE_CHARACTER 6.6 /* the mean width of a character */
#define FIGURE_LABEL 44      /* columns of a category's name that are shown */

typedef struct plot {
    const rdv_figure *figure;
    rdv_buf *out;
    const char *name;                /* of the picture, for ids */
    rdv_figure_axis x, y;            /* with their ranges */
    double left, right, top, bottom; /* of the area of the points */
    size_t n_series;
    size_t style[RDV_FIGURE_SERIES]; /* of each series: its number in the legend */
} plot;

double plot_x(const plot *p, double x);
double plot_y(const plot *p, double y);
/* Whether x is the index of a category. */
bool figure_has_categories(const rdv_figure *figure);
/* Take the ranges that the axes leave open from the points. */
void plot_find_ranges(plot *p);
/* Round a range outwards to ticks. */
void plot_round(rdv_figure_axis *axis);

/* What the names of the categories need, if the area is `width` wide: the height below the axis
 * beyond that of a number, and the width to the left of the area. */
void plot_category_room(const rdv_figure *figure, double width, double *below, double *left);
/* Draw both axes with their ticks and labels, and the line at zero and the diagonal. */
void plot_axes(const plot *p);

/* Draw the points of all series, or say that there are none. */
void plot_series(const plot *p);
bool figure_series_is_empty(const rdv_figure_series *series);
/* A legend's sample of a series, left of x at the line of text y. */
void plot_sample(const plot *p, const rdv_figure_series *series, size_t style, double x, double y);
/* Define the patterns of the first n styles. */
void plot_define_patterns(const char *name, size_t n, rdv_buf *out);

/* Text of at most `columns` columns, cut with "...", escaped. */
void figure_short_text(rdv_buf *b, rdv_str text, size_t columns);
/* The columns that it takes. */
size_t figure_short_columns(rdv_str text, size_t columns);
