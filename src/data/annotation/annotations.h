/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Human annotations of the steps of chains, read from separate files
 * (docs/annotate.md). BIG-Bench Mistake, section 2.1.1: people mark steps until the first wrong
 * one; general-purpose verification, appendix G.3: y, n or a ("cannot say") on each step, by
 * criterion. */
#include <rederive/data.h>

#define RDV_MAX_ANNOTATION_BYTES ((size_t)1 << 20) /* of one record */
#define RDV_MAX_ANNOTATION_CELLS ((size_t)1000)    /* of one row of a table */

typedef struct rdv_annotation_options {
    const char *by;    /* the annotator of records that name none; NULL: such records are faults */
    const char *of;    /* the criterion likewise; NULL: "correct" */
    size_t count_from; /* steps are counted from this: 0 or 1 */
} rdv_annotation_options;

/* Annotations by chain, held in memory. */
typedef struct rdv_annotations rdv_annotations;

/* None yet; in `arena`. The options' strings are borrowed. NULL when out of memory. */
rdv_annotations *rdv_annotations_new(rdv_arena *arena, const rdv_annotation_options *options);

/* Called for a record that cannot be used, with "FILE:LINE: reason". */
typedef void rdv_annotation_told(void *payload, const char *message);

/* Read the file at `path` ("-": standard input; gzip is recognised): JSON Lines, a JSON list, or a
 * table with commas (RFC 4180) whose first row names its columns. A record that cannot be used is
 * reported and skipped; *n_bad (may be NULL) counts such records. A second record with the same
 * chain, annotator, criterion (and step) is reported too, and the first one is kept.
 * Records: {"id", "annotator", "criterion", "first_error"}: a step, or null for none;
 *          {"id", "annotator", "criterion", "labels"}: a list of true, false, null, one per step;
 * tables:  id, annotator, criterion and first_error (a number, or "none"; empty: no label), or
 *          id, annotator, criterion, step, label (y, n, or a: undecided; empty: no label).
 *          Other columns are skipped; with a column `verdict`, so is first_error, a program's.
 * tasks of Label Studio's export and HUMAN span annotations of Phoenix (annotation/tools.h).
 * RDV_OK; RDV_E_IO; RDV_E_INPUT: a table without the columns; RDV_E_NOMEM. */
int rdv_annotations_read(rdv_annotations *annotations, const char *path, rdv_annotation_told *told,
                         void *payload, size_t *n_bad, rdv_error *err);

/* The same from `source`, which is not closed; `name` (copied) is the file's name in messages. */
int rdv_annotations_read_source(rdv_annotations *annotations, rdv_source source, const char *name,
                                rdv_annotation_told *told, void *payload, size_t *n_bad,
                                rdv_error *err);

/* Add the annotations of chain->id, or where it has none those of the record's `span_id`, to
 * chain->step_labels (a new list, in `arena`), after the existing ones; one by the same annotator
 * on the same criterion is replaced. An annotation that does not fit the chain's steps is reported
 * ("FILE:LINE: reason"), counted in *n_bad (may be NULL) and left out. RDV_NONE: there is no
 * annotation for it; RDV_E_LIMIT: more than 1000 judgements; RDV_E_NOMEM; the chain is then as
 * before. */
int rdv_annotations_apply(rdv_annotations *annotations, rdv_chain *chain, rdv_arena *arena,
                          rdv_annotation_told *told, void *payload, size_t *n_bad, rdv_error *err);

/* The `i`-th, from 0, of those whose chain was never passed to rdv_annotations_apply(), as
 * "FILE:LINE: no chain has the id ..." in `arena`; p == NULL: past the last, or out of memory. */
rdv_str rdv_annotations_unused(const rdv_annotations *annotations, size_t i, rdv_arena *arena);

/* ---- writing --------------------------------------------------------------------------------- */

/* The annotations of a chain as lines of JSON ({"id","annotator","criterion","labels"}), in
 * `arena`; empty where it has none. RDV_E_NOMEM. */
int rdv_annotations_write(const rdv_chain *chain, rdv_arena *arena, rdv_str *lines, rdv_error *err);

typedef struct rdv_sheet_options {
    rdv_str by, of;    /* the content of the columns "annotator" and "criterion" */
    size_t count_from; /* 0 or 1 */
    bool no_target;    /* without the right answer, in the column "target" */
} rdv_sheet_options;

/* The columns of a sheet for people, then the rows of one chain (NULL: the row of the columns): its
 * question with its options and the right answer (BIG-Bench Mistake, appendices B and D), and each
 * step, to be marked in the column "label". Text that a spreadsheet would interpret as a formula
 * gets an apostrophe before it, which is removed when the sheet is read. RDV_E_NOMEM. */
int rdv_annotation_sheet(const rdv_chain *chain, const rdv_sheet_options *options, rdv_arena *arena,
                         rdv_str *rows, rdv_error *err);

/* The instructions for annotators on a criterion, as Markdown: "correct", "overall", "math",
 * "consistency" or "relevance". A static string; NULL: there are none for this criterion. */
const char *rdv_annotation_guidelines(rdv_str criterion);

#ifdef __cplusplus
}
#endif
