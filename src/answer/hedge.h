/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The hedge of an answer: the words that say that it is only near, "about 5", or only possible,
 * "maybe 5", "I don't know, 5?"; and the words that take it back, "5. Wait, no, 6". */
#include <rederive/chain.h>

typedef enum hedge {
    HEDGE_NONE,
    HEDGE_NEAR, /* "about 5": the value is near; "about 5.39" is a decimal that is rounded, and no
                   hedge */
    HEDGE_DOUBT /* "maybe 5": the value is not asserted; "probably 5" and "I think 5" assert it */
} hedge;

/* Do answers of the kind have hedges? In texts such words may be the answer: "About a Boy". */
bool hedge_applies(rdv_kind kind);
/* The hedge that an answer opens or ends with, and the answer without it: all of it where there is
 * none. Of both, doubt. Linear. */
hedge hedge_of(rdv_str answer, rdv_str *bare);
/* What was read in `text`, with the hedge that governs it directly in its sentence, if one does.
 * Looks 200 bytes back and 100 on. */
rdv_str hedge_with(rdv_str text, rdv_str answer);
/* The whole list if the announced number at the end is an item of one, "1, 2 and 3", or of one
 * after "one of"; else the number. announced: three numbers are a list without "one of" too. */
rdv_str hedge_with_list(rdv_str text, rdv_str number, bool announced);
/* The text after the last retraction, "wait, no" (the row `withdrawn` of rules/context.rules); the
 * whole text if there is no retraction, or if only numbers of other things follow it, "I forgot the
 * 3 extra ones". If no text follows it: its "no" if the kind is yes or no, else the whole text.
 * Linear. */
rdv_str hedge_after_withdrawal(rdv_str s, rdv_kind kind);
