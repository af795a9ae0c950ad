/* SPDX-License-Identifier: Apache-2.0 */
#include "run/usage.h"

#include <math.h>

/* A prompt may be denser than those before it: digits and other scripts have more tokens a byte. */
#define DENSER 1.5
/* Of replies without a limit: how many make a mean, and the margin beside it. */
#define MEAN_OF 4
#define DEVIATIONS 2
#define LEAST_MARGIN 0.5 /* of the mean */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t beyond(uint64_t used, uint64_t most)
{
    return used > most ? used - most : 0;
}

void usage_learn(usage_seen *seen, size_t bytes, uint64_t limit, token_usage used, bool told)
{
    if (told) {
        seen->densest = fmax(seen->densest, (double)used.prompt / (double)larger(bytes, 1));
        seen->over_bytes = larger(seen->over_bytes, beyond(used.prompt, bytes));
    }
    if (limit != USAGE_NO_LIMIT) {
        seen->over_limit = larger(seen->over_limit, beyond(used.completion, limit));
        return;
    }
    double off = (double)used.completion - seen->mean_free;
    seen->n_free++;
    seen->mean_free += off / (double)seen->n_free;
    seen->deviations_free += off * ((double)used.completion - seen->mean_free);
}

/* The tokens of a reply; false: unknown. */
static bool reply_most(const usage_seen *seen, uint64_t limit, uint64_t *out)
{
    if (limit != USAGE_NO_LIMIT) {
        *out = limit + seen->over_limit;
        return true;
    }
    *out = 0;
    if (seen->n_free < MEAN_OF)
        return false;
    double deviation = sqrt(seen->deviations_free / (double)(seen->n_free - 1));
    double margin = fmax(DEVIATIONS * deviation, LEAST_MARGIN * seen->mean_free);
    *out = (uint64_t)ceil(seen->mean_free + margin);
    return true;
}

bool usage_most(const usage_seen *seen, size_t bytes, uint64_t limit, token_usage *out)
{
    out->prompt = bytes + seen->over_bytes;
    return reply_most(seen, limit, &out->completion);
}

bool usage_likely(const usage_seen *seen, size_t bytes, uint64_t limit, token_usage *out)
{
    double tokens = ceil(seen->densest * DENSER * (double)bytes);
    (void)usage_most(seen, bytes, limit, out);
    if (seen->densest > 0 && tokens < (double)out->prompt)
        out->prompt = (uint64_t)tokens;
    return seen->densest > 0;
}
