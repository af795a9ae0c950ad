/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Units of measurement as they are written, products of powers of units: "km/h", "square feet". */
#include "notation/units.h"

#include <flint/fmpq.h>

#define MEASURE_FACTORS_MAX 8

/* (num / den * 10^ten * 1024^binary)^power: what one unit is in the bases. */
typedef struct measure_factor {
    uint64_t num, den;
    int ten, power, binary;
} measure_factor;

/* A unit of measurement as written: "km/h", "square feet". */
typedef struct measure {
    size_t n; /* factors; 0: no unit that is known */
    measure_factor factor[MEASURE_FACTORS_MAX];
    int power[MEASURE_BASES];
    unsigned is;  /* of unit_is, of any factor */
    bool rounded; /* is one factor no exact measure, or one of several of its name? */
    bool metric;  /* is one factor a metric measure of a length, an area, a volume or a mass? */
    bool open;    /* is it also per something that is no unit: "km per trip"? */
} measure;

/* Multiply by unit^power. False: it has too many factors. */
bool measure_add(measure *m, const unit *u, int ten, int binary, int power);

/* Are the powers of all bases the same? Dozens and pairs are numbers. */
bool measure_same_dimension(const int *a, const int *b);

/* One unit of the measure in the bases of its dimension. */
void measure_size(const measure *m, fmpq_t out);

/* How many of `b` one of `a` is, by their factors. */
void measure_ratio(const measure *a, const measure *b, fmpq_t out);

/* Is one unit of `a` as much as one of `b`? They are of one dimension. */
bool measure_same_size(const measure *a, const measure *b);

/* Is `a` a smaller unit than `b`, of the same dimension? */
bool measure_is_smaller(const measure *a, const measure *b);
