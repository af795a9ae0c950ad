/* SPDX-License-Identifier: Apache-2.0 */
/* The table of methods. A new method is a file with an implementation and a line here. */
#include "method/method.h"
#include "score/score.h"

#include "base/arena.h"
#include "base/str.h"

#include <math.h>

static const method_entry *const entries[] = {
    &method_calculations, &method_selfcheck,         &method_global,     &method_single_stage,
    &method_error_check,  &method_error_check_1shot, &method_relevance,  &method_math,
    &method_consistency,  &method_perplexity,        &method_general,    &method_prm_pairs,
    &method_prm_values,   &method_prm_plus_minus,    &method_prm_critic, &method_direct_trace,
    &method_direct_step,  &method_cot_step,          &method_dyck,       &method_sorting,
    &method_shuffled,     &method_arithmetic,        &method_deduction,
};

#define COUNT (sizeof entries / sizeof *entries)

const rdv_method *const *rdv_methods(size_t *n)
{
    static const rdv_method *const methods[COUNT] = {
        &method_calculations.method, &method_selfcheck.method,
        &method_global.method,       &method_single_stage.method,
        &method_error_check.method,  &method_error_check_1shot.method,
        &method_relevance.method,    &method_math.method,
        &method_consistency.method,  &method_perplexity.method,
        &method_general.method,      &method_prm_pairs.method,
        &method_prm_values.method,   &method_prm_plus_minus.method,
        &method_prm_critic.method,   &method_direct_trace.method,
        &method_direct_step.method,  &method_cot_step.method,
        &method_dyck.method,         &method_sorting.method,
        &method_shuffled.method,     &method_arithmetic.method,
        &method_deduction.method,
    };
    *n = COUNT;
    return methods;
}

const method_entry *method_entry_of(const rdv_method *method)
{
    for (size_t i = 0; i < COUNT; i++)
        if (&entries[i]->method == method)
            return entries[i];
    return method->made;
}

const rdv_method *rdv_method_named(rdv_str name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (rdv_str_eq(name, rdv_str_of(entries[i]->method.name)))
            return &entries[i]->method;
    return NULL;
}

rdv_check_options rdv_check_options_default(void)
{
    return (rdv_check_options){.l1 = NAN,
                               .l0 = NAN,
                               .unknown = RDV_UNKNOWN_NEUTRAL,
                               .verifiers = rdv_combination_default(),
                               .samples = 5};
}

/* A contradiction of the whole chain names no step: RDV_WHOLE_CHAIN is RDV_NO_STEP. Where none was
 * found there is none only if all was read; a program says so of what it could follow. */
static size_t first_contradict(const rdv_method *method, const rdv_check *check)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].is == RDV_CONTRADICT)
            return check->verdicts[i].step;
    bool nothing = check->n_unknown == check->n_verdicts;
    return nothing || (method->asks_model && check->n_unknown) ? RDV_STEP_UNKNOWN : RDV_NO_STEP;
}

int method_integration(const rdv_method *method, const rdv_check_options *options,
                       rdv_integration *out, rdv_error *err)
{
    *out = (rdv_integration){.l1 = isnan(options->l1) ? method->l1 : options->l1,
                             .l0 = isnan(options->l0) ? method->l0 : options->l0,
                             .unknown = options->unknown};
    return rdv_integration_check(out, err);
}

void method_put(const rdv_method *method, rdv_verdict *verdicts, size_t n, rdv_check *check)
{
    check->method = rdv_str_of(method->name);
    check->verdicts = verdicts;
    check->n_verdicts = n;
    check->n_unknown = rdv_count_verdicts(verdicts, n).unknown;
    check->first_error = first_contradict(method, check);
}

int method_integrate(const rdv_method *method, const rdv_check_options *options,
                     rdv_verdict *verdicts, size_t n, rdv_check *check, rdv_error *err)
{
    rdv_integration how;
    int r = method_integration(method, options, &how, err);
    if (r < 0)
        return r;
    method_put(method, verdicts, n, check);
    check->confidence = rdv_integrate(&how, rdv_count_verdicts(verdicts, n));
    return RDV_OK;
}

/* The one check of a method that only computes. */
static int check_one(const method_entry *entry, const rdv_chain *chain,
                     const rdv_check_options *options, rdv_arena *arena, rdv_check **out, size_t *n,
                     rdv_error *err)
{
    rdv_check *check = RDV_NEW(arena, rdv_check);
    if (!check)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
    int r = entry->check(chain, arena, check, err);
    if (r == RDV_OK)
        r = method_integrate(&entry->method, options, check->verdicts, check->n_verdicts, check,
                             err);
    *out = check;
    *n = 1;
    return r;
}

int rdv_check_chain_all(const rdv_method *method, const rdv_chain *chain,
                        const rdv_check_options *options, rdv_arena *arena, rdv_check **out,
                        size_t *n, rdv_error *err)
{
    const method_entry *entry = method_entry_of(method);
    rdv_chain part = *chain;
    rdv_check *checks = NULL;
    size_t n_checks = 0;
    if (!entry)
        return rdv_fail(err, RDV_E_ARGUMENT, "not a method of this library");
    if (rdv_method_needs_model(method, options) ||
        (!entry->check && !entry->compute && !entry->judge))
        return rdv_fail(err, RDV_E_ARGUMENT, "%s asks a model: it needs a plan", method->name);
    part.n_steps = rdv_extent_steps(options->extent, chain->n_steps);
    int r = entry->compute ? entry->compute(&part, options, arena, &checks, &n_checks, err)
            : entry->judge ? entry->judge(entry, &part, options, arena, &checks, &n_checks, err)
                           : check_one(entry, &part, options, arena, &checks, &n_checks, err);
    if (r != RDV_OK)
        return r;
    *out = checks;
    *n = n_checks;
    return RDV_OK;
}

int rdv_check_chain(const rdv_method *method, const rdv_chain *chain,
                    const rdv_check_options *options, rdv_arena *arena, rdv_check *out,
                    rdv_error *err)
{
    rdv_check *checks;
    size_t n;
    int r = rdv_check_chain_all(method, chain, options, arena, &checks, &n, err);
    if (r == RDV_OK)
        *out = checks[n - 1];
    return r;
}
