/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Claims that are true and denied: "It is not true that 3 * 4 = 12" is a false step. */
#include "decide/calculator.h"

/* Of the results from `first` on, in the text `t` that begins `offset` bytes into the step: those
 * that are right become undecided where the words right before or right behind deny the claim, or
 * the chain that it is a part of. */
void denied_withhold(const tokens *t, size_t offset, size_t first, calc_list *found);
