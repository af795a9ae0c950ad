/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the text of a question says of the form of its answers. */
#include <rederive/answer.h>

/* The question that the options name; p == NULL: none. */
rdv_str question_of_options(const rdv_compare_options *how);

/* Where gold is the letter of an option and the form has none, they are the options that stand in
 * the question; "(B) green", which is option B there, becomes the letter, and so does "(B) 12 km"
 * where no options are known, with its text as the only known one. question.p == NULL: not known.
 * Options are in the arena and borrow from the question or gold. RDV_OK or RDV_E_NOMEM. */
int form_with_question(rdv_answer_form *form, rdv_str *gold, rdv_str question, rdv_arena *arena,
                       rdv_error *err);
