/* SPDX-License-Identifier: Apache-2.0 */
/* The verifiers that ask a model about each step several times: relevance, mathematical accuracy,
 * logical consistency. A step's score is the mean of its samples (section 3.4), where at least one
 * could be read; one that could not counts as neither for nor against. */
#include "chain/note.h"
#include "method/verifier.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/read.h"

#include <math.h>

/* What one reply said. */
typedef struct sample {
    struct sampled *of;
    size_t step;
    node *node;
    rdv_str said;       /* the sentence that decides */
    rdv_verdict_is is;  /* relevance, consistency */
    read_claim *claims; /* math */
    size_t n_claims;
    int holds; /* 1, 0; -1: nothing that counts */
} sample;

typedef struct sampled {
    check_run run; /* the first member: the run is this */
    rdv_verifier_is is;
    size_t k;
    sample *samples;         /* k of each step, one after the other; step 0 may have none */
    const rdv_check *before; /* a search: of the steps that the chain had already; or NULL */
    size_t known;            /* so many steps */
} sampled;

/* What is particular to a verifier. */
typedef struct asks {
    const char *prompt, *dry;
    /* NULL: a list */
    int (*read)(rdv_str reply, rdv_profile profile, rdv_verdict_is *out, rdv_str *why);
} asks;

static const asks kinds[RDV_N_VERIFIERS] = {
    [RDV_VERIFIER_RELEVANCE] = {"general/relevance", "Yes, the solution is relevant.",
                                read_relevance},
    [RDV_VERIFIER_MATH] = {"general/math",
                           "{[{\"lhs\": \"12 + 30\", \"op\": \"=\", \"rhs\": \"42\"}]}\n```", NULL},
    [RDV_VERIFIER_CONSISTENCY] = {"general/consistency",
                                  "not contradicting any information from the Previous Steps.",
                                  read_consistency},
};

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
}

/* ---- asking and reading ---------------------------------------------------------------------- */

static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    const sample *s = n->data;
    stage_view v = {.run = &s->of->run, .step = s->step, .earlier = true};
    int r = stage_ask(&v, kinds[s->of->is].prompt, false, n, arena, request, err);
    if (r != RDV_OK)
        return r;
    request->party = RDV_CHECKER;
    /* An open reply: the paper's prompt ends in the middle of one. */
    if (request->messages[request->n_messages - 1].role == RDV_ASSISTANT)
        request->is = RDV_ASK_CONTINUE;
    return RDV_OK;
}

static int read(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    sample *s = n->data;
    const asks *kind = &kinds[s->of->is];
    rdv_str text = rdv_str_copy(arena, rdv_trim(reply->text));
    if (!text.p)
        return out_of_memory(err);
    int r = kind->read ? kind->read(text, s->of->run.plan->options.profile, &s->is, &s->said)
                       : read_claims(text, arena, &s->claims, &s->n_claims);
    if (r < 0)
        return rdv_fail(err, r, "out of memory while reading a reply");
    if (r == RDV_NONE)
        n->why = RDV_STR("the reply could not be read");
    return r;
}

static const node_kind sample_node = {.ask = ask, .read = read};

/* ---- one step -------------------------------------------------------------------------------- */

/* The samples of a step, added up. */
typedef struct summary {
    size_t read, held;
    size_t unread, undecided, dropped;
    bool wrong;  /* our own calculator found the step wrong, whatever the samples say */
    rdv_str why; /* of the first that does not hold, or that could not be had */
} summary;

static sample *samples_of(const sampled *s, size_t step)
{
    return s->samples + step * s->k;
}

static void add(summary *sum, const sample *s, rdv_str why)
{
    if (s->node->state != NODE_ANSWERED) {
        sum->unread++;
        if (!sum->why.p)
            sum->why = s->node->why;
        return;
    }
    sum->undecided += s->holds < 0;
    sum->read += s->holds >= 0;
    sum->held += s->holds > 0;
    if (s->holds == 0 && (sum->held + 1 == sum->read || !sum->why.p))
        sum->why = why.p ? why : s->said;
}

/* A sample that failed or decided nothing must not weigh like those that support. */
static double mean(const summary *sum)
{
    size_t neither = sum->unread + sum->undecided;
    double held = (double)sum->held + (sum->wrong ? 0 : RDV_NEITHER) * (double)neither;
    return sum->read ? held / (double)(sum->read + neither) : NAN;
}

/* s / sqrt(k) with s the standard deviation of the 0/1 outcomes; NaN for a single one. */
static double standard_error(const summary *sum)
{
    double p = sum->read ? (double)sum->held / (double)sum->read : NAN;
    return sum->read > 1 ? sqrt(p * (1 - p) / (double)(sum->read - 1)) : NAN;
}

static bool note_count(rdv_arena *arena, rdv_note *map, const char *name, size_t n)
{
    return !n || rdv_note_number(arena, map, rdv_str_of(name), (double)n);
}

static bool note_summary(rdv_arena *arena, rdv_note *map, const summary *sum)
{
    double se = standard_error(sum);
    return rdv_note_number(arena, map, RDV_STR("n_samples"), (double)sum->read) &&
           (isnan(se) || rdv_note_number(arena, map, RDV_STR("stderr"), se)) &&
           note_count(arena, map, "n_unparsed", sum->unread) &&
           note_count(arena, map, "n_undecided", sum->undecided) &&
           note_count(arena, map, "n_dropped", sum->dropped);
}

/* The notes of `list`, which is nowhere yet, under that name in a map. */
static bool attach(rdv_arena *arena, rdv_note *map, const char *name, const rdv_note *list)
{
    rdv_note *at = rdv_note_list(arena, map, rdv_str_of(name));
    if (at && list) {
        at->first = list->first;
        at->last = list->last;
    }
    return at != NULL;
}

/* {"satisfied":true,"conclusion":"..."}; of a list (not NULL) its calculations. */
static bool note_sample(rdv_arena *arena, rdv_note *list, const sample *s, const listed *l)
{
    rdv_note *map = rdv_note_map(arena, list, (rdv_str){0});
    bool ok = map && (s->holds < 0
                          ? rdv_note_null(arena, map, RDV_STR("satisfied")) != NULL
                          : rdv_note_flag(arena, map, RDV_STR("satisfied"), s->holds > 0) != NULL);
    if (!ok)
        return false;
    return l ? attach(arena, map, "calculations", l->note)
             : rdv_note_text(arena, map, RDV_STR("conclusion"), s->said) != NULL;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* What is needed to conclude on a step. */
typedef struct concluding {
    const sampled *s;
    rdv_arena *arena;
    rdv_calculator *calculator; /* math */
    size_t step;
    step_numbers numbers; /* math */
    listed own;           /* math: what we find ourselves */
    rdv_note *samples;
    summary sum;
} concluding;

static bool both(const concluding *c)
{
    return c->s->run.plan->options.check.math == RDV_MATH_BOTH;
}

/* Does a list, of which no item counts, stand for a step in which there is a calculation? In the
 * paper whatever is not listed wrong is satisfied. */
static bool says_nothing(const concluding *c, const listed *l)
{
    bool counted = l->note && l->note->first;
    return c->s->run.plan->options.profile == RDV_ROBUST && !counted && c->own.note;
}

/* What a list comes to; with our own findings, where they count. */
static int decide_list(concluding *c, sample *one, listed *l, rdv_error *err)
{
    int r = listed_decide(c->calculator, one->claims, one->n_claims, &c->numbers, c->arena, l, err);
    one->holds = r == RDV_OK && says_nothing(c, l) ? -1 : l->holds;
    if (!both(c) || c->own.holds < 0)
        return r;
    one->holds = one->holds < 0 ? c->own.holds : one->holds && c->own.holds;
    if (!l->why.p)
        l->why = c->own.why;
    return r;
}

static int take_sample(concluding *c, sample *one, rdv_error *err)
{
    listed l = {0};
    bool list = c->s->is == RDV_VERIFIER_MATH;
    if (one->node->state != NODE_ANSWERED) {
        add(&c->sum, one, (rdv_str){0});
        return RDV_OK;
    }
    one->holds = one->is == RDV_SUPPORT;
    int r = list ? decide_list(c, one, &l, err) : RDV_OK;
    if (r < 0)
        return r;
    add(&c->sum, one, l.why);
    c->sum.dropped += l.dropped;
    return note_sample(c->arena, c->samples, one, list ? &l : NULL) ? RDV_OK : out_of_memory(err);
}

/* The numbers of the step, and its calculations as we find them. The calculator then knows the
 * step: a list may say in any order what stands there. */
static int look_at_step(concluding *c, rdv_error *err)
{
    rdv_str text = c->s->run.chain->steps[c->step];
    bool words = c->s->run.plan->options.profile == RDV_ROBUST;
    if (step_numbers_of(text, words, c->arena, &c->numbers) < 0)
        return out_of_memory(err);
    return listed_native(c->calculator, text, c->arena, &c->own, err);
}

static int judge(concluding *c, rdv_verdict *v, rdv_error *err)
{
    c->sum.wrong = both(c) && c->s->is == RDV_VERIFIER_MATH && c->own.holds == 0;
    /* Our own findings alone, where there are some and no reply could be read. */
    bool alone = both(c) && !c->sum.read && c->own.note && c->own.holds >= 0 &&
                 c->s->is == RDV_VERIFIER_MATH;
    verifier_judge(v, alone ? c->own.holds : mean(&c->sum));
    if (v->is != RDV_SUPPORT)
        v->why = alone ? c->own.why : c->sum.why;
    if (v->is == RDV_UNKNOWN && !v->why.p)
        v->why = RDV_STR("no calculation could be decided");
    bool ok = note_summary(c->arena, v->evidence, &c->sum);
    if (ok && c->s->is == RDV_VERIFIER_MATH && both(c))
        ok = attach(c->arena, v->evidence, "native_calculations", c->own.note);
    return ok ? RDV_OK : out_of_memory(err);
}

/* The first step contradicts nothing before it (spec section 4). */
static bool is_given(const sampled *s, size_t step)
{
    return s->is == RDV_VERIFIER_CONSISTENCY && step == 0;
}

static int conclude_step(const sampled *s, rdv_calculator *calculator, size_t step, rdv_verdict *v,
                         rdv_error *err)
{
    concluding c = {.s = s, .arena = s->run.plan->arena, .calculator = calculator, .step = step};
    *v = (rdv_verdict){.step = step};
    v->evidence = rdv_note_map(c.arena, NULL, (rdv_str){0});
    c.samples = v->evidence ? rdv_note_list(c.arena, v->evidence, RDV_STR("samples")) : NULL;
    int r = !c.samples ? out_of_memory(err) : calculator ? look_at_step(&c, err) : RDV_OK;
    for (size_t i = 0; i < s->k && r == RDV_OK; i++)
        r = take_sample(&c, &samples_of(s, step)[i], err);
    return r == RDV_OK ? judge(&c, v, err) : r;
}

/* A step that was asked about when the chain was shorter. */
static int take_known(const sampled *s, rdv_calculator *calculator, size_t step, rdv_verdict *v,
                      rdv_error *err)
{
    rdv_calc *calcs;
    size_t n;
    *v = s->before->verdicts[step];
    return calculator ? rdv_calculator_step(calculator, s->run.chain->steps[step], &calcs, &n, err)
                      : RDV_OK;
}

/* A score that is given counts only beside scores that were read (spec section 1). */
static void give(rdv_verdict *verdicts, size_t step, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n && !any; i++)
        any = i != step && !isnan(verdicts[i].score);
    verdicts[step] = (rdv_verdict){.step = step};
    verifier_judge(&verdicts[step], any ? 1 : NAN);
    if (!any)
        verdicts[step].why = RDV_STR("not asked, and nothing else was read");
}

static void count_calls(sampled *s)
{
    if (s->before) {
        s->run.check.calls += s->before->calls;
        s->run.check.prompt_tokens += s->before->prompt_tokens;
        s->run.check.completion_tokens += s->before->completion_tokens;
    }
    for (size_t i = 0; i < s->k * s->run.chain->n_steps; i++) {
        const node *asked = s->samples[i].node;
        if (!asked)
            continue;
        s->run.check.calls += asked->asked;
        s->run.check.prompt_tokens += asked->prompt_tokens;
        s->run.check.completion_tokens += asked->completion_tokens;
    }
}

static int conclude(sampled *s, rdv_calculator *calculator, rdv_error *err)
{
    rdv_plan *plan = s->run.plan;
    size_t n = s->run.chain->n_steps;
    rdv_verdict *verdicts = RDV_NEW_ARRAY(plan->arena, rdv_verdict, n);
    int r = verdicts ? RDV_OK : out_of_memory(err);
    for (size_t i = 0; i < n && r == RDV_OK; i++) {
        if (is_given(s, i))
            continue;
        r = i < s->known ? take_known(s, calculator, i, &verdicts[i], err)
                         : conclude_step(s, calculator, i, &verdicts[i], err);
    }
    if (r < 0)
        return r;
    for (size_t i = 0; i < n; i++)
        if (is_given(s, i))
            give(verdicts, i, n);
    count_calls(s);
    return verifier_conclude(s->is, &plan->options.check, verdicts, n, NULL, plan->arena,
                             &s->run.check, err);
}

static int settled(graph *g, node_group *group, rdv_error *err)
{
    sampled *s = group->data;
    rdv_calculator *calculator = NULL;
    if (s->run.dropped)
        return RDV_OK;
    if (s->is == RDV_VERIFIER_MATH) {
        calculator = rdv_calculator_new(g->arena, s->run.chain->question.text);
        if (!calculator)
            return out_of_memory(err);
    }
    int r = conclude(s, calculator, err);
    rdv_calculator_free(&calculator);
    return r == RDV_OK ? s->run.finished(&s->run, err) : r;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static int drop(check_run *run, rdv_error *err)
{
    sampled *s = (sampled *)run;
    int r = RDV_OK;
    for (size_t i = 0; i < s->k * run->chain->n_steps && r == RDV_OK; i++)
        if (s->samples[i].node)
            r = graph_drop(&run->plan->graph, s->samples[i].node, err);
    return r;
}

static int add_sample(sampled *s, size_t step, size_t i, rdv_error *err)
{
    check_run *run = &s->run;
    rdv_plan *plan = run->plan;
    sample *one = &samples_of(s, step)[i];
    node like = {.kind = &sample_node,
                 .data = one,
                 .stage = rdv_str_of(run->method->method.name),
                 .dry = kinds[s->is].dry,
                 .order = (uint64_t)run->place << 40 | (uint64_t)step << 8 | i,
                 .tries = plan->options.profile == RDV_ROBUST ? 2 : 1};
    *one = (sample){.of = s, .step = step};
    if (check_name_sample(run, step, i, plan->arena, &like.sample) < 0)
        return out_of_memory(err);
    one->node = graph_add(&plan->graph, &like, run->group);
    return one->node ? graph_start(&plan->graph, one->node, err) : out_of_memory(err);
}

static int start(check_run **out, rdv_plan *plan, size_t place, const method_entry *method,
                 int (*finished)(check_run *, rdv_error *), void *data, rdv_error *err)
{
    sampled *s = RDV_NEW(plan->arena, sampled);
    if (!s)
        return out_of_memory(err);
    *s = (sampled){.run = {.plan = plan,
                           .method = method,
                           .chain = check_part(plan, place),
                           .place = place,
                           .group = graph_group(&plan->graph, settled, s),
                           .finished = finished,
                           .data = data,
                           .drop = drop},
                   .k = plan->options.check.samples};
    *out = &s->run;
    rdv_verifier_named(rdv_str_of(method->method.name), &s->is);
    size_t n = s->run.chain ? s->run.chain->n_steps : 0;
    s->samples = RDV_NEW_ARRAY(plan->arena, sample, s->k * n);
    if (!s->run.group || !s->run.chain || !s->samples)
        return out_of_memory(err);
    if (plan->options.online)
        s->before = rdv_chain_check(s->run.chain, rdv_str_of(method->method.name));
    s->known = !s->before ? 0 : s->before->n_verdicts < n ? s->before->n_verdicts : n;
    int r = RDV_OK;
    for (size_t step = s->known; step < n; step++)
        for (size_t i = 0; i < s->k && r == RDV_OK && !is_given(s, step); i++)
            r = add_sample(s, step, i, err);
    return r == RDV_OK ? graph_seal(&plan->graph, s->run.group, err) : r;
}

/* ---- without a model ------------------------------------------------------------------------- */

static int native_step(rdv_calculator *calculator, rdv_str step, rdv_arena *arena, rdv_verdict *v,
                       rdv_error *err)
{
    listed own;
    int r = listed_native(calculator, step, arena, &own, err);
    if (r < 0)
        return r;
    verifier_judge(v, own.holds < 0 ? NAN : own.holds);
    v->why = v->is == RDV_UNKNOWN ? RDV_STR("no calculation could be decided") : own.why;
    if (!own.note)
        return RDV_OK;
    v->evidence = rdv_note_map(arena, NULL, (rdv_str){0});
    return v->evidence && attach(arena, v->evidence, "calculations", own.note) ? RDV_OK
                                                                               : out_of_memory(err);
}

static int compute_math(const rdv_chain *chain, const rdv_check_options *options, rdv_arena *arena,
                        rdv_check **checks, size_t *n, rdv_error *err)
{
    rdv_calculator *calculator = rdv_calculator_new(arena, chain->question.text);
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain->n_steps);
    rdv_check *check = RDV_NEW(arena, rdv_check);
    int r = calculator && verdicts && check ? RDV_OK : out_of_memory(err);
    for (size_t i = 0; i < chain->n_steps && r == RDV_OK; i++) {
        verdicts[i].step = i;
        r = native_step(calculator, chain->steps[i], arena, &verdicts[i], err);
    }
    rdv_calculator_free(&calculator);
    if (r < 0)
        return r;
    *checks = check;
    *n = 1;
    return verifier_conclude(RDV_VERIFIER_MATH, options, verdicts, chain->n_steps, NULL, arena,
                             check, err);
}

/* As every method is started: at once, where no model is needed. */
static int start_math(check_run **out, rdv_plan *plan, size_t place, const method_entry *method,
                      int (*finished)(check_run *, rdv_error *), void *data, rdv_error *err)
{
    if (plan->options.check.math != RDV_MATH_NATIVE)
        return start(out, plan, place, method, finished, data, err);
    return verifier_start_computed(out, plan, place, method, finished, data, err);
}

/* ---- the methods ----------------------------------------------------------------------------- */

const method_entry method_relevance = {
    .method = {.name = "relevance",
               .summary = "ask whether each step adds relevant information",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .start = start,
};

const method_entry method_math = {
    .method = {.name = "math",
               .summary = "have each step's calculations listed, and decide them exactly",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .start = start_math,
    .compute = compute_math,
};

const method_entry method_consistency = {
    .method = {.name = "consistency",
               .summary = "ask whether each step contradicts those before it",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .start = start,
};
