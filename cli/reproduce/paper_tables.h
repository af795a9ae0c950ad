/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The figures that the papers print, as data. */
#include <stdbool.h>

#define PAPER_CELLS 8

struct paper_row {
    const char *data;          /* the data set or task; NULL: the mean over them */
    const char *model;         /* that the paper used */
    double value[PAPER_CELLS]; /* in per cent, or the unit of the cell; NaN: not printed */
    double error[PAPER_CELLS]; /* the printed +-; 0: none, or none is printed */
    /* The observations behind a share, by the paper's text; 0: not stated, or the share is no
     * multiple of 1/n. */
    int n[PAPER_CELLS];
    bool drawn; /* of traces that were drawn (BIG-Bench Mistake, Table 2) */
};

/* Where a value stands in our table. */
struct paper_cell {
    const char *key;    /* a text of the row: its check, locator or selection; NULL: any row */
    const char *column; /* NULL: past the last */
    const char *unit;   /* NULL: that of the table */
};

struct paper_table {
    const char *name;             /* several entries may have one */
    const char *list;             /* the list of our table's rows in its JSON; NULL: "rows" */
    const struct paper_row *rows; /* end with a row without a model; NULL: none */
    const char *unit;             /* NULL: per cent */
    bool over_draws; /* the printed +- is a deviation over draws, else a standard error */
    struct paper_cell cells[PAPER_CELLS];
    const char *note;             /* NULL: none */
    const struct paper_row *over; /* rows of the data sets that its means are over; NULL: none */
};

extern const struct paper_table paper_tables[]; /* ends with an entry of zeros */

/* Other names of a paper's data set, in small letters and digits alone. */
struct paper_names {
    const char *data, *names[4]; /* NULL: past the last */
};

extern const struct paper_names paper_names[]; /* ends with an entry of zeros */
