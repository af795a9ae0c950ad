/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a sentence of a reply says, by the grammar (grammar.h). Time is linear in the sentence: for
 * each element of the grammar the places that it may begin and end at are one set. */
#include "reply/grammar.h"

#define SENTENCE_TOKENS_MOST 127 /* a longer sentence says nothing */

/* A set of places between tokens, or of tokens. */
__extension__ typedef unsigned __int128 token_set;

#define SENTENCE_BOX "\xe2\x96\xa1" /* stands for a \boxed{} */

typedef struct sentence {
    rdv_str text;
    const grammar_row *row; /* what describes it; NULL: none does, or two that differ */
    grammar_says says;      /* of the row */
    size_t step;            /* the number at <step> */
    bool numbered;          /* there is one */
    bool asked;             /* it is a question */
    bool introduces;        /* it ends in a colon */
    bool ended;             /* it ends in a full stop, or another mark */
    bool ticked;            /* it ends in a sign for "right" */
    bool cut_off;           /* at the end of a reply: it breaks off */
    bool neutral;           /* nothing in it turns what is said before it */
    bool differs;           /* it says that two things differ, or that something fails */
    bool agrees;            /* it says that they are the same */
    bool retracts;          /* it takes back what stands before */
} sentence;

/* What the sentence says to that reader. The caller has seen that there is
 * the grammar, grammar_built_in(). */
void sentence_read(rdv_str text, grammar_reader reader, sentence *out);
/* Do two sentences that follow each other in a text say that two things differ, "It is 19. The step
 * has 18.", and no sentence since then that they are the same? */
bool sentences_differ(const rdv_str *sentences, size_t n, grammar_reader reader);
