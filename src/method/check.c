/* SPDX-License-Identifier: Apache-2.0 */
#include "method/check.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "score/combine.h"

static const method_table *table_of(const check_run *run)
{
    return run->method->table;
}

/* ---- asking and reading ---------------------------------------------------------------------- */

/* A stage that this one needs and that found nothing, or NULL. */
static const step_result *missing(const step_result *r)
{
    const stage *s = r->stage;
    for (size_t k = 0; k < s->n_after; k++) {
        const stage *other = &table_of(r->run)->stages[s->after[k]];
        const step_result *found = check_result(r->run, other, r->step);
        if (s->needs[k] && !result_is_read(found))
            return found;
    }
    return NULL;
}

/* The reason why no request is made without that stage: the reason of the first stage that failed,
 * with the stage's name in a user's method. */
static int take_reason(node *n, const step_result *without, rdv_arena *arena, rdv_error *err)
{
    n->why = without->node->why;
    if (!without->run->method->method.made || !without->node->asked)
        return RDV_NONE;
    n->why = rdv_str_printf(arena, "%.*s: %.*s", RDV_FMT(without->stage->name), RDV_FMT(n->why));
    return n->why.p ? RDV_NONE : rdv_no_memory(err);
}

static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    const step_result *r = n->data;
    const step_result *without = missing(r);
    if (without)
        return take_reason(n, without, r->run->plan->arena, err); /* outlives the request */
    request->party = RDV_CHECKER;
    return request_writers[r->stage->request].write(r, n, arena, request, err);
}

static int read(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    step_result *r = n->data;
    const reader *by = &readers[r->stage->read];
    if (!by->numbers) {
        r->text = rdv_str_copy(arena, rdv_trim(reply->text));
        if (!r->text.p)
            return rdv_no_memory(err);
    }
    if (reply->dry && !reader_keeps_data(r->stage))
        return reader_assume(r, true, arena, err); /* whatever is read: an estimate asks much */
    int code = by->read(r, reply, arena, err);
    return reply->dry && code >= 0 ? reader_assume(r, code == RDV_OK, arena, err) : code;
}

static const node_kind *node_kind_of(const stage *s)
{
    static const node_kind plain = {.ask = ask, .read = read};
    static const node_kind one_token = {.ask = ask, .read = read, .one_token = true};
    static const node_kind numbers = {.ask = ask, .read = read, .numbers = true};
    const reader *by = &readers[s->read];
    return by->numbers ? &numbers : by->one_token ? &one_token : &plain;
}

/* ---- adding requests ------------------------------------------------------------------------- */

/* The name of one sample: part of the journal's key. */
static int name_sample(const check_run *run, const stage *s, size_t step, size_t sample,
                       rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, run->plan->arena, 0);
    if (run->plan->options.seed)
        rdv_buf_printf(&b, "seed %llu, ", (unsigned long long)run->plan->options.seed);
    if (s->of_question)
        rdv_buf_lit(&b, "question");
    else if (run->chain->id.p)
        rdv_buf_printf(&b, "chain %.*s", RDV_FMT(run->chain->id));
    else
        rdv_buf_printf(&b, "chain #%zu", run->chain_index);
    if (step != RDV_WHOLE_CHAIN)
        rdv_buf_printf(&b, ", step %zu", step);
    rdv_buf_printf(&b, ", sample %zu", sample);
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

static int wait_for_others(const step_result *r, rdv_error *err)
{
    graph *g = &r->run->plan->graph;
    for (size_t k = 0; k < r->stage->n_after; k++) {
        const stage *other = &table_of(r->run)->stages[r->stage->after[k]];
        if (graph_after(g, r->node, check_result(r->run, other, r->step)->node) < 0)
            return rdv_no_memory(err);
    }
    return graph_start(g, r->node, err);
}

static int add_node(step_result *r, size_t sample, node_group *group, rdv_error *err)
{
    const check_run *run = r->run;
    const stage *s = r->stage;
    size_t step = r->step == RDV_WHOLE_CHAIN ? 0 : r->step;
    bool twice = run->plan->options.profile == RDV_ROBUST && !request_writers[s->request].once;
    node like = {.kind = node_kind_of(s), .data = r, .stage = s->label, .dry = s->example};
    /* The samples of a stage are asked in a row, so that they can share a call. */
    like.order = graph_order(run->chain_index, step, (size_t)(s - table_of(run)->stages));
    like.tries = twice ? 2 : 1;
    like.of_step = r->step != RDV_WHOLE_CHAIN;
    like.step = step;
    if (name_sample(run, s, r->step, sample, &like.sample) < 0)
        return rdv_no_memory(err);
    r->node = graph_add(&run->plan->graph, &like, group);
    return r->node ? wait_for_others(r, err) : rdv_no_memory(err);
}

/* The requests of one stage for one step, or for the chain. */
static int add_stage(check_run *run, const stage *s, size_t step, node_group *group, rdv_error *err)
{
    step_result *results = check_result(run, s, step);
    int r = RDV_OK;
    for (size_t i = 0; i < check_samples(run, s) && r == RDV_OK; i++) {
        results[i] = (step_result){.run = run, .stage = s, .step = step};
        r = add_node(&results[i], i, group, err);
    }
    return r;
}

/* ---- from step to step ----------------------------------------------------------------------- */

static int go_on(check_run *run, rdv_error *err);

static int chain_settled(graph *g, node_group *group, rdv_error *err)
{
    check_run *run = group->data;
    run->chain_open = false;
    return go_on(run, err);
}

static int step_settled(graph *g, node_group *group, rdv_error *err)
{
    return go_on(group->data, err);
}

/* Begins all stages of the chain, or all stages of one step; in the table each comes after those
 * that it waits for. */
static int begin(check_run *run, size_t step, rdv_error *err)
{
    bool of_chain = step == RDV_WHOLE_CHAIN;
    graph *g = &run->plan->graph;
    node_group *group = graph_group(g, of_chain ? chain_settled : step_settled, run);
    int r = group ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < table_of(run)->n_stages && r == RDV_OK; i++) {
        const stage *s = &table_of(run)->stages[i];
        bool given = s->per == PER_LATER_STEP && step == 0;
        if ((s->per == PER_CHAIN) == of_chain && !given)
            r = add_stage(run, s, step, group, err);
    }
    return r == RDV_OK ? graph_seal(g, group, err) : r;
}

static bool is_settled(const check_run *run, size_t step)
{
    for (size_t i = 0; i < table_of(run)->n_stages; i++) {
        const stage *s = &table_of(run)->stages[i];
        const step_result *results = s->per == PER_CHAIN ? NULL : check_result(run, s, step);
        for (size_t k = 0; results && k < check_samples(run, s); k++)
            if (results[k].node && !node_is_settled(results[k].node))
                return false;
    }
    return true;
}

/* The number of steps to ask about; 0 for a method that asks only about the chain. */
static size_t n_steps_asked(const check_run *run)
{
    return check_last_stage(run)->per == PER_CHAIN ? 0 : run->chain->n_steps;
}

/* Decides all steps that can be decided, in order. True: all are decided. The chain stages' results
 * are recorded with every step, so no step is decided before them; otherwise the record would
 * depend on the order of replies. */
static bool decide(check_run *run)
{
    const stage *last = check_last_stage(run);
    while (!run->chain_open && run->decided < run->begun && is_settled(run, run->decided)) {
        const step_result *r = check_result(run, last, run->decided++);
        bool contradicted = result_is_read(r) && r->verdict == RDV_CONTRADICT;
        bool least = run->plan->options.bound == RDV_BOUND_LEAST;
        if (last->per == PER_STEP_IN_TURN && (contradicted || least))
            return true;
    }
    return run->decided == n_steps_asked(run) && !run->chain_open;
}

/* ---- the end --------------------------------------------------------------------------------- */

static int drop_step(const check_run *run, const stage *s, size_t step, rdv_error *err)
{
    const step_result *results = check_result(run, s, step);
    int r = RDV_OK;
    for (size_t k = 0; k < check_samples(run, s) && r == RDV_OK; k++)
        if (results[k].node)
            r = graph_drop(&run->plan->graph, results[k].node, err);
    return r;
}

/* Drops the requests of the chain and of the steps from `step` on; they are no longer needed. */
static int drop_from(const check_run *run, size_t step, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < table_of(run)->n_stages && r == RDV_OK; i++) {
        const stage *s = &table_of(run)->stages[i];
        if (s->per == PER_CHAIN)
            r = run->chain->n_steps ? drop_step(run, s, 0, err) : RDV_OK;
        for (size_t k = step; s->per != PER_CHAIN && k < run->begun && r == RDV_OK; k++)
            r = drop_step(run, s, k, err);
    }
    return r;
}

static void count_node(rdv_check *check, node *n)
{
    if (!n)
        return;
    node_need(n);
    check->calls += n->asked;
    check->prompt_tokens += n->prompt_tokens;
    check->completion_tokens += n->completion_tokens;
}

static void count_check(rdv_check *check, const rdv_check *other)
{
    check->calls += other->calls;
    check->prompt_tokens += other->prompt_tokens;
    check->completion_tokens += other->completion_tokens;
}

/* Counts the calls that the result needed: every request of every stage, up to the last step that
 * was decided. */
static void count_calls(check_run *run)
{
    if (run->before)
        count_check(&run->check, run->before);
    for (size_t i = 0; i < table_of(run)->n_stages && run->chain->n_steps; i++) {
        const stage *s = &table_of(run)->stages[i];
        size_t begin = s->per == PER_CHAIN ? 0 : run->known * check_samples(run, s);
        size_t end = (s->per == PER_CHAIN ? 1 : run->decided) * check_samples(run, s);
        for (size_t k = begin; k < end; k++)
            count_node(&run->check, run->results[i][k].node);
    }
}

static int conclude(check_run *run, rdv_error *err)
{
    run->concluded = true;
    int r = conclusions[table_of(run)->conclude].conclude(run, err);
    if (r != RDV_OK)
        return r;
    count_calls(run);
    r = drop_from(run, run->decided, err);
    return r == RDV_OK ? run->finished(run, err) : r;
}

/* Called whenever the requests of a step are settled, also from within itself; then the outer call
 * continues. */
static int go_on(check_run *run, rdv_error *err)
{
    if (run->going_on || run->concluded || run->dropped)
        return RDV_OK;
    bool in_turn = check_last_stage(run)->per == PER_STEP_IN_TURN;
    size_t ahead = run->plan->options.lookahead ? run->plan->options.lookahead : 1;
    size_t n = n_steps_asked(run);
    int r = RDV_OK;
    bool end = false;
    run->going_on = true;
    while (r == RDV_OK && !(end = decide(run)) && run->begun < n &&
           (!in_turn || run->begun - run->decided < ahead))
        r = begin(run, run->begun++, err);
    run->going_on = false;
    return r == RDV_OK && end ? conclude(run, err) : r;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static int begin_asking(check_run *run, rdv_error *err)
{
    const method_table *t = table_of(run);
    const rdv_plan_options *o = &run->plan->options;
    size_t n = run->chain->n_steps;
    const stage *last = check_last_stage(run);
    run->samples = last->samples ? last->samples : o->check->samples;
    for (size_t i = 0; i < t->n_stages; i++) {
        size_t places = t->stages[i].per == PER_CHAIN ? 1 : n;
        run->results[i] = RDV_NEW_ARRAY(run->plan->arena, step_result,
                                        places * check_samples(run, &t->stages[i]));
        if (!run->results[i])
            return rdv_no_memory(err);
    }
    if (o->beam_search && conclusions[t->conclude].keeps_steps && last->per != PER_CHAIN)
        run->before = rdv_chain_check(run->chain, rdv_str_of(run->method->method.name));
    if (run->before)
        run->known = run->before->n_verdicts < n ? run->before->n_verdicts : n;
    run->begun = run->decided = run->known;
    run->chain_open = n > 0; /* without steps nothing is asked */
    run->going_on = true;    /* until all stages of the chain have begun */
    int r = n ? begin(run, RDV_WHOLE_CHAIN, err) : RDV_OK;
    run->going_on = false;
    return r == RDV_OK ? go_on(run, err) : r;
}

static int compute(check_run *run, rdv_error *err)
{
    int r = method_compute(run->method, run->chain, run->plan->options.check, run->plan->arena,
                           &run->check, err);
    return r == RDV_OK ? run->finished(run, err) : r;
}

/* ---- methods that combine others ------------------------------------------------------------- */

static int combine(check_run *run, rdv_error *err)
{
    for (size_t i = 0; i < run->n_parts; i++)
        run->part_checks[i] = run->parts[i]->check;
    run->also = run->part_checks;
    run->n_also = run->n_parts;
    int r = run->method->combine(run->part_checks, run->n_parts, run->chain,
                                 run->plan->options.check, run->plan->arena, &run->check, err);
    for (size_t i = 0; i < run->n_parts; i++)
        count_check(&run->check, &run->part_checks[i]);
    return r == RDV_OK ? run->finished(run, err) : r;
}

static int part_done(check_run *part, rdv_error *err)
{
    check_run *run = part->data;
    return --run->parts_open == 0 ? combine(run, err) : RDV_OK;
}

static int begin_parts(check_run *run, rdv_error *err)
{
    rdv_plan *plan = run->plan;
    const method_entry *parts[METHOD_MAX_PARTS];
    int r = RDV_OK;
    run->n_parts =
        method_parts(run->method, plan->options.check, &run->chain->question, plan->arena, parts);
    run->parts_open = run->n_parts + 1; /* until all have begun */
    run->part_checks = RDV_NEW_ARRAY(plan->arena, rdv_check, run->n_parts);
    if (!run->part_checks)
        return rdv_no_memory(err);
    for (size_t i = 0; i < run->n_parts && r == RDV_OK; i++)
        r = check_start(&run->parts[i], plan, run->chain_index, parts[i], part_done, run, err);
    return r == RDV_OK && --run->parts_open == 0 ? combine(run, err) : r;
}

/* For the lower bound of an estimate: true if the log-probabilities come with a generated chain. */
static bool comes_with_chain(const rdv_plan *plan, const method_entry *method)
{
    return plan->options.bound == RDV_BOUND_LEAST && plan->generates && method->table &&
           method->table->conclude == CONCLUDE_PERPLEXITY;
}

/* ---- starting a run -------------------------------------------------------------------------- */

/* The part of a chain of the plan that is checked; NULL: out of memory. */
static const rdv_chain *part_of(rdv_plan *plan, size_t chain_index)
{
    const rdv_chain *chain = &plan->chains[chain_index];
    size_t n = rdv_step_range_steps(plan->options.check->extent, chain->n_steps);
    if (n == chain->n_steps)
        return chain;
    rdv_chain *part = RDV_NEW(plan->arena, rdv_chain);
    if (part) {
        *part = *chain;
        part->n_steps = n;
    }
    return part;
}

int check_start(check_run **out, rdv_plan *plan, size_t chain_index, const method_entry *method,
                int (*finished)(check_run *, rdv_error *), void *data, rdv_error *err)
{
    check_run *run = RDV_NEW(plan->arena, check_run);
    const rdv_chain *chain = part_of(plan, chain_index);
    if (!run || !chain)
        return rdv_no_memory(err);
    *run = (check_run){.plan = plan,
                       .method = method,
                       .chain = chain,
                       .chain_index = chain_index,
                       .finished = finished,
                       .data = data};
    *out = run;
    if (method->combine)
        return begin_parts(run, err);
    if (method_computes(method, chain, plan->options.check) || comes_with_chain(plan, method))
        return compute(run, err);
    return begin_asking(run, err);
}

int check_drop(check_run *run, rdv_error *err)
{
    int r = RDV_OK;
    run->dropped = true;
    for (size_t i = 0; i < run->n_parts && r == RDV_OK; i++)
        if (run->parts[i])
            r = check_drop(run->parts[i], err);
    return r == RDV_OK && run->results[0] ? drop_from(run, run->known, err) : r;
}
