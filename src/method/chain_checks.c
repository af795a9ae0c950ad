/* SPDX-License-Identifier: Apache-2.0 */
/* Several methods on one chain. Methods that only compute are done at once. */
#include "method/verifier.h"

#include "base/arena.h"
#include "base/str.h"

/* What one method made: its own check and those that stand before it. */
typedef struct made {
    const rdv_check *also;
    size_t n_also;
    rdv_check own;
    bool by_general; /* nothing: it is among those that `general` makes */
} made;

struct chain_checks {
    rdv_plan *plan;
    size_t place;
    made *made;       /* by method */
    check_run **runs; /* by method; NULL where the method computes */
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

static size_t count_made(const chain_checks *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->plan->options.n_methods; i++)
        n += c->made[i].n_also + 1;
    return n;
}

/* Append what one method made. A verifier that `general` ran before stands behind it once more: the
 * last check is the one that votes. */
static size_t append(const chain_checks *c, size_t method, rdv_check *all, size_t n)
{
    const made *m = &c->made[method];
    rdv_str name = rdv_str_of(c->plan->options.methods[method]->name);
    for (size_t k = 0; k < m->n_also; k++)
        all[n++] = m->also[k];
    if (!m->by_general) {
        all[n++] = m->own;
        return n;
    }
    for (size_t k = 0; k < n; k++) {
        if (!rdv_str_eq(all[k].method, name))
            continue;
        all[n] = all[k];
        return n + 1;
    }
    return n;
}

/* Put the checks behind those that the chain had before. */
static int conclude(chain_checks *c, rdv_error *err)
{
    rdv_chain *chain = &c->plan->chains[c->place];
    size_t before = chain->n_checks, n = 0;
    rdv_check *all = RDV_NEW_ARRAY(c->plan->arena, rdv_check, before + count_made(c));
    if (!all)
        return out_of_memory(err);
    for (size_t i = 0; i < before; i++)
        all[i] = chain->checks[i];
    for (size_t i = 0; i < c->plan->options.n_methods; i++)
        n = append(c, i, all + before, n);
    chain->checks = all;
    chain->n_checks = before + n;
    return c->done(c->plan, c->place, c->data, err);
}

static int keep(chain_checks *c, size_t method, const made *m, rdv_error *err)
{
    c->made[method] = *m;
    return --c->left == 0 ? conclude(c, err) : RDV_OK;
}

static int finished(check_run *run, rdv_error *err)
{
    const slot *s = run->data;
    return keep(s->checks, s->method, &(made){run->also, run->n_also, run->check, false}, err);
}

static int start_method(chain_checks *c, size_t i, slot *s, rdv_error *err)
{
    rdv_plan *plan = c->plan;
    const rdv_method *method = plan->options.methods[i];
    const method_entry *entry = method_entry_of(method);
    if (entry->start)
        return entry->start(&c->runs[i], plan, c->place, entry, finished, s, err);
    if (entry->stages.n)
        return check_start(&c->runs[i], plan, c->place, entry, finished, s, err);
    rdv_check *checks;
    size_t n;
    int r = rdv_check_chain_all(method, &plan->chains[c->place], &plan->options.check, plan->arena,
                                &checks, &n, err);
    return r == RDV_OK ? keep(c, i, &(made){checks, n - 1, checks[n - 1], false}, err) : r;
}

static int check_possible(const rdv_plan_options *options, const rdv_method *method, rdv_error *err)
{
    rdv_integration how;
    if (!method_entry_of(method))
        return rdv_fail(err, RDV_E_ARGUMENT, "not a method of this library");
    int r = method_integration(method, &options->check, &how, err);
    return r == RDV_OK && method_uses_verifiers(method)
               ? verifier_options_check(&options->check, err)
               : r;
}

int chain_checks_possible(const rdv_plan_options *options, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < options->n_methods && r == RDV_OK; i++)
        r = check_possible(options, options->methods[i], err);
    return r;
}

/* Is it a verifier that `general`, which is asked for too, runs on this chain? */
static bool is_by_general(const chain_checks *c, const rdv_method *method)
{
    const rdv_plan_options *o = &c->plan->options;
    rdv_verifier_is is;
    if (rdv_verifier_named(rdv_str_of(method->name), &is) != RDV_OK)
        return false;
    for (size_t i = 0; i < o->n_methods; i++)
        if (o->methods[i] == &method_general.method)
            return verifier_set(&o->check, &c->plan->chains[c->place].question, c->plan->arena) >>
                       is &
                   1;
    return false;
}

int chain_checks_start(chain_checks **out, rdv_plan *plan, size_t place,
                       int (*done)(rdv_plan *, size_t, void *, rdv_error *), void *data,
                       rdv_error *err)
{
    size_t n = plan->options.n_methods;
    chain_checks *c = RDV_NEW(plan->arena, chain_checks);
    slot *slots = RDV_NEW_ARRAY(plan->arena, slot, n);
    made *all = RDV_NEW_ARRAY(plan->arena, made, n);
    check_run **runs = RDV_NEW_ARRAY(plan->arena, check_run *, n);
    if (!c || !slots || !all || !runs)
        return out_of_memory(err);
    *c = (chain_checks){plan, place, all, runs, n + 1, done, data};
    *out = c;
    int r = RDV_OK;
    for (size_t i = 0; i < n && r == RDV_OK; i++) {
        slots[i] = (slot){c, i};
        if (is_by_general(c, plan->options.methods[i]))
            r = keep(c, i, &(made){.by_general = true}, err);
        else
            r = start_method(c, i, &slots[i], err);
    }
    /* The one that was counted too many: all methods have begun. */
    return r == RDV_OK && --c->left == 0 ? conclude(c, err) : r;
}

uint64_t chain_checks_calls(const chain_checks *checks)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < checks->plan->options.n_methods; i++)
        calls += checks->made[i].own.calls;
    return calls;
}

int chain_checks_drop(chain_checks *checks, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < checks->plan->options.n_methods && r == RDV_OK; i++)
        if (checks->runs[i])
            r = check_drop(checks->runs[i], err);
    return r;
}
