/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers in a text, as they are written: "1,200", "0.50", ".5", "twelve", "half". */
#include <rederive/base.h>

typedef struct number_token {
    size_t begin, end; /* bytes */
    char key[48];      /* the same for the same number: "12E2" */
    bool words;        /* it is written in words */
    bool factor;       /* these words multiply or divide: half, thirds, twice, dozen */
    bool percent;      /* a percent sign stands behind it, or "percent" */
    bool hundredths;   /* a percent sign stands behind it, or "percent", "cents" */
} number_token;

/* The next number at or behind *at, which moves behind it. With digits, plain or full-width, it may
 * not stand behind a letter (x2), and may have up to 40 of them; a number of more has a key of its
 * own. "2.5 million" and "1e3" are one number. In words it is a cardinal ("two thousand"), a share
 * (half, thirds, and their signs) or a multiple (twice, dozen). False: there is none. Linear. */
bool number_token_next(rdv_str text, size_t *at, number_token *out);
/* The key of the number times 10^power, into `out`. */
void number_token_shifted(const number_token *number, int power, char out[48]);
