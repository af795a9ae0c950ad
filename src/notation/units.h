/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The one table of units of measurement, for answers and for calculations: what each unit is,
 * exactly, and the words and symbols that mean it. docs/adr/0069. */
#include <rederive/base.h>

/* What every unit is a product of powers of. Calendar months have no number of seconds, and
 * scales of temperature and ways to count an angle are not converted by a factor. */
typedef enum measure_base {
    BASE_SECOND,
    BASE_METRE,
    BASE_GRAM,
    BASE_AMPERE,
    BASE_MOLE,
    BASE_CANDELA,
    BASE_CENT,  /* of the dollar */
    BASE_EURO,  /* a hundredth of it */
    BASE_PENNY, /* of the pound sterling */
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

typedef enum unit_is {
    UNIT_PREFIXED = 1,  /* "k", "milli" and the like may stand before it */
    UNIT_ROUNDED = 2,   /* no exact measure, or one of several of its name */
    UNIT_CUSTOMARY = 4, /* of the US customary units: people convert these to metric ones roughly */
    UNIT_LOOSE = 8,     /* counted in more than one way: a day of work, a week of school */
    UNIT_IMPERIAL = 16, /* a British one is larger: gallon, quart, pint */
    UNIT_RARE = 32      /* of a measure: its symbol is a letter that means more things, "A" */
} unit_is;

/* One unit is num / den * 10^ten of the bases, each to its power. */
typedef struct unit {
    signed char power[MEASURE_BASES];
    uint64_t num, den; /* 0 is 1 */
    int ten;
    unsigned is; /* of unit_is */
} unit;

/* The units that a word or symbol means. */
typedef struct unit_meaning {
    const unit *unit;
    const unit *other; /* its second meaning, an ounce of mass or of volume; or the same unit */
    int ten;           /* of its prefix: 3 for "k" */
    int other_ten;     /* the same; for "k" of data also 0, with `binary` 1 */
    int binary;        /* the second meaning has this power of 1024 too */
    bool answers_only; /* means other things in prose: "pt", "C" */
} unit_meaning;

/* What `word` means. Names in any case, singular or plural; symbols in their own case. False:
 * nothing. */
bool unit_find(rdv_str word, unit_meaning *out);

/* The same for a word after a number in prose: without what means other things there, and without
 * symbols behind a prefix that are words ("us", "pm"). */
bool unit_find_in_prose(rdv_str word, unit_meaning *out);

/* Is it a unit of money, in any currency? */
bool unit_is_money(const unit *u);

/* What the sign of a currency means, "$", "€" or "£"; NULL for others. */
const unit *unit_of_currency(rdv_str sign);

/* Every word and symbol of the table, in two lists by turns: i from 0 on; p == NULL: the end. */
rdv_str unit_spelling(size_t i);

/* All units, *n of them. Static. */
const unit *units_all(size_t *n);
