/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Words that change the meaning of adjacent numbers. */
#include <rederive/base.h>

enum {
    WORD_BINDS_AFTER = 1,  /* right before an expression, makes it a part of more: "twice 5" */
    WORD_BINDS_BEFORE = 2, /* right after an expression, changes its value: "5 million" */
    WORD_PART = 4,         /* before "of", makes what follows a part of more: "half of 20 + 5" */
    WORD_CONNECTIVE = 8,   /* joins sentences and does not name what is counted: "and", "is" */
    WORD_FUNCTION = 16     /* a function that is not evaluated: "sin" */
};

/* What is known of the word, in any case of letters (single letters as they are): bits; 0: nothing.
 */
unsigned word_class(rdv_str word);
