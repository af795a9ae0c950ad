/* SPDX-License-Identifier: Apache-2.0 */
/* Stopping early on recorded chains: plans are answered from a pool of real candidates, whose step
 * scores by a process reward model decide what SelfCheck's comparison says. By the certain rule the
 * answer is that of all chains, whatever the order of arrival; the share of calls saved is printed.
 */
#include "../unit/test.h"

#include "base/buf.h"
#include "base/rng.h"

#include <rederive/data.h>
#include <rederive/plan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POOL "strictprmbench/pools/bon_candidates/gsm8k_full_500.jsonl.gz"
#define SCORES                                                                                     \
    "strictprmbench/scores/aggregation_sweep_cache/step_scores_cache/skywork_prm_gsm8k.jsonl.gz"
#define CANDIDATES 32
#define QUESTIONS SHARE(100)
#define MAX_OUT 48
#define WRONG_BELOW 0.5 /* of a step's score */

typedef struct pool {
    rdv_chain chain[CANDIDATES];
    size_t n;
} pool;

/* ---- a model that answers from the pool -------------------------------------------------------
 */

static rdv_str solution(const rdv_chain *chain, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < chain->n_steps; i++)
        rdv_buf_printf(&b, "Step %zu: %.*s\n\n", i + 1, RDV_FMT(chain->steps[i]));
    rdv_buf_printf(&b, "So the answer is %.*s.", RDV_FMT(chain->answer));
    return rdv_buf_str(&b);
}

/* The number after the last `before` in the name of a draw. */
static size_t number_after(rdv_str sample, rdv_str before)
{
    size_t at = rdv_find_last(sample, before);
    assert_int_not_equal(at, RDV_NOT_FOUND);
    return strtoul(sample.p + at + before.len, NULL, 10);
}

static rdv_str comparison(const pool *p, rdv_str sample)
{
    const rdv_scores *scores = p->chain[number_after(sample, RDV_STR("/"))].scores;
    size_t step = number_after(sample, RDV_STR(", step "));
    double score = scores->step[step < scores->n ? step : scores->n - 1];
    return score < WRONG_BELOW ? RDV_STR("Solution 1 contradicts the conclusion in Solution 2.")
                               : RDV_STR("Solution 1 supports the conclusion in Solution 2.");
}

static rdv_str reply_text(const pool *p, const rdv_request *request, rdv_arena *arena)
{
    if (rdv_ends(request->stage, RDV_STR("/generate")))
        return solution(&p->chain[number_after(request->sample, RDV_STR("chain "))], arena);
    if (rdv_ends(request->stage, RDV_STR("/compare")))
        return comparison(p, request->sample);
    return RDV_STR("It follows from Information 0.");
}

static void drive(rdv_plan *plan, const pool *p, rdv_rng *rng, rdv_arena *arena)
{
    rdv_request out[MAX_OUT];
    size_t n = 0;
    while (!rdv_plan_done(plan)) {
        uint64_t id;
        size_t jobs = 1 + rdv_rng_below(rng, MAX_OUT);
        while (n < jobs && rdv_plan_next(plan, &out[n], NULL) == RDV_OK)
            n++;
        size_t i = rdv_rng_below(rng, n);
        rdv_request request = out[i];
        out[i] = out[--n];
        rdv_reply reply = {.text = reply_text(p, &request, arena)};
        assert_int_equal(rdv_plan_reply(plan, request.id, &reply, NULL), RDV_OK);
        assert_int_equal(rdv_plan_cancelled(plan, &id), RDV_NONE); /* nothing ran ahead */
    }
}

/* ---- one question -----------------------------------------------------------------------------
 */

static uint64_t solve(const pool *p, const rdv_method *method, rdv_stop_kind stop, uint64_t seed,
                      rdv_arena *arena, rdv_str *answer)
{
    rdv_plan_options options;
    rdv_plan *plan;
    rdv_rng rng;
    rdv_rng_seed(&rng, seed);
    rdv_plan_options_default(&options, sizeof options);
    options.methods = &method;
    options.n_methods = method != NULL;
    options.chains = p->n;
    options.stop = stop;
    assert_int_equal(rdv_plan_solve(&p->chain[0].question, &options, &plan, NULL), RDV_OK);
    drive(plan, p, &rng, arena);
    const rdv_result *result = rdv_plan_result(plan);
    uint64_t calls = result->calls;
    *answer = result->answer.p ? rdv_str_copy(arena, result->answer) : result->answer;
    rdv_plan_free(&plan);
    return calls;
}

typedef struct spent {
    uint64_t all, certain;
} spent;

static void compare(const pool *p, const rdv_method *method, uint64_t seed, spent *s)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str all, certain, again;
    s->all += solve(p, method, RDV_STOP_NONE, seed, arena, &all);
    uint64_t calls = solve(p, method, RDV_STOP_CERTAIN, seed + 1, arena, &certain);
    assert_int_equal(calls, solve(p, method, RDV_STOP_CERTAIN, seed + 2, arena, &again));
    s->certain += calls;
    assert_true(rdv_str_eq(all, certain));
    assert_true(rdv_str_eq(certain, again));
    rdv_arena_free(&arena);
}

/* ---- the pools --------------------------------------------------------------------------------
 */

static char *path_of(const char *name)
{
    static char paths[2][4096];
    static size_t next;
    const char *shared = getenv("RDV_SHARED");
    char *path = paths[next++ % 2];
    snprintf(path, sizeof paths[0], "%s/%s", shared ? shared : "../shared/data", name);
    return path;
}

static rdv_reader *open_pool(void)
{
    const char *scores[] = {path_of(SCORES)};
    rdv_read_options options = {.size = sizeof options, .join = scores, .n_join = 1};
    rdv_reader *reader = NULL;
    return rdv_reader_open(path_of(POOL), &options, &reader, NULL) == RDV_OK ? reader : NULL;
}

/* The candidates of the next question that have an answer and scores. */
static bool next_question(rdv_reader *reader, rdv_arena *arena, pool *p)
{
    p->n = 0;
    for (size_t i = 0; i < CANDIDATES; i++) {
        rdv_record record;
        if (rdv_reader_next(reader, arena, &record, NULL) != RDV_OK)
            return false;
        if (record.chain.answer.p && record.chain.n_scores && record.chain.n_steps)
            p->chain[p->n++] = record.chain;
    }
    return true;
}

static void test_certain__keeps_the_answer_on_recorded_chains(void **state)
{
    (void)state;
    rdv_reader *reader = open_pool();
    rdv_arena *arena = rdv_arena_new(0);
    const rdv_method *selfcheck = rdv_method_named(RDV_STR("selfcheck"));
    spent majority = {0}, weighted = {0};
    static pool p;
    for (uint64_t q = 0; q < QUESTIONS && next_question(reader, arena, &p); q++) {
        if (p.n > 1) {
            compare(&p, NULL, 10 * q, &majority);
            compare(&p, selfcheck, 10 * q, &weighted);
        }
        rdv_arena_reset(arena);
    }
    rdv_reader_close(&reader);
    rdv_arena_free(&arena);
    print_message("majority: %.1f %% of %llu calls saved; selfcheck: %.1f %% of %llu\n",
                  100 - 100 * (double)majority.certain / (double)majority.all,
                  (unsigned long long)majority.all,
                  100 - 100 * (double)weighted.certain / (double)weighted.all,
                  (unsigned long long)weighted.all);
    assert_true(majority.certain < majority.all * 7 / 10);
    assert_true(weighted.certain < weighted.all / 2);
}

int main(void)
{
    rdv_reader *reader = open_pool();
    if (!reader) {
        puts("the recorded pools are not there (RDV_SHARED): skipped");
        return 77;
    }
    rdv_reader_close(&reader);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certain__keeps_the_answer_on_recorded_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
