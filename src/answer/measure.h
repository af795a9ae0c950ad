/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The unit of measurement after a number: "cm", "square feet", "km/h", "kg m^2 s^{-2}". */
#include "notation/measure.h"

typedef enum measures {
    MEASURES_SAME,     /* one unit, under whatever names */
    MEASURES_CONVERT,  /* of one dimension */
    MEASURES_UNKNOWN,  /* whether one can be converted is not known */
    MEASURES_DIFFERENT /* of two dimensions */
} measures;

/* `after`: what follows the number in an answer. Linear in its length. */
measure measure_read(rdv_str after);

/* "9.8 m s^{-2}": a number, and then nothing but a unit. */
bool measure_split(rdv_str s, rdv_str *number, rdv_str *letters);

/* "2 hours and 5 minutes", "5 ft 6 in", "12 dollars and 50 cents" as one number of the first
 * unit, "(2+5/(60/1)) hours", in the arena. RDV_NONE: it is no such sum. RDV_E_NOMEM. */
int measure_sum(rdv_str s, rdv_arena *arena, rdv_str *out, rdv_error *err);
bool measure_is_sum(rdv_str s);
/* May such a sum begin there: with a number and a unit? */
bool measure_begins_sum(rdv_str s);

/* How many bytes at the beginning of the text are a unit; 0: there is none. */
size_t measure_len(rdv_str s);
/* Does it begin with a word that is no unit and no part of one? Then measure_len() is 0. */
bool measure_is_no_unit(rdv_str s);

measures measure_compare(const measure *a, const measure *b);
