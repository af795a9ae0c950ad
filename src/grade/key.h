/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <rederive/answer.h>

/* The kind that answers of this form are compared as: never RDV_KIND_AUTO. */
rdv_kind key_kind(const rdv_answer_form *form);
/* True if the answer has no content: only dots, dashes, quotes and other punctuation, empty
 * brackets, commands with empty braces, "x =", "N/A", "null", "NaN" or "I don't know". */
bool key_states_nothing(rdv_str answer);
/* Does the answer name something of its kind, whether or not it chooses it: a letter of an option,
 * a date, "yes"? Else it may say it in words that are not read. For numbers, formulas and texts:
 * true unless it is empty. */
bool key_names_one(rdv_str answer, const rdv_answer_form *form);
/* Of the comparisons with several gold answers the best counts: same goes before cannot tell, which
 * goes before different. */
static inline bool grade_same_is_better(rdv_same a, rdv_same b)
{
    return a != b && (a == RDV_SAME || b == RDV_DIFFERENT);
}
