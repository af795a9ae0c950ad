/* SPDX-License-Identifier: Apache-2.0 */
/* Stopping a vote early. A heap orders the answers by the largest sum that each can still reach
 * (its current sum plus the largest weight for each of its announced chains). The leader and its
 * nearest rival are therefore found in constant time, and a ballot costs O(log answers) for any
 * weights. */

#include "base/arena.h"
#include "base/str.h"
#include "score/interner.h"
#include "score/score.h"
#include "score/sum.h"

#include <math.h>
#include <stdlib.h>

typedef struct runner {
    rdv_sum reach;  /* sum of the weights cast + pending * highest */
    size_t pending; /* announced chains not yet counted */
    size_t cast;
    size_t place; /* position in the heap */
} runner;

struct rdv_tally {
    rdv_stop rule;
    bool majority;
    double lowest, highest; /* the least and the most that one chain can add; it may also add 0 */
    size_t n, counted, announced;
    rdv_map map;
    runner *runners;
    size_t n_runners, cap_runners;
    size_t *heap; /* runners, the largest reach first; in ties, the first to appear */
    size_t n_heap, cap_heap;
};

/* Reads a number in (0, 0.5); 0: anything else. */
static double small_chance(rdv_str text)
{
    char number[32], *end;
    if (text.len == 0 || text.len >= sizeof number)
        return 0;
    memcpy(number, text.p, text.len);
    number[text.len] = '\0';
    if (strspn(number, "0123456789.eE-+") != text.len)
        return 0;
    double chance = strtod(number, &end);
    return *end == '\0' && chance > 0 && chance < 0.5 ? chance : 0;
}

int rdv_stop_named(rdv_str text, rdv_stop *out, rdv_error *err)
{
    const rdv_str prefix = RDV_STR("posterior:");
    rdv_stop rule = {0};
    bool good = true;
    if (rdv_str_eq(text, RDV_STR("certain"))) {
        rule.kind = RDV_STOP_CERTAIN;
    } else if (rdv_starts(text, prefix)) {
        rule.kind = RDV_STOP_POSTERIOR;
        rule.p = small_chance(rdv_slice(text, prefix.len, text.len));
        good = rule.p > 0;
    } else {
        good = rdv_str_eq(text, RDV_STR("none"));
    }
    if (!good)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "a stopping rule is none, certain or posterior:P with 0 < P < 0.5, not "
                        "\"%.*s\"",
                        RDV_FMT(text));
    *out = rule;
    return RDV_OK;
}

/* ---- the heap ------------------------------------------------------------------------------ */

static bool ahead(const rdv_tally *t, size_t a, size_t b)
{
    int order = rdv_sum_cmp(&t->runners[a].reach, &t->runners[b].reach);
    return order > 0 || (order == 0 && a < b);
}

static void put(rdv_tally *t, size_t place, size_t id)
{
    t->heap[place] = id;
    t->runners[id].place = place;
}

static void move_up(rdv_tally *t, size_t id)
{
    size_t place = t->runners[id].place;
    while (place > 0 && ahead(t, id, t->heap[(place - 1) / 2])) {
        put(t, place, t->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(t, place, id);
}

static void move_down(rdv_tally *t, size_t id)
{
    size_t place = t->runners[id].place;
    for (size_t child; (child = 2 * place + 1) < t->n_heap; place = child) {
        if (child + 1 < t->n_heap && ahead(t, t->heap[child + 1], t->heap[child]))
            child++;
        if (!ahead(t, t->heap[child], id))
            break;
        put(t, place, t->heap[child]);
    }
    put(t, place, id);
}

static runner *leader(const rdv_tally *t)
{
    return t->n_heap ? &t->runners[t->heap[0]] : NULL;
}

/* The runner-up: one of the two children of the top. */
static runner *rival(const rdv_tally *t)
{
    if (t->n_heap < 2)
        return NULL;
    size_t second = t->n_heap > 2 && ahead(t, t->heap[2], t->heap[1]) ? 2 : 1;
    return &t->runners[t->heap[second]];
}

/* ---- the tally ----------------------------------------------------------------------------- */

static int check_rule(rdv_select_kind how, const rdv_stop *rule, rdv_error *err)
{
    if (how != RDV_SELECT_MAJORITY && how != RDV_SELECT_WEIGHTED)
        return rdv_fail(err, RDV_E_ARGUMENT, "stopping early needs a majority or a weighted vote");
    if (!rdv_sum_takes(rule->low) || !rdv_sum_takes(rule->high) || rule->low > rule->high)
        return rdv_fail(err, RDV_E_ARGUMENT, "%g and %g are no bounds of a weight", rule->low,
                        rule->high);
    if (rule->kind != RDV_STOP_POSTERIOR)
        return RDV_OK;
    if (!(rule->p > 0 && rule->p < 0.5))
        return rdv_fail(err, RDV_E_ARGUMENT, "a posterior chance lies between 0 and 0.5, not %g",
                        rule->p);
    if (how == RDV_SELECT_WEIGHTED && rule->low < 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "the posterior rule needs weights of at least 0");
    return RDV_OK;
}

int rdv_tally_new(rdv_select_kind how, const rdv_stop *rule, size_t n, rdv_arena *arena,
                  rdv_tally **out, rdv_error *err)
{
    int r = check_rule(how, rule, err);
    if (r < 0)
        return r;
    rdv_tally *t = RDV_NEW(arena, rdv_tally);
    if (!t)
        return rdv_no_memory(err);
    t->rule = *rule;
    t->majority = how == RDV_SELECT_MAJORITY;
    if (t->majority || (rule->low == 0 && rule->high == 0)) {
        t->rule.low = 0;
        t->rule.high = 1;
    }
    if (rule->kind != RDV_STOP_CERTAIN)
        t->rule.answers_known = false;
    t->lowest = fmin(t->rule.low, 0);
    t->highest = fmax(t->rule.high, 0);
    t->n = n;
    rdv_map_init(&t->map, arena);
    *out = t;
    return RDV_OK;
}

/* Finds the runner of that answer, or adds a new one at the end of the heap. */
static int enter(rdv_tally *t, rdv_str key, size_t *id)
{
    size_t before = t->n_runners;
    rdv_arena *arena = t->map.arena;
    if (!RDV_PUSH_ROOM(arena, t->runners, t->n_runners, t->cap_runners) ||
        !RDV_PUSH_ROOM(arena, t->heap, t->n_heap, t->cap_heap) ||
        interner_number(&t->map, key, &t->n_runners, id) < 0)
        return RDV_E_NOMEM;
    if (t->n_runners > before) {
        t->runners[*id] = (runner){.place = t->n_heap};
        t->heap[t->n_heap++] = *id;
        move_up(t, *id);
    }
    return RDV_OK;
}

int rdv_tally_expect(rdv_tally *t, rdv_str key, rdv_error *err)
{
    size_t id;
    t->announced++;
    if (!key.p)
        return RDV_OK;
    if (enter(t, key, &id) < 0)
        return rdv_no_memory(err);
    t->runners[id].pending++;
    rdv_sum_add(&t->runners[id].reach, t->highest);
    move_up(t, id);
    return RDV_OK;
}

/* Replaces the highest weight, assumed for an announced chain, by its actual weight. */
static int redeem(rdv_tally *t, rdv_str key, size_t *id, rdv_error *err)
{
    *id = rdv_map_get(&t->map, key);
    if (*id == RDV_MAP_MISSING || t->runners[*id].pending == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "an answer was counted that was not announced");
    t->runners[*id].pending--;
    rdv_sum_add(&t->runners[*id].reach, -t->highest);
    return RDV_OK;
}

int rdv_tally_add(rdv_tally *t, const rdv_ballot *ballot, rdv_error *err)
{
    double weight = t->majority ? 1 : ballot->weight;
    if (weight < t->rule.low || weight > t->rule.high)
        return rdv_fail(err, RDV_E_INPUT, "chain %zu: its weight %g lies outside [%g, %g]",
                        t->counted, weight, t->rule.low, t->rule.high);
    if (t->counted == t->n)
        return rdv_fail(err, RDV_E_ARGUMENT, "more than the %zu chains of this vote", t->n);
    bool casts = ballot->key.p && !isnan(weight);
    size_t id = 0;
    if (t->rule.answers_known && ballot->key.p) {
        int r = redeem(t, ballot->key, &id, err);
        if (r < 0)
            return r;
    } else if (casts && enter(t, ballot->key, &id) < 0) {
        return rdv_no_memory(err);
    }
    t->counted++;
    if (casts) {
        t->runners[id].cast++;
        rdv_sum_add(&t->runners[id].reach, weight);
    }
    if (casts || (t->rule.answers_known && ballot->key.p)) {
        move_up(t, id);
        move_down(t, id);
    }
    return RDV_OK;
}

/* Whether the leader's lowest possible sum is strictly above its rival's highest possible sum,
 * whatever the remaining chains give. */
static bool certain(const rdv_tally *t)
{
    const runner *first = leader(t), *second = rival(t);
    if (!first || first->cast == 0)
        return false;
    size_t unseen = t->rule.answers_known ? 0 : t->n - t->counted;
    rdv_sum margin = first->reach;
    rdv_sum_add_times(&margin, t->lowest, first->pending);
    rdv_sum_add_times(&margin, -t->highest, first->pending);
    rdv_sum_add_times(&margin, -fmax(t->highest, -t->lowest), unseen);
    rdv_sum alone = margin; /* against an answer that has not appeared yet */
    if (second)
        rdv_sum_subtract(&margin, &second->reach);
    return (!second || rdv_sum_sign(&margin) > 0) && (unseen == 0 || rdv_sum_sign(&alone) > 0);
}

static bool improbable(const rdv_tally *t)
{
    const runner *first = leader(t), *second = rival(t);
    if (!first)
        return false;
    double ours = rdv_sum_value(&first->reach) / t->rule.high;
    double theirs = second ? rdv_sum_value(&second->reach) / t->rule.high : 0;
    return rdv_beta_cdf(0.5, ours + 1, theirs + 1) <= t->rule.p;
}

bool rdv_tally_settled(const rdv_tally *t)
{
    if (t->counted == t->n)
        return true;
    switch (t->rule.kind) {
    case RDV_STOP_NONE:
        break;
    case RDV_STOP_CERTAIN:
        return certain(t);
    case RDV_STOP_POSTERIOR:
        return certain(t) || improbable(t);
    }
    return false;
}

int rdv_stop_after(rdv_select_kind how, const rdv_stop *rule, const rdv_ballot *ballots, size_t n,
                   rdv_arena *arena, size_t *used, rdv_error *err)
{
    rdv_tally *t;
    int r = rdv_tally_new(how, rule, n, arena, &t, err);
    for (size_t i = 0; i < n && r == RDV_OK && t->rule.answers_known; i++)
        r = rdv_tally_expect(t, ballots[i].key, err);
    for (size_t i = 0; i < n && r == RDV_OK && !rdv_tally_settled(t); i++)
        r = rdv_tally_add(t, &ballots[i], err);
    if (r == RDV_OK)
        *used = t->counted;
    return r;
}
