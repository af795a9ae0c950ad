/* SPDX-License-Identifier: Apache-2.0 */
#include "driven.h"

#include "plan/request.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- a job source ---------------------------------------------------------------------------- */

static int next_request(void *of, rdv_request *request, rdv_error *err)
{
    job *j = of;
    if (j->next == j->n || (j->first_is_enough && j->n_told) ||
        (j->one_by_one && j->n_told < j->next))
        return RDV_NONE;
    *request = j->requests[j->next++];
    return RDV_OK;
}

static void tell(job *j, uint64_t id, bool reply, rdv_failure failure, rdv_str text)
{
    told *t = &j->told[id];
    assert_false(t->yes); /* each request once */
    *t = (told){.yes = true, .reply = reply, .failure = failure};
    snprintf(t->text, sizeof t->text, "%.*s", RDV_FMT(text));
    j->n_told++;
}

static int take_reply(void *of, uint64_t id, const rdv_reply *reply, rdv_error *err)
{
    tell(of, id, true, RDV_FAIL_UNREADABLE, reply->text);
    return ((job *)of)->fails ? rdv_fail(err, RDV_E_INTERNAL, "planted") : RDV_OK;
}

static int take_failure(void *of, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err)
{
    tell(of, id, false, failure, why);
    return RDV_OK;
}

static int next_cancelled(void *of, uint64_t *id)
{
    job *j = of;
    if (!j->first_is_enough || !j->n_told)
        return RDV_NONE;
    while (j->n_cancelled < j->next && j->told[j->n_cancelled].yes)
        j->n_cancelled++;
    *id = j->n_cancelled;
    return j->n_cancelled++ < j->next ? RDV_OK : RDV_NONE;
}

static bool is_done(const void *of)
{
    const job *j = of;
    return j->is_closed || j->n_told == j->n || (j->first_is_enough && j->n_told);
}

static int close_job(void *of, rdv_failure failure, rdv_error *err)
{
    job *j = of;
    j->is_closed = true;
    j->closed_by = failure;
    return RDV_OK;
}

static const job_source_ops job_ops = {next_request,   take_reply, take_failure,
                                       next_cancelled, is_done,    close_job};

void ask(job *j, const char *question)
{
    rdv_request *r = &j->requests[j->n];
    j->messages[j->n] = (rdv_message){RDV_USER, rdv_str_of(question)};
    *r = (rdv_request){.id = j->n,
                       .kind = RDV_REQUEST_CHAT,
                       .model = RDV_STR("m"),
                       .messages = &j->messages[j->n],
                       .n_messages = 1,
                       .sampling = {.temperature = 0.5, .top_p = NAN},
                       .sample = RDV_STR("sample 0")};
    request_key(r);
    j->n++;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static response by_script(void *of, size_t call, const http_exchange *x)
{
    world *w = of;
    return w->script[call < w->n_script ? call : w->n_script - 1];
}

static void take_notice(void *of, const char *line)
{
    world *w = of;
    size_t at = strlen(w->notices);
    snprintf(w->notices + at, sizeof w->notices - at, "%s\n", line);
}

static int next_job(void *of, void **source, rdv_error *err)
{
    world *w = of;
    if (w->next_job == w->n_jobs)
        return RDV_NONE;
    *source = &w->jobs[w->next_job++];
    return RDV_OK;
}

static int take_job(void *of, void *source, rdv_error *err)
{
    world *w = of;
    assert_ptr_equal(source, &w->jobs[w->n_handed_over]); /* in order */
    w->n_handed_over++;
    return RDV_OK;
}

int driven_set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    *state = w;
    if (!w)
        return -1;
    w->arena = rdv_arena_new(0);
    w->network = (network){.respond = by_script, .of = w};
    w->n_jobs = 1;
    rdv_run_options *o = &w->options;
    rdv_run_options_default(o, sizeof *o);
    o->generator.api_key = RDV_STR(KEY);
    o->notice = take_notice;
    o->payload = w;
    return rdv_model_parse(RDV_STR("http://one:1/v1#m"), w->arena, &o->generator.spec, NULL);
}

int driven_tear_down(void **state)
{
    world *w = *state;
    rdv_journal_close(&w->options.journal);
    if (w->journal[0])
        unlink(w->journal);
    rdv_arena_free(&w->arena);
    free(w);
    return 0;
}

void start_again(world *w)
{
    w->network = (network){.respond = by_script, .of = w};
    w->jobs[0] = w->jobs[1] = (job){0};
    w->next_job = w->n_handed_over = 0;
}

void add_journal(world *w)
{
    snprintf(w->journal, sizeof w->journal, "/tmp/rdv-driver-XXXXXX");
    int fd = mkstemp(w->journal);
    assert_true(fd >= 0 && close(fd) == 0);
    assert_int_equal(rdv_journal_open(w->journal, RDV_JOURNAL_WRITE, &w->options.journal, NULL),
                     RDV_OK);
}

int drive(world *w, rdv_error *err)
{
    const job_stream jobs = {&job_ops, next_job, take_job, w};
    rdv_run *run;
    const char *why;
    network_use(&w->network);
    assert_int_equal(rdv_run_new(&w->options, &run, err), RDV_OK);
    int rc = run_job_sources(run, &jobs, err);
    w->end = rdv_run_ended(run, &why);
    snprintf(w->why, sizeof w->why, "%s", why);
    rdv_run_totals_now(run, &w->totals);
    if (!rdv_run_found(run, 0, w->found, sizeof w->found))
        w->found[0] = '\0';
    rdv_run_free(&run);
    assert_int_equal(w->n_handed_over, w->n_jobs);
    return rc;
}

void ask_many(world *w, size_t n)
{
    static char questions[MOST][32];
    for (size_t i = 0; i < n; i++) {
        snprintf(questions[i], sizeof questions[i], "question %zu", i);
        ask(&w->jobs[0], questions[i]);
    }
}

void assert_reply(const world *w, size_t id, const char *text)
{
    assert_true(w->jobs[0].told[id].yes && w->jobs[0].told[id].reply);
    assert_string_equal(w->jobs[0].told[id].text, text);
}

void assert_failed(const world *w, size_t id, rdv_failure failure, const char *why)
{
    const told *t = &w->jobs[0].told[id];
    assert_true(t->yes && !t->reply);
    assert_int_equal(t->failure, failure);
    assert_string_equal(t->text, why);
}
