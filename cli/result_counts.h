/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The counts of the results of votes, in the summaries of solve and vote. Accuracy is over all
 * questions whose right answer is known, as in the papers, so one without an answer lowers it; that
 * over the answered ones stands beside it. */
#include <rederive/chain.h>

#include <stdio.h>

struct result_counts {
    uint64_t questions, used, unread, tied;
    uint64_t graded, right, answered; /* answered: of the graded ones */
    uint64_t failed;                  /* no answer, since chains failed */
    uint64_t lacking;                 /* no answer for another reason */
};

void result_counts_add(struct result_counts *c, const rdv_result *result);
/* Members of the summary: n_correct, n_graded and what follows from them. */
void result_counts_json(const struct result_counts *c, FILE *out);
/* "3 of 10 right; 3 of 8 answered right; 1 question without an answer; " */
void result_counts_print(const struct result_counts *c, FILE *out);
