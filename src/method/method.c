/* SPDX-License-Identifier: Apache-2.0 */
#include "method/method.h"
#include "score/score.h"

#include "base/arena.h"
#include "base/options.h"
#include "base/str.h"
#include "chain/evidence.h"
#include "method/check.h"
#include "method/verifier.h"
#include "score/combine.h"

#include <math.h>

/* ---- options --------------------------------------------------------------------------------- */

static rdv_check_options defaults(void)
{
    return (rdv_check_options){.size = sizeof(rdv_check_options),
                               .l1 = NAN,
                               .l0 = NAN,
                               .unknown = RDV_UNKNOWN_NEUTRAL,
                               .verifiers = rdv_combination_default(),
                               .samples = 5};
}

void rdv_check_options_default(rdv_check_options *options, size_t size)
{
    const rdv_check_options own = defaults();
    rdv_options_fill(options, size, &own, sizeof own);
}

static bool concludes_by_scores(const method_entry *entry)
{
    const method_table *t = entry->table;
    return entry->combine ||
           (t && (t->conclude == CONCLUDE_MEAN || t->conclude == CONCLUDE_CALCULATIONS ||
                  t->conclude == CONCLUDE_PERPLEXITY));
}

int method_options_check(const rdv_method *method, const rdv_check_options *options, rdv_error *err)
{
    const method_entry *entry = method_entry_of(method);
    rdv_integration how;
    if (!entry)
        return rdv_fail(err, RDV_E_ARGUMENT, "not a method of this library");
    int r = method_integration(method, options, &how, err);
    return r == RDV_OK && concludes_by_scores(entry) ? verifier_options_check(options, err) : r;
}

/* ---- with or without a model ----------------------------------------------------------------- */

static const conclusion *conclusion_of(const method_entry *entry)
{
    return entry->table ? &conclusions[entry->table->conclude] : NULL;
}

size_t method_parts(const method_entry *entry, const rdv_check_options *options,
                    const rdv_question *question, rdv_arena *arena, const method_entry **parts)
{
    const char *names[METHOD_MAX_PARTS];
    size_t n = entry->parts ? entry->parts(options, question, arena, names) : 0;
    for (size_t i = 0; i < n; i++)
        parts[i] = method_entry_of(rdv_method_named(rdv_str_of(names[i])));
    return n;
}

static bool needs_model(const rdv_method *method, const rdv_check_options *options)
{
    const method_entry *entry = method_entry_of(method);
    if (!entry)
        return method->asks_model;
    const method_entry *parts[METHOD_MAX_PARTS];
    const conclusion *c = conclusion_of(entry);
    bool needs = c && (!c->needs_model || c->needs_model(options));
    size_t n = method_parts(entry, options, NULL, NULL, parts);
    for (size_t i = 0; i < n; i++)
        needs |= needs_model(&parts[i]->method, options);
    return needs;
}

bool rdv_method_needs_model(const rdv_method *method, const rdv_check_options *options)
{
    rdv_check_options own = defaults();
    return rdv_options_take(&own, sizeof own, options, NULL) != RDV_OK || needs_model(method, &own);
}

bool method_computes(const method_entry *entry, const rdv_chain *chain,
                     const rdv_check_options *options)
{
    const conclusion *c = conclusion_of(entry);
    if (entry->compute)
        return true;
    return c && c->compute && (c->computes ? c->computes(chain) : !c->needs_model(options));
}

static int compute_unlisted(const method_entry *entry, const rdv_chain *chain,
                            const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                            rdv_error *err)
{
    const conclusion *c = conclusion_of(entry);
    *check = (rdv_check){0};
    return (c ? c->compute : entry->compute)(entry, chain, options, arena, check, err);
}

int method_compute(const method_entry *entry, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err)
{
    int r = compute_unlisted(entry, chain, options, arena, check, err);
    return r == RDV_OK && evidence_list_all(check, arena) < 0 ? rdv_no_memory(err) : r;
}

/* ---- chains ---------------------------------------------------------------------------------- */

/* Computes the parts of a method that combines, then its own check. */
static int compute_parts(const method_entry *entry, const rdv_chain *chain,
                         const rdv_check_options *options, rdv_arena *arena, rdv_check **checks,
                         size_t *n, rdv_error *err)
{
    const method_entry *parts[METHOD_MAX_PARTS];
    size_t n_parts = method_parts(entry, options, &chain->question, arena, parts);
    rdv_check *all = RDV_NEW_ARRAY(arena, rdv_check, n_parts + 1);
    int r = all ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < n_parts && r == RDV_OK; i++)
        r = method_compute(parts[i], chain, options, arena, &all[i], err);
    if (r == RDV_OK)
        r = entry->combine ? entry->combine(all, n_parts, chain, options, arena, &all[n_parts], err)
                           : compute_unlisted(entry, chain, options, arena, &all[0], err);
    *checks = all;
    *n = n_parts + 1;
    return r;
}

int rdv_check_chain_all(const rdv_method *method, const rdv_chain *chain,
                        const rdv_check_options *options, rdv_arena *arena, rdv_check **out,
                        size_t *n, rdv_error *err)
{
    rdv_check *checks;
    size_t n_checks;
    int r = method_check_all(method, chain, options, arena, &checks, &n_checks, err);
    for (size_t i = 0; r == RDV_OK && i < n_checks; i++)
        if (evidence_list_all(&checks[i], arena) < 0)
            r = rdv_no_memory(err);
    if (r == RDV_OK) {
        *out = checks;
        *n = n_checks;
    }
    return r;
}

int method_check_all(const rdv_method *method, const rdv_chain *chain,
                     const rdv_check_options *options, rdv_arena *arena, rdv_check **out, size_t *n,
                     rdv_error *err)
{
    const method_entry *entry = method_entry_of(method);
    rdv_chain part = *chain;
    rdv_check *checks = NULL;
    size_t n_checks = 0;
    rdv_check_options own = defaults();
    int r = rdv_options_take(&own, sizeof own, options, err);
    if (r != RDV_OK)
        return r;
    if (!entry)
        return rdv_fail(err, RDV_E_ARGUMENT, "not a method of this library");
    if (needs_model(method, &own))
        return rdv_fail(err, RDV_E_ARGUMENT, "%s asks a model: it needs a plan", method->name);
    part.n_steps = rdv_step_range_steps(own.extent, chain->n_steps);
    r = compute_parts(entry, &part, &own, arena, &checks, &n_checks, err);
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
