/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The sign of a formula. */
#include <rederive/base.h>

/* Is the value of the formula `text` below, at or above zero? Into *sign: -1, 0, 1, each proven.
 * RDV_NONE: it is no formula, no real number, or its sign was not found. Letters have no value, e
 * and i among them: in the prose that this is for they are names. Faults: RDV_E_NOMEM. */
int math_sign(rdv_str text, int *sign, rdv_error *err);
