/* SPDX-License-Identifier: Apache-2.0 */
#include "server/step_draw.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

struct step_draw {
    loop_job job; /* the first member */
    rdv_arena *arena;
    model_run *run;
    rdv_str question;
    rdv_str *kept, *rejected;
    size_t n_kept, cap_kept, n_rejected, cap_rejected;
    size_t n_draws;
    rdv_plan *plan; /* of the last draw, or NULL */
    next_step drawn;
};

static void release(loop_job *job)
{
    step_draw *d = (step_draw *)job;
    rdv_plan_free(&d->plan);
    model_run_free(&d->run);
    rdv_arena_free(&d->arena);
    free(d);
}

static void stop(loop_job *job)
{
    model_run_stop(((step_draw *)job)->run);
}

/* ---- on the thread --------------------------------------------------------------------------- */

static rdv_str why_none(const step_draw *d)
{
    rdv_str why = model_run_why(d->run, MODEL_RUN_REPAIR);
    return why.p ? why : RDV_STR("the model gave no step that could be read");
}

static int draw(step_draw *d, rdv_error *err)
{
    rdv_plan_options options = model_run_plan(d->run);
    next_step_from from = {
        .question = {.id = RDV_STR("reply"), .text = d->question},
        .kept = d->kept,
        .n_kept = d->n_kept,
        .rejected = d->rejected,
        .n_rejected = d->n_rejected,
        .sample = rdv_str_printf(d->arena, "draw %zu", d->n_draws)};
    rdv_plan_free(&d->plan);
    int rc = from.sample.p ? next_step_plan(&from, &options, &d->plan, &d->drawn, err)
                           : rdv_no_memory(err);
    return rc == RDV_OK ? model_run_answer(d->run, d->plan, err) : rc;
}

static void run(loop_job *job)
{
    step_draw *d = (step_draw *)job;
    d->drawn = (next_step){0};
    rdv_error err; /* which may name the model's servers */
    if (draw(d, &err) != RDV_OK)
        d->drawn = (next_step){.why = RDV_STR("the model could not be asked for the repair")};
    else if (!d->drawn.text.p && !d->drawn.n_samples)
        d->drawn.why = why_none(d);
}

/* ---- on the loop's --------------------------------------------------------------------------- */

step_draw *step_draw_new(const model_run_options *model, rdv_str question)
{
    step_draw *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->job = (loop_job){.run = run, .release = release, .stop = stop};
    d->arena = rdv_arena_new(0);
    d->run = model_run_new(model);
    d->question = d->arena ? rdv_str_copy(d->arena, question) : (rdv_str){0};
    if (!d->run || !d->question.p)
        step_draw_free(&d);
    return d;
}

void step_draw_free(step_draw **handle)
{
    step_draw *d = handle ? *handle : NULL;
    if (!d)
        return;
    *handle = NULL;
    loop_job_free(&d->job);
}

bool step_draw_keep(step_draw *d, rdv_str step)
{
    d->n_rejected = 0;
    if (!RDV_PUSH_ROOM(d->arena, d->kept, d->n_kept, d->cap_kept))
        return false;
    d->kept[d->n_kept] = rdv_str_copy(d->arena, step);
    return d->kept[d->n_kept++].p;
}

bool step_draw_reject(step_draw *d, rdv_str step)
{
    if (!RDV_PUSH_ROOM(d->arena, d->rejected, d->n_rejected, d->cap_rejected))
        return false;
    d->rejected[d->n_rejected] = rdv_str_copy(d->arena, step);
    return d->rejected[d->n_rejected++].p;
}

bool step_draw_start(step_draw *d, loop_threads *threads, void (*done)(void *payload),
                     void *payload)
{
    d->n_draws++;
    d->drawn = (next_step){.why = RDV_STR("no thread could be started for the repair")};
    return loop_threads_start(threads, &d->job, done, payload);
}

bool step_draw_is_done(const step_draw *d)
{
    return d->job.ended;
}

const next_step *step_draw_result(const step_draw *d)
{
    return &d->drawn;
}

bool step_draw_count(const step_draw *d, model_run_used *used)
{
    bool known = loop_job_is_idle(&d->job);
    *used = known ? model_run_count(d->run) : (model_run_used){0};
    return known;
}
