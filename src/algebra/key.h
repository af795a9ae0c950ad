/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rdv_math_key() within a bound of work. */
#include "algebra/work.h"

/* What it computes is taken from *work (NULL: no bound); over it: RDV_NONE. Else as rdv_math_key().
 * The arena lives as long as the work, which may keep texts in it. */
int math_key(rdv_str text, math_work *work, rdv_arena *arena, rdv_str *key, rdv_error *err);
