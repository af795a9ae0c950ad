/* SPDX-License-Identifier: Apache-2.0 */
#include "studies.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PARTS 1000

/* ---- a chain --------------------------------------------------------------------------------- */

static void aggregate(const struct weight *weight, const rdv_chain *chain, double *out)
{
    const rdv_scores *scores = rdv_chain_scores(chain, weight->name);
    for (int a = 0; a < RDV_N_AGGREGATES; a++) {
        rdv_aggregation how = weight->aggregation;
        how.is = (rdv_aggregate_is)a;
        out[a] = scores ? rdv_aggregate(&how, scores->step, scores->n) : NAN;
    }
}

rdv_case case_of(const struct weight *weight, const rdv_chain *chain, const struct judged *judged)
{
    const rdv_check *check = weight_check(weight, chain);
    rdv_case one = {.fact = {.question_id = chain->question.id,
                             .key = judged->key,
                             .correct = judged->right,
                             .confidence = weight_of(weight, chain),
                             .label = chain->label}};
    if (weight->is == WEIGHT_SCORES)
        aggregate(weight, chain, one.aggregated);
    if (weight->is != WEIGHT_CONFIDENCE) {
        one.fact.checked = !isnan(one.fact.confidence);
    } else if (check) {
        one.fact.checked = true;
        one.fact.skipped = check->skipped;
        one.fact.found = rdv_found_by(check);
        one.fact.verdicts = check->n_verdicts;
        one.fact.unknown = check->n_unknown;
        one.counts = rdv_count_verdicts(check->verdicts, check->n_verdicts);
    }
    return one;
}

/* ---- setting up ------------------------------------------------------------------------------ */

bool studies_wanted(const struct settings *settings)
{
    return settings->recipe || settings->fit || settings->split || settings->lambda.given;
}

/* Standard input is read once. */
static int check_inputs(const struct settings *set, rdv_error *err)
{
    bool input = set->in.n == 0;
    for (size_t i = 0; i < set->in.n; i++)
        input |= strcmp(set->in.items[i], "-") == 0;
    if (input && set->fit && strcmp(set->fit, "-") == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "standard input cannot be both --fit and the input");
    return RDV_OK;
}

static int read_split(struct studies *s, rdv_error *err)
{
    const char *text = s->settings->split;
    char *end;
    if (!text)
        return RDV_OK;
    if (strcmp(text, "half") == 0) {
        s->options.parts = 2;
        s->options.first_only = true;
        return RDV_OK;
    }
    unsigned long parts = strtoul(text, &end, 10);
    if (!rdv_is_digit(text[0]) || *end || parts < 2 || parts > MAX_PARTS)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--split %.64s: must be \"half\" or a number of parts from 2 to %d", text,
                        MAX_PARTS);
    s->options.parts = parts;
    return RDV_OK;
}

static int read_settings(struct studies *s, const struct weight *weight, rdv_error *err)
{
    const struct settings *set = s->settings;
    rdv_weighing *how = &s->options.how;
    bool scores = weight->is == WEIGHT_SCORES, fits = set->fit || set->split;
    *how = (rdv_weighing){.is = scores ? RDV_WEIGH_SCORES : RDV_WEIGH_RECORDED,
                          .integration = rdv_integration_default(),
                          .aggregate = weight->aggregation.is,
                          .threshold = set->threshold.is};
    rdv_unknown_named(rdv_str_of(set->unknown), &how->integration.unknown);
    s->options.fit = (rdv_fit_options){
        .weights = fits && !set->lambda.given && !scores, .aggregate = fits, .threshold = fits};
    s->options.seed = set->seed;
    if (!set->lambda.given)
        return RDV_OK;
    if (weight->is != WEIGHT_CONFIDENCE)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--lambda applies to verdicts; --weight %.64s has none", set->weight);
    how->is = RDV_WEIGH_VERDICTS;
    how->integration.l1 = set->lambda.first;
    how->integration.l0 = set->lambda.second;
    return rdv_integration_check(&how->integration, err);
}

static int new_study(struct studies *s, const struct weight *weight, rdv_str name, rdv_error *err)
{
    rdv_study *study = rdv_study_new(s->keep, &s->options);
    if (!study)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    s->of[s->n++] = (struct studied){.weight = *weight, .name = name, .study = study};
    return RDV_OK;
}

int studies_begin(struct studies *s, const struct settings *settings, const struct weight *weight,
                  rdv_arena *keep, rdv_error *err)
{
    rdv_recipe_is recipe;
    const char *method;
    *s = (struct studies){.settings = settings, .keep = keep};
    rdv_map_init(&s->makers_by_name, keep);
    int code = check_inputs(settings, err);
    if (code == RDV_OK)
        code = read_split(s, err);
    if (code == RDV_OK)
        code = read_settings(s, weight, err);
    if (code != RDV_OK)
        return code;
    bool of_recipe = settings->recipe && weight->is == WEIGHT_CONFIDENCE && !weight->name.p;
    if (!of_recipe)
        return new_study(s, weight,
                         weight->name.p && weight->is == WEIGHT_CONFIDENCE
                             ? weight->name
                             : rdv_str_of(settings->weight),
                         err);
    rdv_recipe_named(rdv_str_of(settings->recipe), &recipe);
    for (size_t i = 0; code == RDV_OK && (method = rdv_recipe_method(recipe, i)); i++) {
        struct weight one = *weight;
        one.name = rdv_str_of(method);
        code = new_study(s, &one, one.name, err);
    }
    return code;
}

/* ---- the file to fit on ---------------------------------------------------------------------- */

static int learn_chain(struct studies *s, const rdv_record *record, rdv_arena *scratch,
                       rdv_error *err)
{
    struct judging how = judging_of(s->settings);
    struct judged judged;
    int code = chain_wanted(record, err);
    if (code == RDV_OK)
        code = judge(&record->chain, &how, scratch, &judged, err);
    for (size_t i = 0; code == RDV_OK && i < s->n; i++) {
        rdv_case one = case_of(&s->of[i].weight, &record->chain, &judged);
        code = rdv_study_learn(s->of[i].study, &one, err);
    }
    return code;
}

static void learn_all(struct studies *s, struct run *run, rdv_reader *reader)
{
    const char *path = s->settings->fit;
    int code = RDV_OK;
    while (code != RDV_NONE && code != RDV_E_NOMEM && code != RDV_E_IO && !run_stopped(run)) {
        rdv_error err = {0};
        rdv_record record;
        rdv_arena_reset(run->arena);
        code = rdv_reader_next(reader, run->arena, &record, &err);
        if (code == RDV_OK) {
            code = learn_chain(s, &record, run->arena, &err);
            if (code < 0)
                rdv_wrap(&err, code, "%s:%zu", path, record.line);
        }
        if (code == RDV_E_NOMEM || code == RDV_E_IO)
            run_stop(run, NOTHING_DONE, &err);
        else if (code < 0)
            run_fail(run, NULL, &err);
    }
}

void studies_learn(struct studies *s, struct run *run)
{
    const struct settings *set = s->settings;
    rdv_read_options options = {.size = sizeof options,
                                .format = set->format,
                                .join = set->join.items,
                                .n_join = set->join.n};
    rdv_reader *reader;
    rdv_error err = {0};
    if (!set->fit)
        return;
    if (rdv_reader_open(set->fit, &options, &reader, &err) != RDV_OK) {
        run_stop(run, NOTHING_DONE, &err);
        return;
    }
    learn_all(s, run, reader);
    rdv_reader_close(&reader);
}

/* ---- the input ------------------------------------------------------------------------------- */

/* A member of the record as text; p == NULL: the record does not say. */
static int read_maker(const rdv_chain *chain, const char *name, rdv_arena *arena, rdv_str *out,
                      rdv_error *err)
{
    *out = (rdv_str){0};
    if (rdv_record_text(chain->raw, rdv_str_of(name), arena, out) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    return RDV_OK;
}

/* The index of a pair of makers, a new one where it appears first. */
static int find_makers(struct studies *s, rdv_makers pair, rdv_arena *scratch, size_t *out,
                       rdv_error *err)
{
    rdv_str key =
        rdv_str_printf(scratch, "%d%zu:%.*s%d%.*s", pair.generator.p != NULL, pair.generator.len,
                       RDV_FMT(pair.generator), pair.checker.p != NULL, RDV_FMT(pair.checker));
    *out = key.p ? rdv_map_get(&s->makers_by_name, key) : RDV_MAP_MISSING;
    if (*out != RDV_MAP_MISSING)
        return RDV_OK;
    if (s->n_makers == MAX_MAKERS)
        return rdv_fail(err, RDV_E_LIMIT, "more than %d pairs of generator and checker",
                        MAX_MAKERS);
    rdv_str copy = rdv_str_copy(s->keep, key);
    rdv_makers *makers = &s->makers[s->n_makers];
    if (pair.generator.p)
        makers->generator = rdv_str_copy(s->keep, pair.generator);
    if (pair.checker.p)
        makers->checker = rdv_str_copy(s->keep, pair.checker);
    *out = s->n_makers++;
    if (!key.p || !copy.p || (pair.generator.p && !makers->generator.p) ||
        (pair.checker.p && !makers->checker.p) || rdv_map_put(&s->makers_by_name, copy, *out) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    return RDV_OK;
}

static int note_makers(struct studies *s, const rdv_chain *chain, rdv_arena *scratch,
                       rdv_error *err)
{
    rdv_makers pair;
    size_t at;
    int code = read_maker(chain, "generator", scratch, &pair.generator, err);
    if (code == RDV_OK)
        code = read_maker(chain, "checker", scratch, &pair.checker, err);
    if (code == RDV_OK)
        code = find_makers(s, pair, scratch, &at, err);
    if (code != RDV_OK)
        return code;
    if (!RDV_PUSH_ROOM(s->keep, s->made_by, s->n_added, s->cap_made_by))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    s->made_by[s->n_added++] = at;
    return RDV_OK;
}

int studies_add(struct studies *s, const rdv_chain *chain, const struct judged *judged,
                rdv_arena *scratch, rdv_error *err)
{
    for (size_t i = 0; i < s->n; i++) {
        rdv_case one = case_of(&s->of[i].weight, chain, judged);
        int code = rdv_study_add(s->of[i].study, &one, err);
        if (code != RDV_OK)
            return code;
        s->of[i].seen = s->of[i].seen || one.fact.checked;
    }
    return note_makers(s, chain, scratch, err);
}

int studies_finish(struct studies *s, rdv_error *err)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->n > 1 && !s->of[i].seen)
            continue;
        int code = rdv_study_finish(s->of[i].study, &s->of[i].out, err);
        if (code != RDV_OK)
            return rdv_wrap(err, code, "%.*s", RDV_FMT(s->of[i].name));
    }
    return RDV_OK;
}
