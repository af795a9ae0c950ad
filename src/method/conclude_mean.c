/* SPDX-License-Identifier: Apache-2.0 */
/* The conclusions "mean" and "calculations": the score of a step, or of the chain, is the mean of
 * its samples (general-purpose verification, section 3.4) if at least one could be read; one that
 * could not counts neither for nor against it. */
#include "chain/evidence.h"
#include "method/check.h"

#include "base/arena.h"
#include "base/str.h"
#include "decide/claim.h"
#include "method/chain_calculator.h"
#include "method/claims_check.h"
#include "reply/reply.h"
#include "method/step_numbers.h"
#include "method/verifier.h"
#include "score/combine.h"

#include <math.h>

/* Totals over the samples of a step. */
typedef struct summary {
    size_t read, against;
    double held, squares; /* sum of the scores, 1 for a sample that holds; sum of their squares */
    size_t unread, unasked, undecided, dropped; /* unasked: of the unread, in a user's method */
    bool wrong;  /* our own calculator found the step wrong, regardless of the samples */
    rdv_str why; /* of the first sample that does not hold or could not be read */
} summary;

static bool lists_claims(const check_run *run)
{
    return run->method->table->conclude == CONCLUDE_CALCULATIONS;
}

/* score: the sample's score of the step, from 0 to 1; NaN: undecided. */
static void add(summary *sum, const step_result *r, double score, rdv_str why)
{
    if (!result_is_read(r)) {
        sum->unread++;
        sum->unasked += r->run->method->method.made && !r->node->asked;
        if (!sum->why.p)
            sum->why = r->node->why;
        return;
    }
    if (isnan(score)) {
        sum->undecided++;
        if (!sum->why.p)
            sum->why = why;
        return;
    }
    sum->read++;
    sum->held += score;
    sum->squares += score * score;
    sum->against += score < 0.5;
    if (score < 0.5 && (sum->against == 1 || !sum->why.p))
        sum->why = why.p ? why : r->by.sentence;
}

/* A sample that failed or decided nothing must not weigh as much as one that supports. */
static double mean(const summary *sum)
{
    size_t neither = sum->unread + sum->undecided;
    double held = sum->held + (sum->wrong ? 0 : RDV_NEITHER) * (double)neither;
    return sum->read ? held / (double)(sum->read + neither) : NAN;
}

/* s / sqrt(k) with s the standard deviation of the scores; NaN for a single one. */
static double standard_error(const summary *sum)
{
    double n = (double)sum->read, p = sum->held / n;
    double variance = p * (1 - p) - (sum->held - sum->squares) / n; /* p(1 - p) of 0 and 1 */
    return sum->read > 1 ? sqrt(fmax(variance, 0) / (n - 1)) : NAN;
}

/* ---- evidence -------------------------------------------------------------------------------- */

static bool note_count(rdv_arena *arena, rdv_evidence *map, const char *name, size_t n)
{
    return !n || rdv_evidence_number(arena, map, rdv_str_of(name), (double)n);
}

static bool note_summary(rdv_arena *arena, rdv_evidence *map, const summary *sum)
{
    double se = standard_error(sum);
    return rdv_evidence_number(arena, map, RDV_STR("n_samples"), (double)sum->read) &&
           (isnan(se) || rdv_evidence_number(arena, map, RDV_STR("stderr"), se)) &&
           note_count(arena, map, "n_unparsed", sum->unread - sum->unasked) &&
           note_count(arena, map, "n_undecided", sum->undecided) &&
           note_count(arena, map, "n_dropped", sum->dropped);
}

/* {"satisfied":true,"conclusion":"..."}; for a list (not NULL) also its calculations, for a number
 * its score. */
static bool note_sample(rdv_arena *arena, rdv_evidence *list, const step_result *r, double score,
                        const claims_check *claims)
{
    rdv_evidence *map = rdv_evidence_map(arena, list, (rdv_str){0});
    bool decided = score > 0.5 || score < 0.5;
    bool ok =
        map && (decided ? rdv_evidence_flag(arena, map, RDV_STR("satisfied"), score > 0.5) != NULL
                        : rdv_evidence_null(arena, map, RDV_STR("satisfied")) != NULL);
    if (ok && r->stage->read == READER_NUMBER)
        ok = rdv_evidence_number(arena, map, RDV_STR("score"), score) != NULL;
    if (!ok)
        return false;
    if (claims)
        return claims_check_note(claims, arena, map, "calculations");
    ok = rdv_evidence_text(arena, map, RDV_STR("conclusion"), r->by.sentence) != NULL;
    return ok && (!r->by.rule.p || rdv_evidence_text(arena, map, RDV_STR("rule"), r->by.rule));
}

/* Adds the results of the stages before the last. */
static bool note_earlier(const check_run *run, size_t step, rdv_evidence *map)
{
    return run->method->table->n_stages == 1 || check_note_stages(run, step, map);
}

/* ---- one step -------------------------------------------------------------------------------- */

/* The data needed to conclude on a step. */
typedef struct concluding {
    const check_run *run;
    rdv_arena *arena;
    rdv_calculator *calculator; /* for lists of calculations */
    size_t step;
    step_numbers numbers; /* for lists of calculations */
    claims_check own;     /* for lists of calculations: those that we find ourselves */
    rdv_evidence *samples;
    summary sum;
} concluding;

static bool both(const concluding *c)
{
    return c->calculator && c->run->plan->options.check->math == RDV_MATH_BOTH;
}

/* Are there calculations in the step that nobody has decided? The list has none of them, or fewer
 * than we find and cannot decide ourselves. */
static bool leaves_out(const concluding *c, const claims_check *l)
{
    size_t found = c->own.n + c->own.n_unread;
    return l->n == 0 ? found > 0 : both(c) && c->own.holds < 0 && l->n < found;
}

/* Why a list in which nothing is wrong decides nothing: items were dropped, or it leaves out
 * calculations of the step. p == NULL: it decides. In the paper's profile everything that is not
 * listed as wrong is satisfied. */
static int why_not(const concluding *c, const claims_check *l, rdv_str *why, rdv_error *err)
{
    *why = (rdv_str){0};
    if (c->run->plan->options.profile == RDV_PAPER)
        return RDV_OK;
    if (l->dropped)
        *why = rdv_str_printf(c->arena, "%zu of the listed calculations %s not in the step",
                              l->dropped, l->dropped == 1 ? "is" : "are");
    else if (leaves_out(c, l))
        *why = l->n ? RDV_STR("fewer calculations are listed than the step holds")
                    : RDV_STR("no calculation is listed, and the step holds one");
    return l->dropped && !why->p ? rdv_no_memory(err) : RDV_OK;
}

/* Decides a list, together with our own calculations if they count. */
static int decide_list(concluding *c, const listed_claims *listed, claims_check *l, double *score,
                       rdv_error *err)
{
    int r = claims_check_listed(c->calculator, listed->claims, listed->n, &c->numbers, c->arena, l,
                                err);
    rdv_str why = {0};
    if (r == RDV_OK && l->holds != 0)
        r = why_not(c, l, &why, err);
    int comes_to = why.p ? -1 : l->holds;
    if (why.p)
        l->why = why;
    if (both(c) && c->own.holds >= 0) {
        comes_to = comes_to < 0 ? c->own.holds : comes_to && c->own.holds;
        if (!l->why.p || (why.p && !c->own.holds))
            l->why = c->own.why;
    }
    *score = comes_to < 0 ? NAN : comes_to;
    return r;
}

/* For a stage that reads a verdict or a number. */
static double decide_reply(const step_result *r)
{
    if (r->stage->read == READER_NUMBER)
        return *(const double *)r->data;
    return r->verdict == RDV_SUPPORT ? 1 : r->verdict == RDV_CONTRADICT ? 0 : NAN;
}

static int take_sample(concluding *c, const step_result *r, rdv_error *err)
{
    claims_check l = {0};
    double score = NAN;
    int code = RDV_OK;
    if (result_is_read(r) && c->calculator)
        code = decide_list(c, r->data, &l, &score, err);
    else if (result_is_read(r))
        score = decide_reply(r);
    if (code < 0)
        return code;
    add(&c->sum, r, score, l.why);
    c->sum.dropped += l.dropped;
    bool ok = !result_is_read(r) ||
              note_sample(c->arena, c->samples, r, score, c->calculator ? &l : NULL);
    return ok ? RDV_OK : rdv_no_memory(err);
}

/* Reads the numbers of the step and finds its calculations. The calculator then knows the step, so
 * a list may give its contents in any order. */
static int look_at_step(concluding *c, rdv_error *err)
{
    rdv_str text = c->run->chain->steps[c->step], folded;
    bool words = c->run->plan->options.profile == RDV_ROBUST;
    if (rdv_calculator_fold(c->calculator, text, &folded) < 0 ||
        step_numbers_of(folded, words, c->arena, &c->numbers) < 0)
        return rdv_no_memory(err);
    return claims_check_native(c->calculator, NULL, text, c->arena, &c->own, NULL, err);
}

static int judge(concluding *c, rdv_verdict *v, rdv_error *err)
{
    c->sum.wrong = both(c) && c->own.holds == 0;
    /* Use our own calculations alone if there are some and no reply could be read. */
    bool alone = both(c) && !c->sum.read && c->own.note && c->own.holds >= 0;
    verifier_judge(v, alone ? c->own.holds : mean(&c->sum));
    if (v->kind != RDV_SUPPORT)
        v->why = alone ? c->own.why : c->sum.why;
    if (v->kind == RDV_UNKNOWN && !v->why.p)
        v->why = c->calculator ? RDV_STR("not every calculation could be decided")
                               : RDV_STR("no sample could be decided");
    bool ok = note_summary(c->arena, v->evidence, &c->sum);
    if (ok && both(c))
        ok = claims_check_note(&c->own, c->arena, v->evidence, "native_calculations");
    return ok ? RDV_OK : rdv_no_memory(err);
}

static int conclude_step(const check_run *run, rdv_calculator *calculator, size_t step,
                         rdv_verdict *v, rdv_error *err)
{
    rdv_arena *arena = run->plan->arena;
    concluding c = {.run = run, .arena = arena, .calculator = calculator, .step = step};
    const step_result *results = check_result(run, check_last_stage(run), step);
    *v = (rdv_verdict){.step = step, .evidence = rdv_evidence_map(arena, NULL, (rdv_str){0})};
    bool ok = v->evidence && note_earlier(run, step, v->evidence);
    c.samples = ok ? rdv_evidence_list(arena, v->evidence, RDV_STR("samples")) : NULL;
    int r = !c.samples ? rdv_no_memory(err) : calculator ? look_at_step(&c, err) : RDV_OK;
    for (size_t i = 0; i < run->samples && r == RDV_OK; i++)
        r = take_sample(&c, &results[i], err);
    return r == RDV_OK ? judge(&c, v, err) : r;
}

/* ---- all steps ------------------------------------------------------------------------------- */

/* A step that was checked when the chain was shorter. */
static int take_known(const check_run *run, rdv_calculator *calculator, size_t step, rdv_verdict *v,
                      rdv_error *err)
{
    rdv_calc *calcs;
    size_t n;
    *v = run->before->verdicts[step];
    return calculator ? rdv_calculator_step(calculator, run->chain->steps[step], &calcs, &n, err)
                      : RDV_OK;
}

/* A score that is given by rule counts only beside scores that were read (spec section 1). */
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

static int conclude_steps(check_run *run, rdv_calculator *calculator, rdv_error *err)
{
    size_t n = run->chain->n_steps;
    bool given = check_last_stage(run)->per == PER_LATER_STEP;
    rdv_verdict *verdicts = RDV_NEW_ARRAY(run->plan->arena, rdv_verdict, n);
    int r = verdicts ? RDV_OK : rdv_no_memory(err);
    for (size_t i = given; i < n && r == RDV_OK; i++)
        r = i < run->known ? take_known(run, calculator, i, &verdicts[i], err)
                           : conclude_step(run, calculator, i, &verdicts[i], err);
    if (r < 0)
        return r;
    if (given && n) /* the first step has nothing before it to contradict (spec section 4) */
        give(verdicts, 0, n);
    return verifier_conclude(run->method, run->plan->options.check, verdicts, n, NULL,
                             run->plan->arena, &run->check, err);
}

/* One verdict on the whole chain: its score is the confidence. */
static int conclude_chain(check_run *run, rdv_error *err)
{
    rdv_verdict *verdict = RDV_NEW(run->plan->arena, rdv_verdict);
    int r = verdict ? RDV_OK : rdv_no_memory(err);
    size_t n = run->chain->n_steps ? 1 : 0;
    if (r == RDV_OK && n)
        r = conclude_step(run, NULL, RDV_WHOLE_CHAIN, verdict, err);
    if (r != RDV_OK)
        return r;
    bool counts = run->plan->options.check->unknown == RDV_UNKNOWN_CONTRADICT;
    method_put(&run->method->method, verdict, n, &run->check);
    run->check.confidence = n && !isnan(verdict->score) ? verdict->score : n && counts ? 0 : NAN;
    return RDV_OK;
}

int conclude_mean(check_run *run, rdv_error *err)
{
    rdv_calculator *calculator = NULL;
    if (check_last_stage(run)->per == PER_CHAIN)
        return conclude_chain(run, err);
    if (lists_claims(run)) {
        calculator = chain_calculator_new(run->chain, run->plan->options.check, run->plan->arena);
        if (!calculator)
            return rdv_no_memory(err);
    }
    int r = conclude_steps(run, calculator, err);
    rdv_calculator_free(&calculator);
    return r;
}

/* ---- without a model ------------------------------------------------------------------------- */

static rdv_str why_unknown(const claims_check *own, rdv_str step, rdv_arena *arena)
{
    return own->n_unread && (!own->note || own->stated)
               ? unread_calculations_say(own->unread, own->n_unread, step, arena)
               : RDV_STR("not every calculation could be decided");
}

static int compute_step(rdv_calculator *calculator, given_numbers *given, rdv_str step,
                        rdv_arena *arena, rdv_verdict *v, rdv_coverage *coverage, rdv_error *err)
{
    claims_check own;
    int r = claims_check_native(calculator, given, step, arena, &own, coverage, err);
    if (r < 0)
        return r;
    verifier_judge(v, own.holds < 0 ? NAN : own.holds);
    v->why = v->kind == RDV_UNKNOWN ? why_unknown(&own, step, arena) : own.why;
    if (v->kind == RDV_UNKNOWN && !v->why.p)
        return rdv_no_memory(err);
    if (!own.note && !own.n_unread)
        return RDV_OK;
    v->evidence = rdv_evidence_map(arena, NULL, (rdv_str){0});
    bool ok = v->evidence &&
              (!own.note || claims_check_note(&own, arena, v->evidence, "calculations")) &&
              unread_calculations_note(own.unread, own.n_unread, step, arena, v->evidence);
    return ok ? RDV_OK : rdv_no_memory(err);
}

bool conclude_calculations_need_model(const rdv_check_options *options)
{
    return options->math != RDV_MATH_NATIVE;
}

int conclude_calculations_compute(const method_entry *self, const rdv_chain *chain,
                                  const rdv_check_options *options, rdv_arena *arena,
                                  rdv_check *check, rdv_error *err)
{
    rdv_calculator *calculator = chain_calculator_new(chain, options, arena);
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain->n_steps);
    rdv_coverage *coverage = RDV_NEW(arena, rdv_coverage);
    given_numbers *given = given_numbers_new(arena);
    rdv_str question;
    bool made = calculator && verdicts && coverage && given &&
                rdv_calculator_fold(calculator, chain->question.text, &question) >= 0 &&
                given_numbers_add(given, question) >= 0;
    int r = made ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_steps && r == RDV_OK; i++) {
        verdicts[i].step = i;
        r = compute_step(calculator, given, chain->steps[i], arena, &verdicts[i], coverage, err);
    }
    rdv_calculator_free(&calculator);
    if (r == RDV_OK)
        r = verifier_conclude(self, options, verdicts, chain->n_steps, NULL, arena, check, err);
    if (r != RDV_OK)
        return r;
    check->coverage = coverage;
    if (coverage->checked == 0) /* "none is wrong" proves nothing where none was decided */
        check->confidence = NAN;
    return RDV_OK;
}
