/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Angles in degrees. */
#include <rederive/base.h>

/* How many bytes of a sign of degrees, or of the word too, a text begins with, or 0. */
size_t angle_degrees_len(rdv_str s, bool words);
/* Does it hold the sign: an angle or a temperature? */
bool angle_has_degrees(rdv_str s);
/* Does it end in the sign, but for marks? */
bool angle_ends_in_degrees(rdv_str s);
/* Without the sign or word that it begins with, and blanks. */
rdv_str angle_without_degrees(rdv_str s);
/* The answer with pi/180 for each of its degree signs, in `arena`, into *out. *has: there is one,
 * and no function of angles, which reads degrees by itself; else *out is untouched. RDV_E_NOMEM. */
int angle_in_radians(rdv_str answer, rdv_arena *arena, rdv_str *out, bool *has, rdv_error *err);
