/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Words that mean yes or no. */
#include <rederive/base.h>

/* The next such word at or after byte *at, which is moved past it: yes, true, plausible; no,
 * false, implausible, and the first three after "not". *out is the word as written ("not
 * plausible"). */
bool answer_next_yesno(rdv_str text, size_t *at, rdv_str *out, bool *yes);
