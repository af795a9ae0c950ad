/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/schedule.h"
#include "base/arena.h"

#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

void schedule_list_add(job_list *list, job *j)
{
    job *before = list->last;
    while (before && before->id > j->id)
        before = before->before;
    j->before = before;
    j->after = before ? before->after : list->first;
    *(before ? &before->after : &list->first) = j;
    *(j->after ? &j->after->before : &list->last) = j;
    list->n++;
}

static void remove_job(job_list *list, job *j)
{
    *(j->before ? &j->before->after : &list->first) = j->after;
    *(j->after ? &j->after->before : &list->last) = j->before;
    list->n--;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static size_t blocks_for(size_t tokens)
{
    return (tokens + LM_BLOCK - 1) / LM_BLOCK;
}

static uint64_t parent_of(const schedule *s, const job *j, size_t block)
{
    return block ? s->cache.blocks[j->blocks[block - 1]].serial : 0;
}

static void give_back(schedule *s, job *j)
{
    while (j->n_blocks >
           0) /* in reverse order, so that blocks that others may share are kept longest */
        cache_drop(&s->cache, j->blocks[--j->n_blocks]);
    j->computed = j->settled = 0;
}

static void append(schedule *s, job *j, uint32_t block)
{
    j->data[j->n_blocks] = cache_data(&s->cache, block);
    j->blocks[j->n_blocks++] = block;
}

/* Take over what others have computed of this job's tokens, as far as their logits are not wanted.
 * False: the next block is being computed in this step, so that waiting for it is best. */
static bool adopt(schedule *s, job *j)
{
    while (j->computed % LM_BLOCK == 0 && j->computed + LM_BLOCK <= j->need &&
           j->n_blocks == j->computed / LM_BLOCK) {
        const uint32_t *tokens = j->tokens + j->computed;
        uint32_t block = cache_find(&s->cache, parent_of(s, j, j->n_blocks), tokens);
        if (block == CACHE_NONE)
            return true;
        if (s->cache.blocks[block].ready_after == s->step)
            return false;
        cache_take(&s->cache, block);
        append(s, j, block);
        j->settled++;
        j->computed += LM_BLOCK;
        j->cached += LM_BLOCK;
        s->cached_tokens += LM_BLOCK;
    }
    return true;
}

/* Room for the tokens before `end`. False: every block is in use. */
static bool make_room(schedule *s, job *j, size_t end)
{
    while (j->n_blocks < blocks_for(end)) {
        uint32_t block = cache_new(&s->cache);
        if (block == CACHE_NONE)
            return false;
        append(s, j, block);
    }
    return true;
}

static void add_rows(schedule *s, job *j, size_t n)
{
    j->first_row = s->n_rows;
    j->n_rows = n;
    for (size_t i = 0; i < n; i++) {
        size_t at = j->computed + i;
        s->rows[s->n_rows++] = (lm_row){j->tokens[at], (uint32_t)at, j->data};
    }
    for (size_t b = j->settled; b < (j->computed + n) / LM_BLOCK; b++) {
        uint64_t parent = parent_of(s, j, b);
        if (b > 0 && parent == 0)
            break; /* the block before has no name yet */
        cache_promise(&s->cache, j->blocks[b], parent, j->tokens + b * LM_BLOCK, s->step);
    }
}

/* ---- who runs -------------------------------------------------------------------------------- */

static bool admit_one(schedule *s, job *j)
{
    if (!j->blocks) {
        size_t n = blocks_for(j->most_tokens);
        j->blocks = rdv_alloc(j->arena, n * sizeof *j->blocks);
        j->data = rdv_alloc(j->arena, n * sizeof *j->data);
        if (!j->blocks || !j->data)
            return false;
    }
    remove_job(&s->waiting, j);
    schedule_list_add(&s->running, j);
    j->state = JOB_RUNNING;
    return true;
}

/* The jobs that have waited longest start, as long as there is a free place, and room for their
 * tokens and for the next token of every other job. */
static int admit(schedule *s, rdv_error *err)
{
    while (s->waiting.first && s->running.n < s->sequences) {
        job *j = s->waiting.first;
        size_t room = s->cache.n_blocks - s->cache.n_used;
        if (s->running.n > 0 && room < blocks_for(job_goal(j)) + s->running.n + 1)
            return RDV_OK;
        if (!admit_one(s, j))
            return rdv_no_memory(err);
    }
    return RDV_OK;
}

/* The newest job is restarted later, with the text that it has generated, because its blocks are
 * needed. */
static void send_back(schedule *s)
{
    job *j = s->running.last;
    s->recomputed_tokens += j->computed;
    give_back(s, j);
    remove_job(&s->running, j);
    schedule_list_add(&s->waiting, j);
    j->state = JOB_WAITING;
}

void schedule_remove(schedule *s, job *j)
{
    if (j->state == JOB_WAITING) {
        remove_job(&s->waiting, j);
        return;
    }
    give_back(s, j);
    remove_job(&s->running, j);
}

/* ---- what is computed ------------------------------------------------------------------------ */

static bool is_generating(const job *j)
{
    return job_goal(j) - j->computed == 1 && j->computed >= j->n_prompt;
}

/* One token of each job that is generating, the oldest first. */
static void add_generating(schedule *s)
{
    for (job *j = s->running.first, *after; j; j = after) {
        bool here = is_generating(j);
        while (here && !make_room(s, j, j->computed + 1)) {
            here = s->running.last != j;
            send_back(s);
        }
        after = here || j->state == JOB_RUNNING ? j->after : NULL;
        if (here)
            add_rows(s, j, 1);
    }
}

/* As many of the tokens that are left as there is room for; except for the last of them whole
 * blocks, so that what is shared ends where a step does. */
static void add_prompt(schedule *s, job *j, size_t *budget)
{
    size_t left = job_goal(j) - j->computed, n = left;
    if (n > *budget)
        n = (j->computed + *budget) / LM_BLOCK * LM_BLOCK - j->computed;
    if (n > left) /* the budget does not reach the end of a block */
        return;
    while (n > 0 && !make_room(s, j, j->computed + n)) {
        size_t end = j->n_blocks * LM_BLOCK;
        n = end > j->computed && end - j->computed < n ? end - j->computed : 0;
    }
    if (n > 0)
        add_rows(s, j, n);
    *budget -= n;
}

static void add_prompts(schedule *s)
{
    size_t budget = s->chunk;
    for (job *j = s->running.first; j && budget > 0; j = j->after)
        if (j->n_rows == 0 && adopt(s, j))
            add_prompt(s, j, &budget);
}

static void clear(schedule *s)
{
    s->n_rows = 0;
    for (job *j = s->running.first; j; j = j->after)
        j->n_rows = 0;
}

int schedule_batch(schedule *s, rdv_error *err)
{
    s->step++;
    clear(s);
    int rc = admit(s, err);
    if (rc)
        return rc;
    add_generating(s);
    add_prompts(s);
    while (s->n_rows == 0 && s->running.n > 1) { /* they hold all blocks, and none can go on */
        send_back(s);
        add_prompts(s);
    }
    if (s->n_rows == 0 && s->running.n > 0)
        return rdv_fail(err, RDV_E_INTERNAL, "no job can go on");
    return RDV_OK;
}

void schedule_settle(schedule *s)
{
    for (job *j = s->running.first; j; j = j->after) {
        if (j->n_rows && j->computed < j->n_prompt)
            s->prompt_tokens += j->n_rows;
        j->computed += j->n_rows;
        for (; j->settled < j->computed / LM_BLOCK; j->settled++) {
            size_t b = j->settled;
            j->blocks[b] =
                cache_settle(&s->cache, j->blocks[b], parent_of(s, j, b), j->tokens + b * LM_BLOCK);
            j->data[b] = cache_data(&s->cache, j->blocks[b]);
        }
    }
}
