/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The names of functions and letters in formulas. */
#include <rederive/base.h>

typedef enum function_id {
    FN_NONE,
    FN_SIN,
    FN_COS,
    FN_TAN,
    FN_COT,
    FN_SEC,
    FN_CSC,
    FN_ASIN,
    FN_ACOS,
    FN_ATAN,
    FN_SINH,
    FN_COSH,
    FN_TANH,
    FN_ASINH,
    FN_ACOSH,
    FN_ATANH,
    FN_EXP,
    FN_LN,
    FN_LOG, /* base 10 for numbers written so, or the base that is given */
    FN_ABS,
    FN_FLOOR,
    FN_CEIL,
    FN_GCD,
    FN_LCM,
    FN_MAX,
    FN_MIN,
    FN_MOD,
    FN_BINOMIAL,
    FN_PERMUTATIONS, /* ordered choices of b out of a */
    FN_FACTORIAL,
    FN_DOUBLE_FACTORIAL,
    FN_CONJUGATE,
    FN_BASE /* the digits of a, read in base b */
} function_id;

/* The function of that name, with or without a backslash; FN_NONE: there is none. */
function_id formula_function(rdv_str name);

/* A name of the function, static. */
const char *formula_function_name(function_id fn);

/* How many functions the letters `run` begin with: the length of a name that is the whole of them,
 * or all but one ("sinx"); 0: none. */
size_t formula_name_prefix(rdv_str run);

/* Is the character a Greek letter that formulas use as a letter? Pi is not. */
bool formula_is_letter(uint32_t code);

/* The name of a letter: a Greek one is its command ("\\alpha"), any other itself. Static or
 * borrowed. */
rdv_str formula_letter_name(rdv_str letter);
