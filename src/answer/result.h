/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The number that a solution comes to without announcing it. */
#include "answer/reply_span.h"

/* The last number of a text, except for names: "9th grade", "grade 9" and "step 9" are skipped
 * where there is another number. */
bool answer_last_value(rdv_str text, rdv_str *out);
/* The number that step `i` of a solution concludes with: the one that was computed last (it follows
 * the last '=' before the step's last sentence), where that sentence has it ("So the 2 shirts cost
 * $36 in all 3 shops" after "60 - 24 = 36"); else the last one of the step. With its words of
 * scale, "5 million". False: it has none. */
bool answer_last_result(const reply_span *reply, size_t i, rdv_str *out);
