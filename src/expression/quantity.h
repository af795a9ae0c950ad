/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Dimensions of the two sides of an equality: whether they fit, and what a conversion between the
 * units may explain. */
#include "expression/dimension.h"
#include "expression/eval.h"

/* What is known of the units of an equality. */
typedef struct quantities {
    /* Bit v: both sides have the same dimension when v & 1: a $ is a dollar, v & 2: the units have
     * their second meaning. */
    unsigned fits;
    bool complete;        /* under one that fits, every number has a unit */
    bool sums_differ;     /* different units are added, so that the numbers alone mean nothing */
    bool converts;        /* the units of one dimension are not all the same */
    bool loose;           /* there are units that people count in more than one way */
    bool crosses;         /* there are both customary and metric units */
    dimension_pair added; /* numbers of different dimensions are added */
    dimension_pair sides; /* the sides are of different dimensions */
    /* The same of products, in which a number may leave its unit out, but not so that they fit. */
    dimension_pair added_products, product_sides;
} quantities;

/* How many variants there are, and the readings of one. */
#define QUANTITY_VARIANTS 4u
unsigned quantity_readings(unsigned variant);

void quantity_look(const tokens *t, const expression *l, const expression *r, quantities *out);

/* Where the units of both terms are letters: do they come to one dimension, or are they compound
 * beside a term without units? */
bool quantity_letters_fit(const tokens *t, const expression *l, const expression *r);
/* The same where the letters stand for something else too, "p = mv = 2 kg * 3 m/s = 6 kg m/s":
 * every number has a unit, and both sides come to the same dimension. */
bool quantity_letters_derive(const tokens *t, const expression *l, const expression *r);

/* The measure of a side that shows one number with a unit, under the readings; or NULL. */
const measure *quantity_shown_in(const expression *e, unsigned readings);

/* A conversion of temperature, "25 °C = 77 °F": is it one, and are l and r (values of the two
 * sides) the same? The value of l in r's scale into `out`. */
bool quantity_temperature(const expression *lhs, const expression *rhs, const fmpq_t l, fmpq_t out);

/* The same where both are differences of temperature, which have no zero: 10 °C are 18 °F. */
bool quantity_degrees(const expression *lhs, const expression *rhs, const fmpq_t l, fmpq_t out);

/* Could a conversion from or to another unit explain that the values l and r differ? `fits`: all
 * units were converted already, so that only a plain number may stand for another conversion. */
bool quantity_may_be_converted(const tokens *t, const expression *lhs, const expression *rhs,
                               const fmpq_t l, const fmpq_t r, bool fits);

/* "3 hours + 20 = 200": could the unit of one number of the sum be another one that is left out, as
 * minutes here? `r` is the right side's value. */
bool quantity_leaves_unit_out(const tokens *t, uint64_t *budget, const expression *lhs,
                              const expression *rhs, const fmpq_t r);
