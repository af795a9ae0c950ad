/* SPDX-License-Identifier: Apache-2.0 */
/* What all verifiers share: options, and how scores become verdicts and a confidence. */
#include "method/verifier.h"

#include "base/arena.h"
#include "base/str.h"

#include <rederive/answer.h>

#include <math.h>

/* ---- options --------------------------------------------------------------------------------- */

int verifier_options_check(const rdv_check_options *o, rdv_error *err)
{
    if (o->samples < 1 || o->samples > VERIFIER_MAX_SAMPLES)
        return rdv_fail(err, RDV_E_ARGUMENT, "samples of a verifier are 1 to %d",
                        VERIFIER_MAX_SAMPLES);
    if (!(o->power >= 0) || !isfinite(o->power))
        return rdv_fail(err, RDV_E_ARGUMENT, "the power of the perplexity has to be at least 0");
    return rdv_combination_check(&o->verifiers, err);
}

rdv_combination verifier_combination(const rdv_check_options *options)
{
    rdv_combination how = options->verifiers;
    how.aggregation.unknown = options->unknown;
    return how;
}

static bool has_digit(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (rdv_is_digit(s.p[i]))
            return true;
    return false;
}

/* A number with its unit; a date or a time holds numbers and is none. */
static bool is_number(rdv_str option, rdv_arena *arena)
{
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    rdv_str key;
    size_t slash = rdv_find_char(option, '/', 0);
    bool date = slash != RDV_NOT_FOUND && rdv_find_char(option, '/', slash + 1) != RDV_NOT_FOUND;
    return !date && has_digit(option) && rdv_find_char(option, ':', 0) == RDV_NOT_FOUND &&
           rdv_answer_key(option, &form, arena, &key, NULL) == RDV_OK;
}

bool rdv_is_mathematical(const rdv_question *question, rdv_arena *arena)
{
    rdv_answer_form form = rdv_answer_form_of(question);
    if (form.kind != RDV_KIND_OPTION && question->kind == RDV_KIND_AUTO && !question->gold.p)
        return has_digit(question->text);
    if (form.kind != RDV_KIND_OPTION)
        return form.kind == RDV_KIND_NUMBER || form.kind == RDV_KIND_LATEX;
    for (size_t i = 0; i < question->n_options; i++)
        if (!is_number(question->options[i], arena))
            return false;
    return question->n_options > 0;
}

unsigned verifier_set(const rdv_check_options *options, const rdv_question *question,
                      rdv_arena *arena)
{
    unsigned set = options->verifiers.verifiers, math = 1u << RDV_VERIFIER_MATH;
    bool wanted = options->mathematical == RDV_MATHEMATICAL_YES ||
                  (options->mathematical == RDV_MATHEMATICAL_AUTO && (set & math) &&
                   rdv_is_mathematical(question, arena));
    return wanted ? set : set & ~math;
}

const method_entry *verifier_entry(rdv_verifier_is is)
{
    static const method_entry *const entries[RDV_N_VERIFIERS] = {
        &method_relevance, &method_math, &method_consistency, &method_perplexity};
    return entries[is];
}

bool method_uses_verifiers(const rdv_method *method)
{
    bool is = method == &method_general.method;
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++)
        is |= method == &verifier_entry((rdv_verifier_is)i)->method;
    return is;
}

static bool needs_model(rdv_verifier_is is, const rdv_check_options *options)
{
    return is == RDV_VERIFIER_RELEVANCE || is == RDV_VERIFIER_CONSISTENCY ||
           (is == RDV_VERIFIER_MATH && options->math != RDV_MATH_NATIVE);
}

bool rdv_method_needs_model(const rdv_method *method, const rdv_check_options *options)
{
    bool needs = false;
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++) {
        bool is = needs_model((rdv_verifier_is)i, options);
        if (method == &verifier_entry((rdv_verifier_is)i)->method)
            return is;
        needs |= is && (options->verifiers.verifiers >> i & 1);
    }
    return method == &method_general.method ? needs : method->asks_model;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

void verifier_judge(rdv_verdict *v, double score)
{
    v->score = score;
    v->is = isnan(score)  ? RDV_UNKNOWN
            : score > 0.5 ? RDV_SUPPORT
            : score < 0.5 ? RDV_CONTRADICT
                          : RDV_UNRELATED;
}

int verifier_conclude(rdv_verifier_is is, const rdv_check_options *options, rdv_verdict *verdicts,
                      size_t n, const rdv_tokens *tokens, rdv_arena *arena, rdv_check *check,
                      rdv_error *err)
{
    rdv_combination how = verifier_combination(options);
    double *scores = RDV_NEW_ARRAY(arena, double, n);
    if (!scores)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
    for (size_t i = 0; i < n; i++)
        scores[i] = verdicts[i].score;
    rdv_verified chain = {.n_steps = n, .tokens = tokens, .power = options->power};
    chain.step[is] = scores;
    method_put(&verifier_entry(is)->method, verdicts, n, check);
    check->confidence = n ? rdv_combine_verifier(&how, &chain, is, (rdv_extent){0}) : NAN;
    return RDV_OK;
}

/* ---- without a model ------------------------------------------------------------------------- */

static int nothing_to_drop(check_run *run, rdv_error *err)
{
    (void)run, (void)err;
    return RDV_OK;
}

int verifier_start_computed(check_run **out, rdv_plan *plan, size_t place,
                            const method_entry *method, int (*finished)(check_run *, rdv_error *),
                            void *data, rdv_error *err)
{
    rdv_check *checks;
    size_t n;
    check_run *run = RDV_NEW(plan->arena, check_run);
    const rdv_chain *chain = check_part(plan, place);
    if (!run || !chain)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
    *run = (check_run){.plan = plan,
                       .method = method,
                       .chain = chain,
                       .place = place,
                       .finished = finished,
                       .data = data,
                       .drop = nothing_to_drop};
    *out = run;
    int r = method->compute(chain, &plan->options.check, plan->arena, &checks, &n, err);
    if (r < 0)
        return r;
    run->also = checks;
    run->n_also = n - 1;
    run->check = checks[n - 1];
    return finished(run, err);
}
