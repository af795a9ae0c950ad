/* SPDX-License-Identifier: Apache-2.0 */
#include "method/recorded_verifier.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/aggregate.h"
#include "score/combine.h"

#include <math.h>

/* ---- options --------------------------------------------------------------------------------- */

static int one_check(const rdv_check_options *o, size_t i, rdv_error *err)
{
    rdv_str name = o->recorded[i].method;
    rdv_verifier_kind is;
    double weight = o->recorded[i].weight;
    if (name.len == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "the name of a method is wanted");
    if (rdv_verifier_named(name, &is) == RDV_OK || rdv_str_eq(name, RDV_STR("general")))
        return rdv_fail(err, RDV_E_ARGUMENT, "general computes %.*s itself", RDV_FMT(name));
    for (size_t k = 0; k < i; k++)
        if (rdv_str_eq(name, o->recorded[k].method))
            return rdv_fail(err, RDV_E_ARGUMENT, "%.*s is named twice", RDV_FMT(name));
    if (!(weight >= 0) || !isfinite(weight))
        return rdv_fail(err, RDV_E_ARGUMENT, "the weight of %.*s has to be a number, at least 0",
                        RDV_FMT(name));
    return RDV_OK;
}

int recorded_verifiers_check(const rdv_check_options *o, rdv_error *err)
{
    double weight = 0;
    int code = RDV_OK;
    if (o->n_recorded > RDV_MAX_RECORDED_VERIFIERS)
        return rdv_fail(err, RDV_E_ARGUMENT, "at most %d recorded checks can take part",
                        RDV_MAX_RECORDED_VERIFIERS);
    for (size_t i = 0; i < o->n_recorded && code == RDV_OK; i++) {
        code = one_check(o, i, err);
        weight += o->recorded[i].weight;
    }
    return code == RDV_OK ? rdv_combination_check_beside(&o->verifiers, o->n_recorded, weight, err)
                          : code;
}

int recorded_verifiers_read(rdv_str list, rdv_check_options *o, rdv_error *err)
{
    o->n_recorded = 0;
    while (list.p) {
        size_t comma = rdv_find_char(list, ',', 0);
        rdv_str word = rdv_trim(rdv_slice(list, 0, comma));
        size_t equals = rdv_find_char(word, '=', 0);
        rdv_recorded_verifier one = {.method = rdv_trim(rdv_slice(word, 0, equals)), .weight = 1};
        list = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(list, comma + 1, list.len);
        if (equals != RDV_NOT_FOUND &&
            !rdv_weight_read(rdv_trim(rdv_slice(word, equals + 1, word.len)), &one.weight))
            one.weight = NAN;
        if (o->n_recorded == RDV_MAX_RECORDED_VERIFIERS)
            return rdv_fail(err, RDV_E_ARGUMENT, "at most %d recorded checks can take part",
                            RDV_MAX_RECORDED_VERIFIERS);
        o->recorded[o->n_recorded++] = one;
        int code = one_check(o, o->n_recorded - 1, err);
        if (code != RDV_OK)
            return code;
    }
    return RDV_OK;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static double score_of(const rdv_verdict *v)
{
    if (v->kind == RDV_UNKNOWN)
        return NAN;
    if (v->score >= 0 && v->score <= 1)
        return v->score;
    return v->kind == RDV_SUPPORT ? 1 : v->kind == RDV_CONTRADICT ? 0 : RDV_NEITHER;
}

/* Of two verdicts on one step the worse counts: a wrong step stays wrong, and what is not known
 * does not become support. */
static bool is_worse(const rdv_verdict *v, const rdv_verdict *than)
{
    if ((v->kind == RDV_CONTRADICT) != (than->kind == RDV_CONTRADICT))
        return v->kind == RDV_CONTRADICT;
    if ((v->kind == RDV_UNKNOWN) != (than->kind == RDV_UNKNOWN))
        return v->kind == RDV_UNKNOWN;
    return score_of(v) < score_of(than);
}

/* Why the check says nothing of any step. p == NULL: it says something. */
static rdv_str why_nothing(const rdv_check *check)
{
    if (!check)
        return RDV_STR("the chain has no check of that name");
    if (check->n_verdicts && check->verdicts[0].step == RDV_WHOLE_CHAIN)
        return RDV_STR("it judges the whole chain, and not each step");
    return (rdv_str){0};
}

int recorded_verifier_take(const rdv_recorded_verifier *recorded, const rdv_chain *chain,
                           const rdv_combination *how, rdv_arena *arena, rdv_check *out,
                           rdv_error *err)
{
    const rdv_check *check = rdv_chain_check(chain, recorded->method);
    rdv_str nothing = why_nothing(check), lacks = RDV_STR("it has no verdict on the step");
    size_t n = chain->n_steps;
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, n);
    double *scores = RDV_NEW_ARRAY(arena, double, n);
    if (!verdicts || !scores)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++)
        verdicts[i] =
            (rdv_verdict){.step = i, .kind = RDV_UNKNOWN, .why = nothing.p ? nothing : lacks};
    for (size_t i = 0; !nothing.p && i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        if (v->step >= n)
            continue;
        rdv_verdict *has = &verdicts[v->step];
        if (has->why.p == lacks.p || is_worse(v, has))
            *has = *v;
    }
    for (size_t i = 0; i < n; i++)
        verdicts[i].score = scores[i] = score_of(&verdicts[i]);
    *out = (rdv_check){.method = recorded->method, .verdicts = verdicts, .n_verdicts = n};
    out->confidence = aggregate_with(&how->aggregation, scores, n, RDV_NEITHER);
    return RDV_OK;
}
