/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The reader of replies to "which is the first thought with a mistake?". reply.h states the rules
 * that hold for every reader. */
#include "reply/ground.h"

/* Reads the location of the first error: *first is a step from 0 (the reply counts from 1), or
 * RDV_NO_STEP if the reply says that there is no mistake. Only the first 16 KiB are read.
 * RDV_PAPER: only a number or "No", apart from white space, quotes and a full stop.
 * RDV_ROBUST: also in a sentence, after a label ("First error step: 3"), or on a line of its own in
 * a longer reply; docs/mistakes.md has the rules. A number that is not a step's is not read.
 * *by as in reply.h. (BIG-Bench Mistake, section 3) */
int reply_location(rdv_str reply, rdv_profile profile, size_t n_steps, size_t *first,
                   reply_ground *by);
