/* SPDX-License-Identifier: Apache-2.0 */
/* Cases to fit on and cases to report on, kept apart by question. */
#include "score/fit.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

#include <math.h>

typedef struct pile {
    rdv_case *cases;
    size_t n, cap;
} pile;

struct rdv_study {
    rdv_arena *arena;
    rdv_study_options options;
    pile learned, added;
    rdv_map texts, learned_ids;
    rdv_str *copies; /* what `texts` counts */
    size_t n_copies, cap_copies;
};

size_t rdv_part_of(rdv_str question_id, uint64_t seed, size_t parts)
{
    return (size_t)(rdv_hash(question_id, seed) % parts);
}

rdv_study *rdv_study_new(rdv_arena *arena, const rdv_study_options *options)
{
    rdv_study *s = RDV_NEW(arena, rdv_study);
    if (!s)
        return NULL;
    s->arena = arena;
    s->options = *options;
    rdv_map_init(&s->texts, arena);
    rdv_map_init(&s->learned_ids, arena);
    return s;
}

/* ---- gathering ------------------------------------------------------------------------------- */

/* The one copy of a text; an absent one stays absent. */
static int keep_text(rdv_study *s, rdv_str *text)
{
    if (!text->p)
        return RDV_OK;
    size_t at = rdv_map_get(&s->texts, *text);
    if (at == RDV_MAP_MISSING) {
        rdv_str copy = rdv_str_copy(s->arena, *text);
        at = s->n_copies;
        if (!copy.p || !RDV_PUSH_ROOM(s->arena, s->copies, s->n_copies, s->cap_copies) ||
            rdv_map_put(&s->texts, copy, at) < 0)
            return RDV_E_NOMEM;
        s->copies[s->n_copies++] = copy;
    }
    *text = s->copies[at];
    return RDV_OK;
}

static int put(rdv_study *s, pile *to, const rdv_case *one, rdv_error *err)
{
    rdv_case copy = *one;
    if (!copy.fact.question_id.p)
        copy.fact.question_id = RDV_STR("");
    if (keep_text(s, &copy.fact.question_id) < 0 || keep_text(s, &copy.fact.key) < 0 ||
        !RDV_PUSH_ROOM(s->arena, to->cases, to->n, to->cap))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu chains are held", to->n);
    to->cases[to->n++] = copy;
    return RDV_OK;
}

int rdv_study_learn(rdv_study *s, const rdv_case *one, rdv_error *err)
{
    int r = put(s, &s->learned, one, err);
    if (r < 0)
        return r;
    rdv_str id = s->learned.cases[s->learned.n - 1].fact.question_id;
    if (rdv_map_put(&s->learned_ids, id, 1) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    return RDV_OK;
}

int rdv_study_add(rdv_study *s, const rdv_case *one, rdv_error *err)
{
    rdv_str id = one->fact.question_id;
    if (s->options.parts == 0 && rdv_map_get(&s->learned_ids, id) != RDV_MAP_MISSING)
        return rdv_fail(
            err, RDV_E_ARGUMENT,
            "question \"%.*s\" would be both fitted on and reported on, unless the questions "
            "are split",
            RDV_FMT(rdv_slice(id, 0, 80)));
    return put(s, &s->added, one, err);
}

/* ---- fitting --------------------------------------------------------------------------------- */

static bool fits_anything(const rdv_study *s)
{
    const rdv_fit_options *fit = &s->options.fit;
    return fit->weights || fit->aggregate || fit->threshold;
}

static size_t part_of(const rdv_study *s, const rdv_case *one)
{
    return rdv_part_of(one->fact.question_id, s->options.seed, s->options.parts);
}

/* Whether the settings for a part are fitted on that case. */
static bool is_learned_for(const rdv_study *s, const rdv_case *one, size_t part)
{
    if (s->options.parts == 0)
        return true;
    return s->options.first_only ? part_of(s, one) == 0 : part_of(s, one) != part;
}

static int fit_part(const rdv_study *s, size_t part, rdv_fitted *out, rdv_error *err)
{
    const pile *from = s->learned.n ? &s->learned : &s->added;
    rdv_arena *scratch = rdv_arena_new(0);
    rdv_case *picked = scratch ? RDV_NEW_ARRAY(scratch, rdv_case, from->n) : NULL;
    size_t n = 0;
    int r = RDV_OK;
    if (!picked)
        r = rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; picked && i < from->n; i++) {
        if (is_learned_for(s, &from->cases[i], part))
            picked[n++] = from->cases[i];
    }
    if (r == RDV_OK)
        r = rdv_fit(picked, n, &s->options.how, &s->options.fit, scratch, out, err);
    if (r == RDV_OK)
        out->part = part;
    rdv_arena_free(&scratch);
    return r;
}

/* The fit of part `parts[i]` is fits[i]. */
static int fit_all(const rdv_study *s, rdv_studied *out, rdv_error *err)
{
    size_t parts = s->options.parts && !s->options.first_only ? s->options.parts : 1;
    out->fits = RDV_NEW_ARRAY(s->arena, rdv_fitted, parts);
    if (!out->fits)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (out->n_fits = 0; out->n_fits < parts; out->n_fits++) {
        size_t part = s->options.parts == 0 ? RDV_NO_PART : out->n_fits;
        int r = fit_part(s, s->options.first_only ? 1 : part, &out->fits[out->n_fits], err);
        if (r < 0)
            return r;
    }
    return RDV_OK;
}

/* ---- reporting ------------------------------------------------------------------------------- */

/* The settings that a case is reported with; NULL: it was only fitted on. */
static const rdv_fitted *fit_for(const rdv_study *s, const rdv_studied *studied,
                                 const rdv_case *one)
{
    if (s->options.parts == 0)
        return &studied->fits[0];
    size_t part = part_of(s, one);
    if (s->options.first_only)
        return part == 0 ? NULL : &studied->fits[0];
    return &studied->fits[part];
}

static rdv_fact report(const rdv_case *one, const rdv_weighing *how, bool fitted)
{
    rdv_fact fact = one->fact;
    fact.confidence = rdv_weighing_confidence(how, one);
    fact.threshold = how->threshold;
    fact.fitted = fitted;
    return fact;
}

static void report_all(const rdv_study *s, rdv_studied *out)
{
    for (size_t i = 0; i < s->added.n; i++) {
        const rdv_case *one = &s->added.cases[i];
        const rdv_fitted *fit = out->n_fits ? fit_for(s, out, one) : NULL;
        if (out->n_fits && !fit) {
            out->fitted_only++;
            continue;
        }
        out->added[out->n] = i;
        out->facts[out->n++] = report(one, fit ? &fit->how : &s->options.how, fit != NULL);
    }
}

int rdv_study_finish(rdv_study *s, rdv_studied *out, rdv_error *err)
{
    rdv_studied studied = {.facts = RDV_NEW_ARRAY(s->arena, rdv_fact, s->added.n),
                           .added = RDV_NEW_ARRAY(s->arena, size_t, s->added.n)};
    if (!studied.facts || !studied.added)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    if (fits_anything(s)) {
        int r = fit_all(s, &studied, err);
        if (r < 0)
            return r;
    }
    report_all(s, &studied);
    *out = studied;
    return RDV_OK;
}
