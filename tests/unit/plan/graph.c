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
    for (uint64_t i = 0; i < 100; i++)
        add(f, "a", i * 37 % 100, NULL, NULL);
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t id = next(f).id;
        assert_int_equal(f->g.asked[id]->order, i);
    }
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

/* `data` is a node that is no longer needed once the group is settled. */
static int drops_another(graph *g, node_group *group, rdv_error *err)
{
    return graph_drop(g, group->data, err);
}

/* A group may be settled before it is sealed. What waits for a node that it drops then is not left
 * waiting. */
static void test_seal__tells_what_waits(void **state)
{
    fixture *f = *state;
    node *b = add(f, "b", 2, NULL, NULL);
    node_group *group = graph_group(&f->g, drops_another, b);
    add(f, "a", 1, NULL, group);
    node *c = add(f, "c", 3, b, NULL);
    assert_int_equal(reply(f, next(f).id, "yes"), RDV_OK);
    assert_int_equal(graph_seal(&f->g, group, NULL), RDV_OK);
    assert_int_equal(b->state, NODE_DROPPED);
    assert_int_equal(c->state, NODE_READY);
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

/* What was answered counts as answered, whoever needs it no more: what rests on it was told once.
 */
static void test_drop__of_what_is_settled_changes_nothing(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL), *b = add(f, "b", 2, a, NULL);
    assert_int_equal(reply(f, next(f).id, "yes"), RDV_OK);
    assert_int_equal(graph_drop(&f->g, a, NULL), RDV_OK);
    assert_int_equal(a->state, NODE_ANSWERED);
    assert_int_equal(f->g.n_settled, 0);
    assert_int_equal(b->waiting, 0);
    assert_text(next(f).text, "b");
}

static void test_drop__of_what_waits(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL), *b = add(f, "b", 2, a, NULL);
    assert_int_equal(graph_drop(&f->g, b, NULL), RDV_OK);
    assert_int_equal(reply(f, next(f).id, "yes"), RDV_OK);
    assert_int_equal(b->state, NODE_DROPPED);
    nothing_ready(f);
    assert_int_equal(b->asked, 0);
    assert_true(graph_done(&f->g));
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

static void test_reply__names_the_request_that_waits(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL);
    rdv_request first = next(f);
    assert_int_equal(reply(f, first.id, "mumble"), RDV_OK);
    rdv_request again = next(f);
    rdv_error err;
    rdv_reply yes = {.text = RDV_STR("yes")};
    assert_int_equal(graph_reply(&f->g, first.id, &yes, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "request 0 is not waiting for a reply");
    assert_int_equal(graph_fail(&f->g, first.id, RDV_FAIL_TIMEOUT, RDV_STR(""), &err),
                     RDV_E_ARGUMENT);
    assert_int_equal(a->state, NODE_OUT); /* the failure of an earlier try changes nothing */
    assert_int_equal(reply(f, again.id, "yes"), RDV_OK);
    assert_int_equal(a->state, NODE_ANSWERED);
}

/* What waits for two others is ready after the second one, and not if it was dropped meanwhile. */
static void test_after__waits_for_both(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL), *b = add(f, "b", 2, NULL, NULL);
    node like = {.kind = &kind, .sample = RDV_STR("c"), .tries = 1};
    node *c = graph_add(&f->g, &like, NULL), *d = graph_add(&f->g, &like, NULL);
    assert_int_equal(graph_after(&f->g, c, a), RDV_OK);
    assert_int_equal(graph_after(&f->g, c, b), RDV_OK);
    assert_int_equal(graph_start(&f->g, c, NULL), RDV_OK);
    assert_int_equal(graph_drop(&f->g, d, NULL), RDV_OK);
    assert_int_equal(graph_start(&f->g, d, NULL), RDV_OK); /* it stays dropped */
    rdv_request first = next(f), second = next(f);
    assert_int_equal(reply(f, first.id, "yes"), RDV_OK);
    nothing_ready(f);
    assert_int_equal(reply(f, second.id, "yes"), RDV_OK);
    assert_text(next(f).text, "c");
    nothing_ready(f);
    assert_int_equal(d->state, NODE_DROPPED);
}

static int ask_badly(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    (void)arena;
    if (n->data)
        request->messages = n->data, request->n_messages = 1;
    request->reminder = RDV_STR("Yes or no?");
    return RDV_OK;
}

/* A reminder goes below what the user said: not to a text, nor to a turn of the assistant. */
static void test_reply__is_reminded_of_the_form_in_the_turn_of_the_user_only(void **state)
{
    fixture *f = *state;
    static const node_kind bare = {.ask = ask_badly, .read = read_it};
    static rdv_message begun = {RDV_ASSISTANT, {"It is", 5}};
    rdv_message *said[] = {NULL, &begun};
    for (size_t i = 0; i < 2; i++) {
        node like = {.kind = &bare, .data = said[i], .sample = RDV_STR("a"), .tries = 2};
        node *n = graph_add(&f->g, &like, NULL);
        assert_int_equal(graph_start(&f->g, n, NULL), RDV_OK);
        assert_int_equal(reply(f, next(f).id, "mumble"), RDV_OK);
        assert_int_equal(n->state, NODE_UNKNOWN);
        assert_int_equal(n->asked, 1);
    }
}

static void test_close__a_reply_that_was_not_read_is_not_asked_for_again(void **state)
{
    fixture *f = *state;
    node *a = add(f, "a", 1, NULL, NULL);
    rdv_request r = next(f);
    f->g.closed = true; /* as by the callback of a group, while the reply is being read */
    assert_int_equal(reply(f, r.id, "mumble"), RDV_OK);
    assert_int_equal(a->state, NODE_UNKNOWN);
    nothing_ready(f);
    assert_true(graph_done(&f->g));
}

/* ---- out of memory --------------------------------------------------------------------------- */

/* A small plan with all that can happen in one: replies that are read, that are not, that were cut
 * off, a call that fails, a node without an input, one that is dropped, and what is closed. */
typedef struct play {
    rdv_arena *arena;
    graph g;
    node *nodes[64];
    size_t n;
    bool told;
} play;

static int told_last(graph *g, node_group *group, rdv_error *err)
{
    play *p = group->data;
    for (size_t i = 0; i < p->n; i++)
        assert_true(node_is_settled(p->nodes[i]));
    p->told = true;
    return rdv_alloc(g->arena, 1) ? RDV_OK : rdv_no_memory(err);
}

static int keep_copy(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    (void)n;
    return rdv_str_copy(arena, reply->text).p ? RDV_OK : rdv_no_memory(err);
}

static node *play_node(play *p, const node_kind *of, void *data, node *needs, node_group *group)
{
    node like = {.kind = of,
                 .data = data,
                 .sample = RDV_STR("a"),
                 .order = graph_order(0, p->n, 0),
                 .tries = 2};
    node *n = graph_add(&p->g, &like, group);
    if (!n || (needs && graph_after(&p->g, n, needs) != RDV_OK))
        return NULL;
    p->nodes[p->n++] = n;
    return graph_start(&p->g, n, NULL) == RDV_OK ? n : NULL;
}

#define CROWD 40 /* nodes that wait for one: heaps and stacks grow while they are told */

static int build_play(play *p)
{
    static const node_kind kept = {.ask = ask, .read = read_it, .keep_cut_off = keep_copy};
    p->g.keeps_exchanges = true;
    node_group *group = graph_group(&p->g, told_last, p);
    if (!group)
        return RDV_E_NOMEM;
    node *a = play_node(p, &greedy, (void *)(uintptr_t) "Yes or no?", NULL, group);
    node *cut = a ? play_node(p, &kept, NULL, NULL, group) : NULL;
    node *fails = cut ? play_node(p, &kind, NULL, NULL, group) : NULL;
    node *idle = fails ? play_node(p, &kind, fails, fails, group) : NULL;
    node *dropped = idle ? play_node(p, &kind, NULL, NULL, group) : NULL;
    node *other = dropped ? play_node(p, &kind, NULL, NULL, group) : NULL;
    node *last = other ? play_node(p, &kind, a, a, group) : NULL;
    for (size_t i = 0; i < CROWD && last; i++)
        last = play_node(p, &kind, a, a, group);
    return last ? graph_seal(&p->g, group, NULL) : RDV_E_NOMEM;
}

/* What becomes of each request, in their order. */
static int answer_play(play *p, const rdv_request *request)
{
    const node *n = p->g.asked[request->id];
    bool again = n->asked > 1;
    rdv_reply r = {.text = RDV_STR("yes")};
    if (n == p->nodes[0] && !again)
        r.text = RDV_STR("mumble");
    if (n == p->nodes[1] && !again)
        r.finish = RDV_FINISH_OTHER;
    if (n == p->nodes[1] && again)
        r.finish = RDV_FINISH_LENGTH;
    if (n == p->nodes[2])
        return graph_fail(&p->g, request->id, RDV_FAIL_TIMEOUT, RDV_STR("60 s"), NULL);
    if (n == p->nodes[4])
        return graph_drop(&p->g, p->nodes[4], NULL);
    if (n == p->nodes[5])
        return graph_close(&p->g, RDV_FAIL_BUDGET, NULL);
    return graph_reply(&p->g, request->id, &r, NULL);
}

static int run_play(play *p)
{
    static const rdv_str model[2] = {{"m", 1}, {"m", 1}};
    rdv_request request;
    int rc = build_play(p);
    while (rc == RDV_OK && (rc = graph_next(&p->g, model, &request, NULL)) == RDV_OK)
        rc = answer_play(p, &request);
    return rc;
}

static void end_play(play *p)
{
    graph_free(&p->g);
    rdv_arena_free(&p->arena);
}

/* Wherever the memory ends, what was not answered in full is not taken for an answer. */
static bool plays(void)
{
    play p = {.arena = rdv_arena_new(0)};
    if (!p.arena)
        return false;
    graph_init(&p.g, p.arena);
    int rc = run_play(&p);
    assert_true(rc == RDV_NONE || rc == RDV_E_NOMEM);
    for (size_t i = 1; i < p.n; i++)
        assert_true(p.nodes[i]->state != NODE_ANSWERED);
    if (rc == RDV_NONE) {
        assert_int_equal(p.nodes[0]->state, NODE_ANSWERED);
        assert_text(p.nodes[1]->why, "the reply was cut off before its end");
        assert_text(p.nodes[3]->why, "timed out: 60 s");
        assert_int_equal(p.nodes[4]->state, NODE_DROPPED);
        assert_text(p.nodes[5]->why, "over budget");
        for (size_t i = 6; i < p.n; i++)
            assert_text(p.nodes[i]->why, "over budget");
        assert_true(p.told && graph_done(&p.g));
    }
    end_play(&p);
    return rc == RDV_NONE;
}

static void test_graph__without_memory(void **state)
{
    (void)state;
    assert_survives_no_memory(plays(), (void)0);
}

/* The first node that is settled, in each of the ways in which one is. */
static bool settles(int way)
{
    static const rdv_str model[2] = {{"m", 1}, {"m", 1}};
    play p = {.arena = rdv_arena_new(0)};
    rdv_request request;
    if (!p.arena)
        return false;
    graph_init(&p.g, p.arena);
    node_group *group = graph_group(&p.g, told_last, &p);
    node lacking = {.state = NODE_UNKNOWN, .why = RDV_STR("it was empty")};
    p.g.closed = way == 0;
    node *n = group ? play_node(&p, &kind, way == 1 ? &lacking : NULL, NULL, group) : NULL;
    int rc = n ? graph_seal(&p.g, group, NULL) : RDV_E_NOMEM;
    if (rc == RDV_OK && way > 0)
        rc = graph_next(&p.g, model, &request, NULL);
    if (rc == RDV_OK && way == 2)
        rc = graph_fail(&p.g, 0, RDV_FAIL_TIMEOUT, RDV_STR(""), NULL);
    if (rc == RDV_OK && way == 3)
        rc = graph_close(&p.g, RDV_FAIL_BUDGET, NULL);
    bool done = rc == RDV_OK || rc == RDV_NONE;
    assert_true(done || rc == RDV_E_NOMEM);
    assert_true(!n || n->state != NODE_ANSWERED);
    assert_true(!done || (n->state == NODE_UNKNOWN && p.told));
    assert_true(!done || p.g.n_cancelled == (way == 3)); /* what was out is taken back */
    end_play(&p);
    return done;
}

static void test_settling__without_memory(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++)
        assert_survives_no_memory(settles(way), (void)0);
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
        TEST(test_seal__tells_what_waits),
        TEST(test_drop__cancels_what_is_out_and_passes_over_what_is_ready),
        TEST(test_drop__takes_back_the_latest_request_only),
        TEST(test_drop__of_what_is_settled_changes_nothing),
        TEST(test_drop__of_what_waits),
        TEST(test_close__settles_all_that_is_open),
        TEST(test_reply__to_nothing_that_was_asked_is_refused),
        TEST(test_reply__names_the_request_that_waits),
        TEST(test_after__waits_for_both),
        TEST(test_reply__is_reminded_of_the_form_in_the_turn_of_the_user_only),
        TEST(test_close__a_reply_that_was_not_read_is_not_asked_for_again),
        cmocka_unit_test(test_graph__without_memory),
        cmocka_unit_test(test_settling__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
