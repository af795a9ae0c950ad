/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Internal functions on evidence and checks, in addition to the public header. */
#include <rederive/chain.h>

/* Adds a value written as null. As rdv_evidence_map(). */
rdv_evidence *rdv_evidence_null(rdv_arena *arena, rdv_evidence *parent, rdv_str name);

/* The first note of the verdict's list of that name, "calculations"; NULL: there is none. */
const rdv_evidence *verdict_first(const rdv_verdict *verdict, rdv_str list);
/* Has the verdict a calculation with that outcome, "unused", listed or not yet? */
bool verdict_has_outcome(const rdv_verdict *verdict, rdv_str outcome);

/* Calculations of a long step that are not listed yet, since a tree of them takes 240 bytes each.
 * Only what is made inside the library for its own program has them. */
typedef struct calculation_source {
    void *of;
    size_t n;
    bool (*has)(const void *of, rdv_str outcome); /* is one of them of that outcome? */
    /* Append the notes of the one at index `i` to the list. False: out of memory. */
    bool (*note)(void *of, size_t i, rdv_arena *arena, rdv_evidence *list);
} calculation_source;

/* Add the list "calculations" of the source, which is borrowed, to the map. As rdv_evidence_list().
 */
rdv_evidence *evidence_calculations(rdv_arena *arena, rdv_evidence *map,
                                    const calculation_source *source);
/* The source of a list that is not made yet, or NULL. */
const calculation_source *evidence_source(const rdv_evidence *note);
/* Make the lists of the check's verdicts that are not made yet. RDV_OK or RDV_E_NOMEM. */
int evidence_list_all(rdv_check *check, rdv_arena *arena);

/* Does the chain have a later check by the same method? Then that one alone is written and shown.
 */
bool rdv_check_is_replaced(const rdv_chain *chain, const rdv_check *check);
