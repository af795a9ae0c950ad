/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Figures as SVG: series of points with intervals, or bars, with axes, ticks and a legend; one
 * panel, or several in one picture. Series differ by colour, dash and mark, bars by pattern, so
 * that a figure can be read in grey. Colours are attributes, and every part has a class, so that a
 * page's style sheet can replace them; a figure needs no style sheet and no script. All texts are
 * escaped. NaN is never drawn. */
#include <rederive/base.h>

#include "base/buf.h"

/* `low` and `high`: the ends of its interval; NaN: none. */
typedef struct rdv_figure_point {
    double x, y, low, high;
} rdv_figure_point;

typedef struct rdv_figure_series {
    rdv_str name;
    const rdv_figure_point *points; /* by rising x */
    size_t n;
} rdv_figure_series;

typedef struct rdv_figure_axis {
    const char *label;
    double low, high; /* equal: taken from the points */
    bool percent;     /* values are shares, and ticks are shown in per cent */
    bool points;      /* values are differences of shares, and ticks are percentage points */
    bool whole;       /* ticks are whole numbers */
    bool shared;      /* panels whose axes have the same label have the same range */
    bool from_zero;   /* a range that is taken from the points begins at 0 at the latest */
} rdv_figure_axis;

typedef enum rdv_figure_kind {
    RDV_FIGURE_LINES = 0, /* a line through the points of each series; with categories, x is the
                             index of one */
    RDV_FIGURE_STEPS,     /* the same, horizontal and then vertical between points (a ROC curve) */
    RDV_FIGURE_BARS,      /* for each category one bar, in which the series are stacked */
    RDV_FIGURE_GROUPS /* for each category the bars of all series side by side, with intervals */
} rdv_figure_kind;

#define RDV_FIGURE_SERIES 8 /* at most; further series are left out */

/* Everything is borrowed. */
typedef struct rdv_figure {
    const char *name; /* for ids and files: letters, digits and "-" */
    const char *title;
    const char *reading; /* one sentence: what is drawn, and how to read it; NULL: none */
    rdv_figure_kind kind;
    rdv_figure_axis x, y;
    const rdv_str *categories; /* the names of bars, n_categories of them; the x of each point is
                                  the index of one */
    size_t n_categories;
    const rdv_figure_series *series;
    size_t n_series;
    rdv_str heading;     /* above a panel; p == NULL: none */
    bool names_series;   /* a single series has its name in the legend, too */
    bool diagonal;       /* a line from the lower left to the upper right corner */
    const char *palette; /* a class of the whole figure, which a style sheet may colour; NULL:
                            none */
} rdv_figure;

/* Several figures as one picture: panels in rows, with one legend for all, in which series of one
 * name are one. A panel whose y axis has no label is left blank. Everything is borrowed. */
typedef struct rdv_figure_grid {
    const char *name;  /* as of a figure */
    const char *title; /* not drawn: the title of the element */
    const char *reading;
    const rdv_figure *panels;
    size_t n_panels, n_columns; /* panels in a row, at least 1 */
} rdv_figure_grid;

/* Append the figure as one <svg> element. Failure is kept by the buffer. */
void rdv_figure_svg(const rdv_figure *figure, rdv_buf *out);
void rdv_figure_grid_svg(const rdv_figure_grid *grid, rdv_buf *out);
/* Append its data as CSV (RFC 4180, with a header): series,x,value,low,high. That of a
 * picture begins with panel,measure (the heading, and the label of the y axis), and has all
 * digits. */
void rdv_figure_csv(const rdv_figure *figure, rdv_buf *out);
void rdv_figure_grid_csv(const rdv_figure_grid *grid, rdv_buf *out);
/* Append its data as an HTML <table>. */
void rdv_figure_table(const rdv_figure *figure, rdv_buf *out);
void rdv_figure_grid_table(const rdv_figure_grid *grid, rdv_buf *out);

/* Ticks of an axis from `low` to `high`: a step of 1, 2 or 5 times a power of ten that gives about
 * `n` intervals; at least 1 if `whole`. */
double rdv_figure_tick(double low, double high, int n, bool whole);
