/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Inspecting a journal, and exporting and importing its replies: `rederive journal`. */
#include <rederive/run.h>

/* The number of replies in it. */
int rdv_journal_count(rdv_journal *journal, uint64_t *n, rdv_error *err);
/* The names of the models that replied, in alphabetical order. *names: in `arena`. */
int rdv_journal_models(rdv_journal *journal, rdv_arena *arena, rdv_str **names, size_t *n,
                       rdv_error *err);
/* Write every reply as a line of JSON (docs/journal.md), ordered by model, sample and key, with
 * `write`, which returns RDV_OK or a fault that ends the export. A line includes its newline. */
int rdv_journal_export(rdv_journal *journal,
                       int (*write)(void *payload, rdv_str line, rdv_error *err), void *payload,
                       rdv_error *err);

typedef struct rdv_journal_imported {
    uint64_t added, known, bad; /* lines: new replies, existing keys, invalid lines */
} rdv_journal_imported;

/* Import one line of an export; an existing reply wins. Counts go to *counts. Lines are committed
 * together: call rdv_journal_flush() after the last one. RDV_OK; RDV_NONE: the line is invalid and
 * `err` says why; faults: RDV_E_IO, RDV_E_NOMEM. */
int rdv_journal_import(rdv_journal *journal, rdv_str line, rdv_journal_imported *counts,
                       rdv_error *err);

/* Commit what was imported so far; uncommitted lines are lost when the journal is closed. RDV_OK;
 * faults: RDV_E_IO, RDV_E_NOMEM. */
int rdv_journal_flush(rdv_journal *journal, rdv_error *err);
