/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers in tests of src/score. */
#include "../test.h"

#include <math.h>

/* Equal within `error` (0: the same number); NaN equals nothing. */
#define assert_near(a, b, error)                                                                   \
    do {                                                                                           \
        double a_ = (a), b_ = (b);                                                                 \
        if (!(fabs(a_ - b_) <= (error)))                                                           \
            fail_msg("%.17g is not %.17g (%s)", a_, b_, #a);                                       \
    } while (0)

#define assert_nan(a) assert_true(isnan(a))
