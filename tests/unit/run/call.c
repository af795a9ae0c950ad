/* SPDX-License-Identifier: Apache-2.0 */
/* The containers that hold calls and open plans: by key, by time, in turn. */
#include "../test.h"
#include "base/rng.h"
#include "run/open_plans.h"

#include <stdlib.h>

#define N 500

static void set_key(waiter *w, size_t i)
{
    memset(w->request.key, 0, 32);
    w->request.key[0] = (unsigned char)(i % 7); /* many in one bucket */
    memcpy(w->request.key + 8, &i, sizeof i);
}

static void test_calls__by_key(void **state)
{
    static waiter waiters[N];
    calls all;
    size_t n = 0;
    assert_int_equal(calls_init(&all, 10), RDV_OK);
    for (size_t i = 0; i < N; i++) {
        set_key(&waiters[i], i);
        assert_null(calls_find(&all, waiters[i].request.key));
        assert_non_null(calls_add(&all, &waiters[i], NULL));
    }
    for (size_t i = 0; i < N; i++)
        assert_ptr_equal(calls_find(&all, waiters[i].request.key), waiters[i].call);
    for (call *c = calls_each(&all, NULL); c; c = calls_each(&all, c))
        n++;
    assert_int_equal(n, N);
    for (size_t i = 0; i < N; i++) {
        size_t k = (i * 131) % N;
        calls_remove(&all, waiters[k].call);
        assert_null(calls_find(&all, waiters[k].request.key));
    }
    assert_null(calls_each(&all, NULL));
    calls_free(&all);
}

static void test_calls__by_time(void **state)
{
    static call waiting[N];
    calls all;
    rdv_rng rng;
    rdv_rng_seed(&rng, 3);
    assert_int_equal(calls_init(&all, 10), RDV_OK);
    for (size_t i = 0; i < N; i++) {
        waiting[i].due = rdv_rng_below(&rng, 100);
        assert_int_equal(calls_wait(&all, &waiting[i]), RDV_OK);
    }
    for (size_t i = 0; i < N; i += 3) /* out of turn */
        calls_stop_waiting(&all, &waiting[i]);
    size_t n = 0;
    for (uint64_t last = 0; calls_first_due(&all); n++) {
        call *first = calls_first_due(&all);
        assert_true(first->due >= last);
        last = first->due;
        calls_stop_waiting(&all, first);
    }
    assert_int_equal(n, N - (N + 2) / 3);
    calls_free(&all);
}

static void test_queue__from_both_ends_and_the_middle(void **state)
{
    call c[4] = {0};
    call_queue q = {0};
    call_queue_push(&q, &c[1]);
    call_queue_push(&q, &c[2]);
    call_queue_push_front(&q, &c[0]);
    call_queue_push(&q, &c[3]);
    call_queue_remove(&q, &c[1]);
    assert_ptr_equal(q.first, &c[0]);
    assert_ptr_equal(c[0].next, &c[2]);
    assert_ptr_equal(c[2].before, &c[0]);
    call_queue_remove(&q, &c[3]);
    assert_ptr_equal(q.last, &c[2]);
    call_queue_remove(&q, &c[0]);
    call_queue_remove(&q, &c[2]);
    assert_null(q.first);
    assert_null(q.last);
    assert_int_equal(q.n, 0);
}

static void test_open_plans__the_earliest_that_is_ready(void **state)
{
    open_plans s;
    int sources[10];
    assert_int_equal(open_plans_init(&s, 4), RDV_OK);
    assert_null(open_plans_first(&s));
    for (int i = 0; i < 4; i++)
        open_plans_add(&s, &sources[i]);
    for (int i = 0; i < 4; i++) {
        open_plan *next = open_plans_next_ready(&s);
        assert_ptr_equal(next->source, &sources[i]);
        next->ready = false;
    }
    assert_null(open_plans_next_ready(&s));
    open_plans_mark_ready(&s, open_plans_at(&s, 2));
    open_plans_mark_ready(&s, open_plans_at(&s, 1));
    assert_ptr_equal(open_plans_next_ready(&s)->source, &sources[1]);
    open_plans_at(&s, 1)->closing = true;
    assert_ptr_equal(open_plans_next_ready(&s)->source, &sources[2]);
    open_plans_remove_first(&s);
    open_plan *fifth = open_plans_add(&s, &sources[4]); /* in the place of the first */
    assert_ptr_equal(fifth, open_plans_at(&s, 4));
    assert_ptr_equal(open_plans_first(&s)->source, &sources[1]);
    assert_int_equal(open_plans_count(&s), 4);
    open_plans_free(&s);
}

static void test_open_plans__waiters_by_request(void **state)
{
    waiter w[3] = {{.request.id = 5}, {.request.id = 6}, {.request.id = 7}};
    open_plan s = {0};
    for (int i = 0; i < 3; i++)
        open_plan_link(&s, &w[i]);
    assert_ptr_equal(open_plan_waiter(&s, 6), &w[1]);
    open_plan_unlink(&w[1]);
    assert_null(open_plan_waiter(&s, 6));
    open_plan_unlink(&w[2]);
    assert_ptr_equal(s.waiters, &w[0]);
    open_plan_unlink(&w[0]);
    assert_null(s.waiters);
}

/* Whatever waiter leaves, and wherever the waiters lie in memory, the others stay in their order,
 * and the call is sent with the request of the latest of them. */
static void test_waiters__leave_in_any_order(void **state)
{
    (void)state;
    for (size_t order = 0; order < 256; order++) {
        const size_t at[] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
        bool all = at[0] + at[1] + at[2] + at[3] == 6 && at[0] != at[1] && at[0] != at[2] &&
                   at[0] != at[3] && at[1] != at[2] && at[1] != at[3] && at[2] != at[3];
        for (size_t leaves = 0; all && leaves < 4; leaves++) {
            waiter w[4] = {{.request.id = 0}};
            call c = {.state = CALL_HELD};
            for (size_t i = 0; i < 4; i++)
                call_attach(&c, &w[at[i]]);
            call_detach(&w[leaves]);
            const waiter *now = c.waiters;
            assert_ptr_equal(c.sent.request, &now->request);
            for (size_t i = 4; i > 0; i--) {
                if (at[i - 1] == leaves)
                    continue;
                assert_ptr_equal(now, &w[at[i - 1]]);
                now = now->next;
            }
            assert_null(now);
        }
    }
}

static void test_waiters__none_is_left(void **state)
{
    waiter w = {.request.id = 1};
    call c = {.state = CALL_HELD};
    (void)state;
    call_attach(&c, &w);
    assert_ptr_equal(w.call, &c);
    call_detach(&w);
    assert_null(c.waiters);
    assert_null(c.sent.request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls__by_key),
        cmocka_unit_test(test_calls__by_time),
        cmocka_unit_test(test_queue__from_both_ends_and_the_middle),
        cmocka_unit_test(test_open_plans__the_earliest_that_is_ready),
        cmocka_unit_test(test_open_plans__waiters_by_request),
        cmocka_unit_test(test_waiters__leave_in_any_order),
        cmocka_unit_test(test_waiters__none_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
