/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The findings of a check, each at its place in the file, in a form for people and editors or for
 * another program:
 *
 *   notes.md:3:9: notes/0 step 1: 17 × 24 = 398, should be 408 [calculations]
 *   logs.eval!samples/1_epoch_1.json:1:802: 1_epoch_1 step 0: the two results differ [selfcheck]
 *
 * The file, with the member of an archive behind "!"; the line, and the column in characters (code
 * points) of the line, both from 1; the chain's id, "-" if it has none; the step, from 0, without
 * it for a verdict on the whole chain; the calculation and its right value, or the reason; and the
 * rule that found it: the method, and behind "/" the row of rules that read the calculation. A
 * finding whose place is not known stands where its record begins. Hostile bytes are escaped, line
 * ends included, so that a finding is always one line. */
#include "data/places.h"
#include "report/report.h"

/* How findings are written: a line each, as above; a workflow command of GitHub each ("::error
 * file=...::..."); or a result of SARIF 2.1.0 each, with ",\n" before it (report/sarif.h). */
typedef enum rdv_list_form { RDV_LIST_TEXT, RDV_LIST_GITHUB, RDV_LIST_SARIF } rdv_list_form;

typedef struct rdv_listing_place {
    const char *file;
    size_t line;                     /* of the record, from 1, where it has no places */
    const struct rdv_places *places; /* of its steps; NULL: not known */
} rdv_listing_place;

/* The rules that findings name, each once. */
typedef struct rdv_rule_ids {
    rdv_str *items;
    size_t n, cap;
} rdv_rule_ids;

/* Add a rule to those that are not there yet; its text is copied. RDV_OK or RDV_E_NOMEM. */
int rdv_rule_ids_add(rdv_rule_ids *rules, rdv_str id, rdv_arena *arena);

typedef struct rdv_listing_options {
    rdv_list_form form;
    const rdv_view_options *view; /* only `colour` is used, of text; NULL: none */
    bool unknown;                 /* list unknown steps too */
} rdv_listing_options;

typedef struct rdv_listed {
    size_t wrong;     /* steps that are wrong, or 1 for a chain that is wrong as a whole */
    size_t undecided; /* unknown steps, or 1 for a chain without any verdict */
} rdv_listed;

/* Lists the calculations that the check did not decide or read, one a line, with the reason:
 *
 *   chains.jsonl:3:81: bakery/1 step 0: not read (decimal comma): 120 * 4,50 = 560 [calculations]
 *
 * *out and *rules: as for rdv_list_check(). Faults: RDV_E_NOMEM. */
int rdv_list_unread(const rdv_listing_place *place, const rdv_chain *chain, const rdv_check *check,
                    const rdv_listing_options *options, rdv_arena *arena, rdv_rule_ids *rules,
                    rdv_str *out, rdv_error *err);
/* Lists the contradicted steps of the check and, with `unknown`, those that are unknown; *listed
 * counts both in any case.
 * *out: in `arena`, empty when there is nothing to list; untouched on failure. The rules that it
 * names are added to *rules, in `arena`. Faults: RDV_E_NOMEM. */
int rdv_list_check(const rdv_listing_place *place, const rdv_chain *chain, const rdv_check *check,
                   const rdv_listing_options *options, rdv_arena *arena, rdv_listed *listed,
                   rdv_rule_ids *rules, rdv_str *out, rdv_error *err);
