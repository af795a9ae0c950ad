/* SPDX-License-Identifier: Apache-2.0 */
/* One request and its response as bytes, without sockets, answered by a model of straw. */
#include "../test.h"
#include "server/exchange.h"

#include <stdio.h>
#include <stdlib.h>

#define HOST "Host: localhost\r\n"
#define JSON HOST "Content-Type: application/json\r\n"

typedef struct straw {
    backend base;
    backend_call *call; /* the latest; NULL: none, or cancelled */
} straw;

static int straw_start(backend *b, backend_call *call, rdv_error *err)
{
    (void)err;
    ((straw *)b)->call = call;
    return RDV_OK;
}

static void straw_cancel(backend *b, backend_call *call)
{
    (void)call;
    ((straw *)b)->call = NULL;
}

static access_list *anybody; /* of all sites */
static const backend_ops ops = {.start = straw_start, .cancel = straw_cancel};
static const rdv_str names[] = {{"straw", 5}, {"a/straw", 7}};
static const serve_model models[] = {{.name = {"straw", 5}}, {.name = {"a/straw", 7}}};

typedef struct site {
    straw model;
    serve_options options;
    exchange_ctx ctx;
    exchange *x;
} site;

static void open_site(site *s)
{
    *s = (site){.model.base.ops = &ops,
                .options = {.max_body = 1000, .models = models, .n_models = 2}};
    s->ctx = (exchange_ctx){
        .options = &s->options,
        .relays = {
            .options = &s->options,
            .completions = {.backend = &s->model.base, .names = names, .n_names = 2, .most = 4}}};
    s->ctx.access = anybody;
    s->x = exchange_new(&s->ctx, s);
    assert_non_null(s->x);
}

static void close_site(site *s)
{
    exchange_free(&s->x);
}

static void take(site *s, const char *bytes)
{
    size_t n = strlen(bytes);
    while (n && exchange_phase_of(s->x) < EXCHANGE_DUE) {
        size_t used = exchange_take(s->x, bytes, n);
        bytes += used;
        n -= used;
    }
    assert_int_equal(n, 0);
    if (exchange_phase_of(s->x) == EXCHANGE_DUE)
        exchange_begin(s->x);
}

/* Read the response so far, at most `piece` bytes at a time. */
static char *read_out(site *s, size_t piece)
{
    char *all = calloc(1, 1 << 20);
    size_t n = 0;
    assert_non_null(all);
    for (rdv_str some; (some = exchange_output(s->x)).len;) {
        some.len = some.len < piece ? some.len : piece;
        assert_true(n + some.len < 1 << 20);
        memcpy(all + n, some.p, some.len);
        n += some.len;
        assert_false(exchange_is_over(s->x));
        exchange_sent(s->x, some.len);
    }
    return all;
}

static void assert_response(site *s, const char *status, const char *part)
{
    char *all = read_out(s, 100);
    if (strncmp(all, "HTTP/1.1 ", 9) != 0 || strncmp(all + 9, status, 3) != 0 || !strstr(all, part))
        fail_msg("no %s with \"%s\": %s", status, part, all);
    assert_true(exchange_is_over(s->x));
    free(all);
}

static void complete(site *s, backend_event_kind kind, const char *text)
{
    backend_event event = {.kind = kind,
                           .call = s->model.call,
                           .reply = {.text = rdv_str_of(text),
                                     .finish = RDV_FINISH_STOP,
                                     .usage = true,
                                     .prompt_tokens = 3,
                                     .completion_tokens = 2}};
    completion_take(&event);
}

/* ---- heads ----------------------------------------------------------------------------------- */

static void test_exchange__a_server_that_ends_takes_nothing(void **state)
{
    site s;
    open_site(&s);
    s.ctx.stopping = true;
    take(&s, "GET /health HTTP/1.1\r\n" HOST "\r\n");
    char *all = read_out(&s, SIZE_MAX);
    assert_memory_equal(all, "HTTP/1.1 503 ", 13);
    assert_non_null(strstr(all, "\r\nRetry-After: 1\r\n"));
    assert_non_null(strstr(all, "\r\nConnection: close\r\n"));
    assert_non_null(strstr(all, "The server is ending."));
    assert_false(exchange_keeps_alive(s.x));
    free(all);
    close_site(&s);
}

static void test_exchange__the_answer_of_a_server_that_begins_to_end_says_so(void **state)
{
    site s;
    open_site(&s);
    take(&s, "POST /v1/completions HTTP/1.1\r\n" JSON "Content-Length: 14\r\n\r\n{\"prompt\":");
    s.ctx.stopping = true;
    take(&s, "\"a\"}");
    complete(&s, BACKEND_REPLY, "straw");
    assert_response(&s, "200", "\r\nConnection: close\r\n");
    assert_false(exchange_keeps_alive(s.x));
    close_site(&s);
}

static void test_exchange__expectations(void **state)
{
    static const struct {
        const char *head, *output;
    } cases[] = {
        {"POST /v1/completions HTTP/1.1\r\n" JSON
         "Expect: 100-Continue\r\nContent-Length: 9\r\n\r\n",
         "HTTP/1.1 100 Continue\r\n\r\n"},
        {"POST /v1/completions HTTP/1.0\r\n" JSON
         "Expect: 100-continue\r\nContent-Length: 9\r\n\r\n",
         ""},
        {"POST /v1/completions HTTP/1.1\r\n" JSON "Expect: gold\r\nContent-Length: 9\r\n\r\n",
         "HTTP/1.1 417 "},
        {"POST /v1/completions HTTP/1.1\r\n" HOST
         "Expect: 100-continue\r\nContent-Length: 9\r\n\r\n",
         "HTTP/1.1 415 "}, /* refused before the body is sent */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        site s;
        open_site(&s);
        take(&s, cases[i].head);
        char *all = read_out(&s, 3);
        assert_memory_equal(all, cases[i].output, strlen(cases[i].output));
        assert_int_equal(exchange_phase_of(s.x) == EXCHANGE_ANSWER, i >= 2);
        free(all);
        close_site(&s);
    }
}

/* Bodies that are compressed are not read, and never taken for JSON (RFC 9110, section 15.5.16). */
static void test_exchange__codings_of_bodies(void **state)
{
    static const struct {
        const char *coding;
        bool taken;
    } cases[] = {{"gzip", false},    {"identity, gzip", false}, {"x", false},
                 {"identity", true}, {"IDENTITY", true},        {"", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char head[200];
        site s;
        open_site(&s);
        snprintf(head, sizeof head,
                 "POST /v1/completions HTTP/1.1\r\n" JSON
                 "Content-Encoding: %s\r\nContent-Length: 9\r\n\r\n",
                 cases[i].coding);
        take(&s, head);
        assert_int_equal(exchange_phase_of(s.x) == EXCHANGE_BODY, cases[i].taken);
        if (!cases[i].taken)
            assert_response(&s, "415", "\r\nAccept-Encoding: identity\r\n");
        close_site(&s);
    }
    site s; /* only for codings: RFC 9110, section 12.5.3 */
    open_site(&s);
    take(&s, "POST /v1/completions HTTP/1.1\r\n" HOST "Content-Length: 9\r\n\r\n");
    char *all = read_out(&s, SIZE_MAX);
    assert_memory_equal(all, "HTTP/1.1 415 ", 13);
    assert_null(strstr(all, "Accept-Encoding"));
    free(all);
    close_site(&s);
}

/* A whole address is answered as its path is; its host is checked as that of the header would be,
 * and instead of it. */
static void test_exchange__targets(void **state)
{
    static const struct {
        const char *request, *status, *part;
    } cases[] = {
        {"GET http://localhost/health HTTP/1.1\r\nHost: evil.example\r\n\r\n", "200", "ok"},
        {"GET http://evil.example/health HTTP/1.1\r\n" HOST "\r\n", "403", "'evil.example'"},
        {"GET http://evil.example/health HTTP/1.0\r\n\r\n", "403", "'evil.example'"},
        {"OPTIONS * HTTP/1.1\r\n" HOST "\r\n", "405", "\r\nAllow: GET, HEAD, POST\r\n"},
        {"GET /v1%2fmodels HTTP/1.1\r\n" HOST "\r\n", "404", "nothing at this address"},
        {"GET /v1/models%2fstraw HTTP/1.1\r\n" HOST "\r\n", "404", "nothing at this address"},
        {"GET /v1/models/a%2fstraw HTTP/1.1\r\n" HOST "\r\n", "200", "\"a/straw\""},
        {"GET /v1/models/a/straw HTTP/1.1\r\n" HOST "\r\n", "200", "\"a/straw\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        site s;
        open_site(&s);
        take(&s, cases[i].request);
        assert_response(&s, cases[i].status, cases[i].part);
        close_site(&s);
    }
}

static void test_exchange__a_head_alone(void **state)
{
    site s;
    open_site(&s);
    take(&s, "HEAD /v1/models/straw HTTP/1.1\r\n" HOST "\r\n");
    char *all = read_out(&s, SIZE_MAX);
    assert_memory_equal(all, "HTTP/1.1 200 ", 13);
    assert_null(
        strchr(strstr(all, "\r\n\r\n"), '{')); /* its length is said, its body is not sent */
    assert_null(strstr(all, "Content-Length: 0\r\n"));
    assert_true(exchange_keeps_alive(s.x));
    free(all);
    close_site(&s);
}

/* ---- responses ------------------------------------------------------------------------------- */

#define STREAM "{\"prompt\":\"a\",\"stream\":true}"

static void begin_stream(site *s, const char *version)
{
    char head[200];
    open_site(s);
    snprintf(head, sizeof head,
             "POST /v1/completions HTTP/%s\r\n" JSON "Content-Length: %zu\r\n\r\n%s", version,
             sizeof STREAM - 1, STREAM);
    take(s, head);
    assert_int_equal(exchange_output(s->x).len, 0); /* not before there is something to say */
}

/* HTTP/1.0 has no chunks: its stream ends with the connection. */
static void test_stream__to_an_old_client(void **state)
{
    site s;
    begin_stream(&s, "1.0");
    complete(&s, BACKEND_PIECE, "st");
    complete(&s, BACKEND_REPLY, "straw");
    char *all = read_out(&s, 7);
    assert_non_null(strstr(all, "\r\nConnection: close\r\n"));
    assert_null(strstr(all, "chunked"));
    const char *body = strstr(all, "\r\n\r\n") + 4;
    assert_memory_equal(body, "data: {", 7);
    assert_string_equal(all + strlen(all) - 16, "\n\ndata: [DONE]\n\n");
    assert_true(exchange_is_over(s.x));
    assert_false(exchange_keeps_alive(s.x));
    free(all);
    close_site(&s);
}

/* The bytes of chunks, without their frames. */
static size_t unframe(char *all)
{
    char *to = strstr(all, "\r\n\r\n") + 4, *from = to, *begin = to;
    for (size_t n; (n = strtoul(from, &from, 16)); from += n + 2) {
        assert_memory_equal(from, "\r\n", 2);
        from += 2;
        memmove(to, from, n);
        to += n;
        assert_memory_equal(from + n, "\r\n", 2);
    }
    assert_string_equal(from, "\r\n\r\n"); /* after the 0 of the last chunk */
    return (size_t)(to - begin);
}

/* A piece of more bytes than one block is sent in several; nothing is lost between them. */
static void test_stream__in_blocks(void **state)
{
    static char text[10001];
    site s;
    memset(text, 'x', sizeof text - 1);
    begin_stream(&s, "1.1");
    complete(&s, BACKEND_PIECE, text);
    complete(&s, BACKEND_REPLY, text);
    char *all = read_out(&s, 1000);
    size_t n = unframe(all), marks = 0;
    const char *body = strstr(all, "\r\n\r\n") + 4;
    for (size_t i = 0; i < n; i++)
        marks += body[i] == 'x';
    assert_in_range(marks, 10000, 10010); /* the letter also comes in names of members */
    assert_true(exchange_is_over(s.x) && exchange_keeps_alive(s.x));
    free(all);
    close_site(&s);
}

/* An error after the first event is an event too, and ends the stream; a second one is not said. */
static void test_stream__cut(void **state)
{
    site s;
    api_error f, later;
    begin_stream(&s, "1.1");
    complete(&s, BACKEND_PIECE, "st");
    api_error_set(&f, 503, NULL, "The server is ending.");
    api_error_set(&later, 503, NULL, "It has ended.");
    exchange_refuse(s.x, &f);
    exchange_refuse(s.x, &later);
    assert_null(s.model.call); /* nobody waits for it: it was cancelled */
    char *all = read_out(&s, 50);
    assert_memory_equal(all, "HTTP/1.1 200 ", 13);
    assert_non_null(strstr(all, "The server is ending."));
    assert_null(strstr(all, "It has ended."));
    assert_true(exchange_is_over(s.x));
    free(all);
    close_site(&s);
}

static void test_refuse__a_response_that_has_begun_stays_as_it_is(void **state)
{
    site s;
    api_error f;
    open_site(&s);
    take(&s, "GET /health HTTP/1.1\r\n" HOST "\r\n");
    exchange_sent(s.x, 20);
    api_error_set(&f, 503, NULL, "The reply took too long.");
    exchange_refuse(s.x, &f);
    char *all = read_out(&s, SIZE_MAX);
    assert_null(strstr(all, "too long"));
    assert_non_null(strstr(all, "{\"status\":\"ok\"}"));
    assert_int_equal(exchange_line(s.x, false).status, 200);
    assert_int_equal(exchange_line(s.x, true).status, 0); /* the client did not get it */
    free(all);
    close_site(&s);
}

/* ---- out of memory --------------------------------------------------------------------------- */

static const char *const requests[] = {
    "GET /health HTTP/1.1\r\n" HOST "\r\n",
    "GET /v1/models HTTP/1.1\r\n" HOST "\r\n",
    "GET /v1/models/straw HTTP/1.1\r\n" HOST "\r\n",
    "GET /v1/models/other HTTP/1.1\r\n" HOST "\r\n",
    "GET /nothing HTTP/1.1\r\n" HOST "\r\n",
    "POST /v1/completions HTTP/1.1\r\n" JSON "Content-Length: 14\r\n\r\n{\"prompt\":\"a\"}",
    "POST /v1/completions HTTP/1.1\r\n" JSON "Content-Length: 28\r\n\r\n" STREAM,
};

/* Whether the response was sent as a whole. Otherwise the exchange is broken, and says nothing. */
static bool answers(const char *request)
{
    site s;
    open_site(&s);
    take(&s, request);
    if (s.model.call && exchange_completion(s.x)) {
        complete(&s, BACKEND_PIECE, "st");
        complete(&s, BACKEND_REPLY, "straw");
    }
    char *all = read_out(&s, SIZE_MAX);
    bool whole = exchange_is_over(s.x) && all[9] != '5';
    assert_true(exchange_is_over(s.x) || exchange_is_broken(s.x));
    if (exchange_is_broken(s.x))
        assert_int_equal(exchange_output(s.x).len, 0);
    free(all);
    close_site(&s);
    return whole;
}

static void test_exchange__without_memory(void **state)
{
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        assert_survives_no_memory(answers(requests[i]), (void)0);
    exchange_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exchange__a_server_that_ends_takes_nothing),
        cmocka_unit_test(test_exchange__the_answer_of_a_server_that_begins_to_end_says_so),
        cmocka_unit_test(test_exchange__expectations),
        cmocka_unit_test(test_exchange__codings_of_bodies),
        cmocka_unit_test(test_exchange__targets),
        cmocka_unit_test(test_exchange__a_head_alone),
        cmocka_unit_test(test_stream__to_an_old_client),
        cmocka_unit_test(test_stream__in_blocks),
        cmocka_unit_test(test_stream__cut),
        cmocka_unit_test(test_refuse__a_response_that_has_begun_stays_as_it_is),
        cmocka_unit_test(test_exchange__without_memory),
    };
    anybody = access_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    access_release(&anybody);
    return failed;
}
