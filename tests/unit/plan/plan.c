/* SPDX-License-Identifier: Apache-2.0 */
/* A plan around its graph: dry replies, tokens, and the exchanges that are kept to be shown. */
#include "plan/plan.h"
#include "../test.h"

#include <math.h>

static const rdv_message messages[] = {
    {RDV_SYSTEM, {"Be brief.", 9}}, {RDV_USER, {"Is it?", 6}}, {RDV_ASSISTANT, {"It", 2}}};
static const rdv_str steps[] = {{"one", 3}, {"two", 3}};

/* A node's data is the request that it makes. */
static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    (void)arena, (void)err;
    const rdv_request *of = n->data;
    *request = *of;
    request->sampling = (rdv_sampling){.temperature = NAN, .top_p = NAN};
    return RDV_OK;
}

static int read_it(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    (void)n, (void)arena, (void)err;
    return rdv_str_eq(reply->text, RDV_STR("mumble")) ? RDV_NONE : RDV_OK;
}

static const node_kind kind = {.ask = ask, .read = read_it};

static rdv_request chat(size_t n, rdv_model_role party)
{
    return (rdv_request){
        .kind = RDV_REQUEST_CHAT, .messages = messages, .n_messages = n, .party = party};
}

static rdv_plan *new_plan(bool keep, rdv_bound bound)
{
    rdv_plan_options o;
    rdv_plan *plan;
    rdv_plan_options_default(&o, sizeof o);
    o.keep_exchanges = keep;
    o.bound = bound;
    assert_int_equal(plan_new(&o, &plan, NULL), RDV_OK);
    return plan;
}

static node *add(rdv_plan *plan, rdv_request *of, size_t chain, size_t step, bool of_step)
{
    node like = {.kind = &kind,
                 .data = of,
                 .stage = RDV_STR("test"),
                 .sample = RDV_STR("a"),
                 .dry = RDV_STR("yes, it is"),
                 .order = graph_order(chain, step, 0),
                 .of_step = of_step,
                 .step = step,
                 .tries = 2};
    node *n = graph_add(&plan->graph, &like, NULL);
    assert_non_null(n);
    assert_int_equal(graph_start(&plan->graph, n, NULL), RDV_OK);
    return n;
}

static rdv_request next(rdv_plan *plan)
{
    rdv_request request;
    assert_int_equal(rdv_plan_next(plan, &request, NULL), RDV_OK);
    return request;
}

static void answer(rdv_plan *plan, const char *text, uint64_t tokens)
{
    rdv_reply reply = {
        .text = rdv_str_of(text), .prompt_tokens = 2 * tokens, .completion_tokens = tokens};
    assert_int_equal(rdv_plan_reply(plan, next(plan).id, &reply, NULL), RDV_OK);
}

/* ---- exchanges ------------------------------------------------------------------------------- */

static void test_exchanges__what_was_asked_is_kept_as_it_was_sent(void **state)
{
    rdv_plan *plan = new_plan(true, RDV_BOUND_NONE);
    rdv_request one = chat(1, RDV_GENERATOR), three = chat(3, RDV_GENERATOR),
                text = {.kind = RDV_REQUEST_CONTINUE, .text = RDV_STR("It is")},
                reward = {.kind = RDV_REQUEST_REWARD, .steps = steps, .n_steps = 2},
                nothing = {.kind = RDV_REQUEST_CONTINUE};
    rdv_request *all[] = {&one, &three, &text, &reward, &nothing};
    static const char *const asked[] = {"Be brief.",
                                        "[system]\nBe brief.\n\n[user]\nIs it?\n\n[assistant]\nIt",
                                        "It is", "one\ntwo", ""};
    for (size_t i = 0; i < 5; i++) {
        add(plan, all[i], i, 0, false);
        answer(plan, "yes", 3);
    }
    size_t n;
    const rdv_exchange *kept = plan_exchanges(plan, &n);
    assert_int_equal(n, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(rdv_str_eq(kept[i].asked, rdv_str_of(asked[i])));
        assert_text(kept[i].reply, "yes");
        assert_int_equal(kept[i].prompt_tokens, 6);
        assert_int_equal(kept[i].completion_tokens, 3);
        assert_true(kept[i].step == RDV_WHOLE_CHAIN);
        assert_null(kept[i].why.p);
    }
    rdv_plan_free(&plan);
}

/* They are shown by chain and step, those about the whole chain last, tries in their order. */
static void test_exchanges__are_sorted_by_chain_and_step(void **state)
{
    rdv_plan *plan = new_plan(true, RDV_BOUND_NONE);
    rdv_request of = chat(1, RDV_GENERATOR);
    static const struct {
        size_t chain, step;
        bool of_step;
    } asked[] = {{1, 1, true}, {1, 0, true}, {0, 0, false}, {0, 2, true}, {1, 0, false}};
    for (size_t i = 0; i < 5; i++) {
        add(plan, &of, asked[i].chain, asked[i].step, asked[i].of_step);
        answer(plan, i == 0 ? "mumble" : "yes", i);
        if (i == 0)
            answer(plan, "yes", 7); /* asked again */
    }
    assert_int_equal(plan_sort_exchanges(plan), RDV_OK);
    assert_int_equal(plan_sort_exchanges(plan), RDV_OK); /* once more changes nothing */
    static const uint64_t in_order[] = {3, 2, 1, 0, 7, 4};
    size_t n;
    const rdv_exchange *kept = plan_exchanges(plan, &n);
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(kept[i].completion_tokens, in_order[i]);
    assert_text(kept[3].why, "the reply could not be read");
    assert_null(kept[4].why.p);

    const rdv_exchange *of_chain = plan_exchanges_of(plan, 1, &n);
    assert_ptr_equal(of_chain, kept + 2);
    assert_int_equal(n, 4);
    assert_ptr_equal(plan_exchanges_of(plan, 0, &n), kept);
    assert_int_equal(n, 2);
    assert_null(plan_exchanges_of(plan, 2, &n));
    assert_int_equal(n, 0);
    rdv_plan_free(&plan);
}

static void test_exchanges__none_are_kept_unless_they_are_wanted(void **state)
{
    rdv_plan *plan = new_plan(false, RDV_BOUND_NONE);
    rdv_request of = chat(1, RDV_GENERATOR);
    size_t n = 9;
    add(plan, &of, 0, 0, false);
    answer(plan, "mumble", 1);
    assert_int_equal(plan_sort_exchanges(plan), RDV_OK);
    assert_null(plan_exchanges(plan, &n));
    assert_int_equal(n, 0);
    rdv_plan_free(&plan);
}

static bool sorts(void)
{
    rdv_plan *plan = new_plan(true, RDV_BOUND_NONE);
    rdv_request of = chat(1, RDV_GENERATOR);
    size_t n;
    add(plan, &of, 1, 0, false);
    answer(plan, "yes", 1);
    add(plan, &of, 0, 0, false);
    answer(plan, "yes", 0);
    rdv_alloc_fail_at(1);
    assert_int_equal(plan_sort_exchanges(plan), RDV_E_NOMEM);
    assert_int_equal(plan_exchanges(plan, &n)[0].chain, 1); /* as they were */
    rdv_alloc_fail_at(0);
    assert_int_equal(plan_sort_exchanges(plan), RDV_OK);
    assert_int_equal(plan_exchanges(plan, &n)[0].chain, 0);
    rdv_plan_free(&plan);
    return true;
}

static void test_exchanges__without_memory_keep_their_order(void **state)
{
    assert_true(sorts());
}

/* A reply that cannot be kept is an error, and not one that is read and not shown. */
static void test_exchanges__a_reply_without_memory(void **state)
{
    rdv_plan *plan = new_plan(true, RDV_BOUND_NONE);
    rdv_request of = chat(1, RDV_GENERATOR);
    rdv_reply reply = {.text = RDV_STR("yes")};
    add(plan, &of, 0, 0, false);
    uint64_t id = next(plan).id;
    rdv_alloc_fail_once(1);
    assert_int_equal(rdv_plan_reply(plan, id, &reply, NULL), RDV_E_NOMEM);
    rdv_alloc_fail_at(0);
    rdv_plan_free(&plan);
}

/* ---- dry replies ----------------------------------------------------------------------------- */

static void test_dry_reply__to_nothing_that_was_asked_is_refused(void **state)
{
    rdv_plan *plan = new_plan(false, RDV_BOUND_NONE);
    rdv_request none = {.id = 0};
    rdv_reply reply;
    rdv_error err;
    assert_int_equal(rdv_plan_dry_reply(plan, &none, plan->arena, &reply, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "no such request");
    rdv_plan_free(&plan);
}

/* The most that can be asked: every try but the last one cannot be read. */
static void test_dry_reply__the_most_asks_again_as_often_as_it_may(void **state)
{
    rdv_plan *plan = new_plan(false, RDV_BOUND_MOST);
    rdv_request of = chat(1, RDV_GENERATOR);
    rdv_reply reply;
    node *n = add(plan, &of, 0, 0, false);
    for (size_t tries = 1; tries <= 2; tries++) {
        rdv_request r = next(plan);
        assert_int_equal(rdv_plan_dry_reply(plan, &r, plan->arena, &reply, NULL), RDV_OK);
        assert_int_equal(reply.dry, tries == 2);
        assert_int_equal(reply.completion_tokens, 3); /* of 10 bytes */
        assert_int_equal(rdv_plan_reply(plan, r.id, &reply, NULL), RDV_OK);
        assert_int_equal(n->asked, tries);
    }
    assert_int_equal(n->state, NODE_ANSWERED);
    assert_true(rdv_plan_done(plan));
    rdv_plan_free(&plan);
}

static void test_dry_reply__a_reward_for_each_step(void **state)
{
    rdv_request of = {.kind = RDV_REQUEST_REWARD, .steps = steps, .n_steps = 2};
    static const rdv_bound bounds[] = {RDV_BOUND_NONE, RDV_BOUND_MOST};
    for (size_t i = 0; i < 2; i++) {
        rdv_plan *plan = new_plan(false, bounds[i]);
        rdv_reply reply;
        add(plan, &of, 0, 0, false);
        rdv_request r = next(plan);
        assert_int_equal(rdv_plan_dry_reply(plan, &r, plan->arena, &reply, NULL), RDV_OK);
        assert_int_equal(reply.n_rewards, i == 0 ? 2 : 0); /* else it is to be asked again */
        if (i == 0) {
            assert_true(reply.rewards[0] == 1 && reply.rewards[1] == 1);
            rdv_alloc_fail_at(1);
            assert_int_equal(rdv_plan_dry_reply(plan, &r, plan->arena, &reply, NULL), RDV_E_NOMEM);
            assert_int_equal(reply.n_rewards, 0);
            rdv_alloc_fail_at(0);
        }
        rdv_plan_free(&plan);
    }
}

/* ---- the plan itself ------------------------------------------------------------------------- */

/* What was asked ahead of its need counts for nobody. */
static void test_tokens__of_what_the_result_needed_by_model(void **state)
{
    rdv_plan *plan = new_plan(false, RDV_BOUND_NONE);
    rdv_request of[] = {chat(1, RDV_GENERATOR), chat(1, RDV_CHECKER), chat(2, RDV_GENERATOR)};
    uint64_t generated, checked;
    for (size_t i = 0; i < 3; i++) {
        node *n = add(plan, &of[i], i, 0, false);
        if (i < 2)
            node_need(n);
        answer(plan, "mumble", 10);
        answer(plan, "yes", i + 1); /* both tries count, once */
    }
    rdv_plan_tokens(plan, &generated, &checked);
    assert_int_equal(generated, 11);
    assert_int_equal(checked, 12);
    assert_int_equal(graph_needed(&plan->graph), 4);
    graph_spare_from(&plan->graph, 1);
    rdv_plan_tokens(plan, &generated, &checked);
    assert_int_equal(generated, 11);
    assert_int_equal(checked, 0);
    rdv_plan_free(&plan);
}

static void test_close__an_ended_plan_is_not_partial(void **state)
{
    rdv_plan *plan = new_plan(false, RDV_BOUND_NONE);
    rdv_request of = chat(1, RDV_GENERATOR);
    add(plan, &of, 0, 0, false);
    answer(plan, "yes", 1);
    assert_int_equal(rdv_plan_close(plan, RDV_FAIL_BUDGET, NULL), RDV_OK);
    assert_false(rdv_plan_partial(plan));
    rdv_plan_free(&plan);
    assert_null(plan);
    rdv_plan_free(&plan);
    rdv_plan_free(NULL);
}

static bool makes(void)
{
    rdv_plan *plan = NULL;
    int rc = plan_new(NULL, &plan, NULL);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    assert_true((plan != NULL) == (rc == RDV_OK));
    rdv_plan_free(&plan);
    return rc == RDV_OK;
}

static void test_new__without_memory(void **state)
{
    assert_survives_no_memory(makes(), (void)0);
}

/* As the header says. */
static void test_options__defaults(void **state)
{
    rdv_plan_options o;
    rdv_plan_options_default(&o, sizeof o);
    assert_int_equal(o.size, sizeof o);
    assert_true(isnan(o.temperature));
    assert_int_equal(o.chains, 10);
    assert_int_equal(o.beam_width, 4);
    assert_int_equal(o.expansions, 4);
    assert_int_equal(o.lookahead, 1);
    assert_int_equal(o.stop, RDV_STOP_CERTAIN);
    assert_int_equal(o.select, RDV_SELECT_WEIGHTED);
    assert_int_equal(o.bound, RDV_BOUND_NONE);
    assert_true(o.prm_threshold == 0.5);
    assert_false(o.beam_search || o.structured || o.no_structured || o.keep_exchanges);
}

/* A plan does not take all the memory there is. */
static void test_new__memory_has_a_limit(void **state)
{
    rdv_plan *plan = new_plan(false, RDV_BOUND_NONE);
    assert_non_null(rdv_alloc(plan->arena, 1));
    assert_null(rdv_alloc(plan->arena, (size_t)1 << 30));
    rdv_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exchanges__what_was_asked_is_kept_as_it_was_sent),
        cmocka_unit_test(test_exchanges__are_sorted_by_chain_and_step),
        cmocka_unit_test(test_exchanges__none_are_kept_unless_they_are_wanted),
        cmocka_unit_test(test_exchanges__without_memory_keep_their_order),
        cmocka_unit_test(test_exchanges__a_reply_without_memory),
        cmocka_unit_test(test_dry_reply__to_nothing_that_was_asked_is_refused),
        cmocka_unit_test(test_dry_reply__the_most_asks_again_as_often_as_it_may),
        cmocka_unit_test(test_dry_reply__a_reward_for_each_step),
        cmocka_unit_test(test_tokens__of_what_the_result_needed_by_model),
        cmocka_unit_test(test_close__an_ended_plan_is_not_partial),
        cmocka_unit_test(test_new__without_memory),
        cmocka_unit_test(test_options__defaults),
        cmocka_unit_test(test_new__memory_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
