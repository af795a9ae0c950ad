/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The reply to "which is the first thought with a mistake?", of which read.h says what holds for
 * every reader. */
#include <rederive/plan.h>

/* Where the first mistake is said to be: *first is a step from 0 (the reply counts from 1), or
 * RDV_NO_STEP where it says that there is none. Only the first 16 KiB are read.
 * RDV_PAPER: a number or "No", alone but for white space, quotes and a full stop.
 * RDV_ROBUST: also in a sentence, behind a label ("First error step: 3"), or a line of its own in a
 * longer reply; docs/mistakes.md has the rules. A number that is of no step is not read.
 * *why as in read.h. (BIG-Bench Mistake, section 3) */
int reply_location(rdv_str reply, rdv_profile profile, size_t n_steps, size_t *first, rdv_str *why);
