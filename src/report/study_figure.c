/* SPDX-License-Identifier: Apache-2.0 */
/* Makes figures from tables: finds which rows form a series, and which series share a panel. */
#include "report/study_figure.h"

#include "base/arena.h"
#include "base/str.h"
#include "report/curve_figure.h"
#include "report/figure_list.h"
#include "score/interner.h"
#include "study/cell.h"

#include <math.h>
#include <string.h>

#define LABELS_MAX 16 /* columns of text that tell series apart */
#define GROUPS_MAX 24 /* panels in a row of panels; further ones are only counted */
#define NONE SIZE_MAX

/* The rows of a table that differ in x alone. */
typedef struct group {
    size_t panel, n;
    rdv_str name;  /* the values of the labels that share a panel */
    rdv_str value; /* of the legend; p == NULL: none */
    size_t *rows;
} group;

typedef struct maker {
    const rdv_study_table *table;
    const figure_entry *entry;
    rdv_arena *arena;
    size_t x, second_x;
    size_t label[LABELS_MAX];
    bool together[LABELS_MAX]; /* the values of this label share a panel */
    size_t n_labels;
    interner panels, groups, categories;
    group *group;
    size_t *group_of; /* of each row */
    double *x_of;
    bool has_categories;
} maker;

/* ---- columns --------------------------------------------------------------------------------- */

static const char *name_of(const rdv_column *column)
{
    return column->name ? column->name : column->head ? column->head : "";
}

/* The column of that name (a hidden one has none); of two with one name the one for people, whose
 * texts say more. */
static size_t column_of(const rdv_study_table *t, const char *name)
{
    size_t found = NONE;
    for (size_t c = 0; name && t && c < t->n_columns; c++)
        if (strcmp(name_of(&t->columns[c]), name) == 0 && (found == NONE || t->columns[c].head))
            found = c;
    return found;
}

static const rdv_cell *cell_at(const rdv_study_table *t, size_t row, size_t column)
{
    return &t->cells[row * t->n_columns + column];
}

static rdv_str text_at(const maker *m, size_t row, size_t column)
{
    rdv_str text = cell_at(m->table, row, column)->text;
    return text.p && text.len ? text : RDV_STR("-");
}

static bool varies(const maker *m, size_t column)
{
    for (size_t r = 1; r < m->table->n_rows; r++)
        if (!rdv_str_eq(text_at(m, r, column), text_at(m, 0, column)))
            return true;
    return false;
}

/* Whether the column says what x says, or is one of two with one name. */
static bool is_covered(const maker *m, size_t column)
{
    const char *name = name_of(&m->table->columns[column]), *without = m->entry->without;
    return column == m->x || column == m->second_x || column_of(m->table, name) != column ||
           (without && strcmp(without, name) == 0);
}

static size_t lines_of(const figure_row *row)
{
    size_t n = 0;
    while (n < FIGURE_LINES_MAX && row->lines[n].column)
        n++;
    return n;
}

static void find_labels(maker *m)
{
    const figure_entry *e = m->entry;
    bool single = lines_of(&e->rows[0]) == 1 && lines_of(&e->rows[1]) < 2;
    for (size_t c = 0; c < m->table->n_columns && m->n_labels < LABELS_MAX; c++) {
        if (m->table->columns[c].kind != RDV_CELL_TEXT || is_covered(m, c) || !varies(m, c))
            continue;
        m->together[m->n_labels] =
            e->together ? strcmp(name_of(&m->table->columns[c]), e->together) == 0 : single;
        m->label[m->n_labels++] = c;
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The values of the row's labels that share a panel, or of those that do not. */
static rdv_str labels_text(const maker *m, size_t row, bool together)
{
    rdv_buf b;
    rdv_buf_init(&b, m->arena, 0);
    rdv_buf_lit(&b, "");
    for (size_t i = 0; i < m->n_labels; i++) {
        if (m->together[i] != together)
            continue;
        if (b.len)
            rdv_buf_lit(&b, " · ");
        rdv_buf_add(&b, text_at(m, row, m->label[i]));
    }
    return rdv_buf_str(&b);
}

/* The series that a row is of: its labels, with their lengths, so that two never look alike. */
static rdv_str key_of(const maker *m, size_t row)
{
    rdv_buf b;
    rdv_buf_init(&b, m->arena, 0);
    rdv_buf_lit(&b, "");
    for (size_t i = 0; i < m->n_labels; i++) {
        rdv_str text = text_at(m, row, m->label[i]);
        rdv_buf_printf(&b, "%zu:%.*s", text.len, RDV_FMT(text));
    }
    return rdv_buf_str(&b);
}

static size_t series_at(const rdv_study_table *t, size_t row)
{
    size_t i = 0;
    while (i + 1 < t->series->n_rows && row >= t->ends[i])
        i++;
    return i;
}

/* What the legend adds to a series' name: "AUC 0.712"; p == NULL: nothing. False when out of
 * memory. */
static bool value_of(const maker *m, size_t row, rdv_str *out)
{
    size_t column = column_of(m->table->series, m->entry->value);
    const rdv_cell *cell =
        column == NONE ? NULL : cell_at(m->table->series, series_at(m->table, row), column);
    *out = (rdv_str){0};
    if (!cell || isnan(cell->is.value))
        return true;
    *out = rdv_str_printf(m->arena, "AUC %.3f", cell->is.value);
    return out->p != NULL;
}

/* Number the series and panels of all rows. */
static bool find_groups(maker *m)
{
    interner_init(&m->panels, m->arena);
    interner_init(&m->groups, m->arena);
    for (size_t r = 0; r < m->table->n_rows; r++) {
        rdv_str key = key_of(m, r), panel = labels_text(m, r, false);
        size_t before = m->groups.n, id;
        if (!key.p || !panel.p || interner_add(&m->groups, key, &m->group_of[r]) < 0 ||
            interner_add(&m->panels, panel, &id) < 0)
            return false;
        group *g = &m->group[m->group_of[r]];
        if (m->groups.n > before) {
            *g = (group){.panel = id, .name = labels_text(m, r, true)};
            if (!g->name.p || !value_of(m, r, &g->value))
                return false;
        }
        g->n++;
    }
    return true;
}

/* The series of the fullest panel. */
static size_t most_series(const maker *m)
{
    size_t lines = lines_of(&m->entry->rows[0]), most = 0;
    for (size_t p = 0; p < m->panels.n; p++) {
        size_t n = 0;
        for (size_t g = 0; g < m->groups.n; g++)
            n += m->group[g].panel == p;
        most = n > most ? n : most;
    }
    size_t shared = 0;
    for (size_t i = 0; i < lines; i++)
        shared += m->entry->rows[0].lines[i].shared;
    return most * (lines - shared) + shared;
}

static bool list_rows(maker *m)
{
    for (size_t g = 0; g < m->groups.n; g++) {
        m->group[g].rows = RDV_NEW_ARRAY(m->arena, size_t, m->group[g].n + 1);
        if (!m->group[g].rows)
            return false;
        m->group[g].n = 0;
    }
    for (size_t r = 0; r < m->table->n_rows; r++) {
        group *g = &m->group[m->group_of[r]];
        g->rows[g->n++] = r;
    }
    return true;
}

/* Divide the rows. Labels get panels of their own, from the first on, until no panel has more
 * series than can be told apart. */
static bool divide(maker *m)
{
    size_t n = m->table->n_rows;
    m->group = RDV_NEW_ARRAY(m->arena, group, n);
    m->group_of = RDV_NEW_ARRAY(m->arena, size_t, n);
    if (!m->group || !m->group_of || !find_groups(m))
        return false;
    for (size_t i = 0; i < m->n_labels && most_series(m) > RDV_FIGURE_SERIES; i++) {
        m->together[i] = false;
        if (!find_groups(m))
            return false;
    }
    return list_rows(m);
}

/* ---- x --------------------------------------------------------------------------------------- */

static rdv_str category_of(const maker *m, size_t row)
{
    char shown[RDV_CELL_BYTES];
    rdv_cell_show(m->table, cell_at(m->table, row, m->x), "±", shown);
    bool text = m->table->columns[m->x].kind == RDV_CELL_TEXT;
    rdv_str first = text ? text_at(m, row, m->x) : rdv_str_copy(m->arena, rdv_str_of(shown));
    return m->second_x == NONE ? first
                               : rdv_str_printf(m->arena, "%.*s, %.*s", RDV_FMT(first),
                                                RDV_FMT(text_at(m, row, m->second_x)));
}

static bool find_x(maker *m)
{
    m->has_categories =
        m->entry->kind >= RDV_FIGURE_BARS || m->table->columns[m->x].kind == RDV_CELL_TEXT;
    m->x_of = RDV_NEW_ARRAY(m->arena, double, m->table->n_rows);
    interner_init(&m->categories, m->arena);
    for (size_t r = 0; m->x_of && r < m->table->n_rows; r++) {
        size_t id;
        m->x_of[r] = cell_at(m->table, r, m->x)->is.value;
        if (!m->has_categories)
            continue;
        rdv_str category = category_of(m, r);
        if (!category.p || interner_add(&m->categories, category, &id) < 0)
            return false;
        m->x_of[r] = (double)id;
    }
    return m->x_of != NULL;
}

/* ---- series ---------------------------------------------------------------------------------- */

static rdv_figure_point *points_of(const maker *m, const group *g, size_t column)
{
    rdv_figure_point *points = RDV_NEW_ARRAY(m->arena, rdv_figure_point, g->n + 1);
    for (size_t i = 0; points && i < g->n; i++) {
        const rdv_estimate *y = &cell_at(m->table, g->rows[i], column)->is;
        points[i] = (rdv_figure_point){m->x_of[g->rows[i]], y->value, y->low, y->high};
    }
    return points;
}

static bool same_points(const rdv_figure_series *a, const rdv_figure_series *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->points[i].x == b->points[i].x && a->points[i].y == b->points[i].y;
    return same;
}

/* The name of a line of a group: the values of its labels, where only one line differs by them. */
static rdv_str series_name(const maker *m, const figure_row *row, const figure_line *line,
                           const group *g)
{
    size_t own = 0;
    for (size_t i = 0; i < lines_of(row); i++)
        own += !row->lines[i].shared;
    rdv_str name = rdv_str_of(line->name);
    if (g->name.len)
        name = own == 1 && !line->shared
                   ? g->name
                   : rdv_str_printf(m->arena, "%.*s: %s", RDV_FMT(g->name), line->name);
    return g->value.p ? rdv_str_printf(m->arena, "%.*s, %.*s", RDV_FMT(name), RDV_FMT(g->value))
                      : name;
}

/* Whether a line has the same points in all groups of the panel. */
static bool is_common(const maker *m, size_t panel, size_t column)
{
    rdv_figure_series first = {0};
    for (size_t g = 0; g < m->groups.n; g++) {
        const group *of = &m->group[g];
        if (of->panel != panel)
            continue;
        rdv_figure_series one = {.points = points_of(m, of, column), .n = of->n};
        if (!one.points || (first.points && !same_points(&first, &one)))
            return false;
        first = first.points ? first : one;
    }
    return true;
}

/* Add a line of the groups of a panel, once if it is the same in all. */
static bool add_line(const maker *m, const figure_row *row, const figure_line *line, size_t panel,
                     rdv_figure_series *series, size_t *n)
{
    size_t column = column_of(m->table, line->column);
    bool common = column != NONE && line->shared && is_common(m, panel, column);
    for (size_t g = 0; column != NONE && g < m->groups.n && *n < RDV_FIGURE_SERIES; g++) {
        const group *of = &m->group[g];
        if (of->panel != panel)
            continue;
        rdv_figure_series one = {common ? rdv_str_of(line->name) : series_name(m, row, line, of),
                                 points_of(m, of, column), of->n};
        if (!one.points || !one.name.p)
            return false;
        series[(*n)++] = one;
        if (common)
            break;
    }
    return true;
}

/* Number the categories of the panel's own points from 0. */
static bool renumber(const maker *m, rdv_figure *panel, rdv_figure_series *series)
{
    interner own;
    interner_init(&own, m->arena);
    for (size_t s = 0; s < panel->n_series; s++) {
        rdv_figure_point *points = RDV_NEW_ARRAY(m->arena, rdv_figure_point, series[s].n + 1);
        for (size_t i = 0; points && i < series[s].n; i++) {
            size_t id;
            points[i] = series[s].points[i];
            if (interner_add(&own, m->categories.texts[(size_t)points[i].x], &id) < 0)
                return false;
            points[i].x = (double)id;
        }
        series[s].points = points;
        if (!points)
            return false;
    }
    panel->categories = own.texts;
    panel->n_categories = own.n;
    return true;
}

static bool make_panel(const maker *m, const figure_row *row, size_t number, rdv_figure *out)
{
    rdv_figure_series *series = RDV_NEW_ARRAY(m->arena, rdv_figure_series, RDV_FIGURE_SERIES);
    size_t n = 0;
    bool ok = series != NULL;
    for (size_t i = 0; ok && i < lines_of(row); i++)
        ok = add_line(m, row, &row->lines[i], number, series, &n);
    *out = (rdv_figure){.name = "panel",
                        .kind = m->entry->kind,
                        .x = m->entry->x_axis,
                        .y = row->y,
                        .categories = m->has_categories ? m->categories.texts : NULL,
                        .n_categories = m->has_categories ? m->categories.n : 0,
                        .series = series,
                        .n_series = n,
                        .names_series = m->entry->value != NULL,
                        .diagonal = m->entry->diagonal};
    out->y.shared = row->y.from_zero || m->entry->kind >= RDV_FIGURE_BARS;
    if (m->panels.n > 1)
        out->heading = m->panels.texts[number];
    return ok && (!m->entry->own_categories || renumber(m, out, series));
}

/* ---- figures --------------------------------------------------------------------------------- */

/* Letters and digits stay, everything else is "-". */
static const char *id_of(const char *table, rdv_arena *arena)
{
    char *id = rdv_alloc(arena, strlen(table) + 1);
    for (size_t i = 0; id && i <= strlen(table); i++)
        id[i] = rdv_is_alnum(table[i]) || !table[i] ? table[i] : '-';
    return id;
}

/* Panels stand side by side for the groups, one below the other for the rows of the entry. */
static bool lay_out(const maker *m, rdv_figure_grid *out)
{
    size_t n = m->panels.n < GROUPS_MAX ? m->panels.n : GROUPS_MAX;
    size_t n_rows = lines_of(&m->entry->rows[1]) ? 2 : 1;
    size_t columns = n <= 3 ? n : n == 4 ? 2 : 3, blocks = (n + columns - 1) / columns;
    rdv_figure *panels = RDV_NEW_ARRAY(m->arena, rdv_figure, columns * blocks * n_rows);
    bool ok = panels != NULL;
    for (size_t i = 0; ok && i < n; i++)
        for (size_t row = 0; ok && row < n_rows; row++)
            ok = make_panel(m, &m->entry->rows[row], i,
                            &panels[(i / columns * n_rows + row) * columns + i % columns]);
    out->panels = panels;
    out->n_panels = columns * blocks * n_rows;
    out->n_columns = columns;
    out->reading = m->entry->reading;
    if (ok && n < m->panels.n)
        out->reading = rdv_str_printf(m->arena, "%s The first %zu of %zu panels are drawn.",
                                      m->entry->reading, n, m->panels.n)
                           .p;
    return ok && out->reading;
}

static int make_figure(const rdv_study_table *t, const figure_entry *entry, const char *name,
                       rdv_arena *arena, rdv_figure_grid *out)
{
    maker m = {.table = t,
               .entry = entry,
               .arena = arena,
               .x = column_of(t, entry->x),
               .second_x = column_of(t, entry->second_x)};
    if (m.x == NONE || t->n_rows == 0)
        return RDV_NONE;
    find_labels(&m);
    *out = (rdv_figure_grid){.name = id_of(name, arena),
                             .title = t->summary   ? t->summary
                                      : t->title.p ? rdv_cstring(arena, t->title)
                                                   : entry->reading};
    return out->name && out->title && divide(&m) && find_x(&m) && lay_out(&m, out) ? RDV_OK
                                                                                   : RDV_E_NOMEM;
}

int rdv_study_figures(const rdv_study_tables *tables, rdv_arena *arena, rdv_figure_grid **out,
                      size_t *n)
{
    rdv_figure_grid *figures = RDV_NEW_ARRAY(arena, rdv_figure_grid, tables->n + 1);
    *n = 0;
    *out = figures;
    if (!figures)
        return RDV_E_NOMEM;
    int code = curve_figure_grid(tables, arena, &figures[0]);
    *n = code == RDV_OK;
    for (size_t i = 0; code >= 0 && i < tables->n; i++) {
        const rdv_study_table *t = &tables->tables[i];
        const char *name = t->name ? t->name : t->member;
        const figure_entry *entry = figure_entry_of(name);
        code = entry ? make_figure(t, entry, name, arena, &figures[*n]) : RDV_NONE;
        *n += code == RDV_OK;
    }
    return code < 0 ? code : RDV_OK;
}
