/* SPDX-License-Identifier: Apache-2.0 */
/* The method `calculations` (spec section 6): every calculation of a step is decided exactly,
 * without a model. A step with a wrong calculation contradicts; otherwise one with an undecided
 * calculation, or with a text that looks like a calculation and was not read, is unknown, whatever
 * is right beside it; one of which all was read and decided, with a right calculation, supports; a
 * step without any is unrelated, which costs nothing (l0 = 0). What the chain itself corrects later
 * decides nothing; a step of reasoning with a false one that nothing of the reply comes from is
 * unrelated, whatever is right beside it. What was not read is told beside every verdict. */
#include "method/chain_calculator.h"
#include "method/cut_off.h"
#include "method/method.h"
#include "method/unread/unread_calculation.h"
#include "method/unread/unread_statement.h"
#include "method/value_flow.h"

#include "base/arena.h"
#include "base/str.h"
#include "chain/evidence.h"
#include "decide/claim.h"
#include "decide/later/self_corrected.h"
#include "decide/later/unused.h"

#include <rederive/math.h>

#include <math.h>

/* Of a step with a limit of time: what is read before the first claim is linear in its bytes. */
#define LIMITED_BYTES ((size_t)64 * 1024)
#define N_KINDS (RDV_CALC_UNUSED + 1)
#define LINE_MAX 200 /* bytes of an explanation that has room for what was not read */

/* What stands in one step. */
typedef struct contents {
    rdv_str step;
    calc_list *calcs;
    const rdv_calc *first[N_KINDS]; /* of each kind, or NULL */
    unread_calculation *unread;
    size_t n_unread;
} contents;

/* Of a long step, as copies, since its calculations are not in memory all the time. */
static int find_first(contents *c, rdv_arena *arena)
{
    for (size_t i = 0; i < c->calcs->n; i++) {
        const rdv_calc *calc = calc_list_see(c->calcs, i);
        if (c->first[calc->kind])
            continue;
        rdv_calc *copy = c->calcs->pages ? rdv_alloc(arena, sizeof *copy) : NULL;
        if (c->calcs->pages && !copy)
            return RDV_E_NOMEM;
        c->first[calc->kind] = copy ? memcpy(copy, calc, sizeof *copy) : calc;
    }
    return RDV_OK;
}

static rdv_verdict_kind verdict_of(const contents *c)
{
    bool right = c->first[RDV_CALC_RIGHT] || c->first[RDV_CALC_ROUNDED];
    if (c->first[RDV_CALC_WRONG])
        return RDV_CONTRADICT;
    if (c->first[RDV_CALC_UNDECIDED] || c->n_unread)
        return RDV_UNKNOWN;
    return right && !c->first[RDV_CALC_UNUSED] ? RDV_SUPPORT : RDV_UNRELATED;
}

/* A statement in words has no equality sign, and is told as it stands in the step. */
static rdv_str statement(const rdv_calc *c, rdv_str step, rdv_arena *arena)
{
    rdv_str text = rdv_slice(step, c->begin, c->end);
    bool signs = rdv_find_char(text, '=', 0) != RDV_NOT_FOUND;
    return signs ? rdv_str_printf(arena, "%.*s = %.*s", RDV_FMT(c->lhs), RDV_FMT(c->rhs)) : text;
}

/* What is wrong, and decides nothing, in a line. */
static rdv_str why_unrelated(const contents *c, rdv_arena *arena)
{
    const rdv_calc *is = c->first[RDV_CALC_UNUSED];
    bool unused = is != NULL;
    is = unused ? is : c->first[RDV_CALC_SELF_CORRECTED];
    rdv_str line = is->value.p && is->claim.p ? wrong_calculation_says(is, arena)
                                              : statement(is, c->step, arena);
    if (!line.p)
        return line;
    return unused ? rdv_str_printf(arena, "%.*s; the reply uses nothing of it", RDV_FMT(line))
                  : rdv_str_printf(arena, "%.*s; step %zu corrects it", RDV_FMT(line),
                                   is->corrected.step);
}

/* What decides the verdict, in a line. p == NULL with *ok true: there is nothing to say. */
static rdv_str why_decided(const contents *c, rdv_verdict_kind is, rdv_arena *arena, bool *ok)
{
    rdv_str line = {0};
    const rdv_calc *undecided = c->first[RDV_CALC_UNDECIDED];
    bool given_up = c->first[RDV_CALC_SELF_CORRECTED] || c->first[RDV_CALC_UNUSED];
    *ok = true;
    if (is == RDV_CONTRADICT) {
        line = wrong_calculation_says(c->first[RDV_CALC_WRONG], arena);
        *ok = line.p != NULL;
    } else if (is == RDV_UNRELATED && given_up) {
        line = why_unrelated(c, arena);
        *ok = line.p != NULL;
    } else if (is == RDV_UNKNOWN && undecided) {
        line = statement(undecided, c->step, arena);
        if (line.p)
            line = rdv_str_printf(arena, "%.*s: %.*s", RDV_FMT(line), RDV_FMT(undecided->note));
        *ok = line.p != NULL;
    }
    return line;
}

/* The line with the rule of language that left the step undecided, if one did: "[supposed]". */
static rdv_str with_rule(const contents *c, rdv_verdict_kind is, rdv_str line, rdv_arena *arena,
                         bool *ok)
{
    const rdv_calc *undecided = c->first[RDV_CALC_UNDECIDED];
    if (is != RDV_UNKNOWN || !undecided || !undecided->rule.p)
        return line;
    line = rdv_str_printf(arena, "%.*s [%.*s]", RDV_FMT(line), RDV_FMT(undecided->rule));
    *ok = line.p != NULL;
    return line;
}

/* One line for readers, with what was not read beside it where there is room. p == NULL with *ok
 * true: there is nothing to add. */
static rdv_str why(const contents *c, rdv_verdict_kind is, rdv_arena *arena, bool *ok)
{
    rdv_str line = why_decided(c, is, arena, ok);
    if (!*ok)
        return line;
    if (c->n_unread == 0)
        return with_rule(c, is, line, arena, ok);
    rdv_str unread = unread_calculations_say(c->unread, c->n_unread, c->step, arena);
    if (unread.p && line.p && line.len + unread.len < LINE_MAX)
        line = rdv_str_printf(arena, "%.*s; %.*s", RDV_FMT(line), RDV_FMT(unread));
    else if (!line.p)
        line = unread;
    *ok = unread.p && line.p;
    return *ok ? with_rule(c, is, line, arena, ok) : line;
}

/* Is the value that of something else than the left side of the equation, of the unknown say? One
 * that rests on something (its note) names what it is the value of, too. */
static bool is_of_another(rdv_str text, rdv_str lhs)
{
    return !rdv_starts(text, lhs) && rdv_find(text, RDV_STR("="), 0) != RDV_NOT_FOUND;
}

static bool note_correction(rdv_arena *arena, rdv_evidence *map, const rdv_calc *c)
{
    return rdv_evidence_number(arena, map, RDV_STR("corrected_step"), (double)c->corrected.step) &&
           rdv_evidence_number(arena, map, RDV_STR("corrected_start"),
                               (double)c->corrected.begin) &&
           rdv_evidence_number(arena, map, RDV_STR("corrected_end"), (double)c->corrected.end);
}

static bool note_calculation(rdv_arena *arena, rdv_evidence *list, rdv_str step, const rdv_calc *c)
{
    rdv_evidence *map = rdv_evidence_map(arena, list, (rdv_str){0});
    bool ok =
        map && rdv_evidence_text(arena, map, RDV_STR("text"), rdv_slice(step, c->begin, c->end)) &&
        rdv_evidence_text(arena, map, RDV_STR("outcome"), rdv_str_of(rdv_calc_name(c->kind))) &&
        rdv_evidence_number(arena, map, RDV_STR("start"), (double)c->begin) &&
        rdv_evidence_number(arena, map, RDV_STR("end"), (double)c->end);
    bool wrong = c->kind == RDV_CALC_WRONG || c->kind == RDV_CALC_UNUSED;
    bool turned = wrong && wrong_calculation_is_turned(c);
    if (ok && c->value.p)
        ok = rdv_evidence_text(arena, map, RDV_STR("value"), turned ? c->claim : c->value);
    if (ok && (turned ||
               (wrong && (c->note.p || is_of_another(rdv_slice(step, c->begin, c->end), c->lhs)))))
        ok = rdv_evidence_text(arena, map, RDV_STR("of"), turned ? c->rhs : c->lhs);
    if (ok && c->note.p)
        ok = rdv_evidence_text(arena, map, RDV_STR("note"), c->note);
    if (ok && c->rule.p)
        ok = rdv_evidence_text(arena, map, RDV_STR("rule"), c->rule);
    if (ok && c->read_by.p)
        ok = rdv_evidence_text(arena, map, RDV_STR("read_by"), c->read_by);
    if (ok && c->marked)
        ok = rdv_evidence_flag(arena, map, RDV_STR("annotation"), true);
    return ok && c->kind == RDV_CALC_SELF_CORRECTED ? note_correction(arena, map, c) : ok;
}

/* The calculations of a long step, which are listed when they are written. */
typedef struct long_step {
    calculation_source source;
    calc_list *calcs;
    rdv_str step;
    bool has[N_KINDS]; /* outcomes */
} long_step;

static bool note_at(void *of, size_t i, rdv_arena *arena, rdv_evidence *list)
{
    const long_step *step = of;
    return note_calculation(arena, list, step->step, calc_list_see(step->calcs, i));
}

static bool has_outcome(const void *of, rdv_str outcome)
{
    const long_step *step = of;
    bool has = false;
    for (size_t is = 0; is < N_KINDS; is++)
        has |= step->has[is] && rdv_str_eq(outcome, rdv_str_of(rdv_calc_name((rdv_calc_kind)is)));
    return has;
}

static bool note_long(const contents *c, rdv_arena *arena, rdv_evidence *map)
{
    long_step *step = RDV_NEW(arena, long_step);
    if (!step)
        return false;
    *step = (long_step){.calcs = c->calcs, .step = c->step};
    step->source =
        (calculation_source){.of = step, .n = c->calcs->n, .has = has_outcome, .note = note_at};
    for (size_t is = 0; is < N_KINDS; is++)
        step->has[is] = c->first[is] != NULL;
    return evidence_calculations(arena, map, &step->source) != NULL;
}

static bool note_calculations(const contents *c, rdv_arena *arena, rdv_evidence *map)
{
    if (c->calcs->pages)
        return note_long(c, arena, map);
    rdv_evidence *list = c->calcs->n ? rdv_evidence_list(arena, map, RDV_STR("calculations")) : map;
    bool ok = list != NULL;
    for (size_t i = 0; i < c->calcs->n && ok; i++)
        ok = note_calculation(arena, list, c->step, calc_list_see(c->calcs, i));
    return ok;
}

/* NULL with *ok true: there is nothing to note. */
static rdv_evidence *note(const contents *c, rdv_arena *arena, bool *ok)
{
    *ok = true;
    if (!c->calcs->n && !c->n_unread)
        return NULL;
    rdv_evidence *map = rdv_evidence_map(arena, NULL, (rdv_str){0});
    *ok = map && note_calculations(c, arena, map) &&
          unread_calculations_note(c->unread, c->n_unread, c->step, arena, map);
    return map;
}

/* With `values`, what no calculation makes wrong: a number that comes from nowhere makes the step
 * unrelated, what is unread makes it unknown, each with its reason. */
static int follow_values(value_flow *flow, rdv_str step, calc_list *calcs, rdv_arena *arena,
                         rdv_verdict *v, rdv_error *err)
{
    rdv_str before = value_flow_last(flow);
    value_fault fault;
    int r = value_flow_step(flow, step, calcs, &fault, err);
    if (r != RDV_OK || !fault.is || v->kind == RDV_CONTRADICT)
        return r;
    v->kind = fault.is == VALUE_NOT_FOUND ? RDV_UNRELATED : RDV_UNKNOWN;
    v->score = v->kind == RDV_UNKNOWN ? NAN : 1;
    v->why = value_fault_says(&fault, before, arena);
    return v->why.p ? RDV_OK : rdv_no_memory(err);
}

/* The steps of a chain, and the processor time that they may take. */
typedef struct steps_read {
    step_calcs *at;
    rdv_str *left; /* why a step was not read to its end; p == NULL: it was */
    uint32_t step_ms;
    uint64_t late_at; /* by calculator_thread_ns(); 0: never */
} steps_read;

static bool is_time_over(const steps_read *s)
{
    return s->late_at && calculator_thread_ns() >= s->late_at;
}

/* With limits, a step beyond them is left out, and the others are read. */
static int leave_step(steps_read *s, size_t i, rdv_str why, rdv_arena *arena, rdv_error *err)
{
    s->left[i] = rdv_str_copy(arena, why);
    s->at[i].calcs = (calc_list){0};
    *err = (rdv_error){0};
    return s->left[i].p ? RDV_OK : rdv_no_memory(err);
}

static int read_step(rdv_calculator *calculator, const rdv_chain *chain, size_t i, steps_read *s,
                     rdv_arena *arena, rdv_error *err)
{
    step_calcs *out = &s->at[i];
    *out = (step_calcs){.step = chain->steps[i]};
    if (is_time_over(s))
        return leave_step(s, i, RDV_STR("the steps before it took all the time that there is"),
                          arena, err);
    if (s->step_ms && out->step.len > LIMITED_BYTES)
        return leave_step(s, i, RDV_STR("the step has more than 64 KiB"), arena, err);
    rdv_calculator_set_reasoning(calculator,
                                 i<chain->n_reasoning_steps, chain->n_reasoning_steps> 0);
    int r = calculator_step(calculator, out->step, &out->calcs, err);
    if (r == RDV_E_LIMIT && s->step_ms)
        return leave_step(s, i, rdv_str_of(err->msg), arena, err);
    if (r == RDV_OK && i + 1 == chain->n_steps)
        cut_off_withhold(chain, out->step, &out->calcs);
    return r;
}

/* What the chain says later of its calculations. RDV_OK or RDV_E_NOMEM. */
static int mark_steps(const rdv_chain *chain, const rdv_check_options *options, step_calcs *steps)
{
    size_t n = chain->n_steps, n_thought = chain->n_reasoning_steps;
    rdv_arena *arena = rdv_arena_new(0); /* the numbers of a long chain are many */
    int r = arena ? self_corrected_mark(steps, n, n_thought, options->rules, arena) : RDV_E_NOMEM;
    if (r >= 0)
        r = unused_mark(steps, n, n_thought, arena);
    rdv_arena_free(&arena);
    return r;
}

/* The calculations of all steps, each decided with all others known. */
static int read_steps(rdv_calculator *calculator, const rdv_chain *chain,
                      const rdv_check_options *options, rdv_arena *arena, steps_read *s,
                      rdv_error *err)
{
    *s = (steps_read){.at = RDV_NEW_ARRAY(arena, step_calcs, chain->n_steps),
                      .left = RDV_NEW_ARRAY(arena, rdv_str, chain->n_steps),
                      .step_ms = options->step_ms};
    int r = s->at && s->left ? RDV_OK : rdv_no_memory(err);
    if (options->chain_ms)
        s->late_at = calculator_thread_ns() + (uint64_t)options->chain_ms * 1000000;
    rdv_calculator_set_limit(calculator, (uint64_t)s->step_ms * 1000000);
    for (size_t i = 0; i < chain->n_steps && r == RDV_OK; i++)
        r = read_step(calculator, chain, i, s, arena, err);
    return r == RDV_OK && mark_steps(chain, options, s->at) < 0 ? rdv_no_memory(err) : r;
}

/* What a step is checked with. */
typedef struct step_check {
    rdv_calculator *calculator;
    value_flow *flow;     /* of `values`; NULL: calculations alone */
    given_numbers *given; /* by the question and the steps before */
    rdv_arena *arena;
    rdv_coverage *coverage;
} step_check;

/* What was not read of the step. Beside right calculations alone, a number that is only stated is
 * not read either. */
static int find_unread(step_check *s, rdv_str folded, contents *c)
{
    int r = unread_calculations(folded, c->calcs, s->arena, &c->unread, &c->n_unread);
    return r != RDV_OK || verdict_of(c) != RDV_SUPPORT
               ? r
               : unread_statement_list(s->given, folded, c->calcs, s->arena, &c->unread,
                                       &c->n_unread);
}

/* The calculations are let go of, but for those of a long step. folded: the step, of the same
 * length: what is not read there is not for its decimal commas. */
static int check_step(step_check *s, step_calcs *read, rdv_str folded, rdv_verdict *v,
                      rdv_error *err)
{
    contents c = {.step = read->step, .calcs = &read->calcs};
    rdv_arena *arena = s->arena;
    if (calc_list_keep(c.calcs) < 0 || find_first(&c, arena) < 0 || find_unread(s, folded, &c) < 0)
        return rdv_no_memory(err);
    unread_calculations_count(c.calcs, c.unread, c.n_unread, s->coverage);
    bool told, noted;
    v->kind = verdict_of(&c);
    v->score = v->kind == RDV_UNKNOWN ? NAN : v->kind == RDV_CONTRADICT ? 0 : 1;
    v->why = why(&c, v->kind, arena, &told);
    v->evidence = note(&c, arena, &noted);
    if (!told || !noted)
        return rdv_no_memory(err);
    int r = s->flow ? follow_values(s->flow, c.step, c.calcs, arena, v, err) : RDV_OK;
    if (!c.calcs->pages)
        rdv_give_back(arena, c.calcs->at, c.calcs->n * sizeof *c.calcs->at);
    return r;
}

/* The verdict on a step that was not read to its end. */
static void leave_verdict(rdv_str why, rdv_verdict *v, rdv_coverage *coverage)
{
    v->kind = RDV_UNKNOWN;
    v->score = NAN;
    v->why = why;
    coverage->unread[RDV_UNREAD_OTHER]++;
}

static int check_steps(step_check *s, const rdv_chain *chain, steps_read *read,
                       rdv_verdict *verdicts, rdv_error *err)
{
    rdv_str folded;
    int r = RDV_OK;
    if (rdv_calculator_fold(s->calculator, chain->question.text, &folded) < 0)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_steps && r == RDV_OK; i++) {
        if (given_numbers_add(s->given, folded) < 0 || /* the text before */
            rdv_calculator_fold(s->calculator, chain->steps[i], &folded) < 0)
            return rdv_no_memory(err);
        verdicts[i].step = i;
        if (read->left[i].p)
            leave_verdict(read->left[i], &verdicts[i], s->coverage);
        else
            r = check_step(s, &read->at[i], folded, &verdicts[i], err);
    }
    return r;
}

static int compute(const method_entry *self, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err)
{
    rdv_calculator *calculator = chain_calculator_new(chain, options, arena);
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain->n_steps);
    check->coverage = RDV_NEW(arena, rdv_coverage);
    bool follows = self->data != NULL;
    step_check s = {.calculator = calculator,
                    .given = given_numbers_new(arena),
                    .arena = arena,
                    .coverage = check->coverage};
    if (follows)
        s.flow =
            value_flow_new(arena, chain->question.text, chain_decimal(chain, options->decimal));
    bool made = calculator && verdicts && check->coverage && s.given && (s.flow || !follows);
    int r = made ? RDV_OK : rdv_no_memory(err);
    steps_read read;
    if (made)
        r = read_steps(calculator, chain, options, arena, &read, err);
    if (r == RDV_OK)
        r = check_steps(&s, chain, &read, verdicts, err);
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
