/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a run found, counted by the words for people (words.h) and told in a sentence. */
#include <rederive/chain.h>

#define N_WORDS 7 /* of the enumeration `word` */

/* Zero-initialise; word_counts_add() fills it. */
typedef struct word_counts {
    uint64_t solutions, skipped;
    uint64_t wrong_solutions; /* with a wrong step, or wrong as a whole */
    uint64_t right_wholes;    /* solutions that were found right as a whole */
    uint64_t judged;          /* solutions whose method does not prove */
    uint64_t is[N_WORDS];     /* steps, by the word */
    rdv_coverage coverage;    /* of all checks */
    uint64_t empty;           /* of which the check has no step */
    bool covers;              /* a check states its coverage */
} word_counts;

/* Counts a check; a first error without a contradicted step counts as a wrong step. */
void word_counts_add(word_counts *counts, const rdv_check *check);
/* The first sentence of a summary: "2 wrong steps in 2 of 6 solutions; 31 of 47 calculations
 * checked." It never says that nothing is wrong without saying how much was checked; empty where
 * there is no solution. In `arena`; p == NULL: out of memory. */
rdv_str word_counts_sentence(const word_counts *counts, rdv_arena *arena);
/* The steps by word, what is 0 left out: "9 steps: 2 wrong, 6 right, 1 not read"; empty where whole
 * solutions are judged, and no step. As above. */
rdv_str word_counts_steps(const word_counts *counts, rdv_arena *arena);
