/* SPDX-License-Identifier: Apache-2.0 */
#include "server/model_check.h"
#include "base/str.h"
#include "run/run.h"
#include "server/relay.h"

#include <stdlib.h>
#include <uv.h>

#define LOOK_MS 250 /* how often the time is looked at */
#define JOBS 8      /* calls in flight for one reply */
#define RETRIES 2
#define BUILTIN_TYPE "math" /* the built-in model was taught its prompts with this type */
#define MOST_CHOICES 128 /* that are checked; further ones are unknown */

struct model_check {
    model_check_options options;
    const rdv_method *method;
    rdv_endpoint more[RDV_MODEL_MOST_SERVERS]; /* servers after the first */
    uv_mutex_t lock;
    rdv_run *run; /* under the lock; NULL: none yet */
    bool stopped; /* the same */
    bool late;
    uint64_t until; /* ns of uv_hrtime() */
    rdv_plan *plans[MOST_CHOICES];
    size_t n_plans, n_given;
    uint64_t tokens_in, tokens_out;
};

model_check_options model_check_of(const relay_ctx *ctx, size_t model, const judge_asking *asking)
{
    const serve_model *m = &ctx->options->models[model];
    return (model_check_options){.servers = m->servers,
                                 .n = m->n,
                                 .key = m->key,
                                 .builtin = m->n ? NULL : ctx->options->builtin,
                                 .prompts = ctx->prompts,
                                 .surveys = ctx->surveys ? ctx->surveys[model] : NULL,
                                 .tokens = asking->tokens,
                                 .seconds = asking->seconds,
                                 .all_seconds = asking->seconds};
}

model_check *model_check_new(const model_check_options *options)
{
    model_check *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->options = *options;
    if (uv_mutex_init(&m->lock) == 0)
        return m;
    free(m);
    return NULL;
}

void model_check_free(model_check **handle)
{
    model_check *m = handle ? *handle : NULL;
    if (!m)
        return;
    *handle = NULL;
    for (size_t i = 0; i < m->n_plans; i++)
        rdv_plan_free(&m->plans[i]);
    rdv_run_free(&m->run);
    uv_mutex_destroy(&m->lock);
    free(m);
}

void model_check_stop(model_check *m)
{
    uv_mutex_lock(&m->lock);
    m->stopped = true;
    if (m->run)
        rdv_run_stop(m->run);
    uv_mutex_unlock(&m->lock);
}

void model_check_tokens(const model_check *m, uint64_t *in, uint64_t *out)
{
    *in = m->tokens_in;
    *out = m->tokens_out;
}

/* ---- the run --------------------------------------------------------------------------------- */

static void look_at_time(void *payload, const rdv_run_totals *totals)
{
    model_check *m = payload;
    (void)totals;
    if (uv_hrtime() < m->until)
        return;
    m->late = true;
    rdv_run_stop(m->run);
}

static rdv_endpoint endpoint_of(const model_check_options *o, size_t i)
{
    rdv_endpoint e = {.api_key = o->key, .builtin = o->builtin};
    if (i < o->n)
        e.spec = o->servers[i];
    else if (o->builtin)
        e.spec = (rdv_model_spec){.kind = RDV_MODEL_BUILTIN, .name = o->builtin->name};
    return e;
}

rdv_str model_check_name(const model_check_options *options)
{
    return endpoint_of(options, 0).spec.name;
}

static int start(model_check *m, rdv_error *err)
{
    const model_check_options *o = &m->options;
    rdv_run_options run;
    rdv_run *made;
    rdv_run_options_default(&run, sizeof run);
    run.generator = endpoint_of(o, 0);
    for (size_t i = 1; i < o->n && i < RDV_MODEL_MOST_SERVERS; i++)
        m->more[run.n_more_generators++] = endpoint_of(o, i);
    run.more_generators = m->more;
    run.jobs = JOBS;
    run.retries = RETRIES;
    run.timeout_ms = o->seconds * 1000;
    run.budget.tokens = o->tokens;
    run.progress_ms = LOOK_MS;
    run.progress = look_at_time;
    run.payload = m;
    int rc = rdv_run_new(&run, &made, err);
    if (rc != RDV_OK)
        return rc;
    rdv_run_share_surveys(made, o->surveys);
    uv_mutex_lock(&m->lock);
    m->run = made;
    if (m->stopped)
        rdv_run_stop(made);
    uv_mutex_unlock(&m->lock);
    m->until = uv_hrtime() + o->all_seconds * (uint64_t)1000000000;
    return RDV_OK;
}

static int next_plan(void *payload, rdv_plan **plan, rdv_error *err)
{
    model_check *m = payload;
    (void)err;
    if (m->n_given == m->n_plans)
        return RDV_NONE;
    *plan = m->plans[m->n_given++];
    return RDV_OK;
}

static int plan_done(void *payload, rdv_plan *plan, rdv_error *err)
{
    (void)payload, (void)plan, (void)err;
    return RDV_OK;
}

/* In words of ours: the run's have the addresses of servers. */
static rdv_str end_of(const model_check *m)
{
    switch (rdv_run_ended(m->run, NULL)) {
    case RDV_END_BUDGET:
        return RDV_STR("the check may use no more tokens");
    case RDV_END_STOPPED:
        return m->late ? RDV_STR("the check took too long") : RDV_STR("the check was stopped");
    case RDV_END_REFUSED:
        return RDV_STR("the model that checks refuses what it is asked");
    case RDV_END_UNREACHABLE:
        return RDV_STR("the model that checks cannot be reached");
    case RDV_END_WAITING:
    case RDV_END_DONE:
        break;
    }
    return (rdv_str){0};
}

int model_check_plan(model_check *m, const rdv_method *method, rdv_chain *chain, rdv_str type,
                     rdv_plan **plan, rdv_error *err)
{
    rdv_check_options check;
    rdv_plan_options options;
    rdv_check_options_default(&check, sizeof check);
    check.step_ms = JUDGE_STEP_MS;
    check.chain_ms = JUDGE_REPLY_MS;
    rdv_plan_options_default(&options, sizeof options);
    options.generator = model_check_name(&m->options);
    m->method = method;
    options.methods = &m->method;
    options.n_methods = 1;
    options.check = &check;
    options.prompts = m->options.prompts;
    options.question_type = m->options.builtin ? RDV_STR(BUILTIN_TYPE) : type;
    return rdv_plan_check(chain, 1, &options, plan, err);
}

int model_check_run(model_check *m, const rdv_plan_source *source, rdv_str *why, rdv_error *err)
{
    rdv_run_totals totals;
    int rc = m->run ? RDV_OK : start(m, err);
    if (rc == RDV_OK)
        rc = rdv_run_plans(m->run, source, err);
    if (m->run) {
        rdv_run_totals_now(m->run, &totals);
        m->tokens_in = totals.prompt_tokens;
        m->tokens_out = totals.completion_tokens;
    }
    *why = rc == RDV_OK ? end_of(m) : (rdv_str){0};
    return rc;
}

bool model_check_failed(const model_check *m)
{
    rdv_run_end end = rdv_run_ended(m->run, NULL);
    return end == RDV_END_REFUSED || end == RDV_END_UNREACHABLE;
}

int model_check_chain(void *of, const rdv_method *method, rdv_chain *chain, rdv_check *out,
                      rdv_str *unknown, rdv_error *err)
{
    model_check *m = of;
    size_t n;
    rdv_plan_source source = {next_plan, plan_done, m};
    if (m->n_plans == MOST_CHOICES)
        return rdv_fail(err, RDV_E_LIMIT, "more than %d choices are not checked", MOST_CHOICES);
    int rc = model_check_plan(m, method, chain, (rdv_str){0}, &m->plans[m->n_plans], err);
    m->n_plans += rc == RDV_OK;
    if (rc == RDV_OK)
        rc = model_check_run(m, &source, unknown, err);
    if (rc != RDV_OK)
        return rc;
    const rdv_chain *checked = rdv_plan_chains(m->plans[m->n_plans - 1], &n);
    if (n != 1 || checked->n_checks == 0)
        return rdv_fail(err, RDV_E_INTERNAL, "the check has no result");
    *out = checked->checks[checked->n_checks - 1];
    return RDV_OK;
}
