/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The figures that the papers print, as data. */

#define PAPER_CELLS 8

struct paper_row {
    const char *data;          /* the data set or task; NULL: the mean over them */
    const char *model;         /* that the paper used */
    double value[PAPER_CELLS]; /* in per cent, or the unit of the cell; NaN: not printed */
};

/* Where a value stands in our table. */
struct paper_cell {
    const char *key;    /* a text of the row: its check, locator or selection; NULL: any row */
    const char *column; /* NULL: past the last */
    const char *unit;   /* NULL: that of the table */
};

struct paper_table {
    const char *name;
    const struct paper_row *rows; /* end with a row without a model; NULL: none */
    const char *unit;             /* NULL: per cent */
    struct paper_cell cells[PAPER_CELLS];
    const char *note; /* NULL: none */
};

extern const struct paper_table paper_tables[]; /* ends with an entry of zeros */
