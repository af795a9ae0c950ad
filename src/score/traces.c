/* SPDX-License-Identifier: Apache-2.0 */
/* Traces come in one by one and leave numbers. */
#include "score/traces.h"

#include <rederive/agree.h>

#include "base/str.h"

#include <math.h>
#include <stdlib.h>

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

rdv_mistakes *rdv_mistakes_new(rdv_arena *arena, uint64_t seed)
{
    rdv_mistakes *m = RDV_NEW(arena, rdv_mistakes);
    if (!m)
        return NULL;
    *m = (rdv_mistakes){.arena = arena, .seed = seed};
    rdv_map_init(&m->tasks.by_name, arena);
    rdv_map_init(&m->checks.by_name, arena);
    rdv_map_init(&m->locators.by_name, arena);
    rdv_map_init(&m->questions.by_name, arena);
    return m;
}

/* The number of a name, a new one where it appears first. */
static int number_of(rdv_mistakes *m, trace_names *names, rdv_str name, size_t most, size_t *out,
                     rdv_error *err)
{
    *out = rdv_map_get(&names->by_name, name);
    if (*out != RDV_MAP_MISSING)
        return RDV_OK;
    if (names->n == most)
        return rdv_fail(err, RDV_E_LIMIT, "more than %zu tasks, checks or locators", most);
    rdv_str copy = rdv_str_copy(m->arena, name);
    if (!copy.p || !RDV_PUSH_ROOM(m->arena, names->names, names->n, names->cap) ||
        rdv_map_put(&names->by_name, copy, names->n) < 0)
        return out_of_memory(err);
    *out = names->n;
    names->names[names->n++] = copy;
    return RDV_OK;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Is what a check says of this step scored? Steps after the first mistake are not labelled. */
static bool is_scored(const rdv_verdict *v, rdv_label label, size_t n_steps)
{
    if (isnan(v->score) || v->step == RDV_WHOLE_CHAIN || v->step >= n_steps)
        return false;
    return label.is == RDV_LABEL_NO_MISTAKE || (label.is == RDV_LABEL_AT && v->step <= label.step);
}

static int keep_steps(rdv_mistakes *m, const trace *t, const rdv_check *check, trace_check *out,
                      rdv_error *err)
{
    out->steps = RDV_NEW_ARRAY(m->arena, rdv_scored, check->n_verdicts);
    if (!out->steps)
        return out_of_memory(err);
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        if (!is_scored(v, t->label, t->steps))
            continue;
        bool right = t->label.is == RDV_LABEL_NO_MISTAKE || v->step < t->label.step;
        out->steps[out->n_steps++] = (rdv_scored){v->score, right, t->question};
    }
    return RDV_OK;
}

/* The latest check of each method. */
static int keep_checks(rdv_mistakes *m, trace *t, const rdv_chain *chain, rdv_error *err)
{
    t->checks = RDV_NEW_ARRAY(m->arena, trace_check, chain->n_checks);
    if (!t->checks)
        return out_of_memory(err);
    for (size_t i = 0; i < chain->n_checks; i++) {
        const rdv_check *check = &chain->checks[i];
        if (check->skipped || rdv_chain_check(chain, check->method) != check)
            continue;
        trace_check *out = &t->checks[t->n_checks++];
        *out = (trace_check){.found = rdv_found_by(check)};
        int r = number_of(m, &m->checks, check->method, MAX_GROUPS, &out->check, err);
        if (r == RDV_OK)
            r = keep_steps(m, t, check, out, err);
        if (r < 0)
            return r;
    }
    return RDV_OK;
}

/* ---- annotators ------------------------------------------------------------------------------ */

static int keep_marks(rdv_mistakes *m, trace *t, const rdv_chain *chain, rdv_error *err)
{
    t->marks = RDV_NEW_ARRAY(m->arena, rdv_label, chain->n_step_labels);
    t->judged = RDV_NEW_ARRAY(m->arena, const int8_t *, chain->n_step_labels);
    if (!t->marks || !t->judged)
        return out_of_memory(err);
    for (size_t i = 0; i < chain->n_step_labels; i++) {
        const rdv_step_labels *by = &chain->step_labels[i];
        if (by->of.p && !rdv_str_eq(by->of, RDV_STR("correct")))
            continue;
        int8_t *is = RDV_NEW_ARRAY(m->arena, int8_t, chain->n_steps);
        if (!is)
            return out_of_memory(err);
        for (size_t k = 0; k < chain->n_steps; k++)
            is[k] = k < by->n ? by->is[k] : -1;
        t->judged[t->n_marks] = is;
        t->marks[t->n_marks++] = rdv_first_wrong(by, chain->n_steps);
    }
    return RDV_OK;
}

/* ---- a trace --------------------------------------------------------------------------------- */

int rdv_mistakes_add(rdv_mistakes *m, const rdv_trace *in, rdv_error *err)
{
    const rdv_chain *chain = in->chain;
    rdv_str id = chain->id.p ? chain->id : chain->question.text;
    rdv_str question = chain->question.id.p ? chain->question.id : chain->question.text;
    trace t = {.steps = chain->n_steps,
               .steps_before = in->steps_before ? in->steps_before : chain->n_steps,
               .right = in->right,
               .right_before = in->right_before,
               .locator = RDV_MAP_MISSING,
               .calls = in->calls,
               .label = chain->label,
               .hash = rdv_hash(id.p ? id : RDV_STR(""), m->seed)};
    if (!RDV_PUSH_ROOM(m->arena, m->traces, m->n, m->cap))
        return out_of_memory(err);
    int r = number_of(m, &m->tasks, in->task.p ? in->task : RDV_STR(""), MAX_GROUPS, &t.task, err);
    if (r == RDV_OK)
        r = number_of(m, &m->questions, question.p ? question : RDV_STR(""), SIZE_MAX, &t.question,
                      err);
    if (r == RDV_OK && in->locator.p)
        r = number_of(m, &m->locators, in->locator, MAX_GROUPS, &t.locator, err);
    if (r == RDV_OK)
        r = keep_checks(m, &t, chain, err);
    if (r == RDV_OK)
        r = keep_marks(m, &t, chain, err);
    if (r == RDV_OK)
        m->traces[m->n++] = t;
    return r;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static int right_of(const trace *t)
{
    return t->locator == RDV_MAP_MISSING ? t->right : t->right_before;
}

static int by_place_and_hash(const void *a, const void *b)
{
    const trace *x = *(trace *const *)a, *y = *(trace *const *)b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->locator != y->locator)
        return x->locator < y->locator ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x < y ? -1 : x > y; /* the same id: in their order */
}

/* Draw down one task's `n` traces of one kind (not repaired, or by one locator), by their hashes.
 */
static bool draw(trace **some, size_t n)
{
    size_t right = 0, wrong = 0, wanted, taken = 0;
    for (size_t i = 0; i < n; i++) {
        right += right_of(some[i]) == 1;
        wrong += right_of(some[i]) == 0;
    }
    bool down = right * 5 > right + wrong; /* more than a fifth */
    wanted = down ? wrong * 15 / 85 : right;
    for (size_t i = 0; i < n; i++) {
        bool is_right = right_of(some[i]) == 1;
        some[i]->drawn = !is_right || taken < wanted;
        taken += is_right && some[i]->drawn;
    }
    return down;
}

int traces_draw(rdv_mistakes *m, bool **drawn_down, rdv_error *err)
{
    trace **all = RDV_NEW_ARRAY(m->arena, trace *, m->n);
    *drawn_down = RDV_NEW_ARRAY(m->arena, bool, m->tasks.n);
    if (!all || !*drawn_down)
        return out_of_memory(err);
    for (size_t i = 0; i < m->n; i++)
        all[i] = &m->traces[i];
    qsort(all, m->n, sizeof *all, by_place_and_hash);
    for (size_t begin = 0, end; begin < m->n; begin = end) {
        const trace *first = all[begin];
        for (end = begin;
             end < m->n && all[end]->task == first->task && all[end]->locator == first->locator;)
            end++;
        if (draw(all + begin, end - begin))
            (*drawn_down)[first->task] = true;
    }
    return RDV_OK;
}
