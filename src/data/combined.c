/* SPDX-License-Identifier: Apache-2.0 */
#include "data/combined.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/members.h"

#include <math.h>

#define VERSION 1

static const rdv_limits limits = {.record_bytes = 1 << 20, .depth = 8, .steps = 1, .members = 100};

/* ---- writing --------------------------------------------------------------------------------- */

static void write_scorer(rdv_buf *b, const combined_scorer *one)
{
    size_t n;
    const char *const *names = scorer_features(&one->scorer, &n);
    rdv_json_item(b);
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "scorer", one->scorer.text);
    rdv_json_put_flag(b, "logits", one->logits);
    rdv_json_put_number(b, "missing", one->missing);
    rdv_json_open(b, "features", '[');
    for (size_t f = 0; f < n; f++) {
        rdv_json_item(b);
        rdv_buf_add_char(b, '{');
        rdv_json_put_text(b, "feature", rdv_str_of(names[f]));
        rdv_json_put_number(b, "mean", one->features[f].mean);
        rdv_json_put_number(b, "deviation", one->features[f].deviation);
        rdv_json_put_number(b, "coefficient", one->features[f].coefficient);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_lit(b, "]}");
}

rdv_str combined_write(const combined_model *model, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_char(&b, '{');
    rdv_json_put_count(&b, "rederive_combined", VERSION);
    rdv_json_put_number(&b, "strength", model->strength);
    rdv_json_put_count(&b, "n_questions", model->n_questions);
    rdv_json_put_count(&b, "n_chains", model->n_chains);
    rdv_json_put_number(&b, "log_likelihood", model->log_likelihood);
    rdv_json_open(&b, "scorers", '[');
    for (size_t i = 0; i < model->n; i++)
        write_scorer(&b, &model->scorers[i]);
    rdv_buf_lit(&b, "]}\n");
    return rdv_buf_ok(&b) ? rdv_buf_str(&b) : (rdv_str){0};
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The finite number of that name. */
static int read_number(const json_t *object, const char *name, double *out, rdv_error *err)
{
    const json_t *value = json_object_get(object, name);
    *out = json_is_number(value) ? json_number_value(value) : NAN;
    return isfinite(*out) ? RDV_OK
                          : rdv_fail(err, RDV_E_INPUT, "\"%s\" must be a finite number", name);
}

static int read_feature(const json_t *object, const char *name, combined_feature *out,
                        rdv_error *err)
{
    if (!rdv_str_eq(rdv_string_of(json_object_get(object, "feature")), rdv_str_of(name)))
        return rdv_fail(err, RDV_E_INPUT, "the feature \"%s\" is wanted here", name);
    int r = read_number(object, "mean", &out->mean, err);
    if (r == RDV_OK)
        r = read_number(object, "deviation", &out->deviation, err);
    if (r == RDV_OK)
        r = read_number(object, "coefficient", &out->coefficient, err);
    if (r == RDV_OK && !(out->deviation > 0))
        return rdv_fail(err, RDV_E_INPUT, "\"deviation\" must be positive");
    return r;
}

static int read_scorer(const json_t *object, combined_scorer *out, rdv_error *err)
{
    size_t n;
    const json_t *features = json_object_get(object, "features");
    const char *const *names = scorer_features(&out->scorer, &n);
    const json_t *logits = json_object_get(object, "logits");
    out->logits = json_is_true(logits);
    if (!json_is_boolean(logits))
        return rdv_fail(err, RDV_E_INPUT, "\"logits\" must be true or false");
    int r = read_number(object, "missing", &out->missing, err);
    if (r == RDV_OK && out->missing > 0)
        r = rdv_fail(err, RDV_E_INPUT, "\"missing\" must not be positive");
    if (r == RDV_OK && json_array_size(features) != n)
        r = rdv_fail(err, RDV_E_INPUT, "%.*s has %zu features", RDV_FMT(out->scorer.text), n);
    for (size_t f = 0; r == RDV_OK && f < n; f++)
        r = read_feature(json_array_get(features, f), names[f], &out->features[f], err);
    return r;
}

/* The scorers' names as a list for scorers_read(), which checks them together. */
static int read_names(const json_t *list, size_t n, scorer *out, rdv_arena *arena, rdv_error *err)
{
    rdv_buf names;
    size_t found = 0;
    rdv_buf_init(&names, arena, 0);
    for (size_t i = 0; i < n; i++) {
        rdv_str name = rdv_string_of(json_object_get(json_array_get(list, i), "scorer"));
        if (i)
            rdv_buf_add_char(&names, ',');
        rdv_buf_add(&names, name);
    }
    if (!rdv_buf_ok(&names))
        return rdv_no_memory(err);
    int r = scorers_read(rdv_buf_str(&names), out, &found, err);
    if (r == RDV_OK && found != n)
        r = rdv_fail(err, RDV_E_INPUT, "a scorer's name has a comma");
    return r < 0 ? rdv_wrap(err, RDV_E_INPUT, "\"scorers\"") : r;
}

static int read_scorers(rdv_members *m, rdv_arena *arena, combined_model *out, rdv_error *err)
{
    const json_t *list = rdv_members_get(m, "scorers");
    scorer scorers[COMBINED_SCORERS_MAX];
    size_t n = json_array_size(list);
    if (n == 0 || n > COMBINED_SCORERS_MAX)
        return rdv_fail(err, RDV_E_INPUT, "\"scorers\" must be a list of 1 to %d",
                        COMBINED_SCORERS_MAX);
    out->scorers = RDV_NEW_ARRAY(arena, combined_scorer, n);
    if (!out->scorers)
        return rdv_no_memory(err);
    int r = read_names(list, n, scorers, arena, err);
    for (out->n = 0; r == RDV_OK && out->n < n; out->n++) {
        combined_scorer *one = &out->scorers[out->n];
        one->scorer = scorers[out->n];
        r = read_scorer(json_array_get(list, out->n), one, err);
    }
    return r;
}

static int read_model(rdv_members *m, rdv_arena *arena, combined_model *out, rdv_error *err)
{
    const json_t *version = rdv_members_get(m, "rederive_combined");
    if (!version)
        return rdv_fail(err, RDV_E_INPUT,
                        "it is no file of combined scorers, as 'eval --scorers --fit-out' writes");
    if (json_number_value(version) != VERSION)
        return rdv_fail(err, RDV_E_INPUT, "its version is not %d, the supported one", VERSION);
    return read_scorers(m, arena, out, err);
}

int combined_read(rdv_str text, rdv_arena *arena, combined_model *out, rdv_error *err)
{
    rdv_members m;
    size_t at = 0;
    combined_model model = {0};
    int r = rdv_members_read(&m, rdv_trim(text), &limits, arena, &at, err);
    if (r == RDV_OK)
        r = read_model(&m, arena, &model, err);
    if (r == RDV_OK && m.fault)
        r = rdv_fail(err, RDV_E_INPUT, "%s", m.reason);
    rdv_members_free(&m);
    if (r == RDV_OK)
        *out = model;
    return r;
}
