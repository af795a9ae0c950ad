/* SPDX-License-Identifier: Apache-2.0 */
#include "run/plan_work.h"

static int next(void *work, rdv_request *request, rdv_error *err)
{
    return rdv_plan_next(work, request, err);
}

static int reply(void *work, uint64_t id, const rdv_reply *reply, rdv_error *err)
{
    return rdv_plan_reply(work, id, reply, err);
}

static int fail(void *work, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err)
{
    return rdv_plan_fail(work, id, failure, why, err);
}

static int cancelled(void *work, uint64_t *id)
{
    return rdv_plan_cancelled(work, id);
}

static bool done(const void *work)
{
    return rdv_plan_done(work);
}

static int close_plan(void *work, rdv_failure failure, rdv_error *err)
{
    return rdv_plan_close(work, failure, err);
}

static int dry_reply(const void *work, const rdv_request *request, rdv_arena *arena, rdv_reply *out,
                     rdv_error *err)
{
    return rdv_plan_dry_reply(work, request, arena, out, err);
}

const work_ops plan_work_ops = {.next = next,
                                .reply = reply,
                                .fail = fail,
                                .cancelled = cancelled,
                                .done = done,
                                .close = close_plan,
                                .dry_reply = dry_reply};

/* ---- the feed -------------------------------------------------------------------------------- */

static int next_plan(void *payload, void **work, rdv_error *err)
{
    const rdv_plan_feed *feed = payload;
    rdv_plan *plan = NULL;
    int rc = feed->next(feed->payload, &plan, err);
    *work = plan;
    return rc;
}

static int plan_done(void *payload, void *work, rdv_error *err)
{
    const rdv_plan_feed *feed = payload;
    return feed->done(feed->payload, work, err);
}

int rdv_run_plans(rdv_run *run, const rdv_plan_feed *feed, rdv_error *err)
{
    rdv_plan_feed plans = *feed;
    work_feed works = {&plan_work_ops, next_plan, plan_done, &plans};
    return run_works(run, &works, err);
}
