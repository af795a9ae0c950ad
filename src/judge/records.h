/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Records in, records out: `rederive check`, and `rederive grade` and `rederive vote` without
 * options, of records in memory. No sockets, and any thread. */
#include "judge/asked_records.h"

#define JUDGE_MOST_RECORDS 1000 /* lines in one text */
#define JUDGE_RECORDS_MS 20000  /* processor time of all of them */

typedef enum judge_work {
    JUDGE_CHECK, /* with the limits of a judgement on steps */
    JUDGE_GRADE,
    JUDGE_VOTE /* the answers stand behind the errors */
} judge_work;

/* Work on each record of a text of JSON Lines and append what comes out to *out, which is empty.
 * asker: for JUDGE_CHECK, by the method that it asks; NULL: by the one that asks no model. A line
 * for each chain, or for each question of a vote, and for a record that cannot be used an error. A
 * record that none of the time was left for is an error too; of a vote, all of it is, which would
 * lack voters. Faults: RDV_E_NOMEM; RDV_E_INPUT: there is no record, more than JUDGE_MOST_RECORDS,
 * or a chain that would vote twice; RDV_E_LIMIT: a vote took too long. */
int judge_records(judge_work work, const records_asker *asker, rdv_str text, rdv_arena *arena,
                  rdv_buf *out, rdv_error *err);
