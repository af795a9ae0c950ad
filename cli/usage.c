/* SPDX-License-Identifier: Apache-2.0 */
#include "usage.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdarg.h>

#define N_FAILURES (RDV_FAIL_MISSING + 1)

/* ---- progress -------------------------------------------------------------------------------- */

RDV_PRINTF(3, 4)
static void add(char line[USAGE_LINE], size_t *len, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(line + *len, USAGE_LINE - *len, fmt, ap);
    va_end(ap);
    *len += n < 0 ? 0 : (size_t)n;
    if (*len >= USAGE_LINE)
        *len = USAGE_LINE - 1;
}

static void add_time(char line[USAGE_LINE], size_t *len, double seconds)
{
    uint64_t s = (uint64_t)seconds;
    if (s >= 3600)
        add(line, len, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60, s % 60);
    else
        add(line, len, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
}

void usage_progress(char line[USAGE_LINE], const rdv_run_totals *t, uint64_t expected, bool priced)
{
    size_t len = 0;
    uint64_t tokens = t->prompt_tokens + t->completion_tokens;
    add(line, &len, "%" PRIu64, t->plans_done);
    if (expected)
        add(line, &len, "/%" PRIu64, expected);
    add(line, &len, " done, %" PRIu64 " calls, %" PRIu64 " in flight", t->sent, t->in_flight);
    if (t->retrying)
        add(line, &len, ", %" PRIu64 " waiting to be retried", t->retrying);
    if (t->waits > 0) {
        add(line, &len, ", the server accepts no call for ");
        add_time(line, &len, t->waits);
    }
    if (t->failed)
        add(line, &len, ", %" PRIu64 " failed", t->failed);
    if (t->seconds > 0)
        add(line, &len, ", %.0f tokens/s", (double)tokens / t->seconds);
    if (priced)
        add(line, &len, ", $%.2f", (double)t->cost_microusd / 1e6);
    if (expected > t->plans_done && t->plans_done) {
        add(line, &len, ", ");
        add_time(line, &len,
                 t->seconds / (double)t->plans_done * (double)(expected - t->plans_done));
        add(line, &len, " left");
    }
}

/* ---- summary --------------------------------------------------------------------------------- */

void usage_summary(FILE *out, const rdv_run_totals *t, bool priced)
{
    fprintf(out, "%" PRIu64 " call%s", t->sent, plural(t->sent));
    if (t->retries)
        fprintf(out, " (%" PRIu64 " retries)", t->retries);
    if (t->cached)
        fprintf(out, ", %" PRIu64 " more answered by the journal", t->cached);
    if (t->failed) {
        const char *before = " (";
        fprintf(out, ", %" PRIu64 " failed", t->failed);
        for (int i = 0; i < N_FAILURES; i++)
            if (t->failures[i]) {
                fprintf(out, "%s%" PRIu64 " %s", before, t->failures[i],
                        rdv_failure_name((rdv_failure)i));
                before = ", ";
            }
        if (before[0] == ',')
            fputc(')', out);
    }
    fprintf(out, "; %" PRIu64 " prompt tokens, %" PRIu64 " completion tokens", t->prompt_tokens,
            t->completion_tokens);
    if (priced)
        fprintf(out, "; $%.4f", (double)t->cost_microusd / 1e6);
    fputc('\n', out);
}

void usage_json(FILE *out, const rdv_run_totals *t, bool priced)
{
    const char *comma = "";
    fprintf(out,
            ",\"n_calls\":%" PRIu64 ",\"n_retries\":%" PRIu64 ",\"n_cached\":%" PRIu64
            ",\"n_failed_calls\":%" PRIu64 ",\"failed_calls\":{",
            t->sent, t->retries, t->cached, t->failed);
    for (int i = 0; i < N_FAILURES; i++)
        if (t->failures[i]) {
            fprintf(out, "%s\"%s\":%" PRIu64, comma, rdv_failure_name((rdv_failure)i),
                    t->failures[i]);
            comma = ",";
        }
    fprintf(out, "},\"prompt_tokens\":%" PRIu64 ",\"completion_tokens\":%" PRIu64, t->prompt_tokens,
            t->completion_tokens);
    if (priced)
        fprintf(out, ",\"cost_usd\":%.6f", (double)t->cost_microusd / 1e6);
}
