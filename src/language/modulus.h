/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a chain counts modulo: the steps behind "we work modulo 7" need not say so again. */
#include <rederive/base.h>

#define MODULI_MOST 8
#define MODULI_TEXTS 32

/* The last numbers that were named. */
typedef struct moduli {
    unsigned long at[MODULI_MOST];
    size_t n; /* of all that were named; the i-th stands at i % MODULI_MOST */
    rdv_str texts[MODULI_TEXTS]; /* that are read when a modulus is wanted, as it seldom is */
    size_t n_texts;
} moduli;

/* Add those that the text names, which must live as long. Linear. */
void moduli_add(moduli *of, rdv_str text);
/* Those that are kept. */
size_t moduli_kept(moduli *of);
