/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges with a socket of the test's own, which answers by hand or not at all. */
#include "run/http.h"
#include "../test.h"
#include "run/retry.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

/* What cannot be started is said at once: libcurl takes no address of more than 8 million bytes. */
static void test_start__of_what_libcurl_refuses(void **state)
{
    world *w = *state;
    http_exchange x = exchange_of(w);
    rdv_error err = {0};
    char *url = malloc(8000002);
    assert_non_null(url);
    memset(url, 'a', 8000001);
    url[8000001] = '\0';
    x.url = url;
    assert_int_equal(http_start(w->h, &x, &err), RDV_E_IO);
    assert_true(rdv_starts(rdv_str_of(err.msg), RDV_STR("a call to aaa")));
    assert_null(x.easy);
    free(url);
}

/* Once everything that has ended was taken, a wait takes its time, and no processor. */
static void test_wait__for_nothing(void **state)
{
    world *w = *state;
    http_exchange x = exchange_of(w); /* nobody listens */
    start(w, &x);
    assert_ptr_equal(wait_for_end(w), &x);
    uint64_t began = now_ms();
    size_t waits = 0;
    for (; now_ms() - began < 300; waits++)
        http_wait(w->h, LONG);
    assert_true(waits <= 20); /* the check for stalled bodies wakes it now and then */
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

/* Waits for a request on the connection (-1: on a new one), whose bytes are put in `asked`. */
static int take_request(world *w, int connection, char *asked, size_t size)
{
    size_t n = 0;
    *asked = '\0';
    for (uint64_t began = now_ms(); !strstr(asked, "\r\n\r\n");) {
        assert_true(now_ms() - began < LONG && n + 1 < size);
        http_wait(w->h, 5);
        if (connection < 0)
            connection = accept4(w->listening, NULL, NULL, SOCK_NONBLOCK);
        ssize_t came = connection < 0 ? 0 : recv(connection, asked + n, size - 1 - n, MSG_DONTWAIT);
        n += came > 0 ? (size_t)came : 0;
        asked[n] = '\0';
    }
    return connection;
}

static void listen_unblocked(world *w)
{
    assert_int_equal(listen(w->listening, 8), 0);
    assert_int_equal(fcntl(w->listening, F_SETFL, O_NONBLOCK), 0);
}

#define HEAD "HTTP/1.1 200 OK\r\n"

/* Each way in which a response ends is told apart, with its status, what came of its body, and how
 * long the server asks to wait. */
static void test_response__every_end(void **state)
{
    world *w = *state;
    static char full[1100], over[1101];
    memset(full, 'x', sizeof full);
    memset(over, 'x', sizeof over);
    static const char full_head[] = HEAD "Content-Length: 1000\r\n\r\n";
    memcpy(full, full_head, sizeof full_head - 1);
    memcpy(over, full_head, sizeof full_head - 1);
    over[sizeof HEAD - 1 + sizeof "Content-Length: 100" - 1] = '1';
    const struct {
        const char *says;
        size_t len; /* 0: a text */
        bool closes;
        uint32_t timeout_ms, idle_ms;
        http_end end;
        long status;
        size_t body;
        uint64_t wait_ms;
        const char *why; /* NULL: anything but nothing */
    } cases[] = {
        {HEAD "Content-Length: 3\r\n\r\nabc", 0, false, LONG, LONG, HTTP_DONE, 200, 3,
         RETRY_NOT_GIVEN, ""},
        {HEAD "\r\nabcd", 0, true, LONG, 0, HTTP_DONE, 200, 4, RETRY_NOT_GIVEN, ""},
        {"HTTP/1.1 204 No\r\n\r\n", 0, false, LONG, 0, HTTP_DONE, 204, 0, RETRY_NOT_GIVEN, ""},
        {"HTTP/1.1 429 No\r\nRetry-After: 7\r\nContent-Length: 1\r\n\r\na", 0, false, LONG, 0,
         HTTP_DONE, 429, 1, 7000, ""},
        {"HTTP/1.1 503 No\r\nRetry-After: Sun, 06 Nov 2094 08:49:37 GMT\r\nContent-Length: 0\r\n"
         "\r\n",
         0, false, LONG, 0, HTTP_DONE, 503, 0, RETRY_MAX_MS, ""},
        {"HTTP/1.1 503 No\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n"
         "\r\n",
         0, false, LONG, 0, HTTP_DONE, 503, 0, 0, ""},
        {"HTTP/1.1 302 No\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n", 0, false, LONG, 0,
         HTTP_DONE, 302, 0, RETRY_NOT_GIVEN, ""},
        {HEAD "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", 0, false, LONG,
         0, HTTP_DONE, 200, 5, RETRY_NOT_GIVEN, ""},
        {full, sizeof full_head - 1 + 1000, false, LONG, 0, HTTP_DONE, 200, 1000, RETRY_NOT_GIVEN,
         ""},
        {over, sizeof full_head - 1 + 1001, false, LONG, 0, HTTP_TOO_LONG, 200, 0, RETRY_NOT_GIVEN,
         "a reply of more than 1000 bytes"},
        {HEAD "Content-Length: 9\r\n\r\nabc", 0, true, LONG, 0, HTTP_BROKEN, 200, 3,
         RETRY_NOT_GIVEN, NULL},
        {"", 0, true, LONG, 0, HTTP_BROKEN, 0, 0, RETRY_NOT_GIVEN, NULL},
        {"", 0, false, 500, 0, HTTP_TIMEOUT, 0, 0, RETRY_NOT_GIVEN, NULL},
        {HEAD "Content-Length: 9\r\n\r\nabc", 0, false, LONG, 100, HTTP_TIMEOUT, 200, 3,
         RETRY_NOT_GIVEN, "the reply stopped coming after 3 bytes"},
    };
    listen_unblocked(w);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char asked[2000];
        http_exchange x = exchange_of(w);
        size_t len = cases[i].len ? cases[i].len : strlen(cases[i].says);
        x.timeout_ms = cases[i].timeout_ms;
        x.idle_ms = cases[i].idle_ms;
        start(w, &x);
        int connection = take_request(w, -1, asked, sizeof asked);
        assert_int_equal(send(connection, cases[i].says, len, MSG_NOSIGNAL), len);
        if (cases[i].closes)
            shutdown(connection, SHUT_WR);
        assert_ptr_equal(wait_for_end(w), &x);
        close(connection);
        assert_int_equal(x.end, cases[i].end);
        assert_int_equal(x.retry_after_ms, cases[i].wait_ms);
        if (x.end != HTTP_BROKEN && x.end != HTTP_TIMEOUT)
            assert_int_equal(x.status, cases[i].status);
        if (x.end != HTTP_TOO_LONG)
            assert_int_equal(x.len, cases[i].body);
        if (cases[i].body && cases[i].body <= 5)
            assert_memory_equal(x.data, "abcde", cases[i].body);
        if (cases[i].why)
            assert_string_equal(x.why, cases[i].why);
        else
            assert_true(x.why[0] != '\0');
        assert_false(x.out_of_memory);
        http_exchange_release(&x);
        assert_null(x.data);
        assert_true(x.len == 0 && x.cap == 0);
    }
}

/* What is sent: GET without a body, POST with one; no header that makes the server wait; and the
 * second exchange uses the connection of the first. */
static void test_request__what_is_sent(void **state)
{
    static const char done[] = HEAD "Content-Length: 2\r\n\r\nok";
    world *w = *state;
    char asked[2000];
    int connection = -1;
    listen_unblocked(w);
    for (size_t i = 0; i < 4; i++) {
        http_exchange x = exchange_of(w);
        x.body = i % 2 ? RDV_STR("{\"a\":1}") : x.body;
        uint64_t before = http_now(w->h);
        start(w, &x);
        connection = take_request(w, connection, asked, sizeof asked);
        assert_memory_equal(asked, i % 2 ? "POST / HTTP/1.1\r\n" : "GET / HTTP/1.1\r\n",
                            i % 2 ? 17 : 16);
        assert_non_null(strstr(asked, "User-Agent: rederive\r\n"));
        if (i % 2)
            assert_non_null(strstr(asked, "Content-Length: 7\r\n"));
        assert_int_equal(send(connection, done, sizeof done - 1, MSG_NOSIGNAL), sizeof done - 1);
        assert_ptr_equal(wait_for_end(w), &x);
        assert_int_equal(x.end, HTTP_DONE);
        assert_memory_equal(x.data, "ok", 2);
        assert_true(w->heard >= before);
        http_exchange_release(&x);
    }
    close(connection);
}

/* A body that comes in many pieces is put together, and several exchanges may be out at a time. */
static void test_response__in_pieces_beside_another(void **state)
{
    static const char head[] = HEAD "Content-Length: 900\r\n\r\n";
    world *w = *state;
    char asked[2000], piece[30];
    http_exchange x[2] = {exchange_of(w), exchange_of(w)};
    int connections[2];
    listen_unblocked(w);
    for (size_t i = 0; i < 2; i++) {
        x[i].idle_ms = LONG;
        start(w, &x[i]);
        connections[i] = take_request(w, -1, asked, sizeof asked);
        assert_int_equal(send(connections[i], head, sizeof head - 1, MSG_NOSIGNAL),
                         sizeof head - 1);
    }
    for (size_t k = 0; k < 30; k++) {
        for (size_t i = 0; i < 2; i++) {
            memset(piece, (int)('A' + k + i), sizeof piece);
            assert_int_equal(send(connections[i], piece, sizeof piece, MSG_NOSIGNAL), sizeof piece);
        }
        http_wait(w->h, 1);
    }
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(wait_for_end(w)->end, HTTP_DONE);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(x[i].len, 900);
        for (size_t k = 0; k < 900; k++)
            assert_int_equal(x[i].data[k], (char)('A' + k / 30 + i));
        http_exchange_release(&x[i]);
        close(connections[i]);
    }
}

/* Of this many that move at once, each of which takes its time, one turn of the loop takes some. */
#define CROWD 100

static void take_time(http_exchange *x)
{
    (void)x;
    usleep(100);
}

static void test_crowd__shares_the_loop(void **state)
{
    static const char answer[] = HEAD "Content-Length: 3\r\n\r\nabc";
    world *w = *state;
    char asked[2000];
    http_exchange x[CROWD];
    int connections[CROWD];
    size_t moved = 0;
    listen_unblocked(w);
    for (size_t i = 0; i < CROWD; i++) {
        x[i] = exchange_of(w);
        x[i].news = take_time;
        start(w, &x[i]);
        connections[i] = take_request(w, -1, asked, sizeof asked);
    }
    for (size_t i = 0; i < CROWD; i++)
        assert_int_equal(send(connections[i], answer, sizeof answer - 1, MSG_NOSIGNAL),
                         sizeof answer - 1);
    http_wait(w->h, 0);
    for (size_t i = 0; i < CROWD; i++)
        moved += x[i].len > 0;
    assert_in_range(moved, 1, CROWD - 1);
    for (size_t i = 0; i < CROWD; i++)
        assert_int_equal(wait_for_end(w)->end, HTTP_DONE);
    for (size_t i = 0; i < CROWD; i++) {
        assert_int_equal(x[i].len, 3);
        http_exchange_release(&x[i]);
        close(connections[i]);
    }
}

/* A stream that has not begun may wait as long as the server sends any data at all. */
static void test_stream__that_does_not_begin(void **state)
{
    world *w = *state;
    char asked[2000];
    http_exchange x = exchange_of(w);
    listen_unblocked(w);
    x.streamed = true;
    x.timeout_ms = 600;
    start(w, &x);
    int connection = take_request(w, -1, asked, sizeof asked);
    uint64_t began = now_ms();
    while (now_ms() - began < 900) {
        w->heard = http_now(w->h); /* it sends data of another exchange */
        http_wait(w->h, 10);
        assert_null(w->done.first);
    }
    assert_ptr_equal(wait_for_end(w), &x);
    assert_int_equal(x.end, HTTP_TIMEOUT);
    assert_string_equal(x.why, "the server sent nothing for 0.6 s");
    assert_true(now_ms() - began >= 1400);
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
        TEST(test_free__aborts_what_is_out),       TEST(test_abort__what_has_ended_is_not_returned),
        TEST(test_stream__that_does_not_end),      TEST(test_response__every_end),
        TEST(test_start__of_what_libcurl_refuses), TEST(test_wait__for_nothing),
        TEST(test_request__what_is_sent),          TEST(test_response__in_pieces_beside_another),
        TEST(test_stream__that_does_not_begin),    TEST(test_may_pass__by_status),
        TEST(test_crowd__shares_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
