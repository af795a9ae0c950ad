/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Waiting times before retries. */
#include "base/rng.h"

#define RETRY_NOT_GIVEN UINT64_MAX
#define RETRY_MAX_MS ((uint64_t)3600 * 1000) /* the longest wait for any server */

#define RETRY_LONG_MS ((uint64_t)10 * 1000) /* waits from this length are reported */

/* Milliseconds that a Retry-After header requests: seconds, or a date (RFC 9110, 10.2.3) compared
 * with `now`, in seconds since 1970. RETRY_NOT_GIVEN: neither. At most RETRY_MAX_MS. */
uint64_t retry_after_ms(const char *value, int64_t now);
/* Milliseconds before try number `tries` + 1 (tries >= 1). Exponential back-off with full jitter:
 * uniform below base_ms * 2^(tries-1), at most a minute. `asked`: the wait that the server
 * requested, or RETRY_NOT_GIVEN; the result is then that wait plus up to base_ms, so that calls do
 * not return all at once. */
uint64_t retry_delay_ms(rdv_rng *rng, uint32_t tries, uint32_t base_ms, uint64_t asked);
/* Whether to report that a server wants no call for `ms` milliseconds from now. *told_until: the
 * end of the last reported wait; it is set to the end of this one. */
bool retry_tells(uint64_t *told_until, uint64_t ms, uint64_t now);
/* The wait, formatted for people: "1 h 0 min", "90 s". *out: room for it. */
typedef struct retry_shown {
    char text[32];
} retry_shown;
retry_shown retry_show(uint64_t ms);
