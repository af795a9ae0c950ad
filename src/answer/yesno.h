/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Words that mean yes or no. */
#include <rederive/base.h>

typedef enum answer_truth { ANSWER_NO, ANSWER_YES, ANSWER_MAYBE } answer_truth;

/* The next such word at or after byte *at, which is moved past it: yes, true, plausible; no,
 * false, implausible, and all but "no" after "not", but not a choice of both, "yes or no"; and what
 * says that it cannot be known: maybe, unknown, "cannot be determined". *out is the word as written
 * ("not plausible"). */
bool answer_next_yesno(rdv_str text, size_t *at, rdv_str *out, answer_truth *is);
/* Is one of these words in the text, or one that says "maybe", whatever the words beside it? */
bool answer_names_yesno(rdv_str s);
/* Does the text begin with a yes or no of another language, before a comma or a stop: "S\u00ed,
 * porque ..."? *out: that word. */
bool answer_leading_yesno(rdv_str s, rdv_str *out, answer_truth *is);
/* Is all of it a word that is an answer by itself, but says something else in a sentence: correct,
 * wrong, U+662F? */
bool answer_alone_yesno(rdv_str s, answer_truth *is);
/* A yes or no (or true ...) that begins the text, else the last one in it. maybe: "maybe" and its
 * like are such words too. */
bool answer_find_yesno(rdv_str text, bool maybe, rdv_str *out);
