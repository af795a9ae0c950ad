/* SPDX-License-Identifier: Apache-2.0 */
/* Backtracking (LLMs cannot find reasoning errors, section 4): locate the first error, sample that
 * step again, regenerate the rest; and the loop that the paper leaves open: locate again, and keep
 * the better trace.
 *
 * The candidate of a round is a separate chain in the plan's list, so that any method can check
 * it. */
#include "search/repairing.h"

#include "base/arena.h"
#include "base/options.h"
#include "base/str.h"
#include "score/eval.h"
#include "search/repair.h"

#include <math.h>

static int locate(repairing *r, rdv_error *err);

static rdv_chain *standing(const repairing *r)
{
    return &r->plan->chains[r->current];
}

/* ---- the end --------------------------------------------------------------------------------- */

static int end(repairing *r, rdv_repair_end how, rdv_str why)
{
    rdv_plan *plan = r->plan;
    r->result.rounds = r->rounds;
    r->result.n_rounds = r->round;
    r->result.end = how;
    r->result.why = why;
    r->result.changed = r->current != 0;
    plan->chains[0] = *standing(r);
    plan->n_chains = 1;
    plan->repaired = &r->result;
    return RDV_OK;
}

/* Ends the round; its trace is not kept. */
static int round_failed(repairing *r, rdv_str why)
{
    rdv_repair *now = &r->rounds[r->round - 1];
    now->kind = RDV_REPAIR_FAILED;
    now->why = why.p ? why : RDV_STR("a reply was missing");
    return end(r, RDV_REPAIR_BROKEN, now->why);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static double confidence_of(const rdv_check *check)
{
    return check ? check->confidence : NAN;
}

/* Whether the method said of any step that it is right or wrong. */
static bool decides(const rdv_check *check)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].kind == RDV_SUPPORT || check->verdicts[i].kind == RDV_CONTRADICT)
            return true;
    return false;
}

/* Whether the trace has an answer that a vote would count: an empty one is none. */
static int has_answer(const repairing *r, const rdv_chain *chain, bool *has, rdv_error *err)
{
    const rdv_answer_form form = rdv_answer_form_of(&chain->question);
    rdv_str key;
    int code = rdv_answer_key(chain->answer, &form, r->plan->arena, &key, err);
    *has = code == RDV_OK;
    return code < 0 ? code : RDV_OK;
}

/* A trace without an answer is no better than one with an answer. */
static int loses_answer(const repairing *r, bool *loses, rdv_error *err)
{
    bool has = false, had = false;
    int code = has_answer(r, &r->plan->chains[r->round], &has, err);
    if (code == RDV_OK)
        code = has_answer(r, standing(r), &had, err);
    *loses = had && !has;
    return code;
}

/* A later first error is better, and none is best; RDV_NO_STEP is the largest number. A trace of
 * which nothing was read or decided is no better than one whose mistake is known. */
static bool is_better(const rdv_check *new, const rdv_check *old)
{
    if (!decides(new) && decides(old))
        return false;
    double a = isnan(new->confidence) ? -1 : new->confidence;
    double b = isnan(old->confidence) ? -1 : old->confidence;
    if (a < b || a > b)
        return a > b;
    rdv_label found = rdv_label_by(new);
    bool no_step = found.kind == RDV_LABEL_UNKNOWN || found.step == RDV_WHOLE_CHAIN;
    return !no_step && new->first_error > old->first_error;
}

/* Keeps the candidate of this round or the old trace, and then locates again. */
static int judge(repairing *r, const rdv_check *new, rdv_error *err)
{
    rdv_repair *now = &r->rounds[r->round - 1];
    const rdv_check *old = r->check;
    now->confidence_before = confidence_of(old);
    now->confidence_after = confidence_of(new);
    bool stands = !new || !old || r->how.keep == RDV_KEEP_NEW, loses;
    if (!stands) {
        int code = loses_answer(r, &loses, err);
        if (code != RDV_OK)
            return code;
        stands = !loses && is_better(new, old);
    }
    now->kind = stands ? RDV_REPAIR_DONE : RDV_REPAIR_NOT_BETTER;
    if (stands) {
        r->current = r->round;
        r->check = new;
    }
    if (!new)
        return end(r, RDV_REPAIR_ROUNDS, (rdv_str){0});
    return locate(r, err);
}

/* ---- the rest of the trace ------------------------------------------------------------------- */

static void add_cost(repairing *r, uint64_t calls, uint64_t asked, uint64_t answered)
{
    r->result.calls += calls;
    r->result.prompt_tokens += asked;
    r->result.completion_tokens += answered;
}

static const rdv_check *take_check(repairing *r, size_t chain_index)
{
    const rdv_check *check = rdv_chain_check(&r->plan->chains[chain_index], (rdv_str){0});
    add_cost(r, check->calls, check->prompt_tokens, check->completion_tokens);
    return check;
}

static int candidate_checked(rdv_plan *plan, size_t chain_index, void *data, rdv_error *err)
{
    repairing *r = data;
    return judge(r, take_check(r, chain_index), err);
}

/* True if the candidate is checked. It is not if the locator cannot judge it, or if the result
 * would not change anything. */
static bool looks_again(const repairing *r)
{
    bool drawn = rdv_locator_is_drawn(&r->how.locator);
    return !drawn && (r->how.keep == RDV_KEEP_BETTER || r->round < r->how.rounds);
}

static int rest_written(continuation *c, rdv_error *err)
{
    repairing *r = c->data;
    rdv_repair *now = &r->rounds[r->round - 1];
    add_cost(r, c->calls, c->prompt_tokens, c->completion_tokens);
    if (c->end == CONTINUE_BROKEN)
        return round_failed(r, c->why);
    const rdv_chain *old = standing(r);
    rdv_chain *new = &r->plan->chains[r->round];
    *new = (rdv_chain){.id = old->id,
                       .question = old->question,
                       .steps = c->steps,
                       .n_steps = c->n_steps,
                       .answer = c->answer,
                       .correct = -1,
                       .raw = old->raw};
    now->after = c->steps + now->from_step;
    now->n_after = c->n_steps - now->from_step;
    now->answer_after = c->answer;
    now->capped = c->end == CONTINUE_CAPPED;
    if (now->capped) {
        now->why = rdv_str_printf(
            r->plan->arena, "no answer within %zu steps, the most it may have", r->most_steps);
        if (!now->why.p)
            return rdv_no_memory(err);
        new->unfinished = now->why; /* it has no answer, whatever its steps contain */
    }
    if (!looks_again(r))
        return judge(r, NULL, err);
    check_set *checks;
    return check_set_start(&checks, r->plan, r->round, candidate_checked, r, err);
}

static continue_from from_here(const repairing *r, const rdv_str *kept, size_t n)
{
    return (continue_from){.question = &standing(r)->question,
                           .kept = kept,
                           .n_kept = n,
                           .temperature = NAN,
                           .most_steps = r->most_steps,
                           .stage = RDV_STR("repair/rest"),
                           .sample = r->sample,
                           .order = graph_order(r->round, 0, 0)};
}

static int write_rest(repairing *r, rdv_str step, rdv_error *err)
{
    const rdv_repair *now = &r->rounds[r->round - 1];
    rdv_str *kept = RDV_NEW_ARRAY(r->plan->arena, rdv_str, now->from_step + 1);
    if (!kept)
        return rdv_no_memory(err);
    for (size_t i = 0; i < now->from_step; i++)
        kept[i] = standing(r)->steps[i];
    kept[now->from_step] = step;
    continue_from from = from_here(r, kept, now->from_step + 1);
    continuation *c;
    return continue_chain(&c, r->plan, &from, rest_written, r, err);
}

/* ---- the step -------------------------------------------------------------------------------- */

static int step_sampled(step_samples *s, rdv_error *err)
{
    repairing *r = s->data;
    rdv_repair *now = &r->rounds[r->round - 1];
    const rdv_str *steps = standing(r)->steps;
    add_cost(r, s->calls, s->prompt_tokens, s->completion_tokens);
    const generated_step *chosen = NULL;
    int rc = resample_select(s->samples, s->n, &steps[now->from_step], 1, r->how.choose,
                             r->plan->arena, now, &chosen);
    if (rc < 0)
        return rdv_no_memory(err);
    if (!chosen && r->plan->options.bound == RDV_BOUND_MOST)
        chosen = &s->samples[0];
    if (now->tried == 0)
        return round_failed(r, s->n ? s->samples[0].node->why : (rdv_str){0});
    if (chosen)
        return write_rest(r, chosen->text, err);
    now->kind = RDV_REPAIR_ALL_EQUAL;
    now->confidence_before = confidence_of(r->check);
    return rdv_locator_is_drawn(&r->how.locator) ? end(r, RDV_REPAIR_ROUNDS, (rdv_str){0})
                                                 : locate(r, err);
}

static int name_round(repairing *r, rdv_error *err)
{
    rdv_arena *arena = r->plan->arena;
    uint64_t seed = r->plan->options.seed;
    rdv_str id = standing(r)->id.p ? standing(r)->id : RDV_STR("#0");
    r->sample = seed ? rdv_str_printf(arena, "seed %llu, chain %.*s, round %zu",
                                      (unsigned long long)seed, RDV_FMT(id), r->round)
                     : rdv_str_printf(arena, "chain %.*s, round %zu", RDV_FMT(id), r->round);
    return r->sample.p ? RDV_OK : rdv_no_memory(err);
}

static int begin_round(repairing *r, size_t step, rdv_error *err)
{
    const rdv_chain *chain = standing(r);
    rdv_repair *now = &r->rounds[r->round++];
    *now = (rdv_repair){.round = r->round,
                        .from_step = step,
                        .before = chain->steps + step,
                        .n_before = chain->n_steps - step,
                        .answer_before = chain->answer,
                        .logprob = NAN,
                        .confidence_before = NAN,
                        .confidence_after = NAN};
    int rc = name_round(r, err);
    if (rc != RDV_OK)
        return rc;
    continue_from from = from_here(r, chain->steps, step);
    from.temperature = RESAMPLING_TEMPERATURE;
    from.logprobs = true;
    from.stage = RDV_STR("repair/step");
    step_samples *s;
    return continue_sample_step(&s, r->plan, &from, r->how.resamples, step_sampled, r, err);
}

/* ---- locating -------------------------------------------------------------------------------- */

/* The reason why the check gives no location: that of the first unknown verdict. */
static rdv_str why_nothing(const repairing *r)
{
    for (size_t i = 0; r->check && i < r->check->n_verdicts; i++)
        if (r->check->verdicts[i].kind == RDV_UNKNOWN && r->check->verdicts[i].why.p)
            return r->check->verdicts[i].why;
    return r->check ? RDV_STR("the check read nothing") : RDV_STR("the chain has no label");
}

static int located(repairing *r, rdv_label found, rdv_error *err)
{
    bool most = r->plan->options.bound == RDV_BOUND_MOST;
    if (most && !rdv_locator_is_drawn(&r->how.locator) && standing(r)->n_steps)
        found = (rdv_label){.kind = RDV_LABEL_AT, .step = 0};
    if (found.kind == RDV_LABEL_NO_MISTAKE)
        return end(r, RDV_REPAIR_PASSED, (rdv_str){0});
    if (found.kind == RDV_LABEL_UNKNOWN)
        return end(r, RDV_REPAIR_UNLOCATED, why_nothing(r));
    if (found.step >= standing(r)->n_steps)
        return end(r, RDV_REPAIR_UNLOCATED, RDV_STR("the mistake is in no step that is named"));
    if (r->round == r->how.rounds)
        return end(r, RDV_REPAIR_ROUNDS, (rdv_str){0});
    return begin_round(r, found.step, err);
}

static int first_checked(rdv_plan *plan, size_t chain_index, void *data, rdv_error *err)
{
    repairing *r = data;
    r->check = take_check(r, chain_index);
    return located(r, rdv_label_by(r->check), err);
}

static int locate(repairing *r, rdv_error *err)
{
    rdv_label found;
    check_set *checks;
    if (r->check)
        return located(r, rdv_label_by(r->check), err);
    if (!rdv_locator_is_drawn(&r->how.locator))
        return check_set_start(&checks, r->plan, 0, first_checked, r, err);
    int rc = rdv_locate(&r->how.locator, standing(r), &found, err);
    return rc == RDV_OK ? located(r, found, err) : rc;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static const rdv_repair_options defaults = {.size = sizeof defaults, .resamples = 8, .rounds = 1};

void rdv_repair_options_default(rdv_repair_options *options, size_t size)
{
    rdv_options_fill(options, size, &defaults, sizeof defaults);
}

static int check_options(const rdv_repair_options *how, rdv_error *err)
{
    rdv_chain nothing = {0};
    rdv_label found;
    if (how->resamples < 1 || how->resamples > 1000)
        return rdv_fail(err, RDV_E_ARGUMENT, "a step is sampled 1 to 1000 times");
    if (how->rounds < 1 || how->rounds > 100)
        return rdv_fail(err, RDV_E_ARGUMENT, "there are 1 to 100 rounds");
    return rdv_locator_is_drawn(&how->locator) ? rdv_locate(&how->locator, &nothing, &found, err)
                                               : RDV_OK;
}

/* Uses the locator's method, if it has one, as the plan's method. */
static int take_locator(repairing *r, rdv_error *err)
{
    bool drawn = rdv_locator_is_drawn(&r->how.locator);
    if (drawn)
        r->how.rounds = 1;
    r->plan->options.methods = &r->how.locator.method;
    r->plan->options.n_methods = !drawn;
    return check_set_possible(r->plan, err);
}

static int start(rdv_plan *plan, const rdv_chain *chain, const rdv_repair_options *how,
                 rdv_error *err)
{
    repairing *r = RDV_NEW(plan->arena, repairing);
    if (!r)
        return rdv_no_memory(err);
    *r = (repairing){.plan = plan, .how = *how};
    int rc = take_locator(r, err);
    if (rc != RDV_OK)
        return rc;
    r->most_steps = how->max_steps ? how->max_steps : 2 * chain->n_steps + REPAIR_MORE_STEPS;
    r->rounds = RDV_NEW_ARRAY(plan->arena, rdv_repair, r->how.rounds);
    plan->chains = RDV_NEW_ARRAY(plan->arena, rdv_chain, r->how.rounds + 1);
    if (!r->rounds || !plan->chains)
        return rdv_no_memory(err);
    plan->chains[0] = *chain;
    plan->n_chains = 1;
    return locate(r, err);
}

int rdv_plan_repair(const rdv_chain *chain, const rdv_plan_options *options,
                    const rdv_repair_options *repair, rdv_plan **plan, rdv_error *err)
{
    *plan = NULL;
    rdv_repair_options own = defaults;
    int r = rdv_options_take(&own, sizeof own, repair, err);
    if (r == RDV_OK)
        r = check_options(&own, err);
    if (r == RDV_OK)
        r = plan_new(options, plan, err);
    if (r == RDV_OK)
        r = start(*plan, chain, &own, err);
    if (r < 0)
        rdv_plan_free(plan);
    return r;
}

const rdv_repaired *rdv_plan_repaired(const rdv_plan *plan)
{
    return plan->repaired;
}

/* ---- names ----------------------------------------------------------------------------------- */

const char *rdv_repair_name(rdv_repair_kind is)
{
    static const char *const names[] = {"repaired", "not better", "all equal", "failed"};
    return names[is];
}

const char *rdv_repair_end_name(rdv_repair_end how)
{
    static const char *const names[] = {"passed", "rounds", "not located", "failed"};
    return names[how];
}
