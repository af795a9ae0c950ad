/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/str.h"

/* Whether a trace's answer is right by BIG-Bench Mistake's rule (section 2: exact match): the gold
 * answer itself, except for surrounding white space and the brackets of an option's letter. */
bool trace_answer_is_right(rdv_str answer, rdv_str gold);
