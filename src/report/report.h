/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Output for people: the view of a chain on a terminal, tables, and a chart of a run's findings.
 * All of it is ours: the papers print no views.
 *
 * All displayed text may come from a model and is treated as hostile: control characters, escape
 * sequences, direction marks and bytes that are not UTF-8 are shown escaped ("\x1b"), never passed
 * on. Text is allocated in the caller's arena; these functions print nothing. Widths are in columns
 * of a terminal: two for a wide character, such as a Chinese one, none for a combining mark. */
#include "report/word_counts.h"

#include <rederive/answer.h>
#include <rederive/chain.h>

/* Zero-initialised = all defaults. */
typedef struct rdv_view_options {
    size_t width;    /* columns that lines are wrapped to; 0 = 80; less than 30 counts as 30 */
    bool colour;     /* ANSI colours and underlining; off by default */
    bool ascii;      /* ASCII marks: "+ x . o ~ ?" (words.h) */
    size_t max_text; /* bytes shown of one question or step; the rest is only counted; 0 = 4000 */
} rdv_view_options;

/* The readable view of one chain: the question; each step with the mark of its verdict, the reason,
 * and each wrong calculation (underlined, or with a line of ^ below it without colours) with the
 * right value; then the confidence, the first error, and the answer beside the gold answer.
 * Evidence is read in the format of the method "calculations", with byte offsets in the step:
 * {"calculations":[{"start":0,"end":5,"outcome":"wrong","value":"6"}]}
 * Members that are missing or out of range are skipped.
 * check: one of the chain's, or NULL to show the chain without a check.
 * grade: of its answer.
 * *out: in `arena`, several lines, ends in a newline; untouched on failure. Faults: RDV_E_NOMEM. */
int rdv_view_chain(const rdv_chain *chain, const rdv_check *check, const rdv_grade *grade,
                   const rdv_view_options *options, rdv_arena *arena, rdv_str *out, rdv_error *err);

#define RDV_FINDINGS_STEPS 16

/* The findings of a run so far. The size is fixed, so that they can be kept for any run.
 * Zero-initialise; rdv_findings_add() fills them. */
typedef struct rdv_findings {
    uint64_t chains, without_confidence;
    uint64_t proven_wrong; /* chains, which the confidences leave out */
    uint64_t verdicts[4]; /* for records: support, unrelated, contradict, unknown */
    word_counts words;    /* for people */
    uint64_t first_error[RDV_FINDINGS_STEPS]; /* chains by the step of their first error; the last
                                                 counts later steps too */
    uint64_t no_error;                        /* chains without a first error */
    uint64_t error_unknown;                   /* chains with unread verdicts and no error found */
    uint64_t confidence[10]; /* chains that are not proven wrong, by tenths of the confidence; 1 is
                                in the last */
} rdv_findings;

/* Counts one check without changing it. Cannot fail. One thread at a time may use the same
 * findings. */
void rdv_findings_add(rdv_findings *found, const rdv_check *check);

/* A compact chart of the findings: steps by word, first errors and confidences as bars.
 * *out: in `arena`, untouched on failure; empty when there is no chain. Faults: RDV_E_NOMEM. */
int rdv_view_findings(const rdv_findings *found, const rdv_view_options *options, rdv_arena *arena,
                      rdv_str *out, rdv_error *err);

/* What the marks of checks mean, one line for each mark that occurs: shown once, below the views of
 * all chains. judged: counts of the checks that prove nothing; proving: of the others.
 * *out: in `arena`, untouched on failure; empty when there is no verdict. Faults: RDV_E_NOMEM. */
int rdv_view_legend(const word_counts *proving, const word_counts *judged,
                    const rdv_view_options *options, rdv_arena *arena, rdv_str *out,
                    rdv_error *err);

/* ---- tables ---------------------------------------------------------------------------------- */

/* A table, filled cell by cell and row by row, then laid out. It lives in an arena; a failure is
 * kept and reported by rdv_table_print(). */
typedef struct rdv_table rdv_table;

/* A table of `n_columns` (at least 1). heads: their names, borrowed; a head that begins with '>'
 * (not shown) aligns its column to the right. NULL when out of memory. */
rdv_table *rdv_table_new(rdv_arena *arena, const char *const *heads, size_t n_columns);
/* Adds the next cell, copied; a cell after the last column begins the next row. */
void rdv_table_cell(rdv_table *table, rdv_str text);
/* Adds the next cell from a printf() format. */
void rdv_table_cellf(rdv_table *table, const char *fmt, ...) RDV_PRINTF(2, 3);
/* Columns two spaces apart, a rule under the heads; an incomplete row ends in empty cells.
 * *out: in the table's arena, untouched on failure. Faults: RDV_E_NOMEM. */
int rdv_table_print(const rdv_table *table, const rdv_view_options *options, rdv_str *out,
                    rdv_error *err);
