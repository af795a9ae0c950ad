/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Times of day as people write them: "6:30 pm", "18:30", "6 p.m.", "half past six", "noon",
 * "six o'clock in the morning", "1830 hours". */
#include <rederive/base.h>

/* The next time at or after byte *from, which is moved past it. *key is "18:30" (24 hours, with
 * seconds where they are not 0), or "6:30?" where nothing says whether it is before noon, and "
 * EST" before the "?" where a zone is named. False when there is none. Reading a text to its end is
 * linear. */
bool answer_next_time(rdv_str s, size_t *from, rdv_str *out, char key[16]);
/* The last time of the text. */
bool answer_last_time(rdv_str s, rdv_str *out);
/* The key of an answer that is a time. RDV_NONE: it is none, states two different ones, or denies
 * it ("not 6:30"). RDV_E_NOMEM. */
int answer_time_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err);
/* True if the keys agree when a missing half of the day or zone is taken from the other one. */
bool answer_times_may_agree(rdv_str a, rdv_str b);
