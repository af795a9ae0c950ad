/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The unit of measurement after a number: "cm", "square feet", "m^2". */
#include "math/units.h"

typedef struct measure {
    const unit *of; /* NULL: no unit that is known, or several ("km/h") */
    unsigned power; /* 1 to 3 */
} measure;

/* `after`: what follows the number in an answer. Linear in its length. */
measure measure_read(rdv_str after);
