/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_source.h"
#include "input_size.h"

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

static void push(struct plan_source *source, struct item *item)
{
    if (source->last)
        source->last->next = item;
    else
        source->first = item;
    source->last = item;
}

static void pop(struct plan_source *source)
{
    struct item *item = source->first;
    source->first = item->next;
    if (!source->first)
        source->last = NULL;
    free_item(item);
}

/* Write the lines at the head of the queue that have no plan to wait for. */
static void write_failed(struct plan_source *source)
{
    while (source->first && !source->first->plan) {
        run_write(source->run, source->first->line);
        pop(source);
    }
}

/* ---- reading records ------------------------------------------------------------------------- */

/* RDV_E_INPUT: the record cannot be read, and item->line is its output. */
static int read_record(struct plan_source *source, struct item *item, rdv_error *err)
{
    struct run *run = source->run;
    int code = run_read(run, item->arena, &item->record, err);
    item->path = run->path;
    if (code == RDV_E_INPUT && run->errors_in_output &&
        rdv_error_write(rdv_str_of(err->msg), item->arena, &item->line, NULL) != RDV_OK)
        return RDV_E_NOMEM;
    return code;
}

static void drop_held(struct plan_source *source)
{
    if (source->held)
        free_item(source->held);
    source->held = NULL;
}

/* The item for the next plan of the held record. The record stays in the arena of the held item,
 * which is used for the last of its plans: items are freed in their order. */
static struct item *next_of_held(struct plan_source *source, rdv_error *err)
{
    struct item *held = source->held, *item = held;
    size_t repeat = source->held_next++;
    if (source->held_next < source->repeats) {
        item = new_item(err);
        if (!item)
            return NULL;
        item->record = held->record;
        item->path = held->path;
    } else {
        source->held = NULL;
    }
    item->repeat = repeat;
    return item;
}

/* The next item, with its record and no plan yet. RDV_E_INPUT: as read_record(). */
static int next_item(struct plan_source *source, struct item **out, rdv_error *err)
{
    if (source->held) {
        *out = next_of_held(source, err);
        return *out ? RDV_OK : RDV_E_NOMEM;
    }
    struct item *item = *out = new_item(err);
    if (!item)
        return RDV_E_NOMEM;
    int code = read_record(source, item, err);
    if (code != RDV_OK || source->repeats < 2)
        return code;
    source->held = item;
    source->held_next = 0;
    *out = next_of_held(source, err);
    return *out ? RDV_OK : RDV_E_NOMEM;
}

/* Make an item's plan. RDV_E_INPUT: it failed, and item->line is the record's output; where the
 * first plan of a record fails, the others are not tried. */
static int begin(struct plan_source *source, struct item *item, rdv_error *err)
{
    int code = source->begin(source, item, err);
    if (code == RDV_OK || code == RDV_E_NOMEM)
        return code;
    run_fail_record(source->run, &item->record, err, item->arena, &item->line);
    if (item->repeat == 0) /* else an earlier plan still needs the record */
        drop_held(source);
    return RDV_E_INPUT;
}

static int next(void *payload, rdv_plan **plan, rdv_error *err)
{
    struct plan_source *source = payload;
    if (source->first && !source->held && run_would_wait(source->run))
        return RDV_LATER; /* meanwhile the open plans continue */
    for (;;) {
        rdv_error why = {0};
        struct item *item;
        int code = next_item(source, &item, &why);
        if (!item)
            return rdv_fail(err, RDV_E_NOMEM, "%s", why.msg);
        if (code == RDV_OK)
            code = begin(source, item, &why);
        if (code == RDV_OK || code == RDV_E_INPUT) {
            push(source, item);
            write_failed(source);
        }
        if (code == RDV_OK) {
            source->plans++;
            *plan = item->plan;
            return RDV_OK;
        }
        if (code == RDV_E_INPUT)
            continue;
        free_item(item);
        source->session->expected = source->plans;
        return code == RDV_NONE ? RDV_NONE : rdv_fail(err, code, "%s", why.msg);
    }
}

/* ---- finishing plans ------------------------------------------------------------------------- */

/* Whether the next plan to be returned is already done; it then returns at once. */
static bool more_is_done(const struct plan_source *source)
{
    return source->first && rdv_plan_done(source->first->plan);
}

static int done(void *payload, rdv_plan *plan, rdv_error *err)
{
    struct plan_source *source = payload;
    struct run *run = source->run;
    struct item *item = source->first; /* plans return in the order in which they were given */
    rdv_error why = {0};
    rdv_str line;
    bool waits = rdv_plan_partial(plan) && source->session->options.mode == RDV_RUN_BATCH;
    source->unfinished += rdv_plan_partial(plan);
    source->session->waiting += waits;
    int code = RDV_OK;
    if (!rdv_plan_done(plan)) /* a fault kept it from being closed: it has no result */
        code = rdv_no_memory(&why);
    else if (!waits) /* one that waits for results is written by the round that completes it */
        code = source->finish(source, item, &why);
    if (code == RDV_E_NOMEM) {
        rdv_fail(err, code, "%s", why.msg);
    } else if (code != RDV_OK) {
        run_fail_record(run, &item->record, &why, item->arena, &line);
        run_write(run, line);
        code = RDV_OK;
    }
    pop(source);
    write_failed(source);
    if (!more_is_done(source) && output_flush(&run->output, &why) < 0)
        run_stop(run, NOTHING_DONE, &why);
    if (run_cannot_write(run))
        rdv_run_stop(source->session->run);
    return code;
}

void plan_source_run(struct plan_source *source)
{
    rdv_error err = {0};
    rdv_plan_source plans = {.next = next, .done = done, .payload = source};
    if (run_progress_ms(source->run))
        source->session->expected =
            input_records_of(source->run) * (source->repeats ? source->repeats : 1);
    if (session_plans(source->session, &plans, &err) != RDV_OK)
        run_stop(source->run, NOTHING_DONE, &err);
    session_conclude(source->session, source->run);
    while (source->first)
        pop(source);
    drop_held(source);
}
