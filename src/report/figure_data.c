/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a figure, as CSV and as a table. */
#include "report/figure_plot.h"

#include "base/json.h"
#include "base/str.h"
#include "data/csv.h"
#include "report/html_text.h"

#include <math.h>

static void value(rdv_buf *b, double x)
{
    if (!isnan(x))
        rdv_buf_printf(b, "%.6g", x);
}

static bool in_bars(const rdv_figure *figure, size_t i)
{
    return figure_has_categories(figure) && i < figure->n_categories;
}

void rdv_figure_csv(const rdv_figure *figure, rdv_buf *out)
{
    rdv_buf_lit(out, "series,x,value,low,high\r\n");
    for (size_t s = 0; s < figure->n_series; s++) {
        const rdv_figure_series *series = &figure->series[s];
        for (size_t i = 0; i < series->n; i++) {
            const rdv_figure_point *at = &series->points[i];
            const double values[] = {at->y, at->low, at->high};
            rdv_csv_cell(out, series->name);
            rdv_buf_add_char(out, ',');
            if (in_bars(figure, i))
                rdv_csv_cell(out, figure->categories[(size_t)at->x]);
            else
                value(out, at->x);
            for (size_t k = 0; k < 3; k++) {
                rdv_buf_add_char(out, ',');
                value(out, values[k]);
            }
            rdv_buf_lit(out, "\r\n");
        }
    }
}

static void exact(rdv_buf *b, double x)
{
    rdv_buf_add_char(b, ',');
    if (isfinite(x))
        rdv_json_number(b, x);
}

static void panel_csv(const rdv_figure *figure, rdv_buf *out)
{
    for (size_t s = 0; s < figure->n_series; s++) {
        const rdv_figure_series *series = &figure->series[s];
        for (size_t i = 0; i < series->n; i++) {
            const rdv_figure_point *at = &series->points[i];
            rdv_csv_cell(out, figure->heading.p ? figure->heading : RDV_STR(""));
            rdv_buf_add_char(out, ',');
            rdv_csv_cell(out, rdv_str_of(figure->y.label));
            rdv_buf_add_char(out, ',');
            rdv_csv_cell(out, series->name);
            if (figure_has_categories(figure)) {
                rdv_buf_add_char(out, ',');
                rdv_csv_cell(out, figure->categories[(size_t)at->x]);
            } else {
                exact(out, at->x);
            }
            exact(out, at->y);
            exact(out, at->low);
            exact(out, at->high);
            rdv_buf_lit(out, "\r\n");
        }
    }
}

void rdv_figure_grid_csv(const rdv_figure_grid *grid, rdv_buf *out)
{
    rdv_buf_lit(out, "panel,measure,series,x,value,low,high\r\n");
    for (size_t i = 0; i < grid->n_panels; i++)
        if (grid->panels[i].y.label)
            panel_csv(&grid->panels[i], out);
}

void rdv_figure_grid_table(const rdv_figure_grid *grid, rdv_buf *out)
{
    for (size_t i = 0; i < grid->n_panels; i++) {
        if (!grid->panels[i].y.label)
            continue;
        if (grid->panels[i].heading.p) {
            rdv_buf_lit(out, "<h4>");
            html_text(out, grid->panels[i].heading);
            rdv_buf_lit(out, "</h4>");
        }
        rdv_figure_table(&grid->panels[i], out);
    }
}

void rdv_figure_table(const rdv_figure *figure, rdv_buf *out)
{
    rdv_buf_lit(out, "<table><thead><tr><th>series</th><th class=\"num\">");
    html_text(out, rdv_str_of(figure->x.label));
    rdv_buf_lit(out, "</th><th class=\"num\">");
    html_text(out, rdv_str_of(figure->y.label));
    rdv_buf_lit(out,
                "</th><th class=\"num\">low</th><th class=\"num\">high</th></tr></thead><tbody>");
    for (size_t s = 0; s < figure->n_series; s++) {
        const rdv_figure_series *series = &figure->series[s];
        for (size_t i = 0; i < series->n; i++) {
            const rdv_figure_point *at = &series->points[i];
            const double values[] = {at->y, at->low, at->high};
            rdv_buf_lit(out, "<tr><td>");
            html_text(out, series->name);
            rdv_buf_lit(out, "</td><td class=\"num\">");
            if (in_bars(figure, i))
                html_text(out, figure->categories[(size_t)at->x]);
            else
                value(out, at->x);
            for (size_t k = 0; k < 3; k++) {
                rdv_buf_lit(out, "</td><td class=\"num\">");
                value(out, values[k]);
            }
            rdv_buf_lit(out, "</td></tr>");
        }
    }
    rdv_buf_lit(out, "</tbody></table>");
}
