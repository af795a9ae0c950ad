/* SPDX-License-Identifier: Apache-2.0 */
#include "run/retry.h"
#include "base/str.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_BACKOFF_MS ((uint64_t)60 * 1000)

uint64_t retry_after_ms(const char *value, int64_t now)
{
    char *end;
    double seconds = strtod(value, &end);
    if (end == value || *end != '\0') {
        int64_t date = (int64_t)curl_getdate(value, NULL);
        if (date < 0)
            return RETRY_NOT_GIVEN;
        seconds = date > now ? (double)(date - now) : 0;
    }
    if (!(seconds >= 0))
        return RETRY_NOT_GIVEN;
    return seconds * 1000 < (double)RETRY_MAX_MS ? (uint64_t)(seconds * 1000) : RETRY_MAX_MS;
}

uint64_t retry_delay_ms(rdv_rng *rng, uint32_t tries, uint32_t base_ms, uint64_t asked)
{
    if (asked != RETRY_NOT_GIVEN)
        return asked + rdv_rng_below(rng, (uint64_t)base_ms + 1);
    uint64_t most = base_ms;
    for (uint32_t i = 1; i < tries && most < MAX_BACKOFF_MS; i++)
        most *= 2;
    return rdv_rng_below(rng, (most < MAX_BACKOFF_MS ? most : MAX_BACKOFF_MS) + 1);
}

bool retry_tells(uint64_t *told_until, uint64_t ms, uint64_t now)
{
    /* Waits of calls that were in flight together end at about the same time: they are one wait. */
    if (ms == RETRY_NOT_GIVEN || ms <= RETRY_LONG_MS || now + ms <= *told_until + RETRY_LONG_MS)
        return false;
    *told_until = now + ms;
    return true;
}

retry_shown retry_show(uint64_t ms)
{
    retry_shown shown;
    unsigned long long s = (ms + 999) / 1000;
    if (s < 120)
        snprintf(shown.text, sizeof shown.text, "%llu s", s);
    else if (s < 3600)
        snprintf(shown.text, sizeof shown.text, "%llu min", (s + 59) / 60);
    else
        snprintf(shown.text, sizeof shown.text, "%llu h %llu min", s / 3600, s / 60 % 60);
    return shown;
}
