/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Answers of several numbers that have their names beside them, and scores. */
#include <rederive/answer.h>

/* Whether an answer gives each of gold's named numbers, "Anna 5, Ben 8", "12 apples and 8 oranges":
 * its names are gold's, each beside one number, in any order; *same: their numbers are gold's too.
 * False: gold is no such text, or the answer has other names, more numbers or words that may turn
 * one. `question`: its words change nothing; p == NULL: none. Linear but in the number of words, of
 * which there are at most 64. */
bool parts_compare(rdv_str answer, rdv_str gold, rdv_str question, bool *same);

typedef enum score_is {
    SCORE_NOT,    /* the question asks for no score, or gold is none */
    SCORE_SAME,   /* "They won 3 to 1." for "3-1" */
    SCORE_OTHER,  /* another one */
    SCORE_UNKNOWN /* whose points are whose is not said, or the answer has no score */
} score_is;

/* Two numbers that are no difference where the question asks for a score. Linear. */
score_is score_compare(rdv_str answer, rdv_str gold, rdv_str question);
/* Do both say a size, "3 by 4 cm", "3 x 4"? *is: whether it is one; in another order, in another
 * unit, or where one may be a product, it cannot be told. */
bool size_compare(rdv_str answer, rdv_str gold, rdv_str question, rdv_same *is);
