/* SPDX-License-Identifier: Apache-2.0 */
/* The time and number of connections, with limits of milliseconds. The model is of straw. */
#include "../test.h"
#include "server/connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define GET "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define HALF                                                                                       \
    "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"       \
    "Content-Length: 100\r\n\r\n{"
#define LONG 10000 /* ms: for a limit that is not to be reached */

#define ASK                                                                                        \
    "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"       \
    "Content-Length: "
#define ASK_WHOLE ASK "14\r\n\r\n{\"prompt\":\"a\"}"
#define ASK_STREAM ASK "28\r\n\r\n{\"prompt\":\"a\",\"stream\":true}"
#define MOST_CALLS 4
#define CHECK                                                                                      \
    "POST /rederive/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"       \
    "Content-Length: 36\r\n\r\n{\"question\":\"q\",\"solution\":\"1 = 1\"}\n"

/* A model that answers when it is told to. */
typedef struct straw {
    backend base;
    backend_call *calls[MOST_CALLS];
    size_t n, cancelled;
    unsigned start_ms; /* that it takes to begin */
    backend_event event;
    bool has_event;
} straw;

static int straw_start(backend *b, backend_call *call, rdv_error *err)
{
    (void)err;
    straw *s = (straw *)b;
    assert_true(s->n < MOST_CALLS);
    usleep(s->start_ms * 1000);
    s->calls[s->n++] = call;
    return RDV_OK;
}

static void straw_cancel(backend *b, backend_call *call)
{
    (void)call;
    ((straw *)b)->cancelled++;
}

static int straw_next(backend *b, rdv_arena *arena, backend_event *out, rdv_error *err)
{
    (void)arena, (void)err;
    straw *s = (straw *)b;
    if (!s->has_event)
        return RDV_NONE;
    s->has_event = false;
    *out = s->event;
    return RDV_OK;
}

static const backend_ops straw_ops = {straw_start, straw_cancel, straw_next, NULL, NULL, NULL};
static const serve_model one_model = {.name = {"straw", 5}};

typedef struct site {
    straw model;
    uv_loop_t loop;
    uv_tcp_t listening;
    uv_timer_t sweep;
    serve_options options;
    connections all;
    struct sockaddr_in at;
    size_t accepted;
} site;

static void on_connection(uv_stream_t *listening, int status)
{
    site *s = listening->data;
    assert_int_equal(status, 0);
    connections_accept(&s->all, listening);
    s->accepted++;
}

static void on_sweep(uv_timer_t *timer)
{
    connections_sweep(&((site *)timer->data)->all);
}

static void open_site(site *s, size_t most)
{
    int len = sizeof s->at;
    *s = (site){.model.base.ops = &straw_ops,
                .options = {.models = &one_model,
                            .n_models = 1,
                            .max_body = 1000,
                            .requests = 2,
                            .head_ms = LONG,
                            .body_ms = LONG,
                            .idle_ms = LONG,
                            .stall_ms = LONG,
                            .request_ms = LONG}};
    assert_int_equal(uv_loop_init(&s->loop), 0);
    assert_int_equal(uv_ip4_addr("127.0.0.1", 0, &s->at), 0);
    uv_tcp_init(&s->loop, &s->listening);
    uv_timer_init(&s->loop, &s->sweep);
    s->listening.data = s->sweep.data = s;
    assert_int_equal(uv_tcp_bind(&s->listening, (struct sockaddr *)&s->at, 0), 0);
    assert_int_equal(uv_listen((uv_stream_t *)&s->listening, 8, on_connection), 0);
    assert_int_equal(uv_tcp_getsockname(&s->listening, (struct sockaddr *)&s->at, &len), 0);
    uv_timer_start(&s->sweep, on_sweep, 5, 5);
    s->all = (connections){.loop = &s->loop,
                           .most = most,
                           .exchanges = {.options = &s->options,
                                         .relays = {.options = &s->options,
                                                    .completions = {.backend = &s->model.base,
                                                                    .names = &one_model.name,
                                                                    .n_names = 1,
                                                                    .most = MOST_CALLS},
                                                    .loop = &s->loop,
                                                    .wake = connection_wake},
                                         .access = access_new()}};
    assert_true(connections_init(&s->all));
}

static void close_handle(uv_handle_t *handle, void *unused)
{
    (void)unused;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void close_site(site *s)
{
    connections_close(&s->all);
    uv_walk(&s->loop, close_handle, NULL);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    access_release(&s->all.exchanges.access);
    assert_int_equal(uv_loop_close(&s->loop), 0);
}

/* A client's socket, since when, and what it has read. */
typedef struct client {
    int socket;
    uint64_t began;
    char read[8192];
    size_t n;
    bool closed;
} client;

static uint64_t now_ms(void)
{
    return uv_hrtime() / 1000000;
}

static void turn(site *s)
{
    for (int i = 0; i < 5; i++) {
        uv_run(&s->loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
}

/* Run until this holds, however slow the machine is: what one side sends need not have come to the
 * other after any number of turns. */
#define wait_until(s, holds)                                                                       \
    do {                                                                                           \
        uint64_t began = now_ms();                                                                 \
        while (!(holds) && now_ms() - began < LONG)                                                \
            turn(s);                                                                               \
        assert_true(holds);                                                                        \
    } while (0)

/* Without a turn of the loop. */
static void connect_client(site *s, client *c, const char *text)
{
    *c = (client){.socket = socket(AF_INET, SOCK_STREAM, 0), .began = now_ms()};
    assert_int_equal(connect(c->socket, (struct sockaddr *)&s->at, sizeof s->at), 0);
    assert_int_equal(fcntl(c->socket, F_SETFL, O_NONBLOCK), 0);
    if (*text)
        assert_int_equal(send(c->socket, text, strlen(text), 0), strlen(text));
}

static void open_client(site *s, client *c, const char *text)
{
    connect_client(s, c, text);
    turn(s);
}

static void read_some(client *c)
{
    ssize_t n = recv(c->socket, c->read + c->n, sizeof c->read - 1 - c->n, 0);
    c->closed |= n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
    c->n += n > 0 ? (size_t)n : 0;
    c->read[c->n] = '\0';
}

static bool is_closed(client *c)
{
    read_some(c);
    return c->closed;
}

/* How often `text` is in what the client has read. */
static size_t count_read(client *c, const char *text)
{
    size_t n = 0;
    read_some(c);
    for (const char *p = c->read; (p = strstr(p, text)); p += strlen(text))
        n++;
    return n;
}

/* Run until the server has closed this connection; returns how many milliseconds it was open. */
static uint64_t wait_for_end(site *s, client *c)
{
    wait_until(s, is_closed(c));
    close(c->socket);
    return now_ms() - c->began;
}

static bool is_open(site *s, client *c)
{
    turn(s);
    return !is_closed(c);
}

static void wait_for_answer(site *s, client *c)
{
    wait_until(s, count_read(c, "HTTP/1.1 ") == 1);
}

#define assert_status(c, status) assert_memory_equal((c)->read, "HTTP/1.1 " status, 12)

static void test_connection__silent(void **state)
{
    site s;
    client c;
    open_site(&s, 8);
    s.options.head_ms = 60;
    open_client(&s, &c, "");
    assert_true(wait_for_end(&s, &c) >= 60);
    assert_int_equal(c.n, 0);
    close_site(&s);
}

static void test_connection__idle_after_a_request(void **state)
{
    site s;
    client c;
    open_site(&s, 8);
    s.options.idle_ms = 60;
    open_client(&s, &c, GET);
    assert_true(wait_for_end(&s, &c) >= 60);
    assert_status(&c, "200");
    close_site(&s);
}

/* Bytes that come now and then do not help. */
static void test_connection__slow_head(void **state)
{
    site s;
    client c;
    open_site(&s, 8);
    s.options.head_ms = 100;
    open_client(&s, &c, "GET /");
    while (is_open(&s, &c) && now_ms() - c.began < LONG)
        send(c.socket, "a", 1, MSG_NOSIGNAL); /* it may have been closed since */
    assert_true(wait_for_end(&s, &c) >= 100);
    assert_status(&c, "408");
    close_site(&s);
}

static void test_connection__slow_body(void **state)
{
    site s;
    client c;
    open_site(&s, 8);
    s.options.body_ms = 60;
    open_client(&s, &c, HALF);
    assert_true(wait_for_end(&s, &c) >= 60);
    assert_status(&c, "408");
    close_site(&s);
}

/* Responses pile up until the system takes no more; then the client has stall_ms to read. */
static void test_connection__reads_nothing(void **state)
{
    site s;
    client c;
    open_site(&s, 8);
    open_client(&s, &c, "");
    for (int i = 0; i < 200000 && !(s.all.answering.n && i % 100 == 0); i++) {
        ssize_t n = send(c.socket, GET, sizeof GET - 1, MSG_NOSIGNAL);
        if (n != sizeof GET - 1) /* in the middle of one is well enough */
            turn(&s);
        if (n < 0 && s.all.answering.n)
            break;
    }
    assert_int_equal(s.all.answering.n, 1);
    s.options.stall_ms = 60;
    wait_until(&s, s.all.answering.n == 0);
    close(c.socket);
    close_site(&s);
}

static void test_connection__the_oldest_idle_one_makes_room(void **state)
{
    site s;
    client idle, half, next;
    open_site(&s, 2);
    open_client(&s, &idle, GET);
    wait_for_answer(&s, &idle);
    open_client(&s, &half, HALF);
    wait_until(&s, s.all.receiving.n == 1);
    open_client(&s, &next, GET);
    wait_for_answer(&s, &next);
    assert_status(&next, "200");
    wait_for_end(&s, &idle);
    assert_true(is_open(&s, &half) && is_open(&s, &next));
    close(half.socket), close(next.socket);
    close_site(&s);
}

static void test_connection__the_oldest_body_makes_room(void **state)
{
    site s;
    client c[3];
    open_site(&s, 8);
    for (size_t i = 0; i < 3; i++) {
        open_client(&s, &c[i], HALF);
        wait_until(&s, s.all.receiving.n == (i < 2 ? i + 1 : 2) && s.all.waiting.n == 0);
    }
    wait_for_end(&s, &c[0]);
    assert_status(&c[0], "408");
    assert_int_equal(s.all.receiving.n, 2);
    assert_true(is_open(&s, &c[1]) && is_open(&s, &c[2]));
    close(c[1].socket), close(c[2].socket);
    close_site(&s);
}

/* All are receiving bodies, and no idle one can be closed. */
static void test_connection__no_room(void **state)
{
    site s;
    client c[2], next;
    open_site(&s, 2);
    open_client(&s, &c[0], HALF);
    open_client(&s, &c[1], HALF);
    wait_until(&s, s.all.receiving.n == 2);
    open_client(&s, &next, "");
    wait_for_end(&s, &next);
    assert_status(&next, "503");
    close(c[0].socket), close(c[1].socket);
    close_site(&s);
}

static void test_connection__data_and_end_together(void **state)
{
    site s;
    open_site(&s, 8);
    for (int i = 0; i < 50; i++) {
        client c = {.socket = socket(AF_INET, SOCK_STREAM, 0)};
        assert_int_equal(connect(c.socket, (struct sockaddr *)&s.at, sizeof s.at), 0);
        send(c.socket, HALF, sizeof HALF - 1, 0);
        close(c.socket);
        turn(&s);
    }
    wait_until(&s,
               s.accepted == 50 &&
                   s.all.receiving.n + s.all.waiting.n + s.all.leaving.n + s.all.answering.n == 0);
    close_site(&s);
}

/* A client that has its last response and does not close gives its place back after two seconds. */
static void test_connection__that_is_not_closed(void **state)
{
    site s;
    client c;
    open_site(&s, 8);
    open_client(&s, &c, "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    wait_until(&s, s.all.leaving.n == 1);
    uint64_t left = now_ms();
    wait_until(&s, s.all.leaving.n == 0);
    assert_in_range(now_ms() - left, 1000, 4000);
    close(c.socket);
    close_site(&s);
}

static void test_connection__requests_ahead(void **state)
{
    site s;
    client c;
    open_site(&s, 8);
    open_client(&s, &c, GET GET "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n" GET);
    wait_until(&s, count_read(&c, "HTTP/1.1 ") == 4);
    size_t n = 0;
    for (const char *p = c.read; (p = strstr(p, "HTTP/1.1 ")); p++)
        assert_memory_equal(p + 9, n++ == 2 ? "404" : "200", 3);
    assert_int_equal(n, 4);
    close(c.socket);
    close_site(&s);
}

/* ---- responses that are longer than what the system takes ------------------------------------ */

#define MANY 20000 /* models, of which each is in the response twice */

/* Ask for the list, and read none of it. Returns once some of it is under way. */
static void ask_for_much(site *s, client *c, serve_model *models)
{
    for (size_t i = 0; i < MANY; i++)
        models[i].name = RDV_STR("a-model-whose-name-is-of-some-length");
    s->options.models = models;
    s->options.n_models = MANY;
    open_client(s, c, "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n");
    wait_until(s, s->all.answering.n == 1);
}

/* Read to the end of the connection. Returns how many bytes the body had, *said: how many its
 * head said. */
static size_t read_to_end(site *s, client *c, size_t *said)
{
    size_t all = 0, head = 0;
    *said = 0;
    while (!c->closed) {
        read_some(c);
        if (all == 0 && c->n) {
            const char *length = strstr(c->read, "Content-Length: ");
            assert_non_null(length);
            *said = strtoul(length + 16, NULL, 10);
            head = (size_t)(strstr(c->read, "\r\n\r\n") + 4 - c->read);
        }
        assert_null(strstr(c->read, "too long")); /* no second response within the first */
        all += c->n;
        c->n = 0;
        uv_run(&s->loop, UV_RUN_NOWAIT);
    }
    close(c->socket);
    return all - head;
}

/* The client will send nothing more; it is given the whole response nevertheless. */
static void test_connection__ends_its_side_first(void **state)
{
    static serve_model models[MANY];
    site s;
    client c;
    size_t said;
    open_site(&s, 8);
    ask_for_much(&s, &c, models);
    assert_int_equal(shutdown(c.socket, SHUT_WR), 0);
    turn(&s);
    assert_int_equal(s.all.answering.n, 1);
    size_t got = read_to_end(&s, &c, &said);
    assert_int_equal(got, said);
    assert_true(said > 2 * MANY * 36);
    assert_int_equal(s.all.leaving.n + s.all.waiting.n + s.all.answering.n, 0);
    close_site(&s);
}

/* It reads, but not fast enough: after request_ms and stall_ms its time is over. */
static void test_connection__reads_slowly(void **state)
{
    static serve_model models[MANY];
    site s;
    client c;
    open_site(&s, 8);
    ask_for_much(&s, &c, models);
    s.options.request_ms = 40;
    s.options.stall_ms = 40;
    size_t all = 0;
    for (int i = 0; i < 400 && s.all.answering.n; i++) {
        c.n = 0;
        read_some(&c);
        all += c.n;
        assert_null(strstr(c.read, "too long"));
        turn(&s);
    }
    assert_int_equal(s.all.answering.n, 0);
    assert_true(all < 2 * MANY * 36);
    close(c.socket);
    close_site(&s);
}

static void test_connection__the_one_that_does_not_read_makes_room(void **state)
{
    static serve_model models[MANY];
    site s;
    client c, next;
    open_site(&s, 1);
    ask_for_much(&s, &c, models);
    open_client(&s, &next, GET);
    wait_for_answer(&s, &next);
    assert_true(is_open(&s, &next));
    assert_status(&next, "200");
    assert_int_equal(s.all.answering.n, 0);
    close(c.socket), close(next.socket);
    close_site(&s);
}

/* The one reply that is being made is not given up for another client. */
static void test_connection__an_unfinished_reply_makes_no_room(void **state)
{
    site s;
    client c, next;
    open_site(&s, 1);
    open_client(&s, &c, ASK_WHOLE);
    wait_until(&s, s.model.n == 1);
    open_client(&s, &next, GET);
    wait_for_end(&s, &next);
    assert_status(&next, "503");
    s.model.event = (backend_event){
        .kind = BACKEND_REPLY, .call = s.model.calls[0], .reply = {.text = RDV_STR("straw")}};
    s.model.has_event = true;
    connections_take_turn(&s.all);
    wait_for_answer(&s, &c);
    assert_status(&c, "200");
    close(c.socket);
    close_site(&s);
    assert_int_equal(s.model.cancelled, 0);
}

/* The client resets the connection while the response waits to be written. */
static void test_connection__reset(void **state)
{
    static serve_model models[MANY];
    static const struct linger at_once = {.l_onoff = 1};
    site s;
    client c;
    open_site(&s, 8);
    ask_for_much(&s, &c, models);
    assert_int_equal(setsockopt(c.socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
    close(c.socket);
    wait_until(&s, s.all.answering.n == 0);
    close_site(&s);
}

/* ---- replies of the model -------------------------------------------------------------------- */

static void complete(site *s, size_t i, backend_event_kind kind, const char *text)
{
    s->model.event = (backend_event){
        .kind = kind, .call = s->model.calls[i], .reply = {.text = rdv_str_of(text)}};
    s->model.has_event = true;
    connections_take_turn(&s->all);
    turn(s);
}

static void test_reply__to_whom_it_is_for(void **state)
{
    site s;
    client c[2];
    open_site(&s, 8);
    open_client(&s, &c[0], ASK_WHOLE);
    wait_until(&s, s.model.n == 1);
    open_client(&s, &c[1], ASK_WHOLE);
    wait_until(&s, s.model.n == 2);
    complete(&s, 1, BACKEND_REPLY, "second");
    wait_for_answer(&s, &c[1]);
    assert_true(is_open(&s, &c[0]) && is_open(&s, &c[1]));
    assert_int_equal(c[0].n, 0);
    assert_non_null(strstr(c[1].read, "second"));
    complete(&s, 0, BACKEND_REPLY, "first");
    wait_for_answer(&s, &c[0]);
    assert_true(is_open(&s, &c[0]));
    assert_non_null(strstr(c[0].read, "first"));
    close(c[0].socket), close(c[1].socket);
    close_site(&s);
    assert_int_equal(s.model.cancelled, 0);
}

static void test_reply__takes_too_long(void **state)
{
    site s;
    client c;
    open_site(&s, 8);
    s.options.request_ms = 60;
    open_client(&s, &c, ASK_WHOLE);
    wait_for_answer(&s, &c);
    assert_status(&c, "503");
    assert_non_null(strstr(c.read, "The reply took too long."));
    assert_int_equal(s.model.cancelled, 1);
    close(c.socket);
    close_site(&s);
}

/* A request whose reply is being written leaves no room for another body. */
static void test_reply__no_room_for_a_body(void **state)
{
    site s;
    client c, next;
    open_site(&s, 8);
    s.options.requests = 1;
    open_client(&s, &c, ASK_WHOLE);
    wait_until(&s, s.model.n == 1);
    open_client(&s, &next, HALF);
    wait_for_end(&s, &next);
    assert_status(&next, "503");
    assert_non_null(strstr(next.read, "Too many requests are being answered"));
    complete(&s, 0, BACKEND_REPLY, "straw");
    wait_for_answer(&s, &c);
    assert_status(&c, "200");
    close(c.socket);
    close_site(&s);
}

/* A client that has gone does not wait for the model: not before a stream, nor in it. */
static void test_reply__nobody_waits_for_it(void **state)
{
    static char text[1 << 20];
    memset(text, 'x', sizeof text - 1);
    for (int pieces = 0; pieces < 20; pieces += 19) {
        site s;
        client c;
        open_site(&s, 8);
        open_client(&s, &c, ASK_STREAM);
        wait_until(&s, s.model.n == 1);
        for (int i = 0; i < pieces; i++)
            complete(&s, 0, BACKEND_PIECE, text);
        assert_int_equal(s.all.generating.n, 1);
        shutdown(c.socket, SHUT_WR);
        wait_until(&s, s.all.generating.n == 0);
        assert_int_equal(s.model.cancelled, 1);
        close(c.socket);
        close_site(&s);
    }
}

/* Nor where more requests stand behind it than are read ahead, so that its end is not read. */
static void test_reply__nobody_waits_behind_requests(void **state)
{
    static char more[16 * 1024];
    memset(more, 'x', sizeof more);
    for (int reset = 0; reset < 2; reset++) {
        site s;
        client c;
        open_site(&s, 8);
        open_client(&s, &c, ASK_WHOLE);
        wait_until(&s, s.model.n == 1);
        assert_int_equal(send(c.socket, more, sizeof more, 0), sizeof more);
        wait_until(&s, s.all.generating.first && s.all.generating.n == 1);
        for (int i = 0; i < 20; i++)
            uv_run(&s.loop, UV_RUN_ONCE);
        assert_int_equal(s.all.generating.n, 1); /* it still waits for its response */
        struct linger at_once = {.l_onoff = reset};
        setsockopt(c.socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(c.socket);
        wait_until(&s, s.all.generating.n == 0);
        assert_int_equal(s.model.cancelled, 1);
        close_site(&s);
    }
}

/* Requests that come at once are begun a few in a turn of the loop; who asks for something else is
 * answered between them. */
static void test_crowd__is_begun_in_turns(void **state)
{
    site s;
    client crowd[MOST_CALLS], other;
    open_site(&s, 8);
    s.options.requests = 8;
    s.model.start_ms = 5;
    for (size_t i = 0; i < MOST_CALLS; i++)
        connect_client(&s, &crowd[i], ASK_WHOLE);
    for (uint64_t began = now_ms(); !s.all.due.n && now_ms() - began < LONG;)
        uv_run(&s.loop, UV_RUN_NOWAIT);
    connect_client(&s, &other, GET);
    for (uint64_t began = now_ms(); !count_read(&other, "HTTP/1.1 ") && now_ms() - began < LONG;)
        uv_run(&s.loop, UV_RUN_NOWAIT);
    assert_status(&other, "200");
    assert_true(s.model.n < MOST_CALLS);
    wait_until(&s, s.model.n == MOST_CALLS);
    assert_int_equal(s.all.due.n, 0);
    for (size_t i = 0; i < MOST_CALLS; i++)
        close(crowd[i].socket);
    close(other.socket);
    close_site(&s);
}

/* One that leaves while it waits for its turn is not begun, and a server that ends tells it. */
static void test_crowd__ends_before_its_turn(void **state)
{
    for (int cut = 0; cut < 2; cut++) {
        site s;
        client c;
        open_site(&s, 8);
        uv_check_stop(&s.all.after_sockets); /* no turn is taken */
        connect_client(&s, &c, ASK_WHOLE);
        wait_until(&s, s.all.due.n == 1);
        assert_false(connections_are_idle(&s.all));
        if (cut) {
            connections_cut(&s.all);
            wait_for_answer(&s, &c);
            assert_status(&c, "503");
        } else {
            shutdown(c.socket, SHUT_WR);
            wait_until(&s, s.all.due.n == 0);
        }
        assert_int_equal(s.model.n, 0);
        close(c.socket);
        close_site(&s);
    }
}

static void log_slowly(void *payload, const serve_line *line)
{
    (void)payload, (void)line;
    usleep(5000);
}

/* What is computed for many ends at once: each turn of the loop takes some. */
static void test_crowd__is_answered_in_turns(void **state)
{
    site s;
    client crowd[3];
    open_site(&s, 8);
    uv_timer_stop(&s.sweep); /* it wakes them too */
    s.options.requests = 8;
    s.options.log = log_slowly;
    uv_check_stop(&s.all.after_sockets); /* turns are taken here alone */
    for (size_t i = 0; i < 3; i++)
        open_client(&s, &crowd[i], CHECK);
    wait_until(&s, s.all.due.n == 3);
    for (uint64_t began = now_ms(); s.all.due.n && now_ms() - began < LONG;)
        connections_take_turn(&s.all);
    wait_until(&s, s.all.woken && s.all.woken != s.all.last_woken);
    size_t before = s.all.generating.n;
    connections_take_turn(&s.all);
    assert_int_equal(s.all.generating.n, before - 1);
    assert_non_null(s.all.woken);
    for (size_t i = 0; i < 3; i++)
        close(crowd[i].socket);
    close_site(&s);
}

/* One that was woken, twice, and then leaves. */
static void test_reply__woken_for_nobody(void **state)
{
    site s;
    client c;
    open_site(&s, 8);
    open_client(&s, &c, ASK_STREAM);
    wait_until(&s, s.model.n == 1);
    connection_wake(s.all.generating.first);
    connection_wake(s.all.generating.first);
    assert_non_null(s.all.woken);
    assert_ptr_equal(s.all.woken, s.all.last_woken);
    close(c.socket);
    wait_until(&s, s.all.generating.n == 0);
    assert_null(s.all.woken);
    assert_null(s.all.last_woken);
    connections_take_turn(&s.all);
    close_site(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crowd__is_begun_in_turns),
        cmocka_unit_test(test_crowd__ends_before_its_turn),
        cmocka_unit_test(test_crowd__is_answered_in_turns),
        cmocka_unit_test(test_reply__woken_for_nobody),
        cmocka_unit_test(test_connection__silent),
        cmocka_unit_test(test_connection__idle_after_a_request),
        cmocka_unit_test(test_connection__slow_head),
        cmocka_unit_test(test_connection__slow_body),
        cmocka_unit_test(test_connection__reads_nothing),
        cmocka_unit_test(test_connection__the_oldest_idle_one_makes_room),
        cmocka_unit_test(test_connection__the_oldest_body_makes_room),
        cmocka_unit_test(test_connection__no_room),
        cmocka_unit_test(test_connection__data_and_end_together),
        cmocka_unit_test(test_connection__that_is_not_closed),
        cmocka_unit_test(test_connection__requests_ahead),
        cmocka_unit_test(test_connection__ends_its_side_first),
        cmocka_unit_test(test_connection__reads_slowly),
        cmocka_unit_test(test_connection__the_one_that_does_not_read_makes_room),
        cmocka_unit_test(test_connection__an_unfinished_reply_makes_no_room),
        cmocka_unit_test(test_connection__reset),
        cmocka_unit_test(test_reply__to_whom_it_is_for),
        cmocka_unit_test(test_reply__takes_too_long),
        cmocka_unit_test(test_reply__no_room_for_a_body),
        cmocka_unit_test(test_reply__nobody_waits_for_it),
        cmocka_unit_test(test_reply__nobody_waits_behind_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
