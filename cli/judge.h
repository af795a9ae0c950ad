/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a record is to a command, and whether its answer is right. */
#include <rederive/data.h>

/* RDV_OK when the record is a chain: it has steps, or an empty list of them, or an answer. Else
 * RDV_E_INPUT and what it is instead. */
int chain_wanted(const rdv_record *record, rdv_error *err);

/* The canonical answer of a chain (p == NULL: could not be read), and whether it is right: 1, 0, -1
 * not known. The gold answer decides; without one the source's own opinion. What could not be read
 * is wrong where anything is known. */
int answer_judge(const rdv_chain *chain, rdv_arena *arena, rdv_str *key, int *right,
                 rdv_error *err);
