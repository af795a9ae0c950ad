/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations that are read from separate files and stored by chain, until they are added to their
 * chains. */
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "data/annotation/judgements.h"
#include "data/members.h"

#include <stdlib.h>

rdv_annotations *rdv_annotations_new(rdv_arena *arena, const rdv_annotation_options *options)
{
    rdv_annotations *a = RDV_NEW(arena, rdv_annotations);
    if (!a)
        return NULL;
    *a = (rdv_annotations){.arena = arena, .options = *options};
    rdv_map_init(&a->by_id, arena);
    rdv_map_init(&a->by_all, arena);
    return a;
}

/* ---- holding --------------------------------------------------------------------------------- */

static int chain_of(rdv_annotations *a, rdv_str id, size_t *out)
{
    *out = rdv_map_get(&a->by_id, id);
    if (*out != RDV_MAP_MISSING)
        return RDV_OK;
    if (!RDV_PUSH_ROOM(a->arena, a->chains, a->n_chains, a->cap_chains) ||
        rdv_map_put(&a->by_id, id, a->n_chains) < 0)
        return RDV_E_NOMEM;
    a->chains[a->n_chains] = (rdv_annotated){.id = id, .first = RDV_NO_ANNOTATION};
    *out = a->n_chains++;
    return RDV_OK;
}

/* What (id, by, of) is found by. */
static rdv_str key_of(rdv_annotations *a, const rdv_annotation *one)
{
    return rdv_str_printf(a->arena, "%zu,%zu:%.*s%.*s%.*s", one->id.len, one->by.len,
                          RDV_FMT(one->id), RDV_FMT(one->by), RDV_FMT(one->of));
}

/* A new judgement of a chain, after those that it has. */
static int new_judgement(rdv_annotations *a, const rdv_annotation *one, rdv_str key, size_t *out)
{
    size_t chain;
    if (!RDV_PUSH_ROOM(a->arena, a->judgements, a->n_judgements, a->cap_judgements) ||
        chain_of(a, one->id, &chain) < 0 || rdv_map_put(&a->by_all, key, a->n_judgements) < 0)
        return RDV_E_NOMEM;
    rdv_annotated *c = &a->chains[chain];
    *out = a->n_judgements++;
    a->judgements[*out] = (rdv_judgement){.by = one->by,
                                          .of = one->of,
                                          .path = one->path,
                                          .line = one->line,
                                          .is_what = one->is_what,
                                          .next = RDV_NO_ANNOTATION};
    if (c->first == RDV_NO_ANNOTATION)
        c->first = *out;
    else
        a->judgements[c->last].next = *out;
    c->last = *out;
    return RDV_OK;
}

/* Steps that no row has spoken of are -2 while rows are still read. */
#define NOT_SAID (-2)

static int set_step(rdv_annotations *a, rdv_judgement *j, size_t step, int8_t is, rdv_error *err)
{
    if (step >= RDV_MAX_STEPS)
        return rdv_fail(err, RDV_E_LIMIT, "step %zu, of at most %zu", step, RDV_MAX_STEPS);
    while (j->n <= step) {
        if (!RDV_PUSH_ROOM(a->arena, j->is, j->n, j->cap))
            return rdv_no_memory(err);
        j->is[j->n++] = NOT_SAID;
    }
    if (j->is[step] != NOT_SAID)
        return rdv_fail(err, RDV_E_INPUT, "%.*s, by %.*s: a second judgement of the same step",
                        RDV_FMT(j->of), RDV_FMT(j->by));
    j->is[step] = is;
    return RDV_OK;
}

int rdv_annotations_add(rdv_annotations *a, const rdv_annotation *one, rdv_error *err)
{
    rdv_str key = key_of(a, one);
    size_t at = key.p ? rdv_map_get(&a->by_all, key) : RDV_MAP_MISSING;
    bool known = at != RDV_MAP_MISSING;
    if (!key.p || (!known && new_judgement(a, one, key, &at) < 0))
        return rdv_no_memory(err);
    rdv_judgement *j = &a->judgements[at];
    if (known && (one->is_what != RDV_ANNOTATION_STEP || j->is_what != RDV_ANNOTATION_STEP))
        return rdv_fail(err, RDV_E_INPUT,
                        "a second annotation of %.*s by %.*s on \"%.*s\"; the first is in line %zu "
                        "of %s",
                        RDV_FMT(rdv_str_head(one->id, 60)), RDV_FMT(rdv_str_head(one->by, 60)),
                        RDV_FMT(rdv_str_head(one->of, 60)), j->line, j->path);
    switch (one->is_what) {
    case RDV_ANNOTATION_STEP:
        return set_step(a, j, one->first_wrong.step, one->mark, err);
    case RDV_ANNOTATION_FIRST_WRONG:
        j->first_wrong = one->first_wrong;
        break;
    case RDV_ANNOTATION_STEPS:
        j->is = one->is;
        j->n = one->n;
        break;
    }
    return RDV_OK;
}

/* ---- putting into chains --------------------------------------------------------------------- */

static int misfit(const rdv_judgement *j, size_t n_steps, const char *what, size_t n,
                  rdv_error *err)
{
    return rdv_fail(err, RDV_E_INPUT, "%s:%zu: %s %zu, and the chain has %zu steps", j->path,
                    j->line, what, n, n_steps);
}

/* Marks of the steps up to the first wrong one; those after it were not looked at. */
static void mark_until(int8_t *is, size_t n, rdv_label first_wrong)
{
    for (size_t i = 0; i < n; i++)
        is[i] = first_wrong.kind != RDV_LABEL_AT || i < first_wrong.step ? 1
                : i == first_wrong.step                                  ? 0
                                                                         : -1;
}

static int labels_of(const rdv_annotations *a, const rdv_judgement *j, size_t n_steps,
                     rdv_arena *arena, rdv_step_labels *out, rdv_error *err)
{
    size_t from = a->options.count_from;
    *out = (rdv_step_labels){j->by, j->of, RDV_NEW_ARRAY(arena, int8_t, n_steps), n_steps};
    if (!out->is)
        return rdv_no_memory(err);
    if (j->is_what == RDV_ANNOTATION_FIRST_WRONG) {
        if (j->first_wrong.kind == RDV_LABEL_AT && j->first_wrong.step >= n_steps)
            return misfit(j, n_steps, "the first wrong step is", j->first_wrong.step + from, err);
        mark_until(out->is, n_steps, j->first_wrong);
        return RDV_OK;
    }
    if (j->is_what == RDV_ANNOTATION_STEPS && j->n != n_steps)
        return misfit(j, n_steps, "judgements:", j->n, err);
    if (j->n > n_steps)
        return misfit(j, n_steps, "a judgement of step", j->n - 1 + from, err);
    for (size_t i = 0; i < n_steps; i++)
        out->is[i] = i < j->n && j->is[i] != NOT_SAID ? j->is[i] : -1;
    return RDV_OK;
}

static bool same_judge(const rdv_step_labels *a, const rdv_judgement *b)
{
    return rdv_str_eq(a->by.p ? a->by : RDV_STR(""), b->by) &&
           rdv_str_eq(a->of.p ? a->of : RDV_STR(""), b->of);
}

/* Those of the chain's own labels that no annotation replaces. */
static size_t keep_labels(const rdv_annotations *a, const rdv_chain *chain, size_t first,
                          rdv_step_labels *out)
{
    size_t n = 0;
    for (size_t i = 0; i < chain->n_step_labels; i++) {
        bool replaced = false;
        for (size_t k = first; k != RDV_NO_ANNOTATION; k = a->judgements[k].next)
            replaced = replaced || same_judge(&chain->step_labels[i], &a->judgements[k]);
        if (!replaced)
            out[n++] = chain->step_labels[i];
    }
    return n;
}

/* The judgements of a chain as labels, those that fit. */
static int add_labels(const rdv_annotations *a, size_t first, size_t n_steps, rdv_arena *arena,
                      rdv_annotation_told *told, void *payload, rdv_step_labels *out, size_t *n,
                      size_t *bad, rdv_error *err)
{
    for (size_t k = first; k != RDV_NO_ANNOTATION; k = a->judgements[k].next) {
        rdv_error why = {0};
        int r = labels_of(a, &a->judgements[k], n_steps, arena, &out[*n], &why);
        if (r == RDV_E_NOMEM)
            return rdv_fail(err, r, "%s", why.msg);
        *n += r == RDV_OK;
        *bad += r != RDV_OK;
        if (r != RDV_OK && told)
            told(payload, why.msg);
    }
    return RDV_OK;
}

int rdv_annotations_apply(rdv_annotations *a, rdv_chain *chain, rdv_arena *arena,
                          rdv_annotation_told *told, void *payload, size_t *n_bad, rdv_error *err)
{
    size_t at = chain->id.p ? rdv_map_get(&a->by_id, chain->id) : RDV_MAP_MISSING;
    size_t count = 0, bad = 0;
    rdv_str span;
    if (at == RDV_MAP_MISSING && a->n_chains && chain->raw.p &&
        rdv_chain_text(chain, RDV_STR("span_id"), arena, &span) == RDV_OK)
        at = rdv_map_get(&a->by_id, span);
    if (at == RDV_MAP_MISSING)
        return RDV_NONE;
    rdv_annotated *c = &a->chains[at];
    c->used = true;
    for (size_t k = c->first; k != RDV_NO_ANNOTATION; k = a->judgements[k].next)
        count++;
    if (count > RDV_MAX_JUDGEMENTS || chain->n_step_labels > RDV_MAX_JUDGEMENTS)
        return rdv_fail(err, RDV_E_LIMIT, "more than %zu judgements of one chain",
                        RDV_MAX_JUDGEMENTS);
    rdv_step_labels *labels = RDV_NEW_ARRAY(arena, rdv_step_labels, chain->n_step_labels + count);
    if (!labels)
        return rdv_no_memory(err);
    size_t n = keep_labels(a, chain, c->first, labels);
    int r = add_labels(a, c->first, chain->n_steps, arena, told, payload, labels, &n, &bad, err);
    if (r < 0)
        return r;
    if (n_bad)
        *n_bad += bad;
    chain->step_labels = labels;
    chain->n_step_labels = n;
    return RDV_OK;
}

rdv_str rdv_annotations_unused(const rdv_annotations *a, size_t i, rdv_arena *arena)
{
    for (size_t k = 0; k < a->n_chains; k++) {
        if (a->chains[k].used || i-- > 0)
            continue;
        const rdv_judgement *j = &a->judgements[a->chains[k].first];
        return rdv_str_printf(arena, "%s:%zu: no chain has the id %.*s", j->path, j->line,
                              RDV_FMT(rdv_slice(a->chains[k].id, 0, 100)));
    }
    return (rdv_str){0};
}
