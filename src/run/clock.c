/* SPDX-License-Identifier: Apache-2.0 */
#include "run/clock.h"

#include <time.h>

uint64_t clock_ms_since_1970(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}
