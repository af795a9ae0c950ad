/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "base/options.h"
#include "base/str.h"
#include "run/builtin.h"
#include "run/driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LONGEST_SLEEP_MS 1000
#define PLANS_A_JOB 4

/* ---- options --------------------------------------------------------------------------------- */

static const rdv_run_options defaults = {.size = sizeof defaults,
                                         .mode = RDV_RUN_ASK,
                                         .journal_requests = true,
                                         .jobs = 64,
                                         .timeout_ms = 600 * 1000,
                                         .idle_ms = 60 * 1000,
                                         .connect_ms = 15 * 1000,
                                         .retries = 6,
                                         .backoff_ms = 1000,
                                         .max_body = (size_t)16 << 20,
                                         .progress_ms = 1000};

void rdv_run_options_default(rdv_run_options *options, size_t size)
{
    rdv_options_fill(options, size, &defaults, sizeof defaults);
}

static int check_options(const rdv_run_options *o, rdv_error *err)
{
    if (o->jobs == 0 || o->jobs > 100000)
        return rdv_fail(err, RDV_E_ARGUMENT, "calls in flight must be 1 to 100000");
    if (!(o->rpm >= 0) || !(o->tpm >= 0) || !(o->budget.seconds >= 0))
        return rdv_fail(err, RDV_E_ARGUMENT, "limits and budgets must not be negative");
    if (!(o->price_in >= 0) || !(o->price_out >= 0))
        return rdv_fail(err, RDV_E_ARGUMENT, "prices must not be negative");
    if (o->max_body == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "the longest reply must have a byte");
    if (o->mode == RDV_RUN_ASK && !o->generator.spec.url.p && !o->generator.builtin)
        return rdv_fail(err, RDV_E_ARGUMENT, "no model to ask; give one, or replay a transcript");
    if (o->mode == RDV_RUN_REPLAY && !o->journal)
        return rdv_fail(err, RDV_E_ARGUMENT, "no journal to replay");
    return RDV_OK;
}

/* ---- time ------------------------------------------------------------------------------------ */

uint64_t run_now(const rdv_run *run)
{
    if (run->http)
        return http_now(run->http);
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

double run_elapsed(const rdv_run *run)
{
    return (double)(run_now(run) - run->began_ms) / 1000;
}

/* ---- telling --------------------------------------------------------------------------------- */

void run_notice(const rdv_run *run, const char *fmt, ...)
{
    char line[RDV_ERROR_MAX];
    if (!run->options.notice)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    run->options.notice(run->options.payload, line);
}

/* ---- life ------------------------------------------------------------------------------------ */

static host *host_of(rdv_run *run, rdv_str name)
{
    for (size_t i = 0; i < run->n_hosts; i++)
        if (rdv_str_ieq(run->hosts[i].name, name))
            return &run->hosts[i];
    host *h = &run->hosts[run->n_hosts++];
    *h = (host){.name = name};
    limit_init(&h->limit, run->options.jobs, run->options.rpm, run->options.tpm, run_now(run));
    return h;
}

static void wake(void *of)
{
    http_wake(of);
}

/* One thread for a file, whoever asks it. */
static int add_builtin(rdv_run *run, server *s, const rdv_endpoint *endpoint, rdv_error *err)
{
    for (server *other = run->servers; other < s; other++)
        if (other->file == endpoint->builtin) {
            server_init_builtin(s, endpoint, other->builtin, other->host);
            return RDV_OK;
        }
    builtin *b;
    int rc = builtin_new(&b, endpoint->builtin->lm, wake, run->http, err);
    if (rc != RDV_OK)
        return rc;
    run->builtins[run->n_builtins++] = b;
    host *h = &run->hosts[run->n_hosts++];
    *h = (host){.name = endpoint->builtin->name};
    size_t jobs = run->options.jobs;
    limit_init(&h->limit, jobs < BUILTIN_SEQUENCES ? jobs : BUILTIN_SEQUENCES, run->options.rpm,
               run->options.tpm, run_now(run));
    limit_open(&h->limit);
    server_init_builtin(s, endpoint, b, h);
    return RDV_OK;
}

static bool same_server(const rdv_endpoint *a, const rdv_endpoint *b)
{
    return !a->builtin && !b->builtin && rdv_str_eq(a->spec.url, b->spec.url) &&
           rdv_str_eq(a->spec.name, b->spec.name) && rdv_str_eq(a->api_key, b->api_key);
}

static int add_server(rdv_run *run, rdv_party party, const rdv_endpoint *endpoint, rdv_error *err)
{
    server *s = &run->servers[run->n_servers++];
    run->by_party[party] = s;
    if (endpoint->builtin)
        return add_builtin(run, s, endpoint, err);
    return server_init(s, endpoint, host_of(run, endpoint->spec.host), err);
}

static int init_servers(rdv_run *run, rdv_error *err)
{
    const rdv_run_options *o = &run->options;
    /* Two hosts may each have all their calls out. */
    http_options of_http = {
        .connections = 2 * o->jobs, .max_body = o->max_body, .connect_ms = o->connect_ms};
    int rc = http_new(&run->http, &of_http, err);
    if (rc == RDV_OK)
        rc = add_server(run, RDV_GENERATOR, &o->generator, err);
    bool other = o->checker.spec.url.p || o->checker.builtin;
    if (rc == RDV_OK && other && !same_server(&o->generator, &o->checker))
        return add_server(run, RDV_CHECKER, &o->checker, err);
    run->by_party[RDV_CHECKER] = run->by_party[RDV_GENERATOR];
    return rc;
}

static int init(rdv_run *run, rdv_error *err)
{
    size_t jobs = run->options.jobs;
    size_t plans = run->options.max_plans ? run->options.max_plans : PLANS_A_JOB * jobs;
    account_init(&run->account, &run->options);
    rdv_rng_seed(&run->rng, run->options.seed);
    run->scratch = rdv_arena_new(0);
    run->batch = rdv_arena_new(0);
    bool ok = run->scratch && run->batch && calls_init(&run->calls, 4 * jobs) == RDV_OK &&
              slots_init(&run->slots, plans) == RDV_OK;
    if (!ok)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    return run->options.mode == RDV_RUN_ASK ? init_servers(run, err) : RDV_OK;
}

int rdv_run_new(const rdv_run_options *options, rdv_run **out, rdv_error *err)
{
    *out = NULL;
    rdv_run_options own = defaults;
    int rc = rdv_options_take(&own, sizeof own, options, err);
    if (rc == RDV_OK)
        rc = check_options(&own, err);
    if (rc != RDV_OK)
        return rc;
    rdv_run *run = calloc(1, sizeof *run);
    if (!run)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    run->options = own;
    rc = init(run, err);
    if (rc == RDV_OK)
        *out = run;
    else
        rdv_run_free(&run);
    return rc;
}

void rdv_run_free(rdv_run **handle)
{
    rdv_run *run = handle ? *handle : NULL;
    if (!run)
        return;
    *handle = NULL;
    for (size_t i = 0; i < run->n_builtins; i++)
        builtin_free(&run->builtins[i]);
    http_free(&run->http);
    for (size_t i = 0; i < run->n_servers; i++)
        server_deinit(&run->servers[i]);
    calls_free(&run->calls);
    slots_free(&run->slots);
    rdv_arena_free(&run->scratch);
    rdv_arena_free(&run->batch);
    free(run);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void report(rdv_run *run)
{
    uint64_t now = run_now(run);
    if (!run->options.progress || now - run->reported_ms < run->options.progress_ms)
        return;
    run->reported_ms = now;
    rdv_run_totals totals;
    rdv_run_totals_now(run, &totals);
    run->options.progress(run->options.payload, &totals);
}

static int sleep_until_something(rdv_run *run, rdv_error *err)
{
    uint64_t wait = drive_wait(run);
    if (wait == UINT64_MAX && run->calls.n == 0)
        return rdv_fail(err, RDV_E_INTERNAL, "a plan waits for nothing");
    http_wait(run->http, wait < LONGEST_SLEEP_MS ? wait : LONGEST_SLEEP_MS);
    return RDV_OK;
}

static int loop(rdv_run *run, rdv_error *err)
{
    for (;;) {
        bool busy;
        int rc = drive(run, &busy, err);
        if (rc != RDV_OK || drive_done(run))
            return rc;
        report(run);
        if (busy && run->http)
            http_wait(run->http, 0);
        else if (!busy)
            rc = sleep_until_something(run, err);
        if (rc != RDV_OK)
            return rc;
    }
}

int run_works(rdv_run *run, const work_feed *feed, rdv_error *err)
{
    run->feed = feed;
    run->feed_ended = false;
    run->end = RDV_END_DONE;
    run->wound_down = false;
    if (run->began_ms == 0)
        run->began_ms = run->reported_ms = run_now(run);
    int rc = loop(run, err);
    if (rc == RDV_OK && run->options.journal)
        rc = journal_commit(run->options.journal, err); /* and it is still there */
    if (rc != RDV_OK)
        drive_abandon(run);
    run->feed = NULL;
    return rc;
}

/* ---- from outside ---------------------------------------------------------------------------- */

void rdv_run_stop(rdv_run *run)
{
    atomic_store(&run->stop, true);
    if (run->http)
        http_wake(run->http);
}

rdv_run_end rdv_run_ended(const rdv_run *run, const char **why)
{
    if (why)
        *why = run->end == RDV_END_DONE ? "done" : run->why;
    return run->end;
}

void rdv_run_totals_now(const rdv_run *run, rdv_run_totals *totals)
{
    *totals = run->totals;
    totals->plans_open = slots_open(&run->slots);
    totals->retrying = run->calls.n_waiting;
    totals->sent = run->account.calls;
    totals->prompt_tokens = run->account.prompt_tokens;
    totals->completion_tokens = run->account.completion_tokens;
    totals->cost_microusd = account_microusd(&run->account);
    totals->seconds = run->began_ms ? run_elapsed(run) : 0;
    uint64_t now = run_now(run), until = 0;
    for (size_t i = 0; i < run->n_hosts; i++) {
        totals->capacity += limit_window(&run->hosts[i].limit);
        until = run->hosts[i].waits_until > until ? run->hosts[i].waits_until : until;
    }
    totals->waits = until > now ? (double)(until - now) / 1000 : 0;
}
