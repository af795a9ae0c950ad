/* SPDX-License-Identifier: Apache-2.0 */
/* What a repair concludes is a function of the replies: plans are driven by a model that answers
 * from the key of what is asked, sometimes with nonsense, with or without log-probabilities, and
 * sometimes not at all; the outcome is the same whether replies come one by one or many at a time
 * in a random order. And: memory that runs out, and an early end. */
#include "../unit/test.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/rng.h"

#include <rederive/data.h>
#include "search/repair.h"

#include <math.h>
#include <stdio.h>

#define ROUNDS SHARE(200)
#define MAX_OUT 32

/* ---- a model that answers from the key --------------------------------------------------------
 */

static uint64_t number_of(const rdv_request *request, uint64_t salt)
{
    return rdv_hash((rdv_str){(const char *)request->key, sizeof request->key}, salt);
}

static rdv_str step_text(const rdv_request *request, rdv_arena *arena)
{
    uint64_t x = number_of(request, 1);
    switch (x % 7) {
    case 0:
        return RDV_STR(" 3 * 4 = 13."); /* the old step, and others' */
    case 1:
        return RDV_STR("");
    case 2:
        return rdv_str_printf(arena, " 12 + %d = 17. So the answer is %d.", (int)(x / 7 % 9),
                              (int)(x / 63 % 3));
    case 3:
        return rdv_str_printf(arena, "Thought 9: %d + 5 = %d\nand more", (int)(x / 7 % 5), 9);
    default:
        return rdv_str_printf(arena, " %d * 4 = 12.", (int)(x / 7 % 5));
    }
}

static rdv_str critique(const rdv_request *request, rdv_arena *arena)
{
    return rdv_str_printf(arena, "Paragraph by paragraph.\n\\boxed{%d}",
                          (int)(number_of(request, 2) % 5) - 1);
}

static void answer(rdv_plan *plan, const rdv_request *request, rdv_arena *arena)
{
    if (number_of(request, 4) % 25 == 0) {
        assert_int_equal(
            rdv_plan_fail(plan, request->id, RDV_FAIL_UNREACHABLE, RDV_STR("no route"), NULL),
            RDV_OK);
        return;
    }
    bool step = rdv_starts(request->stage, RDV_STR("repair/"));
    rdv_reply reply = {.text = step ? step_text(request, arena) : critique(request, arena),
                       .prompt_tokens = 10};
    rdv_token token = {.text = reply.text, .logprob = -(double)(number_of(request, 5) % 4)};
    if (request->sampling.logprobs && number_of(request, 6) % 4) {
        reply.tokens = &token;
        reply.n_tokens = 1;
    }
    assert_int_equal(rdv_plan_reply(plan, request->id, &reply, NULL), RDV_OK);
}

/* ---- driving -----------------------------------------------------------------------------------
 */

static void drive(rdv_plan *plan, size_t jobs, rdv_rng *rng, rdv_arena *arena)
{
    rdv_request out[MAX_OUT];
    size_t n = 0;
    while (!rdv_plan_done(plan)) {
        uint64_t id;
        while (n < jobs && rdv_plan_next(plan, &out[n], NULL) == RDV_OK)
            n++;
        while (rdv_plan_cancelled(plan, &id) == RDV_OK)
            fail_msg("a repair cancels nothing");
        if (!n)
            continue;
        size_t i = rdv_rng_below(rng, n);
        rdv_request request = out[i];
        out[i] = out[--n];
        answer(plan, &request, arena);
    }
}

/* Everything that a record says of a repair. */
static rdv_str told(const rdv_plan *plan, rdv_arena *arena)
{
    const rdv_repaired *r = rdv_plan_repaired(plan);
    size_t n;
    const rdv_chain *chain = rdv_plan_chains(plan, &n);
    rdv_write_options options = {.size = sizeof options, .changed = r->changed};
    rdv_str line;
    rdv_buf b;
    assert_int_equal(n, 1);
    rdv_buf_init(&b, arena, 0);
    assert_int_equal(rdv_record_write(chain, &options, arena, &line, NULL), RDV_OK);
    rdv_buf_add(&b, line);
    rdv_buf_printf(&b, "%s %d %llu %llu %.*s\n", rdv_repair_end_name(r->end), r->changed,
                   (unsigned long long)r->calls, (unsigned long long)r->prompt_tokens,
                   (int)r->why.len, r->why.p ? r->why.p : "");
    for (size_t i = 0; i < r->n_rounds; i++) {
        const rdv_repair *x = &r->rounds[i];
        rdv_buf_printf(&b, "%zu %zu %s %zu %zu %s %g %g %g %zu %zu\n", x->round, x->from_step,
                       rdv_repair_name(x->kind), x->tried, x->different,
                       x->chosen_by ? x->chosen_by : "-", x->logprob, x->confidence_before,
                       x->confidence_after, x->n_before, x->n_after);
    }
    return rdv_buf_str(&b);
}

static rdv_str steps[] = {
    {"There are 3 boxes.", 18}, {"3 * 4 = 13.", 11}, {"13 + 5 = 18. So the answer is 18.", 33}};

static rdv_chain the_chain(void)
{
    return (rdv_chain){.id = RDV_STR("t/1"),
                       .question = {.id = RDV_STR("t"),
                                    .text = RDV_STR("3 boxes hold 4 pens each, and 5 are bought."),
                                    .gold = RDV_STR("17")},
                       .steps = steps,
                       .n_steps = 3,
                       .answer = RDV_STR("18"),
                       .correct = -1,
                       .label = {RDV_LABEL_AT, 1}};
}

static const char *const locators[] = {"gold", "random", "calculations", "prm:generative-critic"};

static void options_of(uint64_t round, rdv_plan_options *o, rdv_repair_options *how)
{
    rdv_plan_options_default(o, sizeof *o);
    rdv_repair_options_default(how, sizeof *how);
    o->seed = round + 1;
    o->profile = round % 2 ? RDV_PAPER : RDV_ROBUST;
    assert_int_equal(rdv_locator_named(rdv_str_of(locators[round % 4]), &how->locator, NULL),
                     RDV_OK);
    how->locator.seed = round;
    how->resamples = 1 + round % 8;
    how->rounds = 1 + round % 5;
    how->keep = round % 3 ? RDV_KEEP_BETTER : RDV_KEEP_NEW;
    how->choose = round % 2 ? RDV_RESAMPLE_LOGPROB_SUM : RDV_RESAMPLE_LOGPROB_MEAN;
    how->max_steps = 6;
}

static rdv_str outcome(uint64_t round, size_t jobs, rdv_arena *arena, rdv_repair_end *end)
{
    rdv_plan_options o;
    rdv_repair_options how;
    rdv_plan *plan;
    rdv_rng rng;
    const rdv_chain chain = the_chain();
    options_of(round, &o, &how);
    rdv_rng_seed(&rng, round * 100 + jobs);
    assert_int_equal(rdv_plan_repair(&chain, &o, &how, &plan, NULL), RDV_OK);
    drive(plan, jobs, &rng, arena);
    assert_false(rdv_plan_partial(plan));
    assert_true(rdv_plan_repaired(plan)->n_rounds <= how.rounds);
    rdv_str all = told(plan, arena);
    *end = rdv_plan_repaired(plan)->end;
    rdv_plan_free(&plan);
    return all;
}

static void test_repair__does_not_depend_on_arrival(void **state)
{
    (void)state;
    size_t ends[RDV_REPAIR_BROKEN + 1] = {0};
    for (uint64_t round = 0; round < ROUNDS; round++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_repair_end end;
        rdv_str one_by_one = outcome(round, 1, arena, &end);
        ends[end]++;
        for (size_t jobs = 2; jobs <= MAX_OUT; jobs *= 4)
            assert_true(rdv_str_eq(one_by_one, outcome(round, jobs, arena, &end)));
        rdv_arena_free(&arena);
    }
    for (size_t i = 0; i <= RDV_REPAIR_BROKEN; i++)
        assert_true(ends[i] > 0); /* all of them were tried */
}

/* ---- no memory, an early end -------------------------------------------------------------------
 */

static int answer_dry(rdv_plan *plan, size_t most, rdv_error *err)
{
    rdv_request request;
    for (size_t i = 0; i < most && !rdv_plan_done(plan); i++) {
        rdv_reply reply;
        int r = rdv_plan_next(plan, &request, err);
        if (r == RDV_OK)
            r = rdv_plan_dry_reply(plan, &request, NULL, &reply, err);
        if (r == RDV_OK)
            r = rdv_plan_reply(plan, request.id, &reply, err);
        if (r != RDV_OK)
            return r;
    }
    return RDV_OK;
}

static bool runs(uint64_t round)
{
    rdv_plan_options o;
    rdv_repair_options how;
    rdv_plan *plan;
    rdv_error err = {0};
    const rdv_chain chain = the_chain();
    options_of(round, &o, &how);
    int r = rdv_plan_repair(&chain, &o, &how, &plan, &err);
    if (r == RDV_OK)
        r = answer_dry(plan, SIZE_MAX, &err);
    else
        assert_null(plan);
    if (r != RDV_OK)
        assert_true(r == RDV_E_NOMEM && err.msg[0]);
    rdv_plan_free(&plan);
    return r == RDV_OK;
}

static void test_repair__no_memory(void **state)
{
    (void)state;
    for (uint64_t round = 4; round < 8; round++)
        assert_survives_no_memory(runs(round), (void)0);
}

static void test_repair__ends_early(void **state)
{
    (void)state;
    for (size_t most = 0; most < 12; most++) {
        rdv_plan_options o;
        rdv_repair_options how;
        rdv_plan *plan;
        const rdv_chain chain = the_chain();
        options_of(6, &o, &how);
        assert_int_equal(rdv_plan_repair(&chain, &o, &how, &plan, NULL), RDV_OK);
        assert_int_equal(answer_dry(plan, most, NULL), RDV_OK);
        bool done = rdv_plan_done(plan);
        assert_int_equal(rdv_plan_close(plan, RDV_FAIL_BUDGET, NULL), RDV_OK);
        assert_true(rdv_plan_done(plan) && rdv_plan_repaired(plan));
        assert_int_equal(rdv_plan_partial(plan), !done);
        if (!done)
            assert_true(rdv_plan_repaired(plan)->end == RDV_REPAIR_BROKEN ||
                        rdv_plan_repaired(plan)->end == RDV_REPAIR_UNLOCATED);
        rdv_plan_free(&plan);
    }
}

static void test_repair__refuses_what_cannot_be(void **state)
{
    (void)state;
    rdv_plan_options o;
    rdv_repair_options how;
    rdv_plan *plan;
    const rdv_chain chain = the_chain();
    for (int i = 0; i < 5; i++) {
        rdv_error err = {0};
        options_of(0, &o, &how);
        how.resamples = i == 0 ? 0 : i == 1 ? 1001 : 8;
        how.rounds = i == 2 ? 0 : i == 3 ? 101 : 1;
        if (i == 4)
            how.locator = (rdv_locator){.kind = RDV_LOCATE_SIMULATED, .accuracy = 2};
        assert_int_equal(rdv_plan_repair(&chain, &o, &how, &plan, &err), RDV_E_ARGUMENT);
        assert_true(!plan && err.msg[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repair__does_not_depend_on_arrival),
        cmocka_unit_test(test_repair__no_memory),
        cmocka_unit_test(test_repair__ends_early),
        cmocka_unit_test(test_repair__refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
