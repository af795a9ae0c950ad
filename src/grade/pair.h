/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An answer and gold that are compared, in their notations. The functions return RDV_OK or a fault,
 * or RDV_NONE where gold has no value. */
#include "grade/value.h"

#include <rederive/answer.h>

/* A comparison of numbers or mathematics in progress. */
typedef struct pair {
    rdv_str answer, gold;
    rdv_kind kind;
    rdv_compare_options how;
    math_work *work;
    rdv_arena *arena;
    rdv_error *err;
} pair;

int pair_read(const pair *p, rdv_str answer, bool shares, const answer_value **out);
/* Both name a currency, and not the same: cents are compared with dollars, the others differ.
 * False: there is nothing to decide by. */
bool pair_compare_currencies(const pair *p, rdv_comparison *out, int *rc);
/* A percentage may be written as its value: 0.5 for 50%, 50% for 0.5. */
int pair_compare_shares(const pair *p, rdv_comparison *out);
/* With the leniency of a decimal comma: "1,5 km" for 1.5 km. */
int pair_compare_maths(const pair *p, rdv_comparison *out);
/* Compare other readings of both texts: if they are the same, so are these. */
int pair_compare_as(const pair *texts, rdv_str answer, rdv_str gold, rdv_comparison *out);
/* By keys: options, yes and no, dates, times, money, texts. */
int pair_compare_keys(const pair *p, const rdv_answer_form *form, rdv_comparison *out);
/* "x + y = 42" for 42: an equation whose right side is gold gives it where the question asks for
 * its left side; else it may be the question. */
int pair_weigh_equation(const pair *texts, rdv_comparison *out);
/* "A = \pi r^2 = 78.5 cm^2" as its last side, beside a number: *given as the text whose words
 * count. */
int pair_compare_chain(const pair *texts, rdv_str *given, rdv_comparison *out);
/* "5/8 (0.625)", a value and the same one as a number in brackets behind it, is either. */
int pair_compare_restated(const pair *texts, rdv_comparison *out);
/* "25\pi \approx 120" is not told by its exact part: what it is said to be near is no rounding of
 * gold. */
int pair_weigh_rounding(const pair *texts, rdv_comparison *out);
/* One of both says that there is no value, or no one value: "no solution", "infinitely many". True:
 * that decides. */
bool pair_compare_nothing(const pair *p, rdv_comparison *out, int *rc);
/* Sums over one index with the same bounds are the same where their terms, products, are. */
int pair_compare_sums(const pair *p, rdv_comparison *out);
/* "180 minutes, which is 3 hours" is either, where both are the same. */
int pair_compare_two_units(pair *p, rdv_comparison *out);
/* One chemical formula in two notations is the same; two that differ only in capitals, CO and Co,
 * are not. */
int pair_compare_chemical(const pair *p, rdv_comparison *out);
/* Digits in groups that are read as a list, "12,34,567", are a number where the other is it. */
int pair_compare_ungrouped(const pair *p, rdv_comparison *out);
/* "4k" is 4000, and "2.5M" 2500000, where the other is that number: k is no letter then. */
int pair_compare_shortened(const pair *p, rdv_comparison *out);
/* "{0, 4}" for "[0, 4]", which may be an interval. */
void pair_weigh_braces(const pair *p, rdv_comparison *out);
/* Compare both in one notation, "3 to 4" for 3:4, *given as the texts whose words count. */
int pair_compare_reworded(const pair *texts, rdv_str *given, rdv_str *given_gold,
                          rdv_comparison *out);
/* "750 g" beside a bare number may be a quantity, and no product of 750 and g; it is one where the
 * question asks for its unit. So "1.6\cdot10^{-19} C" beside 1.6E-19. */
int pair_compare_spaced(const pair *texts, rdv_comparison *out);
/* Ordinals: "She came third." for 3rd, and 3 where the question asks for a place. True: that
 * decides.
 */
bool pair_compare_ordinals(const pair *p, rdv_comparison *out);
/* One number in two scales of temperature or measures of angle: "90 radians" is not 90 degrees. */
void pair_weigh_scales(const pair *p, rdv_comparison *out);
