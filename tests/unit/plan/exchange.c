/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan keeps of its requests and their replies, for people to look at. */
#include "plan/plan.h"
#include "../test.h"

#include <math.h>

static const rdv_message turns[] = {
    {RDV_SYSTEM, {"Be brief.", 9}}, {RDV_USER, {"Is it?", 6}}, {RDV_ASSISTANT, {"It", 2}}};

/* `data`: how many of the turns are sent; 0: a text and two steps; 9: nothing. */
static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    static const rdv_str steps[] = {{"first", 5}, {"second", 6}};
    size_t of = (size_t)(uintptr_t)n->data;
    request->sampling = (rdv_sampling){.temperature = NAN, .top_p = NAN};
    if (of == 9)
        return RDV_OK;
    request->messages = of < 2 ? turns + 1 : turns;
    request->n_messages = of;
    if (of == 0) {
        request->text = RDV_STR("question");
        request->steps = steps;
        request->n_steps = 2;
    }
    return RDV_OK;
}

static int read_yes(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    return rdv_str_eq(reply->text, RDV_STR("yes")) ? RDV_OK : RDV_NONE;
}

static const node_kind kind = {.ask = ask, .read = read_yes};

static int set_up(void **state)
{
    static rdv_plan plan;
    plan = (rdv_plan){.arena = rdv_arena_new(0)};
    graph_init(&plan.graph, plan.arena);
    plan.graph.keeps_exchanges = true;
    *state = &plan;
    return plan.arena == NULL;
}

static int tear_down(void **state)
{
    rdv_plan *plan = *state;
    graph_free(&plan->graph);
    rdv_arena_free(&plan->arena);
    return 0;
}

/* Ask a node's request; its id. */
static uint64_t asked(rdv_plan *plan, size_t chain, size_t step, size_t turns_sent)
{
    static const rdv_str model[2] = {{"m", 1}, {"m", 1}};
    bool whole = step == RDV_WHOLE_CHAIN;
    node like = {.kind = &kind,
                 .data = (void *)(uintptr_t)turns_sent,
                 .stage = RDV_STR("test"),
                 .sample = RDV_STR("a"),
                 .order = graph_order(chain, whole ? 0 : step, 0),
                 .tries = 2,
                 .of_step = !whole,
                 .step = step};
    node *n = graph_add(&plan->graph, &like, NULL);
    rdv_request request;
    assert_non_null(n);
    assert_int_equal(graph_start(&plan->graph, n, NULL), RDV_OK);
    assert_int_equal(graph_next(&plan->graph, model, &request, NULL), RDV_OK);
    return request.id;
}

static void answer(rdv_plan *plan, uint64_t id, const char *text)
{
    rdv_reply reply = {.text = rdv_str_of(text), .prompt_tokens = 12, .completion_tokens = 3};
    assert_int_equal(graph_reply(&plan->graph, id, &reply, NULL), RDV_OK);
}

static void test_asked__is_what_was_sent(void **state)
{
    rdv_plan *plan = *state;
    static const char *const wanted[] = {
        "question\nfirst\nsecond", "Is it?", "[system]\nBe brief.\n\n[user]\nIs it?",
        "[system]\nBe brief.\n\n[user]\nIs it?\n\n[assistant]\nIt"};
    size_t n;
    for (size_t i = 0; i < 4; i++)
        answer(plan, asked(plan, i, RDV_WHOLE_CHAIN, i), "yes");
    answer(plan, asked(plan, 4, RDV_WHOLE_CHAIN, 9), "yes");
    assert_int_equal(plan_sort_exchanges(plan), RDV_OK);
    const rdv_exchange *all = plan_exchanges(plan, &n);
    assert_int_equal(n, 5);
    for (size_t i = 0; i < 4; i++)
        assert_true(rdv_str_eq(all[i].asked, rdv_str_of(wanted[i])));
    assert_text(all[4].asked, ""); /* there was a request, if an empty one */
}

static void test_reply__is_kept_with_its_usage(void **state)
{
    rdv_plan *plan = *state;
    size_t n;
    answer(plan, asked(plan, 2, 7, 1), "yes");
    const rdv_exchange *all = plan_exchanges(plan, &n);
    assert_int_equal(n, 1);
    assert_text(all[0].stage, "test");
    assert_int_equal(all[0].chain, 2);
    assert_int_equal(all[0].step, 7);
    assert_text(all[0].reply, "yes");
    assert_null(all[0].why.p);
    assert_int_equal(all[0].prompt_tokens, 12);
    assert_int_equal(all[0].completion_tokens, 3);
}

/* An unreadable reply is asked for again: both stand there, and why the first was not read. */
static void test_unread__says_why(void **state)
{
    rdv_plan *plan = *state;
    static const rdv_str model[2] = {{"m", 1}, {"m", 1}};
    rdv_request again;
    size_t n;
    answer(plan, asked(plan, 0, 0, 1), "perhaps");
    assert_int_equal(graph_next(&plan->graph, model, &again, NULL), RDV_OK);
    assert_int_equal(graph_fail(&plan->graph, again.id, RDV_FAIL_TIMEOUT, RDV_STR("60 s"), NULL),
                     RDV_OK);
    const rdv_exchange *all = plan_exchanges(plan, &n);
    assert_int_equal(n, 2);
    assert_text(all[0].reply, "perhaps");
    assert_text(all[0].why, "the reply could not be read");
    assert_null(all[1].reply.p);
    assert_text(all[1].why, "timed out: 60 s");
}

/* By chain, by step, and then as they were asked. */
static void test_order__does_not_depend_on_the_order_of_requests(void **state)
{
    rdv_plan *plan = *state;
    static const size_t chains[] = {3, 0, 3, 1, 0, 3}, steps[] = {1, 2, 0, 0, 2, 1};
    static const size_t wanted[] = {1, 4, 3, 2, 0, 5};
    static const size_t counts[] = {2, 1, 0, 3, 0};
    char texts[6][2];
    size_t n;
    for (size_t i = 0; i < 6; i++) {
        texts[i][0] = (char)('0' + i);
        texts[i][1] = '\0';
        rdv_reply reply = {.text = rdv_str_of(texts[i])};
        uint64_t id = asked(plan, chains[i], steps[i], 1);
        assert_int_equal(graph_fail(&plan->graph, id, RDV_FAIL_REFUSED, reply.text, NULL), RDV_OK);
    }
    assert_int_equal(plan_sort_exchanges(plan), RDV_OK);
    assert_int_equal(plan_sort_exchanges(plan), RDV_OK); /* once is enough */
    const rdv_exchange *all = plan_exchanges(plan, &n);
    assert_int_equal(n, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(all[i].why.p[all[i].why.len - 1], '0' + (int)wanted[i]);
    for (size_t chain = 0, at = 0; chain < 5; chain++) {
        const rdv_exchange *of = plan_exchanges_of(plan, chain, &n);
        assert_int_equal(n, counts[chain]);
        assert_ptr_equal(of, n ? all + at : NULL);
        at += n;
    }
}

static void test_none__if_they_are_not_kept(void **state)
{
    rdv_plan *plan = *state;
    size_t n;
    plan->graph.keeps_exchanges = false;
    answer(plan, asked(plan, 0, 0, 1), "perhaps");
    assert_int_equal(plan_sort_exchanges(plan), RDV_OK);
    assert_null(plan_exchanges(plan, &n));
    assert_int_equal(n, 0);
    assert_null(plan_exchanges_of(plan, 0, &n));
    assert_int_equal(n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_asked__is_what_was_sent),
        TEST(test_reply__is_kept_with_its_usage),
        TEST(test_unread__says_why),
        TEST(test_order__does_not_depend_on_the_order_of_requests),
        TEST(test_none__if_they_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
