/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges with a socket of the test's own, which answers by hand or not at all. */
#include "run/http.h"
#include "../test.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#define LONG 10000 /* ms: more than anything takes here */

typedef struct world {
    http *h;
    int listening;
    char url[40];
    http_queue done;
    uint64_t heard;
} world;

static int set_up(void **state)
{
    static world w;
    static const http_options options = {.connections = 1, .max_body = 1000, .connect_ms = LONG};
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    w = (world){.listening = socket(AF_INET, SOCK_STREAM, 0)};
    *state = &w;
    if (bind(w.listening, (struct sockaddr *)&at, sizeof at) != 0 ||
        getsockname(w.listening, (struct sockaddr *)&at, &len) != 0)
        return -1;
    snprintf(w.url, sizeof w.url, "http://127.0.0.1:%d/", ntohs(at.sin_port));
    return http_new(&w.h, &options, NULL);
}

static int tear_down(void **state)
{
    world *w = *state;
    http_free(&w->h);
    return close(w->listening);
}

static http_exchange exchange_of(world *w)
{
    return (http_exchange){
        .url = w->url, .direct = true, .heard = &w->heard, .done = &w->done, .timeout_ms = LONG};
}

static void start(world *w, http_exchange *x)
{
    rdv_error err = {0};
    if (http_start(w->h, x, &err) != RDV_OK)
        fail_msg("%s", err.msg);
}

static uint64_t now_ms(void)
{
    return uv_hrtime() / 1000000;
}

static http_exchange *wait_for_end(world *w)
{
    http_exchange *x;
    for (uint64_t began = now_ms(); !(x = http_next(w->h, &w->done));) {
        assert_true(now_ms() - began < LONG);
        http_wait(w->h, 50);
    }
    return x;
}

/* Answers the connection that waits: a head that promises more than the three bytes that follow. */
static int answer_in_part(world *w)
{
    static const char part[] = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc";
    http_wait(w->h, 50);
    int connection = accept(w->listening, NULL, NULL);
    assert_true(connection >= 0);
    assert_int_equal(send(connection, part, sizeof part - 1, 0), sizeof part - 1);
    return connection;
}

static void test_free__aborts_what_is_out(void **state)
{
    world *w = *state;
    http_exchange x = exchange_of(w);
    assert_int_equal(listen(w->listening, 8), 0);
    start(w, &x);
    int connection = answer_in_part(w);
    while (!x.len)
        http_wait(w->h, 50);
    http_free(&w->h);
    assert_null(w->h);
    assert_null(x.data);
    assert_null(w->done.first);
    close(connection);
}

/* It has ended, but nobody has taken it yet. */
static void test_abort__what_has_ended_is_not_returned(void **state)
{
    world *w = *state;
    http_exchange x = exchange_of(w); /* nobody listens */
    start(w, &x);
    while (!w->done.first)
        http_wait(w->h, 50);
    assert_int_equal(x.end, HTTP_UNREACHABLE);
    uint64_t began = now_ms();
    http_wait(w->h, LONG); /* there is something to take */
    assert_true(now_ms() - began < LONG);
    http_abort(w->h, &x);
    assert_null(http_next(w->h, &w->done));
}

/* A limit on the whole reply alone: pauses in it have none. */
static void test_stream__that_does_not_end(void **state)
{
    world *w = *state;
    http_exchange x = exchange_of(w);
    assert_int_equal(listen(w->listening, 8), 0);
    x.streamed = true;
    x.timeout_ms = 100;
    start(w, &x);
    int connection = answer_in_part(w);
    assert_ptr_equal(wait_for_end(w), &x);
    assert_int_equal(x.end, HTTP_TIMEOUT);
    assert_string_equal(x.why, "the reply did not end within 0.1 s of its beginning");
    assert_int_equal(x.len, 3);
    http_exchange_release(&x);
    close(connection);
}

static void test_may_pass__by_status(void **state)
{
    static const struct {
        long status;
        bool may;
    } cases[] = {{200, false}, {404, false}, {429, true}, {500, false}, {501, false},
                 {502, true},  {503, true},  {504, true}, {505, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        http_exchange x = {.status = cases[i].status};
        assert_int_equal(http_exchange_may_pass(&x), cases[i].may);
    }
    assert_true(http_exchange_may_pass(&(http_exchange){.end = HTTP_BROKEN, .status = 200}));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_free__aborts_what_is_out),
        TEST(test_abort__what_has_ended_is_not_returned),
        TEST(test_stream__that_does_not_end),
        TEST(test_may_pass__by_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
