/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Angles in degrees. */
#include <rederive/base.h>

/* The answer with pi/180 for each of its degree signs, in `arena`, into *out. *has: there is one,
 * and no function of angles, which reads degrees by itself; else *out is untouched. RDV_E_NOMEM. */
int angle_in_radians(rdv_str answer, rdv_arena *arena, rdv_str *out, bool *has, rdv_error *err);
