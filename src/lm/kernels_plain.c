/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for any processor. */
#define KERNELS lm_kernels_plain
#define KERNELS_NAME "plain"
#define LANES 4
#define USABLE (true)
#include "lm/kernels_body.h"
