/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Sentences that repeat the question with its answer: "Tom has more apples." */
#include <rederive/answer.h>

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
/* The clause that a sentence concludes with, behind ", so"; all of it where there is none. */
rdv_str restated_conclusion(rdv_str s);
/* Are two words each other's opposite by how they begin: "valid" and "invalid", "exothermic" and
 * "endothermic"? */
bool restated_opposite(rdv_str a, rdv_str b);
/* Does the sentence name another degree than the question asks for, "the shortest" for "Who is the
 * tallest?" */
bool restated_turns(rdv_str s, rdv_str question);
/* What one clause says of a gold answer that is a name or a word, where it is a statement that
 * nothing denies, compares or supposes. False: it is no such clause.
 * - choice: the question asks "up or down?", and the clause says one of both, in words of the
 *   question: "The graph opens downward." *is may be that it cannot be told.
 * - description: "Jack is the tallest of the three."
 * - verb: "The series converges." */
bool restated_says(rdv_str s, rdv_str gold, rdv_str question, rdv_same *is);
