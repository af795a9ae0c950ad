/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rdv_math_key() within a bound of work. */
#include "algebra/work.h"

/* What it computes is taken from *work (NULL: no bound); over it: RDV_NONE. Else as rdv_math_key().
 */
int math_key(rdv_str text, math_work *work, rdv_arena *arena, rdv_str *key, rdv_error *err);
