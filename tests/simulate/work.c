/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "search/repair.h"
#include <rederive/data.h>
#include <rederive/method.h>

#include <stdlib.h>

/* ---- making ---------------------------------------------------------------------------------- */

static rdv_chain chain_of(size_t i, uint32_t of, rdv_arena *arena)
{
    int boxes = (int)(3 + i % 5), pens = (int)(4 + i % 7), wrong = i % 3 == 1;
    size_t n = 2 + (i + of) % 4;
    rdv_str *steps = RDV_NEW_ARRAY(arena, rdv_str, n);
    for (size_t k = 0; k + 1 < n; k++)
        steps[k] = rdv_str_printf(arena, "There are %d * %d = %d pens in row %d.", boxes, pens,
                                  boxes * pens + wrong, (int)k);
    steps[n - 1] = rdv_str_printf(arena, "So the answer is %d.", boxes * pens + wrong);
    return (rdv_chain){
        .id = rdv_str_printf(arena, "q%zu/0", i),
        .question = {.id = rdv_str_printf(arena, "q%zu", i),
                     .text = rdv_str_printf(arena,
                                            "Question %zu: %d boxes hold %d pens each. How many "
                                            "pens are there?",
                                            i, boxes, pens),
                     .gold = rdv_str_printf(arena, "%d", boxes * pens)},
        .steps = steps,
        .n_steps = n,
        .answer = rdv_str_printf(arena, "%d", boxes * pens + wrong),
        .correct = -1,
        .label = {RDV_LABEL_AT, n / 2}};
}

static void draw_methods(work *w, const settings *s)
{
    size_t all = 0;
    while (rdv_method_at(all))
        all++;
    size_t n = s->methods < WORK_METHODS ? s->methods : WORK_METHODS;
    for (size_t i = 0; i < n; i++)
        w->methods[i] = rdv_method_at((s->method + i * 7) % all);
    w->options.methods = w->methods;
    w->options.n_methods = n;
}

/* A beam search takes some methods only; where it does not take these, solutions are written. */
static void settle(work *w)
{
    rdv_plan *plan = NULL;
    if (w->kind == 3 && work_plan(w, 0, &plan, NULL) != RDV_OK)
        w->kind = 1;
    w->options.beam_search = w->kind == 3;
    rdv_plan_free(&plan);
}

void work_make(work *w, const settings *s)
{
    *w = (work){.kind = s->work % 4, .arena = rdv_arena_new(0)};
    rdv_plan_options *o = &w->options;
    static const rdv_str criteria[] = {{"It is right.", 12}};
    rdv_plan_options_default(o, sizeof *o);
    o->criteria = criteria;
    o->n_criteria = 1;
    draw_methods(w, s);
    if (rdv_prompts_new(NULL, 0, &w->prompts, NULL) != RDV_OK)
        abort();
    o->prompts = w->prompts;
    o->generator = RDV_STR("m");
    if (s->checker)
        o->checker = RDV_STR("c");
    o->profile = s->paper ? RDV_PAPER : RDV_ROBUST;
    o->chains = s->chains;
    o->stop = s->method % 3 ? RDV_STOP_CERTAIN : RDV_STOP_NONE;
    o->generate = (rdv_generate_kind)(s->method % 3);
    o->max_steps = 2 + s->chains;
    o->lookahead = 1 + s->method % 3;
    o->structured = s->method % 2;
    o->no_structured = s->method % 4 == 2; /* else it is offered, in the robust profile */
    o->beam_search = w->kind == 3;
    o->beam_width = 1 + s->chains % 3;
    o->expansions = 2;
    rdv_repair_options_default(&w->repair, sizeof w->repair);
    w->repair.locator = (rdv_locator){.kind = RDV_LOCATE_METHOD, .method = w->methods[0]};
    if (s->method % 4 == 0)
        w->repair.locator = (rdv_locator){.kind = RDV_LOCATE_GOLD};
    w->repair.resamples = 1 + s->chains;
    w->repair.rounds = 1 + s->chains % 2;
    if (w->repair.locator.kind != RDV_LOCATE_METHOD)
        w->repair.rounds = 1;
    w->n = s->plans < WORK_PLANS ? s->plans : WORK_PLANS;
    for (size_t i = 0; i < w->n; i++)
        w->chains[i] = chain_of(i - (i % 4 == 3), s->method, w->arena); /* some twice: one call */
    settle(w);
}

void work_free(work *w)
{
    rdv_prompts_free(&w->prompts);
    rdv_arena_free(&w->arena);
}

int work_plan(const work *w, size_t i, rdv_plan **out, rdv_error *err)
{
    const rdv_chain *chain = &w->chains[i];
    if (w->kind == 2)
        return rdv_plan_repair(chain, &w->options, &w->repair, out, err);
    if (w->kind == 0)
        return rdv_plan_check(chain, 1, &w->options, out, err);
    return rdv_plan_solve(&chain->question, &w->options, out, err);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void write_repaired(rdv_buf *b, const rdv_repaired *r, bool tokens)
{
    rdv_buf_printf(b, "%s %d %llu %llu %llu %.*s\n", rdv_repair_end_name(r->end), r->changed,
                   (unsigned long long)r->calls,
                   (unsigned long long)(tokens ? r->prompt_tokens : 0),
                   (unsigned long long)(tokens ? r->completion_tokens : 0), RDV_FMT(r->why));
    for (size_t i = 0; i < r->n_rounds; i++) {
        const rdv_repair *x = &r->rounds[i];
        rdv_buf_printf(b, "%zu %zu %s %zu %zu %s %g %g %g %.*s\n", x->round, x->from_step,
                       rdv_repair_name(x->kind), x->tried, x->different,
                       x->chosen_by ? x->chosen_by : "-", x->logprob, x->confidence_before,
                       x->confidence_after, RDV_FMT(x->answer_after));
        for (size_t k = 0; k < x->n_after; k++)
            rdv_buf_printf(b, "  %.*s\n", RDV_FMT(x->after[k]));
    }
}

/* Add a line; without its tokens if they are not to be compared. */
static void add_line(rdv_buf *b, rdv_str line, bool tokens)
{
    rdv_str name = RDV_STR("_tokens\":");
    size_t from = 0, at;
    while (!tokens && (at = rdv_find(line, name, from)) != RDV_NOT_FOUND) {
        rdv_buf_add(b, rdv_slice(line, from, at + name.len));
        for (from = at + name.len; from < line.len && rdv_is_digit(line.p[from]);)
            from++;
    }
    rdv_buf_add(b, rdv_slice(line, from, line.len));
}

static void write_all(rdv_buf *b, const rdv_plan *plan, bool tokens, rdv_arena *arena)
{
    size_t n;
    rdv_str line = {0};
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    const rdv_repaired *repaired = rdv_plan_repaired(plan);
    rdv_write_options options = {.size = sizeof options, .changed = repaired && repaired->changed};
    for (size_t i = 0; i < n; i++) {
        b->failed |= rdv_record_write(&chains[i], &options, arena, &line, NULL) != RDV_OK;
        add_line(b, line, tokens);
    }
    if (rdv_plan_result(plan)) {
        b->failed |=
            rdv_result_write(rdv_plan_result(plan), (rdv_str){0}, arena, &line, NULL) != RDV_OK;
        add_line(b, line, tokens);
    }
    uint64_t generated, checked;
    rdv_plan_tokens(plan, &generated, &checked);
    if (tokens)
        rdv_buf_printf(b, "tokens %llu %llu\n", (unsigned long long)generated,
                       (unsigned long long)checked);
    if (repaired)
        write_repaired(b, repaired, tokens);
}

/* Verdicts of checks that asked the model; others need no reply. */
static void count_supported(const rdv_plan *plan, outcome *out)
{
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < chains[i].n_checks; k++)
            for (size_t v = 0; v < chains[i].checks[k].n_verdicts; v++)
                out->supported += chains[i].checks[k].calls > 0 &&
                                  chains[i].checks[k].verdicts[v].kind == RDV_SUPPORT;
}

void work_read(const rdv_plan *plan, bool tokens, outcome *out)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    write_all(&b, plan, tokens, arena);
    *out = (outcome){.done = true, .partial = rdv_plan_partial(plan)};
    rdv_str all = rdv_buf_str(&b);
    out->record = rdv_buf_ok(&b) ? strndup(all.p, all.len) : NULL;
    if (!out->record)
        abort();
    count_supported(plan, out);
    rdv_arena_free(&arena);
}

void work_forget(outcome *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(all[i].record);
        all[i] = (outcome){.done = false};
    }
}
