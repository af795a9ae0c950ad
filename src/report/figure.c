/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a figure: its panels in rows, below one legend. */
#include "report/figure_plot.h"

#include "base/str.h"
#include "report/html_text.h"

#include <math.h>
#include <string.h>

#define LEFT 58.0
#define RIGHT 22.0
#define BOTTOM 46.0
#define LINE 18.0 /* of the legend, and of a heading */
#define NAMES 64  /* in a legend; series beyond it have none */
#define NAME_COLUMNS 58

/* Width and height of a panel that is alone in its row, of a picture that is one panel, and of a
 * panel of several in a row: pictures of two and more columns are printed over the whole width of a
 * page. */
static const double widths[] = {480, 480, 360, 310};
#define HEIGHT_ALONE 330.0
#define HEIGHT_OF_SEVERAL 236.0
#define GAP 12.0 /* between rows */

typedef struct legend_name {
    rdv_str name;
    const rdv_figure *figure;        /* where it is first, */
    const rdv_figure_series *series; /* and its series there */
    bool drawn;                      /* some point of it is */
} legend_name;

typedef struct picture {
    const rdv_figure_grid *grid;
    rdv_buf *out;
    legend_name names[NAMES];
    size_t n_names;
    bool shows_legend;
    size_t n_rows;
    double left, below, heading; /* what every panel has beyond LEFT, BOTTOM, and above */
    double width, height;        /* of a panel with everything around it */
    double legend;               /* the height of the legend */
} picture;

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_blank(const rdv_figure *figure)
{
    return figure->y.label == NULL;
}

static size_t series_of(const rdv_figure *figure)
{
    return figure->n_series < RDV_FIGURE_SERIES ? figure->n_series : RDV_FIGURE_SERIES;
}

/* The number of a name in the legend, which has it from now on. */
static size_t number_of(picture *p, const rdv_figure *figure, const rdv_figure_series *series)
{
    size_t i = 0;
    while (i < p->n_names && !rdv_str_eq(p->names[i].name, series->name))
        i++;
    if (i == NAMES)
        return NAMES - 1;
    if (i == p->n_names)
        p->names[p->n_names++] = (legend_name){series->name, figure, series, false};
    p->names[i].drawn = p->names[i].drawn || !figure_series_is_empty(series);
    return i;
}

static void collect_names(picture *p)
{
    for (size_t i = 0; i < p->grid->n_panels; i++) {
        const rdv_figure *figure = &p->grid->panels[i];
        for (size_t s = 0; s < series_of(figure) && !is_blank(figure); s++)
            number_of(p, figure, &figure->series[s]);
        p->shows_legend = p->shows_legend || figure->n_series > 1 || figure->names_series;
    }
}

/* ---- the legend ------------------------------------------------------------------------------ */

static plot plot_of(const picture *p, const rdv_figure *figure)
{
    return (plot){
        .figure = figure, .out = p->out, .name = p->grid->name, .n_series = series_of(figure)};
}

/* Write the names of the series in lines, and set the height that they take. draw: otherwise only
 * the height is found. */
static void legend(picture *p, bool draw)
{
    double all = p->width * (double)p->grid->n_columns, x = LEFT, y = 16;
    p->legend = 10;
    for (size_t i = 0; i < p->n_names && p->shows_legend; i++) {
        const legend_name *name = &p->names[i];
        size_t columns = figure_short_columns(name->name, NAME_COLUMNS) + (name->drawn ? 0 : 10);
        double width = 42 + FIGURE_CHARACTER * (double)columns;
        if (x > LEFT && x + width > all - RIGHT) {
            x = LEFT;
            y += LINE;
        }
        if (draw) {
            plot sample = plot_of(p, name->figure);
            plot_sample(&sample, name->series, i, x, y);
            rdv_buf_printf(p->out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">", x + 26, y);
            figure_short_text(p->out, name->name, NAME_COLUMNS);
            rdv_buf_add(p->out, name->drawn ? RDV_STR("</text>") : RDV_STR(" (no data)</text>"));
        }
        x += width;
        p->legend = y + 14;
    }
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* The room that the names of categories need, which all panels have, so that they are aligned. */
static void find_sizes(picture *p)
{
    const rdv_figure_grid *grid = p->grid;
    size_t most = sizeof widths / sizeof *widths - 1;
    double inside = widths[grid->n_columns < most ? grid->n_columns : most] - LEFT - RIGHT;
    p->n_rows = (grid->n_panels + grid->n_columns - 1) / grid->n_columns;
    for (size_t i = 0; i < grid->n_panels; i++) {
        double below, left;
        plot_category_room(&grid->panels[i], inside, &below, &left);
        p->below = below > p->below ? below : p->below;
        p->left = left - LEFT > p->left ? left - LEFT : p->left;
        if (grid->panels[i].heading.p)
            p->heading = LINE;
    }
    p->width = LEFT + p->left + inside + RIGHT;
    legend(p, false);
    p->height =
        grid->n_panels > 1 ? HEIGHT_OF_SEVERAL + GAP + p->heading : HEIGHT_ALONE - p->legend;
    p->height += p->below;
}

/* The ranges of a panel, and of those that share its y axis. */
static void find_ranges(const picture *p, plot *area)
{
    const rdv_figure_axis *y = &area->figure->y;
    plot_find_ranges(area);
    for (size_t i = 0; i < p->grid->n_panels && y->shared && y->low == y->high; i++) {
        plot other = plot_of(p, &p->grid->panels[i]);
        if (is_blank(other.figure) || strcmp(other.figure->y.label, y->label) != 0)
            continue;
        plot_find_ranges(&other);
        area->y.low = fmin(area->y.low, other.y.low);
        area->y.high = fmax(area->y.high, other.y.high);
    }
    if (y->shared && y->low == y->high)
        plot_round(&area->y);
}

static void panel(picture *p, size_t i)
{
    const rdv_figure *figure = &p->grid->panels[i];
    plot area = plot_of(p, figure);
    double x = p->width * (double)(i % p->grid->n_columns);
    double y = p->legend + p->height * (double)(i / p->grid->n_columns);
    if (is_blank(figure))
        return;
    area.left = x + LEFT + p->left;
    area.right = x + p->width - RIGHT;
    area.top = y + p->heading;
    area.bottom = y + p->height - BOTTOM - p->below - (p->grid->n_panels > 1 ? GAP : 0);
    for (size_t s = 0; s < area.n_series; s++)
        area.style[s] = number_of(p, figure, &figure->series[s]);
    find_ranges(p, &area);
    rdv_buf_lit(p->out, "<g class=\"panel\">");
    if (figure->heading.p) {
        rdv_buf_printf(p->out,
                       "<text class=\"heading\" x=\"%g\" y=\"%g\" text-anchor=\"middle\" "
                       "font-weight=\"600\">",
                       (area.left + area.right) / 2, area.top - 6);
        figure_short_text(p->out, figure->heading,
                          (size_t)((area.right - area.left) / FIGURE_CHARACTER));
        rdv_buf_lit(p->out, "</text>");
    }
    plot_axes(&area);
    plot_series(&area);
    rdv_buf_lit(p->out, "</g>");
}

/* ---- the picture ----------------------------------------------------------------------------- */

static void define_patterns(const picture *p)
{
    for (size_t i = 0; i < p->grid->n_panels; i++)
        if (p->grid->panels[i].kind >= RDV_FIGURE_BARS) {
            plot_define_patterns(p->grid->name, p->n_names, p->out);
            return;
        }
}

void rdv_figure_grid_svg(const rdv_figure_grid *grid, rdv_buf *out)
{
    picture p = {.grid = grid, .out = out};
    const char *palette = grid->n_panels ? grid->panels[0].palette : NULL;
    collect_names(&p);
    find_sizes(&p);
    double width = p.width * (double)grid->n_columns;
    double height = p.legend + p.height * (double)p.n_rows;
    rdv_buf_printf(out,
                   "<svg class=\"plot %s\" width=\"%.0f\" height=\"%.0f\" "
                   "viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
                   "font-family=\"system-ui,sans-serif\" font-size=\"12\" "
                   "xmlns=\"http://www.w3.org/2000/svg\"><title>",
                   palette ? palette : "series", width, height, width, height);
    html_text(out, rdv_str_of(grid->title));
    rdv_buf_lit(out, "</title>");
    define_patterns(&p);
    legend(&p, true);
    for (size_t i = 0; i < grid->n_panels; i++)
        panel(&p, i);
    rdv_buf_lit(out, "</svg>");
}

void rdv_figure_svg(const rdv_figure *figure, rdv_buf *out)
{
    const rdv_figure_grid grid = {.name = figure->name,
                                  .title = figure->title,
                                  .reading = figure->reading,
                                  .panels = figure,
                                  .n_panels = 1,
                                  .n_columns = 1};
    rdv_figure_grid_svg(&grid, out);
}
