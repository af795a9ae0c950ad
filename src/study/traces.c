/* SPDX-License-Identifier: Apache-2.0 */
/* Adds traces one by one and keeps only numbers of them. */
#include "study/traces.h"

#include "score/agree.h"
#include <rederive/data.h>

#include "base/arena.h"
#include "base/str.h"
#include "study/task_name.h"
#include "score/eval.h"

#include <math.h>
#include <stdlib.h>

int traces_begin(rdv_study *s, rdv_error *err)
{
    traces *all = RDV_NEW(s->arena, traces);
    if (!all)
        return rdv_no_memory(err);
    *all = (traces){.arena = s->arena, .seed = s->options.seed};
    interner_init(&all->tasks, s->arena);
    interner_init(&all->checks, s->arena);
    interner_init(&all->locators, s->arena);
    interner_init(&all->questions, s->arena);
    s->of = all;
    return RDV_OK;
}

/* Finds the number of a name. */
static int number_of(interner *names, rdv_str name, size_t *out, rdv_error *err)
{
    if (interner_add(names, name, out) < 0)
        return rdv_no_memory(err);
    if (names->n > TRACES_GROUPS_MAX)
        return rdv_fail(err, RDV_E_LIMIT, "more than %d tasks, checks or locators",
                        TRACES_GROUPS_MAX);
    return RDV_OK;
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
static int keep_checks(traces *all, trace *t, const rdv_chain *chain, rdv_error *err)
{
    t->checks = RDV_NEW_ARRAY(all->arena, trace_check, chain->n_checks);
    if (!t->checks)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_checks; i++) {
        const rdv_check *check = &chain->checks[i];
        if (check->skipped || rdv_chain_check(chain, check->method) != check)
            continue;
        trace_check *out = &t->checks[t->n_checks++];
        *out = (trace_check){.found = rdv_label_by(check)};
        int r = number_of(&all->checks, check->method, &out->check, err);
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

/* An option's letter without its brackets, which some records omit; any other answer unchanged. */
static rdv_str without_brackets(rdv_str answer)
{
    answer = rdv_trim(answer);
    bool letter = answer.len == 3 && answer.p[0] == '(' && answer.p[2] == ')' &&
                  answer.p[1] >= 'A' && answer.p[1] <= 'Z';
    return letter ? rdv_slice(answer, 1, 2) : answer;
}

/* The paper's rule: exactly the right answer, except for surrounding white space and the brackets
 * of an option. The record's own correctness is used if the options prefer it, or if nothing else
 * is known. */
static int right_exactly(const rdv_study *s, rdv_str answer, rdv_str gold, int opinion)
{
    if (!gold.p || (s->options.grading.source_first && opinion >= 0))
        return opinion;
    return answer.p && rdv_str_eq(without_brackets(answer), without_brackets(gold));
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

/* Reads the record's "repair". Without one, the trace is unchanged. */
static int keep_repair(rdv_study *s, trace *t, const study_chain *one, rdv_error *err)
{
    traces *all = s->of;
    rdv_str repair, before = {0}, locator = {0}, accept = {0};
    double steps;
    int code = rdv_record_member(one->chain->raw, RDV_STR("repair"), &repair);
    if (code != RDV_OK)
        return code < 0 ? rdv_fail(err, code, "out of memory") : RDV_OK;
    if (rdv_record_text(repair, RDV_STR("locator"), one->scratch, &locator) < 0 ||
        rdv_record_text(repair, RDV_STR("answer_before"), one->scratch, &before) < 0 ||
        rdv_record_text(repair, RDV_STR("accept"), one->scratch, &accept) < 0 ||
        read_number(repair, "n_calls", one->scratch, &t->calls) < 0 ||
        read_number(repair, "n_steps_before", one->scratch, &steps) < 0)
        return rdv_no_memory(err);
    t->accept = trace_accept_named(accept);
    t->right_before = right_exactly(s, before, one->chain->question.gold, -1);
    t->steps_before = steps >= 1 && steps < 1e9 ? (size_t)steps : t->steps;
    return locator.p ? number_of(&all->locators, locator, &t->locator, err) : RDV_OK;
}

/* ---- a trace --------------------------------------------------------------------------------- */

int traces_add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    traces *all = s->of;
    const rdv_chain *chain = one->chain;
    rdv_str id = chain->id.p ? chain->id : chain->question.text;
    rdv_str question = chain->question.id.p ? chain->question.id : chain->question.text, task;
    trace t = {.steps = chain->n_steps,
               .steps_before = chain->n_steps,
               .right = right_exactly(s, chain->answer, chain->question.gold, chain->correct),
               .right_before = -1,
               .locator = RDV_MAP_MISSING,
               .calls = NAN,
               .label = chain->label,
               .hash = rdv_hash(id.p ? id : RDV_STR(""), all->seed)};
    if (!RDV_PUSH_ROOM(s->arena, all->of, all->n, all->cap) ||
        task_name(chain, one->scratch, &task) < 0 ||
        interner_add(&all->questions, question, &t.question) < 0)
        return rdv_no_memory(err);
    int r = number_of(&all->tasks, task, &t.task, err);
    if (r == RDV_OK)
        r = keep_repair(s, &t, one, err);
    if (r == RDV_OK)
        r = keep_checks(all, &t, chain, err);
    if (r == RDV_OK)
        r = keep_marks(all, &t, chain, err);
    if (r == RDV_OK)
        all->of[all->n++] = t;
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
    return x < y ? -1 : x > y; /* the same id: in the order of the traces */
}

/* Draws from one task's `n` traces of one kind (not repaired, or by one locator), by their
 * hashes. */
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

int traces_draw(traces *all, bool **drawn_down, rdv_error *err)
{
    trace **sorted = RDV_NEW_ARRAY(all->arena, trace *, all->n);
    *drawn_down = RDV_NEW_ARRAY(all->arena, bool, all->tasks.n);
    if (!sorted || !*drawn_down)
        return rdv_no_memory(err);
    for (size_t i = 0; i < all->n; i++)
        sorted[i] = &all->of[i];
    qsort(sorted, all->n, sizeof *sorted, by_place_and_hash);
    for (size_t begin = 0, end; begin < all->n; begin = end) {
        const trace *first = sorted[begin];
        for (end = begin; end < all->n && sorted[end]->task == first->task &&
                          sorted[end]->locator == first->locator;)
            end++;
        if (draw(sorted + begin, end - begin))
            (*drawn_down)[first->task] = true;
    }
    return RDV_OK;
}
