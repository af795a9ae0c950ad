/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Records in, records out: `rederive check` with the method that asks no model, of records in
 * memory. No sockets, and any thread. */
#include "base/buf.h"

#define JUDGE_MOST_RECORDS 1000 /* in one text */

/* Check each record of a text of JSON Lines, with the limits of a judgement on steps, and append
 * what comes out to *out: a line for each chain, or for one that cannot be used an error. Faults:
 * RDV_E_NOMEM; RDV_E_INPUT: there is no record, or more than JUDGE_MOST_RECORDS. */
int judge_records(rdv_str text, rdv_arena *arena, rdv_buf *out, rdv_error *err);
