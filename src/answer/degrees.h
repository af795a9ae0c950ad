/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The sign of degrees, of angles and temperatures. */
#include <rederive/base.h>

/* How many bytes of a sign of degrees, or of the word too, a text begins with, or 0. */
size_t degrees_len(rdv_str s, bool words);
/* Does it hold the sign: an angle or a temperature? */
bool degrees_in(rdv_str s);
/* Does it end in the sign, but for marks? */
bool degrees_end(rdv_str s);
/* Without the sign or word that it begins with, and blanks. */
rdv_str degrees_skip(rdv_str s);
