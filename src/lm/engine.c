/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs in, batches through the model, events out. */
#include "base/arena.h"
#include "base/str.h"
#include "lm/model.h"
#include "lm/schedule.h"

#include <math.h>
#include <sched.h>
#include <string.h>

#define THREADS_MOST 64
#define SEQUENCES 32
#define SEQUENCES_MOST 1024
#define CHUNK 256
#define CHUNK_MOST 4096
#define CACHE_BYTES ((uint64_t)256 << 20)

/* A place whose logits are used, to choose a token or to look one up. */
typedef struct place {
    job *job;
    size_t row, at;
    rdv_lm_token *out;
} place;

typedef struct worker_room {
    float *weights; /* vocab, rounded up */
    lm_candidate *candidates;
} worker_room;

struct rdv_lm_engine {
    rdv_arena *arena;
    const rdv_lm *lm;
    const lm_kernels *kernels;
    pool *pool;
    forward forward;
    schedule schedule;
    worker_room *rooms;
    place *places; /* room for each row of a batch */
    size_t n_places;
    job *announced, *last_announced; /* those that may have something to tell */
    job *told;                       /* whose last event was given: freed at the next call */
    uint64_t last_id;
    rdv_lm_stats stats;
    int failed;
};

/* ---- making ---------------------------------------------------------------------------------- */

static int check_options(const rdv_lm_options *o, rdv_error *err)
{
    if (o->threads > THREADS_MOST || o->sequences > SEQUENCES_MOST || o->chunk > CHUNK_MOST)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "an engine has at most %d threads, %d sequences and chunks of %d tokens",
                        THREADS_MOST, SEQUENCES_MOST, CHUNK_MOST);
    return RDV_OK;
}

static uint32_t processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int n = CPU_COUNT(&set);
    return n < 1 ? 1 : n > THREADS_MOST ? THREADS_MOST : (uint32_t)n;
}

static int init_cache(rdv_lm_engine *e, const rdv_lm_options *o, rdv_error *err)
{
    size_t floats = forward_block_floats(&e->lm->size);
    uint64_t bytes = o->cache_bytes ? o->cache_bytes : CACHE_BYTES;
    uint64_t n = bytes / (floats * sizeof(float)), least = e->lm->size.context / LM_BLOCK + 2;
    if (n < least)
        n = least;
    if (n > UINT32_MAX / 2)
        n = UINT32_MAX / 2;
    e->stats.cache_bytes = n * floats * sizeof(float);
    return cache_init(&e->schedule.cache, e->arena, (uint32_t)n, floats, o->forget, err);
}

static bool init_rooms(rdv_lm_engine *e, size_t rows)
{
    size_t threads = pool_threads(e->pool), n = e->lm->logits.rows;
    e->rooms = RDV_NEW_ARRAY(e->arena, worker_room, threads);
    e->places = RDV_NEW_ARRAY(e->arena, place, rows);
    e->schedule.rows = RDV_NEW_ARRAY(e->arena, lm_row, rows);
    if (!e->rooms || !e->places || !e->schedule.rows)
        return false;
    for (size_t i = 0; i < threads; i++) {
        e->rooms[i].weights = lm_aligned(e->arena, n, sizeof(float));
        e->rooms[i].candidates = RDV_NEW_ARRAY(e->arena, lm_candidate, n);
        if (!e->rooms[i].weights || !e->rooms[i].candidates)
            return false;
    }
    return true;
}

static int init(rdv_lm_engine *e, const rdv_lm_options *o, rdv_error *err)
{
    schedule *s = &e->schedule;
    s->sequences = o->sequences ? o->sequences : SEQUENCES;
    s->chunk = o->chunk ? o->chunk : CHUNK;
    s->chunk = (s->chunk + LM_BLOCK - 1) / LM_BLOCK * LM_BLOCK;
    size_t rows = s->sequences + s->chunk;
    e->kernels = lm_kernels_at(0);
    e->stats.kernels = e->kernels->name;
    e->pool = pool_new(e->arena, o->threads ? o->threads : processors());
    if (!e->pool)
        return rdv_fail(err, RDV_E_NOMEM, "no memory, or no thread, for the engine");
    int rc = forward_init(&e->forward, e->lm, e->kernels, e->pool, e->arena, rows, err);
    if (!rc)
        rc = init_cache(e, o, err);
    if (!rc && !init_rooms(e, rows))
        rc = rdv_no_memory(err);
    e->stats.threads = (uint32_t)pool_threads(e->pool);
    e->stats.work_bytes = e->forward.bytes;
    return rc;
}

int rdv_lm_engine_new(rdv_lm_engine **engine, const rdv_lm *lm, const rdv_lm_options *options,
                      rdv_error *err)
{
    rdv_lm_options o = options ? *options : (rdv_lm_options){0};
    *engine = NULL;
    int rc = check_options(&o, err);
    if (rc)
        return rc;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_lm_engine *e = arena ? RDV_NEW(arena, rdv_lm_engine) : NULL;
    if (!e) {
        rdv_arena_free(&arena);
        return rdv_no_memory(err);
    }
    *e = (rdv_lm_engine){.arena = arena, .lm = lm};
    rc = init(e, &o, err);
    if (rc)
        rdv_lm_engine_free(&e);
    *engine = e;
    return rc;
}

static void free_list(job *first)
{
    for (job *after; first; first = after) {
        after = first->after;
        job_free(first);
    }
}

void rdv_lm_engine_free(rdv_lm_engine **engine)
{
    if (!engine || !*engine)
        return;
    rdv_lm_engine *e = *engine;
    rdv_arena *arena = e->arena;
    pool_end(e->pool);
    for (job *j = e->announced, *after; j; j = after) { /* others are in a list below */
        after = j->after_announced;
        if (j->state == JOB_ENDED)
            job_free(j);
    }
    if (e->told)
        job_free(e->told);
    free_list(e->schedule.waiting.first);
    free_list(e->schedule.running.first);
    rdv_arena_free(&arena);
    *engine = NULL;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static void announce(rdv_lm_engine *e, job *j)
{
    if (j->announced)
        return;
    j->announced = true;
    j->after_announced = NULL;
    *(e->announced ? &e->last_announced->after_announced : &e->announced) = j;
    e->last_announced = j;
}

static void forget_told(rdv_lm_engine *e)
{
    if (e->told)
        job_free(e->told);
    e->told = NULL;
}

static int has_failed(const rdv_lm_engine *e, rdv_error *err)
{
    return e->failed ? rdv_fail(err, e->failed, "the engine has failed before") : RDV_OK;
}

int rdv_lm_submit(rdv_lm_engine *e, const rdv_lm_job *asked, uint64_t *id, rdv_error *err)
{
    rdv_error why = {0};
    forget_told(e);
    if (has_failed(e, err))
        return e->failed;
    job *j = job_new(e->lm, asked, &why);
    if (!j)
        return rdv_fail(err, why.code, "%s", why.msg);
    *id = j->id = ++e->last_id;
    if (j->state == JOB_ENDED)
        announce(e, j);
    else
        schedule_list_add(&e->schedule.waiting, j);
    return RDV_OK;
}

static job *find_in(const job_list *list, uint64_t id)
{
    for (job *j = list->first; j; j = j->after)
        if (j->id == id)
            return j;
    return NULL;
}

static void withdraw(rdv_lm_engine *e, job *j)
{
    job *before = NULL;
    for (job *a = e->announced; a && j->announced; before = a, a = a->after_announced) {
        if (a != j)
            continue;
        *(before ? &before->after_announced : &e->announced) = j->after_announced;
        if (e->last_announced == j)
            e->last_announced = before;
        j->announced = false;
    }
}

int rdv_lm_cancel(rdv_lm_engine *e, uint64_t id)
{
    forget_told(e);
    job *j = find_in(&e->schedule.running, id);
    if (!j)
        j = find_in(&e->schedule.waiting, id);
    for (job *a = e->announced; a && !j; a = a->after_announced)
        if (a->id == id)
            j = a;
    if (!j)
        return RDV_NONE;
    withdraw(e, j);
    if (j->state != JOB_ENDED)
        schedule_remove(&e->schedule, j);
    job_free(j);
    return RDV_OK;
}

/* ---- a step ---------------------------------------------------------------------------------- */

static int find_places(rdv_lm_engine *e, rdv_error *err)
{
    e->n_places = 0;
    for (job *j = e->schedule.running.first; j; j = j->after)
        for (size_t i = 0; i < j->n_rows; i++) {
            size_t at = e->schedule.rows[j->first_row + i].at;
            if (j->is_step_end || !job_wants(j, at))
                continue;
            place *p = &e->places[e->n_places++];
            *p = (place){j, j->first_row + i, at, job_result(j, at)};
            if (!p->out)
                return rdv_no_memory(err);
        }
    return RDV_OK;
}

typedef struct choose_work {
    rdv_lm_engine *e;
    place *places; /* those whose logits have been computed */
} choose_work;

static void choose(void *payload, size_t begin, size_t end, size_t worker)
{
    const choose_work *w = payload;
    rdv_lm_engine *e = w->e;
    worker_room *room = &e->rooms[worker];
    for (size_t i = begin; i < end; i++) {
        place *p = &w->places[i];
        float *logits = e->forward.logits + i * forward_stride(&e->forward);
        lm_odds odds = sample_odds(e->kernels, logits, e->lm->size.vocab, room->weights);
        if (p->out->token == RDV_LM_NO_TOKEN)
            p->out->token = sample_draw(e->kernels, &odds, &p->job->sampling, p->at, room->weights,
                                        room->candidates);
        p->out->logprob = sample_logprob(&odds, p->out->token);
        p->out->n_top = sample_top(&odds, (rdv_lm_choice *)(uintptr_t)p->out->top, p->job->top);
    }
}

static void fill_places(rdv_lm_engine *e)
{
    size_t rows[FORWARD_LOGITS];
    for (size_t begin = 0, n; begin < e->n_places; begin += n) {
        n = e->n_places - begin < FORWARD_LOGITS ? e->n_places - begin : FORWARD_LOGITS;
        for (size_t i = 0; i < n; i++)
            rows[i] = e->places[begin + i].row;
        forward_logits(&e->forward, rows, n);
        choose_work w = {e, &e->places[begin]};
        forward_share(&e->forward, choose, &w, n, n < 2);
    }
}

/* The step head at the ends of steps; a dot product each, too little to be shared out. */
static void judge_steps(rdv_lm_engine *e)
{
    for (job *j = e->schedule.running.first; j; j = j->after)
        for (size_t i = 0; j->is_step_end && i < j->n_rows; i++) {
            size_t row = j->first_row + i, at = e->schedule.rows[row].at;
            if (job_wants(j, at))
                job_accept_step(j, at, forward_step_logit(&e->forward, row));
            if (j->state == JOB_ENDED)
                announce(e, j);
        }
}

/* Its text is incomplete, so it gets no further events; it stays in the list of running jobs until
 * the engine is freed. */
static int give_up(rdv_lm_engine *e, job *j, rdv_error *err)
{
    withdraw(e, j);
    j->state = JOB_RUNNING;
    return rdv_no_memory(err);
}

static int accept(rdv_lm_engine *e, rdv_error *err)
{
    int rc = RDV_OK;
    for (size_t i = 0; i < e->n_places; i++) {
        job *j = e->places[i].job;
        size_t made = j->n_tokens;
        if (!job_accept(j, e->lm, e->places[i].at)) {
            rc = give_up(e, j, err);
            break;
        }
        e->stats.generated_tokens += j->n_tokens - made;
        if (j->state == JOB_ENDED || (j->stream && j->told_text < j->text.text.len))
            announce(e, j);
    }
    for (job *j = e->schedule.running.first, *after; j; j = after) {
        after = j->after;
        if (j->state == JOB_ENDED)
            schedule_remove(&e->schedule, j);
    }
    return rc;
}

static int step(rdv_lm_engine *e, rdv_error *err)
{
    int rc = schedule_batch(&e->schedule, err);
    if (!rc)
        rc = find_places(e, err);
    if (rc)
        return rc;
    pool_wake(e->pool);
    forward_run(&e->forward, e->schedule.rows, e->schedule.n_rows);
    judge_steps(e);
    fill_places(e);
    pool_rest(e->pool);
    schedule_settle(&e->schedule);
    e->stats.steps++;
    return accept(e, err);
}

int rdv_lm_step(rdv_lm_engine *e, rdv_error *err)
{
    forget_told(e);
    if (has_failed(e, err))
        return e->failed;
    if (!e->schedule.waiting.first && !e->schedule.running.first)
        return RDV_NONE;
    e->failed = step(e, err);
    return e->failed;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Tokens that begin within the first `bytes` of the reply. */
static size_t tokens_within(const job *j, size_t bytes)
{
    size_t n = j->told_tokens;
    while (n < j->n_made && (n > 0 ? j->ends[n - 1] : 0) < bytes)
        n++;
    return n;
}

static void tell_piece(job *j, rdv_lm_event *event)
{
    rdv_str all = rdv_buf_str(&j->text.text);
    size_t n = tokens_within(j, j->text.done);
    *event = (rdv_lm_event){.kind = RDV_LM_PIECE,
                            .id = j->id,
                            .user = j->user,
                            .text = rdv_slice(all, j->told_text, all.len),
                            .tokens = j->made + j->told_tokens,
                            .n_tokens = n - j->told_tokens};
    j->told_text = all.len;
    j->told_tokens = n;
}

static void tell_end(const job *j, rdv_lm_event *event)
{
    rdv_str text = rdv_buf_str(&j->text.text);
    *event = (rdv_lm_event){.kind = RDV_LM_DONE,
                            .id = j->id,
                            .user = j->user,
                            .text = text.p ? text : RDV_STR(""),
                            .tokens = j->made,
                            .n_tokens = j->n_made,
                            .scored = j->scored,
                            .n_scored = j->n_scored,
                            .step_logits = j->step_logits,
                            .n_step_logits = j->n_step_logits,
                            .finish = j->finish,
                            .stopped_by = j->text.stopped_by,
                            .prompt_tokens = j->n_prompt,
                            .cached_tokens = j->cached,
                            .completion_tokens = j->n_tokens - j->n_prompt};
}

int rdv_lm_poll(rdv_lm_engine *e, rdv_lm_event *event)
{
    forget_told(e);
    job *j = e->announced;
    if (!j)
        return RDV_NONE;
    bool piece = j->stream && j->told_text < j->text.text.len;
    if (piece)
        tell_piece(j, event);
    else
        tell_end(j, event);
    if (piece && j->state == JOB_ENDED)
        return RDV_OK; /* its end comes next */
    e->announced = j->after_announced;
    j->announced = false;
    if (!piece)
        e->told = j;
    return RDV_OK;
}

void rdv_lm_engine_stats(const rdv_lm_engine *e, rdv_lm_stats *stats)
{
    const schedule *s = &e->schedule;
    uint64_t block = s->cache.block_floats * sizeof(float);
    *stats = e->stats;
    stats->prompt_tokens = s->prompt_tokens;
    stats->cached_tokens = s->cached_tokens;
    stats->recomputed_tokens = s->recomputed_tokens;
    stats->used_bytes = s->cache.n_used * block;
    stats->kept_bytes = s->cache.n_kept * block;
    stats->running = (uint32_t)s->running.n;
    stats->waiting = (uint32_t)s->waiting.n;
}
