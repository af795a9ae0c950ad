/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The few words of Chinese beside a number: what announces it, what it counts, what changes it. */
#include <rederive/base.h>

/* Without the words that announce it, and after a number the words that say what it counts; all of
 * it where nothing is left. Linear. */
rdv_str chinese_bare(rdv_str answer);
/* What was read in `text`, with a word directly beside it that changes it: about, not, at least,
 * or, ten thousand, times. */
rdv_str chinese_with_changes(rdv_str text, rdv_str answer);
