/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The unit of measurement after a number: "cm", "square feet", "km/h", "kg m^2 s^{-2}". */
#include <rederive/base.h>

/* What every unit is a product of powers of. Calendar months have no number of seconds, and
 * scales of temperature and ways to count an angle are not converted. */
typedef enum measure_base {
    BASE_SECOND,
    BASE_METRE,
    BASE_GRAM,
    BASE_AMPERE,
    BASE_MOLE,
    BASE_CANDELA,
    BASE_CENT,
    BASE_BIT,
    BASE_BECQUEREL,
    BASE_SIEVERT,
    BASE_GRAY,
    BASE_DECIBEL,
    BASE_UNIT, /* "units", "points" */
    /* From here on "cannot tell" stands between one base and another of its group. */
    BASE_MONTH,
    BASE_KELVIN,
    BASE_CELSIUS,
    BASE_FAHRENHEIT,
    BASE_ONE, /* dozens, pairs */
    BASE_DEGREE,
    BASE_RADIAN,
    BASE_TURN,
    MEASURE_BASES
} measure_base;

#define MEASURE_FACTORS_MAX 8

/* (num / den * 10^ten)^power: what one unit is in the bases. */
typedef struct measure_factor {
    uint64_t num, den;
    int ten, power;
} measure_factor;

typedef struct measure {
    size_t n; /* factors; 0: no unit that is known */
    measure_factor factor[MEASURE_FACTORS_MAX];
    int power[MEASURE_BASES];
    bool rounded; /* is one factor no exact measure, or one of several of its name? */
    bool open;    /* is it also per something that is no unit: "km per trip"? */
} measure;

typedef enum measures {
    MEASURES_SAME,     /* one unit, under whatever names */
    MEASURES_CONVERT,  /* of one dimension */
    MEASURES_UNKNOWN,  /* whether one can be converted is not known */
    MEASURES_DIFFERENT /* of two dimensions */
} measures;

/* `after`: what follows the number in an answer. Linear in its length. */
measure measure_read(rdv_str after);

measures measure_compare(const measure *a, const measure *b);
