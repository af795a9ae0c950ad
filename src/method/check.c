/* SPDX-License-Identifier: Apache-2.0 */
/* A method at work on one chain: its table of stages becomes nodes, their replies become verdicts.
 */
#include "method/stage.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "method/answers.h"

#include <rederive/text.h>

#include <math.h>

/* What a node of a check knows of itself. */
typedef struct place {
    check_run *run;
    size_t stage, step;
    said *said;
} place;

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
}

static const stage *stage_of(const check_run *run, size_t i)
{
    return &run->method->stages.stages[i];
}

static size_t find_stage(const check_run *run, const char *name)
{
    for (size_t i = 0; i < run->method->stages.n; i++)
        if (strcmp(stage_of(run, i)->name, name) == 0)
            return i;
    return MAX_STAGES;
}

static said *said_at(const check_run *run, size_t i, size_t step)
{
    return &run->said[i][stage_of(run, i)->per == STAGE_PER_CHAIN ? 0 : step];
}

const said *stage_said(const stage_view *v, const char *name)
{
    size_t i = v->run->method ? find_stage(v->run, name) : MAX_STAGES;
    if (i >= v->stage) /* none, or one that does not stand before this stage */
        return NULL;
    bool of_step = stage_of(v->run, i)->per == STAGE_PER_STEP;
    return of_step && v->step == RDV_WHOLE_CHAIN ? NULL : said_at(v->run, i, v->step);
}

/* ---- asking and reading -----------------------------------------------------------------------
 */

/* A stage that this one needs and that said nothing, or NULL. */
static const node *missing(const check_run *run, const stage *s, size_t step)
{
    for (size_t k = 0; k < MAX_AFTER && s->after[k]; k++) {
        size_t i = find_stage(run, s->after[k]);
        const node *n = said_at(run, i, step)->node;
        if (n->state != NODE_ANSWERED && !stage_of(run, i)->optional)
            return n;
    }
    return NULL;
}

int stage_ask(const stage_view *v, const char *prompt_id, bool selected, node *n, rdv_arena *arena,
              rdv_request *request, rdv_error *err)
{
    const check_run *run = v->run;
    prompt_value *values;
    size_t n_values, n_messages;
    rdv_message *messages;
    if (stage_values(v, selected, arena, &values, &n_values) < 0)
        return out_of_memory(err);
    const prompt *p = prompt_named(run->plan->prompts, rdv_str_of(prompt_id));
    int r = p ? prompt_render(p, values, n_values, arena, &messages, &n_messages, err)
              : rdv_fail(err, RDV_E_INTERNAL, "there is no prompt %s", prompt_id);
    if (r == RDV_E_LIMIT) {
        n->why = RDV_STR("the prompt would be too large");
        return RDV_NONE;
    }
    if (r < 0)
        return r;
    request->prompt = rdv_str_of(prompt_id);
    request->messages = messages;
    request->n_messages = n_messages;
    request->sampling = *prompt_sampling(p);
    if (!isnan(run->plan->options.temperature))
        request->sampling.temperature = run->plan->options.temperature;
    if (answers_ask(p, run->plan, run->chain->n_steps, arena, request) < 0)
        return out_of_memory(err);
    return RDV_OK;
}

static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    const place *at = n->data;
    const check_run *run = at->run;
    const stage *s = stage_of(run, at->stage);
    const node *without = missing(run, s, at->step);
    if (without) {
        n->why = without->why;
        return RDV_NONE;
    }
    stage_view v = {.run = at->run, .stage = at->stage, .step = at->step, .earlier = s->earlier};
    bool selected = find_stage(run, "collect") < at->stage;
    request->party = RDV_CHECKER;
    return stage_ask(&v, s->prompt, selected, n, arena, request, err);
}

static int read(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const place *at = n->data;
    stage_view v = {
        .run = at->run, .stage = at->stage, .step = at->step, .last_try = n->asked >= n->tries};
    rdv_str text = rdv_str_copy(arena, rdv_trim(reply->text));
    if (!text.p)
        return out_of_memory(err);
    at->said->text = text;
    int r = stage_of(at->run, at->stage)->read(&v, text, arena, at->said);
    return r < 0 ? rdv_fail(err, r, "out of memory while reading a reply") : r;
}

static const node_kind check_node = {.ask = ask, .read = read};

int stage_keep_text(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out)
{
    (void)v, (void)arena;
    out->text = reply;
    return reply.len ? RDV_OK : RDV_NONE;
}

int stage_keep_collected(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out)
{
    const check_run *run = v->run;
    rdv_profile profile = run->plan->options.profile;
    int r = read_collected(reply, profile, run->n_sentences, v->step, arena, &out->ids);
    if (r != RDV_NONE || (profile == RDV_ROBUST && !v->last_try))
        return r;
    /* Nothing could be read. The paper goes on with nothing; we take all that came before. */
    out->all_items = profile == RDV_ROBUST;
    return RDV_OK;
}

int stage_keep_conclusion(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out)
{
    (void)arena;
    return read_conclusion(reply, v->run->plan->options.profile, &out->verdict, &out->why);
}

/* ---- verdicts ---------------------------------------------------------------------------------
 */

static bool note_ids(rdv_arena *arena, rdv_note *map, const char *name, const size_t *ids, size_t n)
{
    rdv_note *list = rdv_note_list(arena, map, rdv_str_of(name));
    bool ok = list != NULL;
    for (size_t i = 0; i < n && ok; i++)
        ok = rdv_note_number(arena, list, (rdv_str){0}, (double)ids[i]) != NULL;
    return ok;
}

static bool note_said(rdv_arena *arena, rdv_note *map, const stage *s, const said *what)
{
    rdv_str name = rdv_str_of(s->said_as);
    if (what->node->state != NODE_ANSWERED || s->read != stage_keep_collected)
        return !what->text.p || rdv_note_text(arena, map, name, what->text) != NULL;
    rdv_note *ids = rdv_note_map(arena, map, name);
    return ids &&
           note_ids(arena, ids, "information", what->ids.information, what->ids.n_information) &&
           note_ids(arena, ids, "steps", what->ids.steps, what->ids.n_steps) &&
           (!what->ids.dropped ||
            rdv_note_number(arena, ids, RDV_STR("n_dropped"), (double)what->ids.dropped)) &&
           (!what->all_items || rdv_note_flag(arena, ids, RDV_STR("all_items"), true));
}

static double score_of(rdv_verdict_is is)
{
    switch (is) {
    case RDV_SUPPORT:
        return 1;
    case RDV_UNRELATED:
        return 0.5;
    case RDV_CONTRADICT:
        return 0;
    default:
        return NAN;
    }
}

static int conclude(check_run *run, size_t step, rdv_verdict *v, rdv_error *err)
{
    rdv_arena *arena = run->plan->arena;
    size_t n = run->method->stages.n;
    const said *last = said_at(run, n - 1, step);
    bool read_it = last->node->state == NODE_ANSWERED;
    bool whole = stage_of(run, n - 1)->per == STAGE_PER_CHAIN;
    *v = (rdv_verdict){.step = whole ? RDV_WHOLE_CHAIN : step,
                       .is = read_it ? last->verdict : RDV_UNKNOWN};
    v->score = score_of(v->is);
    v->why = read_it ? last->why : last->node->why;
    v->evidence = rdv_note_map(arena, NULL, (rdv_str){0});
    bool ok = v->evidence != NULL;
    for (size_t i = 0; i < n && ok; i++)
        ok = note_said(arena, v->evidence, stage_of(run, i), said_at(run, i, step));
    return ok ? RDV_OK : out_of_memory(err);
}

/* What the result needed: every asking of every node. */
static void count_calls(check_run *run)
{
    for (size_t i = 0; i < run->n_stages; i++) {
        size_t n = stage_of(run, i)->per == STAGE_PER_CHAIN ? 1 : run->chain->n_steps;
        for (size_t k = 0; k < n; k++) {
            const node *asked = run->said[i][k].node;
            run->check.calls += asked->asked;
            run->check.prompt_tokens += asked->prompt_tokens;
            run->check.completion_tokens += asked->completion_tokens;
        }
    }
}

static int settled(graph *g, node_group *group, rdv_error *err)
{
    check_run *run = group->data;
    bool whole = run->n_stages && stage_of(run, run->n_stages - 1)->per == STAGE_PER_CHAIN;
    size_t n = run->n_stages && whole ? 1 : run->chain->n_steps;
    if (run->dropped)
        return RDV_OK;
    rdv_verdict *verdicts = RDV_NEW_ARRAY(g->arena, rdv_verdict, n);
    int r = verdicts ? RDV_OK : out_of_memory(err);
    for (size_t i = 0; i < n && r == RDV_OK; i++)
        r = conclude(run, i, &verdicts[i], err);
    if (r == RDV_OK)
        count_calls(run);
    if (r == RDV_OK)
        r = method_integrate(&run->method->method, &run->plan->options.check, verdicts, n,
                             &run->check, err);
    return r == RDV_OK ? run->finished(run, err) : r;
}

/* ---- beginning --------------------------------------------------------------------------------
 */

int check_name_sample(const check_run *run, size_t step, size_t sample, rdv_arena *arena,
                      rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (run->plan->options.seed)
        rdv_buf_printf(&b, "seed %llu, ", (unsigned long long)run->plan->options.seed);
    if (run->chain->id.p)
        rdv_buf_printf(&b, "chain %.*s", RDV_FMT(run->chain->id));
    else
        rdv_buf_printf(&b, "chain #%zu", run->place);
    if (step != RDV_WHOLE_CHAIN)
        rdv_buf_printf(&b, ", step %zu", step);
    rdv_buf_printf(&b, ", sample %zu", sample);
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

static node *add_node(check_run *run, size_t i, size_t step, rdv_error *err)
{
    rdv_arena *arena = run->plan->arena;
    const stage *s = stage_of(run, i);
    place *at = RDV_NEW(arena, place);
    node like = {.kind = &check_node, .data = at, .dry = s->dry};
    like.stage = rdv_str_printf(arena, "%s/%s", run->method->method.name, s->name);
    like.tries = run->plan->options.profile == RDV_ROBUST ? 2 : 1;
    like.order =
        (uint64_t)run->place << 40 | (uint64_t)(step == RDV_WHOLE_CHAIN ? 0 : step) << 8 | i;
    node *n = NULL;
    if (at && like.stage.p && check_name_sample(run, step, 0, arena, &like.sample) == RDV_OK) {
        *at = (place){run, i, step, said_at(run, i, step)};
        n = graph_add(&run->plan->graph, &like, run->group);
    }
    if (!n)
        out_of_memory(err);
    else
        at->said->node = n;
    return n;
}

static int link_node(check_run *run, size_t i, size_t step, node *n, rdv_error *err)
{
    const stage *s = stage_of(run, i);
    for (size_t k = 0; k < MAX_AFTER && s->after[k]; k++) {
        said *other = said_at(run, find_stage(run, s->after[k]), step);
        if (graph_after(&run->plan->graph, n, (node *)other->node) < 0)
            return out_of_memory(err);
    }
    return graph_start(&run->plan->graph, n, err);
}

/* One stage, at every step or once. Stages stand in the table after those they wait for. */
static int add_stage(check_run *run, size_t i, rdv_error *err)
{
    bool whole = stage_of(run, i)->per == STAGE_PER_CHAIN;
    size_t n = whole ? 1 : run->chain->n_steps;
    run->said[i] = RDV_NEW_ARRAY(run->plan->arena, said, n);
    int r = run->said[i] ? RDV_OK : out_of_memory(err);
    for (size_t k = 0; k < n && r == RDV_OK; k++) {
        size_t step = whole ? RDV_WHOLE_CHAIN : k;
        node *added = add_node(run, i, step, err);
        r = added ? link_node(run, i, step, added, err) : RDV_E_NOMEM;
    }
    return r;
}

const rdv_chain *check_part(rdv_plan *plan, size_t place_of_chain)
{
    const rdv_chain *chain = &plan->chains[place_of_chain];
    size_t n = rdv_extent_steps(plan->options.check.extent, chain->n_steps);
    if (n == chain->n_steps)
        return chain;
    rdv_chain *part = RDV_NEW(plan->arena, rdv_chain);
    if (part) {
        *part = *chain;
        part->n_steps = n;
    }
    return part;
}

int check_start(check_run **out, rdv_plan *plan, size_t place_of_chain, const method_entry *method,
                int (*finished)(check_run *, rdv_error *), void *data, rdv_error *err)
{
    check_run *run = RDV_NEW(plan->arena, check_run);
    if (!run)
        return out_of_memory(err);
    *run = (check_run){.plan = plan,
                       .method = method,
                       .chain = check_part(plan, place_of_chain),
                       .place = place_of_chain,
                       .finished = finished,
                       .data = data};
    run->group = graph_group(&plan->graph, settled, run);
    *out = run;
    if (!run->group || !run->chain)
        return out_of_memory(err);
    rdv_str text = run->chain->question.text;
    int r = text.p ? rdv_split_sentences(text, plan->arena, &run->sentences, &run->n_sentences, err)
                   : RDV_OK;
    run->n_stages = run->chain->n_steps ? method->stages.n : 0; /* nothing to ask about no step */
    for (size_t i = 0; i < run->n_stages && r == RDV_OK; i++)
        r = add_stage(run, i, err);
    return r == RDV_OK ? graph_seal(&plan->graph, run->group, err) : r;
}

int check_drop(check_run *run, rdv_error *err)
{
    int r = RDV_OK;
    run->dropped = true;
    if (run->drop)
        return run->drop(run, err);
    for (size_t i = 0; i < run->n_stages && r == RDV_OK; i++) {
        size_t n = stage_of(run, i)->per == STAGE_PER_CHAIN ? 1 : run->chain->n_steps;
        for (size_t k = 0; k < n && r == RDV_OK; k++)
            r = graph_drop(&run->plan->graph, (node *)run->said[i][k].node, err);
    }
    return r;
}
