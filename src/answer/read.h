/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reading answers by the rule of a paper. */
#include <rederive/answer.h>

/* BIG-Bench Mistake's own rule (repository of the paper, all five tasks): what follows the first
 * "[Tt]he answer is" to the end of its line, without a colon before and a full stop after it. */
int rdv_answer_read_bigbench(rdv_str text, rdv_answer *out);
