/* SPDX-License-Identifier: Apache-2.0 */
/* Adds traces one by one and keeps only numbers of them. */
#include "study/list.h"
#include "study/traces.h"

#include "score/agree.h"
#include <rederive/data.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/members.h"
#include "study/task_name.h"
#include "study/trace_answer.h"
#include "score/eval.h"

#include <math.h>
#include <stdlib.h>

int traces_begin(rdv_study *s, rdv_error *err)
{
    traces *all = RDV_NEW(s->arena, traces);
    if (!all)
        return rdv_no_memory(err);
    *all = (traces){.arena = s->arena, .seed = s->options.seed};
    interner_init(&all->checks, s->arena);
    interner_init(&all->locators, s->arena);
    interner_init(&all->questions, s->arena);
    rdv_map_init(&all->task_numbers, s->arena);
    rdv_map_init(&all->origins.by_key, s->arena);
    rdv_map_init(&all->checkers.by_key, s->arena);
    rdv_map_init(&all->repairers.by_key, s->arena);
    s->of = all;
    return RDV_OK;
}

static int too_many(size_t n, rdv_error *err)
{
    return n <= TRACES_GROUPS_MAX
               ? RDV_OK
               : rdv_fail(err, RDV_E_LIMIT, "more than %d tasks, checks or locators",
                          TRACES_GROUPS_MAX);
}

/* Finds the number of a name. */
static int number_of(interner *names, rdv_str name, size_t *out, rdv_error *err)
{
    return interner_add(names, name, out) < 0 ? rdv_no_memory(err) : too_many(names->n, err);
}

/* Finds the number of a task. */
static int task_of(traces *all, rdv_str name, rdv_str group, size_t *out, rdv_error *err)
{
    size_t n = all->n_tasks;
    if (!RDV_PUSH_ROOM(all->arena, all->tasks, all->n_tasks, all->cap_tasks))
        return rdv_no_memory(err);
    rdv_mark mark = rdv_arena_mark(all->arena);
    rdv_str key = rdv_str_printf(all->arena, "%zu:%.*s%d%.*s", name.len, RDV_FMT(name),
                                 group.p != NULL, RDV_FMT(group));
    if (!key.p)
        return rdv_no_memory(err);
    *out = rdv_map_get(&all->task_numbers, key);
    if (*out != RDV_MAP_MISSING) {
        rdv_arena_rewind(all->arena, mark);
        return RDV_OK;
    }
    trace_task *task = &all->tasks[n];
    *task = (trace_task){rdv_str_copy(all->arena, name.p ? name : RDV_STR("")),
                         group.p ? rdv_str_copy(all->arena, group) : group};
    if (!task->name.p || (group.p && !task->group.p) || rdv_map_put(&all->task_numbers, key, n) < 0)
        return rdv_no_memory(err);
    *out = all->n_tasks++;
    return too_many(all->n_tasks, err);
}

/* Finds the number of a maker. */
static int maker_of(traces *all, trace_makers *makers, const trace_maker *maker, size_t *out,
                    rdv_error *err)
{
    size_t n = makers->n;
    rdv_str key = {(const char *)maker, sizeof *maker};
    if (!RDV_PUSH_ROOM(all->arena, makers->of, makers->n, makers->cap) ||
        interner_number_within(&makers->by_key, 0, key, &n, out) < 0)
        return rdv_no_memory(err);
    if (n > makers->n)
        makers->of[makers->n++] = *maker;
    return too_many(makers->n, err);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Whether a check's verdict on this step is scored; steps after the first mistake are not
 * labelled. */
static bool is_scored(const rdv_verdict *v, rdv_label label, size_t n_steps)
{
    if (isnan(v->score) || v->step == RDV_WHOLE_CHAIN || v->step >= n_steps)
        return false;
    return label.kind == RDV_LABEL_NO_MISTAKE ||
           (label.kind == RDV_LABEL_AT && v->step <= label.step);
}

static int keep_steps(traces *all, const trace *t, const rdv_check *check, trace_check *out,
                      rdv_error *err)
{
    out->steps = RDV_NEW_ARRAY(all->arena, rdv_scored, check->n_verdicts);
    if (!out->steps)
        return rdv_no_memory(err);
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        if (!is_scored(v, t->label, t->steps))
            continue;
        bool right = t->label.kind == RDV_LABEL_NO_MISTAKE || v->step < t->label.step;
        out->steps[out->n_steps++] = (rdv_scored){v->score, right, t->question};
    }
    return RDV_OK;
}

/* Keeps the latest check of each method. */
static int keep_checks(rdv_study *s, trace *t, const rdv_chain *chain, const study_source *record,
                       rdv_error *err)
{
    traces *all = s->of;
    t->checks = RDV_NEW_ARRAY(all->arena, trace_check, chain->n_checks);
    if (!t->checks)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_checks; i++) {
        const rdv_check *check = &chain->checks[i];
        if (check->skipped || rdv_chain_check(chain, check->method) != check)
            continue;
        trace_maker maker = {.origin = t->origin};
        study_source source = source_of_check(record, check);
        trace_check *out = &t->checks[t->n_checks++];
        *out = (trace_check){.found = rdv_label_by(check)};
        int r = number_of(&all->checks, check->method, &maker.name, err);
        if (r == RDV_OK)
            r = sources_find(&s->sources, &source, &maker.source, err);
        if (r == RDV_OK)
            r = maker_of(all, &all->checkers, &maker, &out->maker, err);
        if (r == RDV_OK)
            r = keep_steps(all, t, check, out, err);
        if (r < 0)
            return r;
    }
    return RDV_OK;
}

/* ---- annotators ------------------------------------------------------------------------------ */

static int keep_marks(traces *all, trace *t, const rdv_chain *chain, rdv_error *err)
{
    t->marks = RDV_NEW_ARRAY(all->arena, rdv_label, chain->n_step_labels);
    t->judged = RDV_NEW_ARRAY(all->arena, const int8_t *, chain->n_step_labels);
    if (!t->marks || !t->judged)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_step_labels; i++) {
        const rdv_step_labels *by = &chain->step_labels[i];
        if (by->of.p && !rdv_str_eq(by->of, RDV_STR("correct")))
            continue;
        int8_t *is = RDV_NEW_ARRAY(all->arena, int8_t, chain->n_steps);
        if (!is)
            return rdv_no_memory(err);
        for (size_t k = 0; k < chain->n_steps; k++)
            is[k] = k < by->n ? by->is[k] : -1;
        t->judged[t->n_marks] = is;
        t->marks[t->n_marks++] = rdv_first_wrong(by, chain->n_steps);
    }
    return RDV_OK;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The paper's rule. The record's own correctness is used if the options prefer it, or if nothing
 * else is known. */
static int right_exactly(const rdv_study *s, rdv_str answer, rdv_str gold, int opinion)
{
    bool source = s->options.grading.source_first && opinion >= 0;
    return gold.p && !source ? trace_answer_is_right(answer, gold) : opinion;
}

/* Reads a number from the members of an object; NaN: there is none. */
static int read_number(rdv_str object, const char *name, rdv_arena *arena, double *out)
{
    rdv_str text;
    int code = rdv_record_text(object, rdv_str_of(name), arena, &text);
    const char *cstring = code == RDV_OK ? rdv_cstring(arena, text) : NULL;
    *out = cstring ? strtod(cstring, NULL) : NAN;
    return code < 0 || (code == RDV_OK && !cstring) ? RDV_E_NOMEM : RDV_OK;
}

/* Who repaired a trace, in which profile: the record's own generator is that of an unchanged trace.
 */
static int repair_source(rdv_str repair, const study_chain *one, study_source *source)
{
    source->generator = source->profile = (rdv_str){0};
    if (rdv_record_text(repair, RDV_STR("generator"), one->scratch, &source->generator) < 0 ||
        rdv_record_text(repair, RDV_STR("profile"), one->scratch, &source->profile) < 0)
        return RDV_E_NOMEM;
    return RDV_OK;
}

/* Reads the record's "repair". Without one, the trace is unchanged. */
static int keep_repair(rdv_study *s, trace *t, const study_chain *one, const study_source *record,
                       rdv_error *err)
{
    traces *all = s->of;
    rdv_str repair, before = {0}, locator = {0}, accept = {0};
    trace_maker maker = {.origin = 0};
    study_source source = *record;
    double steps;
    int code = rdv_chain_member(one->chain, RDV_STR("repair"), &repair);
    if (code != RDV_OK)
        return code < 0 ? rdv_fail(err, code, "out of memory") : RDV_OK;
    if (rdv_record_text(repair, RDV_STR("locator"), one->scratch, &locator) < 0 ||
        rdv_record_text(repair, RDV_STR("answer_before"), one->scratch, &before) < 0 ||
        rdv_record_text(repair, RDV_STR("accept"), one->scratch, &accept) < 0 ||
        read_number(repair, "n_calls", one->scratch, &t->calls) < 0 ||
        read_number(repair, "n_steps_before", one->scratch, &steps) < 0 ||
        repair_source(repair, one, &source) < 0)
        return rdv_no_memory(err);
    t->accept = trace_accept_named(accept);
    t->right_before = right_exactly(s, before, one->chain->question.gold, -1);
    t->steps_before = steps >= 1 && steps < 1e9 ? (size_t)steps : t->steps;
    if (!locator.p)
        return RDV_OK;
    int r = number_of(&all->locators, locator, &maker.name, err);
    if (r == RDV_OK)
        r = sources_find(&s->sources, &source, &maker.source, err);
    if (r == RDV_OK)
        r = maker_of(all, &all->repairers, &maker, &t->repairer, err);
    return r;
}

/* ---- a trace --------------------------------------------------------------------------------- */

static bool has_check(const trace *t, size_t maker)
{
    for (size_t i = 0; i < t->n_checks; i++)
        if (t->checks[i].maker == maker)
            return true;
    return false;
}

/* Adds the checks of another record of the same trace. RDV_NONE: it has none, or the first has one
 * of them. */
static int merge(traces *all, trace *to, const trace *from)
{
    trace_check *checks = RDV_NEW_ARRAY(all->arena, trace_check, to->n_checks + from->n_checks);
    if (!checks)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < from->n_checks; i++)
        if (has_check(to, from->checks[i].maker))
            return RDV_NONE;
    if (to->n_checks)
        memcpy(checks, to->checks, to->n_checks * sizeof *checks);
    if (from->n_checks)
        memcpy(checks + to->n_checks, from->checks, from->n_checks * sizeof *checks);
    to->checks = checks;
    to->n_checks += from->n_checks;
    return from->n_checks ? RDV_OK : RDV_NONE;
}

/* Puts a trace into the list, unless it stands there already. A trace that was repaired twice in
 * the same way is the same, whatever became of it. */
static int put_trace(rdv_study *s, const study_chain *one, const study_source *record,
                     const trace *t, rdv_error *err)
{
    traces *all = s->of;
    bool repaired = t->repairer != RDV_MAP_MISSING;
    chain_identity identity = identity_of(one->chain, repaired);
    size_t at = all->n, place = repaired ? 2 * t->repairer + 1 : 2 * t->origin;
    place = place * (TRACES_GROUPS_MAX + 1) + t->task;
    /* A table of repairs has no row for a trace that was not repaired. */
    bool counts = repaired || s->entry->mistakes.by < MISTAKES_BY_LOCATOR;
    if (counts && one->chain->id.p && study_seen(s, &identity, place, all->n, &at) < 0)
        return rdv_no_memory(err);
    int r = at < all->n && !repaired ? merge(all, &all->of[at], t) : RDV_OK;
    if (r < 0)
        return rdv_no_memory(err);
    if (at < all->n)
        return r == RDV_NONE || repaired ? study_refuse_again(one, record, (rdv_str){0}, err) : r;
    all->of[all->n++] = *t;
    return RDV_OK;
}

/* Who generated the trace, which is all that a table about traces alone separates. */
static int keep_origin(rdv_study *s, trace *t, const study_source *record, rdv_error *err)
{
    traces *all = s->of;
    study_source origin = {.generator = record->generator};
    trace_maker maker = {.name = RDV_MAP_MISSING};
    int r = sources_find(&s->sources, &origin, &maker.source, err);
    return r == RDV_OK ? maker_of(all, &all->origins, &maker, &t->origin, err) : r;
}

int traces_add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    traces *all = s->of;
    const rdv_chain *chain = one->chain;
    rdv_str id = chain->id.p ? chain->id : chain->question.text;
    rdv_str question = chain->question.id.p ? chain->question.id : chain->question.text, task;
    study_source record;
    trace t = {.steps = chain->n_steps,
               .steps_before = chain->n_steps,
               .right = right_exactly(s, chain->answer, chain->question.gold, chain->correct),
               .right_before = -1,
               .repairer = RDV_MAP_MISSING,
               .calls = NAN,
               .label = chain->label,
               .hash = rdv_hash(id.p ? id : RDV_STR(""), all->seed)};
    int r = source_of_chain(s, one, &record, err);
    if (r < 0)
        return r;
    if (!RDV_PUSH_ROOM(s->arena, all->of, all->n, all->cap) ||
        task_name(chain, one->scratch, &task) < 0 ||
        interner_add(&all->questions, question, &t.question) < 0)
        return rdv_no_memory(err);
    r = task_of(all, task, record.group, &t.task, err);
    record.group = (rdv_str){0};
    if (r == RDV_OK)
        r = keep_origin(s, &t, &record, err);
    if (r == RDV_OK)
        r = keep_repair(s, &t, one, &record, err);
    if (r == RDV_OK)
        r = keep_checks(s, &t, chain, &record, err);
    if (r == RDV_OK)
        r = keep_marks(all, &t, chain, err);
    return r == RDV_OK ? put_trace(s, one, &record, &t, err) : r;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static int right_of(const trace *t)
{
    return t->repairer == RDV_MAP_MISSING ? t->right : t->right_before;
}

/* Of repaired traces, those that the repair changed name who changed them. */
static size_t origin_of(const trace *t)
{
    return t->repairer == RDV_MAP_MISSING ? t->origin : 0;
}

static int by_place_and_hash(const void *a, const void *b)
{
    const trace *x = *(trace *const *)a, *y = *(trace *const *)b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (origin_of(x) != origin_of(y))
        return origin_of(x) < origin_of(y) ? -1 : 1;
    if (x->repairer != y->repairer)
        return x->repairer < y->repairer ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x < y ? -1 : x > y; /* the same id: in the order of the traces */
}

/* Draws from one task's `n` traces of one kind (not repaired, or by one locator), by their hashes.
 * All are drawn unless it `is_sampled` and more than a fifth are right. */
static void draw(trace **some, size_t n, bool is_sampled)
{
    size_t right = 0, wrong = 0, wanted, taken = 0;
    for (size_t i = 0; i < n; i++) {
        right += right_of(some[i]) == 1;
        wrong += right_of(some[i]) == 0;
    }
    wanted = is_sampled && right * 5 > right + wrong ? wrong * 15 / 85 : right;
    for (size_t i = 0; i < n; i++) {
        bool is_right = right_of(some[i]) == 1;
        some[i]->drawn = !is_right || taken < wanted;
        taken += is_right && some[i]->drawn;
    }
}

static bool drawn_together(const trace *a, const trace *b)
{
    return a->task == b->task && origin_of(a) == origin_of(b) && a->repairer == b->repairer;
}

int traces_draw(traces *all, rdv_error *err)
{
    trace **sorted = RDV_NEW_ARRAY(all->arena, trace *, all->n);
    if (!sorted)
        return rdv_no_memory(err);
    for (size_t i = 0; i < all->n; i++)
        sorted[i] = &all->of[i];
    qsort(sorted, all->n, sizeof *sorted, by_place_and_hash);
    for (size_t begin = 0, end; begin < all->n; begin = end) {
        for (end = begin; end < all->n && drawn_together(sorted[end], sorted[begin]);)
            end++;
        rdv_str task = all->tasks[sorted[begin]->task].name;
        draw(sorted + begin, end - begin, rdv_str_eq(task, RDV_STR("dyck_languages")));
    }
    return RDV_OK;
}

const trace_check *trace_check_by(const trace *t, size_t maker)
{
    for (size_t i = 0; i < t->n_checks; i++)
        if (t->checks[i].maker == maker)
            return &t->checks[i];
    return NULL;
}
