/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Looking into a journal, and taking its replies out of it and into it: `rederive journal`. */
#include <rederive/run.h>

/* How many replies are in it. */
int rdv_journal_count(rdv_journal *journal, uint64_t *n, rdv_error *err);
/* The names of the models that replied, in alphabetical order. *names: in `arena`. */
int rdv_journal_models(rdv_journal *journal, rdv_arena *arena, rdv_str **names, size_t *n,
                       rdv_error *err);
/* Every reply as a line of JSON (docs/journal.md), by model, sample and key, to `write`, which
 * returns RDV_OK or a fault to end with. A line has its newline. */
int rdv_journal_export(rdv_journal *journal,
                       int (*write)(void *payload, rdv_str line, rdv_error *err), void *payload,
                       rdv_error *err);

typedef struct rdv_journal_imported {
    uint64_t added, known, bad; /* lines: new replies, keys that were there already, unusable */
} rdv_journal_imported;

/* Take in one line of an export; the reply that is there already wins. Counts go to *counts.
 * Lines are committed together: rdv_journal_flush() after the last. RDV_OK; RDV_NONE: the line is
 * bad and `err` says why; faults: RDV_E_IO, RDV_E_NOMEM. */
int rdv_journal_import(rdv_journal *journal, rdv_str line, rdv_journal_imported *counts,
                       rdv_error *err);

/* Commit what was taken in so far: what is not is lost when the journal is closed. RDV_OK; faults:
 * RDV_E_IO, RDV_E_NOMEM. */
int rdv_journal_flush(rdv_journal *journal, rdv_error *err);
