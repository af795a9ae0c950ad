/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a sentence states as a number or formula. */
#include <rederive/answer.h>

/* The number that a span states. Of a sentence the last one, but not one that only describes the
 * first ("5 in 2021", "5 of the 20 apples") and not one in a reason. Where words change it, "at
 * least 5", "not 5", "half of 5", or join it to another, "5 or 6", it is read with these words, and
 * where it is given in two units, "180 minutes, which is 3 hours", with both. */
bool statement_number(rdv_str span, rdv_answer_by by, rdv_str *out);
/* The same for a formula. */
bool statement_maths(rdv_str span, rdv_answer_by by, rdv_str *out);

/* "180 minutes, which is 3 hours": the same measure in two units, as far as the units say. */
bool statement_two_units(rdv_str s, rdv_str *first, rdv_str *second);

/* Has the text a word: three letters in a row? */
bool statement_has_word(rdv_str s);
/* The number that a formula is said to be in its sentence: "The largest $n$ is 34." */
bool statement_subject_value(rdv_str s, rdv_str formula, rdv_str *out);
/* The only number of a last sentence that concludes, in words alone: "Therefore, there are 12
 * sequences." */
bool statement_concluded_number(rdv_str text, rdv_str *out);
/* Is it sentences with mathematics in them, "We see 2+3=5, so it is 5": no product of letters, no
 * list and no equation? Two words that only sentences have stand beside digits or signs. */
bool statement_is_prose(rdv_str s);
/* Is it a sentence or more, "So there are 5 apples.", and no answer by itself, "5 apples"? It has
 * two words and a full stop, or a verb. */
bool statement_is_sentence(rdv_str s);
