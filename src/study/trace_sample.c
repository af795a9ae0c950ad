/* SPDX-License-Identifier: Apache-2.0 */
#include "study/trace_sample.h"

#include "base/map.h"
#include "base/str.h"
#include "score/interner.h"
#include "study/sample_hash.h"
#include "study/task_name.h"
#include "study/trace_answer.h"

#include <stdlib.h>

typedef struct candidate {
    uint64_t hash;
    size_t number, task;
    bool right;
} candidate;

struct trace_sample {
    trace_sample_options options;
    rdv_arena *arena;
    interner names;
    trace_sample_task *tasks; /* as many as names */
    size_t cap_tasks;
    candidate *of;
    size_t n, cap;
};

trace_sample *trace_sample_new(const trace_sample_options *options, rdv_arena *arena)
{
    trace_sample *s = RDV_NEW(arena, trace_sample);
    if (!s)
        return NULL;
    *s = (trace_sample){.options = *options, .arena = arena};
    interner_init(&s->names, arena);
    return s;
}

static int find_task(trace_sample *s, rdv_str name, size_t *out, rdv_error *err)
{
    size_t n = s->names.n;
    if (!RDV_PUSH_ROOM(s->arena, s->tasks, n, s->cap_tasks) ||
        interner_add(&s->names, name, out) < 0)
        return rdv_no_memory(err);
    if (*out == TRACE_SAMPLE_TASKS_MAX)
        return rdv_fail(err, RDV_E_LIMIT, "more than %d tasks", TRACE_SAMPLE_TASKS_MAX);
    if (*out == n)
        s->tasks[n] = (trace_sample_task){.name = s->names.texts[n]};
    return RDV_OK;
}

int trace_sample_add(trace_sample *s, const rdv_chain *chain, size_t number, rdv_arena *scratch,
                     rdv_error *err)
{
    rdv_str name, id = chain->id.p ? chain->id : chain->question.text;
    size_t task;
    if (task_name(chain, scratch, &name) < 0)
        return rdv_no_memory(err);
    int code = find_task(s, name, &task, err);
    if (code != RDV_OK)
        return code;
    trace_sample_task *of = &s->tasks[task];
    if (!chain->question.gold.p) {
        of->unknown++;
        return RDV_OK;
    }
    if (!RDV_PUSH_ROOM(s->arena, s->of, s->n, s->cap))
        return rdv_no_memory(err);
    bool right = trace_answer_is_right(chain->answer, chain->question.gold);
    *(right ? &of->right : &of->wrong) += 1;
    s->of[s->n++] = (candidate){
        .hash = sample_hash(id, s->options.seed), .number = number, .task = task, .right = right};
    return RDV_OK;
}

static int by_hash(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number; /* the same id */
}

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

int trace_sample_draw(trace_sample *s, size_t **drawn, size_t *n, rdv_error *err)
{
    /* The product of 300 and a share such as 0.15 may lie just below the whole number. */
    size_t right = (size_t)((double)s->options.size * s->options.right + 1e-9);
    size_t *numbers = RDV_NEW_ARRAY(s->arena, size_t, s->n);
    *n = 0;
    if (!numbers)
        return rdv_no_memory(err);
    for (size_t t = 0; t < s->names.n; t++) {
        s->tasks[t].wanted_right = right;
        s->tasks[t].wanted_wrong = s->options.size - right;
    }
    if (s->n)
        qsort(s->of, s->n, sizeof *s->of, by_hash);
    for (size_t i = 0; i < s->n; i++) {
        const candidate *c = &s->of[i];
        trace_sample_task *of = &s->tasks[c->task];
        size_t *have = c->right ? &of->drawn_right : &of->drawn_wrong;
        if (*have == (c->right ? of->wanted_right : of->wanted_wrong))
            continue;
        ++*have;
        numbers[(*n)++] = c->number;
    }
    if (*n)
        qsort(numbers, *n, sizeof *numbers, by_number);
    *drawn = numbers;
    return RDV_OK;
}

const trace_sample_task *trace_sample_tasks(const trace_sample *s, size_t *n)
{
    *n = s->names.n;
    return s->tasks;
}
