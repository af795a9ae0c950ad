/* SPDX-License-Identifier: Apache-2.0 */
#include "run/retry.h"
#include "base/str.h"

#include <curl/curl.h>
#include <stdlib.h>

#define MAX_BACKOFF_MS ((uint64_t)60 * 1000)

uint64_t retry_after_ms(const char *value, int64_t now)
{
    char *end;
    double seconds = strtod(value, &end);
    if (end == value || *end != '\0') {
        int64_t date = (int64_t)curl_getdate(value, NULL);
        if (date < 0)
            return RETRY_NOT_SAID;
        seconds = date > now ? (double)(date - now) : 0;
    }
    if (!(seconds >= 0))
        return RETRY_NOT_SAID;
    return seconds * 1000 < (double)RETRY_MAX_MS ? (uint64_t)(seconds * 1000) : RETRY_MAX_MS;
}

uint64_t retry_delay_ms(rdv_rng *rng, uint32_t tries, uint32_t base_ms, uint64_t asked)
{
    if (asked != RETRY_NOT_SAID)
        return asked + rdv_rng_below(rng, (uint64_t)base_ms + 1);
    uint64_t most = base_ms;
    for (uint32_t i = 1; i < tries && most < MAX_BACKOFF_MS; i++)
        most *= 2;
    return rdv_rng_below(rng, (most < MAX_BACKOFF_MS ? most : MAX_BACKOFF_MS) + 1);
}
