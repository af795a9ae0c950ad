/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Answers that say that there is no value, or no one value, in whatever words. */
#include <rederive/base.h>

typedef enum nothing_is {
    NOTHING_NOT,       /* it may be a value */
    NOTHING_EMPTY,     /* "no solution", "the empty set", "the equation has no real roots" */
    NOTHING_UNDEFINED, /* "undefined", "the limit does not exist" */
    NOTHING_ENDLESS,   /* "infinitely many solutions" */
    NOTHING_UNKNOWN    /* "it cannot be determined" */
} nothing_is;

/* What the whole answer says. Linear. */
nothing_is nothing_of(rdv_str answer);
