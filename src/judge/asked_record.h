/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a record says beside its checks where a model was asked, and what it is asked of. */
#include "base/buf.h"
#include <rederive/data.h>

/* Who made checks, as records name it. */
typedef struct record_makers {
    rdv_str checker; /* the model */
    rdv_str profile; /* "robust" or "paper" */
} record_makers;

/* The type of question that the record's format, "dataset" or "task" names (SelfCheck, section
 * 3.1); p == NULL: none. In `arena`. */
rdv_str record_question_type(const rdv_record *record, rdv_arena *arena);
/* Where the record names other makers, its checks before number `first` keep them: they become
 * members of those checks. Faults: RDV_E_NOMEM. */
int record_keep_makers(const rdv_chain *chain, size_t first, const record_makers *by,
                       rdv_arena *arena, rdv_error *err);
/* Put the members "checker" and "profile". */
void record_put_makers(const record_makers *by, rdv_buf *b);
/* Put the member "partial", where the check is partial, or the record said that one was. */
void record_put_partial(const rdv_chain *chain, bool partial, rdv_buf *b);
