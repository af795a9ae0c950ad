/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for x86-64 processors since 2013. */
#define KERNELS lm_kernels_avx2
#define KERNELS_NAME "avx2"
#define LANES 8
#define USABLE (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#include "lm/kernels_body.h"
