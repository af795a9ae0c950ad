/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Units of measurement that people convert between without saying so. */
#include <rederive/base.h>

typedef enum dimension {
    DIM_TIME = 1,
    DIM_LENGTH = 2,
    DIM_MASS = 4,
    DIM_VOLUME = 8,
    DIM_MONEY = 16,
    DIM_COUNT = 32,
    DIM_ANGLE = 64,
    DIM_OTHER = 128 /* known to be a unit, never converted */
} dimension;

typedef struct unit {
    const char *name;
    dimension dim;
    uint32_t num, den; /* in the dimension's base unit, exactly */
} unit;

#define UNIT_DIMENSIONS 8

/* Which bit of `dimension` the unit's is: 0 to UNIT_DIMENSIONS - 1. */
size_t unit_dimension_index(const unit *u);
/* Are they the same measure, under whatever name? */
bool unit_same(const unit *a, const unit *b);

/* The unit of that name (singular, plural, abbreviation), or NULL. */
const unit *unit_named(rdv_str word);

/* All units, *n of them. Static. */
const unit *units_all(size_t *n);
