/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The value of a text that is one calculation without a result: "17 * 24", "15% of 80", "\sqrt2".
 */
#include <rederive/base.h>

#define VALUE_OF_MAX 4096 /* bytes of the text */

typedef struct value_of_text {
    rdv_str value;   /* exact: "408", "3.75", "10/3"; else the first digits, "1.41421356237..." */
    rdv_str decimal; /* of a fraction, its first digits, "3.33333333333..."; p == NULL: none */
    bool exact;
} value_of_text;

/* A value is given only where the calculation with this value as its result is right by the rules
 * of calculations: in all usual readings, so that "8 / 1/4" has none. RDV_OK; RDV_NONE: it has no
 * value, or none is certain, and *why is the reason, static or in `arena`. *out: in `arena`,
 * untouched unless RDV_OK. Faults: RDV_E_NOMEM. */
int value_of(rdv_str text, rdv_arena *arena, value_of_text *out, const char **why, rdv_error *err);
