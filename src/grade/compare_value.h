/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Two values of any form: same, different, or it cannot be told; and why. */
#include "grade/outcome.h"

/* Pairs of values that one comparison looks at; over it nothing can be told. */
#define COMPARE_PAIRS_MAX 512

rdv_same value_compare(comparer *c, const answer_value *answer, const answer_value *gold);
