/* SPDX-License-Identifier: Apache-2.0 */
#include "record_pool.h"

#include "base/arena.h"
#include "base/ordered_pool.h"
#include "base/str.h"

#include <rederive/math.h>

#include <stdlib.h>

#define SLOTS_A_THREAD 16                   /* records that are read ahead of the oldest */
#define BYTES_A_THREAD ((size_t)256 * 1024) /* of them, at most, unless one alone is longer */

struct record_pool {
    struct run *run;
    struct record_work work;
    ordered_pool *pool;
    size_t threads, n_slots;
    struct pooled *slots;
    rdv_reader **readers; /* one for each thread, */
    rdv_reader *several;  /* and one for records of several chains */
    size_t bytes;         /* of all records in the pool */
};

/* ---- one record ------------------------------------------------------------------------------ */

static void work_on(const struct record_pool *p, struct pooled *item)
{
    if (p->work.work)
        item->code = p->work.work(p->work.payload, item, &item->err);
}

/* Any thread: read the record, if it was only cut, and work on it. */
static void work_in_slot(void *payload, size_t slot, size_t worker)
{
    const struct record_pool *p = payload;
    struct pooled *item = &p->slots[slot];
    if (item->empty || item->unread)
        return;
    if (item->from.is_cut) {
        int code = rdv_cut_read(p->readers[worker], run_reader_of(&item->from), &item->from.cut,
                                item->arena, &item->record, &item->notes, &item->err);
        item->several = code == RDV_NONE;
        item->unread = code < 0;
        if (code != RDV_OK)
            return;
    }
    work_on(p, item);
}

/* ---- in the order of the input --------------------------------------------------------------- */

static void write_unread(struct record_pool *p, struct pooled *item)
{
    rdv_str line;
    if (p->run->errors_in_output &&
        rdv_error_write(rdv_str_of(item->err.msg), item->arena, &line, NULL) == RDV_OK)
        run_write(p->run, line);
}

static void finish(struct record_pool *p, struct pooled *item)
{
    p->run->records++;
    p->work.finish(p->work.payload, item);
}

/* Read a record that may give several chains or none, and finish each of them. */
static void finish_several(struct record_pool *p, const struct pooled *of)
{
    struct pooled item = {.arena = rdv_arena_new(0), .path = of->path};
    int begun = item.arena
                    ? rdv_cut_begin(p->several, run_reader_of(&of->from), &of->from.cut, &item.err)
                    : rdv_no_memory(&item.err);
    int code = begun;
    while (code != RDV_NONE && !run_stopped(p->run)) {
        rdv_arena_reset(item.arena);
        item.made = NULL;
        if (begun == RDV_OK)
            code = rdv_cut_next(p->several, item.arena, &item.record, &item.err);
        if (code == RDV_OK) {
            work_on(p, &item);
            finish(p, &item);
        } else if (code < 0) {
            run_fail_unread(p->run, &item.err);
            write_unread(p, &item);
        }
        if (code < 0 && (begun != RDV_OK || (code != RDV_E_INPUT && code != RDV_E_LIMIT)))
            break;
    }
    rdv_arena_free(&item.arena);
}

static void conclude(struct record_pool *p, struct pooled *item)
{
    struct run *run = p->run;
    const char *path = run->path;
    run->path = item->path;
    run_tell_held(run, &item->held);
    if (item->notes.first)
        rdv_reader_tell(run_reader_of(&item->from), &item->notes);
    if (item->unread && item->from.is_cut)
        run_fail_unread(run, &item->err);
    if (item->unread)
        write_unread(p, item);
    else if (item->several)
        finish_several(p, item);
    else if (!item->empty && !run_stopped(run))
        finish(p, item);
    run_end_cut(&item->from);
    run->path = path;
}

/* Conclude the oldest record. false: there is none, or it is not done and `wait` is false. */
static bool conclude_oldest(struct record_pool *p, bool wait)
{
    size_t slot = ordered_pool_oldest(p->pool, wait);
    if (slot == ORDERED_POOL_NONE || run_stopped(p->run))
        return false;
    /* What is told now is not part of what is being read. */
    struct held *held = p->run->held;
    p->run->held = NULL;
    conclude(p, &p->slots[slot]);
    p->run->held = held;
    p->bytes -= p->slots[slot].bytes;
    ordered_pool_take(p->pool);
    return true;
}

static void conclude_all(void *payload)
{
    while (conclude_oldest(payload, true))
        ;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_full(const struct record_pool *p)
{
    return ordered_pool_free_slot(p->pool) == ORDERED_POOL_NONE ||
           p->bytes > p->threads * BYTES_A_THREAD;
}

/* Read the next record into the free slot, and give it to the pool. false: there is none. */
static bool read_next(struct record_pool *p)
{
    struct pooled *item = &p->slots[ordered_pool_free_slot(p->pool)];
    rdv_arena *arena = item->arena;
    rdv_arena_reset(arena);
    *item = (struct pooled){.arena = arena, .held = {.arena = arena}};
    int code = run_cut(p->run, &item->held, arena, &item->record, &item->from, &item->err);
    item->path = p->run->path;
    item->empty = code == RDV_NONE;
    item->unread = code < 0;
    item->bytes = item->from.is_cut ? item->from.cut.span.text.len : item->record.chain.raw.len;
    p->bytes += item->bytes;
    ordered_pool_give(p->pool);
    return code != RDV_NONE;
}

static void read_all(struct record_pool *p)
{
    bool more = true;
    while (more && !run_stopped(p->run)) {
        while (conclude_oldest(p, false))
            ;
        if (is_full(p)) {
            conclude_oldest(p, true);
            continue;
        }
        run_tell_records(p->run);
        more = read_next(p);
    }
    conclude_all(p);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static int begin(struct record_pool *p)
{
    rdv_arena *keep = p->run->keep;
    p->threads = run_threads(p->run->settings);
    p->n_slots = p->threads > 1 ? SLOTS_A_THREAD * p->threads : 1;
    p->slots = RDV_NEW_ARRAY(keep, struct pooled, p->n_slots);
    p->readers = RDV_NEW_ARRAY(keep, rdv_reader *, p->threads);
    if (!p->slots || !p->readers)
        return RDV_E_NOMEM;
    int code = rdv_cut_reader_new(&p->several);
    for (size_t i = 0; code == RDV_OK && i < p->threads; i++)
        code = rdv_cut_reader_new(&p->readers[i]);
    for (size_t i = 0; code == RDV_OK && i < p->n_slots; i++)
        code = (p->slots[i].arena = rdv_arena_new(0)) ? RDV_OK : RDV_E_NOMEM;
    if (code != RDV_OK)
        return code;
    ordered_pool_options options = {.threads = p->threads,
                                    .slots = p->n_slots,
                                    .work = work_in_slot,
                                    .at_end = rdv_math_thread_end,
                                    .payload = p};
    return ordered_pool_new(&options, &p->pool);
}

static void end(struct record_pool *p)
{
    ordered_pool_free(&p->pool);
    rdv_math_thread_end(); /* this thread works too */
    for (size_t i = 0; p->readers && i < p->threads; i++)
        rdv_reader_close(&p->readers[i]);
    rdv_reader_close(&p->several);
    for (size_t i = 0; p->slots && i < p->n_slots; i++) {
        run_end_cut(&p->slots[i].from);
        rdv_arena_free(&p->slots[i].arena);
    }
}

void record_pool_run(struct run *run, const struct record_work *work)
{
    struct record_pool p = {.run = run, .work = *work};
    rdv_error err = {0};
    if (begin(&p) == RDV_OK) {
        run->before_wait = conclude_all;
        run->payload = &p;
        read_all(&p);
        run->before_wait = NULL;
    } else {
        run_stop(run, NOTHING_DONE, (rdv_no_memory(&err), &err));
    }
    end(&p);
}
