/* SPDX-License-Identifier: Apache-2.0 */
#include "run/backend_batch.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/batch.h"
#include "run/batch_file.h"
#include "run/journal/batch.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct batch {
    backend base;
    run_context *run; /* borrowed */
    rdv_str model;
    uint64_t round;
    uint64_t number; /* of journal_batch_run() */
    batch_file file;
    backend_call *call; /* started, and its event not yet returned; NULL: none */
    backend_event event;
} batch;

static rdv_journal *journal_of(const batch *b)
{
    return b->run->options.journal;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The journal knows of the requests before their file can be seen: otherwise their results would be
 * nobody's. A run that is killed between the two is settled by the next one. */
static int finish_file(batch *b, rdv_error *err)
{
    rdv_journal *j = journal_of(b);
    batch_file *f = &b->file;
    char *path = batch_file_absolute(f); /* the next run may be in another folder */
    int rc = path ? batch_file_close(f, err) : rdv_no_memory(err);
    if (rc == RDV_OK)
        rc = journal_batch_name_file(j, f->number, path, false, err);
    if (rc == RDV_OK)
        rc = journal_commit(j, err);
    if (rc == RDV_OK)
        rc = batch_file_name(f, err);
    if (rc == RDV_OK)
        rc = journal_batch_name_file(j, f->number, path, true, err);
    free(path);
    if (rc == RDV_OK)
        rc = journal_commit(j, err);
    if (rc == RDV_OK) {
        b->run->totals.batch_files++;
        run_notice(b->run, "%s: %" PRIu64 " request%s to /v1/chat/completions, %.1f MB, model %.*s",
                   f->path, f->requests, f->requests == 1 ? "" : "s", (double)f->bytes / 1e6,
                   RDV_FMT(b->model));
    }
    batch_file_release(f);
    return rc;
}

static int begin_file(batch *b, rdv_error *err)
{
    uint64_t number;
    int rc = journal_batch_begin_file(journal_of(b), b->round, &number, err);
    return rc == RDV_OK ? batch_file_begin(&b->file, b->run->options.batch.path, number, err) : rc;
}

/* A provider takes one model in a file, so each backend has its own. */
static int make_room(batch *b, size_t bytes, rdv_error *err)
{
    const rdv_batch *o = &b->run->options.batch;
    const batch_file *f = &b->file;
    bool full = f->file && (f->requests >= o->max_requests || f->bytes + bytes > o->max_bytes);
    int rc = full ? finish_file(b, err) : RDV_OK;
    return rc == RDV_OK && !f->file ? begin_file(b, err) : rc;
}

/* ---- requests -------------------------------------------------------------------------------- */

static void defer(batch *b)
{
    b->event.kind = BACKEND_DEFERRED;
}

static void fail(batch *b, rdv_failure failure, rdv_str why)
{
    b->event.kind = BACKEND_FAILED;
    b->event.failure = failure;
    snprintf(b->event.why, sizeof b->event.why, "%.*s", RDV_FMT(why));
}

static int write_line(batch *b, const rdv_request *request, const wire *w, bool afresh,
                      rdv_error *err)
{
    rdv_buf line, reading;
    rdv_buf_init(&line, b->run->scratch, 0);
    rdv_buf_init(&reading, b->run->scratch, 0);
    batch_write_request(&line, request->key, w);
    batch_write_reading(&reading, request, w);
    if (!rdv_buf_ok(&line) || !rdv_buf_ok(&reading))
        return rdv_no_memory(err);
    if (line.len > b->run->options.batch.max_bytes) {
        fail(b, RDV_FAIL_UNAVAILABLE, RDV_STR("the request is longer than a file of a batch"));
        return RDV_OK;
    }
    int rc = make_room(b, line.len, err);
    if (rc == RDV_OK)
        rc = batch_file_add(&b->file, rdv_buf_str(&line), err);
    if (rc == RDV_OK)
        rc = journal_batch_put(journal_of(b), request, rdv_buf_str(&reading), b->file.number,
                               b->number, afresh, err);
    if (rc != RDV_OK)
        return rc;
    account_charge_call(&b->run->account);
    b->run->totals.batch_written++;
    defer(b);
    return RDV_OK;
}

/* Return values as those of start(). */
static int write_call(batch *b, const rdv_request *request, bool afresh, rdv_error *err)
{
    rdv_abilities known = b->base.abilities;
    wire w;
    if (request->offered) /* nothing was found out that could be relied on */
        known.schema = known.choice = RDV_CANNOT;
    int rc = wire_write(request, b->model, &known, b->run->scratch, &w, err);
    if (rc != RDV_OK)
        return rc;
    if (!batch_takes(&w)) {
        run_end_early(b->run, RDV_END_REFUSED,
                      "%.*s: a batch takes no requests to %s; leave --batch-out out",
                      RDV_FMT(request->stage), w.path);
        return RDV_LATER;
    }
    if (!run_may_spend(b->run))
        return RDV_LATER;
    return write_line(b, request, &w, afresh, err);
}

static int expect(batch *b, const rdv_request *request, rdv_error *err)
{
    int rc = journal_batch_need(journal_of(b), request->key, b->number, err);
    b->run->totals.batch_expected += rc == RDV_OK;
    defer(b);
    return rc == RDV_NONE ? RDV_OK : rc;
}

/* What is to be done with a request that was written before. */
static int decide(batch *b, const rdv_request *request, const batch_row *row, rdv_error *err)
{
    const rdv_run_options *o = &b->run->options;
    bool again = o->batch.again && row->run != b->number;
    bool hopeless =
        row->state == BATCH_REFUSED || (row->state == BATCH_FAILED && row->failures > o->retries);
    if (!again && row->state == BATCH_EXPECTED)
        return expect(b, request, err);
    if (!again && hopeless) {
        fail(b, row->failure, row->why);
        return RDV_OK;
    }
    int rc = write_call(b, request, hopeless, err);
    b->run->totals.batch_again += rc == RDV_OK && b->event.kind == BACKEND_DEFERRED;
    return rc;
}

static int start(backend *of, backend_call *c, rdv_error *err)
{
    batch *b = (batch *)of;
    batch_row row;
    if (b->call)
        return RDV_LATER;
    rdv_arena_reset(b->run->scratch);
    b->event = (backend_event){.call = c};
    int rc = journal_batch_find(journal_of(b), c->request->key, b->run->scratch, &row, err);
    if (rc == RDV_NONE)
        rc = write_call(b, c->request, false, err);
    else if (rc == RDV_OK)
        rc = decide(b, c->request, &row, err);
    if (rc == RDV_OK) {
        b->call = c;
        c->state = b;
    }
    return rc;
}

static void cancel(backend *of, backend_call *c)
{
    batch *b = (batch *)of;
    if (b->call == c)
        b->call = NULL;
    c->state = NULL;
}

static int next(backend *of, rdv_arena *arena, backend_event *out, rdv_error *err)
{
    batch *b = (batch *)of;
    if (!b->call)
        return RDV_NONE;
    *out = b->event;
    cancel(of, b->call);
    return RDV_OK;
}

/* ---- creation and release -------------------------------------------------------------------- */

/* What is known of a provider without asking it. What a result refuses is learned for the model. */
static rdv_abilities abilities_of(rdv_batch_server server)
{
    rdv_abilities a = {.chat = RDV_CAN,
                       .completions = RDV_CANNOT,
                       .echo = RDV_CANNOT,
                       .prompt_logprobs = RDV_CANNOT,
                       .token_grammar = RDV_CANNOT,
                       .prefix = RDV_CANNOT,
                       .schema = RDV_CAN,
                       .choice = RDV_CANNOT,
                       .stream = RDV_CANNOT};
    if (server == RDV_BATCH_OPENAI_REASONING)
        a.max_tokens = a.temperature = a.top_p = a.stop = a.logprobs = RDV_CANNOT;
    if (server == RDV_BATCH_VLLM) {
        a.prompt_logprobs = a.prefix = a.choice = a.top_k = RDV_CAN;
        a.prefix_back = RDV_CANNOT;
    }
    return a;
}

int backend_batch_finish(backend *of, rdv_error *err)
{
    batch *b = (batch *)of;
    b->run->totals.batch_round = b->round;
    return b->file.file ? finish_file(b, err) : RDV_OK;
}

static void free_batch(backend *of)
{
    batch_file_release(&((batch *)of)->file);
    free(of);
}

int backend_batch_new(backend **out, run_context *run, const rdv_endpoint *endpoint, host *h,
                      rdv_error *err)
{
    static const backend_ops ops = {start, cancel, next, free_batch, NULL, NULL};
    rdv_journal *j = run->options.journal;
    batch *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return rdv_no_memory(err);
    *b = (batch){.base = {.ops = &ops,
                          .host = h,
                          .abilities = abilities_of(run->options.batch.server),
                          .at_once = true,
                          .due = UINT64_MAX},
                 .run = run,
                 .model = endpoint->spec.name};
    int rc = journal_batch_open(j, err);
    if (rc == RDV_OK)
        rc = journal_batch_round(j, &b->round, err);
    if (rc == RDV_OK)
        rc = journal_batch_run(j, &b->number, err);
    if (rc == RDV_OK)
        rc = journal_batch_learned(j, b->model, &b->base.abilities, err);
    if (rc == RDV_OK)
        *out = &b->base;
    else
        free_batch(&b->base);
    return rc;
}
