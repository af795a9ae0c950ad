/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Sentences that repeat the question with its answer: "Tom has more apples." */
#include <rederive/base.h>

/* Does the sentence say gold, once, and else only words of the question and plain ones? What is
 * denied, compared ("than Tom") or joined ("Tom and Ann") is not said. */
bool restated_name(rdv_str answer, rdv_str gold, rdv_str question);
/* Has the text a word that denies, compares or joins: "not", "than", "or", "and"? */
bool restated_denies(rdv_str s);
/* Has it a word that denies or supposes what is said: of the list @denial of the rules, "if"? */
bool restated_doubts(rdv_str s);
/* What such a sentence says beside words of the question and plain ones, in one piece, borrowed:
 * "C. F. Gauss" of "It was C. F. Gauss." Empty: it says nothing else, or more than one thing, or
 * denies or compares. */
rdv_str restated_rest(rdv_str answer, rdv_str question);
/* Does a sentence affirm or deny what the question asks, in its words: "It is not possible." for
 * "Is it possible to ..."? Linear, as above. */
bool restated_truth(rdv_str answer, rdv_str question, bool *yes);
