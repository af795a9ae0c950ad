/* SPDX-License-Identifier: Apache-2.0 */
/* The table of methods. A new method is a file with an implementation and a line here. */
#include "method/method.h"

#include "base/str.h"

#include <math.h>

static const method_entry *const entries[] = {&method_calculations};

#define COUNT (sizeof entries / sizeof *entries)

const rdv_method *const *rdv_methods(size_t *n)
{
    static const rdv_method *const methods[COUNT] = {&method_calculations.method};
    *n = COUNT;
    return methods;
}

static const method_entry *entry_of(const rdv_method *method)
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

/* First contradict, unless the method has a rule of its own. */
static size_t first_contradict(const rdv_check *check)
{
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].is == RDV_CONTRADICT)
            return check->verdicts[i].step;
    return RDV_NO_STEP;
}

int rdv_check_chain(const rdv_method *method, const rdv_chain *chain,
                    const rdv_check_options *options, rdv_arena *arena, rdv_check *out,
                    rdv_error *err)
{
    const method_entry *entry = entry_of(method);
    if (!entry)
        return rdv_fail(err, RDV_E_ARGUMENT, "not a method of this library");
    rdv_integration how = {.l1 = isnan(options->l1) ? method->l1 : options->l1,
                           .l0 = isnan(options->l0) ? method->l0 : options->l0,
                           .unknown = options->unknown};
    int r = rdv_integration_check(&how, err);
    if (r < 0)
        return r;
    rdv_check check = {.method = rdv_str_of(method->name)};
    r = entry->check(chain, arena, &check, err);
    if (r < 0)
        return r;
    rdv_verdict_counts counts = rdv_count_verdicts(check.verdicts, check.n_verdicts);
    check.n_unknown = counts.unknown;
    check.confidence = rdv_integrate(&how, counts);
    check.first_error = first_contradict(&check);
    *out = check;
    return RDV_OK;
}
