/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in model's thread: what comes back, what is cancelled, and when it ends. */
#include "../lm/tiny.h"
#include "base/buf.h"
#include "run/builtin.h"

#include <math.h>
#include <uv.h>

#define MANY 40

/* An event loop of straw: a semaphore that wake() posts. */
typedef struct world {
    rdv_lm *lm;
    builtin *b;
    uv_sem_t news;
} world;

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
    if (builtin_new(&w->b, w->lm, wake, w, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    builtin_free(&w->b);
    rdv_lm_close(&w->lm);
    uv_sem_destroy(&w->news);
    free(w);
    return 0;
}

static builtin_event *next(world *w)
{
    builtin_event *event;
    while (!(event = builtin_next(w->b)))
        uv_sem_wait(&w->news);
    return event;
}

static const rdv_message hello[] = {{RDV_USER, {"Tom and the apples", 18}}};

static builtin_ask ask_of(uint64_t seed, uint32_t max_tokens)
{
    return (builtin_ask){.messages = hello,
                         .n_messages = 1,
                         .generate = true,
                         .sampling = {NAN, NAN, max_tokens, NULL, 0, true, 2},
                         .seed = seed};
}

static builtin_job *start(world *w, const builtin_ask *what, void *owner)
{
    builtin_job *job;
    rdv_error err = {0};
    if (builtin_start(w->b, what, owner, &job, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return job;
}

static rdv_str text_of(world *w, uint64_t seed, rdv_arena *arena)
{
    builtin_ask what = ask_of(seed, 12);
    start(w, &what, NULL);
    builtin_event *event = next(w);
    assert_int_equal(event->is, BUILTIN_REPLY);
    rdv_str text = rdv_str_copy(arena, event->text);
    builtin_event_free(&event);
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
    builtin_ask what[MANY];
    for (size_t i = 0; i < MANY; i++) {
        what[i] = ask_of(i, 12);
        start(w, &what[i], &alone[i]);
    }
    for (size_t i = 0; i < MANY; i++) {
        builtin_event *event = next(w);
        rdv_str *expected = event->owner;
        assert_true(rdv_str_eq(event->text, *expected));
        assert_true(event->tokens.n <= 12 && event->tokens.stride == 3);
        assert_int_equal(event->tokens.items[0].n_other, 2);
        builtin_event_free(&event);
    }
    assert_false(rdv_str_eq(alone[0], alone[1]));
    rdv_arena_free(&arena);
}

static void test_pieces__make_up_the_reply(void **state)
{
    world *w = *state;
    rdv_arena *arena = rdv_arena_new(0);
    builtin_ask what = ask_of(3, 12);
    what.stream = true;
    start(w, &what, NULL);
    rdv_buf said;
    rdv_buf_init(&said, arena, 0);
    builtin_event *event;
    while ((event = next(w))->is == BUILTIN_PIECE) {
        rdv_buf_add(&said, event->text);
        builtin_event_free(&event);
    }
    assert_int_equal(event->is, BUILTIN_REPLY);
    assert_true(rdv_str_eq(event->text, rdv_buf_str(&said)));
    builtin_event_free(&event);
    rdv_arena_free(&arena);
}

static void test_cancel__new_out_and_ended(void **state)
{
    world *w = *state;
    builtin_job *jobs[MANY];
    for (size_t i = 0; i < MANY; i++) {
        builtin_ask what = ask_of(i, i % 2 ? 1 : 0);
        what.stream = i % 3 == 0;
        jobs[i] = start(w, &what, NULL);
    }
    uv_sem_wait(&w->news); /* some have ended by now, some are out, some wait */
    for (size_t i = 0; i < MANY; i++)
        builtin_cancel(w->b, jobs[i]);
    assert_null(builtin_next(w->b));
    int last;
    builtin_ask what = ask_of(1, 1);
    start(w, &what, &last);
    builtin_event *event = next(w);
    assert_ptr_equal(event->owner, &last);
    builtin_event_free(&event);
}

static void test_free__with_jobs_under_way(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < MANY; i++) {
        builtin_ask what = ask_of(i, 0);
        start(w, &what, NULL);
    }
    uv_sem_wait(&w->news);
}

static void test_failure__a_prompt_that_does_not_fit(void **state)
{
    world *w = *state;
    char words[4000];
    memset(words, 'x', sizeof words);
    rdv_message message = {RDV_USER, {words, sizeof words}};
    builtin_ask what = ask_of(1, 1);
    what.messages = &message;
    start(w, &what, NULL);
    builtin_event *event = next(w);
    assert_int_equal(event->is, BUILTIN_FAILED);
    assert_int_equal(event->failure, RDV_FAIL_REFUSED);
    assert_int_equal(event->fault, RDV_E_LIMIT);
    assert_non_null(strstr(event->why, "tokens"));
    builtin_event_free(&event);
}

static void test_score__the_text_alone_or_the_whole_prompt(void **state)
{
    world *w = *state;
    builtin_ask what = {
        .messages = hello, .n_messages = 1, .text = RDV_STR("the apples"), .score = true};
    start(w, &what, NULL);
    builtin_event *text = next(w);
    what.score_all = true;
    start(w, &what, NULL);
    builtin_event *all = next(w);
    assert_true(all->scored.n > text->scored.n && text->scored.n > 0);
    assert_true(isnan(all->scored.items[0].logprob));
    for (size_t i = 0; i < text->scored.n; i++) {
        size_t k = all->scored.n - text->scored.n + i;
        assert_true(text->scored.items[i].logprob == all->scored.items[k].logprob);
    }
    assert_int_equal(all->completion_tokens, 0);
    builtin_event_free(&text);
    builtin_event_free(&all);
}

static void test_request__becomes_what_is_asked(void **state)
{
    (void)state;
    static const rdv_message half[] = {{RDV_USER, {"q", 1}}, {RDV_ASSISTANT, {"The", 3}}};
    rdv_request request = {
        .is = RDV_ASK_CONTINUE, .messages = half, .n_messages = 2, .key = {1, 2, 3, 4, 5, 6, 7, 8}};
    builtin_ask what;
    assert_int_equal(builtin_ask_of(&request, &what, NULL), RDV_OK);
    assert_int_equal(what.n_messages, 1);
    assert_text(what.text, "The");
    assert_true(what.seed == 0x0102030405060708 && what.generate && !what.score);
    request.is = RDV_ASK_SCORE;
    assert_int_equal(builtin_ask_of(&request, &what, NULL), RDV_OK);
    assert_true(what.score && !what.generate);
    request.is = RDV_ASK_REWARD;
    assert_int_equal(builtin_ask_of(&request, &what, NULL), RDV_NONE);
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
        cmocka_unit_test(test_request__becomes_what_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
