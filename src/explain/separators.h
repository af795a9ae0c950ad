/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* "1.250" and "1,250": the sign between the digits divides thousands or begins decimals. The
 * convention of the record says which; the other is an unusual reading. */
#include "explain/mismatch.h"

/* Are the sides the same, to the digits shown, where the points or the commas before three digits,
 * or both, are the other sign? Points are not where a number shows what they are
 * ("1.250 + 0.5"). */
bool separators_may_be_the_other(const mismatch *m);
