/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The numbers of a text, in a normal form: "1,000", "1000.0" and "01000" are equal. */
#include <rederive/base.h>

typedef struct step_numbers {
    rdv_str *at;
    size_t n, cap;
} step_numbers;

/* words: also reads number words up to a hundred, and "20%" as 0.2. RDV_OK or RDV_E_NOMEM. */
int step_numbers_of(rdv_str text, bool words, rdv_arena *arena, step_numbers *out);
/* 1 if all numbers of the text are among these, else 0; or RDV_E_NOMEM. */
int step_numbers_hold(const step_numbers *numbers, rdv_str text, rdv_arena *arena);
