/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive journal import --batch: results in OpenAI's Batch format. */
#include "settings.h"

#include <rederive/run.h>

/* Import the results in the files at `paths` into the journal, which is open to be written; "-" is
 * standard input, and gzip is unpacked. RDV_NONE: a line was no result, or of no request of this
 * journal; each was reported. Faults: RDV_E_IO, RDV_E_INPUT, RDV_E_NOMEM. */
int journal_batch_import(rdv_journal *journal, const char *const *paths, size_t n,
                         const struct settings *settings, rdv_error *err);
