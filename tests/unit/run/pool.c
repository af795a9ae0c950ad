/* SPDX-License-Identifier: Apache-2.0 */
/* Which server of a pool gets a call, and when a server is set aside. */
#include "../test.h"
#include "run/pool.h"

#include <stdio.h>

#define N 3

typedef struct world {
    run_context run;
    host hosts[N];
    backend members[N];
    pool pool;
    char said[RDV_ERROR_MAX];
} world;

static void hear(void *payload, const char *line)
{
    world *w = payload;
    snprintf(w->said, sizeof w->said, "%s", line);
}

static int set_up(void **state)
{
    static const char *const names[N] = {"http://a", "http://b", "http://c"};
    static world w;
    w = (world){.run.options = {.backoff_ms = 1000, .notice = hear, .payload = &w}};
    w.pool.run = &w.run;
    for (size_t i = 0; i < N; i++) {
        w.hosts[i].name = (rdv_str){names[i], 8};
        limit_init(&w.hosts[i].limit, 10, 0, 0, 0);
        w.members[i].host = &w.hosts[i];
        pool_add(&w.pool, &w.members[i]);
    }
    *state = &w;
    return 0;
}

/* The number of the server that is picked; -1: none. */
static int picked(world *w, const call *c, uint64_t now)
{
    backend *b = pool_pick(&w->pool, c, now);
    return b ? (int)b->place : -1;
}

static void fail_often(world *w, size_t i)
{
    for (int n = 0; n < 3; n++)
        pool_fault(&w->pool, &w->members[i], false, "HTTP 500");
}

static void test_pick__fewest_calls_in_flight(void **state)
{
    world *w = *state;
    call c = {0};
    for (int i = 0; i < 6; i++) {
        int place = picked(w, &c, 0);
        assert_int_equal(place, i % N);
        limit_start(&w->hosts[place].limit, 0, 1, 0);
    }
}

static void test_pick__faster_servers_have_more_in_flight(void **state)
{
    world *w = *state;
    call c = {0};
    size_t got[N] = {0};
    w->members[0].reply_ms = 100;
    w->members[1].reply_ms = 400;
    w->members[2].left_out = true;
    for (int i = 0; i < 5; i++) {
        int place = picked(w, &c, 0);
        got[place]++;
        w->hosts[place].limit.in_flight++;
    }
    assert_int_equal(got[0], 4);
    assert_int_equal(got[1], 1);
    assert_int_equal(got[2], 0);
}

/* One call at a time: each server is asked once, then the fastest. */
static void test_pick__one_that_was_never_asked(void **state)
{
    static const double takes[N] = {200, 300, 100};
    static const int wanted[] = {0, 1, 2, 2, 2};
    world *w = *state;
    call c = {0};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int place = picked(w, &c, 0);
        assert_int_equal(place, wanted[i]);
        w->members[place].reply_ms = takes[place];
    }
}

static void test_pick__only_where_there_is_room(void **state)
{
    world *w = *state;
    call c = {0};
    for (size_t i = 0; i < N; i++)
        while (limit_wait(&w->hosts[i].limit, 0) == 0)
            limit_start(&w->hosts[i].limit, 0, 1, 0);
    assert_int_equal(picked(w, &c, 0), -1);
    assert_true(pool_wait(&w->pool, &c, 0) == LIMIT_NEVER);
    limit_end(&w->hosts[2].limit, 0);
    assert_int_equal(picked(w, &c, 0), 2);
    assert_true(pool_wait(&w->pool, &c, 0) == 0);
}

static void test_pick__a_throttled_host_waits_alone(void **state)
{
    world *w = *state;
    call c = {0};
    limit_throttled(&w->hosts[0].limit, 0, 3000, 0);
    assert_int_equal(picked(w, &c, 0), 1);
    w->members[1].left_out = w->members[2].left_out = true;
    assert_true(pool_wait(&w->pool, &c, 0) == 3000);
    assert_int_equal(picked(w, &c, 3000), 0);
}

/* A call that was tried elsewhere is not kept for a server that takes no calls for long. */
static void test_pick__no_call_waits_for_a_throttled_host(void **state)
{
    world *w = *state;
    call c = {0};
    uint64_t now = run_now(&w->run);
    w->members[2].left_out = true;
    limit_throttled(&w->hosts[0].limit, now, 3600000, now);
    pool_tried(&c, &w->members[1]);
    assert_false(pool_has_other(&w->pool, &c));
    assert_int_equal(picked(w, &c, now), 1);
}

static void test_unfit__is_not_sent_there(void **state)
{
    world *w = *state;
    call c = {0};
    pool_unfit(&c, &w->members[0]);
    assert_true(pool_fits(&w->pool, &c));
    assert_int_equal(picked(w, &c, 0), 1);
    pool_unfit(&c, &w->members[1]);
    assert_true(pool_fits(&w->pool, &c));
    pool_unfit(&c, &w->members[2]);
    assert_false(pool_fits(&w->pool, &c));
    assert_int_equal(picked(w, &c, 0), -1);
}

/* A server that was asked in vain, and then takes the call in another form, gets it again; else
 * neither this server nor any other would. */
static void test_stays__although_it_was_tried(void **state)
{
    world *w = *state;
    call c = {.backend = &w->members[1], .stays = true};
    c.tried = 1u << w->members[1].place;
    assert_int_equal(picked(w, &c, 0), 1);
}

/* The last server that a call fits is left out: there is none, and none is waited for. */
static void test_unfit__and_the_others_left_out(void **state)
{
    world *w = *state;
    call c = {0};
    pool_unfit(&c, &w->members[0]);
    pool_unfit(&c, &w->members[1]);
    w->members[2].left_out = true;
    assert_false(pool_fits(&w->pool, &c));
    assert_int_equal(picked(w, &c, 0), -1);
}

static void test_tried__others_come_first(void **state)
{
    world *w = *state;
    call c = {0};
    pool_tried(&c, &w->members[0]);
    assert_true(pool_has_other(&w->pool, &c));
    assert_int_equal(picked(w, &c, 0), 1);
    pool_tried(&c, &w->members[1]);
    pool_tried(&c, &w->members[2]);
    assert_false(pool_has_other(&w->pool, &c));
    assert_int_equal(picked(w, &c, 0), 0);
}

static void test_aside__after_three_faults_in_a_row(void **state)
{
    world *w = *state;
    call c = {0};
    for (int n = 0; n < 2; n++)
        pool_fault(&w->pool, &w->members[0], false, "HTTP 500");
    pool_works(&w->pool, &w->members[0]);
    for (int n = 0; n < 2; n++)
        pool_fault(&w->pool, &w->members[0], false, "HTTP 500");
    assert_int_equal(picked(w, &c, run_now(&w->run)), 0);
    pool_fault(&w->pool, &w->members[0], false, "HTTP 500");
    assert_int_equal(picked(w, &c, run_now(&w->run)), 1);
    assert_string_equal(w->said, "http://a is set aside and tried again later; the other servers "
                                 "go on: HTTP 500");
}

static void test_aside__is_tried_by_one_call(void **state)
{
    world *w = *state;
    call c = {0};
    fail_often(w, 0);
    uint64_t due = w->hosts[0].aside_until;
    w->members[0].reply_ms = 1; /* the first choice, but for that */
    w->members[1].reply_ms = w->members[2].reply_ms = 100;
    assert_int_equal(picked(w, &c, due - 1), 1);
    assert_int_equal(picked(w, &c, due), 0);
    limit_start(&w->hosts[0].limit, 0, 1, due);
    assert_int_equal(picked(w, &c, due), 1);
    limit_end(&w->hosts[0].limit, 0);
    pool_works(&w->pool, &w->members[0]);
    assert_string_equal(w->said, "http://a answers again");
    assert_int_equal(picked(w, &c, due), 0);
    assert_int_equal(w->hosts[0].pause_ms, 0);
}

/* A server that comes and goes is told of once, and so is its return. */
static void test_aside__is_said_once(void **state)
{
    world *w = *state;
    for (int i = 0; i < 3; i++) {
        w->said[0] = '\0';
        fail_often(w, 0);
        assert_int_equal(w->said[0] != '\0', i == 0);
        w->said[0] = '\0';
        pool_works(&w->pool, &w->members[0]);
        assert_int_equal(w->said[0] != '\0', i == 0);
    }
}

static void test_aside__the_pause_doubles_up_to_a_minute(void **state)
{
    world *w = *state;
    uint64_t wanted = 1000;
    fail_often(w, 0);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(w->hosts[0].pause_ms, wanted);
        pool_fault(&w->pool, &w->members[0], false, "late"); /* of a call that was in flight */
        assert_int_equal(w->hosts[0].pause_ms, wanted);
        w->hosts[0].aside_until = 0; /* as if the pause were over */
        pool_fault(&w->pool, &w->members[0], false, "HTTP 500");
        wanted = 2 * wanted < 60000 ? 2 * wanted : 60000;
    }
}

/* If all are set aside, all are asked, as one server that fails. */
static void test_aside__all(void **state)
{
    world *w = *state;
    call c = {0};
    for (size_t i = 0; i < N; i++)
        fail_often(w, i);
    assert_int_equal(picked(w, &c, 0), 0);
    assert_false(pool_has_other(&w->pool, &c));
    assert_true(pool_unreachable(&w->pool));
    w->hosts[1].responses = 1;
    assert_false(pool_unreachable(&w->pool));
}

static void test_stays__until_its_server_fails(void **state)
{
    world *w = *state;
    call c = {.backend = &w->members[2], .stays = true};
    assert_int_equal(picked(w, &c, 0), 2);
    w->members[2].left_out = true;
    assert_int_equal(picked(w, &c, 0), 0);
}

static void test_stays__until_its_server_is_set_aside(void **state)
{
    world *w = *state;
    call c = {.backend = &w->members[2], .stays = true};
    fail_often(w, 2);
    assert_int_equal(picked(w, &c, run_now(&w->run)), 0);
}

/* Without a pause between tries a server is still left alone for a moment. */
static void test_aside__without_backoff(void **state)
{
    world *w = *state;
    w->run.options.backoff_ms = 0;
    fail_often(w, 0);
    assert_int_equal(w->hosts[0].pause_ms, 1);
}

static void test_unreachable__those_left_out_do_not_count(void **state)
{
    world *w = *state;
    w->hosts[0].responses = 1;
    assert_true(pool_leave_out(&w->pool, &w->members[0]));
    fail_often(w, 1);
    assert_false(pool_unreachable(&w->pool));
    fail_often(w, 2);
    assert_true(pool_unreachable(&w->pool));
}

static void test_left_out__but_for_the_last(void **state)
{
    world *w = *state;
    assert_true(pool_leave_out(&w->pool, &w->members[0]));
    assert_true(pool_leave_out(&w->pool, &w->members[1]));
    assert_false(pool_leave_out(&w->pool, &w->members[2]));
    assert_false(w->members[2].left_out);
}

static void test_one_server__is_never_set_aside(void **state)
{
    world *w = *state;
    call c = {0};
    w->pool.n = 1;
    fail_often(w, 0);
    fail_often(w, 0);
    assert_int_equal(w->hosts[0].pause_ms, 0);
    assert_int_equal(picked(w, &c, 0), 0);
}

static void test_same_hosts__in_any_order(void **state)
{
    world *w = *state;
    backend a = {.host = &w->hosts[1]}, b = {.host = &w->hosts[0]};
    pool other = {0};
    pool_add(&other, &a);
    pool_add(&other, &b);
    assert_false(pool_same_hosts(&w->pool, &other));
    w->pool.n = 2;
    assert_true(pool_same_hosts(&w->pool, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_pick__fewest_calls_in_flight, set_up),
        cmocka_unit_test_setup(test_pick__faster_servers_have_more_in_flight, set_up),
        cmocka_unit_test_setup(test_pick__one_that_was_never_asked, set_up),
        cmocka_unit_test_setup(test_pick__only_where_there_is_room, set_up),
        cmocka_unit_test_setup(test_pick__a_throttled_host_waits_alone, set_up),
        cmocka_unit_test_setup(test_pick__no_call_waits_for_a_throttled_host, set_up),
        cmocka_unit_test_setup(test_unfit__is_not_sent_there, set_up),
        cmocka_unit_test_setup(test_stays__although_it_was_tried, set_up),
        cmocka_unit_test_setup(test_unfit__and_the_others_left_out, set_up),
        cmocka_unit_test_setup(test_tried__others_come_first, set_up),
        cmocka_unit_test_setup(test_aside__after_three_faults_in_a_row, set_up),
        cmocka_unit_test_setup(test_aside__is_tried_by_one_call, set_up),
        cmocka_unit_test_setup(test_aside__is_said_once, set_up),
        cmocka_unit_test_setup(test_aside__the_pause_doubles_up_to_a_minute, set_up),
        cmocka_unit_test_setup(test_aside__all, set_up),
        cmocka_unit_test_setup(test_stays__until_its_server_fails, set_up),
        cmocka_unit_test_setup(test_stays__until_its_server_is_set_aside, set_up),
        cmocka_unit_test_setup(test_aside__without_backoff, set_up),
        cmocka_unit_test_setup(test_unreachable__those_left_out_do_not_count, set_up),
        cmocka_unit_test_setup(test_left_out__but_for_the_last, set_up),
        cmocka_unit_test_setup(test_one_server__is_never_set_aside, set_up),
        cmocka_unit_test_setup(test_same_hosts__in_any_order, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
