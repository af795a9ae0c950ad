/* SPDX-License-Identifier: Apache-2.0 */
/* rdv_plan as a job source. */
#include "run/job_source.h"

static int next(void *source, rdv_request *request, rdv_error *err)
{
    return rdv_plan_next(source, request, err);
}

static int reply(void *source, uint64_t id, const rdv_reply *reply, rdv_error *err)
{
    return rdv_plan_reply(source, id, reply, err);
}

static int fail(void *source, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err)
{
    return rdv_plan_fail(source, id, failure, why, err);
}

static int cancelled(void *source, uint64_t *id)
{
    return rdv_plan_cancelled(source, id);
}

static bool done(const void *source)
{
    return rdv_plan_done(source);
}

static int close_plan(void *source, rdv_failure failure, rdv_error *err)
{
    return rdv_plan_close(source, failure, err);
}

static const job_source_ops ops = {.next = next,
                                   .reply = reply,
                                   .fail = fail,
                                   .cancelled = cancelled,
                                   .done = done,
                                   .close = close_plan};

/* ---- the plans ------------------------------------------------------------------------------- */

static int next_plan(void *payload, void **source, rdv_error *err)
{
    const rdv_plan_source *plans = payload;
    rdv_plan *plan = NULL;
    int rc = plans->next(plans->payload, &plan, err);
    *source = plan;
    return rc;
}

static int plan_done(void *payload, void *source, rdv_error *err)
{
    const rdv_plan_source *plans = payload;
    return plans->done(plans->payload, source, err);
}

int rdv_run_plans(rdv_run *run, const rdv_plan_source *source, rdv_error *err)
{
    rdv_plan_source own = *source;
    job_stream sources = {&ops, next_plan, plan_done, &own};
    return run_job_sources(run, &sources, err);
}
