/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for x86-64 processors with vectors of 512 bits. */
#define KERNELS lm_kernels_avx512
#define KERNELS_NAME "avx512"
#define LANES 16
#define USABLE                                                                                     \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&                    \
     __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
#include "lm/kernels_body.h"
