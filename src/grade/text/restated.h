/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a sentence states: "Tom has more apples." says Tom where the question asks for him. */
#include "language/phrase.h"

#include <rederive/answer.h>

/* Has the text a word that denies, compares or joins: "not", "than", "or", "and"? */
bool restated_denies(rdv_str s);
/* Has it a word that denies or supposes what is said: of the list @denial of the rules, "if"? */
bool restated_doubts(rdv_str s);
/* Does a sentence affirm or deny what the question asks, in its words: "It is not possible." for
 * "Is it possible to ..."? Linear, as above. */
bool restated_truth(rdv_str answer, rdv_str question, bool *yes);
/* What stands behind the last of the joins. Each stands between blanks, and behind one of the marks
 * if there are any. All of the text where there is no join. */
rdv_str restated_behind(rdv_str s, phrase_list *joins, const char *marks);
/* The clause that a sentence concludes with, behind ", so"; all of it where there is none. */
rdv_str restated_conclusion(rdv_str s);
/* Are two words, or the words of two phrases in one place, each other's opposite: "valid" and
 * "invalid", "exothermic" and "endothermic", "a positive effect" and "a negative effect"? */
bool restated_opposite(rdv_str a, rdv_str b);
/* Does the sentence name another degree than the question asks for, "the shortest" for "Who is the
 * tallest?" */
bool restated_turns(rdv_str s, rdv_str question);
/* A phrase that a sentence states. */
typedef struct stated_phrase {
    rdv_str text;
    rdv_same is;  /* whether it is gold, where the question names options; else it cannot be told */
    bool differs; /* it is the answer, so that another phrase is another answer */
    bool alone;   /* nothing else in the sentence counts */
} stated_phrase;

#define STATED_MOST 5

/* The phrases that the last sentence of a text states, best first, at most STATED_MOST, borrowed:
 * - behind a label, "Sorted: apple, pear", or in quotes or emphasis;
 * - the option that it chooses of those in the question, "even, odd or neither";
 * - gold among words of the question and of any sentence, and what it says beside them;
 * - all that it concludes: "The limits differ, so it does not exist.";
 * - the subject that is what is asked for, "Jack is the tallest of the three.";
 * - what stands behind its verb: "It was Sarah who broke the vase."
 * None where a word denies, compares, supposes or only allows it, or where the question asks for
 * the other side: "Germany beat Brazil." for "Who beat Germany?" Linear but in the words, of which
 * there are at most 48. */
size_t restated_phrases(rdv_str s, rdv_str gold, rdv_str question, stated_phrase *out);
/* What a sentence says beside words of the question and of any sentence, in one piece; empty: it
 * says nothing else, or more than one thing. */
rdv_str restated_rest(rdv_str s, rdv_str question);
