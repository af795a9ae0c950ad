/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reading the files that are joined to the records: step scores, questions, requests of a batch. */
#include "data/joined.h"
#include "data/members.h"

/* "data/word_sorting.jsonl.gz" makes "word_sorting", in `arena`; NULL when out of memory. */
char *rdv_set_name(rdv_arena *arena, const char *path);
/* Read `path` into *j. Records: step scores
 * {"problem_id", "candidate_index", "step_scores", "prm_name"}, scores {"id" or "uuid", "scores"},
 * questions {"id", "question"}, or the puzzles of game of 24 (a table that begins with "Rank,").
 * Any other record is a fault: RDV_E_INPUT with file and line. */
int rdv_joined_read(rdv_joined *j, const char *path, const rdv_limits *limits, rdv_error *err);
