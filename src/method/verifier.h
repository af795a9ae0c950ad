/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The verifiers of general-purpose verification (docs/general.md): each gives each step a score in
 * [0,1]; verdicts and the chain's confidence follow from the scores. */
#include "method/method.h"

#include "score/combine.h"

/* Are the options usable? RDV_OK or RDV_E_ARGUMENT. */
int verifier_options_check(const rdv_check_options *options, rdv_error *err);
/* The combination with the options' rule for what is unknown. */
rdv_combination verifier_combination(const rdv_check_options *options);
/* Is the question mathematical (ours; the paper says of each data set whether it is)? When its
 * answer is a number or mathematics, or one of options that are all numbers; where nothing tells
 * what the answer is, when the question holds a digit. Not when it is yes or no, a text, or an
 * option in words. `arena` is for what is needed on the way; out of memory counts
 * as not. */
bool rdv_is_mathematical(const rdv_question *question, rdv_arena *arena);
/* Which verifiers `general` takes for that question (NULL: for any): bits. 0: none of those chosen
 * fits. */
unsigned verifier_set(const rdv_check_options *options, const rdv_question *question,
                      rdv_arena *arena);
/* A verdict with that score: above a half support, below it contradict, a half unrelated (ours);
 * NaN: unknown, `why` saying why. */
void verifier_judge(rdv_verdict *v, double score);
/* Put verdicts that have scores into *check, with the confidence that follows. tokens: of each
 * step, for perplexity; else NULL. RDV_OK or RDV_E_NOMEM. */
int verifier_conclude(const method_entry *method, const rdv_check_options *options,
                      rdv_verdict *verdicts, size_t n, const rdv_tokens *tokens, rdv_arena *arena,
                      rdv_check *check, rdv_error *err);
