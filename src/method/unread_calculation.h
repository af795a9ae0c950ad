/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Text that looks like a calculation and was not read as one. Nothing is decided about it: it only
 * serves to say what was passed over. */
#include <rederive/math.h>

/* Finds the first such text of the step, beside its `n` calculations, which are in the order of the
 * text. *unit: the unit behind its result; p == NULL: it has none. p == NULL: there is none. The
 * texts are slices of the step. Linear in the step. */
rdv_str unread_calculation(rdv_str step, const rdv_calc *calcs, size_t n, rdv_str *unit);
