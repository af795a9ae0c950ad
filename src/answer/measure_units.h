/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The table of units of measurement, with their symbols, names and prefixes. */
#include "answer/measure.h"

typedef struct measure_unit {
    const char *symbol, *name; /* NULL: it has none; a name may have the ending "s" or "es" */
    signed char power[MEASURE_BASES];
    uint64_t num, den; /* 0 is 1 */
    int ten;
    bool prefixed; /* may "k", "milli" and the like stand before it? */
    bool rounded;
} measure_unit;

/* The unit that the word names, NULL: none; *ten is the power of ten of its prefix. */
const measure_unit *measure_unit_named(rdv_str word, int *ten);
