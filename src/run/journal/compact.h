/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A journal without what it does not need: `rederive journal compact`. */
#include <rederive/run.h>

typedef struct rdv_journal_compacted {
    uint64_t replies;      /* in the journal: all stay */
    uint64_t parts;        /* parts of requests that no row named, which are gone */
    uint64_t bytes_before; /* the size of the file */
    uint64_t bytes_after;
} rdv_journal_compacted;

/* Remove the parts of requests that no row names, store those of a journal of version 3 once each,
 * and give the file's unused pages back. The journal is open for writing; only
 * rdv_journal_close() may follow. A run that is killed leaves the journal of before or that of
 * after. `stopped` (NULL: never) ends it: RDV_E_IO, and the journal is that of before. Other
 * faults: RDV_E_INPUT (damaged), RDV_E_IO, RDV_E_NOMEM. Needs free space of twice the file's
 * size. */
int rdv_journal_compact(rdv_journal *journal, bool (*stopped)(void), rdv_journal_compacted *counts,
                        rdv_error *err);
