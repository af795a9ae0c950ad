/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Coverage: how much of what is there to check a check could read, counted, named and told. */
#include <rederive/chain.h>

/* The name in records, "decimal_comma": a static string. */
const char *coverage_reason_name(rdv_unread_reason is);
/* The reason of that name into *out; RDV_NONE: there is no such reason. */
int coverage_reason_named(rdv_str name, rdv_unread_reason *out);
/* The same in words, for one text or for more: "decimal comma", "decimal commas". Static. */
const char *coverage_reason_words(rdv_unread_reason is, bool plural);

/* The texts that were not read, whatever the reason. */
size_t coverage_unread(const rdv_coverage *coverage);
/* All calculations that stand in the text, as far as they were seen. */
size_t coverage_all(const rdv_coverage *coverage);
/* Adds the counts of `one` to *sum. one == NULL: nothing. */
void coverage_add(rdv_coverage *sum, const rdv_coverage *one);
/* "4 undecided; 12 not read: 9 decimal commas, 3 units": what was not checked, in `arena`; empty
 * where all was. p == NULL: out of memory. */
rdv_str coverage_lacks(const rdv_coverage *coverage, rdv_arena *arena);
/* "31 of 47 calculations checked; 4 undecided; 12 not read: 9 decimal commas, 3 units" in `arena`;
 * what is 0 is left out, and the whole is empty where no calculation was seen. p == NULL: out of
 * memory. */
rdv_str coverage_says(const rdv_coverage *coverage, rdv_arena *arena);
