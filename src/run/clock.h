/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The time of day. Durations are measured by http_now(). A simulation puts its own clock in the
 * place of this file (tests/simulate). */
#include <stdint.h>

uint64_t clock_ms_since_1970(void);
