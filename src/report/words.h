/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The words for people: what terminal, help and report call the finding of a step, in one table
 * (words.c). Records keep the papers' terms, rdv_verdict_name(). */
#include "report/style.h"
#include "report/word_counts.h"

typedef enum word {
    WORD_WRONG,     /* contradicted */
    WORD_RIGHT,     /* supported */
    WORD_NOTHING,   /* a method that decides found nothing of its kind in the step */
    WORD_UNREAD,    /* only texts that look like a calculation and were not read */
    WORD_CORRECTED, /* a wrong calculation that the solution itself corrects later */
    WORD_UNUSED,    /* one of its reasoning of which its reply uses nothing */
    WORD_UNDECIDED  /* all else, with the reason in the verdict's `why` */
} word;

typedef struct word_row {
    const char *name;         /* "nothing to check" */
    const char *id;           /* the same as classes of HTML: "nothing" */
    const char *mark, *ascii; /* one column each */
    rdv_style style;
    const char *means; /* "nothing here that the method checks" */
} word_row;

/* The row of a word; static. What a check that proves nothing says is right or wrong is "judged"
 * so: `proves`, as word_proves(). */
const word_row *word_row_of(word is, bool proves);
/* The word for a verdict of `check`. */
word word_of(const rdv_check *check, const rdv_verdict *verdict);
/* Whether the check proves its wrong steps: its method decides exactly and asks nobody. */
bool word_proves(const rdv_check *check);
