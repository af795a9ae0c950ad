/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The verifiers of general-purpose verification (docs/general.md): each gives each step a score in
 * [0,1]; verdicts and the chain's confidence follow from the scores. */
#include "method/method.h"
#include "method/stage.h"

#include <rederive/combine.h>
#include <rederive/math.h>

#define VERIFIER_MAX_SAMPLES 100

/* Is it one of them, or `general`? */
bool method_uses_verifiers(const rdv_method *method);
/* Are the options usable? RDV_OK or RDV_E_ARGUMENT. */
int verifier_options_check(const rdv_check_options *options, rdv_error *err);
/* The combination with the options' rule for what is unknown. */
rdv_combination verifier_combination(const rdv_check_options *options);
/* Which verifiers `general` takes for that question: bits. 0: none of those chosen fits. */
unsigned verifier_set(const rdv_check_options *options, const rdv_question *question,
                      rdv_arena *arena);
/* The method that is that verifier. */
const method_entry *verifier_entry(rdv_verifier_is is);

/* A verdict with that score: above a half support, below it contradict, a half unrelated (ours);
 * NaN: unknown, `why` saying why. */
void verifier_judge(rdv_verdict *v, double score);
/* Put verdicts that have scores into *check, with the confidence that follows. tokens: of each
 * step, for perplexity; else NULL. RDV_OK or RDV_E_NOMEM. */
int verifier_conclude(rdv_verifier_is is, const rdv_check_options *options, rdv_verdict *verdicts,
                      size_t n, const rdv_tokens *tokens, rdv_arena *arena, rdv_check *check,
                      rdv_error *err);

/* What a method's `compute` makes of a chain of the plan, as the run that `start` is to give: done
 * at once. */
int verifier_start_computed(check_run **out, rdv_plan *plan, size_t place,
                            const method_entry *method, int (*finished)(check_run *, rdv_error *),
                            void *data, rdv_error *err);
/* From the checks by verifiers (n of them, each of the same n_steps steps) the check by `general`.
 */
int general_conclude(const rdv_check *checks, size_t n, size_t n_steps, unsigned set,
                     const rdv_check_options *options, rdv_arena *arena, rdv_check *out,
                     rdv_error *err);

/* ---- numbers in a step ------------------------------------------------------------------------
 */

/* The numbers of a text, each in one form: "1,000", "1000.0" and "01000" are one. */
typedef struct step_numbers {
    rdv_str *at;
    size_t n, cap;
} step_numbers;

/* words: also numbers in words up to a hundred, and "20%" as 0.2. RDV_OK or RDV_E_NOMEM. */
int step_numbers_of(rdv_str text, bool words, rdv_arena *arena, step_numbers *out);
/* Are all numbers of the text among these? 1, 0 or RDV_E_NOMEM. */
int step_numbers_hold(const step_numbers *numbers, rdv_str text, rdv_arena *arena);

/* ---- calculations that a model listed ---------------------------------------------------------
 */

/* What one list of calculations comes to. */
typedef struct listed {
    int holds;      /* 1: no wrong one; 0: a wrong one; -1: only undecided ones */
    size_t dropped; /* with numbers that are not in the step, or that are no calculations */
    rdv_str why;    /* of a wrong one, one line; p == NULL */
    rdv_note *note; /* a list of those that count */
} listed;

struct read_claim;
/* Decide a list with what the calculator knows from the steps before. RDV_OK or RDV_E_NOMEM. */
int listed_decide(rdv_calculator *calculator, const struct read_claim *claims, size_t n,
                  const step_numbers *numbers, rdv_arena *arena, listed *out, rdv_error *err);
/* The same of what the calculator itself finds in the step, which it remembers. `note` is NULL
 * where nothing was found. */
int listed_native(rdv_calculator *calculator, rdv_str step, rdv_arena *arena, listed *out,
                  rdv_error *err);
