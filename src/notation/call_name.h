/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The names of the functions that calculations are written with. */
#include <rederive/base.h>

typedef enum call_is {
    CALL_NONE,
    CALL_GCD,
    CALL_LCM,
    CALL_MAX,
    CALL_MIN,
    CALL_FLOOR,
    CALL_CEIL,
    CALL_LOG, /* b: the base */
    CALL_LN,
    CALL_SIN,
    CALL_COS,
    CALL_TAN,
    CALL_SIN_DEGREES, /* the three of an angle in degrees, in the same order */
    CALL_COS_DEGREES,
    CALL_TAN_DEGREES,
    CALL_ASIN, /* the three that give an angle, in the same order */
    CALL_ACOS,
    CALL_ATAN,
    CALL_PRODUCT /* N_SUM: the terms are multiplied */
} call_is;

/* The function of that name in any case, with or without the backslash of a command; CALL_NONE:
 * there is none. */
call_is call_named(rdv_str name);

/* Does the function take several numbers, as gcd does? */
bool call_takes_several(call_is is);
