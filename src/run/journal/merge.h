/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The replies of several journals in one: `rederive journal merge`. */
#include <rederive/run.h>

typedef struct rdv_journal_merged {
    uint64_t added;     /* replies to requests that no journal before had */
    uint64_t copies;    /* replies that are there already, received at the same time */
    uint64_t repeated;  /* other replies to a request that is there already: it was sent again */
    uint64_t conflicts; /* of those, with another content; the reply that is there is kept */
    uint64_t prompt_tokens, completion_tokens; /* of all replies but copies: what they cost */
} rdv_journal_merged;

/* Add the replies of `from` to `into`; a reply that is there stays. `stopped` (NULL: never) ends
 * the merge: RDV_E_IO. Counts are added to *counts. Other faults: those of both journals;
 * RDV_E_NOMEM. Rows are committed on the way. */
int rdv_journal_merge(rdv_journal *into, rdv_journal *from, bool (*stopped)(void),
                      rdv_journal_merged *counts, rdv_error *err);
/* Bring the log into the journal's file, so that it may be renamed: what stays in the log is lost
 * then. Nothing may be written afterwards. Faults: RDV_E_IO, RDV_E_NOMEM. */
int rdv_journal_settle(rdv_journal *journal, rdv_error *err);
/* Remove all replies. Faults: RDV_E_IO, RDV_E_NOMEM. */
int rdv_journal_empty(rdv_journal *journal, rdv_error *err);
