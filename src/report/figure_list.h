/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which columns of a table make its figure, as data. */
#include "report/figure.h"

#define FIGURE_LINES_MAX 4
#define FIGURE_ROWS_MAX 2
#define FIGURE_TABLES_MAX 6

/* A column of y. */
typedef struct figure_line {
    const char *column, *name;
    bool shared; /* one line stands for all series of a panel, where it is the same in all */
} figure_line;

/* A row of panels. */
typedef struct figure_row {
    rdv_figure_axis y;
    figure_line lines[FIGURE_LINES_MAX]; /* up to one without a column */
} figure_row;

typedef struct figure_entry {
    const char *tables[FIGURE_TABLES_MAX]; /* the names, or members, of the tables */
    rdv_figure_kind kind;
    const char *x, *second_x; /* columns; of two the values are joined */
    rdv_figure_axis x_axis;
    const char *together; /* the column of text whose values are series of one panel; NULL: all, if
                             each row has one line, otherwise none */
    const char *without;  /* a column of text that says what x says; NULL: none */
    const char *value;    /* a column of the table's series, shown in the legend; NULL: none */
    figure_row rows[FIGURE_ROWS_MAX];
    bool diagonal;
    bool own_categories; /* a panel has only the categories of its own series */
    const char *reading;
} figure_entry;

/* The entry of the table with that name, or NULL. */
const figure_entry *figure_entry_of(const char *table);
