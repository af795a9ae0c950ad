/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "usage.h"
#include "terminal.h"

#include <inttypes.h>

struct estimating {
    struct plan_source *source;
    rdv_bound bound;
    struct estimate_sums own, *sums; /* which is `own`, or that of the settings */
    bool counted;                    /* the latest call was */
};

/* Whether the same request was counted before: one about its question alone, which the question's
 * chains share, or any, where the plans of a record share theirs or several dry runs are added
 * up. */
static bool is_counted(struct estimating *e, const rdv_request *request)
{
    struct usage_table *table = &e->sums->of[e->bound];
    if (e->sums == &e->own && e->source->repeats < 2 &&
        rdv_find(request->sample, RDV_STR("question"), 0) == RDV_NOT_FOUND)
        return false;
    char named[1 + sizeof request->key] = {(char)e->bound};
    memcpy(named + 1, request->key, sizeof request->key);
    rdv_str key = rdv_str_copy(table->arena, (rdv_str){named, sizeof named});
    if (key.p && rdv_map_get(&e->sums->seen, key) != RDV_MAP_MISSING)
        return true;
    table->failed |= !key.p || rdv_map_put(&e->sums->seen, key, 1) < 0;
    return false;
}

static void count_call(void *payload, const rdv_request *request, bool joins,
                       uint64_t prompt_tokens, uint64_t completion_tokens)
{
    struct estimating *e = payload;
    struct usage_row *shared = &e->sums->shared;
    joins &= e->counted;
    e->counted = !is_counted(e, request);
    if (!e->counted)
        return;
    usage_table_add(&e->sums->of[e->bound], request->stage, request->model, prompt_tokens,
                    completion_tokens);
    if (e->bound != RDV_BOUND_NONE)
        return;
    shared->replies += !joins;
    shared->prompt_tokens += joins ? 0 : prompt_tokens;
    shared->completion_tokens += completion_tokens;
}

/* ---- records --------------------------------------------------------------------------------- */

static int estimate_bound(struct estimating *e, struct item *item, rdv_bound bound, rdv_error *err)
{
    struct model_session *session = e->source->session;
    rdv_estimate_calls calls = {.call = count_call, .payload = e};
    session->plan.bound = e->bound = bound;
    int code = e->source->begin(e->source, item, err);
    if (code == RDV_OK)
        code = rdv_plan_estimate(item->plan, bound, session->journal, &calls, err);
    rdv_plan_free(&item->plan);
    return code;
}

static int estimate_record(struct estimating *e, rdv_error *err)
{
    struct run *run = e->source->run;
    struct item item = {.arena = rdv_arena_new(0)};
    int code = item.arena ? run_read(run, item.arena, &item.record, err) : rdv_no_memory(err);
    bool read = code == RDV_OK;
    do
        for (int bound = 0; bound < ESTIMATE_BOUNDS && code == RDV_OK; bound++)
            code = estimate_bound(e, &item, (rdv_bound)bound, err);
    while (code == RDV_OK && ++item.repeat < e->source->repeats);
    if (read && code < 0 && code != RDV_E_NOMEM) {
        run_fail_record(run, &item.record, err, item.arena, &item.line);
        code = RDV_E_INPUT;
    }
    rdv_arena_free(&item.arena);
    return code == RDV_E_INPUT ? RDV_OK : code;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* The expected calls do not bound what is asked. */
void estimate_sums_tell(const struct estimate_sums *sums)
{
    struct usage_row sum[ESTIMATE_BOUNDS];
    for (size_t i = 0; i < ESTIMATE_BOUNDS; i++)
        sum[i] = usage_table_sum(&sums->of[i]);
    fprintf(stderr,
            "expected: %" PRIu64 " calls; at least %" PRIu64 ", at most %" PRIu64
            " (calls that a fault repeats are not counted)\n",
            sum[RDV_BOUND_NONE].replies, sum[RDV_BOUND_LEAST].replies, sum[RDV_BOUND_MOST].replies);
    if (sums->shared.replies < sum[RDV_BOUND_NONE].replies)
        fprintf(stderr,
                "shared: where the server gives several replies to one call (n), %" PRIu64
                " calls and %" PRIu64 " prompt tokens in place of %" PRIu64 " and %" PRIu64 "\n",
                sums->shared.replies, sums->shared.prompt_tokens, sum[RDV_BOUND_NONE].replies,
                sum[RDV_BOUND_NONE].prompt_tokens);
}

/* Print one line for each budget that the run may exhaust. */
static void warn(const struct estimating *e)
{
    const rdv_run_options *o = &e->source->session->options;
    struct usage_row most = usage_table_sum(&e->sums->of[RDV_BOUND_MOST]);
    double cost = usage_table_cost(&most, (struct prices){o->price_in, o->price_out});
    if (o->budget.calls && most.replies > o->budget.calls)
        say("up to %" PRIu64 " calls may be needed: --max-calls may end the run early",
            most.replies);
    if (o->budget.tokens && most.prompt_tokens + most.completion_tokens > o->budget.tokens)
        say("up to %" PRIu64 " tokens may be needed: --max-tokens may end the run early",
            most.prompt_tokens + most.completion_tokens);
    if (o->budget.cost_microusd && cost * 1e6 > (double)o->budget.cost_microusd)
        say("up to $%.4f may be needed: --max-cost may end the run early", cost);
}

int estimate_sums_print(const struct estimate_sums *sums, struct prices prices,
                        const rdv_view_options *view, bool json, rdv_str *out, rdv_error *err)
{
    struct usage_row bounds[] = {usage_table_sum(&sums->of[RDV_BOUND_LEAST]),
                                 usage_table_sum(&sums->of[RDV_BOUND_MOST]), sums->shared};
    const struct usage_table *expected = &sums->of[RDV_BOUND_NONE];
    bool differs = sums->shared.replies < usage_table_sum(expected).replies;
    bounds[0].stage = RDV_STR("least");
    bounds[1].stage = RDV_STR("most");
    bounds[2].stage = RDV_STR("shared");
    return json ? usage_table_json(expected, "n_calls", prices, bounds, 3, out, err)
                : usage_table_print(expected, "calls", prices, bounds, differs ? 3 : 2, view, out,
                                    err);
}

static int write(struct estimating *e, rdv_error *err)
{
    const struct model_session *session = e->source->session;
    struct run *run = e->source->run;
    struct prices prices = {session->options.price_in, session->options.price_out};
    rdv_str text;
    int code = estimate_sums_print(e->sums, prices, &run->terminal.view, session->settings->json,
                                   &text, err);
    if (code == RDV_OK)
        run_write(run, text);
    return code;
}

void estimate_sums_init(struct estimate_sums *sums, rdv_arena *arena)
{
    rdv_map_init(&sums->seen, arena);
    sums->shared = (struct usage_row){0};
    for (size_t i = 0; i < ESTIMATE_BOUNDS; i++)
        usage_table_init(&sums->of[i], arena);
}

void estimate_run(struct plan_source *source)
{
    struct estimating e = {.source = source};
    rdv_error err = {0};
    struct estimate_sums *of_all = source->run->settings->estimate;
    estimate_sums_init(&e.own, source->session->arena);
    e.sums = of_all ? of_all : &e.own;
    int code;
    while ((code = estimate_record(&e, &err)) == RDV_OK)
        continue;
    if (code == RDV_NONE && of_all)
        return;
    if (code == RDV_NONE)
        code = write(&e, &err);
    if (code == RDV_OK) {
        if (!source->run->settings->quiet && !source->run->settings->json)
            estimate_sums_tell(e.sums);
        warn(&e);
    } else
        run_stop(source->run, NOTHING_DONE, &err);
}
