/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How long to wait before asking again. */
#include "base/rng.h"

#define RETRY_NOT_SAID UINT64_MAX
#define RETRY_MAX_MS ((uint64_t)3600 * 1000) /* no server is waited for longer */

/* Milliseconds that a Retry-After header asks for: seconds, or a date (RFC 9110, 10.2.3) compared
 * with `now`, in seconds since 1970. RETRY_NOT_SAID: neither. At most RETRY_MAX_MS. */
uint64_t retry_after_ms(const char *value, int64_t now);
/* Milliseconds before try number `tries` + 1 (tries >= 1). Exponential back-off with full jitter:
 * uniform below base_ms * 2^(tries-1), at most a minute. `asked`: what the server asked for, or
 * RETRY_NOT_SAID; then that long, and up to base_ms more, so that calls do not come back all at
 * once. */
uint64_t retry_delay_ms(rdv_rng *rng, uint32_t tries, uint32_t base_ms, uint64_t asked);
