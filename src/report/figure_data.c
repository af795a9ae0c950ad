/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a figure, as CSV and as a table. */
#include "report/figure.h"

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
    return figure->kind == RDV_FIGURE_BARS && i < figure->n_categories;
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
                rdv_csv_cell(out, figure->categories[i]);
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
                html_text(out, figure->categories[i]);
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
