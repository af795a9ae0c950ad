/* SPDX-License-Identifier: Apache-2.0 */
/* A journal that is played again: what is in it, what is not, one call at a time. */
#include "../test.h"
#include "run/backend_transcript.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct world {
    char path[32];
    rdv_journal *journal;
    rdv_arena *arena;
    host host;
    backend *b;
} world;

static rdv_request request_of(unsigned char number)
{
    return (rdv_request){.sampling = {.temperature = NAN, .top_p = NAN}, .key = {number}};
}

static int set_up(void **state)
{
    static world w;
    rdv_request request = request_of(1);
    rdv_reply reply = {.text = RDV_STR("one"), .usage = true, .prompt_tokens = 7};
    w = (world){.path = "/tmp/rdv-transcript-XXXXXX", .arena = rdv_arena_new(0)};
    *state = &w;
    int fd = mkstemp(w.path);
    return fd < 0 || close(fd) != 0 ||
           rdv_journal_open(w.path, RDV_JOURNAL_WRITE, &w.journal, NULL) != RDV_OK ||
           journal_add(w.journal, &request, true, &reply, 1, NULL) != RDV_OK ||
           backend_transcript_new(&w.b, w.journal, &w.host, NULL) != RDV_OK;
}

static int tear_down(void **state)
{
    world *w = *state;
    backend_free(&w->b);
    rdv_journal_close(&w->journal);
    unlink(w->path);
    rdv_arena_free(&w->arena);
    return 0;
}

static int next(world *w, backend_event *event)
{
    return w->b->ops->next(w->b, w->arena, event, NULL);
}

static void test_reply__is_the_recorded_one(void **state)
{
    world *w = *state;
    rdv_request request = request_of(1);
    backend_call call = {.request = &request};
    backend_event event;
    assert_true(w->b->at_once);
    assert_int_equal(w->b->ops->start(w->b, &call, NULL), RDV_OK);
    assert_int_equal(next(w, &event), RDV_OK);
    assert_int_equal(event.kind, BACKEND_REPLY);
    assert_ptr_equal(event.call, &call);
    assert_text(event.reply.text, "one");
    assert_true(event.recorded && event.reply.prompt_tokens == 7);
    assert_null(call.state);
    assert_int_equal(next(w, &event), RDV_NONE);
}

static void test_missing__fails(void **state)
{
    world *w = *state;
    rdv_request request = request_of(2);
    backend_call call = {.request = &request};
    backend_event event;
    assert_int_equal(w->b->ops->start(w->b, &call, NULL), RDV_OK);
    assert_int_equal(next(w, &event), RDV_OK);
    assert_int_equal(event.kind, BACKEND_FAILED);
    assert_int_equal(event.failure, RDV_FAIL_MISSING);
    assert_string_equal(event.why, "the transcript has no such reply");
    assert_null(call.state);
}

static void test_start__one_call_at_a_time(void **state)
{
    world *w = *state;
    rdv_request request = request_of(1);
    backend_call first = {.request = &request}, second = {.request = &request};
    backend_event event;
    assert_int_equal(w->b->ops->start(w->b, &first, NULL), RDV_OK);
    assert_int_equal(w->b->ops->start(w->b, &second, NULL), RDV_LATER);
    w->b->ops->cancel(w->b, &second); /* which is not out: nothing happens */
    w->b->ops->cancel(w->b, &first);
    assert_null(first.state);
    assert_int_equal(next(w, &event), RDV_NONE);
    assert_int_equal(w->b->ops->start(w->b, &second, NULL), RDV_OK);
    assert_int_equal(next(w, &event), RDV_OK);
    assert_ptr_equal(event.call, &second);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reply__is_the_recorded_one),
        TEST(test_missing__fails),
        TEST(test_start__one_call_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
