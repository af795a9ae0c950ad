/* SPDX-License-Identifier: Apache-2.0 */
/* General-purpose verification: chains with the checks of its verifiers, and their tables. */
#include "study/list.h"

#include <rederive/data.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "method/recorded_verifier.h"
#include "score/interner.h"
#include "score/combine.h"
#include "score/score.h"

#include <math.h>
#include <stdio.h>

/* Takes the verifiers of one's own, and those that others are compared with. */
static int take_own(general *g, const rdv_study_options *o, rdv_error *err)
{
    if (o->n_own_verifiers > RDV_MAX_OWN_VERIFIERS)
        return rdv_fail(err, RDV_E_ARGUMENT, "at most %d verifiers of one's own can take part",
                        RDV_MAX_OWN_VERIFIERS);
    for (size_t i = 0; i < o->n_own_verifiers; i++)
        g->own.name[g->own.n++] = o->own_verifiers[i];
    g->n_verifiers = RDV_N_VERIFIERS + g->own.n;
    if (!o->combination.verifiers)
        g->how.verifiers = (1u << g->n_verifiers) - 1;
    if (g->how.verifiers >> g->n_verifiers)
        return rdv_fail(err, RDV_E_ARGUMENT, "a verifier that has no name cannot take part");
    g->compares = o->baseline && (g->study->entry->info.uses & RDV_USES_BASELINE);
    if (!g->compares)
        return RDV_OK;
    own_verifiers named = g->own;
    int r = rdv_combination_verifiers(rdv_str_of(o->baseline), &named, &g->baseline, err);
    if (r == RDV_OK && named.n > g->own.n)
        r = rdv_fail(err, RDV_E_ARGUMENT, "\"%.*s\" is none of the verifiers",
                     RDV_FMT(rdv_slice(named.name[g->own.n], 0, 64)));
    return r == RDV_OK ? r : rdv_wrap(err, r, "--baseline %.64s", o->baseline);
}

static int begin(rdv_study *s, rdv_error *err)
{
    const rdv_study_options *o = &s->options;
    general *g = RDV_NEW(s->arena, general);
    if (!g)
        return rdv_no_memory(err);
    *g = (general){.study = s,
                   .arena = s->arena,
                   .how = o->combination.verifiers ? o->combination : rdv_combination_default(),
                   .threshold = o->threshold > 0 ? o->threshold : 0.5};
    rdv_map_init(&g->groups_by_source, s->arena);
    s->of = g;
    int r = take_own(g, o, err);
    return r == RDV_OK ? rdv_combination_check(&g->how, err) : r;
}

/* ---- a chain --------------------------------------------------------------------------------- */

/* Finds the group of a source. Groups of learned chains are separate, so that the others keep their
 * order. */
static int find_group(general *g, size_t source, bool learned, size_t *out)
{
    size_t n = g->n_groups;
    rdv_str key = {(const char *)&source, sizeof source};
    if (!RDV_PUSH_ROOM(g->arena, g->groups, g->n_groups, g->cap_groups) ||
        interner_number_within(&g->groups_by_source, learned, key, &n, out) < 0)
        return RDV_E_NOMEM;
    if (n > g->n_groups)
        g->groups[g->n_groups++] = source;
    return RDV_OK;
}

/* Reads the confidence of a check of the whole chain: one that was read, in [0,1]. */
static int read_whole(const general *g, const rdv_check *check, size_t verifier, general_item *item)
{
    bool known =
        check->verdicts[0].kind != RDV_UNKNOWN && check->confidence >= 0 && check->confidence <= 1;
    double *score = known ? RDV_NEW(g->arena, double) : NULL;
    if (!score)
        return known ? RDV_E_NOMEM : RDV_OK;
    *score = check->confidence;
    item->is.step[verifier] = score;
    item->is.whole |= 1u << verifier;
    return RDV_OK;
}

/* Reads the scores of a check by a method of one's own: a step's score, or what its verdict stands
 * for (method/recorded_verifier.h). */
static int read_own(general *g, const study_chain *one, size_t verifier, general_item *item,
                    rdv_error *err)
{
    const rdv_chain *chain = one->chain;
    rdv_recorded_verifier own = {.method = general_verifier(g, verifier), .weight = 1};
    const rdv_check *check = rdv_chain_check(chain, own.method);
    rdv_check taken;
    bool any = false;
    if (check)
        g->checked |= 1u << verifier;
    if (!check || check->skipped || check->n_verdicts == 0)
        return RDV_OK;
    if (check->verdicts[0].step == RDV_WHOLE_CHAIN)
        return read_whole(g, check, verifier, item);
    double *score = RDV_NEW_ARRAY(g->arena, double, chain->n_steps);
    int r = score ? recorded_verifier_take(&own, chain, &g->how, one->scratch, &taken, err)
                  : RDV_E_NOMEM;
    for (size_t i = 0; r == RDV_OK && i < chain->n_steps; i++) {
        score[i] = taken.verdicts[i].score;
        any |= !isnan(score[i]);
    }
    item->is.step[verifier] = any ? score : NULL;
    return r;
}

/* Reads the step scores of a verifier's check, NaN for a missing one; NULL: no check, or no score
 * at all. */
static int read_scores(const general *g, const rdv_chain *chain, size_t verifier,
                       const double **out)
{
    const rdv_check *check = rdv_chain_check(chain, general_verifier(g, verifier));
    bool any = false;
    *out = NULL;
    if (!check || check->skipped)
        return RDV_OK;
    double *score = RDV_NEW_ARRAY(g->arena, double, chain->n_steps);
    if (!score)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < chain->n_steps; i++)
        score[i] = NAN;
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        if (v->step >= chain->n_steps || v->kind == RDV_UNKNOWN || isnan(v->score))
            continue;
        score[v->step] = v->score;
        any = true;
    }
    *out = any ? score : NULL;
    return RDV_OK;
}

/* A step's tokens from the evidence of the perplexity verifier, if present. */
static rdv_tokens tokens_in(const rdv_verdict *verdict)
{
    const rdv_evidence *logprob =
        verdict->evidence ? rdv_evidence_get(verdict->evidence, RDV_STR("logprob")) : NULL;
    const rdv_evidence *n =
        verdict->evidence ? rdv_evidence_get(verdict->evidence, RDV_STR("n_tokens")) : NULL;
    bool known = logprob && n && logprob->type == RDV_EVIDENCE_NUMBER &&
                 n->type == RDV_EVIDENCE_NUMBER && isfinite(logprob->number) && n->number >= 1 &&
                 n->number <= 1e15;
    return known ? (rdv_tokens){logprob->number, (size_t)n->number} : (rdv_tokens){0, 0};
}

/* The tokens of the steps: those of the chain, otherwise those in the check by `perplexity`. */
static int read_tokens(const general *g, const rdv_chain *chain, const rdv_tokens **out)
{
    const rdv_check *check = rdv_chain_check(chain, RDV_STR("perplexity"));
    bool any = false;
    *out = NULL;
    if (!chain->logprobs && (!check || check->skipped))
        return RDV_OK;
    rdv_tokens *tokens = RDV_NEW_ARRAY(g->arena, rdv_tokens, chain->n_steps);
    if (!tokens)
        return RDV_E_NOMEM;
    for (size_t i = 0; chain->logprobs && i < chain->n_steps; i++)
        tokens[i] = rdv_tokens_of(&chain->logprobs[i]);
    for (size_t i = 0; !chain->logprobs && i < check->n_verdicts; i++)
        if (check->verdicts[i].step < chain->n_steps)
            tokens[check->verdicts[i].step] = tokens_in(&check->verdicts[i]);
    for (size_t i = 0; i < chain->n_steps; i++)
        any = any || tokens[i].n > 0;
    *out = any ? tokens : NULL;
    return RDV_OK;
}

/* Replaces the tokens by a score of each step, so that the steps are aggregated. */
static int score_steps(const general *g, general_item *item)
{
    const rdv_tokens *tokens = item->tokens = item->is.tokens;
    if (!tokens || g->study->options.perplexity_over == RDV_PERPLEXITY_TOKENS)
        return RDV_OK;
    double power = item->is.power > 0 ? item->is.power : 1;
    double *score = RDV_NEW_ARRAY(g->arena, double, item->is.n_steps);
    if (!score)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < item->is.n_steps; i++)
        score[i] = rdv_perplexity_score(rdv_perplexity(tokens[i]), power);
    item->is.step[RDV_VERIFIER_PERPLEXITY] = score;
    item->is.tokens = NULL;
    return RDV_OK;
}

static bool copy_labels(general *g, const rdv_chain *from, general_item *to)
{
    rdv_step_labels *labels = RDV_NEW_ARRAY(g->arena, rdv_step_labels, from->n_step_labels);
    for (size_t i = 0; labels && i < from->n_step_labels; i++) {
        const rdv_step_labels *in = &from->step_labels[i];
        labels[i] =
            (rdv_step_labels){rdv_str_copy(g->arena, in->by), rdv_str_copy(g->arena, in->of),
                              RDV_NEW_ARRAY(g->arena, int8_t, in->n), in->n};
        if (!labels[i].by.p || !labels[i].of.p || !labels[i].is)
            return false;
        if (in->n)
            memcpy(labels[i].is, in->is, in->n);
    }
    to->labels = labels;
    to->n_labels = from->n_step_labels;
    return labels != NULL;
}

/* The latest check by one of the verifiers, or NULL. */
static const rdv_check *last_verified(const general *g, const rdv_chain *chain)
{
    for (size_t i = chain->n_checks; i-- > 0;)
        for (size_t v = 0; v < g->n_verifiers; v++)
            if (rdv_str_eq(chain->checks[i].method, general_verifier(g, v)))
                return &chain->checks[i];
    return NULL;
}

/* Adds what another record of the same chain has and the first had not. RDV_NONE: both have a
 * verifier's scores, or there is nothing to add. */
static int merge(general_item *to, const general_item *from)
{
    bool any = false;
    for (size_t v = 0; v < RDV_MOST_VERIFIERS; v++) {
        if (to->is.step[v] && from->is.step[v])
            return RDV_NONE;
        any = any || from->is.step[v];
    }
    for (size_t v = 0; v < RDV_MOST_VERIFIERS; v++)
        to->is.step[v] = to->is.step[v] ? to->is.step[v] : from->is.step[v];
    to->is.whole |= from->is.whole;
    if (!to->tokens) {
        to->tokens = from->tokens;
        to->is.tokens = from->is.tokens;
    }
    if (to->n_labels)
        return any ? RDV_OK : RDV_NONE;
    to->labels = from->labels;
    to->n_labels = from->n_labels;
    return any || from->n_labels ? RDV_OK : RDV_NONE;
}

static int keep(rdv_study *s, const study_chain *one, size_t group, const general_item *item,
                rdv_error *err)
{
    general *g = s->of;
    general_items *to = one->learned ? &g->learned : &g->added;
    chain_identity identity = identity_of(one->chain, false);
    size_t at = to->n;
    if (!RDV_PUSH_ROOM(s->arena, to->items, to->n, to->cap) ||
        (one->chain->id.p && study_seen(s, &identity, group, to->n, &at) < 0))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu chains are held", to->n);
    if (at < to->n && merge(&to->items[at], item) != RDV_OK)
        return study_refuse_again(one, general_source(g, group), (rdv_str){0}, err);
    if (at == to->n)
        to->items[to->n++] = *item;
    return RDV_OK;
}

static int add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    general *g = s->of;
    const rdv_chain *chain = one->chain;
    general_item item = {.is = {.n_steps = chain->n_steps, .power = s->options.power}};
    study_source source;
    size_t at, group;
    int r = source_of_chain(s, one, &source, err);
    source = source_of_check(&source, last_verified(g, chain));
    if (r == RDV_OK)
        r = sources_find(&s->sources, &source, &at, err);
    if (r < 0)
        return r;
    r = find_group(g, at, one->learned, &group);
    if (r == RDV_OK)
        r = study_vote_of(s, group, chain->question.id, &one->grade, NAN, &item.vote);
    for (size_t v = 0; r >= 0 && v < g->n_verifiers; v++)
        r = v < RDV_N_VERIFIERS ? read_scores(g, chain, v, &item.is.step[v])
                                : read_own(g, one, v, &item, err);
    if (r >= 0)
        r = read_tokens(g, chain, &item.is.tokens);
    if (r >= 0)
        r = score_steps(g, &item);
    if (r < 0 || !copy_labels(g, chain, &item))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu chains are held",
                        g->learned.n + g->added.n);
    return keep(s, one, group, &item, err);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Verifiers and their weights, as --weights takes them: "relevance=1,perplexity=2". */
static rdv_str weights_of(const general *g, const double *weight, unsigned verifiers)
{
    rdv_buf b;
    rdv_buf_init(&b, g->arena, 0);
    for (size_t v = 0; v < g->n_verifiers; v++)
        if (verifiers >> v & 1)
            rdv_buf_printf(&b, "%s%.*s=%g", b.len ? "," : "", RDV_FMT(general_verifier(g, v)),
                           weight[v]);
    return rdv_buf_str(&b);
}

/* Adds notes on how step scores become a chain's, and on the verifiers that are combined. */
static void note_settings(const general *g, rdv_study_table *table, unsigned combined)
{
    const rdv_aggregation *how = &g->how.aggregation;
    const char *profile = g->study->options.profile;
    char floor[64] = "";
    if (how->kind == RDV_AGGREGATE_GEOMETRIC)
        snprintf(floor, sizeof floor, ", floor %g", how->floor);
    table_note(table, "%s%s%ssteps: %s%s; perplexity: over %s", profile ? "profile " : "",
               profile ? profile : "", profile ? "; " : "", rdv_aggregate_name(how->kind), floor,
               g->study->options.perplexity_over == RDV_PERPLEXITY_TOKENS ? "all tokens" : "steps");
    rdv_str weights = weights_of(g, g->how.weight, combined);
    table->failed = table->failed || !weights.p;
    if (!g->study->options.fit)
        table_note(table, "weights of the verifiers: %.*s", RDV_FMT(weights));
}

/* Adds notes on the fitted weights and their worth on the fitted chains. */
static void note_fit(const general *g, rdv_study_table *table, const general_fitted *fit)
{
    rdv_str shown = weights_of(g, fit->weight, (1u << g->n_verifiers) - 1);
    table->failed = table->failed || !shown.p;
    table_note(table,
               "weights fitted on %zu questions, %zu chains: %.*s; of their pairs of a right and a "
               "wrong chain %.1f %% are in order, %.1f %% with the weights before",
               fit->questions, fit->chains, RDV_FMT(shown), 100 * fit->in_order,
               100 * fit->in_order_before);
}

static int nothing(const general *g, rdv_error *err)
{
    const study_entry *entry = g->study->entry;
    if (entry->general.group)
        return rdv_fail(err, RDV_NONE,
                        "no chain has what %s needs: step_labels, beside checks by relevance, "
                        "math, consistency or perplexity",
                        entry->info.name);
    return rdv_fail(err, RDV_NONE,
                    "no chain has what %s needs: answers that are known to be right or wrong, and "
                    "checks by relevance, math, consistency or perplexity (%zu chains)",
                    entry->info.name, g->added.n);
}

/* RDV_NONE: no chain has a check by a verifier of one's own that takes part. One of which nothing
 * was read has a row that says so. */
static int own_are_there(const general *g, rdv_error *err)
{
    for (size_t v = RDV_N_VERIFIERS; v < g->n_verifiers; v++)
        if ((g->how.verifiers & ~g->checked) >> v & 1)
            return rdv_fail(err, RDV_NONE, "no chain has a check by \"%.*s\"",
                            RDV_FMT(rdv_slice(general_verifier(g, v), 0, 64)));
    return RDV_OK;
}

/* *combined: the verifiers that take part in any row. */
static int add_rows(general *g, rdv_study_table *table, unsigned *combined, rdv_error *err)
{
    const study_entry *entry = g->study->entry;
    general_pool *pools;
    *combined = entry->general.group ? g->how.verifiers : 0;
    int r = general_pools(g, &g->added, &pools, err);
    for (size_t i = 0; r == RDV_OK && i < g->n_groups; i++) {
        if (entry->general.group) {
            r = entry->general.group(g, i, table, err);
        } else if (pools[i].n && (pools[i].verifiers || pools[i].perplexity)) {
            entry->general.pool(g, &pools[i], table);
            general_pool_notes(g, &pools[i], table);
            *combined |= pools[i].verifiers;
        }
    }
    return r == RDV_OK && table->n_rows == 0 && !table->failed ? nothing(g, err) : r;
}

static int finish(rdv_study *s, rdv_error *err)
{
    general *g = s->of;
    general_fitted fit;
    rdv_study_table table = study_table(s);
    table.notes_are_members = true;
    unsigned combined = 0;
    int r = own_are_there(g, err);
    if (r == RDV_OK && s->options.fit)
        r = general_fit(g, &fit, err);
    if (r == RDV_OK && s->options.fit)
        memcpy(g->how.weight, fit.weight, sizeof fit.weight);
    if (r == RDV_OK)
        r = add_rows(g, &table, &combined, err);
    if (r == RDV_OK && (s->entry->info.uses & RDV_USES_AGGREGATE))
        note_settings(g, &table, combined);
    if (r == RDV_OK && s->options.fit)
        note_fit(g, &table, &fit);
    if (r == RDV_OK)
        r = source_baseline(&table, g->compares ? s->options.baseline : NULL,
                            "no chain has the checks of these verifiers and of others", err);
    if (r == RDV_OK)
        r = source_hide(&table, "generator", false, err);
    if (r == RDV_OK)
        r = source_hide(&table, "checker", false, err);
    if (r == RDV_OK)
        r = source_hide(&table, "profile", false, err);
    if (r == RDV_OK)
        r = study_put(s, &table, err);
    return r == RDV_OK && s->entry->general.data_sets ? general_data_sets(s, &table, err) : r;
}

const study_family study_general = {.begin = begin, .add = add, .finish = finish};
