/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reading answers: what the installed header leaves out. */
#include <rederive/answer.h>

#include "answer/reply_span.h"

/* BIG-Bench Mistake's own rule (repository of the paper, all five tasks): what follows the first
 * "[Tt]he answer is" to the end of its line, without a colon before and a full stop after it. */
int rdv_answer_read_bigbench(rdv_str text, rdv_answer *out);

/* What the search for an answer met. */
typedef struct answer_search {
    reply_span reply; /* the part that was searched */
    bool announced; /* the reply announces an answer, in a box, by a mark or a phrase */
    bool none;      /* it says that it has none */
    bool unread;    /* what it announces is not of the kind */
    bool titled;    /* the only announcement is the title of all, "Answer: First, we add ..." */
} answer_search;

/* rdv_answer_read_steps(), and what it met. RDV_NONE with `announced`: nothing of the kind is read
 * in what is announced, and nothing else is an answer. */
int answer_read_steps(const rdv_str *steps, size_t n, const rdv_answer_form *form, rdv_answer *out,
                      answer_search *met);
