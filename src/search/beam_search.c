/* SPDX-License-Identifier: Apache-2.0 */
#include "search/beam_search.h"
#include "score/score.h"

#include "base/arena.h"
#include "base/str.h"
#include "grade/chain/chain_answer.h"
#include "search/beam_expand.h"
#include "search/chain_end.h"
#include "method/check_set.h"
#include "method/standing.h"
#include "search/step_logprobs.h"

#include <rederive/answer.h>

#include <math.h>
#include <stdlib.h>

#define MOST_PREFIXES 100000
#define MOST_DRAWS 1000   /* per round: beam times expansions */
#define MOST_STEPS 1000   /* per solution */
#define ORDINARY_STEPS 30 /* per solution, by default */

/* A partial chain that may be continued. */
typedef struct prefix {
    struct searching *s;
    size_t chain_index; /* of its chain in the plan */
    beam_expand *step;  /* its last step; NULL: it has none yet */
    const struct prefix *parent;
    rdv_str path;  /* "2.0.1": the draws that it is made of */
    double score;  /* its weight in a vote by its check; NaN: not available */
    bool grown;    /* its step was read, and no sibling has the same one */
    bool finished; /* it gives its answer, or has the maximum length */
} prefix;

typedef struct searching {
    rdv_plan *plan;
    const rdv_question *question;
    rdv_answer_form form;
    size_t beam, expansions, most_steps;
    prefix **live; /* the beam, the best first */
    size_t n_live;
    prefix **ended; /* in the order in which they left the beam */
    size_t n_ended, cap_ended;
    prefix *children; /* of this round; those of one prefix are adjacent */
    size_t n_children;
    size_t next_chain, round;
    size_t unchecked;
    bool logprobs; /* requested: a method uses them */
    bool failed;   /* a call for a step got no reply */
} searching;

static int begin_round(searching *s, rdv_error *err);

static rdv_chain *chain_of(const prefix *p)
{
    return &p->s->plan->chains[p->chain_index];
}

/* ---- the result ------------------------------------------------------------------------------ */

static int fill_ballot(const prefix *p, rdv_ballot *b, rdv_str *shown, rdv_error *err)
{
    const searching *s = p->s;
    const rdv_chain *chain = chain_of(p);
    rdv_str gold = s->question->gold;
    *b = (rdv_ballot){.weight = s->plan->options.n_methods ? p->score : 1,
                      .correct = gold.p ? 0 : -1};
    *shown = chain->answer;
    if (!chain->answer.p)
        return RDV_OK;
    int r = rdv_answer_key(chain->answer, &s->form, s->plan->arena, &b->key, err);
    if (r != RDV_OK || !gold.p)
        return r < 0 ? r : RDV_OK;
    bool right;
    r = rdv_answer_right(chain->answer, gold, &s->form, s->plan->arena, &right, err);
    b->correct = r == RDV_OK ? right : -1;
    return r < 0 ? r : RDV_OK;
}

/* Keeps the chains that left the beam, without gaps. */
static int keep_chains(searching *s, rdv_error *err)
{
    rdv_chain *chains = RDV_NEW_ARRAY(s->plan->arena, rdv_chain, s->n_ended);
    if (!chains)
        return rdv_no_memory(err);
    for (size_t i = 0; i < s->n_ended; i++)
        chains[i] = *chain_of(s->ended[i]);
    s->plan->chains = chains;
    s->plan->n_chains = s->n_ended;
    return RDV_OK;
}

static int vote(searching *s, const rdv_ballot *ballots, const rdv_str *shown, rdv_result *result,
                rdv_error *err)
{
    const rdv_plan_options *o = &s->plan->options;
    rdv_vote decided;
    rdv_select_kind how =
        o->select == RDV_SELECT_WEIGHTED && !o->n_methods ? RDV_SELECT_MAJORITY : o->select;
    int r = rdv_vote_decide(how, ballots, s->n_ended, s->plan->arena, &decided, err);
    if (r == RDV_OK && !decided.cast && s->plan->partial)
        r = rdv_vote_decide(RDV_SELECT_MAJORITY, ballots, s->n_ended, s->plan->arena, &decided,
                            err);
    return r == RDV_OK ? rdv_vote_result(&decided, shown, s->plan->arena, result, err) : r;
}

static int conclude(searching *s, rdv_error *err)
{
    rdv_arena *arena = s->plan->arena;
    rdv_result *result = RDV_NEW(arena, rdv_result);
    rdv_ballot *ballots = RDV_NEW_ARRAY(arena, rdv_ballot, s->n_ended);
    rdv_str *shown = RDV_NEW_ARRAY(arena, rdv_str, s->n_ended);
    if (!result || !ballots || !shown)
        return rdv_no_memory(err);
    *result = (rdv_result){.question_id = s->question->id,
                           .chains = s->beam,
                           .chains_used = s->n_ended,
                           .calls = graph_needed(&s->plan->graph)};
    int r = RDV_OK;
    for (size_t i = 0; i < s->n_ended && r == RDV_OK; i++)
        r = fill_ballot(s->ended[i], &ballots[i], &shown[i], err);
    if (r == RDV_OK)
        r = vote(s, ballots, shown, result, err);
    if (r == RDV_OK && s->failed)
        result_unanswered(result, result->unread);
    if (r == RDV_OK)
        r = keep_chains(s, err);
    if (r == RDV_OK)
        s->plan->result = result;
    return r;
}

/* ---- the end of a round ---------------------------------------------------------------------- */

static int leave_beam(searching *s, prefix *p, rdv_error *err)
{
    if (!RDV_PUSH_ROOM(s->plan->arena, s->ended, s->n_ended, s->cap_ended))
        return rdv_no_memory(err);
    s->ended[s->n_ended++] = p;
    return RDV_OK;
}

/* The best first; those without a score last; of equal ones the one drawn earlier. */
static int by_score(const void *a, const void *b)
{
    const prefix *x = *(prefix *const *)a, *y = *(prefix *const *)b;
    bool no_x = isnan(x->score), no_y = isnan(y->score);
    if (no_x != no_y)
        return no_x - no_y;
    if (!no_x && x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return (x->chain_index > y->chain_index) - (x->chain_index < y->chain_index);
}

/* A prefix without a further step ends as it is. */
static int end_the_barren(searching *s, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < s->n_live && r == RDV_OK; i++) {
        bool barren = s->live[i]->step != NULL;
        for (size_t k = 0; k < s->n_children && barren; k++)
            barren = !(s->children[k].grown && s->children[k].parent == s->live[i]);
        if (barren)
            r = leave_beam(s, s->live[i], err);
    }
    return r;
}

/* The best new prefixes take the remaining places in the beam. */
static int choose(searching *s, rdv_error *err)
{
    prefix **all = RDV_NEW_ARRAY(s->plan->arena, prefix *, s->n_children);
    size_t n = 0;
    int r = all ? end_the_barren(s, err) : rdv_no_memory(err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < s->n_children; i++)
        if (s->children[i].grown)
            all[n++] = &s->children[i];
    if (n > 1)
        qsort(all, n, sizeof *all, by_score);
    size_t room = s->n_ended < s->beam ? s->beam - s->n_ended : 0;
    s->n_live = 0;
    for (size_t i = 0; i < n && i < room && r == RDV_OK; i++) {
        if (all[i]->finished)
            r = leave_beam(s, all[i], err);
        else
            s->live[s->n_live++] = all[i];
    }
    return r;
}

static bool spent(const searching *s)
{
    uint64_t generated, checked, most = s->plan->options.generated_tokens;
    if (!most)
        return false;
    rdv_plan_tokens(s->plan, &generated, &checked);
    return generated >= most;
}

/* The round is complete: decides, and continues or ends. */
static int commit(searching *s, rdv_error *err)
{
    for (size_t i = 0; i < s->n_children; i++)
        node_need(s->children[i].step->node);
    int r = choose(s, err);
    s->round++;
    if (r == RDV_OK && s->n_live && !s->plan->graph.closed && !spent(s))
        return begin_round(s, err);
    for (size_t i = 0; i < s->n_live && r == RDV_OK; i++)
        r = leave_beam(s, s->live[i], err);
    return r == RDV_OK ? conclude(s, err) : r;
}

/* ---- checking the new prefixes --------------------------------------------------------------- */

static int checked(rdv_plan *plan, size_t chain_index, void *data, rdv_error *err)
{
    prefix *p = data;
    searching *s = p->s;
    rdv_chain *chain = &plan->chains[chain_index];
    const rdv_check *last = rdv_chain_check(chain, (rdv_str){0});
    /* The parent's checks are not needed any more. */
    size_t old = chain_of(p->parent)->n_checks;
    chain->checks += old;
    chain->n_checks -= old;
    if (plan->options.n_methods && last)
        p->score = standing_weight(last);
    return --s->unchecked == 0 ? commit(s, err) : RDV_OK;
}

/* True if an earlier draw from the same prefix has the same step. */
static bool is_repeated(const searching *s, size_t i)
{
    const prefix *p = &s->children[i];
    if (s->plan->options.bound == RDV_BOUND_MOST)
        return false;
    for (size_t k = i; k-- > 0 && s->children[k].parent == p->parent;)
        if (s->children[k].grown && rdv_str_eq(s->children[k].step->text, p->step->text))
            return true;
    return false;
}

/* Does the chain end with its last step? The paper of this search leaves that open, so any
 * announcement ends it in its profile too. */
static bool is_solution(const searching *s, const rdv_chain *chain)
{
    rdv_profile profile = s->plan->options.profile;
    rdv_answer answer;
    return chain_end_answer(profile, s->question, chain->steps, chain->n_steps, &answer) ==
               RDV_OK ||
           (profile == RDV_PAPER &&
            rdv_answer_read_steps(&chain->steps[chain->n_steps - 1], 1, &s->form, &answer) ==
                RDV_OK &&
            answer.by <= RDV_ANSWER_BY_PHRASE);
}

/* Makes the chain of a prefix: its parent's chain with one more step. It includes the parent's
 * checks, so a verifier need not ask about the same steps again. */
static int grow(prefix *p, rdv_error *err)
{
    searching *s = p->s;
    rdv_arena *arena = s->plan->arena;
    const rdv_chain *before = chain_of(p->parent);
    rdv_chain *chain = chain_of(p);
    size_t n = before->n_steps;
    *chain = *before;
    chain->id = rdv_str_printf(arena, "%.*s/%.*s", RDV_FMT(s->question->id), RDV_FMT(p->path));
    chain->steps = RDV_NEW_ARRAY(arena, rdv_str, n + 1);
    chain->logprobs = s->logprobs ? RDV_NEW_ARRAY(arena, rdv_logprobs, n + 1) : NULL;
    if (!chain->id.p || !chain->steps || (s->logprobs && !chain->logprobs))
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        chain->steps[i] = before->steps[i];
        if (s->logprobs)
            chain->logprobs[i] = before->logprobs[i];
    }
    chain->steps[n] = p->step->text;
    if (s->logprobs)
        chain->logprobs[n] = p->step->logprobs;
    chain->n_steps = n + 1;
    rdv_answer answer;
    bool ends = is_solution(s, chain);
    p->finished = ends || chain->n_steps >= s->most_steps;
    int r = ends ? chain_answer_read(chain, &s->form, arena, &answer, err) : RDV_NONE;
    if (r == RDV_OK)
        chain->answer = answer.text;
    return r < 0 ? r : RDV_OK;
}

static int drawn(graph *g, node_group *group, rdv_error *err)
{
    searching *s = group->data;
    int r = RDV_OK;
    s->unchecked = 1; /* until all have begun */
    for (size_t i = 0; i < s->n_children && r == RDV_OK; i++) {
        prefix *p = &s->children[i];
        s->failed |= p->step->node->failed;
        p->grown = p->step->node->state == NODE_ANSWERED && !is_repeated(s, i);
        if (!p->grown)
            continue;
        r = grow(p, err);
        s->unchecked++;
    }
    for (size_t i = 0; i < s->n_children && r == RDV_OK; i++) {
        check_set *checks;
        if (s->children[i].grown)
            r = check_set_start(&checks, s->plan, s->children[i].chain_index, checked,
                                &s->children[i], err);
    }
    return r == RDV_OK && --s->unchecked == 0 ? commit(s, err) : r;
}

/* ---- drawing steps --------------------------------------------------------------------------- */

static int draw(searching *s, prefix *child, prefix *parent, size_t nth, node_group *group,
                rdv_error *err)
{
    rdv_arena *arena = s->plan->arena;
    *child = (prefix){.s = s, .chain_index = s->next_chain++, .parent = parent, .score = NAN};
    child->path = parent->path.len ? rdv_str_printf(arena, "%.*s.%zu", RDV_FMT(parent->path), nth)
                                   : rdv_str_printf(arena, "%zu", nth);
    if (!child->path.p)
        return rdv_no_memory(err);
    return beam_expand_add(&child->step, s->plan, chain_of(parent), child->chain_index, child->path,
                           s->logprobs, group, err);
}

/* Each round has as many draws as there are places left, times the expansions; the best prefixes
 * get the remainder. */
static int begin_round(searching *s, rdv_error *err)
{
    rdv_plan *plan = s->plan;
    size_t n = (s->beam - s->n_ended) * s->expansions, k = 0;
    prefix *children = RDV_NEW_ARRAY(plan->arena, prefix, n);
    node_group *group = graph_group(&plan->graph, drawn, s);
    if (!children || !group)
        return rdv_no_memory(err);
    s->children = children;
    s->n_children = n;
    int r = RDV_OK;
    for (size_t i = 0; i < s->n_live && r == RDV_OK; i++) {
        size_t draws = n / s->n_live + (i < n % s->n_live);
        for (size_t nth = 0; nth < draws && r == RDV_OK; nth++)
            r = draw(s, &children[k++], s->live[i], nth, group, err);
    }
    return r == RDV_OK ? graph_seal(&plan->graph, group, err) : r;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static size_t most_steps(const rdv_plan_options *o)
{
    return o->max_steps ? o->max_steps : ORDINARY_STEPS;
}

int beam_search_possible(const rdv_plan_options *o, rdv_error *err)
{
    if (!o->beam_width || !o->expansions || o->beam_width > MOST_DRAWS ||
        o->expansions > MOST_DRAWS / o->beam_width)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "a beam has at least one place and expansion, and at most %d draws a round",
                        MOST_DRAWS);
    if (most_steps(o) > MOST_STEPS || o->beam_width * o->expansions * most_steps(o) > MOST_PREFIXES)
        return rdv_fail(err, RDV_E_ARGUMENT, "a search writes at most %d steps, and %d in all",
                        MOST_STEPS, MOST_PREFIXES);
    if (o->select == RDV_SELECT_RANDOM || o->select == RDV_SELECT_PERPLEXITY)
        return rdv_fail(err, RDV_E_ARGUMENT, "a search does not choose by %s",
                        rdv_select_name(o->select));
    return RDV_OK;
}

int beam_search_start(rdv_plan *plan, const rdv_question *question, rdv_error *err)
{
    const rdv_plan_options *o = &plan->options;
    searching *s = RDV_NEW(plan->arena, searching);
    prefix *root = RDV_NEW(plan->arena, prefix);
    size_t places = 1 + o->beam_width * o->expansions * most_steps(o);
    plan->chains = RDV_NEW_ARRAY(plan->arena, rdv_chain, places);
    if (!s || !root || !plan->chains)
        return rdv_no_memory(err);
    *s = (searching){.plan = plan,
                     .question = question,
                     .form = rdv_answer_form_of(question),
                     .beam = o->beam_width,
                     .expansions = o->expansions,
                     .most_steps = most_steps(o),
                     .live = RDV_NEW_ARRAY(plan->arena, prefix *, o->beam_width),
                     .n_live = 1,
                     .next_chain = 1,
                     .logprobs = step_logprobs_wanted(o)};
    if (!s->live)
        return rdv_no_memory(err);
    *root = (prefix){.s = s, .score = NAN};
    plan->chains[0] = (rdv_chain){.question = *question, .correct = -1};
    s->live[0] = root;
    return begin_round(s, err);
}
