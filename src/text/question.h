/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The question of a plain text, found by its mark, "Question:", "**Problem.**", "题目：", or by the
 * question mark at the end of the first paragraph. One table (question.c) has the words of each
 * language. */
#include <rederive/base.h>

/* Cut "Question: ... Solution: ..." in two. The question begins with its mark, and ends where a
 * solution's mark, a step's heading or an empty line begins. False: the text has no such mark, or
 * nothing follows the question. Both are slices without their marks, and untouched where it is
 * false. */
bool text_question(rdv_str text, rdv_str *question, rdv_str *solution);

/* The same for a text without a mark: its first paragraph, where this ends with a question mark and
 * no line of it is the heading of a step. */
bool text_question_first(rdv_str text, rdv_str *question, rdv_str *solution);

/* The text, a question, without a mark at its beginning. */
rdv_str text_question_alone(rdv_str text);

/* Row `i` of the words for questions and then for solutions, for tests; NULL behind the last. */
const char *text_question_word(size_t i);
