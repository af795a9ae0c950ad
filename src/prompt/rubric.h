/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A rubric: the criteria by which a solution is judged, a text of the user with one a line. Prompts
 * have them as the list `criteria` (docs/methods.md). */
#include <rederive/base.h>

#define RUBRIC_MAX_BYTES ((size_t)64 << 10)
#define RUBRIC_MAX_CRITERIA 100
#define RUBRIC_MAX_LENGTH 1000 /* bytes of one */

/* The criteria of a text: its lines without white space around them; empty ones and those that
 * begin with '#' are left out. They borrow from `text`; the list is in `arena`. *out and *n are
 * untouched on failure. Faults: RDV_E_NOMEM; RDV_E_INPUT and RDV_E_LIMIT with a message that begins
 * with "LINE: ": no UTF-8, a control character, no criterion, too many or too long a one. */
int rubric_read(rdv_str text, rdv_arena *arena, rdv_str **out, size_t *n, rdv_error *err);
