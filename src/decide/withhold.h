/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reasons to withhold a verdict: a difference may be no error, an agreement no support. */
#include "claims/find.h"
#include "expression/reading_eval.h"

/* "3 + 4 = 7 * 2 = 14", "48 / 2 = 24 + 48 = 72": the right side goes on from the left side's value
 * with something new, or, in reasoning, the chain goes on in the same way: "10 + 30 = 40 + 10 =
 * 50".
 */
bool withhold_runs_on(const reading_eval *t, const equality *chain, size_t i);

/* The sign of percent stands on the right or later in the chain: 2/4 = 2/4 * 100 = 50%. A number
 * with the sign may be a hundredth of the left side, never a hundred times as much. */
bool withhold_percent(const reading_eval *t, const equality *chain, size_t i);

/* The reason why a stated conversion that does not hold may still be right; NULL: none. */
const char *withhold_conversion(const reading_eval *t, const equality *chain);

/* True if the left side may be incomplete. Before it stands a function that was not read,
 * "\sec(\frac{\pi}{3}) = 1", an operator without its left operand, "minus 2 + 3 = 5", or words
 * that take a part of it, "half of 2 + 3 = 5". */
bool withhold_follows_function(const tokens *t, const expression *left);

/* "17 / 5 = 3.4 with 2 left over": true if a rest is named right behind a quotient with decimals,
 * which leaves none. */
bool withhold_rest_of_decimal(const tokens *t, const expression *lhs, const expression *rhs);

/* Is one of the tree's factors as much as one of that unit, as 60 minutes are one hour? Then the
 * product is in the factor's unit: "3 hours * 60 minutes" is not 180 hours. */
bool withhold_has_factor_of_one(const knowledge *k, const node *n, const measure *of);

/* The reason why an equality that holds in some reading is no support; NULL: it is support. It may
 * try readings. */
const char *withhold_support(reading_eval *t);

/* The reason why an equality that holds in no reading may not be called wrong; NULL: it may.
 * `clean`: all adjacent text was read. *by is set to the rule of language that gives the reason, if
 * one does. */
const char *withhold_contradiction(const reading_eval *t, const equality *chain, size_t i,
                                   bool clean, rdv_str *by);
