/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How long to wait before asking again. */
#include "base/rng.h"

#define RETRY_NOT_GIVEN UINT64_MAX
#define RETRY_MAX_MS ((uint64_t)3600 * 1000) /* no server is waited for longer */

#define RETRY_LONG_MS ((uint64_t)10 * 1000) /* a wait that people are told of */

/* Milliseconds that a Retry-After header asks for: seconds, or a date (RFC 9110, 10.2.3) compared
 * with `now`, in seconds since 1970. RETRY_NOT_GIVEN: neither. At most RETRY_MAX_MS. */
uint64_t retry_after_ms(const char *value, int64_t now);
/* Milliseconds before try number `tries` + 1 (tries >= 1). Exponential back-off with full jitter:
 * uniform below base_ms * 2^(tries-1), at most a minute. `asked`: what the server asked for, or
 * RETRY_NOT_GIVEN; then that long, and up to base_ms more, so that calls do not come back all at
 * once. */
uint64_t retry_delay_ms(rdv_rng *rng, uint32_t tries, uint32_t base_ms, uint64_t asked);
/* Whether to say that a server wants no call for `ms` milliseconds from now. *told_until: the end
 * of the wait that was said last, which becomes that of this one. */
bool retry_tells(uint64_t *told_until, uint64_t ms, uint64_t now);
/* How long that is, for people: "1 h 0 min", "90 s". *out: room for it. */
typedef struct retry_shown {
    char text[32];
} retry_shown;
retry_shown retry_show(uint64_t ms);
