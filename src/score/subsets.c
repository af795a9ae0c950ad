/* SPDX-License-Identifier: Apache-2.0 */
#include "score/subsets.h"

size_t subsets_count(size_t n, size_t k)
{
    size_t many = 1;
    k = k < n - k ? k : n - k;
    for (size_t i = 1; i <= k && many <= SUBSETS_MOST; i++)
        many = many * (n - k + i) / i; /* a whole number: that of i of n - k + i */
    return many <= SUBSETS_MOST ? many : SUBSETS_MOST + 1;
}

void subsets_next(size_t *chosen, size_t k, size_t n)
{
    size_t i = k;
    while (i > 0 && chosen[i - 1] == n - k + i - 1)
        i--;
    if (i == 0)
        return;
    chosen[i - 1]++;
    for (; i < k; i++)
        chosen[i] = chosen[i - 1] + 1;
}
