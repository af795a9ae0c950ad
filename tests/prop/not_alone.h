/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Words and numbers that a reader looks for, in replies in which they do not stand alone
 * (unread.c).
 */
#include "method/table.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* @ stands for the word that supports, # for the one that contradicts. */
static const char *const around_words[] = {
    "It is @ overall.",
    "I would say @",
    "@ @",
    "@ #",
    "@ or #",
    "@/#",
    "@, #",
    "@ and #",
    "not @",
    "Not @.",
    "It is not: @",
    "I would not call it: @",
    "The opposite of: @",
    "Rather than being called: @",
    "Is it so: @?",
    "Is it so?: @",
    "@?",
    "@, if x is 3",
    "@\nBut I am not sure.",
    "@\n\nOn second thought, no",
    "@ne",
    "un@",
    "@1",
    "1@",
    "Choose one of @ and #: @ / #",
    "The student says it is: @",
    "<think>Answer: @</think>",
    "Answer: @ or so",
    "Answer:",
    "Answer: @ (if at all)",
    "Answer: \"@\" is what the student said",
    "Answer: none, @",
    "If the step were right, I would say: @",
    "Some would say, but not I: @",
};

static const char *const around_numbers[] = {
    "11",
    "-1",
    "10.5",
    "99999999999999999999",
    "1e1",
    "0x7",
    "7 or 8",
    "7, 8",
    "7 8",
    "7-8",
    "7 to 10",
    "7/100",
    "7/1",
    "7/",
    "/10",
    "7/10/10",
    "7/10/0",
    "7/10 or 8/10",
    "7:10",
    "12:7",
    "7 out of 100",
    "7 out of",
    "out of 10",
    "7 out of ten",
    "7 out of 10 or 8",
    "7 out of 10 steps",
    "7 out 10",
    "Not 7 out of 10",
    "7 of 10",
    "7 %",
    "7%",
    "7 points",
    "seven",
    "not 7",
    "Not: 7",
    "It is not: 7",
    "7?",
    "Is it: 7?",
    "nan",
    "inf",
    "--7",
    "+7",
    "7,5",
    "7.5.1",
    "1,000",
    "10 - 3",
    "= 7",
    "~7",
    "Between: 7 and 9",
    "Score: 7 of 10 for step 1, 9 for step 2",
    "7\nI am not sure",
    "The score is 7",
    "Scores: 7, 8, 9",
    "Score:",
    ".",
    "-",
    "7/-10",
    "Rather than 7: 8 or 9",
    "7 ± 1",
    "٧",
};

static size_t n_not_alone(bool words)
{
    return words ? sizeof around_words / sizeof *around_words
                 : sizeof around_numbers / sizeof *around_numbers;
}

static rdv_str word_for(const stage *s, rdv_verdict_kind verdict)
{
    for (size_t i = 0; i < s->n_choices; i++)
        if (s->choices[i].verdict == verdict)
            return s->choices[i].word;
    return RDV_STR("");
}

/* The k-th text for that stage. */
static rdv_str not_alone(const stage *s, size_t k, rdv_arena *arena)
{
    rdv_buf b;
    if (s->read == READER_NUMBER)
        return rdv_str_of(around_numbers[k]);
    rdv_buf_init(&b, arena, 0);
    for (const char *p = around_words[k]; *p; p++) {
        if (*p == '@' || *p == '#')
            rdv_buf_add(&b, word_for(s, *p == '@' ? RDV_SUPPORT : RDV_CONTRADICT));
        else
            rdv_buf_add_char(&b, *p);
    }
    return rdv_buf_str(&b);
}
