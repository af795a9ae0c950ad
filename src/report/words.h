/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The words for people: what terminal, help and report call the finding of a step, in one table
 * (words.c). Records keep the papers' terms, rdv_verdict_name(). */
#include "report/paint.h"

typedef enum word {
    WORD_WRONG,     /* contradicted */
    WORD_RIGHT,     /* supported */
    WORD_NOTHING,   /* a method that decides found nothing of its kind in the step */
    WORD_UNREAD,    /* only texts that look like a calculation and were not read */
    WORD_CORRECTED, /* a wrong calculation that the solution itself corrects later */
    WORD_UNDECIDED, /* all else, with the reason in the verdict's `why` */
    N_WORDS
} word;

typedef struct word_row {
    const char *name;         /* "nothing to check" */
    const char *id;           /* the same as a name in HTML and JSON: "nothing" */
    const char *mark, *ascii; /* one column each */
    rdv_style style;
    const char *means; /* "nothing here that the method checks" */
} word_row;

/* The row of a word; static. */
const word_row *word_row_of(word is);
/* The word for a verdict of `check`. */
word word_of(const rdv_check *check, const rdv_verdict *verdict);
/* Whether the check proves its wrong steps: its method decides exactly and asks nobody. */
bool word_proves(const rdv_check *check);

/* What a run found, in these words. Zero-initialise; word_counts_add() fills it. */
typedef struct word_counts {
    uint64_t solutions, skipped;
    uint64_t wrong_solutions; /* with a wrong step, or wrong as a whole */
    uint64_t wrong_wholes;    /* of these: wrong as a whole */
    uint64_t judged;          /* solutions whose method does not prove */
    uint64_t is[N_WORDS];     /* steps, by the word */
    rdv_coverage coverage;    /* of all checks */
    bool covers;              /* a check states its coverage */
} word_counts;

/* Counts a check; a first error without a contradicted step counts as a wrong step. */
void word_counts_add(word_counts *counts, const rdv_check *check);
/* The first sentence of a summary: "2 wrong steps in 2 of 6 solutions; 31 of 47 calculations
 * checked." It never says that nothing is wrong without saying how much was checked; empty where
 * there is no solution. In `arena`; p == NULL: out of memory. */
rdv_str word_counts_sentence(const word_counts *counts, rdv_arena *arena);
/* The steps by word, what is 0 left out: "9 steps: 2 wrong, 6 right, 1 not read". As above. */
rdv_str word_counts_steps(const word_counts *counts, rdv_arena *arena);
