/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reading answers: what the installed header leaves out. */
#include <rederive/answer.h>

/* BIG-Bench Mistake's own rule (repository of the paper, all five tasks): what follows the first
 * "[Tt]he answer is" to the end of its line, without a colon before and a full stop after it. */
int rdv_answer_read_bigbench(rdv_str text, rdv_answer *out);

/* rdv_answer_read_steps(), and whether the reply announces an answer, in a box, by a mark or a
 * phrase. RDV_NONE with *announced: it announces none, and nothing else in it is one. */
int answer_read_steps(const rdv_str *steps, size_t n, const rdv_answer_form *form, rdv_answer *out,
                      bool *announced);
