/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where a chain that is written step by step ends: at the step that announces its answer. */
#include <rederive/answer.h>
#include <rederive/plan.h>

/* Does the last of these n >= 1 steps end the chain of the question? RDV_OK: it does, with the
 * answer *out, of which only `text`, a part of one of the steps, and `by` are set. RDV_NONE: it
 * does not, and *out is untouched.
 * - RDV_PAPER: a step that contains "the answer is" (BIG-Bench Mistake, appendix A.1).
 * - RDV_ROBUST: a step in which rdv_answer_read() finds an answer that is announced, in a box, by a
 *   mark or by words, or which is what the step before announces ("Final answer:"). A step that
 *   says that there is no answer, that announces what it does not stand by ("suppose the answer is
 *   5") or words where a number or an option is asked for, that ends in a colon or leaves displayed
 *   maths open ends nothing; nor does a title ("Answer: First, we add ...", "#### Case 1"). "The
 *   answer is" with nothing behind it is the empty answer where answers are texts: brackets that
 *   need no closing. */
int chain_end_answer(rdv_profile profile, const rdv_question *question, const rdv_str *steps,
                     size_t n, rdv_answer *out);
