/* SPDX-License-Identifier: Apache-2.0 */
/* Several methods on one chain. Methods that only compute are done at once. */
#include "method/stage.h"

#include "base/arena.h"
#include "base/str.h"

struct chain_checks {
    rdv_plan *plan;
    const prompt_set *prompts;
    size_t place;
    rdv_check *checks; /* by method */
    check_run **runs;  /* by method; NULL where the method computes */
    size_t left;
    int (*done)(rdv_plan *, size_t, void *, rdv_error *);
    void *data;
};

/* Which of the methods a run is. */
typedef struct slot {
    chain_checks *checks;
    size_t method;
} slot;

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
}

/* Put the checks behind those that the chain had before. */
static int conclude(chain_checks *c, rdv_error *err)
{
    rdv_chain *chain = &c->plan->chains[c->place];
    size_t n = c->plan->options.n_methods;
    rdv_check *all = RDV_NEW_ARRAY(c->plan->arena, rdv_check, chain->n_checks + n);
    if (!all)
        return out_of_memory(err);
    for (size_t i = 0; i < chain->n_checks; i++)
        all[i] = chain->checks[i];
    for (size_t i = 0; i < n; i++)
        all[chain->n_checks + i] = c->checks[i];
    chain->checks = all;
    chain->n_checks += n;
    return c->done(c->plan, c->place, c->data, err);
}

static int keep(chain_checks *c, size_t method, const rdv_check *check, rdv_error *err)
{
    c->checks[method] = *check;
    return --c->left == 0 ? conclude(c, err) : RDV_OK;
}

static int finished(check_run *run, rdv_error *err)
{
    const slot *s = run->data;
    return keep(s->checks, s->method, &run->check, err);
}

static int start_method(chain_checks *c, size_t i, slot *s, rdv_error *err)
{
    rdv_plan *plan = c->plan;
    const rdv_method *method = plan->options.methods[i];
    const method_entry *entry = method_entry_of(method);
    if (entry->start)
        return entry->start(&c->runs[i], plan, c->prompts, c->place, entry, finished, s, err);
    if (entry->stages.n)
        return check_start(&c->runs[i], plan, c->prompts, c->place, entry, finished, s, err);
    rdv_check check;
    int r = rdv_check_chain(method, &plan->chains[c->place], &plan->options.check, plan->arena,
                            &check, err);
    return r == RDV_OK ? keep(c, i, &check, err) : r;
}

int chain_checks_possible(const rdv_plan_options *options, rdv_error *err)
{
    rdv_integration how;
    int r = RDV_OK;
    for (size_t i = 0; i < options->n_methods && r == RDV_OK; i++) {
        const rdv_method *method = options->methods[i];
        r = method_entry_of(method) ? method_integration(method, &options->check, &how, err)
                                    : rdv_fail(err, RDV_E_ARGUMENT, "not a method of this library");
    }
    return r;
}

int chain_checks_start(chain_checks **out, rdv_plan *plan, const prompt_set *prompts, size_t place,
                       int (*done)(rdv_plan *, size_t, void *, rdv_error *), void *data,
                       rdv_error *err)
{
    size_t n = plan->options.n_methods;
    chain_checks *c = RDV_NEW(plan->arena, chain_checks);
    slot *slots = RDV_NEW_ARRAY(plan->arena, slot, n);
    rdv_check *checks = RDV_NEW_ARRAY(plan->arena, rdv_check, n);
    check_run **runs = RDV_NEW_ARRAY(plan->arena, check_run *, n);
    if (!c || !slots || !checks || !runs)
        return out_of_memory(err);
    *c = (chain_checks){plan, prompts, place, checks, runs, n + 1, done, data};
    *out = c;
    int r = RDV_OK;
    for (size_t i = 0; i < n && r == RDV_OK; i++) {
        slots[i] = (slot){c, i};
        r = start_method(c, i, &slots[i], err);
    }
    /* The one that was counted too many: all methods have begun. */
    return r == RDV_OK && --c->left == 0 ? conclude(c, err) : r;
}

int chain_checks_drop(chain_checks *checks, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < checks->plan->options.n_methods && r == RDV_OK; i++)
        if (checks->runs[i])
            r = check_drop(checks->runs[i], err);
    return r;
}
