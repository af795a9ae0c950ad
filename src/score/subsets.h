/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The subsets of a question's chains: a figure for n of N chains is the mean over all of them. */
#include <stddef.h>

#define SUBSETS_MOST 10000 /* of more, some are drawn */

/* The number of subsets of k of n >= k chains, or SUBSETS_MOST + 1 if there are more. */
size_t subsets_count(size_t n, size_t k);
/* The subset that follows in the order of the indexes; the first is 0, 1, ... k - 1, and the last
 * stays as it is. */
void subsets_next(size_t *chosen, size_t k, size_t n);
