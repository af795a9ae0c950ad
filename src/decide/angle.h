/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An angle in degrees that is stated in radians, or the other way: "30° = π/6 rad". */
#include "decide/decide.h"
#include "expression/reading_eval.h"

/* RDV_NONE: it is another equality. */
int angle_decide(const reading_eval *t, bool clean, decision *out);
