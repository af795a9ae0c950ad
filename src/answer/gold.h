/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The answer in a gold answer that is a whole reply or a worked solution. */
#include <rederive/base.h>

/* What is behind its last "####", in its last box where words stand around the box, or behind the
 * last words that announce it, "the answer is 5"; all of it where it is nothing but the answer.
 * Borrowed. */
rdv_str gold_answer(rdv_str gold);
