/* SPDX-License-Identifier: Apache-2.0 */
/* Requests as bytes: what is read of them, and what is refused with which words. Each is read as a
 * whole and byte by byte. */
#include "../test.h"
#include "server/http_request.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_BODY 40
#define HOST "Host: localhost\r\n"
#define NO_HTTP "The request is no valid HTTP"
#define NO_LINES NO_HTTP ": its lines must end with CR LF"
#define NO_ADDRESS "The request's address must be a path"
#define NO_AUTHORITY "The request's address has no host, or more than a host and a port."
#define NO_VERSION "Only HTTP/1.1 and HTTP/1.0 are spoken here."

/* Read one request in pieces of that size; *used: its bytes. */
static http_step read_in(http_request *r, const char *bytes, size_t n, size_t piece, size_t *used)
{
    http_step step = HTTP_READ_MORE;
    http_request_init(r, MAX_BODY);
    *used = 0;
    while (*used < n && (step == HTTP_READ_MORE || step == HTTP_READ_HEAD)) {
        size_t now, left = n - *used;
        step = http_request_read(r, bytes + *used, left < piece ? left : piece, &now);
        *used += now;
    }
    return step;
}

/* status 0: the request is read as a whole; `why`: the beginning of the error's message. */
typedef struct request_case {
    const char *bytes;
    unsigned status;
    const char *why;
} request_case;

static const request_case refused[] = {
    /* the request line */
    {"GET / HTTP/2.0\r\n" HOST "\r\n", 505, NO_VERSION},
    {"GET / HTTP/1.2\r\n" HOST "\r\n", 505, NO_VERSION},
    {"GET / HTTP/0.9\r\n" HOST "\r\n", 505, NO_VERSION},
    {"GET / HTTP/11\r\n" HOST "\r\n", 505, NO_VERSION},
    {"GET  / HTTP/1.1\r\n" HOST "\r\n", 400, NO_LINES},
    {"GET /a%zz HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET /a%g0 HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET /a%:0 HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET /a% HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET /a%0a HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET /a%7F HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET /a#b HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET /a?b#c HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET /a\\b HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET * HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"OPTIONS *a HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET https://localhost/ HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET http://localhost/a\\b HTTP/1.1\r\n" HOST "\r\n", 400, NO_ADDRESS},
    {"GET http://localhost/ HTTP/1.1\r\n\r\n", 400, "The request has no Host header."},
    {"GET http:///a HTTP/1.1\r\n" HOST "\r\n", 400, NO_AUTHORITY},
    {"GET http://:80/a HTTP/1.1\r\n" HOST "\r\n", 400, NO_AUTHORITY},
    {"GET http://me@localhost/a HTTP/1.1\r\n" HOST "\r\n", 400, NO_AUTHORITY},
    {"GET http://localhost:a/a HTTP/1.1\r\n" HOST "\r\n", 400, NO_AUTHORITY},
    {"GET / RTSP/1.0\r\n" HOST "\r\n", 400, NO_HTTP ": its first line must end with HTTP/1.1."},
    {"PLAY / RTSP/1.0\r\n" HOST "\r\n", 400, NO_HTTP ": its first line must end with HTTP/1.1."},
    {"SOURCE / ICE/1.0\r\n" HOST "\r\n", 400, NO_HTTP ": its first line must end with HTTP/1.1."},
    {"CONNECT localhost:80 HTTP/1.1\r\n" HOST "\r\n", 405, "This server is no proxy."},
    {"NONSENSE / HTTP/1.1\r\n" HOST "\r\n", 400, NO_HTTP ": Invalid method"},
    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, NO_VERSION},
    /* lines */
    {"GET / HTTP/1.1\n" HOST "\r\n", 400, NO_LINES},
    {"GET / HTTP/1.1\r\r\n" HOST "\r\n", 400, NO_HTTP},
    {"GET / HTTP/1.1\r\nHost: localhost\n\r\n", 400, NO_LINES},
    {"GET / HTTP/1.1\r\n" HOST " folded\r\n\r\n", 400, NO_LINES},
    {"GET / HTTP/1.1\r\n" HOST "\tfolded\r\n\r\n", 400, NO_LINES},
    {"GET / HTTP/1.1\r\n: nameless\r\n" HOST "\r\n", 400, NO_LINES},
    {"GET / HTTP/1.1\r\nA: \x01\r\n" HOST "\r\n", 400, NO_LINES},
    {"GET / HTTP/1.1\r\nA: \x7f\r\n" HOST "\r\n", 400, NO_LINES},
    {"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400, NO_HTTP},
    /* headers */
    {"GET / HTTP/1.1\r\n\r\n", 400, "The request has no Host header."},
    {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "The Host header must have a host and a port"},
    {"GET / HTTP/1.0\r\nHost: a/b\r\n\r\n", 400, "The Host header must have a host and a port"},
    {"GET / HTTP/1.1\r\n" HOST HOST "\r\n", 400, "The header host is sent twice."},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400, NO_HTTP},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
     NO_HTTP},
    {"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip\r\n\r\n", 501,
     "The only Transfer-Encoding"},
    {"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip, chunked\r\n\r\n", 501,
     "The only Transfer-Encoding"},
    {"POST / HTTP/1.0\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n", 400,
     "HTTP/1.0 has no Transfer-Encoding."},
    /* bodies */
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: 41\r\n\r\n", 413,
     "The body has more than 40 bytes."},
    {"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"
     "14\r\n01234567890123456789\r\n14\r\n01234567890123456789\r\n1\r\nx\r\n",
     413, "The body has more than 40 bytes."},
    {"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\nx\r\n", 400, NO_HTTP},
    {"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400, NO_HTTP},
    {"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x\r\n\r\n", 400,
     "Headers after the body are not accepted."},
};

static void check_refused(const request_case *c, size_t piece)
{
    http_request r;
    size_t used;
    http_step step = read_in(&r, c->bytes, strlen(c->bytes), piece, &used);
    if (step != HTTP_READ_REFUSED || r.error.status != c->status ||
        strncmp(r.error.message, c->why, strlen(c->why)) != 0)
        fail_msg("in pieces of %zu, step %d, status %u, \"%s\":\n%s", piece, step, r.error.status,
                 r.error.message, c->bytes);
    http_request_free(&r);
}

static void test_read__refuses_what_a_proxy_may_read_otherwise(void **state)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        check_refused(&refused[i], 1);
        check_refused(&refused[i], 7);
        check_refused(&refused[i], SIZE_MAX);
    }
}

static void test_read__a_request(void **state)
{
    static const char bytes[] =
        "POST /v1/%41b%2f?query=%zz HTTP/1.1\r\nhOST: \t localhost \t\r\nAuthorization:\r\n"
        "A-Header-With-A-Name-Longer-Than-Any-That-Is-Kept: x\r\n"
        "Content-Type: application/json\r\nContent-Length: 5\r\n\r\nhelloGET";
    for (size_t piece = 1; piece < sizeof bytes; piece++) {
        http_request r;
        size_t used;
        assert_int_equal(read_in(&r, bytes, sizeof bytes - 1, piece, &used), HTTP_READ_WHOLE);
        assert_int_equal(used, sizeof bytes - 1 - 3); /* the rest is the next request's */
        assert_string_equal(r.method, "POST");
        assert_string_equal(r.path.p, "/v1/Ab/");
        assert_string_equal(http_request_field(&r, HTTP_HOST), "localhost");
        assert_string_equal(http_request_field(&r, HTTP_AUTHORIZATION), "");
        assert_string_equal(http_request_field(&r, HTTP_CONTENT_TYPE), "application/json");
        assert_null(http_request_field(&r, HTTP_EXPECT));
        assert_int_equal(r.body.len, 5);
        assert_memory_equal(r.body.p, "hello", 5);
        assert_true(r.keep_alive && !r.old);
        http_request_free(&r);
    }
}

/* RFC 9112, section 3.2.2: a server takes whole addresses, and their host instead of the header's.
 */
static void test_read__a_whole_address(void **state)
{
    static const struct {
        const char *target, *host, *path;
    } cases[] = {
        {"http://evil.example/a/b?c", "evil.example", "/a/b"},
        {"HTTP://[::1]:80/", "[::1]:80", "/"},
        {"http://a", "a", "/"},
        {"http://a?/b", "a", "/"},
        {"http://a-host-that-is-longer-than-what-the-header-says.example:80/%61@b",
         "a-host-that-is-longer-than-what-the-header-says.example:80", "/a@b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t piece = 1; piece < 100; piece += 9) {
            http_request r;
            size_t used;
            char bytes[200];
            int n =
                snprintf(bytes, sizeof bytes, "GET %s HTTP/1.1\r\n" HOST "\r\n", cases[i].target);
            assert_int_equal(read_in(&r, bytes, (size_t)n, piece, &used), HTTP_READ_WHOLE);
            assert_string_equal(http_request_field(&r, HTTP_HOST), cases[i].host);
            assert_string_equal(r.path.p, cases[i].path);
            assert_int_equal(r.path.len, strlen(cases[i].path));
            http_request_free(&r);
        }
    static const char old[] = "GET http://a/b HTTP/1.0\r\n\r\n";
    http_request r;
    size_t used;
    assert_int_equal(read_in(&r, old, sizeof old - 1, SIZE_MAX, &used), HTTP_READ_WHOLE);
    assert_string_equal(http_request_field(&r, HTTP_HOST), "a");
    http_request_free(&r);
}

/* The first slash that was written as %2F ends what is plain, and without one the path does. */
static void test_read__escaped_slashes(void **state)
{
    static const struct {
        const char *target, *path;
        size_t plain;
    } cases[] = {{"/a/b", "/a/b", 4},
                 {"/a%2Fb", "/a/b", 2},
                 {"/a%2fb%2F/c", "/a/b//c", 2},
                 {"/%41%2f", "/A/", 2},
                 {"/?%2f", "/", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        http_request r;
        size_t used;
        char bytes[100];
        int n = snprintf(bytes, sizeof bytes, "GET %s HTTP/1.1\r\n" HOST "\r\n", cases[i].target);
        assert_int_equal(read_in(&r, bytes, (size_t)n, SIZE_MAX, &used), HTTP_READ_WHOLE);
        assert_string_equal(r.path.p, cases[i].path);
        assert_int_equal(r.plain, cases[i].plain);
        http_request_free(&r);
    }
}

static void test_read__a_body_in_chunks(void **state)
{
    static const char bytes[] =
        "\r\nPUT / HTTP/1.1\r\n" HOST "Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n"
        "3;x=y\r\nabc\r\n02\r\nde\r\n0\r\n\r\n";
    for (size_t piece = 1; piece < sizeof bytes; piece++) {
        http_request r;
        size_t used;
        assert_int_equal(read_in(&r, bytes, sizeof bytes - 1, piece, &used), HTTP_READ_WHOLE);
        assert_int_equal(used, sizeof bytes - 1);
        assert_memory_equal(r.body.p, "abcde", 6);
        assert_false(r.keep_alive);
        http_request_free(&r);
    }
}

static void test_read__an_old_client(void **state)
{
    static const char bytes[] = "GET /%c3%A9 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
    http_request r;
    size_t used;
    assert_int_equal(read_in(&r, bytes, sizeof bytes - 1, 3, &used), HTTP_READ_WHOLE);
    assert_true(r.old && !r.keep_alive);
    assert_string_equal(r.path.p, "/\xc3\xa9");
    http_request_free(&r);
}

/* A head with a header whose value has `n` bytes and does not end. */
static http_step read_long_head(http_request *r, const char *name, size_t n, size_t piece)
{
    char *bytes = malloc(n + 100);
    assert_non_null(bytes);
    size_t used, at = (size_t)snprintf(bytes, 100, "GET / HTTP/1.1\r\n%s: ", name);
    memset(bytes + at, 'a', n);
    http_step step = read_in(r, bytes, at + n, piece, &used);
    free(bytes);
    return step;
}

static void test_read__a_head_without_end(void **state)
{
    static const size_t pieces[] = {1, 1000, SIZE_MAX};
    for (size_t i = 0; i < 3; i++) {
        http_request r;
        assert_int_equal(read_long_head(&r, "A", HTTP_MAX_HEAD, pieces[i]), HTTP_READ_REFUSED);
        assert_int_equal(r.error.status, 431);
        assert_string_equal(r.error.message, "The headers have more than 32768 bytes.");
        http_request_free(&r);
        assert_int_equal(read_long_head(&r, "Host", 4001, pieces[i]), HTTP_READ_REFUSED);
        assert_int_equal(r.error.status, 431);
        assert_string_equal(r.error.message, "A header is too long.");
        http_request_free(&r);
        assert_int_equal(read_long_head(&r, "Host", 4000, pieces[i]), HTTP_READ_MORE);
        http_request_free(&r);
    }
}

/* RFC 9112, section 3: an address that is too long has a status of its own. */
static void test_read__an_address_without_end(void **state)
{
    static char bytes[5000] = "GET /";
    memset(bytes + 5, 'a', sizeof bytes - 5);
    for (size_t piece = 1; piece <= sizeof bytes; piece += 1111) {
        http_request r;
        size_t used;
        assert_int_equal(read_in(&r, bytes, 4 + 4001, piece, &used), HTTP_READ_REFUSED);
        assert_int_equal(r.error.status, 414);
        assert_string_equal(r.error.message, "The request's address is too long.");
        http_request_free(&r);
        assert_int_equal(read_in(&r, bytes, 4 + 4000, piece, &used), HTTP_READ_MORE);
        http_request_free(&r);
    }
}

/* A body of so many bytes, as one text or in chunks of `chunk`; the step, and its status. */
static http_step read_body(size_t max, size_t n, size_t chunk, size_t piece, unsigned *status)
{
    static char bytes[20000];
    http_request r;
    http_step step = HTTP_READ_MORE;
    size_t at = (size_t)snprintf(bytes, sizeof bytes, "POST / HTTP/1.1\r\n" HOST);
    if (chunk == 0)
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "Content-Length: %zu\r\n\r\n%0*d", n,
                               (int)n, 0);
    else
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "Transfer-Encoding: chunked\r\n\r\n");
    for (size_t left = n; chunk && left;) {
        size_t now = left < chunk ? left : chunk;
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "%zx\r\n%0*d\r\n", now, (int)now, 0);
        left -= now;
    }
    if (chunk)
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "0\r\n\r\n");
    http_request_init(&r, max);
    for (size_t i = 0, used; i < at && step < HTTP_READ_WHOLE; i += used)
        step = http_request_read(&r, bytes + i, at - i < piece ? at - i : piece, &used);
    assert_true(r.body.len <= max);
    *status = r.error.status;
    http_request_free(&r);
    return step;
}

/* A body of the most bytes is read, and one of a byte more is not, whatever its parts. */
static void test_read__bodies_at_the_limit(void **state)
{
    static const size_t most[] = {15, 16, 255, 256, 1000}, chunks[] = {0, 1, 3, 16, 2000},
                        pieces[] = {1, 7, SIZE_MAX};
    for (size_t m = 0; m < sizeof most / sizeof *most; m++)
        for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++)
            for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++)
                for (size_t more = 0; more < 3; more++) {
                    unsigned status;
                    http_step step =
                        read_body(most[m], most[m] + more, chunks[c], pieces[p], &status);
                    assert_int_equal(step, more ? HTTP_READ_REFUSED : HTTP_READ_WHOLE);
                    assert_int_equal(status, more ? 413 : 0);
                }
}

/* Chunks of one byte, whose lines have leading zeros, are longer than any body. */
static void test_read__chunks_without_end(void **state)
{
    static const char head[] = "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n";
    http_request r;
    size_t used;
    char bytes[sizeof head + 400];
    int at = snprintf(bytes, sizeof bytes, "%s", head);
    memset(bytes + at, '0', 399);
    assert_int_equal(read_in(&r, bytes, (size_t)at + 399, 1, &used), HTTP_READ_REFUSED);
    assert_int_equal(r.error.status, 413);
    assert_int_equal(r.body.len, 0);
    http_request_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__refuses_what_a_proxy_may_read_otherwise),
        cmocka_unit_test(test_read__a_request),
        cmocka_unit_test(test_read__a_whole_address),
        cmocka_unit_test(test_read__escaped_slashes),
        cmocka_unit_test(test_read__a_body_in_chunks),
        cmocka_unit_test(test_read__an_old_client),
        cmocka_unit_test(test_read__a_head_without_end),
        cmocka_unit_test(test_read__an_address_without_end),
        cmocka_unit_test(test_read__chunks_without_end),
        cmocka_unit_test(test_read__bodies_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
