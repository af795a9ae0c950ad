/* SPDX-License-Identifier: Apache-2.0 */
/* Finished exchanges that wait to be taken. */
#include "../test.h"
#include "run/http.h"

static void fill(http_queue *q, http_exchange x[3])
{
    *q = (http_queue){0};
    for (size_t i = 0; i < 3; i++)
        http_queue_push(q, &x[i]);
}

static void test_remove__any_of_them(void **state)
{
    for (size_t gone = 0; gone < 3; gone++) {
        http_exchange x[3] = {{0}}, late = {0};
        http_queue q;
        fill(&q, x);
        http_queue_remove(&q, &x[gone]);
        http_queue_push(&q, &late); /* behind the last that is left */
        for (size_t i = 0; i < 3; i++)
            if (i != gone)
                assert_ptr_equal(http_queue_pop(&q), &x[i]);
        assert_ptr_equal(http_queue_pop(&q), &late);
        assert_null(http_queue_pop(&q));
    }
}

static void test_remove__the_only_one(void **state)
{
    http_exchange x = {0};
    http_queue q = {0};
    http_queue_push(&q, &x);
    http_queue_remove(&q, &x);
    assert_null(http_queue_pop(&q));
    http_queue_push(&q, &x);
    assert_ptr_equal(http_queue_pop(&q), &x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_remove__any_of_them),
        cmocka_unit_test(test_remove__the_only_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
