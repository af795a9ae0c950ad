/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/plans.h"
#include "binding/command.h"

#include "host.h"

#include <rederive/run.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A plan from its source until it is handed back. */
struct open_plan {
    rdv_plan *plan;
    uint64_t number;
    bool waits; /* it has no request before a reply comes */
};

struct binding_plans {
    binding_command *command;
    size_t most;
    /* Guarded by `lock`; each change is told by `changed`. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const rdv_plan_source *source; /* set while the command's thread stands still */
    const struct host *host;       /* of that thread */
    bool over, ended;
    int code; /* with which its work ends */
    rdv_error err;
    /* The caller's. */
    bool started;
    struct open_plan *open; /* n of them, by rising number; room for `most` */
    size_t n;
    uint64_t taken;
    bool no_more; /* the source has no further plan */
};

/* ---- on the command's thread ----------------------------------------------------------------- */

static int stand_still(void *payload, const rdv_plan_source *source, rdv_error *err)
{
    binding_plans *p = payload;
    pthread_mutex_lock(&p->lock);
    p->source = source;
    p->host = host;
    pthread_cond_broadcast(&p->changed);
    while (!p->over)
        pthread_cond_wait(&p->changed, &p->lock);
    p->source = NULL;
    if (p->code < 0 && err)
        *err = p->err;
    pthread_mutex_unlock(&p->lock);
    return p->code < 0 ? p->code : RDV_OK;
}

static void has_ended(void *payload)
{
    binding_plans *p = payload;
    pthread_mutex_lock(&p->lock);
    p->ended = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

binding_plans *binding_plans_new(binding_command *command, size_t most)
{
    binding_plans *p = calloc(1, sizeof *p);
    if (!p || !(p->open = calloc(most ? most : 1, sizeof *p->open))) {
        free(p);
        binding_command_free(command);
        return NULL;
    }
    p->command = command;
    p->most = most ? most : 1;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    binding_command_drive(
        command, &(struct binding_driver){.payload = p, .plans = stand_still, .ended = has_ended});
    return p;
}

int binding_plans_begin(binding_plans *p)
{
    if (!binding_command_start(p->command))
        return RDV_E_NOMEM;
    p->started = true;
    pthread_mutex_lock(&p->lock);
    while (!p->source && !p->ended)
        pthread_cond_wait(&p->changed, &p->lock);
    int code = p->source ? RDV_OK : RDV_NONE;
    pthread_mutex_unlock(&p->lock);
    return code;
}

void binding_plans_end(binding_plans *p)
{
    if (!p->started)
        return;
    (void)binding_plans_close(p, RDV_FAIL_CANCELLED, NULL); /* what is still open, if anything */
    pthread_mutex_lock(&p->lock);
    p->over = true;
    pthread_cond_broadcast(&p->changed);
    while (!p->ended)
        pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

binding_command *binding_plans_command(binding_plans *p)
{
    return p->command;
}

void binding_plans_free(binding_plans *p)
{
    if (!p)
        return;
    binding_plans_end(p);
    binding_command_free(p->command);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p->open);
    free(p);
}

/* ---- on the caller's thread, in the command's place ------------------------------------------ */

/* The work ends with this fault, which the command reports. */
static int broken(binding_plans *p, int code, const rdv_error *err)
{
    if (code < 0 && p->code >= 0) {
        p->code = code;
        p->err = *err;
        p->no_more = true;
    }
    return code;
}

static int give_back(binding_plans *p, rdv_error *err)
{
    int code = RDV_OK;
    size_t n = 0;
    const struct host *before = host;
    host = p->host;
    while (code == RDV_OK && n < p->n && rdv_plan_done(p->open[n].plan))
        code = p->source->done(p->source->payload, p->open[n++].plan, err);
    host = before;
    p->n -= n;
    memmove(p->open, p->open + n, p->n * sizeof *p->open);
    return broken(p, code, err);
}

/* Take one more plan. RDV_NONE: there is none, or no room. */
static int take_plan(binding_plans *p, rdv_error *err)
{
    rdv_plan *plan;
    if (p->no_more || p->n == p->most)
        return RDV_NONE;
    const struct host *before = host;
    binding_thread_begin();
    host = p->host;
    int code = p->source->next(p->source->payload, &plan, err);
    host = before;
    if (code == RDV_OK)
        p->open[p->n++] = (struct open_plan){.plan = plan, .number = p->taken++};
    else
        p->no_more = true; /* the input is complete, so there is no RDV_LATER */
    return broken(p, code, err);
}

static int next_of(struct open_plan *o, rdv_request *request, rdv_error *err)
{
    int code = o->waits ? RDV_NONE : rdv_plan_next(o->plan, request, err);
    o->waits = code == RDV_NONE;
    return code;
}

int binding_plans_next(binding_plans *p, uint64_t *plan, rdv_request *request, rdv_error *err)
{
    rdv_error why = {0};
    err = err ? err : &why;
    if (!p->source || p->code < 0)
        return p->code < 0 ? rdv_fail(err, p->code, "%s", p->err.msg) : RDV_NONE;
    for (;;) {
        int code = give_back(p, err);
        for (size_t i = 0; code == RDV_OK && i < p->n; i++) {
            code = next_of(&p->open[i], request, err);
            *plan = p->open[i].number;
            if (code != RDV_NONE)
                return broken(p, code, err);
            code = RDV_OK;
        }
        if (code == RDV_OK)
            code = take_plan(p, err);
        /* a plan that needed no request is done by now, and makes room */
        if (code < 0 || (code == RDV_NONE && !(p->n && rdv_plan_done(p->open[0].plan))))
            return code;
    }
}

/* Hand back what is done, and find out whether anything is left. */
static int settle(binding_plans *p, rdv_error *err)
{
    int code = give_back(p, err);
    while (code == RDV_OK && p->n == 0) {
        code = take_plan(p, err);
        if (code == RDV_OK && rdv_plan_done(p->open[0].plan))
            code = give_back(p, err);
        else
            break;
    }
    return code == RDV_NONE ? RDV_OK : code;
}

int binding_plans_settle(binding_plans *p, rdv_error *err)
{
    rdv_error why = {0};
    if (!p->source || p->code < 0)
        return RDV_OK;
    return settle(p, err ? err : &why);
}

static struct open_plan *find(const binding_plans *p, uint64_t number)
{
    size_t from = 0, to = p->n;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (p->open[middle].number < number)
            from = middle + 1;
        else
            to = middle;
    }
    return from < p->n && p->open[from].number == number ? &p->open[from] : NULL;
}

int binding_plans_reply(binding_plans *p, uint64_t plan, uint64_t id, const rdv_reply *reply,
                        rdv_error *err)
{
    struct open_plan *o = find(p, plan);
    if (!o)
        return RDV_NONE;
    o->waits = false;
    int code = rdv_plan_reply(o->plan, id, reply, err);
    return code == RDV_E_ARGUMENT ? code : broken(p, code, err);
}

int binding_plans_fail(binding_plans *p, uint64_t plan, uint64_t id, rdv_failure failure,
                       const char *why, size_t n, rdv_error *err)
{
    struct open_plan *o = find(p, plan);
    if (!o)
        return RDV_NONE;
    o->waits = false;
    int code = rdv_plan_fail(o->plan, id, failure, (rdv_str){why, n}, err);
    return code == RDV_E_ARGUMENT ? code : broken(p, code, err);
}

int binding_plans_cancelled(binding_plans *p, uint64_t plan, uint64_t *id)
{
    struct open_plan *o = find(p, plan);
    return o ? rdv_plan_cancelled(o->plan, id) : RDV_NONE;
}

int binding_plans_close(binding_plans *p, rdv_failure failure, rdv_error *err)
{
    rdv_error why = {0};
    int code = RDV_OK;
    err = err ? err : &why;
    p->no_more = true;
    if (!p->source)
        return RDV_OK;
    for (size_t i = 0; code == RDV_OK && i < p->n; i++)
        code = rdv_plan_close(p->open[i].plan, failure, err);
    return code == RDV_OK ? give_back(p, err) : broken(p, code, err);
}

bool binding_plans_done(const binding_plans *p)
{
    return !p->source || p->code < 0 || (p->no_more && p->n == 0);
}
