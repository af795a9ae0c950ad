/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A whole reply, read once: first its answer, then, where that is wanted, whether it is right. */
#include "answer/read.h"

/* What was read in a text. */
typedef struct reading {
    rdv_str said; /* the text without what was thought */
    rdv_answer answer;
    int found; /* RDV_OK, or RDV_NONE: the answer has no text */
    answer_search met;
    rdv_str stated; /* the answer with the words beside it (turn_with_words()), once it was graded;
                       p == NULL: all of the reply, or nothing, was graded in its place */
    bool unstated;  /* the reply only denies, supposes or breaks off behind what was read */
    rdv_str concluded; /* the clause of it that a conclusion is, once it was graded */
} reading;

typedef struct whole_reply {
    rdv_str text;         /* at most RDV_GRADE_TEXT_MAX bytes */
    rdv_answer_form form; /* as gold decides it, and the question */
    rdv_str gold, question;
    rdv_answer_found require;
    const rdv_compare_options *how;
    bool renamed; /* gold has another letter for its constant, as the reply calls it */
    bool part;    /* it is a part of a reply, which is not parted once more */
    reading first;
} whole_reply;

/* Read the answer of a text; arguments, and what is borrowed, as for rdv_grade_text(). RDV_OK or
 * RDV_E_NOMEM. */
int grade_text_read(rdv_str text, rdv_str gold, const rdv_answer_form *form,
                    const rdv_compare_options *how, rdv_arena *arena, whole_reply *out,
                    rdv_error *err);
/* Grade it, as rdv_grade_text() does. */
int grade_text_weigh(whole_reply *r, rdv_arena *arena, rdv_text_grade *out, rdv_error *err);
