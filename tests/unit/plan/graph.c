/* SPDX-License-Identifier: Apache-2.0 */
/* The graph with nodes that are nothing but letters: what is ready when, what follows from a
 * failure, and that groups are told once. */
#include "plan/graph.h"
#include "../test.h"

#include <math.h>

typedef struct fixture {
    rdv_arena *arena;
    graph g;
    int told; /* how often the group called back */
} fixture;

static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    (void)arena, (void)err;
    const node *needs = n->data;
    if (needs && needs->state != NODE_ANSWERED) {
        n->why = needs->why;
        return RDV_NONE;
    }
    request->text = n->sample;
    request->sampling = (rdv_sampling){.temperature = NAN, .top_p = NAN};
    return RDV_OK;
}

/* At temperature 0; `data` is the reminder, or NULL. */
static int ask_greedily(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    static const rdv_message question[] = {{RDV_SYSTEM, {"Be brief.", 9}},
                                           {RDV_USER, {"Is it?", 6}}};
    (void)arena, (void)err;
    request->messages = question;
    request->n_messages = 2;
    if (n->data)
        request->reminder = rdv_str_of(n->data);
    return RDV_OK;
}

static int read_it(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    (void)n, (void)arena, (void)err;
    return rdv_str_eq(reply->text, RDV_STR("yes")) ? RDV_OK : RDV_NONE;
}

static const node_kind kind = {.ask = ask, .read = read_it};
static const node_kind greedy = {.ask = ask_greedily, .read = read_it};

static int settled(graph *g, node_group *group, rdv_error *err)
{
    (void)g, (void)err;
    ++*(int *)group->data;
    return RDV_OK;
}

static int setup(void **state)
{
    static fixture f;
    f = (fixture){.arena = rdv_arena_new(0)};
    graph_init(&f.g, f.arena);
    *state = &f;
    return f.arena == NULL;
}

static int teardown(void **state)
{
    graph_free(&((fixture *)*state)->g);
    rdv_arena_free(&((fixture *)*state)->arena);
    return 0;
}

static node *add(fixture *f, const char *name, uint64_t order, node *needs, node_group *group)
{
    node like = {.kind = &kind,
                 .data = needs,
                 .stage = RDV_STR("test"),
                 .sample = rdv_str_of(name),
                 .order = order,
                 .tries = 2};
    node *n = graph_add(&f->g, &like, group);
    assert_non_null(n);
    if (needs)
        assert_int_equal(graph_after(&f->g, n, needs), RDV_OK);
    assert_int_equal(graph_start(&f->g, n, NULL), RDV_OK);
    return n;
}

static rdv_request next(fixture *f)
{
    static const rdv_str model[2] = {{"m", 1}, {"m", 1}};
    rdv_request request;
    assert_int_equal(graph_next(&f->g, model, &request, NULL), RDV_OK);
    return request;
}

static void nothing_ready(fixture *f)
{
    static const rdv_str model[2] = {{"m", 1}, {"m", 1}};
    rdv_request request;
    assert_int_equal(graph_next(&f->g, model, &request, NULL), RDV_NONE);
}

static int reply(fixture *f, uint64_t id, const char *text)
{
    rdv_reply r = {.text = rdv_str_of(text)};
    return graph_reply(&f->g, id, &r, NULL);
}

static void test_next__takes_the_smallest_order_first(void **state)
{
    fixture *f = *state;
    static const char *const names[] = {"c", "a", "d", "b"};
    static const uint64_t orders[] = {3, 1, 4, 2};
    for (size_t i = 0; i < 4; i++)
        add(f, names[i], orders[i], NULL, NULL);
    assert_text(next(f).text, "a");
    assert_text(next(f).text, "b");
    assert_text(next(f).text, "c");
    assert_text(next(f).text, "d");
    nothing_ready(f);
    assert_false(graph_done(&f->g)); /* all are out */
}

static void test_after__waits_for_the_reply(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL);
    add(f, "b", 0, a, NULL);
    rdv_request r = next(f);
    assert_text(r.text, "a");
    nothing_ready(f);
    assert_int_equal(reply(f, r.id, "yes"), RDV_OK);
    assert_text(next(f).text, "b");
}

static node *add_greedy(fixture *f, const char *reminder)
{
    node like = {.kind = &greedy,
                 .data = (void *)(uintptr_t)reminder,
                 .stage = RDV_STR("test"),
                 .sample = RDV_STR("a"),
                 .tries = 2};
    node *n = graph_add(&f->g, &like, NULL);
    assert_non_null(n);
    assert_int_equal(graph_start(&f->g, n, NULL), RDV_OK);
    return n;
}

/* The same words at temperature 0 would have the same reply. */
static void test_reply__at_temperature_0_is_asked_again_with_a_reminder(void **state)
{
    fixture *f = *state;
    node *n = add_greedy(f, "Yes or no?");
    rdv_request first = next(f);
    assert_text(first.messages[1].text, "Is it?");
    assert_int_equal(reply(f, first.id, "mumble"), RDV_OK);
    rdv_request again = next(f);
    assert_text(again.messages[0].text, "Be brief.");
    assert_text(again.messages[1].text, "Is it?\n\nYes or no?");
    assert_int_equal(reply(f, again.id, "yes"), RDV_OK);
    assert_int_equal(n->state, NODE_ANSWERED);
}

static void test_reply__at_temperature_0_is_not_asked_again_without_one(void **state)
{
    fixture *f = *state;
    node *n = add_greedy(f, NULL);
    rdv_request first = next(f);
    assert_int_equal(reply(f, first.id, "mumble"), RDV_OK);
    nothing_ready(f);
    assert_int_equal(n->state, NODE_UNKNOWN);
    assert_text(n->why, "the reply could not be read");
    assert_int_equal(n->asked, 1);
    assert_true(graph_done(&f->g));
}

static void test_reply__is_asked_again_when_it_cannot_be_read(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL);
    rdv_request first = next(f);
    assert_int_equal(reply(f, first.id, "mumble"), RDV_OK);
    rdv_request again = next(f);
    assert_text(first.sample, "a, try 0");
    assert_text(again.sample, "a, try 1");
    assert_int_equal(reply(f, again.id, "mumble"), RDV_OK);
    assert_int_equal(a->state, NODE_UNKNOWN);
    assert_text(a->why, "the reply could not be read");
    assert_true(graph_done(&f->g));
}

static int keep_it(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    (void)reply, (void)arena, (void)err;
    ++*(int *)n->data;
    return RDV_OK;
}

static int ask_alone(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    (void)arena, (void)err;
    request->text = n->sample;
    request->sampling = (rdv_sampling){.temperature = NAN, .top_p = NAN};
    return RDV_OK;
}

static int read_any(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    (void)n, (void)reply, (void)arena, (void)err;
    return RDV_OK;
}

static const node_kind text = {.ask = ask_alone, .read = read_any, .keep_cut_off = keep_it};
static const node_kind one = {.ask = ask_alone, .read = read_any, .one_token = true};
static const node_kind numbers = {.ask = ask_alone, .read = read_any, .numbers = true};

#define CUT_OFF .finish = RDV_FINISH_LENGTH
#define FAILED .finish = RDV_FINISH_OTHER
#define NOT_WHOLE "the server does not call the reply whole: "

static const struct arriving {
    const node_kind *kind;
    rdv_reply reply;
    const char *why; /* NULL: it is read */
    int kept;
} arriving[] = {
    {&text, {.text = {"yes", 3}}, NULL, 0},
    {&text, {.text = {" \n\t", 3}}, "the reply was empty", 0},
    {&text, {.text = {"yes", 3}, CUT_OFF}, "the reply was cut off before its end", 1},
    {&text, {.text = {"yes", 3}, FAILED, .finish_said = {"error", 5}}, NOT_WHOLE "error", 0},
    {&text, {.text = {"yes", 3}, FAILED}, NOT_WHOLE "other", 0}, /* of an old journal */
    {&one, {.text = {"+", 1}, CUT_OFF}, NULL, 0},
    {&one, {.text = {"+", 1}, FAILED}, NOT_WHOLE "other", 0},
    {&one, {CUT_OFF}, "the reply was empty", 0},
    {&numbers, {CUT_OFF}, NULL, 0},
    {&numbers, {FAILED}, NOT_WHOLE "other", 0},
};

/* The gate: what is not whole, or empty, is not given to be read, whatever it says. */
static void test_reply__that_is_not_whole_is_never_read(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof arriving / sizeof *arriving; i++) {
        const struct arriving *a = &arriving[i];
        int kept = 0;
        node like = {.kind = a->kind, .data = &kept, .sample = RDV_STR("a"), .tries = 1};
        node *n = graph_add(&f->g, &like, NULL);
        assert_int_equal(graph_start(&f->g, n, NULL), RDV_OK);
        assert_int_equal(graph_reply(&f->g, next(f).id, &a->reply, NULL), RDV_OK);
        assert_int_equal(n->state, a->why ? NODE_UNKNOWN : NODE_ANSWERED);
        if (a->why)
            assert_string_equal(rdv_cstring(f->arena, n->why), a->why);
        assert_int_equal(kept, a->kept);
    }
}

static void test_fail__spreads_with_its_reason(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL), *b = add(f, "b", 2, a, NULL),
         *c = add(f, "c", 3, b, NULL);
    rdv_request r = next(f);
    assert_int_equal(graph_fail(&f->g, r.id, RDV_FAIL_TIMEOUT, RDV_STR("60 s"), NULL), RDV_OK);
    nothing_ready(f);
    assert_int_equal(b->state, NODE_UNKNOWN);
    assert_int_equal(c->state, NODE_UNKNOWN);
    assert_text(c->why, "timed out: 60 s");
    assert_int_equal(c->asked, 0);
    assert_true(graph_done(&f->g));
}

static void test_group__is_told_once_when_all_are_settled(void **state)
{
    fixture *f = *state;
    node_group *group = graph_group(&f->g, settled, &f->told);
    add(f, "a", 1, NULL, group);
    add(f, "b", 2, NULL, group);
    rdv_request a = next(f), b = next(f);
    assert_int_equal(reply(f, b.id, "yes"), RDV_OK);
    assert_int_equal(reply(f, a.id, "yes"), RDV_OK);
    assert_int_equal(f->told, 0); /* more nodes may come */
    assert_int_equal(graph_seal(&f->g, group, NULL), RDV_OK);
    assert_int_equal(f->told, 1);
}

static void test_drop__cancels_what_is_out_and_passes_over_what_is_ready(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL), *b = add(f, "b", 2, NULL, NULL);
    add(f, "c", 3, NULL, NULL);
    rdv_request r = next(f);
    assert_int_equal(graph_drop(&f->g, a, NULL), RDV_OK);
    assert_int_equal(graph_drop(&f->g, b, NULL), RDV_OK);
    assert_int_equal(f->g.n_cancelled, 1);
    assert_int_equal(f->g.cancelled[0], r.id);
    assert_text(next(f).text, "c");
    assert_int_equal(reply(f, r.id, "yes"), RDV_OK); /* too late: ignored */
    assert_int_equal(a->state, NODE_DROPPED);
}

static void test_close__settles_all_that_is_open(void **state)
{
    fixture *f = *state;
    node_group *group = graph_group(&f->g, settled, &f->told);
    node *a = add(f, "a", 1, NULL, group), *b = add(f, "b", 2, NULL, group);
    node *c = add(f, "c", 3, b, group);
    assert_int_equal(graph_seal(&f->g, group, NULL), RDV_OK);
    rdv_request r = next(f);
    assert_int_equal(graph_close(&f->g, RDV_FAIL_BUDGET, NULL), RDV_OK);
    assert_true(graph_done(&f->g));
    assert_int_equal(f->told, 1);
    assert_text(a->why, "over budget");
    assert_text(c->why, "over budget");
    assert_int_equal(f->g.cancelled[0], r.id);
    assert_int_equal(reply(f, r.id, "yes"), RDV_OK); /* too late: ignored */
    assert_int_equal(a->state, NODE_UNKNOWN);
    nothing_ready(f);
}

static void test_drop__takes_back_the_latest_request_only(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL);
    rdv_request first = next(f);
    assert_int_equal(reply(f, first.id, "mumble"), RDV_OK);
    rdv_request again = next(f);
    assert_int_equal(graph_drop(&f->g, a, NULL), RDV_OK);
    assert_int_equal(reply(f, first.id, "yes"), RDV_E_ARGUMENT); /* answered before */
    assert_int_equal(reply(f, again.id, "yes"), RDV_OK);
}

static void test_reply__to_nothing_that_was_asked_is_refused(void **state)
{
    fixture *f = *state;
    add(f, "a", 1, NULL, NULL);
    assert_int_equal(reply(f, 0, "yes"), RDV_E_ARGUMENT);
    rdv_request r = next(f);
    assert_int_equal(reply(f, r.id, "yes"), RDV_OK);
    assert_int_equal(reply(f, r.id, "yes"), RDV_E_ARGUMENT); /* twice */
    assert_int_equal(reply(f, 99, "yes"), RDV_E_ARGUMENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_next__takes_the_smallest_order_first),
        TEST(test_after__waits_for_the_reply),
        TEST(test_reply__is_asked_again_when_it_cannot_be_read),
        TEST(test_reply__at_temperature_0_is_asked_again_with_a_reminder),
        TEST(test_reply__at_temperature_0_is_not_asked_again_without_one),
        TEST(test_reply__that_is_not_whole_is_never_read),
        TEST(test_fail__spreads_with_its_reason),
        TEST(test_group__is_told_once_when_all_are_settled),
        TEST(test_drop__cancels_what_is_out_and_passes_over_what_is_ready),
        TEST(test_drop__takes_back_the_latest_request_only),
        TEST(test_close__settles_all_that_is_open),
        TEST(test_reply__to_nothing_that_was_asked_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
