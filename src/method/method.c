/* SPDX-License-Identifier: Apache-2.0 */
/* The table of methods. A new method is a file with an implementation and a line here. */
#include "method/method.h"

#include "base/str.h"

#include <math.h>

static const method_entry *const entries[] = {
    &method_calculations,   &method_selfcheck,         &method_global,    &method_single_stage,
    &method_error_check,    &method_error_check_1shot, &method_prm_pairs, &method_prm_values,
    &method_prm_plus_minus, &method_prm_critic,
};

#define COUNT (sizeof entries / sizeof *entries)

const rdv_method *const *rdv_methods(size_t *n)
{
    static const rdv_method *const methods[COUNT] = {
        &method_calculations.method, &method_selfcheck.method,   &method_global.method,
        &method_single_stage.method, &method_error_check.method, &method_error_check_1shot.method,
        &method_prm_pairs.method,    &method_prm_values.method,  &method_prm_plus_minus.method,
        &method_prm_critic.method,
    };
    *n = COUNT;
    return methods;
}

const method_entry *method_entry_of(const rdv_method *method)
{
    for (size_t i = 0; i < COUNT; i++)
        if (&entries[i]->method == method)
            return entries[i];
    return NULL;
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
    return (rdv_check_options){.l1 = NAN, .l0 = NAN, .unknown = RDV_UNKNOWN_NEUTRAL};
}

/* A contradiction of the whole chain names no step: RDV_WHOLE_CHAIN is RDV_NO_STEP. */
static size_t first_contradict(const rdv_check *check)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].is == RDV_CONTRADICT)
            return check->verdicts[i].step;
    return RDV_NO_STEP;
}

int method_integration(const rdv_method *method, const rdv_check_options *options,
                       rdv_integration *out, rdv_error *err)
{
    *out = (rdv_integration){.l1 = isnan(options->l1) ? method->l1 : options->l1,
                             .l0 = isnan(options->l0) ? method->l0 : options->l0,
                             .unknown = options->unknown};
    return rdv_integration_check(out, err);
}

int method_integrate(const rdv_method *method, const rdv_check_options *options,
                     rdv_verdict *verdicts, size_t n, rdv_check *check, rdv_error *err)
{
    rdv_integration how;
    int r = method_integration(method, options, &how, err);
    if (r < 0)
        return r;
    rdv_verdict_counts counts = rdv_count_verdicts(verdicts, n);
    check->method = rdv_str_of(method->name);
    check->verdicts = verdicts;
    check->n_verdicts = n;
    check->n_unknown = counts.unknown;
    check->confidence = rdv_integrate(&how, counts);
    check->first_error = first_contradict(check);
    return RDV_OK;
}

int rdv_check_chain(const rdv_method *method, const rdv_chain *chain,
                    const rdv_check_options *options, rdv_arena *arena, rdv_check *out,
                    rdv_error *err)
{
    const method_entry *entry = method_entry_of(method);
    if (!entry)
        return rdv_fail(err, RDV_E_ARGUMENT, "not a method of this library");
    if (!entry->check)
        return rdv_fail(err, RDV_E_ARGUMENT, "%s asks a model: it needs a plan", method->name);
    rdv_check check = {0};
    int r = entry->check(chain, arena, &check, err);
    if (r == RDV_OK)
        r = method_integrate(method, options, check.verdicts, check.n_verdicts, &check, err);
    if (r == RDV_OK)
        *out = check;
    return r;
}
