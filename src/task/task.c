/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks, and making a question of one. */
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "task/make.h"

static const task_maker *const makers[] = {
    &task_sorting, &task_shuffled, &task_deduction, &task_arithmetic,
    &task_dyck,    &task_coin,     &task_letters,
};

#define COUNT (sizeof makers / sizeof *makers)

const rdv_task *const *rdv_tasks(size_t *n)
{
    static const rdv_task *const tasks[COUNT] = {
        &task_sorting.task, &task_shuffled.task, &task_deduction.task, &task_arithmetic.task,
        &task_dyck.task,    &task_coin.task,     &task_letters.task,
    };
    *n = COUNT;
    return tasks;
}

const rdv_task *rdv_task_named(rdv_str name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (rdv_str_eq(name, rdv_str_of(makers[i]->task.name)))
            return &makers[i]->task;
    return NULL;
}

static const task_maker *maker_of(const rdv_task *task)
{
    for (size_t i = 0; i < COUNT; i++)
        if (&makers[i]->task == task)
            return makers[i];
    return NULL;
}

void rdv_task_options_default(rdv_task_options *options)
{
    *options = (rdv_task_options){.mistake = RDV_TASK_NO_MISTAKE};
}

/* ---- one question ---------------------------------------------------------------------------- */

static int sizes(const rdv_task *task, const rdv_task_options *o, size_t *least, size_t *most,
                 rdv_error *err)
{
    *least = o->least ? o->least : task->least;
    *most = o->most ? o->most : o->least > task->most ? o->least : task->most;
    if (*least < 2 || *least > *most)
        return rdv_fail(err, RDV_E_ARGUMENT, "sizes go from at least 2 to at least as much");
    if (*most > task->limit)
        return rdv_fail(err, RDV_E_ARGUMENT, "%s has at most %zu %s", task->name, task->limit,
                        task->size_is);
    return RDV_OK;
}

static size_t draw_size(const rdv_task *task, size_t least, size_t most, rdv_rng *rng)
{
    if (!task->odd)
        return least + rdv_rng_below(rng, most - least + 1);
    size_t first = least | 1, last = most - !(most & 1);
    return first > last ? most : first + 2 * rdv_rng_below(rng, (last - first) / 2 + 1);
}

/* Question `number` has its own random numbers, independent of the other questions. */
static void seed_rng(rdv_rng *rng, const rdv_task *task, uint64_t seed, uint64_t number,
                     uint64_t what)
{
    rdv_rng_seed(rng, rdv_hash(rdv_str_of(task->name), seed) ^ what);
    rdv_rng_seed(rng, rdv_rng_next(rng) ^ number);
}

static trace new_trace(rdv_arena *arena, const rdv_rng *rng, size_t wrong_at)
{
    trace t = {.arena = arena, .rng = *rng, .wrong_at = wrong_at};
    rdv_buf_init(&t.line, arena, 0);
    return t;
}

/* The index of the wrong step. RDV_NONE: that step cannot be wrong. */
static int choose_mistake(const trace *right, size_t wanted, rdv_rng *rng, size_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < right->n; i++)
        n += right->fallible[i];
    if (wanted != RDV_TASK_ANY_STEP) {
        *out = wanted;
        return wanted < right->n && right->fallible[wanted] ? RDV_OK : RDV_NONE;
    }
    if (!n)
        return RDV_NONE;
    size_t pick = rdv_rng_below(rng, n);
    for (*out = 0; !right->fallible[*out] || pick-- > 0;)
        ++*out;
    return RDV_OK;
}

static int write_trace(const task_maker *m, const drawn *d, size_t mistake, rdv_rng *rng,
                       rdv_arena *arena, rdv_chain *out, rdv_error *err)
{
    rdv_str answer = {0};
    trace t = new_trace(arena, rng, RDV_NO_STEP);
    m->write(d->puzzle, &t, &answer);
    if (mistake != RDV_TASK_NO_MISTAKE && !t.failed) {
        size_t at;
        int r = choose_mistake(&t, mistake, rng, &at);
        if (r != RDV_OK)
            return r;
        t = new_trace(arena, rng, at);
        m->write(d->puzzle, &t, &answer);
        if (!t.failed && !t.went_wrong)
            return rdv_fail(err, RDV_E_INTERNAL, "%s: the mistake was not made", m->task.name);
        out->label = (rdv_label){RDV_LABEL_AT, at};
    } else {
        out->label = (rdv_label){.kind = RDV_LABEL_NO_MISTAKE};
    }
    if (t.failed || !answer.p)
        return rdv_no_memory(err);
    out->steps = t.steps;
    out->n_steps = t.n;
    out->answer = answer;
    out->correct = rdv_str_eq(answer, d->gold);
    return RDV_OK;
}

int rdv_task_make(const rdv_task *task, const rdv_task_options *options, uint64_t number,
                  rdv_arena *arena, rdv_chain *out, rdv_error *err)
{
    const task_maker *m = maker_of(task);
    size_t least, most;
    if (!m)
        return rdv_fail(err, RDV_E_ARGUMENT, "not a task of this library");
    int r = sizes(task, options, &least, &most, err);
    if (r < 0)
        return r;
    rdv_rng rng;
    drawn d = {0};
    seed_rng(&rng, task, options->seed, number, 0);
    if (m->draw(draw_size(task, least, most, &rng), &rng, arena, &d) < 0)
        return rdv_no_memory(err);
    rdv_chain chain = {.correct = -1};
    chain.question = (rdv_question){.text = d.text,
                                    .options = d.options,
                                    .n_options = d.n_options,
                                    .kind = task->kind,
                                    .gold = d.gold};
    chain.question.id =
        rdv_str_printf(arena, "%s-%llu-%llu", task->name, (unsigned long long)options->seed,
                       (unsigned long long)number);
    chain.id = chain.question.id;
    if (!chain.id.p)
        return rdv_no_memory(err);
    seed_rng(&rng, task, options->seed, number, 1);
    if (options->trace)
        r = write_trace(m, &d, options->mistake, &rng, arena, &chain, err);
    if (r == RDV_OK)
        *out = chain;
    return r;
}
