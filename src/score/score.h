/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Confidences and votes, in addition to the public header: names of options, checks of settings,
 * and functions that evaluate votes. */
#include <rederive/score.h>

/* Writes the value named "neutral", "contradict" or "null" to *out; RDV_NONE: no such name. */
int rdv_unknown_named(rdv_str name, rdv_unknown_as *out);

/* RDV_OK, or RDV_E_ARGUMENT when l1 > l0 >= 0 does not hold. */
int rdv_integration_check(const rdv_integration *how, rdv_error *err);

/* Counts `n` of the unread chains of a result as unanswered: their calls failed. */
void result_unanswered(rdv_result *result, size_t n);
/* Whether the right answer is known, so that the question counts for the accuracy: with an answer,
 * or as one without. */
bool result_is_graded(const rdv_result *result);
/* Why there is no answer: "failed": calls of its chains failed; "unparsed": no chain had an answer
 * that could be read; "unweighed": none that could be read had a weight. NULL: there is an answer,
 * or the run ended before. A static string. */
const char *result_lacks(const rdv_result *result);

/* SelfCheck, section 3.3: a chain is accepted when its confidence is at least t. 1: accepted, 0:
 * rejected, -1: neither, because the confidence is NaN. */
int rdv_classify(double confidence, double t);

/* "min", "product", "geometric", "mean", "last": a static string. */
const char *rdv_aggregate_name(rdv_aggregate_kind is);
/* Writes the aggregation of that name to *out; RDV_NONE: no such name. */
int rdv_aggregate_named(rdv_str name, rdv_aggregate_kind *out);

/* "majority", "weighted", "best", "perplexity", "random": a static string. */
const char *rdv_select_name(rdv_select_kind is);
/* Writes the selection of that name to *out; RDV_NONE: no such name. */
int rdv_select_named(rdv_str name, rdv_select_kind *out);

/* Reads "none", "certain" or "posterior:P" into *out (the other members are zeroed).
 * RDV_E_ARGUMENT: none of them. */
int rdv_stop_named(rdv_str text, rdv_stop *out, rdv_error *err);

/* Computes how many of the `n` ballots, taken in order, the rule needs, into *used: the length of
 * the shortest prefix after which the tally is settled (0 for no ballots). Same faults as the
 * tally; memory in `arena`. */
int rdv_stop_after(rdv_select_kind how, const rdv_stop *rule, const rdv_ballot *ballots, size_t n,
                   rdv_arena *arena, size_t *used, rdv_error *err);

/* The regularised incomplete beta function I_x(a, b), the probability that a Beta(a, b) variable is
 * at most x: 0 <= x <= 1, 0 < a, b <= 1e6; NaN otherwise. Absolute error below 1e-8. */
double rdv_beta_cdf(double x, double a, double b);
