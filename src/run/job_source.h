/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A job source: what the driver takes requests from. rdv_plan is one (run/plan_source.c); tests
 * have simpler ones. The functions mean the same as those of rdv_plan. */
#include <rederive/run.h>

typedef struct job_source_ops {
    int (*next)(void *source, rdv_request *request, rdv_error *err);
    int (*reply)(void *source, uint64_t id, const rdv_reply *reply, rdv_error *err);
    int (*fail)(void *source, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err);
    int (*cancelled)(void *source, uint64_t *id);
    bool (*done)(const void *source);
    int (*close)(void *source, rdv_failure failure, rdv_error *err);
} job_source_ops;

/* As rdv_plan_source. */
typedef struct job_stream {
    const job_source_ops *ops;
    int (*next)(void *payload, void **source, rdv_error *err);
    int (*done)(void *payload, void *source, rdv_error *err);
    void *payload;
} job_stream;

/* As rdv_run_plans(). */
int run_job_sources(rdv_run *run, const job_stream *jobs, rdv_error *err);
