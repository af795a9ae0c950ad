/* SPDX-License-Identifier: Apache-2.0 */
#include "score/score.h"
#include "study/views.h"

#include <rederive/data.h>

#include "base/arena.h"
#include "base/str.h"
#include "method/standing.h"
#include "study/list.h"
#include "study/quoted.h"
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
    item_checks_init(&v->checks, s->arena);
    s->of = v;
    const char *const *methods = s->entry->selfcheck.methods;
    if (methods && weight.is == VOTE_WEIGHT_CONFIDENCE && !named) {
        for (; *methods; methods++) {
            rdv_str name = rdv_str_of(*methods);
            v->of[v->n++] = (view){.weight = {weight.is, name, weight.aggregation}, .name = name};
        }
        v->open = true;
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

/* A check of which nothing but the label of its chain is known. */
static void begin_check(const rdv_chain *chain, item_check *out)
{
    memset(out, 0, sizeof *out); /* its bytes are compared */
    out->label = item_label_of(chain->label);
    item_check_accept_by(out, acceptance_of_scores(NAN));
}

/* Converts a chain by its check or its scores, with its recorded confidence. What the item shares
 * with others is written to *out. */
static int item_of(rdv_study *s, const study_chain *one, const vote_weight *weight,
                   study_vote *vote, item_check *out, rdv_error *err)
{
    const rdv_chain *chain = one->chain;
    const rdv_check *check = vote_weight_check(weight, chain);
    double confidence = vote_weight_of(weight, chain);
    bool failed = false;
    begin_check(chain, out);
    if (!isnan(confidence) && !rdv_sum_takes(confidence))
        return rdv_fail(err, RDV_E_INPUT, "%g is too large for a confidence", confidence);
    if (study_vote_of(s, 0, chain->question.id, &one->grade, confidence, vote) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu questions are held", s->n_questions);
    if (weight->is == VOTE_WEIGHT_SCORES) {
        double *aggregated = RDV_NEW_ARRAY(s->arena, double, RDV_N_AGGREGATES);
        if (!aggregated)
            return rdv_no_memory(err);
        aggregate(weight, chain, aggregated);
        out->aggregated = aggregated;
        out->by_scores = true;
    }
    if (weight->is == VOTE_WEIGHT_CONFIDENCE)
        vote->standing = standing_of(check);
    if (weight->is != VOTE_WEIGHT_CONFIDENCE) {
        out->checked = !isnan(confidence);
    } else if (check) {
        out->checked = true;
        item_check_accept_by(out, acceptance_of_check(check, NAN));
        out->skipped = check->skipped;
        out->found = item_label_of(rdv_label_by(check));
        out->unknown = (uint32_t)check->n_unknown;
        out->counts = item_counts_of(rdv_count_verdicts(check->verdicts, check->n_verdicts));
        out->n_steps = (uint32_t)chain->n_steps;
        if (s->entry->selfcheck.positions)
            out->kinds = quotes_kinds(s, check, chain->n_steps, &failed);
    }
    out->own = out->by_scores || out->kinds || s->options.baseline;
    return failed ? rdv_no_memory(err) : RDV_OK;
}

/* What the rows of the study separate: an evaluation has the same figures for all chains, whoever
 * checked them. */
static study_source separated(const rdv_study *s, const study_source *source)
{
    return s->entry->selfcheck.methods ? *source : (study_source){.generator = source->generator};
}

/* Puts an item into its list, unless the chain stands there already: then its check, if it is the
 * first of this view, is added to that chain. */
static int put_item(rdv_study *s, const study_chain *one, const chain_identity *identity, size_t i,
                    const rdv_eval_item *item, const study_source *source, rdv_error *err)
{
    view *v = &((views *)s->of)->of[i];
    view_items *to = one->learned ? &v->learned : &v->added;
    size_t at = to->n, place = ((size_t)item->check->source * VIEWS_MAX + i) * 2 + one->learned;
    if (!RDV_PUSH_ROOM_LARGE(s->arena, to->items, to->n, to->cap) ||
        (one->chain->id.p && study_seen(s, identity, place, to->n, &at) < 0))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu chains are held", to->n);
    if (at < to->n &&
        (one->chain->n_checks == 0 || (item->check->checked && to->items[at].check->checked)))
        return study_refuse_again(one, source, item->check->checked ? v->name : (rdv_str){0}, err);
    if (at == to->n)
        to->items[to->n++] = *item;
    else if (item->check->checked)
        to->items[at] = *item;
    v->any = v->any || (!one->learned && item->check->checked);
    return RDV_OK;
}

/* ---- checks beside those of the paper -------------------------------------------------------- */

static bool is_viewed(const views *v, rdv_str method)
{
    for (size_t i = 0; i < v->n; i++)
        if (rdv_str_eq(v->of[i].name, method))
            return true;
    return false;
}

/* Whether the check is one of the paper's, which other tables compare. */
static bool is_variant(rdv_str method)
{
    static const char *const names[] = {"selfcheck", "global", "single-stage", "error-check",
                                        "error-check-1shot"};
    return rdv_named(method, names, sizeof names / sizeof *names) >= 0;
}

static int put_bare(rdv_study *s, const bare_chain *chain, size_t i, rdv_error *err)
{
    view *v = &((views *)s->of)->of[i];
    view_items *to = chain->learned ? &v->learned : &v->added;
    size_t at = to->n,
           place = ((size_t)chain->item.check->source * VIEWS_MAX + i) * 2 + chain->learned;
    if (!RDV_PUSH_ROOM_LARGE(s->arena, to->items, to->n, to->cap) ||
        (chain->has_id && study_seen(s, &chain->identity, place, to->n, &at) < 0))
        return rdv_no_memory(err);
    if (at == to->n)
        to->items[to->n++] = chain->item;
    return RDV_OK;
}

/* Opens a view of each check that no chain had before; the chains before lack it. */
static int open_views(rdv_study *s, const rdv_chain *chain, rdv_error *err)
{
    views *v = s->of;
    int r = RDV_OK;
    for (size_t i = 0; v->open && r == RDV_OK && i < chain->n_checks; i++) {
        rdv_str method = chain->checks[i].method;
        if (is_variant(method) || is_viewed(v, method))
            continue;
        if (v->n == VIEWS_MAX)
            return rdv_fail(err, RDV_E_LIMIT, "more than %d checks", VIEWS_MAX);
        rdv_str name = rdv_str_copy(s->arena, method);
        if (!name.p)
            return rdv_no_memory(err);
        view *first = &v->of[0];
        v->of[v->n++] =
            (view){.weight = {first->weight.is, name, first->weight.aggregation}, .name = name};
        for (size_t k = 0; k < v->n_bare && r == RDV_OK; k++)
            r = put_bare(s, &v->bare[k], v->n - 1, err);
    }
    return r;
}

/* Keeps the chain for the views that will be opened. */
static int keep_bare(rdv_study *s, const study_chain *one, const chain_identity *identity,
                     const rdv_eval_item *item, const study_source *record, rdv_error *err)
{
    views *v = s->of;
    study_source rows = separated(s, record);
    item_check check;
    bare_chain bare = {.item = {.vote = item->vote},
                       .identity = *identity,
                       .has_id = one->chain->id.p != NULL,
                       .learned = one->learned};
    begin_check(one->chain, &check);
    check.chain = item->check->chain;
    check.own = s->options.baseline;
    bare.item.vote.ballot.weight = NAN;
    bare.item.vote.standing = CAST_BY_CONFIDENCE;
    size_t source = 0;
    int r = sources_find(&s->sources, &rows, &source, err);
    check.source = (uint16_t)source;
    if (r == RDV_OK && (!(bare.item.check = item_checks_find(&v->checks, &check)) ||
                        !RDV_PUSH_ROOM(s->arena, v->bare, v->n_bare, v->cap_bare)))
        r = rdv_no_memory(err);
    if (r == RDV_OK)
        v->bare[v->n_bare++] = bare;
    return r;
}

/* The chain's number, the same in all records of it; 0 where no baseline is compared. */
static int number_chain(rdv_study *s, const study_chain *one, const chain_identity *identity,
                        size_t *out, rdv_error *err)
{
    views *v = s->of;
    *out = 0;
    if (!s->options.baseline)
        return RDV_OK;
    *out = v->n_chains;
    if (one->chain->id.p && study_seen(s, identity, SIZE_MAX, v->n_chains, out) < 0)
        return rdv_no_memory(err);
    v->n_chains += *out == v->n_chains;
    return RDV_OK;
}

int views_add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    views *v = s->of;
    rdv_eval_item items[VIEWS_MAX];
    item_check checks[VIEWS_MAX];
    study_source record, sources[VIEWS_MAX];
    chain_identity identity = identity_of(one->chain, false);
    size_t chain = 0;
    int r = open_views(s, one->chain, err);
    if (r == RDV_OK)
        r = source_of_chain(s, one, &record, err);
    if (r == RDV_OK)
        r = number_chain(s, one, &identity, &chain, err);
    for (size_t i = 0; r == RDV_OK && i < v->n; i++) {
        r = item_of(s, one, &v->of[i].weight, &items[i].vote, &checks[i], err);
        checks[i].chain = (uint32_t)chain;
    }
    for (size_t i = 0; r == RDV_OK && i < v->n; i++) {
        sources[i] = source_of_check(&record, vote_weight_check(&v->of[i].weight, one->chain));
        study_source rows = separated(s, &sources[i]);
        size_t source = 0;
        r = sources_find(&s->sources, &rows, &source, err);
        checks[i].source = (uint16_t)source;
        if (r == RDV_OK && !(items[i].check = item_checks_find(&v->checks, &checks[i])))
            r = rdv_no_memory(err);
    }
    for (size_t i = 0; r == RDV_OK && i < v->n; i++)
        r = put_item(s, one, &identity, i, &items[i], &sources[i], err);
    return r == RDV_OK && v->open ? keep_bare(s, one, &identity, &items[0], &record, err) : r;
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
 * check. The tables of a paper accept by confidence alone, as the paper does, where the check has
 * such a rule; other checks keep theirs, in which what was not read never helps. */
static acceptance accept_by(const rdv_study *s, acceptance how, double threshold)
{
    bool paper = s->entry->selfcheck.methods != NULL, set = threshold != 0;
    if (paper && how.rule != ACCEPT_NO_ERROR)
        how = acceptance_of_scores(how.rule == ACCEPT_CONFIDENCE ? how.threshold : NAN);
    if (set) {
        how.rule = ACCEPT_CONFIDENCE;
        how.threshold = threshold;
        how.supported = how.proves;
    }
    return how;
}

static int report(const rdv_study *s, view *one, rdv_error *err)
{
    views *v = s->of;
    one->items = one->added.items; /* fitting is over: each item is changed in its place */
    for (size_t i = 0; i < one->added.n; i++) {
        rdv_eval_item item = one->added.items[i];
        const confidence_model *model = model_for(s, one, &item);
        if (!model) {
            one->fitted_only++;
            continue;
        }
        item.vote.ballot.weight = item_is_checked(&item) ? fit_confidence(model, &item) : NAN;
        acceptance how = accept_by(s, item_how(&item), model->threshold);
        if (item_accept_by(&v->checks, &item, how) < 0)
            return rdv_no_memory(err);
        one->items[one->n++] = item;
    }
    return RDV_OK;
}

int views_fit(rdv_study *s, rdv_error *err)
{
    views *v = s->of;
    for (size_t i = 0; i < v->n; i++) {
        view *one = &v->of[i];
        bool beside = s->entry->selfcheck.beside;
        if (v->n > 1 && !one->any && !(beside && i == 0))
            continue;
        int r = s->options.fit && !(beside && i > 0) ? fit_parts(s, one, err) : RDV_OK;
        if (r == RDV_OK)
            r = report(s, one, err);
        if (r != RDV_OK)
            return rdv_wrap(err, r, "%.*s", RDV_FMT(one->name));
    }
    return RDV_OK;
}
