/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The numbers of a text, each in one form: "1,000", "1000.0" and "01000" are one. */
#include <rederive/base.h>

typedef struct step_numbers {
    rdv_str *at;
    size_t n, cap;
} step_numbers;

/* words: also numbers in words up to a hundred, and "20%" as 0.2. RDV_OK or RDV_E_NOMEM. */
int step_numbers_of(rdv_str text, bool words, rdv_arena *arena, step_numbers *out);
/* Are all numbers of the text among these? 1, 0 or RDV_E_NOMEM. */
int step_numbers_hold(const step_numbers *numbers, rdv_str text, rdv_arena *arena);
