/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the driver drives: something that asks. rdv_plan is one (run/plan_work.c); tests have
 * simpler ones. The functions mean what those of rdv_plan mean. */
#include <rederive/run.h>

typedef struct work_ops {
    int (*next)(void *work, rdv_request *request, rdv_error *err);
    int (*reply)(void *work, uint64_t id, const rdv_reply *reply, rdv_error *err);
    int (*fail)(void *work, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err);
    int (*cancelled)(void *work, uint64_t *id);
    bool (*done)(const void *work);
    int (*close)(void *work, rdv_failure failure, rdv_error *err);
    int (*dry_reply)(const void *work, const rdv_request *request, rdv_arena *arena,
                     rdv_reply *reply, rdv_error *err);
} work_ops;

/* As rdv_plan_feed. */
typedef struct work_feed {
    const work_ops *ops;
    int (*next)(void *payload, void **work, rdv_error *err);
    int (*done)(void *payload, void *work, rdv_error *err);
    void *payload;
} work_feed;

/* As rdv_run_plans(). */
int run_works(rdv_run *run, const work_feed *feed, rdv_error *err);
