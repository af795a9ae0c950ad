/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What people read: the view of a chain on a terminal, tables, and a picture of
 * what a run found. Ours throughout: the papers print no views.
 *
 * Everything shown may come from a model and is taken as hostile: control characters, escape
 * sequences, direction marks and bytes that are not UTF-8 are shown escaped ("\x1b"), never passed
 * on. Text is made in the caller's arena; nothing is printed here. Widths count code points. */
#include <rederive/chain.h>

/* Zero-initialised = all defaults. */
typedef struct rdv_view_options {
    size_t width;    /* columns that lines are wrapped to; 0 = 80; less than 40 counts as 40 */
    bool colour;     /* with ANSI colours and underlining; default without */
    bool ascii;      /* marks that every terminal has: "+ x . ?" for the four verdicts */
    size_t max_text; /* bytes shown of one question or step, the rest being counted; 0 = 4000 */
} rdv_view_options;

/* The readable view of one chain: question, each step with the mark of its verdict, why, what was
 * calculated wrongly (underlined, or with a line of ^ under it where there is no colour) with the
 * right value, then confidence, first error, and the answer beside the gold answer. Evidence is
 * read as "calculations" writes it, with bytes of the step:
 * {"calculations":[{"start":0,"end":5,"outcome":"wrong","value":"6"}]}
 * Members that are missing or out of range are skipped.
 * check: one of the chain's, or NULL: the bare chain is shown.
 * right: 1, 0, or -1 for "not known", what the comparison of answer and gold gave.
 * *out: in `arena`, many lines, ends in a newline; untouched on failure. Faults: RDV_E_NOMEM. */
int rdv_view_chain(const rdv_chain *chain, const rdv_check *check, int right,
                   const rdv_view_options *options, rdv_arena *arena, rdv_str *out, rdv_error *err);

#define RDV_FINDINGS_STEPS 16

/* What a run has found so far: fixed size, so that it costs nothing to keep for any run.
 * Zero-initialise; filled by rdv_findings_add(). */
typedef struct rdv_findings {
    uint64_t chains, skipped, without_confidence;
    uint64_t verdicts[4];                     /* support, unrelated, contradict, unknown */
    uint64_t first_error[RDV_FINDINGS_STEPS]; /* chains by that step; the last: it and later */
    uint64_t no_error;                        /* chains without one */
    uint64_t error_unknown;  /* chains of which not all was read, and no error was found */
    uint64_t confidence[10]; /* chains by tenths; 1 is in the last */
} rdv_findings;

/* Counts one check, which is only read. Cannot fail. One thread at a time for the same findings. */
void rdv_findings_add(rdv_findings *found, const rdv_check *check);

/* The compact picture of the findings: verdicts, first errors and confidences as bars.
 * *out: in `arena`, untouched on failure; empty when there is no chain. Faults: RDV_E_NOMEM. */
int rdv_view_findings(const rdv_findings *found, const rdv_view_options *options, rdv_arena *arena,
                      rdv_str *out, rdv_error *err);

/* ---- tables ---------------------------------------------------------------------------------- */

/* A table that is filled cell by cell, row after row, then laid out. In an arena; failure sticks
 * and is told by rdv_table_print(). */
typedef struct rdv_table rdv_table;

/* A table of `n_columns` (at least 1). heads: their names, borrowed; a head that begins with '>'
 * (not shown) has its column set to the right. NULL when out of memory. */
rdv_table *rdv_table_new(rdv_arena *arena, const char *const *heads, size_t n_columns);
/* The next cell, copied; a cell after the last column begins the next row. */
void rdv_table_cell(rdv_table *table, rdv_str text);
/* The next cell from a format, as printf(). */
void rdv_table_cellf(rdv_table *table, const char *fmt, ...) RDV_PRINTF(2, 3);
/* Columns two spaces apart, a rule under the heads; a row that was not completed has empty cells.
 * *out: in the table's arena, untouched on failure. Faults: RDV_E_NOMEM. */
int rdv_table_print(const rdv_table *table, const rdv_view_options *options, rdv_str *out,
                    rdv_error *err);
