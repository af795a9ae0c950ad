/* SPDX-License-Identifier: Apache-2.0 */
#include "server/model_run.h"
#include "base/str.h"
#include "run/run.h"

#include <stdlib.h>
#include <uv.h>

#define LOOK_MS 250 /* how often the time is looked at */
#define JOBS 8      /* calls in flight for one reply */
#define RETRIES 2
#define BUILTIN_TYPE "math" /* the built-in model was taught its prompts with this type */

struct model_run {
    model_run_options options;
    rdv_endpoint more[RDV_MODEL_MOST_SERVERS]; /* servers after the first */
    uv_mutex_t lock;
    rdv_run *run; /* under the lock; NULL: none yet */
    bool stopped; /* the same */
    bool late;
    uint64_t until; /* ns of uv_hrtime() */
    rdv_plan *next; /* to be answered; NULL: none */
    rdv_journal *journal;        /* in memory; NULL: it does not remember */
    model_run_used used, before; /* in all; by runs that are over */
};

model_run *model_run_new(const model_run_options *options)
{
    model_run *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->options = *options;
    if (uv_mutex_init(&m->lock) == 0)
        return m;
    free(m);
    return NULL;
}

void model_run_free(model_run **handle)
{
    model_run *m = handle ? *handle : NULL;
    if (!m)
        return;
    *handle = NULL;
    rdv_run_free(&m->run);
    rdv_journal_close(&m->journal);
    uv_mutex_destroy(&m->lock);
    free(m);
}

void model_run_stop(model_run *m)
{
    uv_mutex_lock(&m->lock);
    m->stopped = true;
    if (m->run)
        rdv_run_stop(m->run);
    uv_mutex_unlock(&m->lock);
}

model_run_used model_run_count(const model_run *m)
{
    return m->used;
}

static void look_at_time(void *payload, const rdv_run_totals *totals)
{
    model_run *m = payload;
    (void)totals;
    if (uv_hrtime() < m->until)
        return;
    m->late = true;
    rdv_run_stop(m->run);
}

static rdv_endpoint endpoint_of(const model_run *m, size_t i)
{
    const model_run_options *o = &m->options;
    rdv_endpoint e = {.api_key = o->key, .builtin = o->builtin};
    if (i < o->n)
        e.spec = o->servers[i];
    else if (o->builtin)
        e.spec = (rdv_model_spec){.kind = RDV_MODEL_BUILTIN, .name = o->builtin->name};
    return e;
}

rdv_plan_options model_run_plan(const model_run *m)
{
    rdv_plan_options plan;
    rdv_plan_options_default(&plan, sizeof plan);
    plan.generator = endpoint_of(m, 0).spec.name;
    plan.prompts = m->options.prompts;
    if (m->options.builtin)
        plan.question_type = RDV_STR(BUILTIN_TYPE);
    return plan;
}

/* At least one, since 0 is no limit. */
static uint64_t tokens_left(const model_run *m)
{
    uint64_t used = m->before.tokens_in + m->before.tokens_out;
    return used < m->options.tokens ? m->options.tokens - used : 1;
}

static int start(model_run *m, rdv_error *err)
{
    const model_run_options *o = &m->options;
    rdv_run_options run;
    rdv_run *made;
    rdv_run_options_default(&run, sizeof run);
    run.generator = endpoint_of(m, 0);
    for (size_t i = 1; i < o->n && i < RDV_MODEL_MOST_SERVERS; i++)
        m->more[run.n_more_generators++] = endpoint_of(m, i);
    run.more_generators = m->more;
    run.jobs = JOBS;
    run.retries = RETRIES;
    run.timeout_ms = o->seconds * 1000;
    run.budget.tokens = tokens_left(m);
    run.progress_ms = LOOK_MS;
    run.progress = look_at_time;
    run.payload = m;
    int rc = o->remembers && !m->journal
                 ? rdv_journal_open(":memory:", RDV_JOURNAL_WRITE, &m->journal, err)
                 : RDV_OK;
    run.journal = m->journal;
    if (rc == RDV_OK)
        rc = rdv_run_new(&run, &made, err);
    if (rc != RDV_OK)
        return rc;
    rdv_run_share_surveys(made, o->surveys);
    uv_mutex_lock(&m->lock);
    m->run = made;
    if (m->stopped)
        rdv_run_stop(made);
    uv_mutex_unlock(&m->lock);
    return RDV_OK;
}

/* A run whose time was up answers nothing more; the next plan gets another one. */
static void end_late_run(model_run *m)
{
    if (!m->late || !m->options.remembers)
        return;
    uv_mutex_lock(&m->lock);
    rdv_run_free(&m->run);
    uv_mutex_unlock(&m->lock);
    m->late = false;
    m->before = m->used;
}

static int next_plan(void *payload, rdv_plan **plan, rdv_error *err)
{
    model_run *m = payload;
    (void)err;
    if (!m->next)
        return RDV_NONE;
    *plan = m->next;
    m->next = NULL;
    return RDV_OK;
}

static int plan_done(void *payload, rdv_plan *plan, rdv_error *err)
{
    (void)payload, (void)plan, (void)err;
    return RDV_OK;
}

int model_run_plans(model_run *m, const rdv_plan_source *source, rdv_error *err)
{
    rdv_run_totals totals;
    end_late_run(m);
    bool begins = !m->run;
    int rc = begins ? start(m, err) : RDV_OK;
    if (begins || m->options.remembers)
        m->until = uv_hrtime() + m->options.all_seconds * (uint64_t)1000000000;
    if (rc == RDV_OK)
        rc = rdv_run_plans(m->run, source, err);
    if (!m->run)
        return rc;
    rdv_run_totals_now(m->run, &totals);
    m->used =
        (model_run_used){m->before.calls + totals.sent, m->before.tokens_in + totals.prompt_tokens,
                         m->before.tokens_out + totals.completion_tokens};
    return rc;
}

int model_run_answer(model_run *m, rdv_plan *plan, rdv_error *err)
{
    const rdv_plan_source source = {next_plan, plan_done, m};
    m->next = plan;
    return model_run_plans(m, &source, err);
}

rdv_run_end model_run_end(const model_run *m, bool *late)
{
    *late = m->late;
    return m->run ? rdv_run_ended(m->run, NULL) : RDV_END_DONE;
}

rdv_str model_run_why(const model_run *m, model_run_aim aim)
{
    static const struct {
        rdv_run_end end;
        bool late;
        const char *why[2]; /* of a check, of a repair */
    } ends[] = {
        {RDV_END_BUDGET,
         false,
         {"the check may use no more tokens", "the repair may use no more tokens"}},
        {RDV_END_STOPPED, true, {"the check took too long", "the repair took too long"}},
        {RDV_END_STOPPED, false, {"the check was stopped", "the repair was stopped"}},
        {RDV_END_REFUSED,
         false,
         {"the model that checks refuses what it is asked",
          "the model refuses what it is asked for the repair"}},
        {RDV_END_UNREACHABLE,
         false,
         {"the model that checks cannot be reached", "the model cannot be reached for the repair"}},
    };
    bool late;
    rdv_run_end end = model_run_end(m, &late);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i].end == end && (late || !ends[i].late))
            return rdv_str_of(ends[i].why[aim]);
    return (rdv_str){0};
}
