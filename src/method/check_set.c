/* SPDX-License-Identifier: Apache-2.0 */
/* Methods that only compute conclude at once. */
#include "method/check_set.h"

#include "base/arena.h"
#include "method/prompt_user.h"
#include "base/str.h"
#include "method/check.h"

/* The checks of one method: its own check and those before it. */
typedef struct made {
    const rdv_check *also;
    size_t n_also;
    rdv_check own;
    bool by_other; /* empty: its checks are among those of a method that combines it */
} made;

struct check_set {
    rdv_plan *plan;
    size_t chain_index;
    made *made;       /* by method */
    check_run **runs; /* by method; NULL: not begun */
    size_t left;
    int (*done)(rdv_plan *, size_t, void *, rdv_error *);
    void *data;
};

/* Identifies the method of a run. */
typedef struct slot {
    check_set *checks;
    size_t method;
} slot;

static size_t count_made(const check_set *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->plan->options.n_methods; i++)
        n += c->made[i].n_also + 1;
    return n;
}

/* Appends the checks of one method. A method that another one combined is appended once more after
 * that one: the last check is the one that votes. */
static size_t append(const check_set *c, size_t method, rdv_check *all, size_t n)
{
    const made *m = &c->made[method];
    rdv_str name = rdv_str_of(c->plan->options.methods[method]->name);
    for (size_t k = 0; k < m->n_also; k++)
        all[n++] = m->also[k];
    if (!m->by_other) {
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

/* Puts the checks after those that the chain already had. */
static int conclude(check_set *c, rdv_error *err)
{
    rdv_chain *chain = &c->plan->chains[c->chain_index];
    size_t before = chain->n_checks, n = 0;
    rdv_check *all = RDV_NEW_ARRAY(c->plan->arena, rdv_check, before + count_made(c));
    if (!all)
        return rdv_no_memory(err);
    for (size_t i = 0; i < before; i++)
        all[i] = chain->checks[i];
    for (size_t i = 0; i < c->plan->options.n_methods; i++)
        n = append(c, i, all + before, n);
    chain->checks = all;
    chain->n_checks = before + n;
    return c->done(c->plan, c->chain_index, c->data, err);
}

static int keep(check_set *c, size_t method, const made *m, rdv_error *err)
{
    c->made[method] = *m;
    return --c->left == 0 ? conclude(c, err) : RDV_OK;
}

static int finished(check_run *run, rdv_error *err)
{
    const slot *s = run->data;
    return keep(s->checks, s->method, &(made){run->also, run->n_also, run->check, false}, err);
}

static int start_method(check_set *c, size_t i, slot *s, rdv_error *err)
{
    const method_entry *entry = method_entry_of(c->plan->options.methods[i]);
    return check_start(&c->runs[i], c->plan, c->chain_index, entry, finished, s, err);
}

int check_set_possible(const rdv_plan *plan, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < plan->options.n_methods && r == RDV_OK; i++)
        r = method_options_check(plan->options.methods[i], &plan->check, err);
    const char *by = plan->options.n_criteria
                         ? NULL
                         : prompt_user(plan->options.methods, plan->options.n_methods,
                                       plan->prompts, "criteria");
    return r == RDV_OK && by
               ? rdv_fail(err, RDV_E_ARGUMENT, "%s needs the criteria of a rubric", by)
               : r;
}

/* True if the method is part of a combining method that is also requested. */
static bool is_by_other(const check_set *c, const rdv_method *method)
{
    const rdv_plan_options *o = &c->plan->options;
    const method_entry *parts[METHOD_MAX_PARTS];
    bool found = false;
    for (size_t i = 0; i < o->n_methods && !found; i++) {
        const method_entry *other = method_entry_of(o->methods[i]);
        size_t n = method_parts(other, o->check, &c->plan->chains[c->chain_index].question,
                                c->plan->arena, parts);
        for (size_t k = 0; k < n && !found; k++)
            found = &parts[k]->method == method;
    }
    return found;
}

int check_set_start(check_set **out, rdv_plan *plan, size_t chain_index,
                    int (*done)(rdv_plan *, size_t, void *, rdv_error *), void *data,
                    rdv_error *err)
{
    size_t n = plan->options.n_methods;
    check_set *c = RDV_NEW(plan->arena, check_set);
    slot *slots = RDV_NEW_ARRAY(plan->arena, slot, n);
    made *all = RDV_NEW_ARRAY(plan->arena, made, n);
    check_run **runs = RDV_NEW_ARRAY(plan->arena, check_run *, n);
    if (!c || !slots || !all || !runs)
        return rdv_no_memory(err);
    *c = (check_set){plan, chain_index, all, runs, n + 1, done, data};
    *out = c;
    int r = RDV_OK;
    for (size_t i = 0; i < n && r == RDV_OK; i++) {
        slots[i] = (slot){c, i};
        if (is_by_other(c, plan->options.methods[i]))
            r = keep(c, i, &(made){.by_other = true}, err);
        else
            r = start_method(c, i, &slots[i], err);
    }
    /* Removes the extra count: all methods have begun. */
    return r == RDV_OK && --c->left == 0 ? conclude(c, err) : r;
}

uint64_t check_set_calls(const check_set *checks)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < checks->plan->options.n_methods; i++)
        calls += checks->made[i].own.calls;
    return calls;
}

int check_set_drop(check_set *checks, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < checks->plan->options.n_methods && r == RDV_OK; i++)
        if (checks->runs[i])
            r = check_drop(checks->runs[i], err);
    return r;
}
