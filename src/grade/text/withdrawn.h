/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Values that a reply gives only to say that they were not right. */
#include <rederive/base.h>

/* Is the value of a sentence, which lies in it, one that was said before, or one that is called
 * wrong: "My earlier 21 was mistaken."? A word that the question or gold has says neither.
 * Linear. */
bool withdrawn_in(rdv_str sentence, rdv_str value, rdv_str question, rdv_str gold);
/* Do the sentences behind it say that it is not right: "I got 21. That was wrong."? */
bool withdrawn_by(rdv_str behind, rdv_str question, rdv_str gold);
