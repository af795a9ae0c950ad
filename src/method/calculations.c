/* SPDX-License-Identifier: Apache-2.0 */
/* The method `calculations` (spec section 6): every calculation of a step is decided exactly,
 * without a model. A step with a wrong calculation contradicts; otherwise one with a right
 * calculation supports; a step without calculations is unrelated, which costs nothing (l0 = 0); a
 * step with only undecided ones is unknown. An unrelated step with a text that looks like a
 * calculation, and was not read as one, says so. */
#include "method/method.h"
#include "method/unread_calculation.h"
#include "method/value_flow.h"

#include "base/arena.h"
#include "base/str.h"

#include <rederive/math.h>

#include <math.h>

static rdv_verdict_kind verdict_of(const rdv_calc *calcs, size_t n)
{
    bool right = false, undecided = false;
    for (size_t i = 0; i < n; i++) {
        if (calcs[i].kind == RDV_CALC_WRONG)
            return RDV_CONTRADICT;
        right |= calcs[i].kind == RDV_CALC_RIGHT || calcs[i].kind == RDV_CALC_ROUNDED;
        undecided |= calcs[i].kind == RDV_CALC_UNDECIDED;
    }
    return right ? RDV_SUPPORT : undecided ? RDV_UNKNOWN : RDV_UNRELATED;
}

static const rdv_calc *first_of(const rdv_calc *calcs, size_t n, rdv_calc_kind is)
{
    for (size_t i = 0; i < n; i++)
        if (calcs[i].kind == is)
            return &calcs[i];
    return NULL;
}

/* A statement in words has no equality sign, and is told as it stands in the step. */
static rdv_str statement(const rdv_calc *c, rdv_str step, rdv_arena *arena)
{
    rdv_str text = rdv_slice(step, c->begin, c->end);
    bool signs = rdv_find_char(text, '=', 0) != RDV_NOT_FOUND;
    return signs ? rdv_str_printf(arena, "%.*s = %.*s", RDV_FMT(c->lhs), RDV_FMT(c->rhs)) : text;
}

/* One line for readers. p == NULL with *ok true: there is nothing to add. */
static rdv_str why(const rdv_calc *calcs, size_t n, rdv_verdict_kind is, rdv_str step,
                   rdv_arena *arena, bool *ok)
{
    rdv_str line = {0};
    const rdv_calc *c;
    *ok = true;
    if (is == RDV_CONTRADICT) {
        c = first_of(calcs, n, RDV_CALC_WRONG);
        line = wrong_calculation_says(c, arena);
        *ok = line.p != NULL;
    } else if (is == RDV_UNKNOWN) {
        c = first_of(calcs, n, RDV_CALC_UNDECIDED);
        line = statement(c, step, arena);
        if (line.p)
            line = rdv_str_printf(arena, "%.*s: %.*s", RDV_FMT(line), RDV_FMT(c->note));
        *ok = line.p != NULL;
    }
    return line;
}

/* What was passed over in a step in which nothing was read; p == NULL with *ok true: nothing. */
static rdv_str why_unrelated(rdv_str step, rdv_arena *arena, bool *ok)
{
    rdv_str unit, text = unread_calculation(step, NULL, 0, &unit), line = {0};
    *ok = true;
    if (!text.p)
        return line;
    line = unit.p ? rdv_str_printf(arena, "not read, because of the unit %.*s: %.*s", RDV_FMT(unit),
                                   RDV_FMT(text))
                  : rdv_str_printf(arena, "not read: %.*s", RDV_FMT(text));
    *ok = line.p != NULL;
    return line;
}

/* Is the value that of something else than the left side of the equation, of the unknown say? */
static bool is_of_another(rdv_str text, rdv_str lhs)
{
    return !rdv_starts(text, lhs) && rdv_find(text, RDV_STR("="), 0) != RDV_NOT_FOUND;
}

static bool note_calculation(rdv_arena *arena, rdv_evidence *list, rdv_str step, const rdv_calc *c)
{
    rdv_evidence *map = rdv_evidence_map(arena, list, (rdv_str){0});
    bool ok =
        map && rdv_evidence_text(arena, map, RDV_STR("text"), rdv_slice(step, c->begin, c->end)) &&
        rdv_evidence_text(arena, map, RDV_STR("outcome"), rdv_str_of(rdv_calc_name(c->kind))) &&
        rdv_evidence_number(arena, map, RDV_STR("start"), (double)c->begin) &&
        rdv_evidence_number(arena, map, RDV_STR("end"), (double)c->end);
    if (ok && c->value.p)
        ok = rdv_evidence_text(arena, map, RDV_STR("value"), c->value);
    if (ok && c->kind == RDV_CALC_WRONG && is_of_another(rdv_slice(step, c->begin, c->end), c->lhs))
        ok = rdv_evidence_text(arena, map, RDV_STR("of"), c->lhs);
    if (ok && c->note.p)
        ok = rdv_evidence_text(arena, map, RDV_STR("note"), c->note);
    if (ok && c->marked)
        ok = rdv_evidence_flag(arena, map, RDV_STR("annotation"), true);
    return ok;
}

/* With `values`, what no calculation makes wrong: a number that comes from nowhere makes the step
 * unrelated, what is unread makes it unknown, each with its reason. */
static int follow_values(value_flow *flow, rdv_str step, const rdv_calc *calcs, size_t n,
                         rdv_arena *arena, rdv_verdict *v, rdv_error *err)
{
    rdv_str before = value_flow_last(flow);
    value_fault fault;
    int r = value_flow_step(flow, step, calcs, n, &fault, err);
    if (r != RDV_OK || !fault.is || v->kind == RDV_CONTRADICT)
        return r;
    v->kind = fault.is == VALUE_NOT_FOUND ? RDV_UNRELATED : RDV_UNKNOWN;
    v->score = v->kind == RDV_UNKNOWN ? NAN : 1;
    v->why = value_fault_says(&fault, before, arena);
    return v->why.p ? RDV_OK : rdv_no_memory(err);
}

/* flow: of `values`; NULL: calculations alone. */
static int check_step(rdv_calculator *calculator, value_flow *flow, rdv_str step, rdv_arena *arena,
                      rdv_verdict *v, rdv_error *err)
{
    rdv_calc *calcs;
    size_t n;
    int r = rdv_calculator_step(calculator, step, &calcs, &n, err);
    if (r < 0)
        return r;
    bool ok;
    v->kind = verdict_of(calcs, n);
    v->score = v->kind == RDV_UNKNOWN ? NAN : v->kind == RDV_CONTRADICT ? 0 : 1;
    v->why = v->kind == RDV_UNRELATED ? why_unrelated(step, arena, &ok)
                                      : why(calcs, n, v->kind, step, arena, &ok);
    if (ok && n) {
        v->evidence = rdv_evidence_map(arena, NULL, (rdv_str){0});
        rdv_evidence *list =
            v->evidence ? rdv_evidence_list(arena, v->evidence, RDV_STR("calculations")) : NULL;
        ok = list != NULL;
        for (size_t i = 0; i < n && ok; i++)
            ok = note_calculation(arena, list, step, &calcs[i]);
    }
    if (!ok)
        return rdv_no_memory(err);
    return flow ? follow_values(flow, step, calcs, n, arena, v, err) : RDV_OK;
}

static int compute(const method_entry *self, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err)
{
    rdv_calculator *calculator = rdv_calculator_new(arena, chain->question.text);
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain->n_steps);
    bool follows = self->data != NULL;
    value_flow *flow = follows ? value_flow_new(arena, chain->question.text) : NULL;
    int r = calculator && verdicts && (flow || !follows) ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_steps && r == RDV_OK; i++) {
        verdicts[i].step = i;
        r = check_step(calculator, flow, chain->steps[i], arena, &verdicts[i], err);
    }
    rdv_calculator_free(&calculator);
    return r == RDV_OK
               ? method_integrate(&self->method, options, verdicts, chain->n_steps, check, err)
               : r;
}

const method_entry method_calculations = {
    .method = {.name = "calculations",
               .summary = "every calculation decided exactly, without a model",
               .l1 = 1,
               .l0 = 0},
    .compute = compute,
};

const method_entry method_values = {
    .method = {.name = "values",
               .summary = "calculations, and whether each number was found before",
               .l1 = 1,
               .l0 = 0},
    .compute = compute,
    .data = "values", /* any: numbers are followed */
};
