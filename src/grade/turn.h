/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The words beside a number, which its value does not have. What turns it must agree, "8%
 * increase"; any other word of one side alone is dropped only where that is sure to change nothing.
 * The words are rows of rules/answers.rules. */
#include "base/buf.h"

typedef enum turn {
    TURN_AGREES,
    TURN_OPPOSED, /* "7 am" and "7 pm", "$12 per hour" and "$12 per day" */
    TURN_UNSAID   /* only one of both says it, or each says a word that the other does not */
} turn;

/* A word that does not agree. */
typedef struct turn_word {
    rdv_str said; /* as it stands in the answer, or in gold: "BC"; borrowed */
    rdv_str of;   /* what it turns, of its row: "era"; empty: it turns nothing */
} turn_word;

/* What the words of two answers with one value say of each other. `question`: p == NULL where there
 * is none. numbers: both values are numbers, so letters are words;
 * converted: their units were compared. *word: one that does not agree.
 * Linear but in the number of words, of which there are at most 64 a side. */
turn turn_between(rdv_str answer, rdv_str gold, rdv_str question, bool numbers, bool converted,
                  turn_word *word);
/* May two values that differ be the same by a word beside one of them: "4 per mille", "7 below
 * zero", "60 per hour"? opposite: they differ in their signs alone; dozens: one is 12 times the
 * other. */
bool turn_may_change(rdv_str answer, rdv_str gold, bool opposite, bool dozens);
/* Append what turns the value of an answer, in one form; nothing where nothing does. */
void turn_key(rdv_str answer, rdv_buf *out);
/* Does the question ask for so much a day: "per day", "daily", "each"? */
bool turn_asks_for_rate(rdv_str question, rdv_str per);
/* The unit that a question asks for, behind "how many" or behind its last "in", borrowed; empty: it
 * asks for none. */
rdv_str turn_asked_unit(rdv_str question);
/* `answer`, which stands in `text`, with what qualifies its number there: a sign before a box;
 * words that multiply it, but for "5 dozen" where gold is 5 and the question says dozen; words that
 * make another number of it; where gold is no bare number, its unit, rate, percent sign, words that
 * turn it, and as many others as gold has; so too where the question asks for another unit, or the
 * other way. Borrowed from the text, or in the arena. RDV_OK or
 * RDV_E_NOMEM. */
int turn_with_words(rdv_str text, rdv_str answer, rdv_str gold, rdv_str question, rdv_arena *arena,
                    rdv_str *out, rdv_error *err);
/* `answer`, which stands in `text`, or the sum of measures that it is a part of there, "1 hour and
 * 30 minutes". As turn_with_words(). */
int turn_with_sum(rdv_str text, rdv_str answer, rdv_arena *arena, rdv_str *out, rdv_error *err);
