/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The findings of a check, one a line, as compilers write them:
 *
 *   chains.jsonl:3:bakery/1:0:28: 17 × 24 = 398, should be 408
 *   chains.jsonl:3:bakery/1:2:1: selfcheck: the two results differ
 *
 * The file and the line of the record; the chain's id, "-" if it has none; the step, from 0, and
 * the column in it, from 1 and in characters (code points), both "-" for a verdict on the whole
 * chain; then the calculation and its right value, or the method and its reason. A finding that is
 * no calculation is at column 1. Hostile bytes are escaped, line ends included, so that a finding
 * is always one line. */
#include "report/report.h"

typedef struct rdv_listing_place {
    const char *file;
    size_t line; /* from 1 */
    rdv_str text; /* a solution that stands in the file as it is, from this line on: its findings
                     have their own line, and their column in it; p == NULL: the line is the
                     record's */
} rdv_listing_place;

typedef struct rdv_listed {
    size_t wrong;     /* steps that are wrong, or 1 for a chain that is wrong as a whole */
    size_t undecided; /* unknown steps, or 1 for a chain without any verdict */
} rdv_listed;

/* Lists the calculations that the check did not decide or read, one a line, with the reason:
 *
 *   chains.jsonl:3:bakery/1:0:28: not read (decimal comma): 120 * 4,50 = 560
 *   chains.jsonl:3:bakery/1:2:31: undecided (units of different kinds): 500 + $300 = 800 per week
 *
 * Only `colour` of the options is used. *out: as for rdv_list_check(). Faults: RDV_E_NOMEM. */
int rdv_list_unread(const rdv_listing_place *place, const rdv_chain *chain, const rdv_check *check,
                    const rdv_view_options *options, rdv_arena *arena, rdv_str *out,
                    rdv_error *err);
/* Lists the contradicted steps of the check and, with `unknown`, those that are unknown; *listed
 * counts both in any case. Only `colour` of the options is used.
 * *out: in `arena`, empty when there is nothing to list; untouched on failure. Faults:
 * RDV_E_NOMEM. */
int rdv_list_check(const rdv_listing_place *place, const rdv_chain *chain, const rdv_check *check,
                   bool unknown, const rdv_view_options *options, rdv_arena *arena,
                   rdv_listed *listed, rdv_str *out, rdv_error *err);
