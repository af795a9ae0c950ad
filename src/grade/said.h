/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the last sentence of a reply says, read as a reply of its own. */
#include "grade/grade_text.h"

/* Where nothing is told of a reply that announces nothing: its text with digits for numbers in
 * words, what stands behind a label, "Domain: (0, 4]", and the clause that it concludes with, "so x
 * is 5", each graded as a whole reply. The first that tells something decides, if no word that is
 * left out doubts or turns it, and gold is none of the values that are left out. RDV_OK or a fault.
 */
int said_weigh(const whole_reply *r, rdv_arena *arena, rdv_text_grade *out, rdv_error *err);
