/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Times of day, and how long it is between them: "9:45 + 3:35 = 13:20",
 * "13:20 - 9:45 = 3 h 35 min", "from 9:45 to 13:20 is 3 hours 35 minutes". Other texts with colons
 * (ratios, "1:2:3", seconds, decimals) are none of these. */
#include "notation/lex.h"

typedef enum clock_unit {
    CLOCK_TIME = 1, /* 9:45, 9 pm, or a length of time in hours and minutes */
    CLOCK_HOURS = 2,
    CLOCK_MINUTES = 4 /* with CLOCK_HOURS: "3 h 35 min" */
} clock_unit;

/* A time, or a length of time. */
typedef struct clock_value {
    size_t begin, end;  /* tokens; end is the first one after it */
    unsigned unit;      /* of clock_unit */
    long long minutes;  /* a time with "pm" counts from noon */
    bool half;          /* "am" or "pm" stands there, or the hour is of no half: 0, or 13 to 24 */
    bool marked;        /* "am" or "pm" */
    rdv_str hours_word; /* as written: "h"; p == NULL: none */
    rdv_str minutes_word;
} clock_value;

typedef enum clock_is { CLOCK_SUM, CLOCK_DIFFERENCE, CLOCK_BETWEEN } clock_is;

typedef struct clock_claim {
    clock_is is;
    size_t begin, end; /* tokens */
    size_t left_end;   /* the token after the left side, or after the two times */
    bool aside;        /* "she works from 8 am to 11 am, which is 3 hours": of what she works */
    clock_value a, b, said;
} clock_claim;

/* The first one at token `from` or after it; false: there is none. Only a whole clause is read. */
bool clock_find(const tokens *t, size_t from, clock_claim *out);

/* May one be in the text? Most texts are passed over at a glance. */
bool clock_may_be_in(rdv_str text);
/* The same of a text that was lexed: in most, no number goes on as a time. */
bool clock_may_be_among(const tokens *t);
