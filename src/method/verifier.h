/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The verifiers of general-purpose verification (docs/general.md). Each verifier gives each step a
 * score in [0,1]; verdicts and the chain's confidence follow from the scores. */
#include "method/method.h"

#include "score/combine.h"

/* Checks that the options are usable. RDV_OK or RDV_E_ARGUMENT. */
int verifier_options_check(const rdv_check_options *options, rdv_error *err);
/* The combination with the options' rule for unknown scores. */
rdv_combination verifier_combination(const rdv_check_options *options);
/* True if the question is mathematical (ours; the paper decides for each data set). It is if its
 * answer is a number or mathematics, or one of several options that are all numbers; if the kind of
 * answer is not known, it is if the question contains a digit. It is not if the answer is yes or
 * no, a text, or an option in words. `arena` holds temporary data; out of memory gives false. */
bool rdv_is_mathematical(const rdv_question *question, rdv_arena *arena);
/* The verifiers that `general` uses for that question (NULL: for any question), as bits. 0: none of
 * the chosen ones fits. */
unsigned verifier_set(const rdv_check_options *options, const rdv_question *question,
                      rdv_arena *arena);
/* Sets a verdict with that score: support above 0.5, contradict below, unrelated at 0.5 (ours);
 * NaN: unknown, with the reason in `why`. */
void verifier_judge(rdv_verdict *v, double score);
/* Puts verdicts that have scores into *check, with the resulting confidence. tokens: of each step,
 * for perplexity; else NULL. RDV_OK or RDV_E_NOMEM. */
int verifier_conclude(const method_entry *method, const rdv_check_options *options,
                      rdv_verdict *verdicts, size_t n, const rdv_tokens *tokens, rdv_arena *arena,
                      rdv_check *check, rdv_error *err);
