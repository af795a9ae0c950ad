/* SPDX-License-Identifier: Apache-2.0 */
/* General-purpose verification: any combination of verifiers (section 3.5.1). Each makes its own
 * check, which comes before the combined one; no request is made twice. */
#include "method/verifier.h"

#include "base/arena.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "method/recorded_verifier.h"
#include "score/combine.h"

#include <math.h>

extern const method_entry method_general;

/* ---- combining ------------------------------------------------------------------------------- */

#define MOST_PARTS (RDV_N_VERIFIERS + RDV_MAX_RECORDED_VERIFIERS)

/* The verifiers that take part, in their order: general's own, then the recorded ones. */
typedef struct part {
    const rdv_check *check;
    double weight;
    bool perplexity; /* it is a weight, and no condition */
    bool given;      /* by rule, and another one was read: the consistency of a single step, which
                        is not asked; that no calculation is wrong where there is none */
} part;

typedef struct parts {
    part is[MOST_PARTS];
    size_t n_own, n;
    rdv_unknown_as unknown;
} parts;

static void add_own(parts *p, const rdv_check *checks, size_t n, const rdv_combination *how)
{
    for (int is = 0; is < RDV_N_VERIFIERS; is++)
        for (size_t i = 0; i < n; i++)
            if (rdv_str_eq(checks[i].method, rdv_str_of(rdv_verifier_name((rdv_verifier_kind)is))))
                p->is[p->n++] = (part){.check = &checks[i],
                                       .weight = how->weight[is],
                                       .perplexity = is == RDV_VERIFIER_PERPLEXITY};
    p->n_own = p->n;
}

static int add_recorded(parts *p, const rdv_chain *chain, const rdv_check_options *options,
                        const rdv_combination *how, rdv_arena *arena, rdv_error *err)
{
    rdv_check *checks = RDV_NEW_ARRAY(arena, rdv_check, options->n_recorded);
    int r = checks ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < options->n_recorded && r == RDV_OK; i++) {
        r = recorded_verifier_take(&options->recorded[i], chain, how, arena, &checks[i], err);
        p->is[p->n++] = (part){.check = &checks[i], .weight = options->recorded[i].weight};
    }
    return r;
}

static bool is_named(const part *p, rdv_verifier_kind is)
{
    return rdv_str_eq(p->check->method, rdv_str_of(rdv_verifier_name(is)));
}

/* Scores that are given by rule count beside what was read. */
static void give(parts *p, size_t n_steps)
{
    bool read = false;
    for (size_t i = 0; i < p->n; i++)
        read |= !isnan(p->is[i].check->confidence);
    for (size_t i = 0; i < p->n && read; i++) {
        const rdv_check *check = p->is[i].check;
        bool none = check->coverage && coverage_all(check->coverage) == 0;
        p->is[i].given = (n_steps == 1 && is_named(&p->is[i], RDV_VERIFIER_CONSISTENCY)) ||
                         (none && is_named(&p->is[i], RDV_VERIFIER_MATH));
    }
}

/* True if the verifier had something to check, but its result is unknown. */
static bool is_missing(const part *p, double score)
{
    return isnan(score) && !p->given;
}

/* All verifiers but perplexity are conditions that a sound step must meet (section 3.3). A step
 * that violates one contradicts, whatever the score. If none is violated and one is unknown, the
 * step is unknown; otherwise a condition that is met gives support. */
static rdv_verdict_kind verdict_of(const parts *p, size_t step)
{
    rdv_verdict_kind is = RDV_UNKNOWN;
    bool missing = false;
    for (size_t i = 0; i < p->n; i++) {
        const rdv_verdict *one = &p->is[i].check->verdicts[step];
        if (one->kind == RDV_CONTRADICT)
            return one->kind;
        missing |= !p->is[i].perplexity && is_missing(&p->is[i], one->score);
        if (one->kind != RDV_UNKNOWN && is != RDV_SUPPORT)
            is = one->kind;
    }
    return missing ? RDV_UNKNOWN : is;
}

/* The weighted mean. A verifier without a result weighs like one that is neither for nor against:
 * if it were left out, a failed call would raise the influence of the others. A perplexity has no
 * such neutral value and counts as 0. A score that is given by rule counts beside scores that were
 * read. */
static double weigh(const parts *p, double score[MOST_PARTS])
{
    double weight[MOST_PARTS];
    bool any = false;
    for (size_t i = 0; i < p->n; i++) {
        weight[i] = p->is[i].weight;
        any |= !isnan(score[i]);
    }
    for (size_t i = 0; any && i < p->n; i++) {
        if (p->is[i].given)
            score[i] = 1;
        else if (isnan(score[i]) && p->unknown == RDV_UNKNOWN_NEUTRAL)
            score[i] = p->is[i].perplexity ? 0 : RDV_NEITHER;
    }
    return rdv_combine_weighted(p->unknown, weight, score, p->n);
}

/* The reason of the first verifier with that verdict. */
static rdv_str why_of(const parts *p, size_t step, rdv_verdict_kind is, rdv_arena *arena, bool *ok)
{
    for (size_t i = 0; i < p->n && is != RDV_SUPPORT; i++) {
        const rdv_verdict *v = &p->is[i].check->verdicts[step];
        if (v->kind != is || !v->why.p)
            continue;
        rdv_str why =
            rdv_str_printf(arena, "%.*s: %.*s", RDV_FMT(p->is[i].check->method), RDV_FMT(v->why));
        *ok = why.p != NULL;
        return why;
    }
    return (rdv_str){0};
}

/* The scores of the step by verifier, those of the recorded ones in a map of their own. NULL: out
 * of memory. */
static rdv_evidence *scores_of(const parts *p, size_t step, rdv_arena *arena)
{
    rdv_evidence *map = rdv_evidence_map(arena, NULL, (rdv_str){0}), *to = map;
    for (size_t i = 0; i < p->n && to; i++) {
        const rdv_check *check = p->is[i].check;
        if (i == p->n_own)
            to = rdv_evidence_map(arena, map, RDV_STR("recorded"));
        if (!to || !rdv_evidence_number(arena, to, check->method, check->verdicts[step].score))
            return NULL;
    }
    return to ? map : NULL;
}

static int conclude_step(const parts *p, size_t step, rdv_arena *arena, rdv_verdict *v,
                         rdv_error *err)
{
    double score[MOST_PARTS];
    bool ok = true;
    for (size_t i = 0; i < p->n; i++)
        score[i] = p->is[i].check->verdicts[step].score;
    *v = (rdv_verdict){
        .step = step, .kind = verdict_of(p, step), .evidence = scores_of(p, step, arena)};
    v->score = v->kind == RDV_UNKNOWN ? NAN : weigh(p, score);
    v->why = why_of(p, step, v->kind, arena, &ok);
    return v->evidence && ok ? RDV_OK : rdv_no_memory(err);
}

static int combine(const rdv_check *checks, size_t n, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *out,
                   rdv_error *err)
{
    rdv_combination how = verifier_combination(options);
    size_t n_steps = chain->n_steps;
    parts p = {.unknown = how.aggregation.unknown};
    double score[MOST_PARTS];
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, n_steps);
    add_own(&p, checks, n, &how);
    int r = verdicts ? add_recorded(&p, chain, options, &how, arena, err) : rdv_no_memory(err);
    give(&p, n_steps);
    for (size_t i = 0; i < n_steps && r == RDV_OK; i++)
        r = conclude_step(&p, i, arena, &verdicts[i], err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < p.n; i++)
        score[i] = p.is[i].check->confidence;
    method_put(&method_general.method, verdicts, n_steps, out);
    out->confidence = weigh(&p, score);
    return RDV_OK;
}

/* Chooses the verifiers that take part, in their order. */
static size_t choose(const rdv_check_options *options, const rdv_question *question,
                     rdv_arena *arena, const char **names)
{
    unsigned set = verifier_set(options, question, arena);
    size_t n = 0;
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++)
        if (set >> i & 1)
            names[n++] = rdv_verifier_name((rdv_verifier_kind)i);
    return n;
}

const method_entry method_general = {
    .method = {.name = "general",
               .summary = "relevance, calculations, consistency and perplexity, combined",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .parts = choose,
    .combine = combine,
};
