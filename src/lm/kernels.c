/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/kernels.h"

extern const lm_kernels lm_kernels_plain;
#ifdef LM_KERNELS_X86
extern const lm_kernels lm_kernels_avx512, lm_kernels_avx2;
#endif

static const lm_kernels *const variants[] = {
#ifdef LM_KERNELS_X86
    &lm_kernels_avx512, &lm_kernels_avx2,
#endif
    &lm_kernels_plain};

const lm_kernels *lm_kernels_at(size_t i)
{
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        if (variants[v]->usable() && i-- == 0)
            return variants[v];
    return NULL;
}

size_t lm_product_room(size_t cols)
{
    return (size_t)8 * LM_PANEL * cols;
}
