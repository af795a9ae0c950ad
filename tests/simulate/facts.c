/* SPDX-License-Identifier: Apache-2.0 */
#include "facts.h"

#include <stdio.h>
#include <string.h>

void facts_add(facts *f, const rdv_run_totals *t, rdv_run_end end)
{
    static const char letters[] = "DBSRUW"; /* as rdv_run_end */
    rdv_run_totals *sums = &f->sums;
    if (f->n_ends + 1 < FACTS_ENDS)
        f->ends[f->n_ends] = letters[end];
    f->n_ends++;
    sums->sent += t->sent;
    sums->retries += t->retries;
    sums->answered += t->answered;
    sums->cached += t->cached;
    sums->failed += t->failed;
    sums->prompt_tokens += t->prompt_tokens;
    sums->completion_tokens += t->completion_tokens;
    sums->cost_microusd += t->cost_microusd;
}

void facts_close(facts *f, const world *w, uint32_t kind)
{
    f->kind = kind;
    f->now = w->now;
    memcpy(f->notes, w->notes, sizeof f->notes);
}

const char *facts_head(void)
{
    return "seed\twork\truns\tends\tsent\tretries\tanswered\tcached\tfailed\tprompt\tcompletion\t"
           "microusd\tms\tcalls\twaits\tsaid\ttotals\trecords\n";
}

void facts_write(const facts *f, uint64_t seed, char *line, size_t size)
{
    static const char *const works[] = {"check", "solve", "repair", "search"};
    const rdv_run_totals *t = &f->sums;
    const uint64_t numbers[] = {t->sent,   t->retries,       t->answered,          t->cached,
                                t->failed, t->prompt_tokens, t->completion_tokens, t->cost_microusd,
                                f->now};
    size_t at = (size_t)snprintf(line, size, "%llu\t%s\t%zu\t%s", (unsigned long long)seed,
                                 works[f->kind % 4], f->n_ends, f->ends);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        at += (size_t)snprintf(line + at, size - at, "\t%llu", (unsigned long long)numbers[i]);
    for (size_t i = 0; i < N_THEMES; i++)
        at += (size_t)snprintf(line + at, size - at, "\t%08x", (unsigned)(f->notes[i] >> 32));
    snprintf(line + at, size - at, "\n");
}
