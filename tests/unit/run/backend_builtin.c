/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in model's thread: what comes back, what is cancelled, and when it ends. */
#include "../lm/tiny.h"
#include "base/buf.h"
#include "run/backend_builtin.h"
#include "run/builtin_text.h"

#include <math.h>
#include <uv.h>

#define MANY 40

/* An event loop of straw: a semaphore that wake() posts. */
typedef struct world {
    rdv_lm *lm;
    backend *b;
    uv_sem_t news;
} world;

/* A call and its request; `owner` is the test's. */
typedef struct asked {
    backend_call call;
    rdv_request request;
    void *owner;
} asked;

static void wake(void *of)
{
    world *w = of;
    uv_sem_post(&w->news);
}

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    rdv_error err = {0};
    if (!w || uv_sem_init(&w->news, 0) != 0)
        return -1;
    w->lm = tiny_open("f32");
    backend_builtin_options options = {.lm = w->lm, .wake = wake, .payload = w};
    if (backend_builtin_new(&w->b, &options, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    backend_free(&w->b);
    rdv_lm_close(&w->lm);
    uv_sem_destroy(&w->news);
    free(w);
    return 0;
}

static bool any(world *w, backend_event *event)
{
    return w->b->ops->next(w->b, NULL, event, NULL) == RDV_OK;
}

static backend_event next(world *w)
{
    backend_event event;
    while (!any(w, &event))
        uv_sem_wait(&w->news);
    return event;
}

static const rdv_message hello[] = {{RDV_USER, {"Tom and the apples", 18}}};

static asked ask_of(uint64_t seed, uint32_t max_tokens)
{
    asked a = {.request = {.messages = hello,
                           .n_messages = 1,
                           .sampling = {NAN, NAN, max_tokens, NULL, 0, true, 2}}};
    a.request.key[7] = (unsigned char)seed;
    return a;
}

static void start(world *w, asked *what, void *owner)
{
    rdv_error err = {0};
    what->owner = owner;
    what->call.request = &what->request;
    if (w->b->ops->start(w->b, &what->call, &err) != RDV_OK)
        fail_msg("%s", err.msg);
}

static rdv_str text_of(world *w, uint64_t seed, rdv_arena *arena)
{
    asked what = ask_of(seed, 12);
    start(w, &what, NULL);
    backend_event event = next(w);
    assert_int_equal(event.kind, BACKEND_REPLY);
    assert_null(what.call.state);
    rdv_str text = rdv_str_copy(arena, event.reply.text);
    rdv_arena_free(&event.arena);
    return text;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_reply__the_same_alone_and_in_company(void **state)
{
    world *w = *state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str alone[MANY];
    for (size_t i = 0; i < MANY; i++)
        alone[i] = text_of(w, i, arena);
    asked what[MANY];
    for (size_t i = 0; i < MANY; i++) {
        what[i] = ask_of(i, 12);
        start(w, &what[i], &alone[i]);
    }
    for (size_t i = 0; i < MANY; i++) {
        backend_event event = next(w);
        const rdv_str *expected = ((asked *)event.call)->owner;
        assert_true(rdv_str_eq(event.reply.text, *expected));
        assert_true(event.reply.n_tokens <= 12);
        assert_int_equal(event.reply.tokens[0].n_other, 2);
        rdv_arena_free(&event.arena);
    }
    assert_false(rdv_str_eq(alone[0], alone[1]));
    rdv_arena_free(&arena);
}

static void test_pieces__make_up_the_reply(void **state)
{
    world *w = *state;
    rdv_arena *arena = rdv_arena_new(0);
    asked what = ask_of(3, 12);
    what.call.extras = BACKEND_PIECES;
    start(w, &what, NULL);
    rdv_buf said;
    rdv_buf_init(&said, arena, 0);
    backend_event event;
    while ((event = next(w)).kind == BACKEND_PIECE) {
        rdv_buf_add(&said, event.reply.text);
        rdv_arena_free(&event.arena);
    }
    assert_int_equal(event.kind, BACKEND_REPLY);
    assert_true(rdv_str_eq(event.reply.text, rdv_buf_str(&said)));
    rdv_arena_free(&event.arena);
    rdv_arena_free(&arena);
}

static void test_cancel__new_out_and_ended(void **state)
{
    world *w = *state;
    asked many[MANY];
    for (size_t i = 0; i < MANY; i++) {
        many[i] = ask_of(i, i % 2 ? 1 : 0);
        many[i].call.extras = i % 3 == 0 ? BACKEND_PIECES : 0;
        start(w, &many[i], NULL);
    }
    uv_sem_wait(&w->news); /* some have ended by now, some are out, some wait */
    for (size_t i = 0; i < MANY; i++)
        w->b->ops->cancel(w->b, &many[i].call);
    backend_event event;
    assert_false(any(w, &event));
    asked last = ask_of(1, 1);
    start(w, &last, NULL);
    event = next(w);
    assert_ptr_equal(event.call, &last.call);
    rdv_arena_free(&event.arena);
}

static void test_free__with_jobs_under_way(void **state)
{
    world *w = *state;
    static asked many[MANY];
    for (size_t i = 0; i < MANY; i++) {
        many[i] = ask_of(i, 0);
        start(w, &many[i], NULL);
    }
    uv_sem_wait(&w->news);
}

static void test_failure__a_prompt_that_does_not_fit(void **state)
{
    world *w = *state;
    char words[4000];
    memset(words, 'x', sizeof words);
    rdv_message message = {RDV_USER, {words, sizeof words}};
    asked what = ask_of(1, 1);
    what.request.messages = &message;
    start(w, &what, NULL);
    backend_event event = next(w);
    assert_int_equal(event.kind, BACKEND_FAILED);
    assert_int_equal(event.failure, RDV_FAIL_REFUSED);
    assert_int_equal(event.fault, RDV_E_LIMIT);
    assert_non_null(strstr(event.why, "tokens"));
    rdv_arena_free(&event.arena);
}

static void test_score__the_text_alone_or_the_whole_prompt(void **state)
{
    world *w = *state;
    asked what = {.request = {.kind = RDV_REQUEST_SCORE,
                              .messages = hello,
                              .n_messages = 1,
                              .text = RDV_STR("the apples")}};
    start(w, &what, NULL);
    backend_event text = next(w);
    what.call.extras = BACKEND_PROMPT_LOGPROBS;
    start(w, &what, NULL);
    backend_event all = next(w);
    assert_text(text.reply.text, "the apples");
    assert_ptr_equal(text.reply.tokens, text.scored.items);
    assert_true(all.scored.n > text.scored.n && text.scored.n > 0);
    assert_true(isnan(all.scored.items[0].logprob));
    for (size_t i = 0; i < text.scored.n; i++) {
        size_t k = all.scored.n - text.scored.n + i;
        assert_true(text.scored.items[i].logprob == all.scored.items[k].logprob);
    }
    assert_int_equal(all.reply.completion_tokens, 0);
    rdv_arena_free(&text.arena);
    rdv_arena_free(&all.arena);
}

static void test_no_reply__only_the_prompt_is_scored(void **state)
{
    world *w = *state;
    asked what = ask_of(1, 5);
    what.call.extras = BACKEND_PROMPT_LOGPROBS | BACKEND_NO_REPLY;
    start(w, &what, NULL);
    backend_event event = next(w);
    assert_int_equal(event.kind, BACKEND_REPLY);
    assert_int_equal(event.reply.text.len, 0);
    assert_int_equal(event.reply.completion_tokens, 0);
    assert_true(event.scored.n == event.reply.prompt_tokens && event.scored.stride == 3);
    rdv_arena_free(&event.arena);
}

static void test_reward__cannot_be_done(void **state)
{
    world *w = *state;
    rdv_error err = {0};
    asked what = {.request = {.kind = RDV_REQUEST_REWARD}};
    what.call.request = &what.request;
    assert_int_equal(w->b->ops->start(w->b, &what.call, &err), RDV_NONE);
    assert_string_equal(err.msg, "this built-in model has no step head, so it gives no rewards");
}

static void test_job__is_made_of_the_request(void **state)
{
    world *w = *state;
    static const rdv_message half[] = {{RDV_USER, {"q", 1}}, {RDV_ASSISTANT, {"The", 3}}};
    rdv_request request = {.kind = RDV_REQUEST_CONTINUE,
                           .messages = half,
                           .n_messages = 2,
                           .key = {1, 2, 3, 4, 5, 6, 7, 8}};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_lm_job open, scored;
    assert_int_equal(builtin_text_job(w->lm, &request, 0, arena, &open, NULL), RDV_OK);
    assert_true(open.seed == 0x0102030405060708 && open.max_tokens && !open.score);
    request.kind = RDV_REQUEST_SCORE;
    assert_int_equal(builtin_text_job(w->lm, &request, 0, arena, &scored, NULL), RDV_OK);
    assert_true(scored.score && !scored.max_tokens);
    assert_int_equal(scored.n_prompt, open.n_prompt);
    rdv_arena_free(&arena);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reply__the_same_alone_and_in_company),
        TEST(test_pieces__make_up_the_reply),
        TEST(test_cancel__new_out_and_ended),
        TEST(test_free__with_jobs_under_way),
        TEST(test_failure__a_prompt_that_does_not_fit),
        TEST(test_score__the_text_alone_or_the_whole_prompt),
        TEST(test_no_reply__only_the_prompt_is_scored),
        TEST(test_reward__cannot_be_done),
        TEST(test_job__is_made_of_the_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
