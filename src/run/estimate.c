/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the calls of a plan without sending any: the plan is driven with dry replies, or with
 * replies from a journal. */
#include <rederive/run.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "plan/draws.h"
#include "plan/request.h"
#include "run/journal/journal.h"

#define BYTES_A_TOKEN 4 /* the usual estimate */

/* A request that was handed out and is not answered yet. */
typedef struct asked {
    rdv_request request;
    bool cancelled;
} asked;

typedef struct estimate {
    rdv_plan *plan;
    rdv_journal *journal;
    rdv_bound bound;
    rdv_arena *arena, *scratch;
    rdv_map counted; /* keys of reported requests: another request with the same key shares the
                        reply */
    const rdv_estimate_calls *calls;
    asked *asked; /* n_asked of them: those that a run may ask by one call, and the next one */
    size_t n_asked;
    bool joins; /* a call was reported for one of them */
} estimate;

static size_t bytes_asked(const rdv_request *request)
{
    size_t bytes = request->text.len;
    for (size_t i = 0; i < request->n_messages; i++)
        bytes += request->messages[i].text.len;
    for (size_t i = 0; i < request->n_steps; i++)
        bytes += request->steps[i].len;
    return bytes;
}

/* The length of a reply is at most what its request allows. */
static uint64_t tokens_of(const estimate *e, const rdv_request *request, const rdv_reply *reply)
{
    bool text = request->kind == RDV_REQUEST_CHAT || request->kind == RDV_REQUEST_CONTINUE;
    if (!text)
        return 0;
    return e->bound == RDV_BOUND_MOST && request->sampling.max_tokens
               ? request->sampling.max_tokens
               : reply->text.len / BYTES_A_TOKEN + 1;
}

/* Report the call, unless another request of the plan shares it. */
static int count(estimate *e, const rdv_request *request, const rdv_reply *reply, rdv_error *err)
{
    rdv_str key = rdv_str_copy(e->arena, (rdv_str){(const char *)request->key, 32});
    if (!key.p)
        return rdv_no_memory(err);
    if (rdv_map_get(&e->counted, key) != RDV_MAP_MISSING)
        return RDV_OK;
    if (rdv_map_put(&e->counted, key, 1) < 0)
        return rdv_no_memory(err);
    e->calls->call(e->calls->payload, request, e->joins, bytes_asked(request) / BYTES_A_TOKEN,
                   tokens_of(e, request, reply));
    e->joins = true;
    return RDV_OK;
}

static int answer(estimate *e, const rdv_request *request, rdv_error *err)
{
    rdv_reply reply;
    rdv_arena_reset(e->scratch);
    int r = e->journal ? journal_find(e->journal, request->key, e->scratch, &reply, err) : RDV_NONE;
    if (r == RDV_NONE) {
        r = rdv_plan_dry_reply(e->plan, request, e->scratch, &reply, err);
        if (r == RDV_OK)
            r = count(e, request, &reply, err);
    }
    return r == RDV_OK ? rdv_plan_reply(e->plan, request->id, &reply, err) : r;
}

static void take_cancelled(estimate *e)
{
    uint64_t id;
    while (rdv_plan_cancelled(e->plan, &id) == RDV_OK)
        for (size_t i = 0; i < e->n_asked; i++)
            e->asked[i].cancelled |= e->asked[i].request.id == id;
}

/* Take the next requests, as a run does: as many as differ in the sample alone, and one more.
 * *n: without that one. RDV_NONE: there is none. */
static int take(estimate *e, size_t *n, rdv_error *err)
{
    const rdv_request *first = &e->asked[0].request;
    int r = RDV_OK;
    *n = 0;
    for (;;) {
        if (*n == e->n_asked && (r = rdv_plan_next(e->plan, &e->asked[*n].request, err)) != RDV_OK)
            return r == RDV_NONE && *n ? RDV_OK : r;
        e->asked[*n].cancelled &= *n < e->n_asked;
        e->n_asked += *n == e->n_asked;
        if (*n && !request_same_but_sample(first, &e->asked[*n].request))
            return RDV_OK;
        if (++*n == REQUEST_MOST_DRAWS || !request_is_drawn(first))
            return RDV_OK;
    }
}

static int drive(estimate *e, rdv_error *err)
{
    int r = RDV_OK;
    while (r == RDV_OK && !rdv_plan_done(e->plan)) {
        size_t n;
        r = take(e, &n, err);
        e->joins = false;
        for (size_t i = 0; i < n && r == RDV_OK; i++) {
            if (!e->asked[i].cancelled)
                r = answer(e, &e->asked[i].request, err);
            take_cancelled(e);
        }
        if (r != RDV_OK)
            break;
        e->n_asked -= n;
        if (e->n_asked && e->asked[n].cancelled)
            e->n_asked = 0;
        if (e->n_asked)
            e->asked[0] = e->asked[n];
    }
    return r == RDV_NONE ? RDV_OK : r;
}

int rdv_plan_estimate(rdv_plan *plan, rdv_bound bound, rdv_journal *journal,
                      const rdv_estimate_calls *calls, rdv_error *err)
{
    estimate e = {.plan = plan,
                  .journal = journal,
                  .bound = bound,
                  .arena = rdv_arena_new(0),
                  .scratch = rdv_arena_new(0),
                  .calls = calls};
    if (e.arena)
        e.asked = RDV_NEW_ARRAY(e.arena, asked, REQUEST_MOST_DRAWS + 1);
    int r = e.asked && e.scratch ? RDV_OK : rdv_no_memory(err);
    if (r == RDV_OK)
        rdv_map_init(&e.counted, e.arena);
    if (r == RDV_OK)
        r = drive(&e, err);
    rdv_arena_free(&e.arena);
    rdv_arena_free(&e.scratch);
    return r;
}
