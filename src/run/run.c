/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run.h"
#include "base/arena.h"
#include "base/options.h"
#include "base/str.h"
#include "model/batch.h"
#include "run/backend_batch.h"
#include "run/backend_builtin.h"
#include "run/backend_http.h"
#include "run/backend_transcript.h"
#include "run/driver.h"

#include <stdlib.h>

#define LONGEST_SLEEP_MS 1000
#define PLANS_A_JOB 4

/* ---- options --------------------------------------------------------------------------------- */

static const rdv_run_options defaults = {
    .size = sizeof defaults,
    .mode = RDV_RUN_ASK,
    .journal_requests = true,
    .jobs = 64,
    .timeout_ms = 600 * 1000,
    .idle_ms = 60 * 1000,
    .connect_ms = 15 * 1000,
    .retries = 6,
    .backoff_ms = 1000,
    .max_body = (size_t)16 << 20,
    .progress_ms = 1000,
    .batch = {.max_requests = BATCH_MOST_REQUESTS, .max_bytes = BATCH_MOST_BYTES}};

void rdv_run_options_default(rdv_run_options *options, size_t size)
{
    rdv_options_fill(options, size, &defaults, sizeof defaults);
}

static int check_batch(const rdv_run_options *o, rdv_error *err)
{
    if (!o->batch.path || !*o->batch.path)
        return rdv_fail(err, RDV_E_ARGUMENT, "a batch needs the name of its files");
    if (o->batch.max_requests == 0 || o->batch.max_bytes == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "a file of a batch must hold a request");
    if (!o->journal || !o->journal_requests)
        return rdv_fail(err, RDV_E_ARGUMENT, "a batch needs a journal that keeps its requests");
    if (!o->generator.spec.name.p || o->generator.builtin || o->checker.builtin)
        return rdv_fail(err, RDV_E_ARGUMENT, "a batch needs a model of a provider");
    if (o->n_more_generators || o->n_more_checkers)
        return rdv_fail(err, RDV_E_ARGUMENT, "a batch has no use for several servers of a model");
    return RDV_OK;
}

static int check_options(const rdv_run_options *o, rdv_error *err)
{
    if (o->jobs == 0 || o->jobs > 100000)
        return rdv_fail(err, RDV_E_ARGUMENT, "calls in flight must be 1 to 100000");
    if (!(o->rpm >= 0) || !(o->tpm >= 0) || !(o->budget.seconds >= 0))
        return rdv_fail(err, RDV_E_ARGUMENT, "limits and budgets must not be negative");
    if (!(o->price_in >= 0) || !(o->price_out >= 0))
        return rdv_fail(err, RDV_E_ARGUMENT, "prices must not be negative");
    if (o->n_more_generators >= RDV_MODEL_MOST_SERVERS ||
        o->n_more_checkers >= RDV_MODEL_MOST_SERVERS)
        return rdv_fail(err, RDV_E_ARGUMENT, "at most %d servers for one model",
                        RDV_MODEL_MOST_SERVERS);
    if (o->max_body == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "the longest reply must have a byte");
    if (o->mode == RDV_RUN_ASK && !o->generator.spec.url.p && !o->generator.builtin)
        return rdv_fail(err, RDV_E_ARGUMENT, "no model to ask; give one, or replay a transcript");
    if (o->mode == RDV_RUN_REPLAY && !o->journal)
        return rdv_fail(err, RDV_E_ARGUMENT, "no journal to replay");
    return o->mode == RDV_RUN_BATCH ? check_batch(o, err) : RDV_OK;
}

/* ---- creation and release -------------------------------------------------------------------- */

/* Room for the hosts and backends of all endpoints. */
static bool make_room(rdv_run *run)
{
    const rdv_run_options *o = &run->context.options;
    size_t most = 2 + o->n_more_generators + o->n_more_checkers;
    run->hosts = calloc(most, sizeof *run->hosts);
    run->backends = calloc(most, sizeof *run->backends);
    return run->hosts && run->backends;
}

static host *add_host(rdv_run *run, rdv_str name, size_t jobs)
{
    const rdv_run_options *o = &run->context.options;
    host *h = &run->hosts[run->n_hosts++];
    *h = (host){.name = name};
    limit_init(&h->limit, jobs, o->rpm, o->tpm, run_now(&run->context));
    return h;
}

static host *host_of(rdv_run *run, rdv_str name)
{
    for (size_t i = 0; i < run->n_hosts; i++)
        if (rdv_str_ieq(run->hosts[i].name, name))
            return &run->hosts[i];
    return add_host(run, name, run->context.options.jobs);
}

static void wake(void *of)
{
    http_wake(of);
}

static int new_builtin(rdv_run *run, const rdv_builtin *file, backend **out, rdv_error *err)
{
    run_context *x = &run->context;
    backend_builtin_options of_model = {file->lm, wake, x->http, x};
    size_t jobs = x->options.jobs;
    int rc = backend_builtin_new(out, &of_model, err);
    if (rc != RDV_OK)
        return rc;
    if (jobs > BACKEND_BUILTIN_SEQUENCES)
        jobs = BACKEND_BUILTIN_SEQUENCES;
    (*out)->host = add_host(run, file->name, jobs);
    (*out)->file = file;
    (*out)->abilities = rdv_builtin_abilities(file);
    limit_open(&(*out)->host->limit);
    return RDV_OK;
}

/* It takes one call at a time, which is complete at once. */
static int new_batch(rdv_run *run, const rdv_endpoint *endpoint, backend **out, rdv_error *err)
{
    host *h = add_host(run, endpoint->spec.name, 1);
    limit_init(&h->limit, 1, 0, 0, run_now(&run->context));
    return backend_batch_new(out, &run->context, endpoint, h, err);
}

static int new_backend(rdv_run *run, const rdv_endpoint *endpoint, backend **out, rdv_error *err)
{
    if (run->context.options.mode == RDV_RUN_BATCH)
        return new_batch(run, endpoint, out, err);
    if (endpoint->builtin)
        return new_builtin(run, endpoint->builtin, out, err);
    return backend_http_new(out, &run->context, endpoint, host_of(run, endpoint->spec.host), err);
}

static int add_backend(rdv_run *run, pool *p, const rdv_endpoint *endpoint, rdv_error *err)
{
    backend **b = &run->backends[run->n_backends];
    int rc = new_backend(run, endpoint, b, err);
    if (rc != RDV_OK)
        return rc;
    run->n_backends++;
    (*b)->totals.url = endpoint->spec.url;
    pool_add(p, *b);
    return RDV_OK;
}

/* The servers of one model. */
typedef struct endpoints {
    const rdv_endpoint *first, *more;
    size_t n_more;
} endpoints;

static bool same_endpoint(const rdv_endpoint *a, const rdv_endpoint *b)
{
    if (a->builtin || b->builtin)
        return a->builtin == b->builtin;
    return rdv_str_eq(a->spec.url, b->spec.url) && rdv_str_eq(a->spec.name, b->spec.name) &&
           rdv_str_eq(a->api_key, b->api_key);
}

static bool same_model(const endpoints *a, const endpoints *b)
{
    bool same = a->n_more == b->n_more && same_endpoint(a->first, b->first);
    for (size_t i = 0; same && i < a->n_more; i++)
        same = same_endpoint(&a->more[i], &b->more[i]);
    return same;
}

static pool *new_pool(rdv_run *run)
{
    pool *p = &run->pools[run->n_pools];
    *p = (pool){.lanes = &run->lanes[run->n_pools++], .run = &run->context};
    return p;
}

static int add_pool(rdv_run *run, rdv_model_role party, const endpoints *of, rdv_error *err)
{
    pool *p = new_pool(run);
    int rc = add_backend(run, p, of->first, err);
    for (size_t i = 0; i < of->n_more && rc == RDV_OK; i++)
        rc = add_backend(run, p, &of->more[i], err);
    if (p != run->pools && pool_same_hosts(p, run->pools))
        p->lanes = run->lanes;
    run->by_party[party] = p;
    return rc;
}

/* One thread per file, and one pool per model, even if both model roles use it. */
static int init_models(rdv_run *run, rdv_error *err)
{
    const rdv_run_options *o = &run->context.options;
    const endpoints generator = {&o->generator, o->more_generators, o->n_more_generators};
    const endpoints checker = {&o->checker, o->more_checkers, o->n_more_checkers};
    bool other = (o->checker.spec.url.p || o->checker.builtin) && !same_model(&generator, &checker);
    /* Each host may have all its calls in flight. */
    size_t hosts = 1 + (generator.n_more > checker.n_more ? generator.n_more : checker.n_more);
    http_options of_http = {.connections = (other ? 2 : 1) * hosts * o->jobs,
                            .max_body = o->max_body,
                            .connect_ms = o->connect_ms};
    int rc = http_new(&run->context.http, &of_http, err);
    if (rc == RDV_OK)
        rc = add_pool(run, RDV_GENERATOR, &generator, err);
    if (rc == RDV_OK && other)
        return add_pool(run, RDV_CHECKER, &checker, err);
    run->by_party[RDV_CHECKER] = run->by_party[RDV_GENERATOR];
    return rc;
}

static int init_transcript(rdv_run *run, rdv_error *err)
{
    host *h = &run->hosts[run->n_hosts++];
    limit_init(&h->limit, 1, 0, 0, run_now(&run->context));
    int rc = backend_transcript_new(&run->backends[0], run->context.options.journal, h, err);
    if (rc != RDV_OK)
        return rc;
    run->n_backends++;
    pool *p = new_pool(run);
    pool_add(p, run->backends[0]);
    run->by_party[RDV_GENERATOR] = run->by_party[RDV_CHECKER] = p;
    return RDV_OK;
}

static int init_backends(rdv_run *run, rdv_error *err)
{
    switch (run->context.options.mode) {
    case RDV_RUN_ASK:
    case RDV_RUN_BATCH:
        return init_models(run, err);
    case RDV_RUN_REPLAY:
        return init_transcript(run, err);
    }
    return RDV_OK;
}

static int init(rdv_run *run, rdv_error *err)
{
    run_context *x = &run->context;
    size_t jobs = x->options.jobs;
    size_t plans = x->options.max_plans ? x->options.max_plans : PLANS_A_JOB * jobs;
    account_init(&x->account, &x->options);
    rdv_rng_seed(&x->rng, x->options.seed);
    x->scratch = rdv_arena_new(0);
    run->batch = rdv_arena_new(0);
    bool ok = make_room(run) && x->scratch && run->batch &&
              calls_init(&run->calls, 4 * jobs) == RDV_OK &&
              open_plans_init(&run->plans, plans) == RDV_OK;
    return ok ? init_backends(run, err) : rdv_no_memory(err);
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
        return rdv_no_memory(err);
    run->context.options = own;
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
    for (size_t i = 0; i < run->n_backends; i++)
        backend_free(&run->backends[i]);
    http_free(&run->context.http);
    free(run->backends);
    free(run->hosts);
    calls_free(&run->calls);
    open_plans_free(&run->plans);
    rdv_arena_free(&run->context.scratch);
    rdv_arena_free(&run->batch);
    free(run);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void report(rdv_run *run)
{
    const rdv_run_options *o = &run->context.options;
    uint64_t now = run_now(&run->context);
    if (!o->progress || now - run->reported_ms < o->progress_ms)
        return;
    run->reported_ms = now;
    rdv_run_totals totals;
    rdv_run_totals_now(run, &totals);
    o->progress(o->payload, &totals);
}

static int sleep_until_something(rdv_run *run, rdv_error *err)
{
    uint64_t wait = driver_wait(run);
    if (wait == UINT64_MAX && run->calls.n == 0)
        return rdv_fail(err, RDV_E_INTERNAL, "a plan waits for nothing");
    http_wait(run->context.http, wait < LONGEST_SLEEP_MS ? wait : LONGEST_SLEEP_MS);
    return RDV_OK;
}

static int loop(rdv_run *run, rdv_error *err)
{
    for (;;) {
        bool busy;
        int rc = driver_turn(run, &busy, err);
        if (rc != RDV_OK || driver_done(run))
            return rc;
        report(run);
        if (busy && run->context.http)
            http_wait(run->context.http, 0);
        else if (!busy)
            rc = sleep_until_something(run, err);
        if (rc != RDV_OK)
            return rc;
    }
}

/* Complete the files of a batch, and say whether results are needed to go on. */
static int finish_batch(rdv_run *run, rdv_error *err)
{
    run_context *x = &run->context;
    int rc = RDV_OK;
    for (size_t i = 0; i < run->n_backends && rc == RDV_OK; i++)
        rc = backend_batch_finish(run->backends[i], err);
    bool waits = x->end == RDV_END_BUDGET || /* what it did not write is left for the next round */
                 (x->end == RDV_END_DONE && run->deferred);
    if (rc == RDV_OK && waits) {
        x->end = RDV_END_DONE;
        run_end_early(x, RDV_END_WAITING, "results of a batch are to be imported");
    }
    return rc;
}

int run_job_sources(rdv_run *run, const job_stream *jobs, rdv_error *err)
{
    run_context *x = &run->context;
    run->jobs = jobs;
    run->jobs_ended = false;
    x->end = RDV_END_DONE;
    run->wound_down = false;
    run->deferred = false;
    x->waits_for_budget = false;
    x->too_small = NULL;
    if (x->began_ms == 0)
        x->began_ms = run->reported_ms = run_now(x);
    int rc = loop(run, err);
    run_end_if_too_small(x);
    if (rc == RDV_OK && x->options.mode == RDV_RUN_BATCH)
        rc = finish_batch(run, err);
    if (rc == RDV_OK && x->options.journal)
        rc = journal_commit(x->options.journal, err); /* and check that it is still in place */
    if (rc != RDV_OK)
        driver_abandon(run);
    run->jobs = NULL;
    return rc;
}

void rdv_run_share_surveys(rdv_run *run, struct survey_memory *memory)
{
    run->context.surveys = memory;
}

/* ---- control from outside -------------------------------------------------------------------- */

void rdv_run_stop(rdv_run *run)
{
    atomic_store(&run->stop, true);
    if (run->context.http)
        http_wake(run->context.http);
}

rdv_run_end rdv_run_ended(const rdv_run *run, const char **why)
{
    const run_context *x = &run->context;
    if (why)
        *why = x->end == RDV_END_DONE ? "done" : x->why;
    return x->end;
}

void rdv_run_totals_now(const rdv_run *run, rdv_run_totals *totals)
{
    const run_context *x = &run->context;
    *totals = x->totals;
    totals->plans_open = open_plans_count(&run->plans);
    totals->retrying = run->calls.n_waiting;
    totals->sent = x->account.calls;
    totals->prompt_tokens = x->account.prompt_tokens;
    totals->completion_tokens = x->account.completion_tokens;
    totals->cost_microusd = account_microusd(&x->account);
    totals->seconds = x->began_ms ? run_elapsed(x) : 0;
    uint64_t now = run_now(x), until = 0;
    for (size_t i = 0; i < run->n_hosts; i++) {
        totals->capacity += limit_window(&run->hosts[i].limit);
        until = run->hosts[i].waits_until > until ? run->hosts[i].waits_until : until;
    }
    totals->waits = until > now ? (double)(until - now) / 1000 : 0;
}

int rdv_run_server_totals(const rdv_run *run, size_t i, rdv_server_totals *totals)
{
    if (i >= run->n_backends)
        return RDV_NONE;
    const backend *b = run->backends[i];
    *totals = b->totals;
    totals->aside = b->host->pause_ms > 0;
    totals->left_out = b->left_out;
    return RDV_OK;
}

rdv_can rdv_run_takes_schema(const rdv_run *run)
{
    rdv_can can = run && run->n_backends ? RDV_CANNOT : RDV_CAN_UNKNOWN;
    for (size_t i = 0; run && i < run->n_backends && can != RDV_CAN; i++)
        if (run->backends[i]->abilities.schema != RDV_CANNOT)
            can = run->backends[i]->abilities.schema;
    return can;
}

bool rdv_run_found(const rdv_run *run, size_t i, char *line, size_t size)
{
    const backend *b = i < run->n_backends ? run->backends[i] : NULL;
    return b && b->ops->describe && b->ops->describe(b, line, size);
}
