/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which replies arrive changes nothing: plans are driven by a model that answers from
 * the key of what is asked, sometimes with nonsense, sometimes not at all, and the records are the
 * same byte for byte whether replies come one by one or many at a time in a random order. */
#include "../unit/test.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/rng.h"

#include <rederive/data.h>
#include <rederive/plan.h>

#include <stdio.h>

#define ROUNDS SHARE(150)
#define MAX_OUT 64

/* ---- a model that answers from the key --------------------------------------------------------
 */

static uint64_t number_of(const rdv_request *request, uint64_t salt)
{
    return rdv_hash((rdv_str){(const char *)request->key, sizeof request->key}, salt);
}

static rdv_str solution(const rdv_request *request, rdv_arena *arena)
{
    uint64_t x = number_of(request, 1);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (uint64_t i = 0; i < 1 + x % 4; i++)
        rdv_buf_printf(&b, "Step %d: We add %d + %d = %d.\n\n", (int)i + 1, (int)i, 5, (int)i + 5);
    rdv_buf_printf(&b, "Step %d: So the answer is %d.", (int)(2 + x % 4), (int)(x / 7 % 3));
    return rdv_buf_str(&b);
}

static rdv_str comparison(const rdv_request *request)
{
    static const char *const said[] = {
        "They agree.\nSolution 1 supports the conclusion in Solution 2.",
        "They differ.\nSolution 1 contradicts the conclusion in Solution 2.",
        "Solution 1 is not directly related to the conclusion in Solution 2.",
        "",
    };
    return rdv_str_of(said[number_of(request, 2) % 4]);
}

/* One line; now and then it says the answer, repeats its heading, or is empty. */
static rdv_str thought(const rdv_request *request, rdv_arena *arena)
{
    uint64_t x = number_of(request, 6);
    if (x % 11 == 0)
        return RDV_STR("");
    if (x % 4 == 0)
        return rdv_str_printf(arena, "So the answer is %d.", (int)(x / 7 % 3));
    return rdv_str_printf(arena, "%s %d + 5 = %d.", x % 3 ? "" : "Thought 2:", (int)(x % 9),
                          (int)(x % 9) + 5);
}

static rdv_str judgement(const rdv_request *request)
{
    static const char *const said[] = {
        "Yes", "No", "Yes", "All is well. Answer: Yes",          "Perhaps",
        "2",   "No", "1",   "The first mistake is in Thought 3."};
    bool of_all = rdv_str_eq(request->stage, RDV_STR("direct-trace"));
    return rdv_str_of(said[of_all ? 4 + number_of(request, 7) % 5 : number_of(request, 7) % 5]);
}

static rdv_str reply_text(const rdv_request *request, rdv_arena *arena)
{
    if (rdv_ends(request->stage, RDV_STR("/thought")))
        return thought(request, arena);
    if (rdv_starts(request->stage, RDV_STR("direct-")) ||
        rdv_str_eq(request->stage, RDV_STR("cot-step")))
        return judgement(request);
    if (rdv_ends(request->stage, RDV_STR("/generate")))
        return solution(request, arena);
    if (rdv_ends(request->stage, RDV_STR("/compare")))
        return comparison(request);
    if (rdv_ends(request->stage, RDV_STR("/collect")))
        return number_of(request, 3) % 4 ? RDV_STR("It follows from Step 0 and Information 0.")
                                         : RDV_STR("I cannot say.");
    if (rdv_ends(request->stage, RDV_STR("/variables")))
        return RDV_STR("Yes.\n1. x is defined as a number.");
    return RDV_STR("The step adds two numbers.");
}

static void answer(rdv_plan *plan, const rdv_request *request, rdv_arena *arena)
{
    if (number_of(request, 4) % 20 == 0) {
        assert_int_equal(
            rdv_plan_fail(plan, request->id, RDV_FAIL_UNREACHABLE, RDV_STR("no route"), NULL),
            RDV_OK);
        return;
    }
    rdv_reply reply = {.text = reply_text(request, arena), .prompt_tokens = 10};
    reply.completion_tokens = number_of(request, 5) % 50;
    assert_int_equal(rdv_plan_reply(plan, request->id, &reply, NULL), RDV_OK);
}

/* ---- drivers ----------------------------------------------------------------------------------
 */

typedef struct out {
    rdv_request request[MAX_OUT];
    size_t n;
    size_t calls;
} out;

static void take_away(out *o, uint64_t id)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->request[i].id == id)
            o->request[i] = o->request[--o->n];
}

/* Keep up to `jobs` requests out and answer them in the order that `rng` draws. */
static size_t drive(rdv_plan *plan, size_t jobs, rdv_rng *rng, rdv_arena *arena)
{
    out o = {.n = 0};
    while (!rdv_plan_done(plan)) {
        uint64_t id;
        while (o.n < jobs && rdv_plan_next(plan, &o.request[o.n], NULL) == RDV_OK) {
            o.n++;
            o.calls++;
        }
        while (rdv_plan_cancelled(plan, &id) == RDV_OK)
            take_away(&o, id);
        if (!o.n)
            continue;
        size_t i = rdv_rng_below(rng, o.n);
        rdv_request request = o.request[i];
        o.request[i] = o.request[--o.n];
        answer(plan, &request, arena);
        while (rdv_plan_cancelled(plan, &id) == RDV_OK)
            take_away(&o, id);
    }
    return o.calls;
}

static rdv_str records(const rdv_plan *plan, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    for (size_t i = 0; i < n; i++) {
        rdv_str line;
        assert_int_equal(rdv_record_write(&chains[i], NULL, arena, &line, NULL), RDV_OK);
        rdv_buf_add(&b, line);
    }
    if (rdv_plan_result(plan)) {
        rdv_str line;
        assert_int_equal(rdv_result_write(rdv_plan_result(plan), (rdv_str){0}, arena, &line, NULL),
                         RDV_OK);
        rdv_buf_add(&b, line);
    }
    return rdv_buf_str(&b);
}

typedef struct setting {
    rdv_plan_options options;
    bool solve;
    rdv_question question;
    rdv_chain chain;
} setting;

static rdv_str outcome(const setting *s, size_t jobs, uint64_t seed, rdv_arena *arena,
                       size_t *calls)
{
    rdv_plan *plan;
    rdv_rng rng;
    rdv_rng_seed(&rng, seed);
    int r = s->solve ? rdv_plan_solve(&s->question, &s->options, &plan, NULL)
                     : rdv_plan_check(&s->chain, 1, &s->options, &plan, NULL);
    assert_int_equal(r, RDV_OK);
    *calls = drive(plan, jobs, &rng, arena);
    assert_false(rdv_plan_partial(plan));
    rdv_str all = records(plan, arena);
    rdv_plan_free(&plan);
    return all;
}

static void same_whatever_the_order(const setting *s)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t calls, more;
    rdv_str one_by_one = outcome(s, 1, 0, arena, &calls);
    static const size_t jobs[] = {2, 7, MAX_OUT};
    for (size_t i = 0; i < 3; i++) {
        rdv_str mixed = outcome(s, jobs[i], s->options.seed + i, arena, &more);
        assert_true(rdv_str_eq(one_by_one, mixed));
        assert_int_equal(calls, more); /* `none` and `certain` begin no chain that is not needed */
    }
    rdv_arena_free(&arena);
}

static rdv_str steps[] = {
    {"There are 3 boxes.", 18}, {"3 * 4 = 12.", 11}, {"The answer is 12.", 17}};

static setting setting_of(uint64_t round, const rdv_method *const *methods, size_t n)
{
    static const rdv_str criteria[] = {{"It is right.", 12}};
    setting s = {.question = {.id = RDV_STR("q"),
                              .text = RDV_STR("Three boxes hold 4 pens each. How many pens?"),
                              .gold = RDV_STR("1")}};
    rdv_plan_options_default(&s.options, sizeof s.options);
    s.options.criteria = criteria;
    s.options.n_criteria = 1;
    s.options.methods = methods;
    s.options.n_methods = n;
    s.options.seed = round + 1;
    s.options.profile = round % 2 ? RDV_PAPER : RDV_ROBUST;
    s.options.chains = 1 + round % 9;
    s.options.stop = round % 3 == 0 ? RDV_STOP_NONE : RDV_STOP_CERTAIN;
    s.chain = (rdv_chain){.question = s.question, .steps = steps, .n_steps = 3, .correct = -1};
    return s;
}

#define MAX_METHODS 64

static size_t all_methods(const rdv_method **methods)
{
    size_t n = 0;
    while (n < MAX_METHODS && rdv_method_at(n)) {
        methods[n] = rdv_method_at(n);
        n++;
    }
    return n;
}

static void each_method(bool solve)
{
    const rdv_method *methods[MAX_METHODS];
    size_t n = all_methods(methods);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        setting s = setting_of(round, &methods[round % n], 1);
        s.solve = solve;
        same_whatever_the_order(&s);
    }
}

static void test_check__does_not_depend_on_arrival(void **state)
{
    (void)state;
    each_method(false);
}

static void test_solve__does_not_depend_on_arrival(void **state)
{
    (void)state;
    each_method(true);
}

static void test_several_methods__do_not_depend_on_arrival(void **state)
{
    (void)state;
    const rdv_method *methods[MAX_METHODS];
    size_t n = all_methods(methods);
    for (uint64_t round = 0; round < ROUNDS / 3; round++) {
        setting s = setting_of(round, methods, n);
        s.solve = round % 2;
        same_whatever_the_order(&s);
    }
}

/* Steps asked ahead of what is decided are speculation: they may cost calls, and change no record.
 */
static void test_ahead__gives_the_same_records(void **state)
{
    (void)state;
    const rdv_method *methods[] = {rdv_method_named(RDV_STR("direct-step")),
                                   rdv_method_named(RDV_STR("cot-step"))};
    rdv_arena *arena = rdv_arena_new(0);
    size_t spent = 0, needed = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        setting s = setting_of(round, &methods[round % 2], 1);
        size_t calls;
        rdv_str in_turn = outcome(&s, 1, 0, arena, &calls);
        needed += calls;
        for (size_t ahead = 2; ahead <= 8; ahead *= 2) {
            s.options.lookahead = ahead;
            rdv_str mixed = outcome(&s, MAX_OUT, round + ahead, arena, &calls);
            assert_true(rdv_str_eq(in_turn, mixed));
        }
        spent += calls;
        rdv_arena_reset(arena);
    }
    assert_true(spent > needed); /* else nothing ran ahead */
    rdv_arena_free(&arena);
}

/* Stepwise generation of solutions, and by the zero-shot prompt. */
static void test_generate__does_not_depend_on_arrival(void **state)
{
    (void)state;
    const rdv_method *methods[] = {rdv_method_named(RDV_STR("direct-step"))};
    for (uint64_t round = 0; round < ROUNDS; round++) {
        setting s = setting_of(round, methods, round % 5 ? 1 : 0);
        s.solve = true;
        s.options.generate = round % 4 ? RDV_GENERATE_THOUGHTS : RDV_GENERATE_ZERO_SHOT;
        s.options.max_steps = 1 + round % 6;
        same_whatever_the_order(&s);
    }
}

/* The rule `posterior` may stop before all that was begun is needed: the same records, and perhaps
 * other calls. */
static void test_posterior__gives_the_same_records(void **state)
{
    (void)state;
    const rdv_method *methods[MAX_METHODS];
    size_t n = all_methods(methods);
    rdv_arena *arena = rdv_arena_new(0);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        setting s = setting_of(round, &methods[round % n], 1);
        size_t calls;
        s.solve = true;
        s.options.stop = RDV_STOP_POSTERIOR;
        s.options.posterior = 0.3;
        rdv_str one_by_one = outcome(&s, 1, 0, arena, &calls);
        for (size_t jobs = 2; jobs <= MAX_OUT; jobs *= 4) {
            rdv_str mixed = outcome(&s, jobs, round + jobs, arena, &calls);
            assert_true(rdv_str_eq(one_by_one, mixed));
        }
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

/* Stopping early gives the answer that all chains together give, when no chain is unread. */
static void test_certain__gives_the_answer_of_all_chains(void **state)
{
    (void)state;
    const rdv_method *methods[] = {rdv_method_named(RDV_STR("selfcheck"))};
    rdv_arena *arena = rdv_arena_new(0);
    uint64_t saved = 0, calls = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        setting s = setting_of(round, methods, 1);
        rdv_plan *plans[2];
        rdv_str answers[2];
        for (int all = 0; all < 2; all++) {
            rdv_rng rng;
            rdv_rng_seed(&rng, round);
            s.options.stop = all ? RDV_STOP_NONE : RDV_STOP_CERTAIN;
            assert_int_equal(rdv_plan_solve(&s.question, &s.options, &plans[all], NULL), RDV_OK);
            drive(plans[all], 16, &rng, arena);
            answers[all] = rdv_plan_result(plans[all])->answer;
        }
        assert_true(rdv_str_eq(answers[0], answers[1]));
        assert_true(rdv_plan_result(plans[0])->chains_used <=
                    rdv_plan_result(plans[1])->chains_used);
        saved += rdv_plan_result(plans[1])->calls - rdv_plan_result(plans[0])->calls;
        calls += rdv_plan_result(plans[1])->calls;
        rdv_plan_free(&plans[0]);
        rdv_plan_free(&plans[1]);
        rdv_arena_reset(arena);
    }
    print_message("%llu of %llu calls saved\n", (unsigned long long)saved,
                  (unsigned long long)calls);
    assert_true(saved > calls / 10);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check__does_not_depend_on_arrival),
        cmocka_unit_test(test_solve__does_not_depend_on_arrival),
        cmocka_unit_test(test_several_methods__do_not_depend_on_arrival),
        cmocka_unit_test(test_ahead__gives_the_same_records),
        cmocka_unit_test(test_generate__does_not_depend_on_arrival),
        cmocka_unit_test(test_posterior__gives_the_same_records),
        cmocka_unit_test(test_certain__gives_the_answer_of_all_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
