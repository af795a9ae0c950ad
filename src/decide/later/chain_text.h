/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A chain as one text, with the places of its numbers: what is needed to say of a calculation what
 * the chain says of it later. */
#include "base/map.h"
#include "decide/calc_list.h"

/* A step and its calculations. */
typedef struct step_calcs {
    rdv_str step;
    calc_list calcs;
} step_calcs;

/* A number of a text. */
typedef struct chain_number {
    size_t at;          /* byte of the text */
    rdv_str name;       /* its digits as all ways to write it share them: 2.50 is "25e-1" */
    int power;          /* of ten, of the last digit of its name */
    double value, unit; /* without its sign; of its last digit */
    int digits;         /* from the first that is not zero */
} chain_number;

typedef struct chain_text {
    rdv_arena *arena;
    rdv_str text;  /* all steps, with line breaks between them */
    size_t *begin; /* of each step in it */
    size_t n_steps;
    chain_number *numbers; /* in the order of the text */
    size_t n_numbers, cap_numbers;
    rdv_map last; /* from the name of a number to its last place in `numbers` */
} chain_text;

/* The numbers are those from step `first` on. All in `arena`; linear in the steps. RDV_OK or
 * RDV_E_NOMEM. */
int chain_text_read(const step_calcs *steps, size_t n, size_t first, rdv_arena *arena,
                    chain_text *out);
/* The step in which byte `at` stands. */
size_t chain_text_step_at(const chain_text *t, size_t at);
/* The index of the first number from byte `at` on; n_numbers: there is none. */
size_t chain_text_number_from(const chain_text *t, size_t at);
/* The byte of the last place of a number like this one; 0: it has none. */
size_t chain_text_last(const chain_text *t, const chain_number *n);

/* The next number of a text from byte *i on; *i becomes the byte behind it. name.p == NULL: there
 * is none. RDV_OK or RDV_E_NOMEM. */
int chain_number_next(rdv_str s, size_t *i, rdv_arena *arena, chain_number *out);

/* The index of the first of `n` places from byte `at` on, in order, `stride` bytes apart; n: none.
 */
size_t chain_text_first_from(const size_t *places, size_t stride, size_t n, size_t at);
