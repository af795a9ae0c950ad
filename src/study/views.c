/* SPDX-License-Identifier: Apache-2.0 */
#include "score/score.h"
#include "study/views.h"

#include <rederive/data.h>

#include "base/arena.h"
#include "base/str.h"
#include "study/list.h"
#include "score/eval.h"

#include <math.h>

/* ---- creation -------------------------------------------------------------------------------- */

int views_begin(rdv_study *s, rdv_error *err)
{
    const rdv_study_options *o = &s->options;
    rdv_str text = rdv_str_of(o->weight);
    vote_weight weight;
    int r = vote_weight_read(text, o->aggregate, &weight, err);
    views *v = RDV_NEW(s->arena, views);
    if (r < 0 || !v)
        return r < 0 ? r : rdv_no_memory(err);
    bool scores = weight.is == VOTE_WEIGHT_SCORES, named = weight.name.p && !scores;
    *v = (views){.model = {.is = o->integrates ? CONFIDENCE_VERDICTS
                                 : scores      ? CONFIDENCE_SCORES
                                               : CONFIDENCE_RECORDED,
                           .integration = rdv_integration_default(),
                           .aggregate = o->aggregate,
                           .threshold = o->threshold},
                 .fit = {.weights = o->fit && !o->integrates && !scores,
                         .aggregate = o->fit,
                         .threshold = o->fit}};
    if (o->integrates)
        v->model.integration = o->integration;
    v->model.integration.unknown = o->unknown;
    if (o->integrates && (r = rdv_integration_check(&o->integration, err)) < 0)
        return r;
    rdv_map_init(&v->makers_by_name, s->arena);
    s->of = v;
    const char *const *methods = s->entry->selfcheck.methods;
    if (methods && weight.is == VOTE_WEIGHT_CONFIDENCE && !named) {
        for (; *methods; methods++) {
            rdv_str name = rdv_str_of(*methods);
            v->of[v->n++] = (view){.weight = {weight.is, name, weight.aggregation}, .name = name};
        }
    } else {
        v->of[v->n++] = (view){.weight = weight, .name = named ? weight.name : text};
    }
    return RDV_OK;
}

/* ---- chains ---------------------------------------------------------------------------------- */

static void aggregate(const vote_weight *weight, const rdv_chain *chain, double *out)
{
    const rdv_scores *scores = rdv_chain_scores(chain, weight->name);
    for (int a = 0; a < RDV_N_AGGREGATES; a++) {
        rdv_aggregation how = weight->aggregation;
        how.kind = (rdv_aggregate_kind)a;
        out[a] = scores ? rdv_aggregate(&how, scores->step, scores->n) : NAN;
    }
}

/* Converts a chain by its check or its scores, with its recorded confidence. */
static int item_of(rdv_study *s, const study_chain *one, const vote_weight *weight,
                   rdv_eval_item *out, rdv_error *err)
{
    const rdv_chain *chain = one->chain;
    const rdv_check *check = vote_weight_check(weight, chain);
    double confidence = vote_weight_of(weight, chain);
    *out = (rdv_eval_item){.label = chain->label, .how = acceptance_of_scores(NAN)};
    if (!isnan(confidence) && !rdv_sum_takes(confidence))
        return rdv_fail(err, RDV_E_INPUT, "%g is too large for a confidence", confidence);
    if (study_vote_of(s, 0, chain->question.id, &one->grade, confidence, &out->vote) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu questions are held", s->n_questions);
    if (weight->is == VOTE_WEIGHT_SCORES) {
        double *aggregated = RDV_NEW_ARRAY(s->arena, double, RDV_N_AGGREGATES);
        if (!aggregated)
            return rdv_no_memory(err);
        aggregate(weight, chain, aggregated);
        out->aggregated = aggregated;
    }
    if (weight->is != VOTE_WEIGHT_CONFIDENCE) {
        out->checked = !isnan(confidence);
    } else if (check) {
        out->checked = true;
        out->how = acceptance_of_check(check, NAN);
        out->skipped = check->skipped;
        out->found = rdv_label_by(check);
        out->verdicts = (uint32_t)check->n_verdicts; /* at most RDV_MAX_STEPS */
        out->unknown = (uint32_t)check->n_unknown;
        out->counts = rdv_count_verdicts(check->verdicts, check->n_verdicts);
    }
    return RDV_OK;
}

static bool copy_makers(rdv_study *s, view_makers from, view_makers *to)
{
    *to = (view_makers){0};
    if (from.generator.p)
        to->generator = rdv_str_copy(s->arena, from.generator);
    if (from.checker.p)
        to->checker = rdv_str_copy(s->arena, from.checker);
    return (!from.generator.p || to->generator.p) && (!from.checker.p || to->checker.p);
}

/* Finds the number of a pair of makers; adds it at its first appearance. */
static int find_makers(rdv_study *s, const study_chain *one, size_t *out, rdv_error *err)
{
    views *v = s->of;
    view_makers pair = {0};
    if (rdv_record_text(one->chain->raw, RDV_STR("generator"), one->scratch, &pair.generator) < 0 ||
        rdv_record_text(one->chain->raw, RDV_STR("checker"), one->scratch, &pair.checker) < 0)
        return rdv_no_memory(err);
    rdv_str key = rdv_str_printf(one->scratch, "%d%zu:%.*s%d%.*s", pair.generator.p != NULL,
                                 pair.generator.len, RDV_FMT(pair.generator),
                                 pair.checker.p != NULL, RDV_FMT(pair.checker));
    *out = key.p ? rdv_map_get(&v->makers_by_name, key) : RDV_MAP_MISSING;
    if (*out != RDV_MAP_MISSING)
        return RDV_OK;
    if (v->n_makers == VIEWS_MAKERS_MAX)
        return rdv_fail(err, RDV_E_LIMIT, "more than %d pairs of generator and checker",
                        VIEWS_MAKERS_MAX);
    rdv_str copy = rdv_str_copy(s->arena, key);
    if (!key.p || !copy.p || !copy_makers(s, pair, &v->makers[v->n_makers]) ||
        rdv_map_put(&v->makers_by_name, copy, v->n_makers) < 0)
        return rdv_no_memory(err);
    *out = v->n_makers++;
    return RDV_OK;
}

int views_add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    views *v = s->of;
    rdv_eval_item items[VIEWS_MAX];
    size_t makers = 0;
    int r = RDV_OK;
    for (size_t i = 0; r == RDV_OK && i < v->n; i++)
        r = item_of(s, one, &v->of[i].weight, &items[i], err);
    if (r == RDV_OK && !one->learned)
        r = find_makers(s, one, &makers, err);
    for (size_t i = 0; r == RDV_OK && i < v->n; i++) {
        view_items *to = one->learned ? &v->of[i].learned : &v->of[i].added;
        if (!RDV_PUSH_ROOM(s->arena, to->items, to->n, to->cap))
            return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu chains are held", to->n);
        items[i].makers = makers;
        to->items[to->n++] = items[i];
        v->of[i].any = v->of[i].any || (!one->learned && items[i].checked);
    }
    return r;
}

/* ---- fitting --------------------------------------------------------------------------------- */

size_t views_part(const study_question *question, size_t parts)
{
    return (size_t)(question->hash % parts);
}

static size_t part_of(const rdv_study *s, const rdv_eval_item *item)
{
    return views_part(&s->questions[item->vote.question], s->options.parts);
}

/* Whether the settings for a part are fitted on this item. */
static bool is_learned_for(const rdv_study *s, const rdv_eval_item *item, size_t part)
{
    if (s->options.parts == 0)
        return true;
    return s->options.first_only ? part_of(s, item) == 0 : part_of(s, item) != part;
}

static int fit_part(const rdv_study *s, const view *one, size_t part, fit_result *out,
                    rdv_error *err)
{
    const views *v = s->of;
    bool learned = one->learned.n || s->options.parts == 0;
    const view_items *from = learned ? &one->learned : &one->added;
    rdv_arena *scratch = rdv_arena_new(0);
    rdv_eval_item *picked = scratch ? RDV_NEW_ARRAY(scratch, rdv_eval_item, from->n) : NULL;
    size_t n = 0;
    int r = picked ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; picked && i < from->n; i++)
        if (is_learned_for(s, &from->items[i], part))
            picked[n++] = from->items[i];
    if (r == RDV_OK)
        r = fit_model(picked, n, &v->model, &v->fit, scratch, out, err);
    if (r == RDV_OK)
        out->part = part;
    rdv_arena_free(&scratch);
    return r;
}

static int fit_parts(const rdv_study *s, view *one, rdv_error *err)
{
    const rdv_study_options *o = &s->options;
    size_t parts = o->parts && !o->first_only ? o->parts : 1;
    one->fits = RDV_NEW_ARRAY(s->arena, fit_result, parts);
    if (!one->fits)
        return rdv_no_memory(err);
    for (one->n_fits = 0; one->n_fits < parts; one->n_fits++) {
        size_t part = o->parts == 0 ? FIT_NO_PART : o->first_only ? 1 : one->n_fits;
        int r = fit_part(s, one, part, &one->fits[one->n_fits], err);
        if (r < 0)
            return r;
    }
    return RDV_OK;
}

/* The settings that an item is reported with; NULL: it was only used for fitting. */
static const confidence_model *model_for(const rdv_study *s, const view *one,
                                         const rdv_eval_item *item)
{
    if (one->n_fits == 0)
        return &((const views *)s->of)->model;
    if (s->options.parts == 0)
        return &one->fits[0].model;
    size_t part = part_of(s, item);
    if (s->options.first_only)
        return part == 0 ? NULL : &one->fits[0].model;
    return &one->fits[part].model;
}

/* When an item is accepted: by the threshold that was given or fitted, else by the rule of its
 * check. The tables of a paper accept by confidence alone, as the paper does. */
static acceptance accept_by(const rdv_study *s, const acceptance *own, double threshold)
{
    bool paper = s->entry->selfcheck.methods != NULL, set = threshold != 0;
    acceptance how = *own;
    if (paper)
        how = acceptance_of_scores(own->rule == ACCEPT_CONFIDENCE ? own->threshold : NAN);
    if (set) {
        how.rule = ACCEPT_CONFIDENCE;
        how.threshold = threshold;
        how.supported = how.proves;
    }
    return how;
}

static int report(const rdv_study *s, view *one, rdv_error *err)
{
    one->items = one->added.items; /* fitting is over: each item is changed in its place */
    for (size_t i = 0; i < one->added.n; i++) {
        rdv_eval_item item = one->added.items[i];
        const confidence_model *model = model_for(s, one, &item);
        if (!model) {
            one->fitted_only++;
            continue;
        }
        item.vote.ballot.weight = item_is_checked(&item) ? fit_confidence(model, &item) : NAN;
        item.how = accept_by(s, &item.how, model->threshold);
        one->items[one->n++] = item;
    }
    return RDV_OK;
}

int views_fit(rdv_study *s, rdv_error *err)
{
    views *v = s->of;
    for (size_t i = 0; i < v->n; i++) {
        view *one = &v->of[i];
        if (v->n > 1 && !one->any)
            continue;
        int r = s->options.fit ? fit_parts(s, one, err) : RDV_OK;
        if (r == RDV_OK)
            r = report(s, one, err);
        if (r != RDV_OK)
            return rdv_wrap(err, r, "%.*s", RDV_FMT(one->name));
    }
    return RDV_OK;
}
