/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the calls of a plan without sending any: the plan is driven with dry replies, or with
 * replies from a journal. */
#include <rederive/run.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "run/journal/journal.h"

#define BYTES_A_TOKEN 4 /* the usual estimate */

typedef struct estimate {
    rdv_plan *plan;
    rdv_journal *journal;
    rdv_bound bound;
    rdv_arena *arena, *scratch;
    rdv_map counted; /* keys of reported requests: another request with the same key shares the
                        reply */
    const rdv_estimate_calls *calls;
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
    e->calls->call(e->calls->payload, request, bytes_asked(request) / BYTES_A_TOKEN,
                   tokens_of(e, request, reply));
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

static int drive(estimate *e, rdv_error *err)
{
    rdv_request request;
    uint64_t id;
    int r = RDV_OK;
    while (r == RDV_OK && !rdv_plan_done(e->plan)) {
        r = rdv_plan_next(e->plan, &request, err);
        if (r == RDV_OK)
            r = answer(e, &request, err);
        while (rdv_plan_cancelled(e->plan, &id) == RDV_OK)
            continue; /* nothing is in flight */
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
    int r = e.arena && e.scratch ? RDV_OK : rdv_no_memory(err);
    if (r == RDV_OK)
        rdv_map_init(&e.counted, e.arena);
    if (r == RDV_OK)
        r = drive(&e, err);
    rdv_arena_free(&e.arena);
    rdv_arena_free(&e.scratch);
    return r;
}
