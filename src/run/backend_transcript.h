/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A journal that is replayed: every reply comes from it at once; a missing reply fails with
 * RDV_FAIL_MISSING. */
#include "run/backend.h"
#include "run/journal/journal.h"

/* *out: released with backend_free(). `journal` and `host` are borrowed until then.
 * Faults: RDV_E_NOMEM. */
int backend_transcript_new(backend **out, rdv_journal *journal, host *h, rdv_error *err);
