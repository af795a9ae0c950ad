/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The wrong calculations that a verdict's evidence names, in the format of the method
 * "calculations" (report.h). */
#include <rederive/chain.h>

typedef struct rdv_wrong {
    size_t begin, end; /* bytes of the step; begin < end */
    rdv_str value;     /* the right value; p == NULL: not stated */
    rdv_str of;        /* what has the value; p == NULL: the left side */
    rdv_str row;       /* the row of the rules that read it; p == NULL: none */
    rdv_str note;      /* what the value rests on; p == NULL: the calculation alone */
} rdv_wrong;

/* The evidence to pass to rdv_wrong_next(); NULL: there is none. */
const rdv_evidence *rdv_wrong_first(const rdv_verdict *verdict);
/* Writes the next wrong calculation from *at on to *out and moves *at behind it; false: there is
 * none. Entries that are not wrong, or whose place is not within the step, are passed over. */
bool rdv_wrong_next(const rdv_evidence **at, rdv_str step, rdv_wrong *out);
/* The calculation as it is quoted: without a "$" that only ends a formula within it. Borrowed from
 * the step, or in `arena`; p == NULL: out of memory. */
rdv_str rdv_wrong_said(const rdv_wrong *wrong, rdv_str step, rdv_arena *arena);
/* What is right instead, "408" or "k is 11 (from the equation before)", in `arena`, or borrowed
 * from `wrong`; p == NULL: the value is not stated, or memory runs out. */
rdv_str rdv_wrong_right(const rdv_wrong *wrong, rdv_arena *arena);
/* What stands between the calculation and rdv_wrong_right(): ", should be ", or ": " where that
 * names what has the value. */
const char *rdv_wrong_joins(const rdv_wrong *wrong);
