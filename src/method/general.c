/* SPDX-License-Identifier: Apache-2.0 */
/* General-purpose verification: any combination of verifiers (section 3.5.1). Each makes its own
 * check, which comes before the combined one; no request is made twice. */
#include "method/verifier.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/combine.h"

#include <math.h>

extern const method_entry method_general;

/* ---- combining ------------------------------------------------------------------------------- */

/* The checks by verifier; NULL: the verifier does not take part. */
typedef struct parts {
    const rdv_check *by[RDV_N_VERIFIERS];
    bool given; /* consistency is not asked about a single step, and another verifier was read */
} parts;

static parts sort(const rdv_check *checks, size_t n, size_t n_steps)
{
    parts p = {.by = {NULL}};
    bool read = false;
    for (size_t i = 0; i < n; i++) {
        rdv_verifier_kind is;
        if (rdv_verifier_named(checks[i].method, &is) == RDV_OK)
            p.by[is] = &checks[i];
        read |= !isnan(checks[i].confidence);
    }
    p.given = read && n_steps == 1 && p.by[RDV_VERIFIER_CONSISTENCY];
    return p;
}

/* True if the verifier takes part and had something to check, but its result for the step is
 * unknown. */
static bool is_missing(const parts *p, size_t verifier, double score)
{
    return p->by[verifier] && isnan(score) && !(p->given && verifier == RDV_VERIFIER_CONSISTENCY);
}

/* All verifiers but perplexity are conditions that a sound step must meet (section 3.3). A step
 * that violates one contradicts, whatever the score. If none is violated and one is unknown, the
 * step is unknown; otherwise a condition that is met gives support. */
static rdv_verdict_kind verdict_of(const parts *p, size_t step)
{
    rdv_verdict_kind is = RDV_UNKNOWN;
    bool missing = false;
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++) {
        const rdv_verdict *one = p->by[i] ? &p->by[i]->verdicts[step] : NULL;
        if (!one)
            continue;
        if (one->kind == RDV_CONTRADICT)
            return one->kind;
        missing |= i != RDV_VERIFIER_PERPLEXITY && is_missing(p, i, one->score);
        if (one->kind != RDV_UNKNOWN && is != RDV_SUPPORT)
            is = one->kind;
    }
    return missing ? RDV_UNKNOWN : is;
}

/* The weighted mean. A verifier without a result weighs like one that is neither for nor against:
 * if it were left out, a failed call would raise the influence of the others. A perplexity has no
 * such neutral value and counts as 0. A score that is given by rule counts beside scores that were
 * read. */
static double weigh(const parts *p, const rdv_combination *how, double score[RDV_N_VERIFIERS])
{
    bool any = false;
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++)
        any |= !isnan(score[i]);
    if (any && p->given)
        score[RDV_VERIFIER_CONSISTENCY] = 1;
    for (size_t i = 0; any && i < RDV_N_VERIFIERS; i++)
        if (is_missing(p, i, score[i]) && how->aggregation.unknown == RDV_UNKNOWN_NEUTRAL)
            score[i] = i == RDV_VERIFIER_PERPLEXITY ? 0 : RDV_NEITHER;
    return rdv_combine_scores(how, score);
}

/* The reason of the first verifier with that verdict. */
static rdv_str why_of(const parts *p, size_t step, rdv_verdict_kind is, rdv_arena *arena, bool *ok)
{
    for (size_t i = 0; i < RDV_N_VERIFIERS && is != RDV_SUPPORT; i++) {
        const rdv_verdict *v = p->by[i] ? &p->by[i]->verdicts[step] : NULL;
        if (!v || v->kind != is || !v->why.p)
            continue;
        rdv_str why = rdv_str_printf(arena, "%s: %.*s", rdv_verifier_name((rdv_verifier_kind)i),
                                     RDV_FMT(v->why));
        *ok = why.p != NULL;
        return why;
    }
    return (rdv_str){0};
}

static int conclude_step(const parts *p, size_t step, const rdv_combination *how, rdv_arena *arena,
                         rdv_verdict *v, rdv_error *err)
{
    double score[RDV_N_VERIFIERS];
    bool ok = true;
    rdv_evidence *map = rdv_evidence_map(arena, NULL, (rdv_str){0});
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++) {
        score[i] = p->by[i] ? p->by[i]->verdicts[step].score : NAN;
        if (map && ok && p->by[i])
            ok =
                rdv_evidence_number(arena, map, rdv_str_of(rdv_verifier_name((rdv_verifier_kind)i)),
                                    score[i]) != NULL;
    }
    *v = (rdv_verdict){.step = step, .kind = verdict_of(p, step), .evidence = map};
    v->score = v->kind == RDV_UNKNOWN ? NAN : weigh(p, how, score);
    v->why = why_of(p, step, v->kind, arena, &ok);
    return map && ok ? RDV_OK : rdv_no_memory(err);
}

static int combine(const rdv_check *checks, size_t n, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *out,
                   rdv_error *err)
{
    rdv_combination how = verifier_combination(options);
    size_t n_steps = chain->n_steps;
    parts p = sort(checks, n, n_steps);
    double score[RDV_N_VERIFIERS];
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, n_steps);
    int r = verdicts ? RDV_OK : rdv_no_memory(err);
    how.verifiers = verifier_set(options, &chain->question, arena);
    for (size_t i = 0; i < n_steps && r == RDV_OK; i++)
        r = conclude_step(&p, i, &how, arena, &verdicts[i], err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++)
        score[i] = p.by[i] ? p.by[i]->confidence : NAN;
    method_put(&method_general.method, verdicts, n_steps, out);
    out->confidence = how.verifiers ? weigh(&p, &how, score) : NAN;
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
