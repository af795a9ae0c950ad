/* SPDX-License-Identifier: Apache-2.0 */
#include "feed.h"

#include "base/arena.h"
#include "base/str.h"

/* ---- the queue ------------------------------------------------------------------------------- */

static struct item *new_item(rdv_error *err)
{
    rdv_arena *arena = rdv_arena_new(0);
    struct item *item = arena ? RDV_NEW(arena, struct item) : NULL;
    if (!item) {
        rdv_arena_free(&arena);
        rdv_no_memory(err);
        return NULL;
    }
    item->arena = arena;
    return item;
}

static void free_item(struct item *item)
{
    rdv_arena *arena = item->arena; /* the item lives in it */
    rdv_plan_free(&item->plan);
    rdv_arena_free(&arena);
}

static void push(struct feed *feed, struct item *item)
{
    if (feed->last)
        feed->last->next = item;
    else
        feed->first = item;
    feed->last = item;
}

static void pop(struct feed *feed)
{
    struct item *item = feed->first;
    feed->first = item->next;
    if (!feed->first)
        feed->last = NULL;
    free_item(item);
}

/* Write what stands at the head of the queue and has no plan to wait for. */
static void write_failed(struct feed *feed)
{
    while (feed->first && !feed->first->plan) {
        run_write(feed->run, feed->first->line);
        pop(feed);
    }
}

/* ---- records in ------------------------------------------------------------------------------ */

/* Read one record and make its plan. RDV_E_INPUT: it failed, and item->line stands for it. */
static int fill(struct feed *feed, struct item *item, rdv_error *err)
{
    struct run *run = feed->run;
    int code = run_read(run, item->arena, &item->record, err);
    if (code == RDV_E_INPUT && run->errors_in_output &&
        rdv_error_write(rdv_str_of(err->msg), item->arena, &item->line, NULL) != RDV_OK)
        return RDV_E_NOMEM;
    if (code != RDV_OK)
        return code;
    code = feed->begin(feed, item, err);
    if (code == RDV_OK || code == RDV_E_NOMEM)
        return code;
    run_fail_record(run, &item->record, err, item->arena, &item->line);
    return RDV_E_INPUT;
}

static int next(void *payload, rdv_plan **plan, rdv_error *err)
{
    struct feed *feed = payload;
    if (feed->first && run_would_wait(feed->run))
        return RDV_LATER; /* the plans that are open go on meanwhile */
    for (;;) {
        rdv_error why = {0};
        struct item *item = new_item(err);
        if (!item)
            return RDV_E_NOMEM;
        int code = fill(feed, item, &why);
        if (code == RDV_OK || code == RDV_E_INPUT) {
            push(feed, item);
            write_failed(feed);
        }
        if (code == RDV_OK) {
            feed->plans++;
            *plan = item->plan;
            return RDV_OK;
        }
        if (code == RDV_E_INPUT)
            continue;
        free_item(item);
        feed->asking->expected = feed->plans;
        return code == RDV_NONE ? RDV_NONE : rdv_fail(err, code, "%s", why.msg);
    }
}

/* ---- plans out ------------------------------------------------------------------------------- */

/* Is the next plan that comes back done already? Then it comes back at once. */
static bool more_is_done(const struct feed *feed)
{
    return feed->first && rdv_plan_done(feed->first->plan);
}

static int done(void *payload, rdv_plan *plan, rdv_error *err)
{
    struct feed *feed = payload;
    struct run *run = feed->run;
    struct item *item = feed->first; /* plans come back in the order in which they went */
    rdv_error why = {0};
    rdv_str line;
    feed->unfinished += rdv_plan_partial(plan);
    int code = feed->finish(feed, item, &why);
    if (code == RDV_E_NOMEM) {
        rdv_fail(err, code, "%s", why.msg);
    } else if (code != RDV_OK) {
        run_fail_record(run, &item->record, &why, item->arena, &line);
        run_write(run, line);
        code = RDV_OK;
    }
    pop(feed);
    write_failed(feed);
    if (!more_is_done(feed) && output_flush(&run->output, &why) < 0)
        run_stop(run, NOTHING_DONE, &why);
    if (run_cannot_write(run))
        rdv_run_stop(feed->asking->run);
    return code;
}

void feed_run(struct feed *feed)
{
    rdv_error err = {0};
    rdv_plan_feed plans = {.next = next, .done = done, .payload = feed};
    if (asking_plans(feed->asking, &plans, &err) != RDV_OK)
        run_stop(feed->run, NOTHING_DONE, &err);
    asking_conclude(feed->asking, feed->run);
    while (feed->first)
        pop(feed);
}
