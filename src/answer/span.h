/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Finding the part of a sentence or a solution that is the answer. */
#include <rederive/base.h>

#include "text/block.h"

/* Up to the first full stop that ends a sentence: before white space and a capital, maths or bold
 * text; those of Chinese and Hindi everywhere. */
rdv_str answer_first_sentence(rdv_str span);
/* Up to the first bracketed aside: "10 (5 times 2)" is 10. */
rdv_str answer_before_aside(rdv_str sentence);
/* Is the aside, whose " (" is at byte `open`, another answer: "5 (or 6)", "5 (possibly 6)"? "80%
 * (or 4 out of 5)" and "1/2 (or 0.5)" say it again. */
bool answer_is_other(rdv_str sentence, size_t open);
/* Up to the words that begin a reason or what the answer is not: "5, not 6", "5 because 2 + 3 = 5",
 * "5 of the 20 apples". All of it where no digit stands before them. */
rdv_str answer_before_reason(rdv_str sentence);
/* Without white space, quotes, emphasis, dollars and full stops at its ends. */
rdv_str answer_trim_marks(rdv_str span);

/* Is what begins at byte `begin` denied by a word before it in its sentence: "not B", "isn't true"?
 * "so" and "but" end what is denied: "not A but B" denies only A. Looks 200 bytes back. */
bool answer_is_denied(rdv_str s, size_t begin);
/* The same only where the word denies just this, "not B", "cannot be the option B", and not "the
 * one that does not fit is B". */
bool answer_is_not(rdv_str s, size_t begin);

/* Is the date or time at byte `begin` a bound, "before May 1", "by 5 pm", "between May 1 and May
 * 2", or the end of a span, "5-6 pm"? */
bool answer_is_bound(rdv_str s, size_t begin);
/* The end of the words behind it, at byte `end`, that make it one, "or later"; else `end`. */
size_t answer_bound_end(rdv_str s, size_t end);
/* Is it only what the answer is told from, a bound or behind "from", "to" or "or"? */
bool answer_is_shifted(rdv_str s, size_t begin);

/* Has it a sign that maths opens with: "$", "\\"? */
bool answer_may_hold_maths(rdv_str text);
/* The next piece of maths from byte *at on, which is moved behind it. */
bool answer_next_maths(rdv_blocks *blocks, size_t *at, rdv_str *out);
/* The maths ($...$, \(...\), \[...\], $$...$$) in a span, from the first to the last piece of it.
 */
bool answer_maths_of(rdv_str span, rdv_str *out);
/* The last piece of maths in a text, what follows its last '='. */
bool answer_last_maths(rdv_str text, rdv_str *out);
