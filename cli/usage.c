/* SPDX-License-Identifier: Apache-2.0 */
#include "usage.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>

#define N_FAILURES (RDV_FAIL_MISSING + 1)

/* ---- progress -------------------------------------------------------------------------------- */

/* What is done of all, how long the rest takes, and what all will cost. */
static void add_done(struct progress_line *line, const rdv_run_totals *t, uint64_t expected,
                     struct progress *rate)
{
    double done = (double)t->plans_done, all = (double)expected, left = NAN;
    progress_note(rate, t->seconds, done);
    progress_add(line, "%" PRIu64, t->plans_done);
    if (expected) {
        progress_add(line, " of %" PRIu64, expected);
        if (t->plans_done) /* records that advance together are all done late */
            progress_add(line, " (%.0f %%)", floor(100 * done / all));
        left = progress_left(rate, t->seconds, fmax(all - done, 0));
    }
    progress_add(line, " done");
    if (isnan(left))
        return;
    progress_add(line, ", ");
    progress_add_time(line, left);
    progress_add(line, " left");
}

/* Calls that have a reply. */
static uint64_t answered(const rdv_run_totals *t)
{
    uint64_t others = t->in_flight + t->retries + t->retrying + t->failed;
    return t->sent > others ? t->sent - others : 0;
}

void usage_progress(struct progress_line *line, const rdv_run_totals *t, uint64_t expected,
                    bool priced, struct progress *rate)
{
    double cost = (double)t->cost_microusd / 1e6;
    add_done(line, t, expected, rate);
    progress_add(line, ", %" PRIu64 " call%s answered, %" PRIu64 " in flight", answered(t),
                 plural(answered(t)), t->in_flight);
    if (priced)
        progress_add(line, ", $%.2f", cost);
    progress_add(line, ", %" PRIu64 " tokens", t->prompt_tokens + t->completion_tokens);
    if (t->retrying)
        progress_add(line, ", %" PRIu64 " waiting to be retried", t->retrying);
    if (t->waits > 0) {
        progress_add(line, ", the server accepts no call for ");
        progress_add_time(line, t->waits);
    }
    if (t->failed)
        progress_add(line, ", %" PRIu64 " failed", t->failed);
}

/* ---- summary --------------------------------------------------------------------------------- */

void usage_summary(FILE *out, const rdv_run_totals *t, bool priced)
{
    const char *what = t->batch_round ? "request" : "call";
    fprintf(out, "%" PRIu64 " %s%s%s", t->sent, what, plural(t->sent),
            t->batch_round ? " written" : "");
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
    if (t->batch_round)
        fprintf(out,
                ",\"batch\":{\"round\":%" PRIu64 ",\"n_files\":%" PRIu64 ",\"n_written\":%" PRIu64
                ",\"n_again\":%" PRIu64 ",\"n_expected\":%" PRIu64 "}",
                t->batch_round, t->batch_files, t->batch_written, t->batch_again,
                t->batch_expected);
}
