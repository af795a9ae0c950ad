/* SPDX-License-Identifier: Apache-2.0 */
/* A plan that answers a question: chains are generated and checked, and vote in their own order
 * until the vote is settled. Work begins only when every outcome of the work in progress would need
 * it, so with the rules `none` and `certain` no request is made in vain.
 *
 * If checking asks a model, it costs many times what generation does. Then, with the rule
 * `certain`, all chains are generated first: once all answers are known, far fewer chains have to
 * be checked, and the others are marked as skipped. Otherwise a chain is generated only when it is
 * needed. */
#include "method/check_set.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "method/standing.h"
#include "search/generate.h"
#include "search/beam_search.h"
#include "score/score.h"

#include <rederive/answer.h>

#include <math.h>

#define NO_ANSWER ((size_t)-1)

typedef struct solving solving;

/* One chain to be generated. */
typedef struct attempt {
    solving *s;
    size_t chain_index;
    generation *generation;
    check_set *checks; /* NULL until it is generated */
    rdv_ballot ballot;
    size_t answer; /* index of its answer among the different ones, from 0; NO_ANSWER: none */
    rdv_str shown; /* its answer as written */
    bool generated, done;
    bool absent; /* the run ended before it was generated */
} attempt;

/* The state of one answer in the vote. */
typedef struct standing {
    double weight; /* of the chains already counted */
    size_t soon;   /* chains with this answer that are being checked and not yet counted
                      (answers_first) */
    size_t later;  /* chains with this answer that wait to be checked */
} standing;

struct solving {
    rdv_plan *plan;
    const rdv_question *question;
    rdv_answer_form form;
    rdv_select_kind select;
    rdv_tally *tally;  /* NULL: the selection cannot be settled early */
    attempt *attempts; /* options.chains elements */
    size_t n;
    size_t begun;   /* generated or being generated */
    size_t checked; /* checked or being checked; all begun chains unless answers_first */
    size_t counted; /* in the vote */
    size_t ungenerated;
    rdv_map answers; /* the different answers so far, by key */
    standing *standings;
    size_t n_answers;
    rdv_stop_kind stop;
    bool answers_first, going_on, concluded;
};

static int generate(solving *s, size_t chain_index, rdv_error *err);
static int check_chain(attempt *a, rdv_error *err);

/* ---- the vote ---------------------------------------------------------------------------------
 */

/* Marks a chain that was not checked because it could not change the result. */
static int mark_skipped(solving *s, rdv_chain *chain, rdv_error *err)
{
    const rdv_plan_options *o = &s->plan->options;
    rdv_check *check = RDV_NEW(s->plan->arena, rdv_check);
    if (!check)
        return rdv_no_memory(err);
    *check = (rdv_check){.method = rdv_str_of(o->methods[o->n_methods - 1]->name),
                         .confidence = NAN,
                         .first_error = RDV_STEP_UNKNOWN,
                         .skipped = true};
    chain->checks = check;
    chain->n_checks = 1;
    return RDV_OK;
}

/* Gathers the chains that were generated, in order, without gaps; those that count also as
 * ballots. *unanswered: those of them that a failed call left without a reply. */
static int gather(solving *s, rdv_ballot *ballots, rdv_str *shown, rdv_result *result,
                  size_t *unanswered, rdv_error *err)
{
    rdv_plan *plan = s->plan;
    size_t n = 0, end = s->answers_first ? s->n : s->counted;
    graph_spare_from(&plan->graph, end);
    for (size_t i = 0; i < end; i++) {
        const attempt *a = &s->attempts[i];
        if (!a->generated)
            continue;
        rdv_chain *chain = &plan->chains[n++];
        *chain = plan->chains[i];
        result->calls += a->generation->calls;
        if (chain->n_checks)
            result->calls += check_set_calls(a->checks);
        *unanswered += i < s->counted && a->generation->unanswered;
        if (i < s->counted) {
            ballots[result->chains_used] = a->ballot;
            shown[result->chains_used++] = a->shown;
        }
        if (!chain->n_checks && plan->options.n_methods && mark_skipped(s, chain, err) < 0)
            return RDV_E_NOMEM;
    }
    plan->n_chains = n;
    return RDV_OK;
}

static int decide(solving *s, const rdv_ballot *ballots, size_t n, rdv_vote *vote, rdv_error *err)
{
    int r = rdv_vote_decide(s->select, ballots, n, s->plan->arena, vote, err);
    /* A run that ended before any check still has answers. */
    if (r == RDV_OK && !vote->cast && s->plan->partial)
        r = rdv_vote_decide(RDV_SELECT_MAJORITY, ballots, n, s->plan->arena, vote, err);
    return r;
}

static int conclude(solving *s, rdv_error *err)
{
    rdv_plan *plan = s->plan;
    rdv_result *result = RDV_NEW(plan->arena, rdv_result);
    rdv_ballot *ballots = RDV_NEW_ARRAY(plan->arena, rdv_ballot, s->counted);
    rdv_str *shown = RDV_NEW_ARRAY(plan->arena, rdv_str, s->counted);
    if (!result || !ballots || !shown)
        return rdv_no_memory(err);
    *result = (rdv_result){.question_id = s->question->id, .chains = s->n};
    rdv_vote vote;
    size_t unanswered = 0;
    int r = gather(s, ballots, shown, result, &unanswered, err);
    if (r == RDV_OK)
        r = decide(s, ballots, result->chains_used, &vote, err);
    if (r == RDV_OK)
        r = rdv_vote_result(&vote, shown, plan->arena, result, err);
    if (r == RDV_OK) {
        result_unanswered(result, unanswered);
        plan->result = result;
    }
    s->concluded = true;
    return r;
}

/* Drops the chains that were begun ahead and are not needed. */
static int drop_rest(solving *s, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = s->counted; i < s->n && r == RDV_OK; i++) {
        const attempt *a = &s->attempts[i];
        if (a->checks) /* it was generated */
            r = check_set_drop(a->checks, err);
        else if (a->generation)
            r = generation_drop(a->generation, err);
    }
    return r;
}

static double weight_of(const solving *s, const rdv_ballot *b)
{
    return s->select == RDV_SELECT_MAJORITY ? 1 : isnan(b->weight) ? 0 : b->weight;
}

static bool settled(const solving *s)
{
    return s->counted == s->n || (s->tally && rdv_tally_settled(s->tally));
}

/* Counts the finished chains, in their own order, until the vote is settled. */
static int count(solving *s, rdv_error *err)
{
    int r = RDV_OK;
    while (r == RDV_OK && !settled(s) && s->counted < s->checked && s->attempts[s->counted].done) {
        attempt *a = &s->attempts[s->counted++];
        if (a->answer != NO_ANSWER) {
            s->standings[a->answer].weight += weight_of(s, &a->ballot);
            s->standings[a->answer].soon -= s->answers_first;
        }
        if (s->tally && !a->absent)
            r = rdv_tally_add(s->tally, &a->ballot, err);
    }
    return r;
}

/* ---- which chains are needed ----------------------------------------------------------------- */

/* Upper bounds for the weight of an answer, each chain adding at most 1: over the chains that have
 * begun, and over the others. A chain whose answer is not known yet may add to any answer. */
static double from_begun(const solving *s, const standing *a)
{
    return a->weight + (double)(s->answers_first ? a->soon : s->checked - s->counted);
}

static double from_rest(const solving *s, const standing *a)
{
    return a->weight + (double)(s->answers_first ? a->later : s->n - s->checked);
}

/* True if the vote could be settled after the chains that have begun if all of them gave one
 * answer, so that no other answer can reach its weight with the rest. */
static bool could_settle(const solving *s)
{
    size_t soon = s->checked - s->counted, later = s->n - s->checked;
    double farthest = -1, next = -1;
    for (size_t i = 0; i < s->n_answers; i++) {
        double reach = from_rest(s, &s->standings[i]);
        next = fmax(next, fmin(reach, farthest));
        farthest = fmax(reach, farthest);
    }
    for (size_t i = 0; i < s->n_answers; i++) {
        const standing *a = &s->standings[i];
        double mine = from_begun(s, a);
        double rival = from_rest(s, a) < farthest ? farthest : next;
        /* An answer that has not occurred yet may get all the rest. */
        if (mine > rival && (s->answers_first || mine > (double)later))
            return true;
    }
    return s->n_answers == 0 && !s->answers_first && soon > later;
}

/* True if the next chain is needed whatever the outcome of those that have begun. */
static bool needs_next(const solving *s)
{
    if (s->checked == s->n)
        return false;
    bool certain = s->tally && s->stop != RDV_STOP_NONE;
    return !certain || s->checked <= s->counted || !could_settle(s);
}

/* Generates the next chain, or begins to check it if all are generated. */
static int begin_next(solving *s, rdv_error *err)
{
    attempt *a = &s->attempts[s->checked++];
    if (!s->answers_first)
        return generate(s, s->begun++, err);
    if (a->answer != NO_ANSWER) {
        s->standings[a->answer].later--;
        s->standings[a->answer].soon++;
    }
    return check_chain(a, err);
}

/* Counts finished chains and begins those needed until neither changes anything. A chain may finish
 * as soon as it is begun and call this function again; then the outer call does the work, so that
 * the stack does not grow with the chains. */
static int go_on(solving *s, rdv_error *err)
{
    if (s->going_on || s->concluded)
        return RDV_OK;
    s->going_on = true;
    int r = count(s, err);
    while (r == RDV_OK && !settled(s) && needs_next(s)) {
        r = begin_next(s, err);
        if (r == RDV_OK)
            r = count(s, err);
    }
    s->going_on = false;
    if (r < 0 || !settled(s))
        return r;
    r = conclude(s, err);
    return r == RDV_OK ? drop_rest(s, err) : r;
}

/* ---- one chain --------------------------------------------------------------------------------
 */

/* Finds the chain's answer among those of other chains, or adds a new one. */
static int number_answer(attempt *a, rdv_error *err)
{
    solving *s = a->s;
    a->answer = rdv_map_get(&s->answers, a->ballot.key);
    if (a->answer == RDV_MAP_MISSING) {
        a->answer = s->n_answers++;
        if (rdv_map_put(&s->answers, a->ballot.key, a->answer) < 0)
            return rdv_no_memory(err);
    }
    if (s->answers_first)
        s->standings[a->answer].later++;
    return RDV_OK;
}

static int fill_ballot(attempt *a, rdv_error *err)
{
    solving *s = a->s;
    rdv_plan *plan = s->plan;
    const rdv_chain *chain = &plan->chains[a->chain_index];
    a->ballot = (rdv_ballot){.weight = NAN, .correct = -1};
    a->answer = NO_ANSWER;
    if (s->question->gold.p)
        a->ballot.correct = 0; /* without a readable answer it counts as wrong */
    if (!chain->answer.p)
        return RDV_OK;
    a->shown = chain->answer;
    int r = rdv_answer_key(chain->answer, &s->form, plan->arena, &a->ballot.key, err);
    if (r != RDV_OK)
        return r < 0 ? r : RDV_OK;
    r = number_answer(a, err);
    if (r < 0 || !s->question->gold.p)
        return r;
    bool right;
    r = rdv_answer_right(chain->answer, s->question->gold, &s->form, plan->arena, &right, err);
    a->ballot.correct = r == RDV_OK ? right : -1;
    return r < 0 ? r : RDV_OK;
}

static int chain_done(rdv_plan *plan, size_t chain_index, void *data, rdv_error *err)
{
    solving *s = data;
    attempt *a = &s->attempts[chain_index];
    const rdv_check *check = rdv_chain_check(&plan->chains[chain_index], (rdv_str){0});
    a->ballot.weight = check                                  ? standing_weight(check)
                       : a->absent || plan->options.n_methods ? NAN
                                                              : 1;
    if (plan->options.bound == RDV_BOUND_LEAST)
        a->ballot.weight = 1;
    a->done = true;
    return go_on(s, err);
}

/* A chain without an answer casts no vote, so it need not be checked. An incomplete chain never has
 * an answer. */
static int check_chain(attempt *a, rdv_error *err)
{
    solving *s = a->s;
    bool unfinished = s->plan->chains[a->chain_index].unfinished.p != NULL;
    if (a->absent || unfinished || (s->answers_first && !a->ballot.key.p))
        return chain_done(s->plan, a->chain_index, s, err);
    return check_set_start(&a->checks, s->plan, a->chain_index, chain_done, s, err);
}

/* All answers are known: announces them and begins to check. */
static int announce(solving *s, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < s->n && r == RDV_OK; i++)
        r = rdv_tally_expect(s->tally, s->attempts[i].ballot.key, err);
    return r == RDV_OK ? go_on(s, err) : r;
}

static int generated(generation *g, rdv_error *err)
{
    attempt *a = g->data;
    solving *s = a->s;
    a->generation = g; /* it may be done before it is returned */
    a->absent = g->absent;
    s->ungenerated--;
    int r = fill_ballot(a, err);
    if (r < 0)
        return r;
    a->generated = !a->absent;
    if (!s->answers_first)
        return check_chain(a, err);
    return s->ungenerated == 0 ? announce(s, err) : RDV_OK;
}

static int generate(solving *s, size_t chain_index, rdv_error *err)
{
    attempt *a = &s->attempts[chain_index];
    *a = (attempt){.s = s, .chain_index = chain_index};
    return generation_start(&a->generation, s->plan, s->question, chain_index, generated, a, err);
}

static int generate_all(solving *s, rdv_error *err)
{
    int r = RDV_OK;
    s->ungenerated = s->n;
    while (s->begun < s->n && r == RDV_OK)
        r = generate(s, s->begun++, err);
    return r;
}

/* ---- the plan ---------------------------------------------------------------------------------
 */

static int start_tally(solving *s, rdv_error *err)
{
    const rdv_plan_options *o = &s->plan->options;
    rdv_stop_kind stop = o->bound == RDV_BOUND_MOST ? RDV_STOP_NONE : o->stop;
    bool sums = s->select == RDV_SELECT_MAJORITY || s->select == RDV_SELECT_WEIGHTED;
    bool asks = false;
    for (size_t i = 0; i < o->n_methods; i++)
        asks |= o->methods[i]->asks_model;
    s->stop = stop;
    s->answers_first = asks && sums && stop == RDV_STOP_CERTAIN;
    rdv_stop rule = {.kind = stop, .p = o->posterior, .answers_known = s->answers_first};
    return sums ? rdv_tally_new(s->select, &rule, s->n, s->plan->arena, &s->tally, err) : RDV_OK;
}

static int start(rdv_plan *plan, const rdv_question *question, rdv_error *err)
{
    const rdv_plan_options *o = &plan->options;
    solving *s = RDV_NEW(plan->arena, solving);
    plan->chains = RDV_NEW_ARRAY(plan->arena, rdv_chain, o->chains);
    if (!s || !plan->chains)
        return rdv_no_memory(err);
    s->attempts = RDV_NEW_ARRAY(plan->arena, attempt, o->chains);
    s->standings = RDV_NEW_ARRAY(plan->arena, standing, o->chains);
    if (!s->attempts || !s->standings)
        return rdv_no_memory(err);
    rdv_map_init(&s->answers, plan->arena);
    s->plan = plan;
    s->question = question;
    s->form = rdv_answer_form_of(question);
    s->n = o->chains;
    s->select = o->select == RDV_SELECT_WEIGHTED && !o->n_methods ? RDV_SELECT_MAJORITY : o->select;
    int r = start_tally(s, err);
    if (r < 0)
        return r;
    return s->answers_first ? generate_all(s, err) : go_on(s, err);
}

static int check_options(const rdv_plan *plan, rdv_error *err)
{
    if (plan->options.chains == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "at least one chain must be generated");
    int r = check_set_possible(plan, err);
    return r == RDV_OK && plan->options.beam_search ? beam_search_possible(&plan->options, err) : r;
}

int rdv_plan_solve(const rdv_question *question, const rdv_plan_options *options, rdv_plan **plan,
                   rdv_error *err)
{
    int r = plan_new(options, plan, err);
    if (r < 0)
        return r;
    (*plan)->generates = true;
    r = check_options(*plan, err);
    if (r == RDV_OK)
        r = ((*plan)->options.beam_search ? beam_search_start : start)(*plan, question, err);
    if (r < 0)
        rdv_plan_free(plan);
    return r;
}
