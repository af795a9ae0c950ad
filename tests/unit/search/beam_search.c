/* SPDX-License-Identifier: Apache-2.0 */
/* Search over partial chains with scripted replies: where the draws go, what ends a solution, what
 * it costs, and that the order in which replies come changes nothing. */
#include <rederive/data.h>
#include <rederive/plan.h>

#include "../arena.h"
#include "../test.h"

#include "base/buf.h"
#include "base/rng.h"

#include <stdio.h>
#include <string.h>

#define MAX_OUT 64

static const rdv_question question = {
    .id = RDV_STR("q"), .text = RDV_STR("Three boxes hold 4 pens each."), .gold = RDV_STR("12")};

static rdv_check_options checking; /* of the latest options_of() */

static rdv_plan_options options_of(const rdv_method **method, const char *name)
{
    rdv_plan_options o;
    rdv_plan_options_default(&o, sizeof o);
    rdv_check_options_default(&checking, sizeof checking);
    o.check = &checking;
    if (name) {
        *method = rdv_method_named(rdv_str_of(name));
        assert_non_null(*method);
        o.methods = method;
        o.n_methods = 1;
    }
    o.beam_search = true;
    o.beam_width = o.expansions = 2;
    checking.samples = 1;
    return o;
}

/* ---- a model ----------------------------------------------------------------------------------
 */

/* The shown path of a draw: "draw 0.1, try 0" gives "0.1". */
static rdv_str path_of(const rdv_request *request)
{
    rdv_str s = request->sample;
    size_t at = rdv_find(s, RDV_STR("draw "), 0);
    assert_true(at != RDV_NOT_FOUND);
    return rdv_slice(s, at + 5, rdv_find(s, RDV_STR(", try"), at));
}

typedef rdv_str writer(rdv_str path, rdv_arena *arena);

/* The last draw of each place calculates wrongly; the third step answers. */
static rdv_str write_step(rdv_str path, rdv_arena *arena)
{
    size_t depth = (path.len + 1) / 2;
    int last = path.p[path.len - 1] - '0';
    if (depth == 3)
        return rdv_str_printf(arena, "Step 2: So the answer is %d.\nAnd more.", last ? 13 : 12);
    return rdv_str_printf(arena, "%zu + %d = %d.", depth, last, (int)depth + last + (last > 1));
}

static void answer(rdv_plan *plan, writer *write, const rdv_request *request, rdv_arena *arena)
{
    rdv_reply reply = {.prompt_tokens = 10, .completion_tokens = 3};
    if (rdv_str_eq(request->stage, RDV_STR("solve/step"))) {
        assert_int_equal(request->kind, RDV_REQUEST_CONTINUE);
        assert_int_equal(request->party, RDV_GENERATOR);
        reply.text = write(path_of(request), arena);
        reply.completion_tokens = 7;
    } else if (rdv_str_eq(request->stage, RDV_STR("consistency"))) {
        reply.text = RDV_STR("consistent.");
    } else {
        /* Relevant unless it is wrong. */
        rdv_str asked = request->messages[request->n_messages - 1].text;
        bool bad =
            rdv_find(asked, RDV_STR("### Draft step: So the answer is 13"), 0) != RDV_NOT_FOUND;
        reply.text = bad ? RDV_STR("No.") : RDV_STR("Yes.");
    }
    assert_int_equal(rdv_plan_reply(plan, request->id, &reply, NULL), RDV_OK);
}

static size_t answer_all(rdv_plan *plan, writer *write, uint64_t seed, rdv_arena *arena)
{
    rdv_request out[MAX_OUT];
    size_t n = 0, asked = 0;
    rdv_rng rng;
    rdv_rng_seed(&rng, seed);
    while (!rdv_plan_done(plan)) {
        while (n < MAX_OUT && rdv_plan_next(plan, &out[n], NULL) == RDV_OK)
            n++, asked++;
        if (rdv_plan_done(plan))
            break;
        assert_true(n > 0);
        size_t i = (size_t)rdv_rng_below(&rng, n);
        rdv_request request = out[i];
        out[i] = out[--n];
        answer(plan, write, &request, arena);
    }
    return asked;
}

static rdv_plan *search(const rdv_plan_options *o, writer *write, uint64_t seed, rdv_arena *arena)
{
    rdv_plan *plan;
    rdv_error err = {0};
    if (rdv_plan_solve(&question, o, &plan, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    answer_all(plan, write, seed, arena);
    return plan;
}

/* ---- where the draws go -----------------------------------------------------------------------
 */

/* Of four draws the two that are right make the beam; the same again, and the right ends win. */
static void test_online__best_prefixes_are_continued(void **state)
{
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "math");
    checking.math = RDV_MATH_NATIVE;
    rdv_plan *plan = search(&o, write_step, 0, *state);
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    const rdv_result *result = rdv_plan_result(plan);
    assert_int_equal(n, 2);
    assert_int_equal(result->chains_used, 2);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(chains[i].n_steps, 3);
        assert_int_equal(chains[i].n_checks, 1);
        assert_int_equal(chains[i].checks->n_verdicts, 3);
        assert_int_equal(chains[i].checks->first_error, RDV_NO_STEP);
    }
    assert_text(chains[0].id, "q/0.0.0");
    assert_text(chains[0].steps[0], "1 + 0 = 1.");
    assert_text(chains[0].steps[2], "So the answer is 12.");
    assert_text(chains[0].answer, "12");
    assert_int_equal(result->calls, 12); /* three rounds of four draws */
    uint64_t generated, checked;
    rdv_plan_tokens(plan, &generated, &checked);
    assert_int_equal(generated, 12 * 7);
    assert_int_equal(checked, 0);
    rdv_plan_free(&plan);
}

/* Steps that were asked about are not asked about again as the chain grows. */
static void test_online__verifiers_ask_once_a_step(void **state)
{
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "relevance");
    rdv_plan *plan = search(&o, write_step, 0, *state);
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    assert_int_equal(rdv_plan_result(plan)->calls, 12 + 12);
    assert_int_equal(chains[0].checks->calls, 3);
    assert_text(rdv_plan_result(plan)->answer, "12");
    uint64_t generated, checked;
    rdv_plan_tokens(plan, &generated, &checked);
    assert_int_equal(checked, 12 * 3);
    rdv_plan_free(&plan);
}

static rdv_str write_the_same(rdv_str path, rdv_arena *arena)
{
    (void)arena;
    return path.len < 5 ? RDV_STR("Let us see.") : RDV_STR("The answer is 12.");
}

/* Draws that say the same are one prefix, checked once, which gets the draws of both places. */
static void test_online__repeated_steps_are_one(void **state)
{
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "relevance");
    rdv_plan *plan = search(&o, write_the_same, 0, *state);
    size_t n;
    rdv_plan_chains(plan, &n);
    assert_int_equal(n, 1);
    assert_int_equal(rdv_plan_result(plan)->calls, 12 + 3);
    rdv_plan_free(&plan);
}

static rdv_str write_on(rdv_str path, rdv_arena *arena)
{
    return rdv_str_printf(arena, "%.*s.", RDV_FMT(path));
}

static void test_online__as_long_as_allowed(void **state)
{
    rdv_plan_options o = options_of(NULL, NULL);
    o.max_steps = 4;
    rdv_plan *plan = search(&o, write_on, 0, *state);
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    assert_int_equal(n, 2);
    assert_int_equal(chains[0].n_steps, 4);
    assert_null(chains[0].answer.p);
    assert_int_equal(rdv_plan_result(plan)->unread, 2);
    rdv_plan_free(&plan);
}

static void test_online__tokens_are_spent(void **state)
{
    rdv_plan_options o = options_of(NULL, NULL);
    o.generated_tokens = 50; /* two rounds of four draws of seven tokens */
    rdv_plan *plan = search(&o, write_on, 0, *state);
    size_t n;
    assert_int_equal(rdv_plan_chains(plan, &n)->n_steps, 2);
    assert_int_equal(rdv_plan_result(plan)->calls, 8);
    rdv_plan_free(&plan);
}

static rdv_str write_nothing(rdv_str path, rdv_arena *arena)
{
    (void)arena;
    return path.len > 1 ? RDV_STR(" ") : RDV_STR("Let us see.");
}

static void test_online__no_step_comes(void **state)
{
    rdv_plan_options o = options_of(NULL, NULL);
    rdv_plan *plan = search(&o, write_nothing, 0, *state);
    size_t n;
    assert_int_equal(rdv_plan_chains(plan, &n)->n_steps, 1);
    assert_int_equal(n, 1);
    assert_null(rdv_plan_result(plan)->answer.p);
    rdv_plan_free(&plan);
}

/* ---- order, memory, an early end, options -----------------------------------------------------
 */

static rdv_str records(const rdv_plan *plan, rdv_arena *arena)
{
    rdv_buf b;
    size_t n;
    rdv_str text;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(rdv_record_write(&chains[i],
                                          &(rdv_write_options){.size = sizeof(rdv_write_options)},
                                          arena, &text, NULL),
                         RDV_OK);
        rdv_buf_add(&b, text);
    }
    assert_int_equal(rdv_result_write(rdv_plan_result(plan), (rdv_str){0}, arena, &text, NULL),
                     RDV_OK);
    rdv_buf_add(&b, text);
    return rdv_buf_str(&b);
}

static void test_online__order_of_replies(void **state)
{
    static const char *const names[] = {"relevance", "general", "calculations", "single-stage"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const rdv_method *method;
        rdv_plan_options o = options_of(&method, names[i]);
        checking.math = RDV_MATH_NATIVE;
        checking.verifiers.verifiers = 7;
        o.beam_width = o.expansions = 3;
        rdv_str before = {0};
        for (uint64_t seed = 0; seed < 15; seed++) {
            rdv_plan *plan = search(&o, write_step, seed, *state);
            rdv_str now = records(plan, *state);
            if (before.p)
                assert_true(rdv_str_eq(now, before));
            before = now;
            rdv_plan_free(&plan);
        }
    }
}

static bool runs(const rdv_plan_options *o)
{
    rdv_plan *plan = NULL;
    rdv_request request;
    rdv_error err = {0};
    char text[64];
    int r = rdv_plan_solve(&question, o, &plan, &err);
    assert_int_equal(plan != NULL, r == RDV_OK);
    while (r == RDV_OK && !rdv_plan_done(plan)) {
        r = rdv_plan_next(plan, &request, &err);
        if (r != RDV_OK)
            break;
        rdv_str path = path_of(&request);
        snprintf(text, sizeof text, "%.*s%s", RDV_FMT(path),
                 path.len > 3 ? " So the answer is 12." : "");
        rdv_reply reply = {.text = rdv_str_of(text)};
        r = rdv_plan_reply(plan, request.id, &reply, &err);
    }
    if (r != RDV_OK)
        assert_int_equal(r, RDV_E_NOMEM);
    else /* nothing was lost on the way */
        assert_int_equal(rdv_plan_result(plan)->unread, 0);
    rdv_plan_free(&plan);
    return r == RDV_OK;
}

static void test_online__no_memory(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "math");
    checking.math = RDV_MATH_NATIVE;
    assert_survives_no_memory(runs(&o), (void)0);
}

/* Ended after any number of replies there is a result, and nothing is open. */
static void test_online__closed_early(void **state)
{
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "relevance");
    for (size_t most = 0; most < 24; most++) {
        rdv_plan *plan;
        rdv_request request;
        assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
        for (size_t i = 0; i < most && rdv_plan_next(plan, &request, NULL) == RDV_OK; i++)
            answer(plan, write_step, &request, *state);
        assert_int_equal(rdv_plan_close(plan, RDV_FAIL_BUDGET, NULL), RDV_OK);
        assert_true(rdv_plan_done(plan));
        assert_non_null(rdv_plan_result(plan));
        rdv_plan_free(&plan);
    }
}

static void test_online__options(void **state)
{
    (void)state;
    rdv_plan *plan;
    rdv_plan_options o = options_of(NULL, NULL);
    o.beam_width = 0;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_E_ARGUMENT);
    o = options_of(NULL, NULL);
    o.beam_width = 100;
    o.expansions = 11;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_E_ARGUMENT);
    o = options_of(NULL, NULL);
    o.max_steps = 1001;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_E_ARGUMENT);
    o = options_of(NULL, NULL);
    o.select = RDV_SELECT_RANDOM;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_E_ARGUMENT);
}

/* ---- estimates --------------------------------------------------------------------------------
 */

/* The steps that a plan of one chain asks for with dry replies. */
static size_t dry_steps(rdv_bound bound, size_t max_steps, rdv_arena *arena)
{
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, NULL);
    rdv_plan *plan;
    rdv_request request;
    rdv_reply reply;
    size_t asked = 0, most = 0;
    o.beam_width = o.expansions = 1;
    o.bound = bound;
    o.max_steps = max_steps;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
    while (rdv_plan_next(plan, &request, NULL) == RDV_OK) {
        size_t depth = (path_of(&request).len + 1) / 2;
        most = depth > most ? depth : most;
        asked++;
        assert_int_equal(rdv_plan_dry_reply(plan, &request, arena, &reply, NULL), RDV_OK);
        assert_int_equal(rdv_plan_reply(plan, request.id, &reply, NULL), RDV_OK);
    }
    assert_true(rdv_plan_done(plan));
    assert_true(asked >= most);
    rdv_plan_free(&plan);
    return most;
}

/* How many steps a search asks for that keeps `width` prefixes and draws `expansions` steps for
 * each, where every reply is the same step. */
static size_t dry_calls(rdv_bound bound, size_t width, size_t expansions, rdv_arena *arena)
{
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, NULL);
    rdv_plan *plan;
    rdv_request request;
    rdv_reply reply;
    size_t asked = 0;
    o.beam_width = width;
    o.expansions = expansions;
    o.bound = bound;
    o.max_steps = 3;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
    for (; rdv_plan_next(plan, &request, NULL) == RDV_OK; asked++) {
        assert_int_equal(rdv_plan_dry_reply(plan, &request, arena, &reply, NULL), RDV_OK);
        assert_int_equal(rdv_plan_reply(plan, request.id, &reply, NULL), RDV_OK);
    }
    assert_true(rdv_plan_done(plan));
    rdv_plan_free(&plan);
    return asked;
}

/* The upper bound takes no draw for a repetition of another: two prefixes with two draws each ask
 * for four times what one with one does. */
static void test_dry__bound_keeps_equal_draws(void **state)
{
    size_t one = dry_calls(RDV_BOUND_MOST, 1, 1, *state);
    assert_true(one >= 3); /* three steps */
    assert_int_equal(dry_calls(RDV_BOUND_MOST, 2, 2, *state), 4 * one);
}

/* An estimate has chains of an ordinary length; the bounds have one step, and as many as may be. */
static void test_dry__steps(void **state)
{
    assert_int_equal(dry_steps(RDV_BOUND_NONE, 9, *state), 4);
    assert_int_equal(dry_steps(RDV_BOUND_LEAST, 9, *state), 1);
    assert_int_equal(dry_steps(RDV_BOUND_MOST, 9, *state), 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_online__best_prefixes_are_continued),
        cmocka_unit_test(test_online__verifiers_ask_once_a_step),
        cmocka_unit_test(test_online__repeated_steps_are_one),
        cmocka_unit_test(test_online__as_long_as_allowed),
        cmocka_unit_test(test_online__tokens_are_spent),
        cmocka_unit_test(test_online__no_step_comes),
        cmocka_unit_test(test_online__order_of_replies),
        cmocka_unit_test(test_online__no_memory),
        cmocka_unit_test(test_online__closed_early),
        cmocka_unit_test(test_online__options),
        cmocka_unit_test(test_dry__steps),
        cmocka_unit_test(test_dry__bound_keeps_equal_draws),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
