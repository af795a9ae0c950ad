/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An answer that is one number among plain words: "42 apples", "There are 42 left." */
#include <rederive/base.h>

typedef enum lone {
    LONE_NO,     /* none, several, or part of a formula: to be read as mathematics */
    LONE_NUMBER, /* *number is the answer's value */
    LONE_CHANGED /* the words change the number, "half of 5", "minus 3": it is not known what to */
} lone;

/* Linear. */
lone lone_number(rdv_str answer, rdv_str *number);
