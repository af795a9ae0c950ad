/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Internal functions on evidence and checks, in addition to the public header. */
#include <rederive/chain.h>

/* Adds a value written as null. As rdv_evidence_map(). */
rdv_evidence *rdv_evidence_null(rdv_arena *arena, rdv_evidence *parent, rdv_str name);

/* The first note of the verdict's list of that name, "calculations"; NULL: there is none. */
const rdv_evidence *verdict_first(const rdv_verdict *verdict, rdv_str list);

/* Does the chain have a later check by the same method? Then that one alone is written and shown.
 */
bool rdv_check_is_replaced(const rdv_chain *chain, const rdv_check *check);
